//! A position as somebody claims it: unchecked.

use alloc::vec::Vec;
use core::fmt;

use crate::attacks;
use crate::{Board, Color, File, Piece, Position, Role, Square};

/// A board, the side to move and the counters of a FEN. It may be impossible; [`Position::new`] checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Which piece stands where.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// Plies since the last capture (field 5 of a FEN; a pawn's move does not reset it).
    pub quiet_plies: u32,
    /// The round (回合) about to be played, from 1 (field 6 of a FEN).
    pub round: u32,
}

/// One reason why a [`Setup`] cannot be a position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flaw {
    /// That side has no king.
    KingMissing(Color),
    /// That side has more pieces of the role than a set holds (article 1.2).
    TooMany(Color, Role),
    /// The piece stands on a point that its kind can never reach (article 2.2).
    Unreachable(Square, Piece),
    /// Two or more pawns of that side on one file before the river, where pawns only go straight on.
    PawnsDoubled(Color, File),
    /// The kings face each other on an open file (article 2.2).
    KingsFacing,
    /// The side that has just moved left its king in check (article 3.4).
    OpponentInCheck(Color),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Flaw::KingMissing(color) => write!(f, "king_missing_{color}"),
            Flaw::TooMany(color, role) => write!(f, "too_many_{}_{color}", role.name()),
            Flaw::Unreachable(square, piece) => {
                write!(f, "{}_{}_off_its_points_{square}", piece.role.name(), piece.color)
            }
            Flaw::PawnsDoubled(color, file) => {
                write!(f, "uncrossed_pawns_doubled_{color}_{}", file.letter())
            }
            Flaw::KingsFacing => f.write_str("kings_facing"),
            Flaw::OpponentInCheck(color) => write!(f, "side_not_to_move_in_check_{color}"),
        }
    }
}

/// Whether a piece of that kind can ever stand on the square.
pub fn can_stand(piece: Piece, square: Square) -> bool {
    let forward = square.rank().from_home_of(piece.color);
    match piece.role {
        Role::King => square.in_palace_of(piece.color),
        Role::Advisor => {
            // The five points of the palace's diagonals: from the centre, or the centre itself.
            square.in_palace_of(piece.color) && !(square.file().index() + forward as usize).is_multiple_of(2)
        }
        Role::Elephant => {
            let file = square.file().index();
            match forward {
                0 | 4 => file == 2 || file == 6,
                2 => file == 0 || file == 4 || file == 8,
                _ => false,
            }
        }
        Role::Pawn => forward >= 5 || (forward >= 3 && square.file().index().is_multiple_of(2)),
        Role::Horse | Role::Rook | Role::Cannon => true,
    }
}

impl Setup {
    /// The position from which games start.
    pub fn initial() -> Setup {
        crate::fen::INITIAL.parse().expect("the starting FEN is well formed")
    }

    /// Every reason why this cannot be a position of a game; none if it can.
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for color in Color::ALL {
            if self.board.king_of(color).is_none() {
                flaws.push(Flaw::KingMissing(color));
            }
            for role in Role::ALL {
                if self.board.by_piece(color, role).count() > role.at_most() {
                    flaws.push(Flaw::TooMany(color, role));
                }
            }
            for file in File::ALL {
                let pawns = self.board.by_piece(color, Role::Pawn);
                let uncrossed = pawns.filter(|s| s.file() == file && s.is_home_of(color)).count();
                if uncrossed > 1 {
                    flaws.push(Flaw::PawnsDoubled(color, file));
                }
            }
        }
        for (square, piece) in self.board.pieces() {
            if !can_stand(piece, square) {
                flaws.push(Flaw::Unreachable(square, piece));
            }
        }
        flaws.extend(self.king_flaws());
        flaws
    }

    fn king_flaws(&self) -> Option<Flaw> {
        let mover = self.board.king_of(self.turn)?;
        let waiting = self.board.king_of(!self.turn)?;
        if mover.file() == waiting.file()
            && (attacks::between(mover, waiting) & self.board.occupied()).is_empty()
        {
            return Some(Flaw::KingsFacing);
        }
        let checked = !self.board.attackers_of(waiting, self.turn).is_empty();
        checked.then_some(Flaw::OpponentInCheck(!self.turn))
    }

    /// Seen in a mirror (files exchanged).
    pub fn mirrored(&self) -> Setup {
        Setup { board: self.board.mirrored(), ..*self }
    }

    /// The same position with the colours exchanged and the board turned half round.
    pub fn flipped(&self) -> Setup {
        Setup { board: self.board.flipped(), turn: !self.turn, ..*self }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        *position.setup()
    }
}
