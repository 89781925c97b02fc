//! DhtmlXQ, the marked-up text of dpxq.com (东萍象棋网) and of boards on pages and in forums.
//!
//! `[DhtmlXQ]` … `[/DhtmlXQ]` around tags such as `[DhtmlXQ_title]…[/DhtmlXQ_title]`. Squares are two digits: the file
//! from Red's left, then the rank from the top. A variation `move_P_S_I` is line I; it leaves line P (0 is the main
//! line) and takes the place of ply S, counted from the start of the game. A comment on ply N of line I is
//! `commentI_N`, of the main line `commentN`; `||` breaks a line.

mod blocks;
mod read;
mod write;

use xiangqi::{File, Move, Rank, Square};

use crate::Tag;

pub(crate) use read::{is, read, read_digits};
pub(crate) use write::write;

/// Fields that have another name here.
const NAMES: [(&str, Tag); 9] = [
    ("place", Tag::Site),
    ("redrating", Tag::RedElo),
    ("blackrating", Tag::BlackElo),
    ("timerule", Tag::TimeControl),
    ("type", Tag::Kind),
    ("class", Tag::Category),
    ("refer", Tag::Source),
    ("adddate", Tag::Created),
    ("editdate", Tag::Modified),
];

/// Tags that say nothing about the game: the applet's version and size, and counts that follow from the moves.
const NOISE: [&str; 6] = ["ver", "init", "pver", "length", "firstnum", "viewurl"];

/// The field of a tag.
fn field_of(name: &str) -> Tag {
    let known = NAMES.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| Tag::named(name), |(_, tag)| tag.clone())
}

/// Whether a text begins with an opening's code.
fn is_code(text: &str) -> bool {
    matches!(text.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'])
}

/// A square as two digits.
pub(crate) fn digits(square: Square) -> [u8; 2] {
    [b'0' + square.file().index() as u8, b'0' + 9 - square.rank().index() as u8]
}

/// The square of two digits.
fn square(digits: &[u8]) -> Option<Square> {
    let &[file, row] = digits else { return None };
    let file = File::new(usize::from(file.checked_sub(b'0')?))?;
    let row = usize::from(row.checked_sub(b'0')?);
    Some(Square::at(file, Rank::new(9usize.checked_sub(row)?)?))
}

/// The move of four digits.
pub(crate) fn a_move(digits: &[u8]) -> Option<Move> {
    let (from, to) = digits.split_at_checked(2)?;
    Some(Move::new(square(from)?, square(to)?))
}
