//! What goes over the wire: topics and payloads, shared by the board that publishes and the venue that follows.
//!
//! | topic | QoS, retained | payload |
//! |---|---|---|
//! | `luozi/v1/board/<board>/status` | 1, retained, last will | [`Status`] |
//! | `luozi/v1/board/<board>/record` | 1 | one line of the journal, byte for byte |
//! | `luozi/v1/board/<board>/game/<game>/snapshot` | 1, retained | [`Snapshot`](crate::Snapshot) |
//! | `luozi/v1/board/<board>/refill` | 1, to the board | [`Refill`] |
//! | `luozi/v1/board/<board>/order` | 1, to the board | [`SignedOrder`] |
//! | `luozi/v1/board/<board>/answer` | 1 | [`Answer`] |
//!
//! Payloads are JSON with a version `v`. Readers ignore unknown keys, unknown topics and versions that they do not know.

mod alarm;
mod answer;
mod signed_order;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

pub use alarm::Alarm;
pub use answer::{Answer, Outcome, Rejection};
pub use signed_order::{OrderBody, ParseKeyError, PublicKey, SecretKey, SignedOrder};

/// The filter that matches everything boards publish.
pub const ALL_BOARDS: &str = "luozi/v1/board/#";

/// The filter that matches what boards answer to orders.
pub const ALL_ANSWERS: &str = "luozi/v1/board/+/answer";

/// The filter that matches what boards say of themselves.
pub const ALL_STATUSES: &str = "luozi/v1/board/+/status";

const PREFIX: &str = "luozi/v1/board/";

/// A topic of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic<'a> {
    /// Whether the board is there and what it plays.
    Status {
        /// The board's id.
        board: &'a str,
    },
    /// The board's journal, line by line.
    Record {
        /// The board's id.
        board: &'a str,
    },
    /// The state of a game.
    Snapshot {
        /// The board's id.
        board: &'a str,
        /// The game's id.
        game: &'a str,
    },
    /// A follower asks the board for lines that it has missed.
    Refill {
        /// The board's id.
        board: &'a str,
    },
    /// An arbiter gives an order.
    Order {
        /// The board's id.
        board: &'a str,
    },
    /// The board says what became of an order.
    Answer {
        /// The board's id.
        board: &'a str,
    },
}

impl<'a> Topic<'a> {
    /// The topic with that name, if it is one of ours.
    pub fn parse(name: &'a str) -> Option<Topic<'a>> {
        let mut parts = name.strip_prefix(PREFIX)?.split('/');
        let board = parts.next().filter(|id| is_id(id))?;
        let topic = match (parts.next()?, parts.next(), parts.next()) {
            ("status", None, None) => Topic::Status { board },
            ("record", None, None) => Topic::Record { board },
            ("refill", None, None) => Topic::Refill { board },
            ("order", None, None) => Topic::Order { board },
            ("answer", None, None) => Topic::Answer { board },
            ("game", Some(game), Some("snapshot")) if is_id(game) => Topic::Snapshot { board, game },
            _ => return None,
        };
        parts.next().is_none().then_some(topic)
    }
}

impl fmt::Display for Topic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Topic::Status { board } => write!(f, "{PREFIX}{board}/status"),
            Topic::Record { board } => write!(f, "{PREFIX}{board}/record"),
            Topic::Refill { board } => write!(f, "{PREFIX}{board}/refill"),
            Topic::Order { board } => write!(f, "{PREFIX}{board}/order"),
            Topic::Answer { board } => write!(f, "{PREFIX}{board}/answer"),
            Topic::Snapshot { board, game } => write!(f, "{PREFIX}{board}/game/{game}/snapshot"),
        }
    }
}

/// Whether a text may name a board or a game: 1 to 64 letters, digits, `-`, `_` or `.`, so that it is one level of a
/// topic and a file name too.
pub fn is_id(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=64).contains(&text.len()) && text.bytes().all(allowed) && !text.starts_with('.')
}

/// Whether a board is there and what it plays. Its last will says `online: false`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The version of this format.
    pub v: u32,
    /// The board's id.
    pub board: String,
    /// Whether the board is connected.
    pub online: bool,
    /// The game that it plays, if it plays one.
    pub game: Option<String>,
    /// The board's uptime when it said so, in microseconds.
    pub us: u64,
    /// The public key with which the board signs its journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What is wrong with the board, in English words. It plays on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alarm: Option<String>,
    /// The same for programs, which may say it in another language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alarms: Vec<Alarm>,
}

impl Status {
    /// The version of this format.
    pub const VERSION: u32 = 1;

    /// Of a board of which nothing else is known.
    pub fn new(board: &str, online: bool) -> Status {
        Status {
            v: Status::VERSION,
            board: board.into(),
            online,
            game: None,
            us: 0,
            key: None,
            alarm: None,
            alarms: Vec::new(),
        }
    }

    /// With alarms, as words and for programs.
    pub fn with_alarms(mut self, alarms: &[Alarm]) -> Status {
        let words: Vec<String> = alarms.iter().map(Alarm::to_string).collect();
        self.alarm = Some(words.join("; ")).filter(|words| !words.is_empty());
        self.alarms = alarms.to_vec();
        self
    }
}

/// A follower has missed lines: the board sends them again on its record topic, at most [`Refill::MOST`] for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refill {
    /// The version of this format.
    pub v: u32,
    /// The first line wanted.
    pub from: u64,
    /// The line before which to stop.
    pub to: u64,
}

impl Refill {
    /// The version of this format.
    pub const VERSION: u32 = 1;

    /// The most lines that one request brings; ask again for more.
    pub const MOST: u64 = 10_000;
}
