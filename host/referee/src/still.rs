//! What became of a still: a picture of the board that an arbiter ordered of its camera.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::line::Digest;

/// What became of a still that an arbiter ordered. The order stands before it; a camera takes seconds, and play goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Still {
    /// When that was known, in microseconds.
    pub us: u64,
    /// The game in which it was ordered; another may have begun since.
    pub game: String,
    /// The number of the order in that game.
    pub order: u32,
    /// Who ordered it: the arbiter's name.
    pub name: String,
    /// When it was ordered, in microseconds.
    pub ordered_us: u64,
    /// How many plies had been played then.
    pub plies: u32,
    /// Whether there is a picture.
    #[serde(flatten)]
    pub outcome: StillOutcome,
}

/// Whether there is a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum StillOutcome {
    /// There is one.
    Taken {
        /// The file that holds it, beside the journal.
        file: String,
        /// Its length.
        bytes: u64,
        /// Its SHA-256 sum: who changes the picture has to change the journal.
        sha256: Digest,
    },
    /// There is none.
    Failed {
        /// Why, as a sentence for people.
        why: String,
    },
}
