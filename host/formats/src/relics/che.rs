//! CHE of QQ: numbers in ASCII. The second is the count of moves; ten numbers follow for each.

use super::ply;
use crate::{Game, Place, Tree, Warning, Warnings};

const ENTRY: usize = 10;

fn numbers(data: &[u8]) -> Option<Vec<u32>> {
    let text = std::str::from_utf8(data).ok()?;
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\0');
    text.split_ascii_whitespace().map(|number| number.parse().ok()).collect()
}

/// Whether the file is numbers alone, and enough of them for the first move.
pub(crate) fn is(data: &[u8]) -> bool {
    let digits = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace() || *byte == 0;
    data.iter().take(4096).all(digits)
        && numbers(data).is_some_and(|numbers| {
            let [_, count, entries @ ..] = &numbers[..] else { return false };
            // The moves are numbered, which lists of other numbers are not.
            let numbered = entries
                .chunks(ENTRY)
                .enumerate()
                .all(|(i, entry)| entry.len() < 9 || entry[8] as usize == i + 1 || entry[8] as usize == i);
            *count > 0 && entries.len() >= 7 && numbered
        })
}

/// Reads the moves.
pub(crate) fn read(data: &[u8], warnings: &mut Warnings) -> Game {
    let numbers = numbers(data).unwrap_or_default();
    let count = numbers.get(1).map_or(0, |count| *count as usize);
    let entries: Vec<&[u32]> =
        numbers.get(2..).unwrap_or(&[]).chunks(ENTRY).filter(|entry| entry.len() >= 7).collect();
    if entries.len() != count {
        let what = format!("{count} moves announced, {} there", entries.len());
        warnings.push(Warning { place: Place::File, what });
    }
    let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    let mut game = Game::new();
    game.tree = Tree::line(entries.iter().map(|e| ply(small(e[4]), small(e[3]), small(e[6]), small(e[5]))));
    game.trust_first_piece();
    game
}
