//! Lines that were published and are damaged when the board starts again: it goes on from the line before, and whoever has seen them,
//! the arbiters at once and the public with its delay, comes to see what the board has.

use boardd::{Journal, Outbox, Table, resume, segments};
use referee::relay::{Refill, Status};
use referee::{GameHeader, Record, Snapshot};
use tests::SimDisk;
use trace::Observation;
use twin::{Game, GameRecord, Style};
use venue::{DelayLine, Delays, Moment, Published, Replica};

const BOARD: &str = "b1";
/// How late the public is.
const LATE_MS: u64 = 60_000;

/// A hall server.
struct Hall {
    delay: &'static str,
    live: Replica,
    line: DelayLine,
    up_ms: u64,
}

impl Hall {
    fn new() -> Hall {
        Hall::late_by("1m")
    }

    fn late_by(delay: &'static str) -> Hall {
        let delays = Delays::new([delay.parse().expect("a delay")]);
        Hall { delay, live: Replica::new(), line: DelayLine::new(delays), up_ms: 100_000 }
    }

    fn now(&self) -> Moment {
        Moment { up_ms: self.up_ms, utc_ms: self.up_ms }
    }

    /// Takes all that a board publishes now, and gives how much that was.
    fn take(&mut self, outbox: &mut Outbox<SimDisk>, end: u64) -> usize {
        let mut taken = 0;
        while let Some(publication) = outbox.poll(end).expect("a readable disk") {
            outbox.acknowledge(publication.token);
            let (topic, payload) = (&*publication.topic, publication.payload.as_bytes());
            self.live.apply(topic, payload).expect("readable");
            let message = Published { topic, payload, retained: false };
            self.line.take(self.now(), message, &self.live).expect("readable");
            taken += 1;
        }
        taken
    }

    /// Another one in its place, which the broker tells what it has kept.
    fn anew(self) -> Hall {
        let mut anew = Hall { up_ms: self.up_ms + 1_000, ..Hall::late_by(self.delay) };
        let kept = self.live.snapshot("g1").expect("the game");
        let (topic, payload) = (format!("luozi/v1/board/{BOARD}/game/g1/snapshot"), serde_json::to_vec(kept));
        let (topic, payload) = (&*topic, &*payload.expect("JSON"));
        anew.live.apply(topic, payload).expect("readable");
        let message = Published { topic, payload, retained: true };
        anew.line.take(anew.now(), message, &anew.live).expect("readable");
        anew
    }

    fn wait(&mut self, ms: u64) {
        self.up_ms += ms;
        self.line.advance(self.now(), &self.live);
    }
}

/// A board: its journal, what it publishes, and its referee.
struct Board {
    journal: Journal<SimDisk>,
    outbox: Outbox<SimDisk>,
    table: Table,
}

impl Board {
    fn write(&mut self, records: &[Record], hall: &mut Hall) {
        self.journal.commit(hall.up_ms, records).expect("written");
        hall.take(&mut self.outbox, self.journal.end().next_seq());
    }

    fn play(&mut self, observations: &[Observation], hall: &mut Hall) {
        for observation in observations {
            self.table.take(observation);
            let records: Vec<Record> = std::iter::from_fn(|| self.table.poll_record()).collect();
            self.write(&records, hall);
        }
    }

    /// Whoever misses lines asks for them.
    fn refill(&mut self, hall: &mut Hall) {
        for _ in 0..20 {
            for (_, from, to) in hall.line.wanted(&hall.live) {
                self.outbox.refill(Refill { v: Refill::VERSION, from, to }, 0);
                hall.take(&mut self.outbox, self.journal.end().next_seq());
            }
        }
        assert_eq!(hall.line.wanted(&hall.live), [], "nothing is missing in the end");
    }
}

fn plies(replica: &Replica, game: &str) -> usize {
    replica.snapshot(game).map_or(0, |snapshot| snapshot.plies.len())
}

/// How a game begins, and what a board senses of its first plies.
fn twenty_plies() -> (GameHeader, Vec<Observation>) {
    let record = &GameRecord::shipped()[2];
    let moves: Vec<_> = record.game.moves().iter().take(20).copied().collect();
    let played = Game::new(*record.game.start(), moves.clone()).expect("the first moves of a legal game");
    let observations = played.play(Style::Clean, 3).observations;
    let header = GameHeader {
        clock: Style::Clean.clock().map(str::to_owned),
        ..GameHeader::new("g1", *played.start(), "cxa-2010")
    };
    (header, observations)
}

#[test]
fn whoever_saw_what_was_set_aside_sees_what_stands() {
    let (header, observations) = twenty_plies();
    for (shown_before, hall_is_anew) in [(true, false), (false, false), (false, true)] {
        check(&header, &observations, shown_before, hall_is_anew);
    }
}

/// The board is off when the public has, or has not yet, been shown what is then lost; or the hall server loses power, too, and
/// afterwards knows no more than what the broker has kept: the state before.
fn check(header: &GameHeader, observations: &[Observation], shown_before: bool, hall_is_anew: bool) {
    let disk = SimDisk::new();
    let mut hall = Hall::new();
    let (journal, _) = Journal::open(disk.clone(), BOARD).expect("an empty disk");
    let outbox = Outbox::new(BOARD, disk.clone(), 0, None);
    let mut board = Board { journal, outbox, table: Table::new(header) };
    board.outbox.connected(0);
    board.write(&[Record::Game(Box::new(header.clone()))], &mut hall);
    board.play(observations, &mut hall);
    if shown_before {
        hall.wait(2 * LATE_MS);
    }
    let before = plies(&hall.live, "g1");
    let public = if shown_before { before } else { 0 };
    assert!(before > 15, "{before} plies");
    assert_eq!(plies(hall.line.public(), "g1"), public);

    if hall_is_anew {
        hall = hall.anew();
    }

    // The board is off, and of what it had published a block is lost.
    let name = segments(&disk).expect("a readable disk").pop().expect("a segment");
    let middle = disk.contents(&name).len() / 2;
    (middle..middle + 512).for_each(|at| disk.corrupt(&name, at, 0x80));
    let (journal, found) = Journal::open(disk.clone(), BOARD).expect("no reason to stop");
    let cut = found.cut.as_ref().filter(|cut| !cut.is_torn).expect("it is found");
    let game = found.game.as_ref().expect("the game");
    let resumed = resume(game).expect("the same referee");
    let stands = resumed.table.referee().moves().len();
    assert!(stands < before, "{stands} of {before}");
    let outbox = Outbox::new(BOARD, disk.clone(), found.lines, Some(game.seq));
    let mut board = Board { journal, outbox, table: resumed.table };
    // What comes twice changes nothing.
    for records in [vec![cut.record(found.last.as_us())], Vec::new()] {
        board.outbox.connected(0);
        board.write(&records, &mut hall);
        assert_eq!(plies(&hall.live, "g1"), stands, "arbiters see it at once");
        assert_eq!(plies(hall.line.public(), "g1"), public, "and nobody too early");
    }

    // It is played on, but not as far as it had been.
    let rest = &observations[resumed.observations..];
    board.play(&rest[..rest.len() / 2], &mut hall);
    let after = plies(&hall.live, "g1");
    assert!(stands < after && after < before, "{stands}, {after}, {before}");
    board.refill(&mut hall);
    hall.wait(2 * LATE_MS);
    let last: Snapshot = Journal::open(disk, BOARD).expect("whole").1.game.expect("the game").snapshot;
    for replica in [&hall.live, hall.line.public()] {
        let seen = replica.snapshot("g1").expect("the game");
        assert_eq!((seen.seq, &seen.plies), (last.seq, &last.plies), "shown before: {shown_before}");
    }
}

/// A hall server that was started anew knows from the broker how many plies there were before a part was set aside. That does not
/// count for those that have been played since.
#[test]
fn plies_that_were_set_aside_are_not_waited_for() {
    let (header, observations) = twenty_plies();
    let disk = SimDisk::new();
    let mut hall = Hall::late_by("1m+4plies");
    let (journal, _) = Journal::open(disk.clone(), BOARD).expect("an empty disk");
    let outbox = Outbox::new(BOARD, disk.clone(), 0, None);
    let mut board = Board { journal, outbox, table: Table::new(&header) };
    board.outbox.connected(0);
    board.write(&[Record::Game(Box::new(header))], &mut hall);
    board.play(&observations, &mut hall);
    let before = plies(&hall.live, "g1");

    let name = segments(&disk).expect("a readable disk").pop().expect("a segment");
    let middle = disk.contents(&name).len() / 2;
    disk.corrupt(&name, middle, 0x80);
    let (mut journal, found) = Journal::open(disk.clone(), BOARD).expect("no reason to stop");
    let (cut, game) = (found.cut.expect("it is found"), found.game.expect("the game"));
    let mut resumed = resume(&game).expect("the same referee");
    hall.wait(2_000);
    journal.commit(hall.up_ms, &[cut.record(found.last.as_us())]).expect("written");
    let rest = &observations[resumed.observations..];
    for observation in &rest[..rest.len() / 2] {
        resumed.table.take(observation);
        let records: Vec<Record> = std::iter::from_fn(|| resumed.table.poll_record()).collect();
        journal.commit(hall.up_ms, &records).expect("written");
    }
    let after = resumed.table.referee().moves().len();
    assert!(after < before, "{after} of {before}");

    let mut outbox = Outbox::new(BOARD, disk, found.lines, Some(game.seq));
    let mut hall = hall.anew();
    hall.wait(10 * LATE_MS);
    let uptime = found.last.as_us() + 20 * LATE_MS * 1_000;
    outbox.connected(uptime);
    while let Some(publication) = outbox.poll(journal.end().next_seq()).expect("a readable disk") {
        outbox.acknowledge(publication.token);
        let (topic, payload) = (&*publication.topic, publication.payload.as_bytes());
        if let Ok(status) = serde_json::from_str::<Status>(&publication.payload) {
            assert_eq!(status.us, uptime, "however long ago the game began");
        }
        hall.live.apply(topic, payload).expect("readable");
        hall.line
            .take(hall.now(), Published { topic, payload, retained: false }, &hall.live)
            .expect("readable");
        let public = plies(hall.line.public(), "g1");
        assert!(public + 4 <= after, "{public} of {after} plies are public");
    }
    assert_eq!(plies(hall.line.public(), "g1") + 4, after);
}
