//! `C2=5`: the notation of the World Xiangqi Federation, in the two ways that are about.

use alloc::format;
use alloc::string::String;

use super::tandem::Tandem;
use super::{Direction, Step, coordinates, mover};
use crate::{Move, Piece, Position, Role};

/// WXF with tandem pawns numbered, as programs write it: `C2=5`, `R++1` for the front and `R-+1` for the rear of two,
/// `15=6` for the first pawn of file 5 where three share a file or two files are doubled. Names exactly one legal move.
///
/// As in Fairy-Stockfish the file stands instead of `+` and `-` where the twin could not go the same way on any board:
/// `R2+3` of two rooks of which the front one is on its last rank.
///
/// A move that the piece cannot make has no name and is written in ICCS.
pub fn wxf(position: &Position, m: Move) -> String {
    written(position, m, |piece, tandem| {
        let file = m.from.file().number_for(piece.color);
        match (tandem.size, tandem.files) {
            (2, 1) if twin_could(position, piece, m) => format!("{}{}", letter(piece), sign(tandem)),
            (2, 1) => format!("{}{file}", letter(piece)),
            _ => format!("{}{file}", tandem.index + 1),
        }
    })
}

/// WXF with signs, as the federation's page describes it: `P+ P5 P-` for three pawns on file 5, `++ P+ P- --` for four,
/// `++ P+ P5 P- --` for five, and `3+ 33 3-`, `7+ 7-` where two files are doubled. Names exactly one legal move.
///
/// A move that the piece cannot make has no name and is written in ICCS.
pub fn wxf_signed(position: &Position, m: Move) -> String {
    written(position, m, |piece, tandem| {
        let file = m.from.file().number_for(piece.color);
        let name = letter(piece);
        match (tandem.files, tandem.size, tandem.index) {
            (1, 4.., 0) => String::from("++"),
            (1, size @ 4.., index) if index + 1 == size => String::from("--"),
            (1, 4.., 1) => format!("{name}+"),
            (1, size @ 4.., index) if index + 2 == size => format!("{name}-"),
            (1, 5, _) | (1, 3, 1) => format!("{name}{file}"),
            (1, ..) => format!("{name}{}", sign(tandem)),
            (_, 3, 1) => format!("{file}{file}"),
            _ => format!("{file}{}", sign(tandem)),
        }
    })
}

/// The move with the head that `tandem_head` gives to a piece that shares its file.
fn written(position: &Position, m: Move, tandem_head: impl Fn(Piece, Tandem) -> String) -> String {
    let Some(piece) = mover(position, m) else { return coordinates::iccs(m) };
    let tandem = Tandem::of(position.board(), piece, m.from);
    let head = if tandem.size < 2 || matches!(piece.role, Role::Advisor | Role::Elephant) {
        format!("{}{}", letter(piece), m.from.file().number_for(piece.color))
    } else {
        tandem_head(piece, tandem)
    };
    let step = Step::of(piece, m);
    let direction = match step.direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Across => '=',
    };
    format!("{head}{direction}{}", step.number)
}

fn sign(tandem: Tandem) -> char {
    if tandem.index == 0 { '+' } else { '-' }
}

fn letter(piece: Piece) -> char {
    match piece.role {
        Role::Elephant => 'E',
        Role::Horse => 'H',
        role => role.letter(),
    }
}

/// Whether the other piece of the file would stay on the board if it went the same way.
fn twin_could(position: &Position, piece: Piece, m: Move) -> bool {
    let files = m.to.file().index() as i8 - m.from.file().index() as i8;
    let ranks = m.to.rank().index() as i8 - m.from.rank().index() as i8;
    let mut alike = position.board().by_piece(piece.color, piece.role).without(m.from);
    alike.find(|twin| twin.file() == m.from.file()).is_some_and(|twin| twin.offset(files, ranks).is_some())
}
