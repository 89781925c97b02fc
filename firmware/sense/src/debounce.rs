//! From raw readings to edges: each point is debounced on its own.
//!
//! A reed bounces for 0.2–3 ms when it opens or closes. A matrix that is debounced as one value goes blind when a single
//! reed chatters; here every point has its own state, so a point that is stable is always reported, whatever the other
//! 89 do.

use xiangqi::{Bitboard, Square};

use crate::{Frame, Uptime};

/// What became of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The point settled at its other level.
    Edge(Edge),
    /// The point left its level for a moment and settled where it was: a glitch, a drop-out, or a piece pushed off and
    /// replaced within milliseconds.
    Blip(Blip),
    /// The point has not settled for [`Debounce::chatter_us`]. Said once; an edge or a blip ends it.
    Chatter(Chatter),
}

/// A point that settled at its other level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The point.
    pub square: Square,
    /// Whether the reed is closed now (a magnet is there).
    pub closed: bool,
    /// When the raw reading first left the old level.
    pub begin: Uptime,
    /// When the raw reading last changed: from then on it was constant.
    pub settled: Uptime,
}

/// A point that left its level and settled where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blip {
    /// The point.
    pub square: Square,
    /// The level it left and came back to.
    pub closed: bool,
    /// When the raw reading first left the level.
    pub begin: Uptime,
    /// When the raw reading last came back.
    pub end: Uptime,
    /// For how long in all the reading was at the other level, in microseconds.
    pub away_us: u64,
}

/// A point that does not settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chatter {
    /// The point.
    pub square: Square,
    /// When the raw reading first left the last settled level.
    pub begin: Uptime,
}

/// How long is stable, and how long is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debounce {
    /// A point is settled when its reading was constant for so long, in microseconds.
    pub settle_us: u64,
    /// A point that does not settle for so long chatters, in microseconds.
    pub chatter_us: u64,
}

impl Default for Debounce {
    /// 5 ms is above the longest bounce (3 ms) and below the shortest gesture; half a second of unrest is no gesture.
    fn default() -> Debounce {
        Debounce { settle_us: 5_000, chatter_us: 500_000 }
    }
}

/// One point in unrest.
#[derive(Clone, Copy, Debug, Default)]
struct Unrest {
    begin: Uptime,
    changed: Uptime,
    away_us: u64,
    chatter_said: bool,
}

/// The debouncer of ninety points.
///
/// # Contract
/// 1. Call [`sample`](Debouncer::sample) with every reading, or with every reading that differs from the last one and
///    [`advance`](Debouncer::advance) in between: both give the same signals.
/// 2. Time never goes back; a call with an earlier time is taken as made at the latest time seen.
/// 3. Signals come in the order of the times at which they became certain.
#[derive(Clone, Debug)]
pub struct Debouncer {
    config: Debounce,
    now: Uptime,
    raw: Bitboard,
    settled: Bitboard,
    unrest: Bitboard,
    points: [Unrest; Square::COUNT],
}

impl Debouncer {
    /// A debouncer that believes `settled` to be closed before the first reading.
    pub fn new(config: Debounce, settled: Bitboard) -> Debouncer {
        Debouncer {
            config,
            now: Uptime::ZERO,
            raw: settled,
            settled,
            unrest: Bitboard::EMPTY,
            points: [Unrest::default(); Square::COUNT],
        }
    }

    /// The points that are closed as far as settled readings tell.
    pub fn settled(&self) -> Bitboard {
        self.settled
    }

    /// When the next signal becomes certain if no reading changes until then.
    pub fn deadline(&self) -> Option<Uptime> {
        self.unrest.map(|square| self.due(square)).min()
    }

    /// Takes a reading. Signals that became certain since the last call are handed to `sink` first.
    pub fn sample(&mut self, now: Uptime, frame: Frame, sink: &mut impl FnMut(Uptime, Signal)) {
        self.advance(now, sink);
        let now = self.now;
        for square in frame.closed ^ self.raw {
            let point = &mut self.points[square.index()];
            if !self.unrest.contains(square) {
                *point = Unrest { begin: now, ..Unrest::default() };
                self.unrest.insert(square);
            } else if self.raw.contains(square) != self.settled.contains(square) {
                point.away_us += now.us_since(point.changed);
            }
            point.changed = now;
        }
        self.raw = frame.closed;
    }

    /// Lets time pass with the last reading still standing. Each signal is handed to `sink` with the time at which it
    /// became certain.
    pub fn advance(&mut self, now: Uptime, sink: &mut impl FnMut(Uptime, Signal)) {
        self.now = self.now.max(now);
        while let Some((due, square)) = self.unrest.map(|square| (self.due(square), square)).min() {
            if due > self.now {
                break;
            }
            sink(due, self.settle(square, due));
        }
    }

    /// When that point settles, or is said to chatter.
    fn due(&self, square: Square) -> Uptime {
        let point = &self.points[square.index()];
        let settles = point.changed.plus_us(self.config.settle_us);
        if point.chatter_said { settles } else { settles.min(point.begin.plus_us(self.config.chatter_us)) }
    }

    fn settle(&mut self, square: Square, due: Uptime) -> Signal {
        let closed = self.raw.contains(square);
        let point = &mut self.points[square.index()];
        let Unrest { begin, changed, away_us, .. } = *point;
        if due < changed.plus_us(self.config.settle_us) {
            point.chatter_said = true;
            return Signal::Chatter(Chatter { square, begin });
        }
        self.unrest.remove(square);
        if closed == self.settled.contains(square) {
            return Signal::Blip(Blip { square, closed, begin, end: changed, away_us });
        }
        self.settled ^= Bitboard::of(square);
        Signal::Edge(Edge { square, closed, begin, settled: changed })
    }
}
