//! What hands do before a game and after it: setting up, clearing away.

use sense::Uptime;
use xiangqi::{Board, Square};

use crate::dice::span;
use crate::player::Players;

impl Players<'_> {
    /// Puts every missing piece on its point, one after the other, from the board or from the box.
    pub(crate) fn set_up(&mut self, wanted: &Board, begin: Uptime) -> Uptime {
        let mut now = begin;
        // Pieces that are left over stand in the way; they go back to the box first.
        for (square, piece) in self.hands.board().pieces() {
            if wanted.piece_at(square) != Some(piece) {
                now = self.put_away(square, now);
            }
        }
        for (square, piece) in wanted.pieces() {
            if self.hands.piece_on(square).is_some() {
                continue;
            }
            let magnet = self.hands.add(piece, 1_000);
            self.hands.belongs(magnet, Some(square));
            let to = self.hands.spot(magnet, square, self.habits.off_centre_um);
            let took = self.us(span(300, 900));
            now = self.hands.hop(magnet, now, took, to).plus_us(self.us(span(50, 600)));
        }
        now
    }

    /// Takes all pieces off the board, the next while the last is still in the other hand.
    pub(crate) fn clear(&mut self, begin: Uptime) -> Uptime {
        let mut now = begin;
        for (square, _) in self.hands.board().pieces() {
            now = self.put_away(square, now);
        }
        now
    }

    fn put_away(&mut self, square: Square, begin: Uptime) -> Uptime {
        if let Some(magnet) = self.hands.piece_on(square) {
            let owner = self.hands.board().color_at(square).expect("the piece that stands there");
            let took = self.us(span(300, 900));
            self.hands.carry_off(magnet, begin, took, owner);
        }
        begin.plus_us(self.us(span(40, 400)))
    }
}
