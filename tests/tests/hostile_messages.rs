//! Whatever arrives at a hall server over MQTT, rightly hashed and of the right kind, but wrong: it is survived, and what boards
//! say afterwards is shown.

use boardd::{Journal, Outbox, Publication, Table};
use referee::relay::Topic;
use referee::{Chain, Command, GameHeader, Line, Order, Record};
use sense::Uptime;
use serde_json::Value;
use tests::{Dice, SimDisk, damage};
use twin::{Game, GameRecord, Style};
use venue::{DelayLine, Delays, Moment, Published, Replica};

/// What a board publishes of a short game in which an arbiter gave orders.
fn published(board: &str, seed: u64) -> Vec<Publication> {
    let record = &GameRecord::shipped()[seed as usize % 20];
    let moves = record.game.moves().iter().take(12).copied().collect();
    let game = Game::new(*record.game.start(), moves).expect("the first moves of a legal game");
    let header = GameHeader {
        clock: Some("10m+5s".to_owned()),
        ..GameHeader::new(format!("{board}-{seed}"), *game.start(), "cxa-2010")
    };
    let disk = SimDisk::new();
    let (mut journal, _) = Journal::open(disk.clone(), board).expect("an empty disk");
    let mut outbox = Outbox::new(board, disk, 0, None);
    let mut table = Table::new(&header);
    let mut records = vec![Record::Game(Box::new(header))];
    let order = |table: &mut Table, at: Uptime, command: Value| {
        let command: Command = serde_json::from_value(command).expect("an order");
        table.order(at, &Order { name: "Li".into(), reason: "noise".into(), command });
    };
    let observations = game.play(Style::Slides, seed).observations;
    for (count, observation) in observations.iter().enumerate() {
        table.take(observation);
        if count == observations.len() / 2 {
            let at = observation.at;
            order(
                &mut table,
                at,
                serde_json::json!({"command": "add_foul", "side": "red", "offence": "conduct"}),
            );
            order(&mut table, at, serde_json::json!({"command": "withdraw_foul", "foul": 1}));
            order(&mut table, at, serde_json::json!({"command": "take_back", "ply": 3}));
            order(&mut table, at, serde_json::json!({"command": "undo", "undo": 3}));
        }
        records.extend(std::iter::from_fn(|| table.poll_record()));
    }
    let end = observations.last().expect("a game").at.plus_us(30_000_000);
    order(&mut table, end, serde_json::json!({"command": "resign", "side": "black"}));
    records.extend(std::iter::from_fn(|| table.poll_record()));
    outbox.connected(1);
    let mut all = Vec::new();
    for record in records {
        journal.commit(1_767_225_600_000, &[record]).expect("a healthy disk");
        while let Some(publication) = outbox.poll(journal.end().next_seq()).expect("a readable disk") {
            outbox.acknowledge(publication.token);
            all.push(publication);
        }
    }
    all
}

/// The same message with something wrong in it; a line of a journal has the right hash all the same.
fn damaged(publication: &Publication, dice: &mut Dice) -> String {
    let mut value: Value = serde_json::from_str(&publication.payload).expect("JSON");
    if !publication.topic.ends_with("/record") {
        damage(&mut value, dice);
        return value.to_string();
    }
    let utc_ms = if dice.once_in(4) { dice.roll() } else { value["utc_ms"].as_u64().expect("a time") };
    let mut line: Line = serde_json::from_value(value.clone()).expect("a line");
    if dice.once_in(6) {
        line.seq = [u64::MAX, u64::MAX - 1, (1 << 53) - 1, 1 << 40, 0][dice.below(5)];
    }
    let mut record = value["record"].take();
    damage(&mut record, dice);
    Chain::before(&line).seal(utc_ms, &record.to_string())
}

/// A hall server without its network.
struct Hall {
    live: Replica,
    line: DelayLine,
    now: Moment,
    taken: u32,
}

impl Hall {
    fn new(delay: &str) -> Hall {
        let line = DelayLine::new(Delays::new([delay.parse().expect("a delay")]));
        Hall { live: Replica::new(), line, now: Moment { up_ms: 0, utc_ms: 1_767_225_600_000 }, taken: 0 }
    }

    fn take(&mut self, topic: &str, payload: &str) {
        (self.now.up_ms, self.now.utc_ms) = (self.now.up_ms + 500, self.now.utc_ms + 500);
        let payload = payload.as_bytes();
        if self.live.apply(topic, payload).is_ok() {
            self.taken += 1;
        }
        let _ = self.line.take(self.now, Published { topic, payload, retained: false }, &self.live);
        self.line.advance(self.now, &self.live);
    }

    /// Looks at everything that a page shows.
    fn look(&self) {
        assert!(self.line.wanted(&self.live).len() <= self.live.boards().0);
        for replica in [&self.live, self.line.public()] {
            assert!(replica.audit().len() <= 500);
            for view in replica.games() {
                let id = &view.summary.id;
                let sheet = serde_json::to_string(&replica.sheet(id)).expect("JSON");
                assert!(!sheet.is_empty() && serde_json::to_string(&**view).is_ok());
                assert!(replica.snapshot(id).is_some());
            }
            for view in replica.board_views() {
                let (board, _) = (&view.board, serde_json::to_string(&view).expect("JSON"));
                let _ = (replica.played(board), replica.journal(board, None, 10), replica.latest(board));
                let _ = replica.order(board, "b1-1", 1);
            }
        }
    }
}

#[test]
fn a_hall_survives_what_one_board_says_and_shows_the_others() {
    let (good, other) = (published("b1", 1), published("b2", 2));
    let mut alone = Hall::new("0");
    other.iter().for_each(|one| alone.take(&one.topic, &one.payload));
    let expected = alone.live.game("b2-2").expect("the other board's game").clone();
    assert!(expected.plies.len() > 3 && expected.summary.result.is_some());
    let mut taken = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let mut hall = Hall::new(["0", "5s", "2plies", "5s+1ply"][dice.below(4)]);
        let begun = dice.below(good.len());
        good[..begun].iter().for_each(|one| hall.take(&one.topic, &one.payload));
        let before = hall.taken;
        for _ in 0..1 + dice.below(8) {
            let one = &good[dice.below(good.len())];
            hall.take(&one.topic, &damaged(one, &mut dice));
        }
        taken += hall.taken - before;
        hall.look();
        if seed % 10 == 0 {
            other.iter().for_each(|one| hall.take(&one.topic, &one.payload));
            (0..40).for_each(|_| hall.take("nothing/of/ours", ""));
            hall.look();
            for replica in [&hall.live, hall.line.public()] {
                let game =
                    replica.game("b2-2").unwrap_or_else(|| panic!("seed {seed}: the other board's game"));
                assert_eq!(
                    (&game.plies, &game.summary.result),
                    (&expected.plies, &expected.summary.result),
                    "seed {seed}"
                );
            }
        }
    }
    assert!(taken > 150, "{taken} damaged messages were taken for good, so they were looked at");
}

#[test]
fn topics_are_ours_or_nobodys() {
    let topics = published("b1", 1).into_iter().map(|one| one.topic).collect::<Vec<_>>();
    let mut dice = Dice::new(1);
    for _ in 0..20_000 {
        let mut topic = topics[dice.below(topics.len())].clone().into_bytes();
        for _ in 0..1 + dice.below(3) {
            let at = dice.below(topic.len());
            match dice.below(3) {
                0 => drop(topic.remove(at)),
                1 => topic.insert(at, b"/+#\0. \xc3"[dice.below(7)]),
                _ => topic[at] = dice.below(128) as u8,
            }
        }
        let topic = String::from_utf8_lossy(&topic);
        if let Some(read) = Topic::parse(&topic) {
            assert_eq!(read.to_string(), topic, "what is read is what was written");
        }
    }
}
