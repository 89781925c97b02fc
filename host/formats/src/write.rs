//! Writing games in a format.

use xiangqi::notation::Script;

use crate::dialects::write_wxf;
use crate::losses::Losses;
use crate::{Format, Game, Loss, Style, WriteError, cbf, cbr, dhtmlxq, json, pgn, xqf};

/// How to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// The notation of formats that write moves as text.
    pub style: Style,
    /// The characters of Chinese notation.
    pub script: Script,
}

/// A file, and what it does not hold.
#[derive(Clone, Debug)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What was lost, game by game: the number of the game from 0, and the loss.
    pub losses: Vec<(usize, Loss)>,
}

/// Writes games. A format that holds one game takes the first; the others are a [`Loss::Games`].
///
/// # Errors
///
/// When there is no game, when the format is only read, or when a game is one that the format cannot hold at all.
pub fn write(games: &[Game], format: Format, options: &WriteOptions) -> Result<Written, WriteError> {
    if games.is_empty() {
        return Err(WriteError("there is no game to write".into()));
    }
    let fits = if format.holds_many() { games.len() } else { 1 };
    let mut written = Written { bytes: Vec::new(), losses: Vec::new() };
    for (number, game) in games[..fits].iter().enumerate() {
        let mut losses = Losses::default();
        if number > 0 && format == Format::Pgn {
            written.bytes.push(b'\n');
        }
        written.bytes.extend(write_one(game, format, options, &mut losses)?);
        written.losses.extend(losses.into_list().into_iter().map(|loss| (number, loss)));
    }
    if fits < games.len() {
        written.losses.push((0, Loss::Games(games.len() - fits)));
    }
    Ok(written)
}

fn write_one(
    game: &Game,
    format: Format,
    options: &WriteOptions,
    losses: &mut Losses,
) -> Result<Vec<u8>, WriteError> {
    Ok(match format {
        Format::Pgn => pgn::write(game, options.style, options.script, losses).into_bytes(),
        Format::Wxf => write_wxf(game, losses).into_bytes(),
        Format::Json => json::write(game).into_bytes(),
        Format::Xqf => xqf::write(game, losses)?,
        Format::Cbr => cbr::write(game, losses),
        Format::Cbf => cbf::write(game, losses).into_bytes(),
        Format::DhtmlXq => dhtmlxq::write(game, losses)?.into_bytes(),
        _ => {
            let written: Vec<&str> = Format::all().filter(|f| f.is_written()).map(Format::name).collect();
            return Err(WriteError(format!("{format} is only read; written are {}", written.join(", "))));
        }
    })
}
