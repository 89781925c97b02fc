//! What pieces are worth when the rules ask whether somebody wins material (article 25.3 of 1999, 1.2 of 2010).

use crate::{Board, Color, Piece, Role, Square};

/// What one side has captured in an exchange.
///
/// A rook equals two horses, two cannons or one of each; advisor and elephant are equal to each other. A pawn that has
/// crossed the river floats: it is counted apart. Kings and pawns before the river are no material (子力).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Rooks, horses, cannons, advisors and elephants, in sixths of a minor piece.
    pub pieces: i16,
    /// Pawns that had crossed the river.
    pub pawns: i16,
}

impl Material {
    /// Nothing.
    pub const NONE: Material = Material { pieces: 0, pawns: 0 };

    /// The value of what stands on a square; nothing for an empty one.
    pub fn on(board: &Board, square: Square) -> Material {
        board.piece_at(square).map_or(Material::NONE, |piece| Material::of(piece, square))
    }

    /// The value of a piece that stands on `square`.
    pub fn of(piece: Piece, square: Square) -> Material {
        //= 25.3
        let pieces = match piece.role {
            Role::Rook => 12,
            Role::Horse | Role::Cannon => 6,
            Role::Advisor | Role::Elephant => 2,
            Role::King | Role::Pawn => 0,
        };
        let crossed = piece.role == Role::Pawn && !is_uncrossed(piece.color, square);
        Material { pieces, pawns: i16::from(crossed) }
    }

    /// Whether there is nothing.
    pub fn is_none(self) -> bool {
        self == Material::NONE
    }

    /// The sum.
    pub fn plus(self, other: Material) -> Material {
        Material { pieces: self.pieces + other.pieces, pawns: self.pawns + other.pawns }
    }
}

fn is_uncrossed(color: Color, square: Square) -> bool {
    square.is_home_of(color)
}

/// How pawns that have crossed the river weigh against pieces: their value floats (浮动).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PawnScale {
    /// 1999, detail 10: a pawn for pieces, or a piece for pawns, is no gain to anybody.
    Incomparable,
    /// Since 2010: to give a pawn for a minor piece is no gain, for a rook it is; to win one is less than an advisor.
    Floating,
}

/// One unit of [`Material::pieces`] in the result of [`net`].
const PIECE: i32 = 16;

/// What an exchange brings: above zero it wins material, below it loses some.
pub fn net(won: Material, lost: Material, scale: PawnScale) -> i32 {
    let pieces = i32::from(won.pieces - lost.pieces) * PIECE;
    let pawns = i32::from(won.pawns - lost.pawns);
    match scale {
        PawnScale::Floating if pawns < 0 => pieces + pawns * 6 * PIECE,
        PawnScale::Floating => pieces + pawns * PIECE,
        PawnScale::Incomparable => {
            let floats = (lost.pieces == 0 && lost.pawns > 0 && won.pieces > 0)
                || (won.pieces == 0 && won.pawns > 0 && lost.pieces > 0);
            if floats { 0 } else { pieces + pawns }
        }
    }
}
