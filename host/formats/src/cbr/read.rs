//! Reading one record.

use encoding_rs::UTF_16LE;
use xiangqi::{Board, Color, Move, Piece, Role, Setup, Square};

use super::{BRANCHES, COMMENT, ENDS, Layout, MAGIC, NOW, OLD_TITLE, ROLES, TERMINATION, TEXTS, THEN};
use crate::cursor::Cursor;
use crate::{Game, NodeId, Outcome, Place, Ply, ReadError, Tag, Text, Warning, Warnings};

/// Whether the bytes begin as a record does.
pub(crate) fn is(data: &[u8]) -> bool {
    data.starts_with(MAGIC)
}

/// Reads the record that begins at `base` and ends before `end`.
pub(crate) fn read(data: &[u8], base: usize, end: usize, warnings: &mut Warnings) -> Result<Game, ReadError> {
    let record = data.get(base..end.min(data.len())).unwrap_or(&[]);
    if !is(record) {
        return Err(ReadError::at(base, "a CCBridge record begins with \"CCBridge Record\""));
    }
    let old = record.get(19) == Some(&1);
    let layout = if old { THEN } else { NOW };
    let Some(board) = record.get(layout.board..layout.board + 90).filter(|_| record.len() >= layout.moves)
    else {
        let expected = format!("the record ends after {} bytes, before its moves", record.len());
        return Err(ReadError::at(base + record.len(), expected));
    };
    let turn = if !old && record[layout.first_side] == 2 { Color::Black } else { Color::Red };
    let mut game = Game::from_start(Setup { board: read_board(board), turn, quiet_plies: 0, round: 1 });
    if old {
        set(&mut game, Tag::Title, &record[OLD_TITLE.0..OLD_TITLE.0 + OLD_TITLE.1]);
    } else {
        read_header(record, &layout, &mut game);
    }
    let mut stream = Cursor::at(record, layout.moves);
    read_moves(&mut stream, old, &mut game, |offset, what: String| {
        warnings.push(Warning { place: Place::Offset(base + offset), what });
    });
    game.trust_first_piece();
    Ok(game)
}

fn set(game: &mut Game, tag: Tag, field: &[u8]) {
    let text = utf16(field);
    if !text.as_str().trim().is_empty() {
        game.headers.set(tag, text);
    }
}

fn read_header(record: &[u8], layout: &Layout, game: &mut Game) {
    for (offset, width, tag) in TEXTS {
        set(game, tag, &record[offset..offset + width]);
    }
    set(game, Tag::Termination, &record[TERMINATION.0..TERMINATION.0 + TERMINATION.1]);
    game.outcome = match record[layout.result] {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 => Outcome::Draw,
        4 => Outcome::Several,
        _ => Outcome::Unknown,
    };
    let round = u32::from(u16::from_le_bytes([record[2116], record[2117]]));
    game.start.round = round.max(1);
}

/// Text of a field, up to its end or a zero.
fn utf16(field: &[u8]) -> Text {
    let end = field.chunks_exact(2).position(|unit| unit == [0, 0]).map_or(field.len() & !1, |i| i * 2);
    Text::decode(&field[..end], UTF_16LE)
}

fn read_board(bytes: &[u8]) -> Board {
    let mut board = Board::EMPTY;
    for (i, byte) in bytes.iter().enumerate() {
        let color = match byte >> 4 {
            1 => Color::Red,
            2 => Color::Black,
            _ => continue,
        };
        let letter = ROLES.get(usize::from(byte & 15)).copied().map(char::from);
        if let (Some(role), Some(square)) = (letter.and_then(Role::from_letter), from_top(i)) {
            board.put(square, Piece { color, role });
        }
    }
    board
}

/// The board's bytes go from Black's home row down.
fn from_top(index: usize) -> Option<Square> {
    Square::new(index).map(|square| square.rotated().mirrored())
}

/// The oldest layout has the file in the high half, the rank from the top in the low half.
fn from_halves(byte: u8) -> Option<Square> {
    let (file, row) = (usize::from(byte >> 4), usize::from(byte & 15));
    if file < 9 && row < 10 { from_top(row * 9 + file) } else { None }
}

fn read_moves(stream: &mut Cursor<'_>, old: bool, game: &mut Game, mut warn: impl FnMut(usize, String)) {
    let square = |byte: u8| if old { from_halves(byte) } else { from_top(usize::from(byte)) };
    let mut pending: Vec<NodeId> = Vec::new();
    let mut parent = None;
    loop {
        let offset = stream.offset();
        let Some(([flags, _, from, to], comment)) = step(stream) else {
            warn(offset, "the record ends within its moves; the plies before are kept".into());
            return;
        };
        let node = match parent {
            None => NodeId::ROOT,
            Some(parent) => {
                let ply = match (square(from), square(to)) {
                    (Some(from), Some(to)) => Ply::Move(Move::new(from, to)),
                    _ => Ply::Unread(format!("{from}-{to}").into()),
                };
                game.tree.add(parent, ply)
            }
        };
        if !comment.is_empty() {
            game.tree.node_mut(node).comment =
                Some(utf16(comment).with_unix_lines()).filter(|text| !text.is_empty());
        }
        if let Some(parent) = parent.filter(|_| flags & BRANCHES != 0) {
            pending.push(parent);
        }
        parent = if flags & ENDS == 0 { Some(node) } else { pending.pop() };
        if parent.is_none() {
            return;
        }
    }
}

fn step<'a>(stream: &mut Cursor<'a>) -> Option<([u8; 4], &'a [u8])> {
    let record: [u8; 4] = stream.array()?;
    let comment = if record[0] & COMMENT != 0 {
        let length = stream.u32()?;
        stream.take(length as usize)?
    } else {
        &[]
    };
    Some((record, comment))
}
