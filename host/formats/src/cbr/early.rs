//! Reading the libraries of older versions of CCBridge: compressed, with texts in GB18030.
//!
//! After a header of twenty bytes comes a zlib stream. In it stand the library's texts and then the records, each with
//! its length. A record's moves carry the number of their ply; a number that does not follow on begins an alternative,
//! and alternatives come deepest first. After the moves stands a line of comment for each.

use encoding_rs::Encoding;
use flate2::read::ZlibDecoder;
use xiangqi::{Board, Color, Move, Piece, Setup, Square};

use crate::cursor::Cursor;
use crate::packed::{Unpacked, unpack};
use crate::pieces::PIECES;
use crate::{Game, NodeId, Outcome, Place, Ply, ReadError, Tag, Text, Warning, Warnings};

const MAGIC: &[u8; 12] = b"CCBridge\x15\0\0\0";
const HEADER: usize = 20;

/// Whether the bytes begin as such a library does.
pub(crate) fn is_early_library(data: &[u8]) -> bool {
    data.starts_with(MAGIC)
}

/// Reads all records.
pub(crate) fn read_early_library(
    data: &[u8],
    encoding: &'static Encoding,
    warnings: &mut Warnings,
) -> Result<Vec<Game>, ReadError> {
    let stream = data.get(HEADER..).unwrap_or(&[]);
    let Unpacked { bytes: plain, broken } = unpack(ZlibDecoder::new(stream), stream.len())
        .map_err(|problem| ReadError::at(HEADER, format!("zlib: {problem}")))?;
    if let Some(error) = broken {
        if plain.is_empty() {
            return Err(ReadError::at(HEADER, format!("expected a zlib stream: {error}")));
        }
        let what = format!("the zlib stream breaks off: {error}; what came before is read");
        warnings.push(Warning { place: Place::Offset(HEADER), what });
    }
    let mut cursor = Cursor::at(&plain, 0);
    let Some(count) = library_header(&mut cursor) else {
        return Err(ReadError::at(
            HEADER,
            "the library ends within its header (offsets after decompression)",
        ));
    };
    let mut games = Vec::new();
    for number in 0..count {
        let offset = cursor.offset();
        let mut cut = |what: &str| {
            let what = format!("record {number} at byte {offset} after decompression {what}");
            warnings.push(Warning { place: Place::Offset(HEADER), what });
        };
        let record = cursor.u32().and_then(|length| cursor.take((length as usize).checked_sub(4)?));
        let Some(record) = record else {
            cut(&format!("is cut off; {} records are lost", count - number));
            break;
        };
        let mut game = Game::new();
        if read_record(&mut Cursor::at(record, 0), encoding, &mut game).is_none() {
            cut("ends early; what came before is kept");
        }
        game.trust_first_piece();
        games.push(game);
    }
    Ok(games)
}

/// Passes the library's own texts and dates; gives the number of records.
fn library_header(cursor: &mut Cursor<'_>) -> Option<u32> {
    for _ in 0..5 {
        text(cursor)?;
    }
    cursor.take(2 * 19)?;
    let count = cursor.u32()?;
    text(cursor)?;
    Some(count)
}

fn text<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let length = cursor.u32()?;
    cursor.take(length as usize)
}

/// Texts of a record before its result.
const BEFORE: [Option<Tag>; 7] =
    [Some(Tag::Title), None, None, None, None, Some(Tag::Opening), Some(Tag::Variation)];
/// Texts after it; the last is the comment on the start.
const AFTER: [Option<Tag>; 4] = [None, None, Some(Tag::Author), None];

fn read_record(record: &mut Cursor<'_>, encoding: &'static Encoding, game: &mut Game) -> Option<()> {
    game.start = Setup { board: read_board(record.take(32)?), turn: Color::Red, quiet_plies: 0, round: 1 };
    record.take(3 * 4)?;
    let mut set = |number: usize, tag: &Option<Tag>, bytes: &[u8]| {
        let place = format!("CCBridge{number}");
        let tag = tag.clone().unwrap_or_else(|| Tag::Other(place.into()));
        game.headers.set(tag, Text::decode(bytes, encoding));
    };
    for (i, tag) in BEFORE.iter().enumerate() {
        set(i, tag, text(record)?);
    }
    let outcome = record.u32()?;
    for (i, tag) in AFTER.iter().enumerate() {
        set(BEFORE.len() + i, tag, text(record)?);
    }
    game.outcome = match outcome {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    comment(game, NodeId::ROOT, text(record)?, encoding);
    record.take(1)?;
    for tag in [Tag::Created, Tag::Modified] {
        let date = Text::decode(record.take(19)?.trim_ascii_end(), encoding);
        game.headers.set(tag, date);
    }
    read_moves(record, encoding, game)
}

fn comment(game: &mut Game, node: NodeId, bytes: &[u8], encoding: &'static Encoding) {
    if !bytes.is_empty() {
        game.tree.node_mut(node).comment = Some(Text::decode(bytes, encoding).with_unix_lines());
    }
}

/// Sixteen times the file plus the rank from the top, both from 1; 0 is off the board.
fn read_board(bytes: &[u8]) -> Board {
    let mut board = Board::EMPTY;
    for (byte, letter) in bytes.iter().zip(PIECES) {
        let square = byte.checked_sub(0x11).and_then(from_halves);
        if let (Some(square), Some(piece)) = (square, Piece::from_letter(char::from(*letter))) {
            board.put(square, piece);
        }
    }
    board
}

/// Sixteen times the file plus the rank from the top.
fn from_halves(byte: u8) -> Option<Square> {
    let (file, row) = (usize::from(byte >> 4), usize::from(byte & 15));
    if file < 9 && row < 10 { Square::new((9 - row) * 9 + file) } else { None }
}

fn read_moves(record: &mut Cursor<'_>, encoding: &'static Encoding, game: &mut Game) -> Option<()> {
    let count = record.u32()?;
    // The nodes of the line that is being read, by ply; the root is ply 0.
    let mut line = vec![NodeId::ROOT];
    let first = game.tree.newest().index() + 1;
    for _ in 0..count {
        let [low, high, from, to, _, _] = record.array()?;
        let number = usize::from(u16::from_le_bytes([low, high]));
        line.truncate(number.max(1));
        let ply = match (from_halves(from), from_halves(to)) {
            (Some(from), Some(to)) => Ply::Move(Move::new(from, to)),
            _ => Ply::Unread(format!("{from:02x}-{to:02x}").into()),
        };
        let parent = line.last().copied().unwrap_or(NodeId::ROOT);
        line.push(game.tree.add(parent, ply));
    }
    // One line for each move, in their order.
    for (i, bytes) in record.rest().split(|byte| *byte == b'\n').enumerate() {
        if let Some(node) = game.tree.nth(first + i) {
            comment(game, node, bytes.strip_suffix(b"\r").unwrap_or(bytes), encoding);
        }
    }
    Some(())
}
