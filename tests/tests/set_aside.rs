//! Lines that were published and are damaged when the board starts again: it goes on from the line before, and whoever has seen them,
//! the arbiters at once and the public with its delay, comes to see what the board has.

use boardd::{Journal, Outbox, Table, resume, segments};
use referee::{GameHeader, Record, Snapshot};
use tests::SimDisk;
use twin::{Game, GameRecord, Style};
use venue::{DelayLine, Delays, Moment, Published, Replica};

const BOARD: &str = "b1";
/// How late the public is.
const LATE_MS: u64 = 60_000;

/// A hall server.
struct Hall {
    live: Replica,
    line: DelayLine,
    up_ms: u64,
}

impl Hall {
    fn new() -> Hall {
        let delays = Delays::new(["1m".parse().expect("a delay")]);
        Hall { live: Replica::new(), line: DelayLine::new(delays), up_ms: 100_000 }
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

    fn wait(&mut self, ms: u64) {
        self.up_ms += ms;
        self.line.advance(self.now(), &self.live);
    }
}

fn plies(replica: &Replica, game: &str) -> usize {
    replica.snapshot(game).map_or(0, |snapshot| snapshot.plies.len())
}

#[test]
fn whoever_saw_what_was_set_aside_sees_what_stands() {
    let record = &GameRecord::shipped()[2];
    let moves: Vec<_> = record.game.moves().iter().take(20).copied().collect();
    let played = Game::new(*record.game.start(), moves.clone()).expect("the first moves of a legal game");
    let observations = played.play(Style::Clean, 3).observations;
    let header = GameHeader {
        clock: Style::Clean.clock().map(str::to_owned),
        ..GameHeader::new("g1", *played.start(), "cxa-2010")
    };
    for shown_before in [true, false] {
        let disk = SimDisk::new();
        let mut hall = Hall::new();
        let (mut journal, _) = Journal::open(disk.clone(), BOARD).expect("an empty disk");
        let mut outbox = Outbox::new(BOARD, disk.clone(), 0, None);
        outbox.connected(0);
        let mut table = Table::new(&header);
        journal.commit(hall.up_ms, &[Record::Game(Box::new(header.clone()))]).expect("written");
        for observation in &observations {
            table.take(observation);
            let records: Vec<Record> = std::iter::from_fn(|| table.poll_record()).collect();
            journal.commit(hall.up_ms, &records).expect("written");
            hall.take(&mut outbox, journal.end().next_seq());
        }
        if shown_before {
            hall.wait(2 * LATE_MS);
        }
        let before = plies(&hall.live, "g1");
        assert!(before > 15, "{before} plies");
        assert_eq!(plies(hall.line.public(), "g1"), if shown_before { before } else { 0 });

        // The board is off, and of what it had published a block is lost.
        let name = segments(&disk).expect("a readable disk").pop().expect("a segment");
        let middle = disk.contents(&name).len() / 2;
        (middle..middle + 512).for_each(|at| disk.corrupt(&name, at, 0x80));
        let (mut journal, found) = Journal::open(disk.clone(), BOARD).expect("no reason to stop");
        let cut = found.cut.as_ref().filter(|cut| !cut.is_torn).expect("it is found");
        let resumed = resume(found.game.as_ref().expect("the game")).expect("the same referee");
        let stands = resumed.table.referee().moves().len();
        assert!(stands < before, "{stands} of {before}");
        let mut outbox =
            Outbox::new(BOARD, disk.clone(), found.lines, found.game.as_ref().map(|game| game.seq));
        outbox.connected(0);
        journal.commit(hall.up_ms, &[cut.record(found.last.as_us())]).expect("written");
        hall.take(&mut outbox, journal.end().next_seq());
        assert_eq!(plies(&hall.live, "g1"), stands, "arbiters see it at once");
        // What comes twice changes nothing.
        outbox.connected(0);
        hall.take(&mut outbox, journal.end().next_seq());
        assert_eq!(plies(&hall.live, "g1"), stands);
        assert_eq!(
            plies(hall.line.public(), "g1"),
            if shown_before { before } else { 0 },
            "and nobody too early"
        );

        // It is played on, but not as far as it had been.
        let mut table = resumed.table;
        let rest = &observations[resumed.observations..];
        for observation in &rest[..rest.len() / 2] {
            table.take(observation);
            let records: Vec<Record> = std::iter::from_fn(|| table.poll_record()).collect();
            journal.commit(hall.up_ms, &records).expect("written");
            hall.take(&mut outbox, journal.end().next_seq());
        }
        let after = plies(&hall.live, "g1");
        assert!(stands < after && after < before, "{stands}, {after}, {before}");
        // Whoever misses lines asks for them.
        for _ in 0..20 {
            for (board, from, to) in hall.line.wanted(&hall.live) {
                assert_eq!(board, BOARD);
                outbox.refill(referee::relay::Refill { v: 1, from, to }, 0);
                hall.take(&mut outbox, journal.end().next_seq());
            }
        }
        assert_eq!(hall.line.wanted(&hall.live), [], "nothing is missing in the end");
        hall.wait(2 * LATE_MS);
        let last: Snapshot = Journal::open(disk, BOARD).expect("whole").1.game.expect("the game").snapshot;
        for replica in [&hall.live, hall.line.public()] {
            let seen = replica.snapshot("g1").expect("the game");
            assert_eq!(seen.plies.len(), after, "shown before: {shown_before}");
            assert_eq!(seen.plies, last.plies);
            assert_eq!(seen.seq, last.seq);
        }
    }
}
