//! 炮二平五: the notation of score sheets (article 7.5) and its two short forms.

use alloc::string::String;

use super::tandem::Tandem;
use super::{Direction, Script, Step, coordinates, mover};
use crate::{Color, Move, Piece, Position, Role};

const CHINESE_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// How the numbers of files and steps are written. Ordinals of pawns are Chinese in every form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// Chinese for Red, Arabic for Black.
    BySide,
    /// Arabic for both.
    Arabic,
}

/// How a pawn is told from others when two or more share a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pawns {
    /// Within its file: 前兵, 中兵, 后兵; 前兵, 二兵 … 五兵 of four or five; 前三, 后七 when two files are doubled.
    WithinFile,
    /// Across doubled files, from the right hand to the left and from front to back: 一兵 … 五兵.
    AcrossFiles,
}

/// The full form, as 炮二平五 and 马8进7. Names exactly one legal move.
///
/// A move that the piece cannot make has no name and is written in ICCS.
pub fn chinese(position: &Position, m: Move, script: Script) -> String {
    full(position, m, script, Pawns::WithinFile)
}

/// The full form with pawns on doubled files numbered 一 to 五 across the files, as xqbase and the programs after it
/// write them. Differs from [`chinese`] only for such pawns.
pub fn chinese_numbered(position: &Position, m: Move, script: Script) -> String {
    full(position, m, script, Pawns::AcrossFiles)
}

/// The short form of 1999: Arabic digits for both sides and no 进, 退 or 平, as 炮25. May name several moves.
pub fn short_1999(position: &Position, m: Move, script: Script) -> String {
    short(position, m, script, Digits::Arabic)
}

/// The short form of 2010: as that of 1999 with Chinese digits for Red, as 炮二五. May name several moves.
pub fn short_2010(position: &Position, m: Move, script: Script) -> String {
    short(position, m, script, Digits::BySide)
}

fn full(position: &Position, m: Move, script: Script, pawns: Pawns) -> String {
    //= 7.5
    let Some(piece) = mover(position, m) else { return coordinates::iccs(m) };
    let step = Step::of(piece, m);
    let mut text = head(position, piece, m, script, (pawns, Digits::BySide));
    text.push(direction_character(step.direction, script));
    text.push(digit(step.number, piece.color, Digits::BySide));
    text
}

fn short(position: &Position, m: Move, script: Script, digits: Digits) -> String {
    let Some(piece) = mover(position, m) else { return coordinates::iccs(m) };
    let mut text = head(position, piece, m, script, (Pawns::WithinFile, digits));
    text.push(digit(Step::of(piece, m).number, piece.color, digits));
    text
}

/// Which piece moves: 炮二, 前炮, 四兵, 前三.
fn head(
    position: &Position,
    piece: Piece,
    m: Move,
    script: Script,
    (pawns, digits): (Pawns, Digits),
) -> String {
    let name = character(piece, script);
    let file = digit(m.from.file().number_for(piece.color), piece.color, digits);
    let tandem = Tandem::of(position.board(), piece, m.from);
    // Of two advisors or elephants on a file one can only advance and the other only retreat.
    if tandem.size < 2 || matches!(piece.role, Role::Advisor | Role::Elephant) {
        return String::from_iter([name, file]);
    }
    if piece.role == Role::Pawn && pawns == Pawns::AcrossFiles && (tandem.files > 1 || tandem.size > 3) {
        return String::from_iter([CHINESE_DIGITS[tandem.overall], name]);
    }
    let place = place_character(tandem, script);
    String::from_iter([place, if tandem.files > 1 { file } else { name }])
}

fn place_character(tandem: Tandem, script: Script) -> char {
    let rear = match script {
        Script::Simplified => '后',
        Script::Traditional => '後',
    };
    match (tandem.index, tandem.size) {
        (0, _) => '前',
        (1, 2) | (2, 3) => rear,
        (1, 3) => '中',
        (index, _) => CHINESE_DIGITS[index],
    }
}

fn digit(number: u8, color: Color, digits: Digits) -> char {
    match (color, digits) {
        (Color::Red, Digits::BySide) => CHINESE_DIGITS[number as usize - 1],
        _ => (b'0' + number) as char,
    }
}

fn direction_character(direction: Direction, script: Script) -> char {
    match (direction, script) {
        (Direction::Forward, Script::Simplified) => '进',
        (Direction::Forward, Script::Traditional) => '進',
        (Direction::Back, _) => '退',
        (Direction::Across, _) => '平',
    }
}

/// The character on a piece: 帅 or 将, 车, 马.
pub const fn character(piece: Piece, script: Script) -> char {
    let (simplified, traditional) = match (piece.role, piece.color) {
        (Role::King, Color::Red) => ('帅', '帥'),
        (Role::King, Color::Black) => ('将', '將'),
        (Role::Advisor, Color::Red) => ('仕', '仕'),
        (Role::Advisor, Color::Black) => ('士', '士'),
        (Role::Elephant, Color::Red) => ('相', '相'),
        (Role::Elephant, Color::Black) => ('象', '象'),
        (Role::Horse, _) => ('马', '馬'),
        (Role::Rook, _) => ('车', '車'),
        (Role::Cannon, _) => ('炮', '炮'),
        (Role::Pawn, Color::Red) => ('兵', '兵'),
        (Role::Pawn, Color::Black) => ('卒', '卒'),
    };
    match script {
        Script::Simplified => simplified,
        Script::Traditional => traditional,
    }
}
