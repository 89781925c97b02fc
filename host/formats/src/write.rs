//! Writing games in a format.

use crate::losses::Losses;
use crate::{Format, Game, Loss, WriteError, cbr, xqf};

/// How to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {}

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
pub fn write(games: &[Game], format: Format, _options: &WriteOptions) -> Result<Written, WriteError> {
    let Some(first) = games.first() else { return Err(WriteError("there is no game to write".into())) };
    let mut losses = Losses::default();
    let bytes = match format {
        Format::Xqf => xqf::write(first, &mut losses)?,
        Format::Cbr => cbr::write(first, &mut losses),
        Format::Cbl | Format::CblEarly => {
            return Err(WriteError(format!("{format} is only read; write cbr")));
        }
    };
    let mut losses: Vec<(usize, Loss)> = losses.into_list().into_iter().map(|loss| (0, loss)).collect();
    if games.len() > 1 {
        losses.push((0, Loss::Games(games.len() - 1)));
    }
    Ok(Written { bytes, losses })
}
