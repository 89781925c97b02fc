//! How a game ended. Never inferred from the board or the clock: somebody with the right to do so says it.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// The points of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Score {
    /// Red has won (红胜).
    #[serde(rename = "1-0")]
    RedWins,
    /// Black has won (黑胜).
    #[serde(rename = "0-1")]
    BlackWins,
    /// A draw (和).
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Both have lost (双方负).
    #[serde(rename = "0-0")]
    BothLose,
}

/// A result and its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// The points.
    pub score: Score,
    /// Why, in a word: `checkmate`, `stalemate`, `resigned`, `agreed`, `flag`, `ruling`, …
    pub reason: String,
    /// The article that it rests on, as the edition in force numbers it; empty where none was named.
    #[serde(default)]
    pub article: String,
}
