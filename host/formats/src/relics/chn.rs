//! CHN of ourgame.com (联众): a header, then the moves as the program had them in memory, each with the address of the next.

use encoding_rs::Encoding;

use super::ply;
use crate::{Game, Place, ReadError, Tag, Text, Tree, Warning, Warnings};

const MOVES: usize = 508;
const ENTRY: usize = 36;
/// Within an entry: the address of the next, zero in the last; and the move.
const NEXT: std::ops::Range<usize> = 8..12;
const MOVE: usize = 14;

/// Texts of the header, each up to a zero: where it begins and the most it holds.
const DATE: (usize, usize) = (8, 28);
const TITLE: (usize, usize) = (0x24, 0x40);

/// Whether the file begins as such a record does.
pub(crate) fn is(data: &[u8]) -> bool {
    data.starts_with(b"GL") && data.iter().take(16).any(|byte| *byte == 0)
}

/// Reads the moves, the date and the line that names the players.
pub(crate) fn read(
    data: &[u8],
    encoding: &'static Encoding,
    warnings: &mut Warnings,
) -> Result<Game, ReadError> {
    if data.len() < MOVES {
        let problem = format!("the file ends within its header; the moves begin at byte {MOVES}");
        return Err(ReadError::at(data.len(), problem));
    }
    let mut game = Game::new();
    for ((offset, room), tag) in [(DATE, Tag::Date), (TITLE, Tag::Title)] {
        let field = data.get(offset..offset + room).unwrap_or(&[]);
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(room);
        let text = field.get(..end).unwrap_or(&[]).trim_ascii();
        game.headers.set(tag, Text::decode(text, encoding));
    }
    // A byte holds the rank from the top, then the file. After the last move there may be zeros.
    let halves = |byte: u8| (byte & 15, 9u8.wrapping_sub(byte >> 4));
    let mut plies = Vec::new();
    let mut ends = false;
    for entry in data[MOVES..].chunks(ENTRY) {
        let Some(&[from, to]) = entry.get(MOVE..MOVE + 2) else { break };
        ends |= from == to;
        if ends {
            break;
        }
        let ((from_file, from_rank), (to_file, to_rank)) = (halves(from), halves(to));
        plies.push(ply(from_file, from_rank, to_file, to_rank));
        ends = entry[NEXT] == [0; 4];
    }
    if !ends {
        let what = "the file ends before its last move; the moves before are kept".into();
        warnings.push(Warning { place: Place::Offset(data.len()), what });
    }
    game.tree = Tree::line(plies);
    game.trust_first_piece();
    Ok(game)
}
