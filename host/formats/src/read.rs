//! Reading whatever the bytes are.

use encoding_rs::{Encoding, GB18030};

use crate::{Format, Game, ReadError, Warning, cbr, xqf};

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
    let bytes_encoding = options.encoding.unwrap_or(GB18030);
    let (format, games) = if xqf::is(data) {
        (Format::Xqf, vec![xqf::read(data, bytes_encoding, &mut warnings)?])
    } else if cbr::is(data) {
        (Format::Cbr, vec![cbr::read(data, 0, data.len(), &mut warnings)?])
    } else if cbr::is_library(data) {
        (Format::Cbl, cbr::read_library(data, &mut warnings)?)
    } else if cbr::is_early_library(data) {
        (Format::CblEarly, cbr::read_early_library(data, bytes_encoding, &mut warnings)?)
    } else {
        return Err(ReadError::of_file("no format of a game record was recognised"));
    };
    Ok(Reading { format, games, warnings })
}
