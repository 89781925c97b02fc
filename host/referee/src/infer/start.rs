//! A board that does not show the position from which the game is said to start.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::Bitboard;

use super::{Inference, ORDER};
use crate::event::IncidentKind;

/// Several points that differ for so long while the board rests are no piece that happens to be in a hand, in microseconds.
const SEVERAL_US: u64 = 5_000_000;
/// A single point may be a broken reed, and a whole board may be about to be set up: they get longer, in microseconds.
const ONE_OR_ALL_US: u64 = 20_000_000;

/// The points at which the first reading contradicts the start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start {
    differs: Bitboard,
    said: bool,
}

impl Start {
    /// The first reading differs from the start at those points.
    pub(super) fn begins(&mut self, differs: Bitboard) {
        *self = Start { differs, said: false };
    }

    /// Where the start is still to be put right.
    pub(super) const fn differs(&self) -> Bitboard {
        self.differs
    }
}

impl Inference {
    /// Says that the start is not what stands on the board, once, and when it is put right.
    pub(super) fn say_start(&mut self, now: Uptime) {
        let Start { differs, said } = self.said.start;
        if differs.is_empty() {
            return;
        }
        let stands = self.histories[0].position.board().occupied();
        // A reed that is known to be broken contradicts nothing.
        let left = differs & (self.closed ^ stands) & !self.said.faulty;
        if left.is_empty() && !self.disorder {
            let stands = (differs & (self.closed ^ stands)).is_empty();
            self.said.start = Start::default();
            if said && stands {
                let note = "the pieces match again";
                self.incident(now, IncidentKind::Restored, None, "5.9", Vec::new(), note);
            }
            return;
        }
        let several = (2..=ORDER + 1).contains(&(left.count() as usize)) && !self.disorder;
        let patience = if several { SEVERAL_US } else { ONE_OR_ALL_US };
        if !said && now.us_since(self.changed) >= patience {
            self.said.start.said = true;
            let note = "the board does not show the position from which the game is said to start";
            self.incident(now, IncidentKind::Displaced, None, "5.9", left.collect(), note);
        }
    }
}
