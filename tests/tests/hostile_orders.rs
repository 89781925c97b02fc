//! Whatever arrives at a board over MQTT, signed by a key that it listens to or not: it is survived, nothing unsigned is carried
//! out, and the journal that follows reads back as it was written.

use boardd::{Arbiters, Journal, Outbox, Table, resume};
use referee::relay::{OrderBody, Refill, SecretKey, SignedOrder};
use referee::{GameHeader, Record};
use sense::Uptime;
use serde_json::{Value, json};
use tests::{Dice, SimDisk, damage};
use twin::{Game, GameRecord, Style};

const BOARD: &str = "b1";
const GAME: &str = "g-1";

/// Orders as an arbiter's terminal sends them.
fn bodies(dice: &mut Dice) -> Value {
    let commands = [
        json!({"command": "pause"}),
        json!({"command": "resume", "side": "red"}),
        json!({"command": "set_clock", "side": "red", "left_ms": 60_000}),
        json!({"command": "charge", "side": "black", "charge_ms": 1_000}),
        json!({"command": "add_foul", "side": "red", "offence": "conduct"}),
        json!({"command": "missed_lines", "side": "red", "lines": 4}),
        json!({"command": "take_back", "ply": 2}),
        json!({"command": "accept_move", "ply": 1}),
        json!({"command": "choose", "ply": 1, "move": "h2e2"}),
        json!({"command": "set_position", "fen": "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1"}),
        json!({"command": "claim", "side": "red", "claim": "repetition"}),
        json!({"command": "rule_claim", "ruling": "granted", "within": 3}),
        json!({"command": "declare", "score": "1-0", "ending": "arbiter"}),
        json!({"command": "undo", "undo": 1}),
        json!({"command": "reopen"}),
    ];
    let mut order = commands[dice.below(commands.len())].clone();
    order["name"] = "Li Wei".into();
    order["reason"] = "noise".into();
    json!({"id": format!("o-{}", dice.below(1_000)), "board": BOARD, "game": GAME, "order": order})
}

/// What is carried out of what somebody sends with the right key or another one.
struct Sender {
    dice: Dice,
    key: SecretKey,
    arbiters: Arbiters,
}

impl Sender {
    fn new(seed: u64) -> Sender {
        let key = SecretKey::from_bytes(&[9; 32]);
        let list = format!("[[arbiter]]\nkey = \"li\"\nname = \"Li Wei\"\npublic = \"{}\"\n", key.public());
        Sender { dice: Dice::new(seed), key, arbiters: Arbiters::parse(&list).expect("a list") }
    }

    /// A payload as it arrives, and whether it is signed by the right key.
    fn payload(&mut self) -> (Value, bool) {
        let mut body = bodies(&mut self.dice);
        if self.dice.once_in(2) {
            damage(&mut body, &mut self.dice);
        }
        let is_right = self.dice.once_in(2);
        let key = if is_right { &self.key } else { &SecretKey::from_bytes(&[8; 32]) };
        let mut signed = serde_json::to_value(SignedOrder::sign("li", key, body.to_string())).expect("JSON");
        let before = signed.clone();
        if self.dice.once_in(3) {
            damage(&mut signed, &mut self.dice);
        }
        let is_whole = ["key", "body", "signature"].iter().all(|key| signed[key] == before[key]);
        (signed, is_right && is_whole)
    }

    fn listened_to(&mut self) -> Option<(SignedOrder, OrderBody)> {
        let (payload, may) = self.payload();
        let signed: SignedOrder = serde_json::from_value(payload).ok()?;
        let body = self.arbiters.check(BOARD, &signed).ok()?;
        assert!(may, "{signed:?} is listened to");
        Some((signed, body))
    }
}

#[test]
fn a_board_survives_any_order_and_writes_what_it_can_read() {
    let record = &GameRecord::shipped()[3];
    let moves = record.game.moves().iter().take(8).copied().collect();
    let game = Game::new(*record.game.start(), moves).expect("the first moves of a legal game");
    let (mut carried_out, mut refused) = (0, 0);
    for seed in 0..40 {
        let mut sender = Sender::new(seed);
        let header =
            GameHeader { clock: Some("10m+5s".into()), ..GameHeader::new(GAME, *game.start(), "cxa-2010") };
        let disk = SimDisk::new();
        let (mut journal, _) = Journal::open(disk.clone(), BOARD).expect("an empty disk");
        let mut table = Table::new(&header);
        let mut records = vec![Record::Game(Box::new(header))];
        for observation in game.play(Style::Clean, seed).observations {
            table.take(&observation);
            if sender.dice.once_in(6)
                && let Some((signed, body)) = sender.listened_to()
            {
                match table.signed_order(observation.at, &signed, &body) {
                    Ok(()) => carried_out += 1,
                    Err(_) => refused += 1,
                }
            }
            records.extend(std::iter::from_fn(|| table.poll_record()));
            journal.commit(1, &records).expect("a healthy disk");
            records.clear();
        }
        let (_, found) = Journal::open(disk, BOARD).expect("a sound journal");
        let resumed = resume(&found.game.expect("a game"));
        let resumed = resumed.unwrap_or_else(|disagreement| panic!("seed {seed}: {disagreement}"));
        assert_eq!(resumed.table.referee().moves(), table.referee().moves(), "seed {seed}");
    }
    assert!(carried_out > 40 && refused > 2, "{carried_out} orders were carried out, {refused} refused");
}

/// Without a signature of a listed key nothing is taken, whatever the payload.
#[test]
fn nothing_unsigned_is_listened_to() {
    let mut sender = Sender::new(1);
    let listened = (0..200).filter(|_| sender.listened_to().is_some()).count();
    assert!(listened > 15, "{listened} of 200");
}

/// Requests for lines that are not there, or far too many.
#[test]
fn any_request_is_answered_within_bounds() {
    let disk = SimDisk::new();
    let (mut journal, _) = Journal::open(disk.clone(), BOARD).expect("an empty disk");
    let presses: Vec<Record> = (0..500).map(|us| Record::Press { us, side: xiangqi::Color::Red }).collect();
    journal.commit(1, &presses).expect("a healthy disk");
    let end = journal.end().next_seq();
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let mut outbox = Outbox::new(BOARD, disk.clone(), end, None);
        outbox.connected(1);
        let mut asked = 0u64;
        for _ in 0..1 + dice.below(40) {
            let mut request = json!({"v": 1, "from": dice.below(600), "to": dice.below(600)});
            if dice.once_in(2) {
                damage(&mut request, &mut dice);
            }
            let Ok(request) = serde_json::from_value::<Refill>(request) else { continue };
            asked += request.to.min(end).saturating_sub(request.from);
            outbox.refill(request, 1);
        }
        let mut sent = 0;
        while let Some(publication) = outbox.poll(end).expect("a readable disk") {
            sent += u64::from(publication.topic.ends_with("/record"));
            outbox.acknowledge(publication.token);
            assert!(sent <= asked, "seed {seed}: more than the {asked} lines that were asked for");
        }
    }
}

#[test]
fn an_order_of_the_largest_size_is_recorded_once() {
    let mut sender = Sender::new(2);
    let mut body = bodies(&mut sender.dice);
    body["order"] =
        json!({"name": "Li Wei", "reason": "x".repeat(SignedOrder::MOST_BYTES), "command": "dance"});
    let signed = SignedOrder::sign("li", &sender.key, body.to_string());
    let read = sender.arbiters.check(BOARD, &signed).expect("rightly signed");
    let header = GameHeader::new(GAME, xiangqi::Position::initial(), "cxa-2010");
    let mut table = Table::new(&header);
    for _ in 0..3 {
        table.signed_order(Uptime::from_us(1), &signed, &read).expect("of this game");
    }
    let records: Vec<Record> = std::iter::from_fn(|| table.poll_record()).collect();
    let orders = records.iter().filter(|record| matches!(record, Record::Order { .. })).count();
    assert_eq!(orders, 1);
}
