//! One seed, a world with faults, then a healed world that must converge.
//!
//! A twin plays a game on a board whose disk tears, fills and lies, whose process is killed, whose broker forgets, repeats
//! and reorders, and whose followers and hall servers come and go. The parts are the shipped ones, [`Table`], [`Journal`],
//! [`Outbox`], and the venue's [`Replica`](venue::Replica) and [`DelayLine`](venue::DelayLine); only disk, network and time
//! are simulated, in one thread, so that a seed gives the same run on every machine.
//!
//! While faults are on: what a follower has seen is on disk for good, byte for byte, and chains; what was committed is
//! there after every restart; the public sees nothing before its time, whichever clock is wrong. After they stop: the game
//! is played to its end, every follower and every hall has every line once, the retained snapshot is the fold of the
//! journal, two halls side by side show the same, and the public sees all that is old enough: at a hall that was started anew
//! again and again what it sees at one that ran on.

mod hall;

use std::collections::{BTreeMap, VecDeque};

use boardd::{BATCH_BYTES, FoundGame, Journal, Outbox, Publication, Reader, Table, resume};
use referee::relay::{Refill, Topic};
use referee::{Chain, GameHeader, Line, Record, Snapshot};
use sense::Uptime;
use trace::Observation;
use twin::{Game, GameRecord, Style};
use venue::Delay;
use xiangqi::Move;

use crate::{Dice, SimDisk};
use hall::Hall;

const BOARD: &str = "b1";
/// When the world begins, in milliseconds since 1970 (UTC).
const EPOCH_MS: u64 = 1_767_225_600_000;
/// After so long without evidence a board knows what it can know.
const STILL_US: u64 = 60_000_000;

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Lines in the journal at the end.
    pub lines: u64,
    /// The process was killed.
    pub kills: u32,
    /// The power failed.
    pub power_losses: u32,
    /// A commit failed.
    pub disk_errors: u32,
    /// The broker was lost, or forgot.
    pub broker_faults: u32,
    /// A hall server was started again, or lost its link.
    pub hall_faults: u32,
    /// Lines that a follower got again.
    pub repeated: u64,
}

/// Runs a seed. The error says what broke, and when.
pub fn run(seed: u64, records: &[GameRecord]) -> Result<Stats, String> {
    let mut world = World::new(seed, records);
    while world.observations_left() {
        world.faults()?;
        world.step()?;
    }
    world.heal()?;
    world.converge()?;
    world.judge()?;
    Ok(world.stats)
}

/// The board's process.
struct Process {
    journal: Journal<SimDisk>,
    table: Table,
    outbox: Outbox<SimDisk>,
    /// Records that wait for the disk.
    pending: Vec<Record>,
}

/// A broker that keeps retained messages and one follower's subscription, and forgets both when it fails.
#[derive(Default)]
struct Broker {
    board_is_here: bool,
    follower_is_here: bool,
    /// On its way from the board, in order.
    from_board: VecDeque<Publication>,
    /// A line that others overtake.
    late: Option<Publication>,
    retained: BTreeMap<String, String>,
}

/// Somebody who keeps what he has seen through everything.
#[derive(Default)]
struct Follower {
    lines: BTreeMap<u64, String>,
    repeated: u64,
}

struct World {
    dice: Dice,
    disk: SimDisk,
    header: GameHeader,
    observations: Vec<Observation>,
    /// The moves that a board without faults reads from the same evidence.
    faultless: Vec<Move>,
    next: usize,
    /// The time that has passed in the world, in microseconds. It never stops while a machine is off.
    world_us: u64,
    /// When in the world it was at moments of the board's uptime, which goes back when it has forgotten some.
    happened: BTreeMap<u64, u64>,
    /// The board's uptime.
    now: Uptime,
    utc_ms: u64,
    process: Option<Process>,
    broker: Broker,
    follower: Follower,
    /// One that is late and one that is not, and one as late as the first that has no faults of its own.
    halls: [Hall; 3],
    /// The board's wall clock was ahead of the world's: when a line was written is then told by when it came.
    was_ahead: bool,
    /// Committed lines, as the process was told.
    committed: u64,
    stats: Stats,
}

impl World {
    fn new(seed: u64, records: &[GameRecord]) -> World {
        let mut dice = Dice::new(seed);
        let record = &records[dice.below(records.len())];
        let plies = 6 + dice.below(14);
        let moves = record.game.moves().iter().take(plies).copied().collect();
        let game = Game::new(*record.game.start(), moves).expect("the first moves of a legal game");
        let style = [Style::Clean, Style::Slides, Style::NoClock][dice.below(3)];
        let played = game.play(style, seed);
        let header = GameHeader {
            clock: style.clock().map(str::to_owned),
            ..GameHeader::new(format!("{}-{seed}", record.id), *game.start(), "cxa-2010")
        };
        let faultless = read(&header, &played.observations);
        let delay = ["0", "5s", "40s", "2plies", "10s+1ply"][dice.below(5)].parse().expect("a delay");
        let halls = [delay, Delay::default(), delay].map(Hall::new);
        World {
            dice,
            disk: SimDisk::new(),
            header,
            faultless,
            observations: played.observations,
            next: 0,
            world_us: 0,
            happened: BTreeMap::new(),
            now: Uptime::ZERO,
            utc_ms: EPOCH_MS,
            process: None,
            broker: Broker::default(),
            follower: Follower::default(),
            halls,
            was_ahead: false,
            committed: 0,
            stats: Stats::default(),
        }
    }

    fn observations_left(&self) -> bool {
        self.next < self.observations.len()
    }

    /// The process starts: everything that it was told to be on disk must be there.
    fn start(&mut self) -> Result<(), String> {
        let (journal, found) = Journal::open(self.disk.clone(), BOARD).map_err(|e| format!("start: {e}"))?;
        if found.lines < self.committed {
            return Err(format!("start: {} lines, {} were committed", found.lines, self.committed));
        }
        self.seen_is_on_disk(found.lines)?;
        // The hands do again what nobody had recorded, as if no time had passed: a piece that rests for long in the middle
        // of a slide would rightly be read as a move.
        self.now = found.last.plus_us(1_000);
        self.happened.retain(|us, _| *us <= found.last.as_us());
        self.happened.insert(self.now.as_us(), self.world_us);
        let mut pending = vec![Record::Opened {
            format: "luozi-journal".to_owned(),
            version: 1,
            board: BOARD.to_owned(),
            firmware: "simulated".to_owned(),
            us: self.now.as_us(),
            boot: String::new(),
            unsigned_at_most: None,
            gap_us: None,
        }];
        let table = match &found.game {
            Some(game) => {
                let resumed = resume(game).map_err(|e| format!("start: {e}"))?;
                self.next = resumed.observations;
                let mut table = resumed.table;
                table.restore(self.now, None);
                table
            }
            None => {
                self.next = 0;
                let header = GameHeader { us: self.now.as_us(), ..self.header.clone() };
                pending.push(Record::Game(Box::new(header.clone())));
                Table::new(&header)
            }
        };
        let began = found.game.as_ref().map(|game: &FoundGame| game.seq);
        let noted = self.dice.below(found.lines as usize + 1) as u64;
        let outbox = Outbox::new(BOARD, self.disk.clone(), noted, began);
        self.process = Some(Process { journal, table, outbox, pending });
        Ok(())
    }

    /// Whoever has seen a line must find it on disk, whatever happens to the machine.
    fn seen_is_on_disk(&self, lines: u64) -> Result<(), String> {
        let mut reader = Reader::new(self.disk.clone(), 0);
        for seq in 0..lines {
            let line = reader.next_line(lines).map_err(|e| format!("line {seq}: {e}"))?;
            let line = line.ok_or_else(|| format!("line {seq} is not there"))?;
            if self.follower.lines.get(&seq).is_some_and(|seen| *seen != line) {
                return Err(format!("line {seq} was seen and is another now"));
            }
        }
        match self.follower.lines.last_key_value() {
            Some((seq, _)) if *seq >= lines => Err(format!("line {seq} was seen and is not on disk")),
            _ => Ok(()),
        }
    }

    fn faults(&mut self) -> Result<(), String> {
        if self.dice.once_in(60) {
            // kill -9: what was written stays, synced or not.
            self.process = None;
            self.broker.board_is_here = false;
            self.stats.kills += 1;
        }
        if self.dice.once_in(80) {
            if self.dice.once_in(2) {
                self.disk.fail_power_after(self.dice.below(4) as u64);
            } else {
                self.lose_power();
            }
        }
        if self.dice.once_in(50) {
            match self.dice.below(3) {
                0 => self.disk.fail_syncs(1 + self.dice.below(3) as u32),
                1 => self.disk.set_read_only(true),
                _ => self.disk.limit(Some(self.dice.below(40_000))),
            }
        }
        if self.dice.once_in(8) {
            self.disk.set_read_only(false);
            self.disk.limit(None);
        }
        if self.dice.once_in(30) {
            self.break_broker();
        }
        if self.dice.once_in(20) {
            self.broker.follower_is_here = false;
        }
        if self.dice.once_in(100) {
            // The wall clock jumps, in either direction; it may know nothing at all.
            let jump = self.dice.below(4_000_000) as u64;
            self.utc_ms = if self.dice.once_in(4) { jump } else { EPOCH_MS - 2_000_000 + jump };
            self.was_ahead |= self.utc_ms > EPOCH_MS + self.world_us / 1000;
        }
        self.hall_faults();
        Ok(())
    }

    fn hall_faults(&mut self) {
        for hall in 0..2 {
            if self.dice.once_in(60) {
                let ahead_ms = if self.dice.once_in(2) { self.dice.below(1_000_000) as u64 } else { 0 };
                self.halls[hall].restart(self.world_us, ahead_ms);
            } else if self.dice.once_in(40) {
                self.halls[hall].lose_link();
            } else {
                continue;
            }
            self.stats.hall_faults += 1;
        }
    }

    /// Time passes in the world; where a machine is off its clocks do not hear of it.
    fn pass(&mut self, us: u64) {
        self.world_us += us;
        self.utc_ms += us / 1000;
    }

    fn lose_power(&mut self) {
        self.disk.power_off();
        self.process = None;
        self.broker.board_is_here = false;
        self.stats.power_losses += 1;
        let dice = &mut self.dice;
        self.disk.power_on(&mut |end| dice.below(end));
    }

    fn break_broker(&mut self) {
        let forgets = self.dice.once_in(2);
        self.broker.board_is_here = false;
        // What was on its way is lost, or some first part of it arrives.
        let arrives = self.dice.below(self.broker.from_board.len() + 1);
        self.broker.from_board.truncate(arrives);
        self.deliver(usize::MAX);
        if forgets {
            self.broker = Broker::default();
        }
        self.halls.iter_mut().for_each(Hall::lose_link);
        self.stats.broker_faults += 1;
        if let Some(process) = &mut self.process {
            process.outbox.disconnected();
        }
    }

    fn step(&mut self) -> Result<(), String> {
        if self.process.is_none() {
            let off_us = self.dice.below(2_000_000) as u64;
            self.world_us += off_us;
            // A restart on a disk that fails at once is tried again later.
            if let Err(why) = self.start() {
                if !why.contains("no power") && !why.contains("read-only") && !why.contains("space") {
                    return Err(why);
                }
                self.lose_power();
            }
            return Ok(());
        }
        self.observe();
        if !self.dice.once_in(3) {
            self.commit();
        }
        self.relay()?;
        self.halls.iter_mut().for_each(|hall| hall.advance(self.world_us));
        self.nothing_is_early()
    }

    fn nothing_is_early(&self) -> Result<(), String> {
        let happened_us = |us: u64| {
            let (before, at) = self.happened.range(..=us).next_back().unwrap_or((&us, &0));
            at + (us - before)
        };
        self.halls.iter().try_for_each(|hall| hall.nothing_is_early(self.world_us, happened_us))
    }

    fn observe(&mut self) {
        let Some(process) = &mut self.process else { return };
        if let Some(observation) = self.observations.get(self.next) {
            let before = self.next.checked_sub(1).map_or(Uptime::ZERO, |last| self.observations[last].at);
            let passed = observation.at.us_since(before);
            self.now = self.now.plus_us(passed);
            self.world_us += passed;
            self.utc_ms += passed / 1000;
            self.happened.insert(self.now.as_us(), self.world_us);
            process.table.take(&Observation { at: self.now, sensed: observation.sensed.clone() });
            self.next += 1;
        }
        while let Some(record) = process.table.poll_record() {
            process.pending.push(record);
        }
    }

    fn commit(&mut self) {
        let Some(process) = &mut self.process else { return };
        assert!(process.pending.len() * 400 < BATCH_BYTES, "a batch as the daemon would make it");
        match process.journal.commit(self.utc_ms, &process.pending) {
            Ok(()) => {
                process.pending.clear();
                self.committed = process.journal.end().next_seq();
            }
            Err(error) => {
                self.stats.disk_errors += 1;
                if error.to_string().contains("no power") {
                    self.lose_power();
                }
            }
        }
    }

    /// Publications go out, arrive, and are acknowledged; the follower comes back and asks for what it missed.
    fn relay(&mut self) -> Result<(), String> {
        let us = self.now.as_us();
        if let Some(process) = &mut self.process {
            if !self.broker.board_is_here {
                self.broker.board_is_here = true;
                self.broker.from_board.clear();
                process.outbox.connected(us);
            }
            let end = process.journal.end().next_seq();
            while let Some(publication) = process.outbox.poll(end).map_err(|e| format!("outbox: {e}"))? {
                self.broker.from_board.push_back(publication);
            }
        }
        if !self.broker.follower_is_here && self.dice.once_in(4) {
            self.broker.follower_is_here = true;
        }
        if self.broker.follower_is_here && self.dice.once_in(3) {
            self.ask();
        }
        self.serve_halls();
        let some = self.dice.below(20);
        self.deliver(some);
        Ok(())
    }

    fn ask(&mut self) {
        let from = (0..).find(|seq| !self.follower.lines.contains_key(seq)).unwrap_or(0);
        if let Some(process) = &mut self.process {
            process.outbox.refill(Refill { v: Refill::VERSION, from, to: from + 50 }, self.now.as_us());
        }
    }

    /// Halls come back, and ask for what they miss.
    fn serve_halls(&mut self) {
        for hall in &mut self.halls {
            if !hall.is_linked() && self.dice.once_in(4) {
                hall.link(self.world_us, self.broker.retained.iter());
            }
            if let Some(process) = self.process.as_mut().filter(|_| hall.is_linked() && self.dice.once_in(3))
            {
                let us = self.now.as_us();
                hall.wanted().into_iter().for_each(|request| process.outbox.refill(request, us));
            }
        }
    }

    /// The broker takes up to so many publications, passes them on, and acknowledges most of them.
    fn deliver(&mut self, most: usize) {
        for _ in 0..most {
            let Some(publication) = self.broker.from_board.pop_front() else { return };
            if publication.retain {
                self.broker.retained.insert(publication.topic.clone(), publication.payload.clone());
            }
            let token = publication.token;
            let late = self.broker.late.take();
            if publication.topic.ends_with("/record") && self.dice.once_in(15) {
                self.broker.late = Some(publication);
            } else {
                self.pass_on(&publication);
            }
            late.inspect(|late| self.pass_on(late));
            if let Some(process) = &mut self.process {
                process.outbox.acknowledge(token);
            }
        }
    }

    /// Whoever is there gets it, perhaps twice.
    fn pass_on(&mut self, publication: &Publication) {
        for _ in 0..if self.dice.once_in(10) { 2 } else { 1 } {
            if self.broker.follower_is_here && publication.topic.ends_with("/record") {
                self.follower.see(publication.payload.clone());
            }
            for hall in self.halls.iter_mut().filter(|hall| hall.is_linked()) {
                hall.see(self.world_us, publication);
            }
        }
    }

    /// Faults stop.
    fn heal(&mut self) -> Result<(), String> {
        self.disk.set_read_only(false);
        self.disk.limit(None);
        self.disk.fail_syncs(0);
        if self.process.is_none() {
            self.start()?;
        }
        Ok(())
    }

    /// The game is played to its end, and everybody gets everything.
    fn converge(&mut self) -> Result<(), String> {
        for _ in 0..20_000 {
            if self.process.is_none() {
                self.start()?;
            }
            self.broker.follower_is_here = true;
            self.observe();
            if !self.observations_left()
                && let Some(process) = &mut self.process
            {
                // The hands are still; what was due becomes certain.
                self.now = self.now.plus_us(1_000_000);
                process.table.advance(self.now);
                self.pass(1_000_000);
                self.happened.insert(self.now.as_us(), self.world_us);
            }
            self.commit();
            self.relay()?;
            self.halls.iter_mut().for_each(|hall| hall.advance(self.world_us));
            self.nothing_is_early()?;
            let end = self.process.as_ref().map_or(0, |process| process.journal.end().next_seq());
            let idle = self.process.as_ref().is_some_and(|process| {
                let far = self.now.plus_us(STILL_US);
                // A running clock has a deadline too, and a far one.
                let still = process.table.deadline().is_none_or(|due| due > far);
                process.pending.is_empty() && process.outbox.is_idle(end) && still
            });
            let is_followed = self.follower.lines.len() as u64 == end;
            if idle && !self.observations_left() && is_followed && self.halls_have_everything() {
                return Ok(());
            }
        }
        let halls = self.halls.each_ref().map(Hall::to_string).join("; ");
        let followed = self.follower.lines.len();
        Err(format!("no convergence: the follower has {followed} lines of {}; {halls}", self.committed))
    }

    fn halls_have_everything(&self) -> bool {
        let snapshots = self.broker.retained.iter().filter(|(topic, _)| topic.ends_with("/snapshot"));
        let Some(Ok(retained)) = snapshots.map(|(_, text)| serde_json::from_str(text)).next() else {
            return false;
        };
        self.halls.iter().all(|hall| hall.has_everything(&retained))
            && self.halls[0].shows_what(&self.halls[2], !self.was_ahead)
    }

    fn judge(&mut self) -> Result<(), String> {
        let (journal, found) = Journal::open(self.disk.clone(), BOARD).map_err(|e| e.to_string())?;
        let end = journal.end().next_seq();
        self.seen_is_on_disk(end)?;
        let mut chain = Chain::START;
        for (seq, text) in &self.follower.lines {
            let line: Line = serde_json::from_str(text).map_err(|e| format!("line {seq}: {e}"))?;
            chain.follow(text, &line).map_err(|e| format!("line {seq}: {e}"))?;
        }
        let game = found.game.ok_or("there is no game")?;
        let topic = Topic::Snapshot { board: BOARD, game: &game.header.game }.to_string();
        let retained = self.broker.retained.get(&topic).ok_or("no snapshot is retained")?;
        let retained: Snapshot = serde_json::from_str(retained).map_err(|e| e.to_string())?;
        let folded = game.snapshot;
        if !retained.shows_the_same(&folded) {
            return Err(format!("the snapshot is\n{retained:?}\nand should be\n{folded:?}"));
        }
        let moves: Vec<Move> = retained.plies.iter().map(|ply| ply.mv).collect();
        let lines: Vec<String> = self.follower.lines.values().cloned().collect();
        self.halls.iter().try_for_each(|hall| hall.judge(&folded, &lines))?;
        if moves != self.faultless {
            return Err(format!("without faults {:?}, recorded {moves:?}", self.faultless));
        }
        (self.stats.lines, self.stats.repeated) = (end, self.follower.repeated);
        Ok(())
    }
}

/// The moves that a board without faults reads.
fn read(header: &GameHeader, observations: &[Observation]) -> Vec<Move> {
    let mut table = Table::new(header);
    let mut chain = Chain::START;
    let mut snapshot = Snapshot::begin(BOARD, 0, 0, header);
    observations.iter().for_each(|observation| table.take(observation));
    let end = observations.last().map_or(Uptime::ZERO, |last| last.at);
    table.advance(end.plus_us(STILL_US));
    while let Some(record) = table.poll_record() {
        let text = serde_json::to_string(&record).expect("records are JSON");
        let text = chain.seal(0, &text);
        snapshot.apply(&serde_json::from_str(&text).expect("a sealed line is a line"));
    }
    snapshot.plies.iter().map(|ply| ply.mv).collect()
}

impl Follower {
    fn see(&mut self, text: String) {
        let Ok(line) = serde_json::from_str::<Line>(&text) else { return };
        self.repeated += u64::from(self.lines.insert(line.seq, text).is_some());
    }
}
