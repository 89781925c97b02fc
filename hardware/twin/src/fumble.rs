//! What goes wrong with a move before it is done, and is put right by the mover.

use sense::Uptime;
use xiangqi::{Move, Position, Square};

use crate::dice::{Dice, span};
use crate::player::Players;

/// Before the move.
#[derive(Clone, Copy)]
enum Before {
    /// The piece is taken up, put back and taken up again.
    PutBack,
    /// The piece to be captured is taken up and put back first.
    VictimPutBack,
    /// The piece slips out of the fingers: it is up for a moment only.
    Slip,
}

/// After the piece stood, before the press.
#[derive(Clone, Copy)]
enum After {
    /// It stands on a neighbouring point by mistake, and is moved on.
    WrongPoint,
    /// It stands between points, where no reed notices it, until it is nudged.
    Between,
    /// It is taken up and set down again on its point.
    Again,
    /// It is pushed to the middle of its point.
    Centred,
}

impl Players<'_> {
    /// Something that goes wrong before the move; returns when the move itself begins.
    pub(crate) fn fumble_before(&mut self, position: &Position, mv: Move, begin: Uptime) -> Uptime {
        if !self.hands.dice.permille(self.habits.fumble) {
            return begin;
        }
        let captures = position.piece_at(mv.to).is_some();
        let victims = if captures { 3 } else { 0 };
        let kind = self.hands.dice.weighted(&[
            (2, Before::PutBack),
            (victims, Before::VictimPutBack),
            (1, Before::Slip),
        ]);
        let (square, held_ms) = match kind {
            Before::PutBack => (mv.from, span(150, 2_000)),
            Before::VictimPutBack => (mv.to, span(120, 1_500)),
            Before::Slip => (mv.from, span(10, 80)),
        };
        let Some(piece) = self.hands.piece_on(square) else { return begin };
        let carry = self.us(self.habits.carry_ms);
        let aloft = self.hands.lift(piece, begin, carry / 4);
        let held = aloft.plus_us(self.us(held_ms));
        let back = self.hands.spot(piece, square, self.habits.off_centre_um);
        let stands = self.hands.set_down(piece, held, carry / 3, back);
        stands.plus_us(self.us(span(60, 1_200)))
    }

    /// Something that has gone wrong when the piece arrived; returns when it stands where it should.
    pub(crate) fn fumble_after(&mut self, position: &Position, mv: Move, stood: Uptime) -> Uptime {
        if !self.hands.dice.permille(self.habits.fumble) {
            return stood;
        }
        let Some(piece) = self.hands.piece_on(mv.to) else { return stood };
        let wait = stood.plus_us(self.us(span(80, 900)));
        let home = self.hands.spot(piece, mv.to, self.habits.off_centre_um);
        let kind = self.hands.dice.weighted(&[
            (2, After::WrongPoint),
            (2, After::Between),
            (2, After::Again),
            (3, After::Centred),
        ]);
        let took = self.us(span(120, 500));
        match kind {
            After::Again => self.hands.hop(piece, wait, took, home),
            After::Centred => {
                let centre = self.hands.spot(piece, mv.to, self.habits.off_centre_um / 3);
                self.hands.go(piece, wait, took / 2, centre)
            }
            After::WrongPoint => {
                let Some(wrong) = free_neighbour(position, mv, &mut self.hands.dice) else { return stood };
                let beside = self.hands.spot(piece, wrong, self.habits.off_centre_um);
                let there = self.hands.hop(piece, wait, took, beside);
                let on = there.plus_us(self.us(span(100, 900)));
                self.hands.hop(piece, on, took, home)
            }
            After::Between => {
                let Some(near) = free_neighbour(position, mv, &mut self.hands.dice) else { return stood };
                let points = self.hands.table.geometry;
                let between = points.point(mv.to).towards(points.point(near), 1, 2);
                let there = self.hands.hop(piece, wait, took, between);
                let nudged = there.plus_us(self.us(span(200, 1_500)));
                self.hands.slide(piece, nudged, 150, home)
            }
        }
    }
}

/// A point beside the target on which nothing stands after the move.
fn free_neighbour(position: &Position, mv: Move, dice: &mut Dice) -> Option<Square> {
    let occupied = position.board().occupied().without(mv.from);
    let around = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let free: Vec<(u32, Square)> = around
        .into_iter()
        .filter_map(|(files, ranks)| mv.to.offset(files, ranks))
        .filter(|square| !occupied.contains(*square))
        .map(|square| (1, square))
        .collect();
    (!free.is_empty()).then(|| dice.weighted(&free))
}
