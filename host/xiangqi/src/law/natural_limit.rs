//! 自然限着: a draw after sixty rounds without a capture (4.2.4), counted as article 23.3 says.
//!
//! A round is a move of each side. Of the claimant's moves that give check at most ten count. The rule does not say what
//! becomes of the opponent's answers to the checks beyond; we count them, because the rule takes only the claimant's moves
//! away. So the rounds are as many as the claimant's counted moves or the opponent's moves, whichever are fewer.
//!
//! Article 23.3 lets the arbiter declare the draw when nobody claims. There is no claimant then whose checks could be
//! capped; we ask that the claim of either side would hold, so that nobody is ruled into a draw by checking.

use alloc::vec::Vec;
use core::fmt;

use super::edition::Edition;
use crate::{Color, Move, Position};

/// The plies since the last capture: who moved, and whether it gave check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuietStretch {
    plies: Vec<(Color, bool)>,
}

/// How far one side's claim has come. `Display` gives the count in one line for the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoundCount {
    /// Who claims.
    pub claimant: Color,
    /// The claimant's moves since the last capture.
    pub moves: u32,
    /// How many of those gave check.
    pub checks: u32,
    /// How many of those are left out, because they are more than the edition counts.
    pub checks_left_out: u32,
    /// The opponent's moves since the last capture.
    pub opponent_moves: u32,
    /// The rounds that count.
    pub rounds: u32,
    /// The rounds that a claim needs; 0 where there is no such limit.
    pub needed: u32,
}

impl RoundCount {
    /// Whether the claim holds.
    pub const fn holds(&self) -> bool {
        self.needed > 0 && self.rounds >= self.needed
    }
}

impl fmt::Display for RoundCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RoundCount { claimant, moves, checks, checks_left_out, opponent_moves, rounds, needed } = self;
        let counted = moves - checks_left_out;
        write!(f, "no capture for {moves} moves of {claimant} and {opponent_moves} of {}; ", !*claimant)?;
        if *checks_left_out > 0 {
            let kept = checks - checks_left_out;
            write!(f, "{checks} of {claimant}'s were checks, of which {kept} count: {counted} moves; ")?;
        }
        write!(f, "{rounds} of {needed} rounds")
    }
}

impl QuietStretch {
    /// The stretch at the end of a game. Moves are taken as they were played, legal or not, up to one that captures a
    /// king.
    pub fn of_game(start: &Position, moves: &[Move]) -> QuietStretch {
        let mut stretch = QuietStretch::default();
        let mut position = *start;
        for m in moves {
            let next = position.play_unchecked(*m);
            if Color::ALL.into_iter().any(|color| next.board().king_of(color).is_none()) {
                break;
            }
            stretch.add(position.turn(), position.captured_by(*m).is_some(), next.in_check());
            position = next;
        }
        stretch
    }

    /// A ply was played.
    pub fn add(&mut self, mover: Color, captures: bool, checks: bool) {
        if captures {
            self.plies.clear();
        } else {
            self.plies.push((mover, checks));
        }
    }

    /// The last ply was taken back. A ply that captured cannot be: what stood before it is gone.
    pub fn take_back(&mut self) {
        self.plies.pop();
    }

    /// How far the claim of a side has come.
    pub fn count(&self, claimant: Color, edition: &Edition) -> RoundCount {
        //= 4.2.4
        //= 23.3
        let of = |color| self.plies.iter().filter(move |(mover, _)| *mover == color);
        let (moves, opponent_moves) = (of(claimant).count() as u32, of(!claimant).count() as u32);
        let checks = of(claimant).filter(|(_, checks)| *checks).count() as u32;
        let checks_left_out = checks.saturating_sub(edition.natural_limit_checks);
        let rounds = (moves - checks_left_out).min(opponent_moves);
        let needed = edition.natural_limit_rounds;
        RoundCount { claimant, moves, checks, checks_left_out, opponent_moves, rounds, needed }
    }

    /// Whether the arbiter may declare the draw though nobody claims it.
    pub fn arbiter_may_draw(&self, edition: &Edition) -> bool {
        //= 23.3
        Color::ALL.into_iter().all(|claimant| self.count(claimant, edition).holds())
    }
}
