//! CCM of 17pk.com.

use super::ply;
use crate::{Game, Tree};

const HEADER: usize = 12;
const ENTRY: usize = 9;

/// Where the entries' squares are: file and rank from the top, twice.
fn squares(entry: &[u8]) -> [u8; 4] {
    [entry[3], entry[4], entry[5], entry[6]]
}

/// Whether the count fits the file's length and every entry names squares of the board.
pub(crate) fn is(data: &[u8]) -> bool {
    let Some(header) = data.get(..HEADER) else { return false };
    let count = u32::from_le_bytes([header[8], header[9], header[10], header[11]]) as usize;
    let entries = &data[HEADER..];
    count > 0
        && entries.len().is_multiple_of(ENTRY)
        && entries.len() / ENTRY == count
        && entries.chunks(ENTRY).map(squares).all(|[a, b, c, d]| a < 9 && b < 10 && c < 9 && d < 10)
}

/// Reads the moves.
pub(crate) fn read(data: &[u8]) -> Game {
    let entries = data.get(HEADER..).unwrap_or(&[]).chunks_exact(ENTRY).map(squares);
    let rank = |row: u8| 9u8.wrapping_sub(row);
    let mut game = Game::new();
    game.tree = Tree::line(entries.map(|[a, b, c, d]| ply(a, rank(b), c, rank(d))));
    game.trust_first_piece();
    game
}
