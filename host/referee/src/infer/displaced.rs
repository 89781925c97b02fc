//! Pieces that stand where no play put them: knocked over, put back otherwise, cleared away.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{Bitboard, Color, Position, Square};

use super::weigh::UNEXPLAINED;
use super::{Inference, ORDER};
use crate::event::IncidentKind;

/// Pieces that match no line of play for so long are displaced, in microseconds.
pub(super) const DISPLACED_US: u64 = 1_000_000;
/// The same where several went at once: the next may go in a moment, in microseconds.
pub(super) const UPSET_US: u64 = 1_500_000;
/// The same where it may be a piece that rests on its way, in microseconds.
pub(super) const RESTING_US: u64 = 3_000_000;
/// The same where nothing is missing and one piece too many seems to stand there, in microseconds.
const ONE_MORE_US: u64 = 20_000_000;
/// So many pieces off their points are no move.
const MANY: usize = 3;

impl Inference {
    /// Says which points no play explains, and when they match again.
    pub(super) fn say_displaced(&mut self, now: Uptime) {
        //= 5.8
        //= 5.9
        if !self.begun {
            return;
        }
        let best = &self.histories[0];
        let silent = best.hands.silent().map(|lift| lift.square);
        let excused = silent.collect::<Bitboard>() | self.said.faulty | best.broken();
        let differs = (self.closed ^ best.position.board().occupied()) & !excused;
        let off_balance = best.hands.is_upset();
        // Pieces that are taken off one after another are being cleared away, and a bare board has been.
        let tidied = !off_balance || self.closed.is_empty() || self.is_being_set_up();
        let cleared = best.hands.mismatches() > MANY && tidied;
        let strange = best.mess(&self.evidence(now)) >= UNEXPLAINED;
        let board = best.position.board();
        let (gone, come) = (differs & board.occupied(), differs & !board.occupied());
        // A piece of the waiting side, and nobody has taken up one that could capture it.
        let removed = come.is_empty()
            && (gone & !self.said.start.differs()).count() == 1
            && !best.is_aloft(best.turn());
        let astray = !(best.strayed & differs).is_empty();
        let upset = (off_balance || strange || astray || removed) && !cleared;
        let one_move = Color::ALL.into_iter().all(|color| (gone & board.by_color(color)).count() <= 1);
        let patience = match (gone.count(), come.count()) {
            _ if off_balance => UPSET_US,
            // Rather a reed than a piece.
            (0, 1) => ONE_MORE_US,
            _ if removed => ONE_MORE_US,
            // A move or capture that rests on its way.
            (_, 0..=1) if one_move => RESTING_US,
            // Pieces come from the box.
            (gone, come) if come > gone => RESTING_US,
            _ => DISPLACED_US,
        };
        let still = now.us_since(self.changed) >= patience;
        let squares: Vec<Square> = differs.collect();
        match &self.said.displaced {
            None => {
                if upset && still {
                    self.say_difference(now, squares);
                }
            }
            Some(_) if squares.is_empty() && !self.disorder && self.match_again() => {
                self.unreliable &= !self.displaced();
                self.said.displaced = None;
                self.incident(now, IncidentKind::Restored, None, "5.9", Vec::new(), "the pieces match again");
            }
            Some(said) => {
                if *said != squares && !squares.is_empty() && still && !self.disorder && !cleared {
                    self.say_difference(now, squares);
                    self.go_on_without(differs);
                }
            }
        }
    }

    /// Whether pieces have come, and all of them to points from which a game begins.
    fn is_being_set_up(&self) -> bool {
        let begins = Position::initial().board().occupied();
        let landed = &self.histories[0].hands.landed;
        !landed.is_empty() && landed.iter().all(|landing| begins.contains(landing.square))
    }

    fn say_difference(&mut self, now: Uptime, squares: Vec<Square>) {
        self.said.displaced = Some(squares.clone());
        self.incident(
            now,
            IncidentKind::Displaced,
            None,
            "5.9",
            squares,
            "pieces stand where no play put them",
        );
    }

    /// The points that were named and have not matched since.
    pub(super) fn displaced(&self) -> Bitboard {
        self.said.displaced.iter().flatten().copied().collect()
    }

    /// Whether the board shows on those points what the record says. That one of them is unreliable by now, or that a history
    /// makes a move of it, explains nothing that had been displaced before.
    fn match_again(&self) -> bool {
        let differs = self.closed ^ self.position.board().occupied();
        (differs & self.displaced()).is_empty()
    }

    /// Most of what was upset has been put back: what is left was no play, and play goes on without it. It stays named until
    /// it matches.
    fn go_on_without(&mut self, rest: Bitboard) {
        let knocked = self.histories[0].hands.lifted.iter().all(|lift| lift.knocked || lift.silent);
        if !knocked || rest.count() as usize > ORDER {
            return;
        }
        self.unreliable |= rest;
        for history in &mut self.histories {
            history.hands.contacts.retain(|contact| !contact.knocked);
            let mismatched: Bitboard = history.hands.mismatched().into_iter().collect();
            if (rest & !mismatched).is_empty() {
                rest.into_iter().for_each(|square| history.hands.forget(square));
            }
        }
    }
}
