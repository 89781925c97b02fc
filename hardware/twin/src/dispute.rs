//! Rules of touching and pressing that are broken on purpose, before the real move is made.

use sense::Uptime;
use xiangqi::{Color, Move, Position, Square};

use crate::dice::span;
use crate::game::Expected;
use crate::player::Players;
use crate::script::Panel;

/// How a rule is broken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breach {
    /// An own piece that could move is touched (5.1).
    OwnCouldMove,
    /// An own piece that cannot move is touched.
    OwnCannotMove,
    /// An enemy piece that could be captured is touched (5.2).
    EnemyCouldBeCaptured,
    /// An enemy piece that nothing can capture is touched.
    EnemyCannotBeCaptured,
    /// The clock is pressed before the move.
    EarlyPress,
    /// A brush with the sleeve, which is no touch (5.6).
    Brush,
}

impl Players<'_> {
    /// Breaks a rule now and then before the mover makes his move; returns what should be reported of it.
    pub(crate) fn dispute(&mut self, position: &Position, mv: Move, ply: u32) -> Option<Expected> {
        if !self.hands.dice.permille(self.habits.dispute) {
            return None;
        }
        let breach = self.hands.dice.weighted(&[
            (4, Breach::OwnCouldMove),
            (2, Breach::OwnCannotMove),
            (4, Breach::EnemyCouldBeCaptured),
            (2, Breach::EnemyCannotBeCaptured),
            (2, Breach::EarlyPress),
            (4, Breach::Brush),
        ]);
        let side = position.turn();
        let begin = self.turned().plus_us(self.us(span(900, 3_000)));
        if breach == Breach::EarlyPress {
            self.hands.panel(begin, Panel::Press(side));
            self.turned_at(begin.plus_us(1_500_000));
            return Some(Expected { ply, side, kind: "press_without_move", square: None });
        }
        let choices: Vec<(u32, Square)> =
            candidates(position, mv, breach, side).map(|square| (1, square)).collect();
        if choices.is_empty() {
            return None;
        }
        let square = self.hands.dice.weighted(&choices);
        let held_ms = if breach == Breach::Brush { span(60, 150) } else { span(450, 2_000) };
        let over = self.touch(square, begin, held_ms);
        self.turned_at(over.plus_us(400_000));
        let kind = match breach {
            Breach::OwnCouldMove => "touch_not_moved",
            Breach::OwnCannotMove => "touch_unmovable",
            Breach::EnemyCouldBeCaptured => "touch_not_captured",
            Breach::EnemyCannotBeCaptured => "touch_uncapturable",
            Breach::EarlyPress | Breach::Brush => return None,
        };
        Some(Expected { ply, side, kind, square: Some(square) })
    }

    /// Takes a piece up for so long and puts it back.
    fn touch(&mut self, square: Square, begin: Uptime, held_ms: crate::dice::Span) -> Uptime {
        let Some(piece) = self.hands.piece_on(square) else { return begin };
        let back = self.hands.spot(piece, square, self.habits.off_centre_um);
        let aloft = self.hands.lift(piece, begin, 30_000);
        let held = aloft.plus_us(self.us(held_ms));
        self.hands.go(piece, held, 30_000, back)
    }
}

/// The points on which a piece stands that may be touched so, although the move is another one's.
fn candidates(position: &Position, mv: Move, breach: Breach, side: Color) -> impl Iterator<Item = Square> {
    let legal = position.legal_moves();
    let own = position.board().by_color(side);
    let enemy = position.board().by_color(!side);
    let among = match breach {
        Breach::OwnCouldMove | Breach::OwnCannotMove => own.without(mv.from),
        Breach::EnemyCouldBeCaptured | Breach::EnemyCannotBeCaptured => enemy.without(mv.to),
        Breach::EarlyPress | Breach::Brush => own | enemy,
    };
    among.filter(move |square| match breach {
        // A piece that could make the same capture owes another duty (5.3).
        Breach::OwnCouldMove => {
            let mut its = legal.into_iter().filter(|m| m.from == *square).peekable();
            its.peek().is_some() && its.all(|m| m.to != mv.to)
        }
        Breach::OwnCannotMove => legal.into_iter().all(|m| m.from != *square),
        Breach::EnemyCouldBeCaptured => legal.into_iter().any(|m| m.to == *square),
        Breach::EnemyCannotBeCaptured => legal.into_iter().all(|m| m.to != *square),
        Breach::EarlyPress | Breach::Brush => true,
    })
}
