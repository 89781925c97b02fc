//! XAY, the annotated setups of the drawing program xiangqi-setup: a YAML list of ranks from the top, each a list of
//! points, each a list of pieces and of marks. Marks and arrows are for drawing and are left alone.

use xiangqi::{Board, File, Piece, Rank, Setup, Square};

use crate::{Game, Place, Warning, Warnings};

const KEY: &str = "setup:";

/// Whether a text is such a setup.
pub(crate) fn is(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| line.starts_with("version:"))
        && lines.any(|line| line.starts_with(KEY) && line.contains('['))
}

/// A game without moves. The format does not say who moves; Red is taken.
pub(crate) fn read(text: &str, warnings: &mut Warnings) -> Game {
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(before, _)| before));
    let text: String = lines.collect::<Vec<_>>().join("\n");
    let setup = text.split_once(KEY).map_or("", |(_, setup)| setup);
    let mut board = Board::EMPTY;
    let mut closed = false;
    let (mut depth, mut row, mut file) = (0usize, 0, 0);
    let mut word = String::new();
    for c in setup.chars() {
        if c.is_ascii_alphanumeric() || c == '+' || c == '-' {
            word.push(c);
            continue;
        }
        if let ([letter], Some(square)) = (word.as_bytes(), point(row, file))
            && let Some(piece) = Piece::from_letter(char::from(*letter))
        {
            board.put(square, piece);
        }
        word.clear();
        match (c, depth) {
            ('[', _) => {
                depth += 1;
                if depth == 2 {
                    file = 0;
                }
            }
            (']', _) => depth = depth.saturating_sub(1),
            (',', 1) => row += 1,
            (',', 2) => file += 1,
            _ => {}
        }
        closed = c == ']' && depth == 0;
        if closed {
            break;
        }
    }
    if !closed {
        let what = "the setup's brackets are not closed: the file may be cut off".into();
        warnings.push(Warning { place: Place::Line(text.lines().count()), what });
    }
    Game::from_start(Setup { board, ..Setup::initial() })
}

fn point(row: usize, file: usize) -> Option<Square> {
    Some(Square::at(File::new(file)?, Rank::new(9usize.checked_sub(row)?)?))
}
