//! The self-test of a board: a piece is put on every point, file by file, and what the reeds say is compared with where it
//! was put. Sans-IO: readings and time are handed in, and what to do next is asked for.
//!
//! The ten pieces of a file stay until the file is done, because a diode that lets current back shows only beside other
//! closed reeds of its column.

use sense::{Debounce, Debouncer, Frame, Signal, Uptime};
use xiangqi::{Bitboard, File, Rank, Square};

use crate::diagnosis::{Diagnosis, diagnose};

/// After the first reed has answered, others have so long to answer as well, in microseconds.
const GATHER_US: u64 = 150_000;
/// The board must be clear so long before it counts as cleared, in microseconds.
const CLEAR_US: u64 = 300_000;
/// A contact that changes more often than this before it settles chatters; a sound reed bounces a few times.
const BOUNCES: u32 = 24;

/// What somebody has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Take every piece off.
    Clear,
    /// Put a piece on that point, and leave the others.
    Put(Square),
    /// Nothing more.
    Done,
}

/// What the reeds said when a piece was put on a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The points that closed.
    pub closed: Bitboard,
    /// The points that had been closed and opened.
    pub opened: Bitboard,
    /// The point was closed before its own piece came.
    pub already: bool,
    /// A contact did not settle, or bounced far too often.
    pub chattered: Bitboard,
    /// The longest that the contact of the point took to settle, in microseconds.
    pub settling_us: u64,
}

/// All that was found out about a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Points that were closed without a piece.
    pub stuck: Bitboard,
    /// What was said about each point, by [`Square::index`]; `None` where nobody put a piece.
    pub answers: Vec<Option<Answer>>,
}

impl Found {
    /// The answer of that point.
    pub fn answer(&self, square: Square) -> Option<&Answer> {
        self.answers[square.index()].as_ref()
    }
}

/// A self-test that is going on.
///
/// # Contract
/// 1. Hand every reading to [`sample`](SelfTest::sample), in time order.
/// 2. Show [`task`](SelfTest::task) to somebody. It changes by itself when the reeds show that it was done.
/// 3. Call [`confirm`](SelfTest::confirm) when he says that he has done it and nothing happened.
#[derive(Clone, Debug)]
pub struct SelfTest {
    debouncer: Debouncer,
    now: Uptime,
    raw: Bitboard,
    task: Task,
    /// The point that comes after the board was cleared.
    next: Option<Square>,
    /// Closed before the piece was put.
    before: Bitboard,
    /// When the first reed answered, or since when the board has been clear.
    since: Option<Uptime>,
    changes: [u32; Square::COUNT],
    answer: Answer,
    found: Found,
}

impl SelfTest {
    /// A test that begins with clearing the board.
    pub fn new(debounce: Debounce) -> SelfTest {
        SelfTest {
            debouncer: Debouncer::new(debounce, Bitboard::EMPTY),
            now: Uptime::ZERO,
            raw: Bitboard::EMPTY,
            task: Task::Clear,
            next: Some(Square::at(File::A, Rank::R0)),
            before: Bitboard::EMPTY,
            since: None,
            changes: [0; Square::COUNT],
            answer: Answer::default(),
            found: Found { stuck: Bitboard::EMPTY, answers: vec![None; Square::COUNT] },
        }
    }

    /// What is to be done.
    pub const fn task(&self) -> Task {
        self.task
    }

    /// The points that are closed, as far as settled readings tell.
    pub fn closed(&self) -> Bitboard {
        self.debouncer.settled()
    }

    /// All that was found out so far.
    pub const fn found(&self) -> &Found {
        &self.found
    }

    /// What is wrong with the board, as far as it was tested.
    pub fn diagnosis(&self) -> Diagnosis {
        diagnose(&self.found)
    }

    /// Takes a reading.
    pub fn sample(&mut self, now: Uptime, frame: Frame) {
        self.now = now;
        for square in frame.closed ^ self.raw {
            self.changes[square.index()] += 1;
        }
        self.raw = frame.closed;
        let mut signals = Vec::new();
        self.debouncer.sample(now, frame, &mut |_, signal| signals.push(signal));
        for signal in signals {
            self.noted(signal);
        }
        match self.task {
            Task::Clear => {
                let clear = (self.closed() & !self.found.stuck).is_empty();
                self.since = if clear { self.since.or(Some(now)) } else { None };
                if self.since.is_some_and(|since| now.us_since(since) >= CLEAR_US) {
                    self.go_on();
                }
            }
            Task::Put(square) => {
                if self.closed() != self.before {
                    self.since = self.since.or(Some(now));
                }
                let gathered = self.since.is_some_and(|since| now.us_since(since) >= GATHER_US);
                // A contact that never settles has answered in its own way.
                if gathered || self.answer.chattered.contains(square) {
                    self.answered(square);
                }
            }
            Task::Done => {}
        }
    }

    /// Somebody says that he has done it. What the reeds have not said by now they will not say.
    pub fn confirm(&mut self) {
        match self.task {
            Task::Clear => {
                self.found.stuck |= self.closed();
                self.go_on();
            }
            Task::Put(square) => self.answered(square),
            Task::Done => {}
        }
    }

    fn noted(&mut self, signal: Signal) {
        let Task::Put(asked) = self.task else { return };
        match signal {
            Signal::Edge(edge) => {
                if edge.square == asked {
                    self.answer.settling_us = edge.settled.us_since(edge.begin);
                }
                if self.changes[edge.square.index()] > BOUNCES {
                    self.answer.chattered.insert(edge.square);
                }
            }
            Signal::Blip(blip) if self.changes[blip.square.index()] > BOUNCES => {
                self.answer.chattered.insert(blip.square);
            }
            Signal::Blip(_) => {}
            Signal::Chatter(chatter) => self.answer.chattered.insert(chatter.square),
        }
    }

    /// The board is clear: the next piece is put, or there is none.
    fn go_on(&mut self) {
        match self.next {
            Some(square) => self.ask(square),
            None => self.task = Task::Done,
        }
    }

    fn ask(&mut self, square: Square) {
        self.task = Task::Put(square);
        self.before = self.closed();
        self.since = None;
        self.changes = [0; Square::COUNT];
        self.answer = Answer::default();
    }

    fn answered(&mut self, square: Square) {
        let closed = self.closed();
        self.answer.closed = closed & !self.before;
        self.answer.already = self.before.contains(square);
        self.answer.opened = self.before & !closed;
        self.found.answers[square.index()] = Some(self.answer);
        let rank = square.rank().index() + 1;
        if let Some(rank) = Rank::ALL.get(rank) {
            return self.ask(Square::at(square.file(), *rank));
        }
        let file = File::ALL.get(square.file().index() + 1);
        self.next = file.map(|file| Square::at(*file, Rank::R0));
        self.task = Task::Clear;
        self.since = None;
    }
}
