//! Reading whatever the bytes are.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::Read as _;

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16LE};
use flate2::read::MultiGzDecoder;

use crate::{
    Format, Game, Place, ReadError, Warning, audit, cbf, cbr, dhtmlxq, diagram, dialects, json, pgn,
    problems, relics, xqf,
};

/// How to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The encoding of the text. Without it, what the format prescribes, or what makes the moves legible.
    pub encoding: Option<&'static Encoding>,
}

/// What a file held.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The format that was found.
    pub format: Format,
    /// The games, in the order of the file. There may be none.
    pub games: Vec<Game>,
    /// What is odd about the file.
    pub warnings: Vec<Warning>,
}

/// Finds the format of a file and reads it.
///
/// # Errors
///
/// When no format is recognised, or the file is damaged before its first game.
pub fn read(data: &[u8], options: &ReadOptions) -> Result<Reading, ReadError> {
    let mut warnings = Vec::new();
    let data = &*unpacked(data, &mut warnings);
    let (format, games) = match read_binary(data, options, &mut warnings)? {
        Some(found) => found,
        None => read_text(data, options, &mut warnings)?,
    };
    Ok(Reading { format, games, warnings })
}

/// What a gzip file holds at most, unpacked.
const MOST: u64 = 1 << 30;

/// The file within a gzip file; others as they are.
fn unpacked<'a>(data: &'a [u8], warnings: &mut Vec<Warning>) -> Cow<'a, [u8]> {
    if !data.starts_with(&[0x1f, 0x8b]) {
        return data.into();
    }
    let mut plain = Vec::new();
    if let Err(error) = MultiGzDecoder::new(data).take(MOST).read_to_end(&mut plain) {
        let what = format!("the gzip file is damaged: {error}; what came before is read");
        warnings.push(Warning { place: Place::Offset(0), what });
    }
    plain.into()
}

/// What a reader of some formats found: none of them, or which and the games.
type Found = Result<Option<(Format, Vec<Game>)>, ReadError>;

/// The formats that are bytes.
fn read_binary(data: &[u8], options: &ReadOptions, warnings: &mut Vec<Warning>) -> Found {
    let encoding = options.encoding.unwrap_or(GB18030);
    Ok(Some(if xqf::is(data) {
        (Format::Xqf, vec![xqf::read(data, encoding, warnings)?])
    } else if cbr::is(data) {
        (Format::Cbr, vec![cbr::read(data, 0, data.len(), warnings)?])
    } else if cbr::is_library(data) {
        (Format::Cbl, cbr::read_library(data, warnings)?)
    } else if cbr::is_early_library(data) {
        (Format::CblEarly, cbr::read_early_library(data, encoding, warnings)?)
    } else if relics::is_mxq(data) {
        (Format::Mxq, vec![relics::read_mxq(data, encoding, warnings)])
    } else if relics::is_chn(data) {
        (Format::Chn, vec![relics::read_chn(data, encoding)])
    } else if relics::is_ccm(data) {
        (Format::Ccm, vec![relics::read_ccm(data)])
    } else if relics::is_che(data) {
        (Format::Che, vec![relics::read_che(data, warnings)])
    } else {
        return Ok(None);
    }))
}

/// The formats that are text.
fn read_text(
    data: &[u8],
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(Format, Vec<Game>), ReadError> {
    let text = decode(data, options.encoding);
    if cbf::is(&text) {
        Ok((Format::Cbf, vec![cbf::read(&text, warnings)?]))
    } else if pgn::is_at_once(&text) {
        Ok((Format::Pgn, pgn::read(&text, warnings)))
    } else if json::is(&text) {
        Ok((Format::Json, json::read(&text, warnings)?))
    } else if dialects::is_wxf_at_once(&text) {
        Ok((Format::Wxf, pgn::read(&dialects::from_wxf(&text), warnings)))
    } else if dhtmlxq::is(&text) {
        Ok((Format::DhtmlXq, dhtmlxq::read(&text, warnings)?))
    } else if let Some(game) = dhtmlxq::read_digits(&text) {
        Ok((Format::DhtmlXq, vec![game]))
    } else if pgn::is(&text) {
        Ok((Format::Pgn, pgn::read(&text, warnings)))
    } else if dialects::is_wxf(&text) {
        Ok((Format::Wxf, pgn::read(&dialects::from_wxf(&text), warnings)))
    } else if dialects::is_engine(&text) {
        Ok((Format::Engine, pgn::read(&dialects::from_engine(&text), warnings)))
    } else if diagram::is(&text) {
        Ok((Format::Diagram, vec![diagram::read(&text)]))
    } else if problems::is(&text) {
        Ok((Format::Problems, problems::read(&text, warnings)))
    } else {
        read_pasted(&text, warnings)
    }
}

/// Moves without a format around them. Text in which nothing is a move is none.
fn read_pasted(text: &str, warnings: &mut Vec<Warning>) -> Result<(Format, Vec<Game>), ReadError> {
    let text = match dialects::is_listing(text) {
        true => dialects::from_listing(text),
        false => dialects::from_sheet(text),
    };
    let mut oddities = Vec::new();
    let games = pgn::read(&text, &mut oddities);
    let makes_sense = |game: &Game| {
        let audit = audit(game);
        game.tree.is_empty() && !game.starts_usually()
            || audit.legal_plies * 2 > game.tree.main_line().count()
    };
    if !games.iter().any(makes_sense) {
        return Err(ReadError::of_file(
            "no format of a game record was recognised, and no moves in the text",
        ));
    }
    warnings.extend(oddities);
    Ok((Format::Text, games))
}

/// The text of a file: as told, as its mark says, UTF-8 if it is that; and otherwise in the encoding in which it says
/// most about moves. Big5 read as GB18030 is text, too, but speaks of no move.
fn decode<'a>(data: &'a [u8], told: Option<&'static Encoding>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(data) {
        return encoding.decode_without_bom_handling(&data[mark..]).0;
    }
    if let Some(encoding) = told.or_else(|| std::str::from_utf8(data).is_ok().then_some(UTF_8)) {
        return encoding.decode_without_bom_handling(data).0;
    }
    if data.len() > 3 && data[1] == 0 && data[3] == 0 {
        return UTF_16LE.decode_without_bom_handling(data).0;
    }
    let read = |encoding: &'static Encoding| encoding.decode_without_bom_handling(data).0;
    let worth = |text: &Cow<'_, str>| {
        let directions = text.chars().filter(|c| "进進退平".contains(*c)).count();
        (directions, Reverse(text.matches('\u{fffd}').count()))
    };
    // Of equals the last is taken.
    [UTF_8, BIG5, GB18030].map(read).into_iter().max_by_key(worth).unwrap_or_default()
}
