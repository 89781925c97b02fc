//! A move (着) from one intersection to another, its text, and a list of moves.

use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use crate::Square;

/// A piece goes from one intersection to another. Xiangqi has no promotion and no castling, so this is all there is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the piece stood.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// A move between two squares. Whether it is legal is for a [`Position`](crate::Position) to say.
    pub const fn new(from: Square, to: Square) -> Move {
        Move { from, to }
    }

    /// Seen in a mirror: files exchanged left to right.
    pub const fn mirrored(self) -> Move {
        Move { from: self.from.mirrored(), to: self.to.mirrored() }
    }

    /// Seen with the board turned half round.
    pub const fn rotated(self) -> Move {
        Move { from: self.from.rotated(), to: self.to.rotated() }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text was not a move such as `h2e2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a move such as h2e2: file a–i and rank 0–9, twice")
    }
}

impl core::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;
    fn from_str(s: &str) -> Result<Move, ParseMoveError> {
        let (from, to) = s.split_at_checked(2).ok_or(ParseMoveError)?;
        let from = from.parse().map_err(|_| ParseMoveError)?;
        let to = to.parse().map_err(|_| ParseMoveError)?;
        Ok(Move { from, to })
    }
}

/// Moves of one position, in place, without allocation.
///
/// No side can have more than 128 moves: two rooks and two cannons reach at most 17 points each, two horses 8,
/// two elephants 4, two advisors 4, five pawns 3, the king 4.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; MoveList::CAPACITY],
}

impl MoveList {
    /// The most moves that a list holds.
    pub const CAPACITY: usize = 128;

    /// A list with no move.
    pub fn new() -> MoveList {
        const A0: Square = Square::new(0).expect("a0 is on the board");
        MoveList { len: 0, moves: [Move::new(A0, A0); MoveList::CAPACITY] }
    }

    /// Adds a move. The capacity suffices for every position that a [`Position`](crate::Position) can hold.
    pub(crate) fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Move>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
