//! Who is at the board (article 21).
//!
//! The late side's clock runs from its turn (21.1): the clock does that by itself, it does not know who sits there. What
//! it cannot know is kept here: the moment from which lateness counts, the limit, and the time that a late Black owes when
//! both were late, because then both lose the time of their lateness (21.3).

use sense::Uptime;
use xiangqi::{ByColor, Color};

use crate::time_control::SECOND_US;

/// What an arrival means for the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// How late the side is, in microseconds since the round began.
    pub late_us: u64,
    /// What is still to be charged on its clock for it (21.3), in microseconds.
    pub owed_us: u64,
}

/// Who is at the board, since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attendance {
    limit_us: Option<u64>,
    began: Option<Uptime>,
    absent: ByColor<bool>,
    both_late: bool,
    ruled: bool,
}

impl Attendance {
    /// Everybody is here. `limit_s` is how late a side may be before it loses the game, in seconds; 0 if the event sets no
    /// limit.
    pub fn new(limit_s: u32) -> Attendance {
        let limit_us = (limit_s > 0).then_some(u64::from(limit_s) * SECOND_US);
        let absent = ByColor { red: false, black: false };
        Attendance { limit_us, began: None, absent, both_late: false, ruled: false }
    }

    /// Whether the round has begun.
    pub fn has_begun(&self) -> bool {
        self.began.is_some()
    }

    /// Whether `side` is missing.
    pub fn is_absent(&self, side: Color) -> bool {
        self.absent[side]
    }

    /// `side` is not at the board. Meant for before the round begins; later it changes nothing, a player may leave the board.
    pub fn miss(&mut self, side: Color) {
        if self.began.is_none() {
            self.absent[side] = true;
        }
    }

    /// The round begins: lateness counts from now.
    pub fn begin(&mut self, now: Uptime) {
        if self.began.is_none() {
            self.began = Some(now);
            self.both_late = self.absent.red && self.absent.black;
        }
    }

    /// `side` sits down, having had `used_us` run on its clock.
    pub fn arrive(&mut self, now: Uptime, side: Color, used_us: u64) -> Option<Arrival> {
        //= 21.2
        //= 21.3
        if !core::mem::take(&mut self.absent[side]) {
            return None;
        }
        let late_us = self.began.map_or(0, |began| now.us_since(began));
        let owed_us = if self.both_late { late_us.saturating_sub(used_us) } else { 0 };
        Some(Arrival { late_us, owed_us })
    }

    /// Whether that side is absent here and was not `before`.
    pub fn has_missed(&self, before: &Attendance, side: Color) -> bool {
        self.absent[side] && !before.absent[side]
    }

    /// Undoes what changed from `before` to `after`, and nothing else: the other side may have come since, and the round begun.
    pub fn undo(&mut self, before: &Attendance, after: &Attendance) {
        if before.began.is_none() && after.began.is_some() {
            self.unbegin();
        }
        for side in Color::ALL {
            if before.absent[side] != after.absent[side] {
                self.absent[side] = before.absent[side];
            }
            // He was here all along: the other one is late alone, and who is beyond the limit is to be said anew.
            if after.has_missed(before, side) {
                (self.both_late, self.ruled) = (false, false);
            }
        }
        if before.both_late && !after.both_late {
            self.both_late = true;
        }
    }

    /// The round has not begun after all.
    pub fn unbegin(&mut self) {
        (self.began, self.both_late, self.ruled) = (None, false, false);
    }

    /// When the limit is reached, if somebody is still missing.
    pub fn deadline(&self) -> Option<Uptime> {
        let missing = (self.absent.red || self.absent.black) && !self.ruled;
        missing.then_some(self.began?.plus_us(self.limit_us?))
    }

    /// When the limit passed, and the sides that lose by it: one, or both (双方弃权). Said once.
    pub fn overdue(&mut self, now: Uptime) -> Option<(Uptime, ByColor<bool>)> {
        //= 4.1.5
        //= 21.1
        //= 21.3
        let due = self.deadline().filter(|due| *due <= now)?;
        self.ruled = true;
        Some((due, self.absent))
    }
}
