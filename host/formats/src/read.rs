//! Reading whatever the bytes are.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030};
use flate2::read::MultiGzDecoder;

use crate::decode::decode;
use crate::movetext::{Scanner, Token};
use crate::packed::{Unpacked, unpack};
use crate::{
    Format, Game, Headers, Place, ReadError, Tree, Warning, Warnings, audit, cbf, cbr, dhtmlxq, diagram,
    dialects, json, pgn, problems, relics, xqf,
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
    /// The games, records or lines that could not be read, at most the first thousand. The games are the others.
    pub lost: Vec<ReadError>,
}

/// Finds the format of a file and reads it.
///
/// # Errors
///
/// When no format is recognised, or the file is damaged before its first game.
pub fn read(data: &[u8], options: &ReadOptions) -> Result<Reading, ReadError> {
    let mut warnings = Warnings::default();
    let data = &*unpacked(data, &mut warnings)?;
    let (format, mut games) = match read_binary(data, options, &mut warnings)? {
        Some(found) => found,
        None => read_text(data, options, &mut warnings)?,
    };
    keep_whole(&mut games, &mut warnings);
    let (warnings, mut lost) = warnings.into_lists();
    if games.is_empty() && !lost.is_empty() {
        return Err(lost.remove(0).within(format));
    }
    Ok(Reading { format, games, warnings, lost })
}

/// Leaves out games that are larger than what is kept of one, and says so.
fn keep_whole(games: &mut Vec<Game>, warnings: &mut Warnings) {
    let mut number = 0;
    games.retain(|game| {
        number += 1;
        let most = if game.tree.is_over_full() {
            format!("{} plies or variations 10,000 deep", Tree::MOST_PLIES)
        } else if game.headers.is_over_full() {
            format!("{} header fields", Headers::MOST_FIELDS)
        } else {
            return true;
        };
        warnings
            .lose(ReadError::of_file(format!("game {number} has more than {most}, the most that is read")));
        false
    });
}

/// The file within a gzip file; others as they are.
fn unpacked<'a>(data: &'a [u8], warnings: &mut Warnings) -> Result<Cow<'a, [u8]>, ReadError> {
    if !data.starts_with(&[0x1f, 0x8b]) {
        return Ok(data.into());
    }
    let Unpacked { bytes, broken } = unpack(MultiGzDecoder::new(data), data.len())
        .map_err(|problem| ReadError::of_file(format!("gzip: {problem}")))?;
    if let Some(error) = broken {
        if bytes.is_empty() {
            return Err(ReadError::of_file(format!("gzip: damaged from its beginning: {error}")));
        }
        let what = format!("the gzip file is damaged: {error}; what came before is read");
        warnings.push(Warning { place: Place::Offset(0), what });
    }
    Ok(bytes.into())
}

/// What a reader of some formats found: none of them, or which and the games.
type Found = Result<Option<(Format, Vec<Game>)>, ReadError>;

/// The formats that are bytes.
fn read_binary(data: &[u8], options: &ReadOptions, warnings: &mut Warnings) -> Found {
    let encoding = options.encoding.unwrap_or(GB18030);
    let one = |game| vec![game];
    let (format, games) = if xqf::is(data) {
        (Format::Xqf, xqf::read(data, encoding, warnings).map(one))
    } else if cbr::is(data) {
        (Format::Cbr, cbr::read(data, 0, data.len(), warnings).map(one))
    } else if cbr::is_library(data) {
        (Format::Cbl, cbr::read_library(data, warnings))
    } else if cbr::is_early_library(data) {
        (Format::CblEarly, cbr::read_early_library(data, encoding, warnings))
    } else if relics::is_mxq(data) {
        (Format::Mxq, Ok(one(relics::read_mxq(data, encoding, warnings))))
    } else if relics::is_chn(data) {
        (Format::Chn, relics::read_chn(data, encoding, warnings).map(one))
    } else if relics::is_ccm(data) {
        (Format::Ccm, Ok(one(relics::read_ccm(data, warnings))))
    } else if relics::is_che(data) {
        (Format::Che, Ok(one(relics::read_che(data, warnings))))
    } else {
        return Ok(None);
    };
    games.map(|games| Some((format, games))).map_err(|error| error.within(format))
}

/// The formats that are text.
fn read_text(
    data: &[u8],
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<(Format, Vec<Game>), ReadError> {
    let text = &*decode(data, options.encoding, warnings);
    let (format, games) = if cbf::is(text) {
        (Format::Cbf, cbf::read(text, warnings).map(|game| vec![game]))
    } else if pgn::is_at_once(text) {
        (Format::Pgn, Ok(pgn::read(text, warnings)))
    } else if json::is(text) {
        (Format::Json, Ok(json::read(text, warnings)))
    } else if dialects::is_wxf_at_once(text) {
        (Format::Wxf, Ok(read_wxf(text, warnings)))
    } else if dhtmlxq::is(text) {
        (Format::DhtmlXq, dhtmlxq::read(text, warnings))
    } else if let Some(game) = dhtmlxq::read_digits(text) {
        (Format::DhtmlXq, Ok(vec![game]))
    } else if pgn::is(text) {
        (Format::Pgn, Ok(pgn::read(text, warnings)))
    } else if dialects::is_wxf(text) {
        (Format::Wxf, Ok(read_wxf(text, warnings)))
    } else if dialects::is_engine(text) {
        (Format::Engine, Ok(pgn::read(&dialects::from_engine(text), warnings)))
    } else if diagram::is(text) {
        (Format::Diagram, Ok(vec![diagram::read(text, warnings)]))
    } else if problems::is(text) {
        (Format::Problems, Ok(problems::read(text, warnings)))
    } else {
        return read_pasted(text, warnings);
    };
    Ok((format, games.map_err(|error| error.within(format))?))
}

fn read_wxf(text: &str, warnings: &mut Warnings) -> Vec<Game> {
    if dialects::is_cut_wxf(text) {
        let what = "no }END behind the moves: the file may be cut off".into();
        warnings.push(Warning { place: Place::Line(text.lines().count()), what });
    }
    pgn::read(&dialects::from_wxf(text), warnings)
}

/// Moves without a format around them. Text in which nothing is a move is none.
fn read_pasted(text: &str, warnings: &mut Warnings) -> Result<(Format, Vec<Game>), ReadError> {
    let text = match dialects::is_listing(text) {
        true => dialects::from_listing(text),
        false => dialects::from_sheet(text),
    };
    let mut oddities = Warnings::default();
    let games = pgn::read(&text, &mut oddities);
    let makes_sense = |game: &Game| match game.tree.len() {
        0 => !game.starts_usually(),
        // An illegal ply is data. Prose in which a word or two could be moves is none.
        plies => {
            let legal = plies - audit(game).faults.len().min(plies);
            (legal >= 4 && legal * 2 > plies) || mostly_moves(&text)
        }
    };
    if !games.iter().any(makes_sense) {
        return Err(ReadError::of_file(
            "no format of a game record was recognised, and no moves in the text",
        ));
    }
    *warnings = oddities;
    Ok((Format::Text, games))
}

/// Whether more words of a text look like moves than do not.
fn mostly_moves(text: &str) -> bool {
    let (mut moves, mut others) = (0, 0);
    for (token, _) in Scanner::new(text) {
        match token {
            Token::Move(_) => moves += 1,
            Token::Junk(junk) => others += usize::from(junk.chars().any(char::is_alphanumeric)),
            Token::Comment(said) => others += said.split_whitespace().count(),
            _ => {}
        }
    }
    moves > others
}
