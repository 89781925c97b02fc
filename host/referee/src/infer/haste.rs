//! How unlikely the manner is in which a move was made: too early, too late, or in the place of another.

use alloc::sync::Arc;

use sense::Uptime;
use xiangqi::Square;

use super::Evidence;
use super::basis::Basis;
use super::history::{FLEETING_US, History, MOMENT_US, PASSING_US, Ply, Reading};
use super::weigh::{self, Cost};
use crate::hands::{Hands, Landing, OVERLAP_US, Passage, are_neighbours};

/// Hands that overtake each other do so by no more than this, in microseconds.
const AHEAD_US: u64 = 150_000;

/// Who replies to a move before it stands does not wait for it longer, in microseconds.
const PATIENCE_US: u64 = 1_000_000;

/// What was lifted so long before was not lifted in haste, in microseconds.
const LONG_AHEAD_US: u64 = 500_000;

impl History {
    /// How unlikely it is that the move was made while other pieces were off their points. What the board shows passes; that
    /// it was so when the move was made stays.
    pub(super) fn haste(
        &self,
        reading: &Reading,
        left: Uptime,
        rest: &Hands,
        evidence: &Evidence<'_>,
    ) -> Cost {
        let mut cost = 0;
        for lift in rest.aloft().filter(|lift| lift.square != reading.mv.to) {
            let own = self.color_at(lift.square) == Some(reading.side);
            let ahead = left.us_since(lift.at);
            cost += match (own, ahead) {
                // Whoever moves a piece has put down the others.
                (true, LONG_AHEAD_US..) => weigh::FORGOTTEN_IN_HAND,
                (true, _) => weigh::ANOTHER_IN_HAND,
                // The reply may begin early; hardly before the move itself.
                (false, LONG_AHEAD_US..) => weigh::ANOTHER_IN_HAND,
                (false, AHEAD_US..) => weigh::REPLY_AHEAD,
                (false, 1..) => 2 * weigh::EARLY_REPLY,
                (false, 0) if lift.at >= reading.settled => 0,
                (false, 0) if reading.settled.us_since(lift.at) >= PATIENCE_US => weigh::REPLY_AHEAD,
                (false, 0) => weigh::EARLY_REPLY,
            };
        }
        // What was seen to be done by then was not overtaken, though it be understood only now.
        // Nobody knows when a piece was set down unnoticed; in two seconds it was.
        let known = match reading.basis {
            Basis::Silent if evidence.clock() => Some(reading.settled.plus_us(MOMENT_US)),
            basis => basis.is_seen().then_some(reading.settled),
        };
        let overtook =
            |landing: &&Landing| known.is_none_or(|known| landing.at < known) && !self.is_captive(landing);
        let waited = |landing: &Landing| reading.settled.us_since(landing.at) >= LONG_AHEAD_US;
        for landing in rest.landed.iter().filter(overtook) {
            let replied = self.reached_by(!reading.side, landing.square) && landing.at < left;
            cost += match (replied, left.us_since(landing.at)) {
                (true, LONG_AHEAD_US..) => weigh::REPLY_LONG_BEFORE,
                (true, _) => weigh::REPLY_FIRST,
                // Nobody presses for a reply, and then waits for the move that it replies to.
                (false, _) if self.pressed[!reading.side] >= landing.at && waited(landing) => {
                    weigh::OVERTAKEN
                }
                (false, _) => weigh::OVERTAKEN_BRIEFLY,
            };
        }
        let overtaken = |last: &Arc<Ply>| last.left.us_since(reading.settled) >= LONG_AHEAD_US;
        if reading.basis == Basis::Stuck && self.plies.last().is_some_and(overtaken) {
            cost += weigh::REPLY_LONG_BEFORE;
        }
        if let Some(last) = self.plies.last()
            && last.basis != Basis::TakenBack
            && last.mv.to != reading.mv.to
            && self.hands.lift_of(last.mv.to).is_some_and(|lift| !lift.silent)
        {
            cost += weigh::NOT_DONE;
        }
        if evidence.clock() && self.unpressed[!reading.side] {
            cost += weigh::FORGOTTEN_PRESS;
        }
        let replaced = if reading.basis.is_seen() { self.another_stood(reading, left) } else { 0 };
        cost + replaced + self.passing(reading.mv.from, left) + self.pressed_since(reading)
    }

    /// How unlikely it is that the opponent, whose turn it was once that move stood, pressed for nothing before it was understood: what
    /// that cost him as the waiting side is not what it costs now.
    fn pressed_since(&self, reading: &Reading) -> Cost {
        let pressed = self.pressed_again[!reading.side];
        let replied = self.has_replied(!reading.side, reading.settled);
        if !reading.basis.is_seen() || pressed <= reading.settled || replied {
            return 0;
        }
        let aloft = self.aloft(!reading.side).any(|lift| lift.at < pressed);
        let press = if aloft { weigh::PRESS_IN_AIR } else { weigh::PRESS_OF_NOTHING };
        press - weigh::PRESS_AGAIN
    }

    /// How unlikely it is that something that nobody else can have put there stood on an empty point when the piece, which left its
    /// own before, came to its goal. What it captured may lie beside it.
    fn another_stood(&self, reading: &Reading, left: Uptime) -> Cost {
        let stood = |passage: &Passage| {
            let came = passage.came();
            let mut others = self.hands.aloft().filter(|lift| lift.square != reading.mv.from);
            came >= left
                && came < reading.settled
                && passage.left.us_since(reading.settled) > OVERLAP_US
                && !are_neighbours(passage.square, reading.mv.to)
                && !others.any(|lift| lift.at <= came)
        };
        if self.hands.passed.iter().any(stood) { weigh::UNEXPLAINED } else { 0 }
    }

    /// How unlikely it is that the opponent replied to that piece where it stood only just before it leaves.
    pub(super) fn passing(&self, from: Square, left: Uptime) -> Cost {
        if self.is_silent(from) {
            return 0;
        }
        let own = self.plies.iter().rev().skip(1).find(|ply| ply.side == self.turn());
        match own.filter(|ply| ply.mv.to == from).map(|ply| left.us_since(ply.settled)) {
            Some(..FLEETING_US) => weigh::REPLIED_IN_MOTION,
            Some(FLEETING_US..PASSING_US) => weigh::REPLIED_IN_PASSING,
            _ => 0,
        }
    }
}
