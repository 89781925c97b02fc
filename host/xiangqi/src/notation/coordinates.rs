//! Notations that name the two squares.

use alloc::format;
use alloc::string::String;

use crate::{File, Move, Rank, Square};

/// ICCS, as `H2-E2`.
pub fn iccs(m: Move) -> String {
    format!("{}-{}", m.from, m.to).to_ascii_uppercase()
}

/// Reads ICCS and UCCI, capital or small letters, with or without the dash. `None` if the text is no such move.
pub fn parse_iccs(text: &str) -> Option<Move> {
    text.replace('-', "").parse().ok()
}

/// UCI as Fairy-Stockfish writes it, with ranks 1 to 10: `h3e3` for `h2e2`.
pub fn uci(m: Move) -> String {
    let square = |s: Square| format!("{}{}", s.file().letter(), s.rank().index() + 1);
    square(m.from) + &square(m.to)
}

/// Reads UCI with ranks 1 to 10. `None` if the text is no such move.
pub fn parse_uci(text: &str) -> Option<Move> {
    let (from, rest) = uci_square(text.as_bytes())?;
    let (to, rest) = uci_square(rest)?;
    rest.is_empty().then_some(Move::new(from, to))
}

fn uci_square(text: &[u8]) -> Option<(Square, &[u8])> {
    let (file, rest) = text.split_first()?;
    let file = File::new(file.to_ascii_lowercase().checked_sub(b'a')? as usize)?;
    if let Some(rest) = rest.strip_prefix(b"10") {
        return Some((Square::at(file, Rank::R9), rest));
    }
    let (rank, rest) = rest.split_first()?;
    let rank = Rank::new(rank.checked_sub(b'1')? as usize).filter(|rank| *rank != Rank::R9)?;
    Some((Square::at(file, rank), rest))
}
