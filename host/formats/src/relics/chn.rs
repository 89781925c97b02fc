//! CHN of ourgame.com (联众).

use encoding_rs::Encoding;

use super::ply;
use crate::{Game, Tag, Text, Tree};

const MOVES: usize = 0x20a;
const ENTRY: usize = 36;

/// Texts of the header, each up to a zero: where it begins and the most it holds.
const DATE: (usize, usize) = (8, 28);
const TITLE: (usize, usize) = (0x24, 0x40);

/// Whether the file begins as such a record does.
pub(crate) fn is(data: &[u8]) -> bool {
    data.starts_with(b"GL") && data.len() > MOVES
}

/// Reads the moves, the date and the line that names the players.
pub(crate) fn read(data: &[u8], encoding: &'static Encoding) -> Game {
    let mut game = Game::new();
    for ((offset, room), tag) in [(DATE, Tag::Date), (TITLE, Tag::Title)] {
        let field = data.get(offset..offset + room).unwrap_or(&[]);
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(room);
        let text = field.get(..end).unwrap_or(&[]).trim_ascii();
        game.headers.set(tag, Text::decode(text, encoding));
    }
    // A byte holds the rank from the top, then the file. After the last move there are zeros.
    let entries = data.get(MOVES..).unwrap_or(&[]).chunks(ENTRY).filter(|entry| entry.len() >= 2);
    let moves = entries.map(|entry| (entry[0], entry[1])).take_while(|(from, to)| from != to);
    let halves = |byte: u8| (byte & 15, 9u8.wrapping_sub(byte >> 4));
    game.tree = Tree::line(moves.map(|(from, to)| {
        let ((from_file, from_rank), (to_file, to_rank)) = (halves(from), halves(to));
        ply(from_file, from_rank, to_file, to_rank)
    }));
    game.trust_first_piece();
    game
}
