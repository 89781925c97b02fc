//! Standard algebraic notation as XBoard and pychess write it: `Cbe2`, `Rxb10+`, `g5`, `Afe8`.

use xiangqi::{File, Move, Position, Role, Square};

use super::word::a_square;

/// A move as SAN describes it; ranks as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct San {
    role: Role,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: (u8, u8),
}

/// Whether a word has the shape of SAN.
pub(super) fn is_san(word: &str) -> bool {
    parse(word).is_some()
}

fn parse(word: &str) -> Option<San> {
    let word = word.trim_end_matches(['+', '#']);
    let (role, rest) = match word.as_bytes().split_first()? {
        (letter, rest) if b"KAEBHNRCP".contains(letter) => (Role::from_letter(char::from(*letter))?, rest),
        _ => (Role::Pawn, word.as_bytes()),
    };
    // The target stands last: a file letter and one or two digits.
    let target = if rest.len() >= 3 && rest.ends_with(b"10") { 3 } else { 2 };
    let (before, target) = rest.split_at_checked(rest.len().checked_sub(target)?)?;
    if !target.first()?.is_ascii_lowercase() {
        return None;
    }
    let (to, _) = a_square(target)?;
    let before = before.strip_suffix(b"x").or_else(|| before.strip_suffix(b"-")).unwrap_or(before);
    let (from_file, before) = match before.split_first() {
        Some((file @ b'a'..=b'i', rest)) => (Some(file - b'a'), rest),
        _ => (None, before),
    };
    let from_rank = match before {
        [] => None,
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        b"10" => Some(10),
        _ => return None,
    };
    Some(San { role, from_file, from_rank, to })
}

/// The one move of the position that a word names. `lowest` is the number of Red's home row, 0 or 1.
pub(super) fn read(position: &Position, word: &str, lowest: u8) -> Option<Move> {
    let san = parse(word)?;
    let rank = |written: u8| written.checked_sub(lowest);
    let to = square(san.to.0, rank(san.to.1)?)?;
    let from_rank = san.from_rank.map(rank);
    let fits = |m: &Move| {
        m.to == to
            && position.piece_at(m.from).is_some_and(|piece| piece.role == san.role)
            && san.from_file.is_none_or(|file| m.from.file().index() == usize::from(file))
            && from_rank.is_none_or(|rank| rank.is_some_and(|r| m.from.rank().index() == usize::from(r)))
    };
    only(position.legal_moves().into_iter().filter(fits))
        .or_else(|| only(position.movements().into_iter().filter(fits)))
}

fn only(mut moves: impl Iterator<Item = Move>) -> Option<Move> {
    let first = moves.next()?;
    moves.next().is_none().then_some(first)
}

/// The square of a file and a rank, both from 0.
pub(super) fn square(file: u8, rank: u8) -> Option<Square> {
    let rank = xiangqi::Rank::new(usize::from(rank))?;
    Some(Square::at(File::new(usize::from(file))?, rank))
}
