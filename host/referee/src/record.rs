//! The lines of a board's journal.
//!
//! A line is `{"seq":…,"prev":"<hex>","utc_ms":…,"record":{…},"hash":"<hex>"}`. `seq` counts from 0 without gaps over the
//! life of a board; `hash` is over the bytes of the line before `,"hash"`, which include the hash of the line before.
//! The same bytes travel over MQTT.

use alloc::boxed::Box;
use alloc::string::String;

use sense::Debounce;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use xiangqi::{Color, Position, Setup};

use crate::relay::SignedOrder;
use crate::still::Still;
use crate::{Digest, Event, Order};

/// What a line of the journal says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record {
    /// The journal was opened: what wrote it. The first record of every run of the daemon, but for what it sets aside.
    Opened {
        /// Always `luozi-journal`.
        format: String,
        /// The version of the format.
        version: u32,
        /// The board's id.
        board: String,
        /// The version of the daemon.
        firmware: String,
        /// Uptime at this record, in microseconds. It counts on through restarts.
        us: u64,
        /// Which start of the machine this is, where the machine tells.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        boot: String,
        /// How long the daemon was away, in microseconds, if the machine has run all the time and so has measured it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gap_us: Option<u64>,
        /// How many lines this run leaves without a signature at most. Runs of earlier versions do not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unsigned_at_most: Option<u32>,
    },
    /// A game begins, or goes on after a restart (then the `game` has been seen before).
    Game(Box<GameHeader>),
    /// Evidence: a reading of the reeds that differs from the last one.
    Closed {
        /// When, in microseconds.
        us: u64,
        /// The reading, as in a trace.
        closed: String,
    },
    /// Evidence: a clock press.
    Press {
        /// When, in microseconds.
        us: u64,
        /// On whose side.
        side: Color,
    },
    /// Evidence: another panel button.
    Button {
        /// When, in microseconds.
        us: u64,
        /// Which, as in a trace: `adjust`, `draw`, `resign`, `arbiter`.
        button: String,
        /// On whose side, where the panel tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Color>,
    },
    /// Evidence: an arbiter's order, as it reached the board.
    Order {
        /// When, in microseconds.
        us: u64,
        /// The order.
        order: Box<Order>,
        /// Names it, if it came over the wire.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        id: String,
        /// The order as it came over the wire: whoever knows the public key can check who gave it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signed: Option<Box<SignedOrder>>,
    },
    /// What became of a still that an arbiter ordered. No evidence: the referee looks at no pictures.
    Still(Box<Still>),
    /// So many records before this one were left out, because the disk failed for too long.
    LeftOut {
        /// When the disk was back, in microseconds.
        us: u64,
        /// How many.
        records: u64,
    },
    /// What stood from here on was damaged, and is kept in a file beside the journal. The line before is the last good one.
    /// Whoever has other lines from here on, because they had been published, has lines that count no longer.
    SetAside {
        /// The last moment before it of which the journal speaks, in microseconds.
        us: u64,
        /// The file.
        file: String,
        /// The place of the first record in it: that of this one.
        seq: u64,
        /// How long it is.
        bytes: u64,
        /// Its SHA-256 sum.
        sha256: Digest,
    },
    /// The board vouches for everything before this line, see [`checkpoint`](crate::checkpoint).
    Signed {
        /// When, in microseconds.
        us: u64,
        /// The board's public key: 64 hexadecimal digits.
        key: String,
        /// The Ed25519 signature: 128 hexadecimal digits.
        signature: String,
    },
    /// What the referee made of it.
    Event(Event),
    /// A kind that this version does not know. Never written.
    #[serde(other)]
    Unknown,
}

impl Record {
    /// The moment of which it speaks, in microseconds of the board's uptime.
    pub fn us(&self) -> Option<u64> {
        match self {
            Record::Opened { us, .. }
            | Record::Closed { us, .. }
            | Record::Press { us, .. }
            | Record::Button { us, .. }
            | Record::Order { us, .. }
            | Record::LeftOut { us, .. }
            | Record::SetAside { us, .. }
            | Record::Signed { us, .. } => Some(*us),
            Record::Game(header) => Some(header.us),
            Record::Still(still) => Some(still.us),
            Record::Event(event) => Some(event.us),
            Record::Unknown => None,
        }
    }
}

fn standing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
    let setup = Setup::deserialize(deserializer)?;
    Position::standing(setup).map_err(|error| D::Error::custom(alloc::format!("{setup}: {error}")))
}

/// Who plays what, where and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameHeader {
    /// The game's id: stable, and never derived from order or names.
    pub game: String,
    /// When it began, in microseconds.
    pub us: u64,
    /// The position it starts from. Read as one that stands: legal play need not lead there (5.8).
    #[serde(deserialize_with = "standing")]
    pub start: Position,
    /// The rules in force, as an [`Edition`](xiangqi::law::edition::Edition) is written.
    pub rules: String,
    /// The time control as text; without it there is no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Red's name.
    #[serde(default)]
    pub red: String,
    /// Black's name.
    #[serde(default)]
    pub black: String,
    /// The event's name.
    #[serde(default)]
    pub event: String,
    /// The round, as the event writes it.
    #[serde(default)]
    pub round: String,
    /// The table, as the event writes it.
    #[serde(default)]
    pub table: String,
    /// How this board's reeds are debounced, where that is not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reeds: Option<Reeds>,
}

impl GameHeader {
    /// The header of a game that begins at 0 without clock, names, event or reeds of its own; what is known is set beside it.
    pub fn new(game: impl Into<String>, start: Position, rules: impl Into<String>) -> GameHeader {
        GameHeader {
            game: game.into(),
            us: 0,
            start,
            rules: rules.into(),
            clock: None,
            red: String::new(),
            black: String::new(),
            event: String::new(),
            round: String::new(),
            table: String::new(),
            reeds: None,
        }
    }
}

/// What the profile of a board says of its reeds; the evidence of its games is read with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reeds {
    /// A point is settled when its reading was constant for so long, in microseconds.
    pub settle_us: u64,
    /// A point that does not settle for so long chatters, in microseconds.
    pub chatter_us: u64,
}

impl GameHeader {
    /// How the reeds are debounced.
    pub fn debounce(&self) -> Debounce {
        self.reeds.map_or_else(Debounce::default, Debounce::from)
    }
}

impl From<Debounce> for Reeds {
    fn from(Debounce { settle_us, chatter_us }: Debounce) -> Reeds {
        Reeds { settle_us, chatter_us }
    }
}

impl From<Reeds> for Debounce {
    fn from(Reeds { settle_us, chatter_us }: Reeds) -> Debounce {
        Debounce { settle_us, chatter_us }
    }
}
