//! Guided calibration of a board's reeds: the walk of the self-test, with every contact measured as it closes and opens.
//! Sans-IO, as [`SelfTest`] is.
//!
//! What a board needs to know of a reed is how long it may pause within one bounce, because a point counts as settled when
//! it was constant for longer than that. How long the whole bounce lasts does not matter.

use sense::{Debounce, Frame, Uptime};
use xiangqi::{Bitboard, Square};

use crate::self_test::{SelfTest, Task};
use crate::{BoardProfile, Diagnosis, Fault};

/// What pauses for longer was another movement of the hand, in microseconds.
const PAUSE_US: u64 = 30_000;
/// A point that pauses for longer than this within a bounce is operated again, because hands do that as well.
const SUSPECT_US: u64 = 2_000;
/// A suspect is operated so many times more.
const AGAIN: usize = 2;
/// More than this would hide quick hands; a reed that needs it has to go.
const MOST_SETTLE_US: u64 = 15_000;
/// More points than this are not left out but repaired.
const MOST_MASKED: u32 = 4;
/// So long a reed that is watched must have been still before the next step, in microseconds.
const STILL_US: u64 = 150_000;

/// How one contact closed or opened once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operation {
    /// How long it bounced, in microseconds.
    pub bounce_us: u64,
    /// The longest that it kept still within the bounce.
    pub pause_us: u64,
}

/// All that was measured at one point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reed {
    /// In the order in which it closed.
    pub closing: Vec<Operation>,
    /// In the order in which it opened.
    pub opening: Vec<Operation>,
}

impl Reed {
    /// What this reed usually does: the median of what was measured, whichever way is worse.
    pub fn pause_us(&self) -> u64 {
        median(&self.closing).max(median(&self.opening))
    }

    /// The longest bounce of all.
    pub fn bounce_us(&self) -> u64 {
        self.closing.iter().chain(&self.opening).map(|operation| operation.bounce_us).max().unwrap_or(0)
    }
}

/// The middle one of an odd number, the smaller one of two.
fn median(operations: &[Operation]) -> u64 {
    let mut pauses: Vec<u64> = operations.iter().map(|operation| operation.pause_us).collect();
    pauses.sort_unstable();
    pauses.get(pauses.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// A contact that is bouncing.
#[derive(Clone, Copy, Debug)]
struct Unrest {
    from: bool,
    begin: Uptime,
    changed: Uptime,
    pause_us: u64,
}

/// Tells operations apart in raw readings.
#[derive(Clone, Debug)]
struct Meter {
    raw: Bitboard,
    unrest: Vec<Option<Unrest>>,
    reeds: Vec<Reed>,
}

impl Meter {
    fn new() -> Meter {
        Meter {
            raw: Bitboard::EMPTY,
            unrest: vec![None; Square::COUNT],
            reeds: vec![Reed::default(); Square::COUNT],
        }
    }

    fn sample(&mut self, now: Uptime, frame: Frame) {
        for square in Square::all() {
            let at = square.index();
            let (was, is) = (self.raw.contains(square), frame.closed.contains(square));
            if let Some(unrest) = self.unrest[at]
                && now.us_since(unrest.changed) > PAUSE_US
            {
                self.unrest[at] = None;
                self.over(square, unrest, was);
            }
            if was != is {
                let unrest = self.unrest[at].get_or_insert(Unrest {
                    from: was,
                    begin: now,
                    changed: now,
                    pause_us: 0,
                });
                unrest.pause_us = unrest.pause_us.max(now.us_since(unrest.changed));
                unrest.changed = now;
            }
        }
        self.raw = frame.closed;
    }

    fn over(&mut self, square: Square, unrest: Unrest, closed: bool) {
        let operation =
            Operation { bounce_us: unrest.changed.us_since(unrest.begin), pause_us: unrest.pause_us };
        let reed = &mut self.reeds[square.index()];
        match (unrest.from, closed) {
            (false, true) => reed.closing.push(operation),
            (true, false) => reed.opening.push(operation),
            // It came back: a glitch, no operation.
            _ => {}
        }
    }
}

/// What somebody has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Take every piece off.
    Clear,
    /// Put a piece on that point, and leave the others.
    Put(Square),
    /// Take the piece off that point.
    Lift(Square),
    /// Nothing more.
    Done,
}

/// A calibration that is going on; its contract is that of [`SelfTest`].
#[derive(Clone, Debug)]
pub struct Calibration {
    walk: SelfTest,
    meter: Meter,
    now: Uptime,
    /// Points that are operated again, last first; `None` while the walk goes on.
    again: Option<Vec<Square>>,
    step: Step,
    /// Since when the reed that is operated again has been as it should be.
    since: Option<Uptime>,
}

/// Why a board gets no profile: it needs a hand first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeedsRepair(pub Vec<Fault>);

impl Default for Calibration {
    fn default() -> Calibration {
        Calibration::new()
    }
}

impl Calibration {
    /// A calibration that begins with clearing the board.
    pub fn new() -> Calibration {
        // Bounces of bad reeds are measured, so the walk must not take them for several answers.
        let patient = Debounce { settle_us: PAUSE_US, chatter_us: Debounce::default().chatter_us };
        let walk = SelfTest::new(patient);
        let step = step_of(walk.task());
        Calibration { walk, meter: Meter::new(), now: Uptime::ZERO, again: None, step, since: None }
    }

    /// What is to be done.
    pub const fn step(&self) -> Step {
        self.step
    }

    /// What was measured at that point.
    pub fn reed(&self, square: Square) -> &Reed {
        &self.meter.reeds[square.index()]
    }

    /// What is wrong with the board.
    pub fn diagnosis(&self) -> Diagnosis {
        self.walk.diagnosis()
    }

    /// Takes a reading.
    pub fn sample(&mut self, now: Uptime, frame: Frame) {
        self.now = now;
        self.meter.sample(now, frame);
        if self.again.is_none() {
            self.walk.sample(now, frame);
            return self.walked();
        }
        let done = match self.step {
            Step::Put(square) => frame.closed.contains(square),
            Step::Lift(square) => !frame.closed.contains(square),
            Step::Clear | Step::Done => return,
        };
        self.since = if done { self.since.or(Some(now)) } else { None };
        if self.since.is_some_and(|since| now.us_since(since) >= STILL_US) {
            self.next();
        }
    }

    /// Somebody says that he has done it, and nothing was sensed.
    pub fn confirm(&mut self) {
        if self.again.is_none() {
            self.walk.confirm();
            self.walked();
        } else {
            self.next();
        }
    }

    /// After the walk those are asked for again that hands may have spoilt.
    fn walked(&mut self) {
        self.step = step_of(self.walk.task());
        if self.step == Step::Done {
            let good = self.walk.diagnosis().good;
            let suspect = |square: &Square| {
                let reed = self.reed(*square);
                let operations = reed.closing.iter().chain(&reed.opening);
                operations.into_iter().any(|operation| operation.pause_us > SUSPECT_US)
            };
            let again = good.filter(suspect).flat_map(|square| [square; AGAIN]).collect();
            self.again = Some(again);
            self.next();
        }
    }

    fn next(&mut self) {
        self.since = None;
        let again = self.again.get_or_insert_default();
        self.step = match self.step {
            Step::Put(square) => Step::Lift(square),
            _ => again.pop().map_or(Step::Done, Step::Put),
        };
    }

    /// The profile that the board should have from now on; `before` is the one that it had.
    ///
    /// # Errors
    ///
    /// What is to be repaired first: a wire, a point that nobody tried, or more single points than a board can do without.
    pub fn profile(&self, before: &BoardProfile) -> Result<BoardProfile, NeedsRepair> {
        let diagnosis = self.diagnosis();
        let slow: Bitboard =
            diagnosis.good.filter(|square| needed_us(self.reed(*square)) > MOST_SETTLE_US).collect();
        let good = diagnosis.good & !slow;
        let masked = Square::all().filter(|square| !good.contains(*square)).collect::<Bitboard>();
        let single = diagnosis.faults.iter().all(|fault| fault.points().is_some());
        if !single || masked.count() > MOST_MASKED || !diagnosis.untested.is_empty() {
            let slow = slow.map(Fault::Chatter);
            return Err(NeedsRepair(diagnosis.faults.iter().copied().chain(slow).collect()));
        }
        let needed = good.map(|square| needed_us(self.reed(square))).max().unwrap_or(0);
        let settle_us = needed.max(Debounce::default().settle_us);
        Ok(BoardProfile { settle_us, masked: masked.collect(), ..before.clone() })
    }
}

/// Twice the usual pause, and a scan that may fall the wrong way; in steps of half a millisecond.
fn needed_us(reed: &Reed) -> u64 {
    (2 * reed.pause_us() + 1_000).next_multiple_of(500)
}

const fn step_of(task: Task) -> Step {
    match task {
        Task::Clear => Step::Clear,
        Task::Put(square) => Step::Put(square),
        Task::Done => Step::Done,
    }
}
