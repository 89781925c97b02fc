//! A press that comes before its move is done: with the piece in the air, or still sliding.

use sense::Uptime;
use xiangqi::attacks::between;
use xiangqi::{Color, Move, Square};

use super::basis::Basis;
use super::history::{History, PASSING_US, Ply};
use super::way::detour;
use super::weigh::{self, Cost};
use crate::hands::{Contact, Lift};

/// Who presses so long before his piece comes down has not pressed in passing, in microseconds.
const IN_AIR_US: u64 = 1_000_000;
/// No hand is at the clock sooner after it has let go of a piece, in microseconds.
const HURRIED_US: u64 = 40_000;

/// The mover pressed while his piece was in the air, or on its way over the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyPress {
    pub at: Uptime,
    /// What it has cost so far.
    pub cost: Cost,
}

impl EarlyPress {
    /// What is given back when the move is finished late.
    pub(crate) const fn refund(&self) -> Cost {
        if self.cost > weigh::PRESS_EARLY { self.cost / 2 } else { 0 }
    }
}

impl History {
    /// The last move of this line of play; `last` is that of the record.
    pub(super) fn latest<'a>(&'a self, last: Option<&'a Ply>) -> Option<&'a Ply> {
        self.plies.last().map(|ply| &**ply).or(last)
    }

    /// A side whose last move has been pressed presses again, after it did so at `before`: that first press ended nothing if the
    /// piece was in the air for long after it; or the side has made a move out of turn.
    pub(super) fn press_again(&mut self, side: Color, before: Uptime, last: Option<&Ply>) {
        let last = self.latest(last).filter(|last| last.side == side && last.basis == Basis::Stood);
        if last.is_some_and(|last| last.left < before && last.settled.us_since(before) >= IN_AIR_US) {
            self.idle_press.get_or_insert((before, side));
        }
        let put = |lift: &Lift| {
            let landing = self.hands.landed.iter().find(|landing| self.reaches(lift.square, landing.square));
            landing.map(|landing| Move::new(lift.square, landing.square))
        };
        let overstep = self.aloft(side).find_map(put);
        self.overstep = overstep;
    }

    /// How much more unlikely it becomes that the mover has pressed and his move is not done: because his piece stands where
    /// none goes on from, because it has stopped, or because no piece has come down. Nobody sees it stop when the evidence ends:
    /// then it has if it stood before a hand gets to the clock.
    pub(super) fn overdue(&self, now: Uptime, ended: bool) -> Cost {
        let Some(early) = self.early_press else { return 0 };
        let stands = self.hands.landed.last();
        let landed = self.hands.landed.iter().map(|landing| landing.at);
        let passed = self.hands.passed.iter().map(|passage| passage.left);
        let moved = landed.chain(passed).fold(early.at, Uptime::max);
        let stopped = match stands {
            Some(landing) if ended => early.at.us_since(landing.at) >= HURRIED_US,
            _ => !ended && now.us_since(moved) >= PASSING_US,
        };
        let arrived = |to| self.reached_by(self.turn(), to) && !self.goes_beyond(to);
        let cost = match stands {
            Some(landing) if stopped || arrived(landing.square) => weigh::PRESS_IN_MOTION,
            None if stopped => weigh::PRESS_IN_AIR,
            _ => 0,
        };
        cost.saturating_sub(early.cost)
    }

    /// Whether a piece of the mover that is off its point could be on its way over that one: it slides, or has only begun to.
    pub(crate) fn goes_beyond(&self, over: Square) -> bool {
        let mover = self.turn();
        let own = |lift: &&Lift| self.color_at(lift.square) == Some(mover);
        self.hands.lifted.iter().filter(own).any(|lift| {
            let way = between(lift.square, over);
            let slides = way.is_empty() || !(self.hands.passed_since(lift.at) & way).is_empty();
            let on = |mv: &Move| mv.from == lift.square && between(mv.from, mv.to).contains(over);
            slides && self.legal.iter().any(on)
        })
    }

    /// How unlikely it is that the opponent has taken up a piece though the mover, who has pressed, is still moving his.
    pub(super) fn answered(&self, now: Uptime) -> Cost {
        let Some(early) = self.early_press else { return 0 };
        let taken = |lift: &Lift| lift.at > early.at && now.us_since(lift.at) >= Contact::BRIEF_US;
        if self.aloft(!self.turn()).any(taken) { weigh::REPLIED_IN_PASSING } else { 0 }
    }

    /// How unlikely it is that who made a capture that nobody saw has pressed while his piece was on its way.
    pub(super) fn pressed_in_passing(&self) -> Cost {
        let Some(last) = self.plies.last().filter(|last| last.basis.is_guess()) else { return 0 };
        let unheard = self.hands.landed.iter().filter(|landing| landing.unheard && !self.is_captive(landing));
        unheard.map(|landing| weigh::PRESS_EARLY + detour(landing.square, last.mv)).max().unwrap_or(0)
    }
}
