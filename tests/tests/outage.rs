//! A broker that is away for an hour, and for a whole round: the board writes on, holds no more than its window, and when the
//! broker is back sends what waited, in order, each line once.

use boardd::{Journal, Outbox, Publication, Table, WINDOW};
use referee::relay::{Status, Topic};
use referee::{Chain, GameHeader, Line, Record, Snapshot};
use sense::Uptime;
use serde_json::json;
use tests::SimDisk;
use trace::Observation;
use twin::{GameRecord, Style};
use venue::Replica;

const BOARD: &str = "b1";
const HOUR_US: u64 = 3_600_000_000;

/// A board whose games follow each other on one count of time.
struct Board {
    journal: Journal<SimDisk>,
    outbox: Outbox<SimDisk>,
    now: Uptime,
    games: Vec<String>,
}

impl Board {
    fn new() -> Board {
        let disk = SimDisk::new();
        let (journal, _) = Journal::open(disk.clone(), BOARD).expect("an empty disk");
        let outbox = Outbox::new(BOARD, disk, 0, None);
        Board { journal, outbox, now: Uptime::ZERO, games: Vec::new() }
    }

    /// Plays a game to its end; `each` is called after each moment with the board.
    fn play(&mut self, record: &GameRecord, seed: u64, mut each: impl FnMut(&mut Board)) {
        let begins = self.now.plus_us(1_000_000);
        let header = GameHeader {
            us: begins.as_us(),
            clock: Some("60m+30s".to_owned()),
            ..GameHeader::new(format!("g-{seed}"), *record.game.start(), "cxa-2010")
        };
        self.games.push(header.game.clone());
        let mut table = Table::new(&header);
        let mut waits = vec![Record::Game(Box::new(header))];
        for Observation { at, sensed } in record.game.play(Style::Slides, seed).observations {
            self.now = begins.plus_us(at.as_us());
            table.take(&Observation { at: self.now, sensed });
            waits.extend(std::iter::from_fn(|| table.poll_record()));
            self.commit(&mut waits);
            each(self);
        }
        self.now = self.now.plus_us(60_000_000);
        table.advance(self.now);
        waits.extend(std::iter::from_fn(|| table.poll_record()));
        self.commit(&mut waits);
        each(self);
    }

    fn commit(&mut self, waits: &mut Vec<Record>) {
        self.journal.commit(self.now.as_us() / 1000, waits).expect("a healthy disk");
        waits.clear();
    }

    fn end(&self) -> u64 {
        self.journal.end().next_seq()
    }

    /// What the client may be handed now.
    fn poll(&mut self) -> Vec<Publication> {
        let end = self.end();
        std::iter::from_fn(|| self.outbox.poll(end).expect("a readable disk")).collect()
    }
}

/// What came while a broker took everything until nothing was left, and how often the window had to be filled.
fn catch_up(board: &mut Board) -> (Vec<Publication>, u32) {
    let (mut came, mut windows) = (Vec::new(), 0);
    loop {
        let window = board.poll();
        let bytes: usize = window.iter().map(|publication| publication.payload.len()).sum();
        assert!(window.len() <= WINDOW && bytes < 1 << 20, "{} publications, {bytes} bytes", window.len());
        if window.is_empty() {
            return (came, windows);
        }
        windows += 1;
        window.iter().for_each(|publication| board.outbox.acknowledge(publication.token));
        came.extend(window);
    }
}

/// The numbers of the lines among publications.
fn numbers(came: &[Publication]) -> Vec<u64> {
    let lines = came.iter().filter(|publication| publication.topic.ends_with("/record"));
    lines.map(|line| serde_json::from_str::<Line>(&line.payload).expect("a line").seq).collect()
}

#[test]
fn a_broker_that_is_away_for_a_round_gets_it_in_order() {
    let records = GameRecord::shipped();
    let mut board = Board::new();
    board.outbox.connected(0);
    let mut before = Vec::new();
    board.play(&records[0], 1, |board| before.extend(catch_up(board).0));
    assert_eq!(numbers(&before), (0..board.end()).collect::<Vec<_>>(), "as long as it is there");

    board.outbox.disconnected();
    let (away_at, lost_at) = (board.now, board.end());
    let mut seed = 1;
    // An hour, and on until a round of games is over.
    while board.now.us_since(away_at) < HOUR_US || board.games.len() < 9 {
        seed += 1;
        let record = &records[seed as usize % records.len()];
        board.play(record, seed, |board| {
            assert_eq!((board.poll().len(), board.outbox.in_flight()), (0, 0), "nothing waits in memory");
        });
    }
    let missed = board.end() - lost_at;
    assert!(missed > 5_000, "{missed} lines");

    board.outbox.connected(board.now.as_us());
    let (came, windows) = catch_up(&mut board);
    let end = board.end();
    // The game before the outage once more, because a broker may have forgotten it.
    let numbers = numbers(&came);
    let again = numbers.iter().take_while(|seq| **seq < lost_at).count();
    assert_eq!(numbers[again..], (lost_at..end).collect::<Vec<_>>());
    assert_eq!(numbers[..again], (lost_at - again as u64..lost_at).collect::<Vec<_>>());
    // Snapshots only of what stands at the end of each game, and a status for each: catching up costs little more than the lines.
    let others = came.len() - numbers.len();
    assert!(others <= 2 * board.games.len() + 2, "{others} besides {} lines", numbers.len());
    assert!(u64::from(windows) <= came.len() as u64 / (WINDOW as u64 / 2) + 1, "{windows} windows");
    followers_agree(&board, &before, &came);
}

/// A venue that has seen everything, and one that is started now, show what the journal tells.
fn followers_agree(board: &Board, before: &[Publication], came: &[Publication]) {
    let mut faithful = Replica::new();
    let mut chain = Chain::START;
    let mut seen = 0;
    for publication in before.iter().chain(came) {
        faithful.apply(&publication.topic, publication.payload.as_bytes()).expect("readable");
        if publication.topic.ends_with("/record") {
            let line: Line = serde_json::from_str(&publication.payload).expect("a line");
            if line.seq == seen {
                chain.follow(&publication.payload, &line).expect("it follows");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, board.end());
    let mut late = Replica::new();
    for publication in before.iter().chain(came).filter(|publication| publication.retain) {
        late.apply(&publication.topic, publication.payload.as_bytes()).expect("readable");
    }
    for game in &board.games {
        let [all, kept] = [&faithful, &late].map(|replica| replica.snapshot(game).expect("a game"));
        assert!(all.shows_the_same(kept), "{game}:\n{all:?}\n{kept:?}");
        assert!(all.plies.len() > 10, "{game}");
    }
    let last = late.latest(BOARD).map(|snapshot: &Snapshot| snapshot.game.clone());
    assert_eq!(last.as_ref(), board.games.last());
    let status = Topic::Status { board: BOARD }.to_string();
    let status = came.iter().rfind(|publication| publication.topic == status).expect("a status");
    let status: Status = serde_json::from_str(&status.payload).expect("a status");
    assert_eq!((status.online, status.game), (true, last));
}

/// A ply as a long game has it, with long numbers.
fn moved(ply: u32) -> Record {
    let (us, side) = (u64::from(ply) * 4_000_000, if ply % 2 == 1 { "red" } else { "black" });
    let clock = json!({"spent_us": 999_000_000, "used_us": us, "red_left_us": 9_999_000_000_u64, "black_left_us": us});
    let event = json!({
        "kind": "event", "us": us, "event": "moved", "ply": ply, "side": side,
        "move": if ply % 4 < 2 { "h2e2" } else { "e2h2" }, "begin_us": us, "settled_us": us, "clock": clock,
    });
    serde_json::from_value(event).expect("a record")
}

/// A snapshot that no broker would take is not published; two thousand plies fit. The lines go on, and so does the next game.
#[test]
fn a_snapshot_that_is_too_large_does_not_stop_the_lines() {
    let mut board = Board::new();
    board.outbox.connected(0);
    let mut plies = 0;
    let mut play = |board: &mut Board, game: &str, to: u32| {
        let mut waits: Vec<Record> = (plies + 1..=to).map(moved).collect();
        if plies == 0 {
            let header = GameHeader::new(game.to_owned(), xiangqi::Position::initial(), "cxa-2010");
            waits.insert(0, Record::Game(Box::new(header)));
        }
        plies = if to == 5_000 { 0 } else { to };
        let from = board.end();
        waits.chunks(500).for_each(|some| board.commit(&mut some.to_vec()));
        let came = catch_up(board).0;
        assert_eq!(numbers(&came), (from..board.end()).collect::<Vec<_>>());
        assert!(came.iter().all(|one| one.payload.len() <= transport::MAX_PAYLOAD));
        let snapshot = came.into_iter().rfind(|one| one.topic.ends_with("/snapshot"))?;
        Some(serde_json::from_str::<Snapshot>(&snapshot.payload).expect("a snapshot").plies.len())
    };
    assert_eq!(play(&mut board, "g-1", 2_000), Some(2_000));
    assert_eq!(play(&mut board, "g-1", 5_000), None);
    assert_eq!(play(&mut board, "g-2", 2), Some(2));
}
