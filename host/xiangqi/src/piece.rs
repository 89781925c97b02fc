//! Pieces: seven roles in two colours.

use crate::Color;

/// What a piece is, whichever side it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// 帅 / 将
    King = 0,
    /// 仕 / 士
    Advisor = 1,
    /// 相 / 象
    Elephant = 2,
    /// 马
    Horse = 3,
    /// 车
    Rook = 4,
    /// 炮
    Cannon = 5,
    /// 兵 / 卒
    Pawn = 6,
}

impl Role {
    /// Every role, in the order of the enum.
    pub const ALL: [Role; 7] =
        [Role::King, Role::Advisor, Role::Elephant, Role::Horse, Role::Rook, Role::Cannon, Role::Pawn];

    /// 0 to 6, in the order of [`Role::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many a side starts with, which is also the most it can have.
    pub const fn at_most(self) -> u32 {
        //= 1.2
        match self {
            Role::King => 1,
            Role::Pawn => 5,
            _ => 2,
        }
    }

    /// The English name, in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Role::King => "king",
            Role::Advisor => "advisor",
            Role::Elephant => "elephant",
            Role::Horse => "horse",
            Role::Rook => "rook",
            Role::Cannon => "cannon",
            Role::Pawn => "pawn",
        }
    }

    /// The capital letter of a FEN: `K A B N R C P`.
    pub const fn letter(self) -> char {
        match self {
            Role::King => 'K',
            Role::Advisor => 'A',
            Role::Elephant => 'B',
            Role::Horse => 'N',
            Role::Rook => 'R',
            Role::Cannon => 'C',
            Role::Pawn => 'P',
        }
    }

    /// Reads a letter of either case. `E` and `H` are accepted for elephant and horse, as many programs write them.
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Role::King,
            'A' => Role::Advisor,
            'B' | 'E' => Role::Elephant,
            'N' | 'H' => Role::Horse,
            'R' => Role::Rook,
            'C' => Role::Cannon,
            'P' => Role::Pawn,
            _ => return None,
        })
    }
}

/// A role and the side it plays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The FEN letter: capital for Red, small for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::Red => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// Reads a FEN letter; see [`Role::from_letter`] for the synonyms.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }
}
