//! The ninety intersections (点).
//!
//! Coordinate frame: file a–i from Red's left hand, rank 0–9 from Red's home row.

use core::fmt;
use core::str::FromStr;

use crate::Color;

/// A vertical line, `a` at Red's left hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // The nine letters name themselves.
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
}

impl File {
    /// The nine files, from Red's left to Red's right.
    pub const ALL: [File; 9] =
        [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H, File::I];

    /// 0 for `a` to 8 for `i`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file of that index, if it is below nine.
    pub const fn new(index: usize) -> Option<File> {
        if index < 9 { Some(File::ALL[index]) } else { None }
    }

    /// The letter, `a` to `i`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The number that the side itself gives the file: each side counts 1 to 9 from its own right hand (article 1.1).
    pub const fn number_for(self, color: Color) -> u8 {
        //= 1.1
        match color {
            Color::Red => 9 - self as u8,
            Color::Black => 1 + self as u8,
        }
    }
}

/// A horizontal line, 0 at Red's home row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // The ten numbers name themselves.
pub enum Rank {
    R0,
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
}

impl Rank {
    /// The ten ranks, from Red's home row to Black's.
    pub const ALL: [Rank; 10] =
        [Rank::R0, Rank::R1, Rank::R2, Rank::R3, Rank::R4, Rank::R5, Rank::R6, Rank::R7, Rank::R8, Rank::R9];

    /// 0 to 9 from Red's home row.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank of that index, if it is below ten.
    pub const fn new(index: usize) -> Option<Rank> {
        if index < 10 { Some(Rank::ALL[index]) } else { None }
    }

    /// How many steps the rank is in front of that side's home row, 0 to 9.
    pub const fn from_home_of(self, color: Color) -> u8 {
        match color {
            Color::Red => self as u8,
            Color::Black => 9 - self as u8,
        }
    }
}

/// An intersection. Its index is `rank * 9 + file`, as in the sensor trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The number of intersections.
    pub const COUNT: usize = 90;

    /// The intersection of a file and a rank.
    pub const fn at(file: File, rank: Rank) -> Square {
        Square(rank as u8 * 9 + file as u8)
    }

    /// The intersection of that index, if it is below ninety.
    pub const fn new(index: usize) -> Option<Square> {
        if index < Square::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// All ninety, a0 b0 … i0 a1 … i9.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        (0..Square::COUNT as u8).map(Square)
    }

    /// `rank * 9 + file`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file.
    pub const fn file(self) -> File {
        File::ALL[(self.0 % 9) as usize]
    }

    /// Its rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 / 9) as usize]
    }

    /// The intersection so many files to Red's right and ranks towards Black, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.0 as i8 % 9 + files;
        let rank = self.0 as i8 / 9 + ranks;
        if file >= 0 && file < 9 && rank >= 0 && rank < 10 {
            Some(Square((rank * 9 + file) as u8))
        } else {
            None
        }
    }

    /// Seen in a mirror: files exchanged left to right.
    pub const fn mirrored(self) -> Square {
        Square(self.0 / 9 * 9 + (8 - self.0 % 9))
    }

    /// Seen with the board turned half round: file and rank both exchanged.
    pub const fn rotated(self) -> Square {
        Square(89 - self.0)
    }

    /// Whether the intersection is on that side's half of the board.
    pub const fn is_home_of(self, color: Color) -> bool {
        self.rank().from_home_of(color) < 5
    }

    /// Whether the intersection is in that side's palace (九宫).
    pub const fn in_palace_of(self, color: Color) -> bool {
        let file = self.0 % 9;
        file >= 3 && file <= 5 && self.rank().from_home_of(color) < 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().index())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text was not a file letter `a`–`i` followed by a rank digit `0`–`9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square: file a–i, then rank 0–9")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;
    fn from_str(s: &str) -> Result<Square, ParseSquareError> {
        let &[file, rank] = s.as_bytes() else { return Err(ParseSquareError) };
        let file = file.to_ascii_lowercase().checked_sub(b'a').and_then(|i| File::new(i as usize));
        let rank = rank.checked_sub(b'0').and_then(|i| Rank::new(i as usize));
        match (file, rank) {
            (Some(file), Some(rank)) => Ok(Square::at(file, rank)),
            _ => Err(ParseSquareError),
        }
    }
}
