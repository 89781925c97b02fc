//! Reading XQF.

use encoding_rs::Encoding;
use xiangqi::{Board, Color, File, Move, Piece, Rank, Setup, Square};

use super::cipher::Cipher;
use super::{KINDS, TEXTS, TREE};
use crate::cursor::Cursor;
use crate::pieces::PIECES;
use crate::{Game, NodeId, Outcome, Place, Ply, ReadError, Tag, Text, Warning, Warnings};

/// Whether the bytes begin as an XQF file does.
pub(crate) fn is(data: &[u8]) -> bool {
    data.starts_with(b"XQ") && (data.len() >= TREE || data.get(2).is_none_or(|version| *version < b' '))
}

/// Reads a file.
pub(crate) fn read(
    data: &[u8],
    encoding: &'static Encoding,
    warnings: &mut Warnings,
) -> Result<Game, ReadError> {
    let Some(header) = data.get(..TREE) else {
        return Err(ReadError::at(data.len(), "the file ends within its header of 1024 bytes"));
    };
    let mut warn = |offset, what: String| warnings.push(Warning { place: Place::Offset(offset), what });
    let version = header[2];
    if !(1..=18).contains(&version) {
        warn(2, format!("version {version}; 10 to 18 are known, read like 18"));
    }
    let keys = &header[12..16];
    if keys.iter().fold(0u8, |sum, key| sum.wrapping_add(*key)) != 0 {
        warn(12, "the keys do not add up to 0: the file is damaged or no XQF".into());
    }
    let first: [u8; 16] = std::array::from_fn(|i| header[i]);
    let cipher = Cipher::new(&first);
    let board = read_board(header, version, &cipher);
    let turn = if header[50] == 1 { Color::Black } else { Color::Red };
    let mut game = Game::from_start(Setup { board, turn, quiet_plies: 0, round: 1 });
    read_header(header, encoding, &mut game);
    if header[51] > 4 {
        warn(51, format!("result code {}, taken as unknown", header[51]));
    }
    read_tree(&cipher.plain(data), version, &cipher, encoding, &mut game, &mut warn);
    game.trust_first_piece();
    Ok(game)
}

fn read_board(header: &[u8], version: u8, cipher: &Cipher) -> Board {
    let mut board = Board::EMPTY;
    for (i, raw) in header[16..48].iter().enumerate() {
        let slot = if version >= 12 { (i + 1 + usize::from(cipher.pieces)) % 32 } else { i };
        if let (Some(square), Some(piece)) =
            (square(raw.wrapping_sub(cipher.pieces)), Piece::from_letter(char::from(PIECES[slot])))
        {
            board.put(square, piece);
        }
    }
    board
}

fn read_header(header: &[u8], encoding: &'static Encoding, game: &mut Game) {
    for (offset, width, tag) in TEXTS {
        let length = usize::from(header[offset]).min(width - 1);
        let bytes = &header[offset + 1..offset + 1 + length];
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(length);
        let text = Text::decode(&bytes[..end], encoding);
        if !text.as_str().trim().is_empty() {
            game.headers.set(tag, text);
        }
    }
    if let Some(kind) = KINDS.get(usize::from(header[64])).filter(|_| header[64] != 0) {
        game.headers.set(Tag::Kind, *kind);
    }
    game.outcome = match header[51] {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 => Outcome::Draw,
        4 => Outcome::Several,
        _ => Outcome::Unknown,
    };
}

/// One record of the tree.
struct Record<'a> {
    from: u8,
    to: u8,
    child: bool,
    sibling: bool,
    comment: &'a [u8],
}

fn record<'a>(cursor: &mut Cursor<'a>, version: u8, cipher: &Cipher) -> Option<Record<'a>> {
    let [from, to, flags, _] = cursor.array()?;
    let plain = version <= 10;
    let (child, sibling) = match plain {
        true => (flags & 0xf0 != 0, flags & 0x0f != 0),
        false => (flags & 0x80 != 0, flags & 0x40 != 0),
    };
    let comment = if plain || flags & 0x20 != 0 {
        let length = cursor.u32()?.wrapping_sub(cipher.length);
        cursor.take(length as usize)?
    } else {
        &[]
    };
    let from = from.wrapping_sub(0x18).wrapping_sub(cipher.from);
    let to = to.wrapping_sub(0x20).wrapping_sub(cipher.to);
    Some(Record { from, to, child, sibling, comment })
}

fn read_tree(
    tree: &[u8],
    version: u8,
    cipher: &Cipher,
    encoding: &'static Encoding,
    game: &mut Game,
    warn: &mut impl FnMut(usize, String),
) {
    let mut cursor = Cursor::at(tree, 0);
    // Where the alternatives still to come belong; the deepest is last.
    let mut parents: Vec<NodeId> = Vec::new();
    let mut parent = None;
    loop {
        let offset = TREE + cursor.offset();
        let Some(record) = record(&mut cursor, version, cipher) else {
            warn(offset, "the file ends within the tree; the plies before are kept".into());
            break;
        };
        let node = match parent {
            None => NodeId::ROOT,
            Some(parent) => game.tree.add(parent, ply(record.from, record.to)),
        };
        if !record.comment.is_empty() {
            game.tree.node_mut(node).comment = Some(Text::decode(record.comment, encoding).with_unix_lines());
        }
        // The start has no alternatives; a flag that says so is noise.
        if let Some(parent) = parent.filter(|_| record.sibling) {
            parents.push(parent);
        }
        parent = if record.child { Some(node) } else { parents.pop() };
        if parent.is_none() {
            break;
        }
    }
}

fn ply(from: u8, to: u8) -> Ply {
    match (square(from), square(to)) {
        (Some(from), Some(to)) => Ply::Move(Move::new(from, to)),
        _ => Ply::Unread(format!("{from}-{to}").into()),
    }
}

/// A square is file * 10 + rank.
fn square(number: u8) -> Option<Square> {
    let number = usize::from(number);
    Some(Square::at(File::new(number / 10)?, Rank::new(number % 10)?))
}
