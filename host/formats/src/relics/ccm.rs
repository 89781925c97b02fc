//! CCM of 17pk.com.

use xiangqi::Setup;

use super::ply;
use crate::{Game, Place, Standing, Tree, Warning, Warnings};

const HEADER: usize = 12;
const ENTRY: usize = 9;
/// A count beyond this is something else.
const MOST: usize = 10_000;

/// Where the entries' squares are: file and rank from the top, twice.
fn squares(entry: &[u8]) -> [u8; 4] {
    [entry[3], entry[4], entry[5], entry[6]]
}

/// How many moves the header announces, and the entries that are there.
fn parts(data: &[u8]) -> Option<(usize, &[u8])> {
    let (header, entries) = data.split_at_checked(HEADER)?;
    let count = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
    Some((count as usize, entries))
}

/// Whether a count of moves stands in the header and the first of them is legal.
pub(crate) fn is(data: &[u8]) -> bool {
    let Some((1..=MOST, entries)) = parts(data) else { return false };
    let Some(&[a, b, c, d]) = entries.get(3..7).filter(|_| entries.len() >= ENTRY) else { return false };
    let first = ply(a, 9u8.wrapping_sub(b), c, 9u8.wrapping_sub(d));
    Standing::new(Setup::initial()).fault(&first).is_none()
}

/// Reads the moves.
pub(crate) fn read(data: &[u8], warnings: &mut Warnings) -> Game {
    let (count, bytes) = parts(data).unwrap_or_default();
    let there = bytes.len() / ENTRY;
    if bytes.len() != count * ENTRY {
        let what = format!("{count} moves announced, {there} there");
        warnings.push(Warning { place: Place::Offset(data.len()), what });
    }
    let rank = |row: u8| 9u8.wrapping_sub(row);
    let entries = bytes.chunks_exact(ENTRY).take(count).map(squares);
    let mut game = Game::new();
    game.tree = Tree::line(entries.map(|[a, b, c, d]| ply(a, rank(b), c, rank(d))));
    game.trust_first_piece();
    game
}
