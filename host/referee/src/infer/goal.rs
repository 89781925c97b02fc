//! Where a piece goes that was taken up: what players do with such a piece. It tells of a goal that nobody saw, and, by what is
//! replied, of the moves before it.

use alloc::vec::Vec;
use core::cell::OnceCell;

use xiangqi::{Move, Square};

use super::history::History;
use super::weigh::{self, Cost};

// How often each kind of goal is chosen, beside a quiet move to a point that no enemy attacks, which is chosen ten times: fitted to
// the 434,000 moves of 5,000 games, each against all other goals of its piece. `cargo run --release -p tests --example goals` fits them.

/// A capture where the opponent has just captured.
const RETAKES: u32 = 660;
/// Another capture on a point that no enemy defends.
const TAKES: u32 = 88;
/// One on a point that an enemy defends.
const TAKES_DEFENDED: u32 = 8;
/// A quiet move to a point that no enemy attacks.
const GOES: u32 = 10;
/// One to a point that an enemy attacks.
const GOES_INTO_ATTACK: u32 = 2;

/// What an ordinary goal costs.
const ORDINARY: Cost = 20;

/// All goals of one piece, weighed when somebody asks.
pub(super) struct Goals<'a> {
    history: &'a History,
    from: Square,
    weights: OnceCell<Vec<(Square, u32)>>,
}

impl<'a> Goals<'a> {
    /// The goals of the piece of that point, which has the move.
    pub(super) const fn of(history: &'a History, from: Square) -> Goals<'a> {
        Goals { history, from, weights: OnceCell::new() }
    }

    /// How unlikely it is that the piece goes there rather than anywhere else.
    pub(super) fn cost(&self, to: Square) -> Cost {
        let weights = self.weights.get_or_init(|| {
            let own = self.history.legal.iter().filter(|mv| mv.from == self.from);
            own.map(|mv| (mv.to, weight(self.history, *mv))).collect()
        });
        let sum: u32 = weights.iter().map(|(_, weight)| weight).sum();
        let goal = weights.iter().find(|(goal, _)| *goal == to);
        goal.map_or(0, |(_, weight)| weigh::odds(sum.into(), (*weight).into()))
    }

    /// How much more unlikely that is than an ordinary goal.
    pub(super) fn surprise(&self, to: Square) -> Cost {
        self.cost(to).saturating_sub(ORDINARY)
    }
}

fn weight(history: &History, mv: Move) -> u32 {
    let captures = history.color_at(mv.to).is_some();
    if captures && history.taken == Some(mv.to) {
        return RETAKES;
    }
    let after = history.position.play_unchecked(mv);
    let attacked = !after.board().attackers_of(mv.to, after.turn()).is_empty();
    match (captures, attacked) {
        (true, false) => TAKES,
        (true, true) => TAKES_DEFENDED,
        (false, false) => GOES,
        (false, true) => GOES_INTO_ATTACK,
    }
}
