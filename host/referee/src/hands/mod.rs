//! What hands have done since a position stood: pieces off their points, pieces on new points, pieces touched.
//!
//! Reeds tell only that a magnet is there. Whose hand it was and which piece it is follow from the position that is
//! believed to have stood; so each [`History`](crate::infer::History) has hands of its own.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{Bitboard, Square};

/// The piece of a point is not on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lift {
    pub square: Square,
    /// When its reed opened.
    pub at: Uptime,
    /// The piece is believed to stand there, beside the middle of its point, so that no reed notices it (5.10).
    //= 5.10
    pub silent: bool,
    /// It went together with several others: a sleeve, not fingers (5.9).
    pub knocked: bool,
}

/// A piece stands on a point that should be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Landing {
    pub square: Square,
    /// When its reed closed.
    pub at: Uptime,
    /// No piece was off its point then that could have been set down.
    pub unheard: bool,
}

/// A reed opened and closed again: a piece was taken up and put back, or it was replaced by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contact {
    pub square: Square,
    /// When the reed first opened for a touch; until then, when it last opened.
    pub opened: Uptime,
    /// When it last opened.
    pub again: Uptime,
    /// When it last closed.
    pub closed: Uptime,
    /// The longest that it was open, in microseconds.
    pub away_us: u64,
    /// It was part of a disturbance, or the game had not begun: no touch.
    pub knocked: bool,
    /// The table was shaken just then: others dropped out with it, or a clock was hit.
    pub shaken: bool,
}

impl Contact {
    /// A reed that was open no longer than this may have dropped out without a hand, in microseconds.
    pub(crate) const BRIEF_US: u64 = 60_000;
    /// A piece that was touched no longer than this was brushed, in microseconds.
    const BRUSHED_US: u64 = 250_000;

    pub(crate) const fn is_brief(&self) -> bool {
        self.away_us < Contact::BRIEF_US
    }

    /// Whether the piece of that lift may be what stands here now: it was in the hand before, or it was pushed over from the
    /// next point, whose reed notices it for a moment longer.
    pub(crate) fn is_filled_by(&self, lift: &Lift) -> bool {
        self.closed > lift.at || self.is_pushed_over(lift, OVERLAP_US)
    }

    /// Whether that piece was taken up while this point was bare, and stayed up until something stood here.
    pub(crate) fn spans(&self, lift: &Lift) -> bool {
        self.again < lift.at && lift.at < self.closed
    }

    /// Whether the piece of that lift left the next point so soon after this reed closed.
    pub(crate) fn is_pushed_over(&self, lift: &Lift, within_us: u64) -> bool {
        let neighbours = are_neighbours(lift.square, self.square) && !lift.silent;
        neighbours && lift.at >= self.closed && lift.at.us_since(self.closed) < within_us
    }
}

/// Whether two points are so near that their reeds may notice one piece.
pub(crate) const fn are_neighbours(a: Square, b: Square) -> bool {
    a.file().index().abs_diff(b.file().index()) <= 1 && a.rank().index().abs_diff(b.rank().index()) <= 1
}

/// Something passed over an empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    pub square: Square,
    /// When it left there last.
    pub left: Uptime,
    /// How long it had been there, in microseconds.
    pub stood_us: u64,
}

impl Passage {
    /// When it came there last.
    pub(crate) const fn came(&self) -> Uptime {
        Uptime::from_us(self.left.as_us() - self.stood_us)
    }
}

/// All differences between a position and what its board has shown since it stood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hands {
    pub lifted: Vec<Lift>,
    pub landed: Vec<Landing>,
    pub contacts: Vec<Contact>,
    /// Empty points over which something passed.
    pub passed: Vec<Passage>,
    /// When a clock was hit last.
    pub struck: Option<Uptime>,
}

/// So many pieces off their points at once are no move.
const HANDFUL: usize = 3;
/// Two reeds may notice one piece for so long, in microseconds.
pub(crate) const OVERLAP_US: u64 = 300_000;
/// Pieces that go one after another within so long go at once, in microseconds.
const AT_ONCE_US: u64 = 600_000;
/// A table that is shaken opens reeds within so long, in microseconds.
const SHAKES_US: u64 = 25_000;
/// Pieces that a jolt of the table knocks over go within so long, in microseconds.
const JOLT_US: u64 = 300_000;

impl Hands {
    /// A reed changed; `stands` tells whether the position has a piece on its point.
    pub(crate) fn sense(&mut self, square: Square, closed: bool, at: Uptime, stands: bool) {
        match (stands, closed) {
            (true, true) => self.put_back(square, at),
            (true, false) => self.lift(square, at),
            (false, true) => {
                if !self.landed.iter().any(|landing| landing.square == square) {
                    let unheard = self.lifted.iter().all(|lift| lift.silent);
                    self.landed.push(Landing { square, at, unheard });
                }
            }
            (false, false) => {
                let landed = self.landed.iter().find(|landing| landing.square == square);
                let stood_us = landed.map_or(0, |landing| at.us_since(landing.at));
                self.landed.retain(|landing| landing.square != square);
                self.passed.retain(|passage| passage.square != square);
                self.passed.push(Passage { square, left: at, stood_us });
            }
        }
    }

    fn lift(&mut self, square: Square, at: Uptime) {
        if self.lift_of(square).is_some() {
            return;
        }
        self.lifted.push(Lift { square, at, silent: false, knocked: false });
        // A piece that is pushed reaches the next reed before it has left its own.
        let pushed = |landing: &&mut Landing| {
            are_neighbours(landing.square, square) && at.us_since(landing.at) < OVERLAP_US
        };
        for landing in self.landed.iter_mut().filter(pushed) {
            landing.unheard = false;
        }
        let at_once = |lift: &Lift| !lift.silent && at.us_since(lift.at) < AT_ONCE_US;
        if self.lifted.iter().filter(|lift| at_once(lift)).count() >= HANDFUL {
            for lift in self.lifted.iter_mut().filter(|lift| at_once(lift)) {
                lift.knocked = true;
            }
        }
    }

    fn put_back(&mut self, square: Square, at: Uptime) {
        let Some(index) = self.lifted.iter().position(|lift| lift.square == square) else { return };
        let lift = self.lifted.remove(index);
        let away_us = at.us_since(lift.at);
        if !lift.silent {
            let (opened, closed) = (lift.at, at);
            let knocked = lift.knocked;
            self.touch(Contact { square, opened, again: opened, closed, away_us, knocked, shaken: false });
        }
    }

    /// Notes a contact; a point has one, which grows. What a reed did that only dropped out is not part of a touch.
    pub(crate) fn touch(&mut self, mut new: Contact) {
        if new.is_brief() {
            let struck = |at: Uptime| new.opened >= at && new.opened.us_since(at) < SHAKES_US;
            new.shaken = self.struck.is_some_and(struck);
            for other in self.contacts.iter_mut().filter(|c| c.is_brief() && c.square != new.square) {
                let apart = other.opened.us_since(new.opened).max(new.opened.us_since(other.opened));
                if apart < SHAKES_US {
                    (new.shaken, other.shaken) = (true, true);
                }
            }
        }
        match self.contacts.iter_mut().find(|contact| contact.square == new.square) {
            Some(contact) if contact.is_brief() => *contact = new,
            Some(contact) => {
                if contact.away_us < Contact::BRUSHED_US {
                    contact.opened = new.opened;
                }
                contact.again = new.again;
                contact.closed = new.closed;
                contact.away_us = contact.away_us.max(new.away_us);
                contact.knocked &= new.knocked;
            }
            None => self.contacts.push(new),
        }
    }

    pub(crate) fn lift_of(&self, square: Square) -> Option<&Lift> {
        self.lifted.iter().find(|lift| lift.square == square)
    }

    /// Pieces that are in somebody's hand: those that stand unnoticed left out.
    pub(crate) fn aloft(&self) -> impl Iterator<Item = &Lift> {
        self.lifted.iter().filter(|lift| !lift.silent)
    }

    /// Pieces that are believed to stand beside their points, unnoticed.
    pub(crate) fn silent(&self) -> impl Iterator<Item = &Lift> {
        self.lifted.iter().filter(|lift| lift.silent)
    }

    /// Points over which something passed since then.
    pub(crate) fn passed_since(&self, at: Uptime) -> Bitboard {
        self.passages_since(at).map(|passage| passage.square).collect()
    }

    pub(crate) fn passages_since(&self, at: Uptime) -> impl Iterator<Item = &Passage> {
        self.passed.iter().filter(move |passage| passage.left >= at)
    }

    pub(crate) fn contact_of(&self, square: Square) -> Option<&Contact> {
        self.contacts.iter().find(|contact| contact.square == square)
    }

    /// A piece has found its point: what stands where none of the other pieces can have been put, as `reaches` tells, was
    /// heard of only because of that one.
    pub(crate) fn lose_sound(&mut self, reaches: impl Fn(Square, Square) -> bool) {
        for landing in &mut self.landed {
            let put = |lift: &Lift| !lift.silent && reaches(lift.square, landing.square);
            landing.unheard |= !self.lifted.iter().any(put);
        }
    }

    /// Forgets all differences on that point.
    pub(crate) fn forget(&mut self, square: Square) {
        self.lifted.retain(|lift| lift.square != square);
        self.landed.retain(|landing| landing.square != square);
    }

    /// Whether the pieces that are off their points went at once: all of them within a sweep, or most within a jolt. Pieces
    /// that are cleared away go one by one.
    pub(crate) fn is_upset(&self) -> bool {
        let off = || self.aloft();
        let within = |us: u64| {
            let since = |first: &Lift| {
                off().filter(|lift| lift.at >= first.at && lift.at.us_since(first.at) < us).count()
            };
            off().map(since).max().unwrap_or(0)
        };
        let (all, jolted) = (off().count(), within(JOLT_US));
        all >= HANDFUL && (within(AT_ONCE_US) == all || (jolted >= HANDFUL && 3 * jolted >= 2 * all))
    }

    /// Points at which board and position differ, silent pieces left out.
    pub(crate) fn mismatches(&self) -> usize {
        self.landed.len() + self.aloft().count()
    }

    /// Those points.
    pub(crate) fn mismatched(&self) -> Vec<Square> {
        let lifted = self.aloft().map(|lift| lift.square);
        let mut squares: Vec<Square> = lifted.chain(self.landed.iter().map(|l| l.square)).collect();
        squares.sort();
        squares
    }
}
