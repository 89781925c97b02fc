//! A piece that was shifted to the next point and is no move: a sleeve, or a hand that adjusts it (5.8).

use alloc::sync::Arc;

use sense::Uptime;
use xiangqi::{Bitboard, Color, Move, Square};

use super::explain::Explanation;
use super::history::{History, Ply};
use super::weigh::{self, Cost};
use crate::hands::{OVERLAP_US, are_neighbours};

/// A piece that stands beside its point on another for so long, and whose player has not pressed, may have been shifted there,
/// in microseconds.
pub(super) const STRAYS_US: u64 = 2_000_000;

/// A reply stands before the move does by no more than this, in microseconds.
const EARLY_US: u64 = 1_000_000;
/// A piece that has stood for no longer is on its way, in microseconds.
const STOPS_US: u64 = 500_000;

impl Explanation<'_> {
    /// A piece that may have been shifted to the next point, if nothing else is going on: from where, and to where. Where nobody
    /// presses, any may be a move.
    pub(super) fn stray(&self) -> Option<(Square, Square)> {
        let (history, evidence) = (self.history, self.evidence);
        let (lift, landing) = (history.hands.aloft().next()?, history.hands.landed.first()?);
        let (from, to) = (lift.square, landing.square);
        let alone = history.hands.mismatches() == 2 && are_neighbours(from, to);
        let rests = evidence.now.us_since(landing.at) >= STRAYS_US;
        if !alone || !rests || !evidence.clock() || landing.at.plus_us(OVERLAP_US) < lift.at {
            return None;
        }
        // What its player may do, he does, once the move before it stands; and what has hardly stopped goes on.
        let in_turn = landing.at.plus_us(EARLY_US) >= history.since;
        let moved = in_turn && history.is_legal(Move::new(from, to));
        // No hand is back from the clock so soon.
        let on_its_way = |since: Uptime| lift.at.us_since(since) < STOPS_US;
        let goes_on = |ply: &Arc<Ply>| {
            ply.mv.to == from && (on_its_way(ply.settled) || on_its_way(history.pressed[ply.side]))
        };
        let goes_on = history.plies.last().is_some_and(goes_on);
        let done = history.color_at(from).is_some_and(|color| history.has_done(color, landing.at));
        (done && !moved && !goes_on).then_some((from, to))
    }
}

impl History {
    /// The history in which that piece was shifted, and nobody has moved it.
    pub(super) fn astray(&self, from: Square, to: Square) -> History {
        let mut astray = self.clone();
        for square in [from, to] {
            astray.hands.forget(square);
            astray.dull.insert(square);
            astray.strayed.insert(square);
        }
        astray.path += weigh::STRAYED;
        astray
    }

    /// Reeds that this history does not believe to be sound.
    pub(super) fn broken(&self) -> Bitboard {
        self.dull & !self.strayed
    }

    /// Whether that side has pressed its last move, and has not pressed again because of what it did since then.
    fn has_done(&self, side: Color, since: Uptime) -> bool {
        !self.unpressed[side] && self.pressed_again[side] <= since
    }

    /// How unlikely it is that a side presses because of a piece of its own that was only shifted.
    pub(super) fn pressed_astray(&self, side: Color) -> Cost {
        let own = self.position.board().by_color(side);
        if (own & self.strayed).is_empty() { 0 } else { weigh::PRESSED_ASTRAY }
    }

    /// The board shows what this history says of that point again: nothing has strayed there.
    pub(super) fn found(&mut self, square: Square) -> bool {
        let strayed = self.strayed.contains(square);
        self.strayed.remove(square);
        strayed
    }
}
