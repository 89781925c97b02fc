//! The profile of one board.

use std::fmt;

use sense::{Debounce, Orientation};
use serde::{Deserialize, Serialize};
use xiangqi::{Bitboard, Square};

use crate::BoardCamera;

/// How the reeds of a board are wired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Shift registers on SPI.
    #[default]
    Serial,
    /// A GPIO for every row and column.
    Direct,
}

/// What is particular about one board. Every key but `board` has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardProfile {
    /// The board's id: letters, digits, `-` and `_`, at most 32; it is part of topics and file names.
    pub board: String,
    /// How the reeds are wired.
    #[serde(default)]
    pub variant: Variant,
    /// Whether the board lies with Black's home row at row wire 0.
    #[serde(default)]
    pub turned: bool,
    /// How often the reeds are read, in hertz.
    #[serde(default = "scan_hz")]
    pub scan_hz: u64,
    /// A point is settled when its reading was constant for so long, in microseconds.
    #[serde(default = "settle_us")]
    pub settle_us: u64,
    /// A point that does not settle for so long chatters, in microseconds.
    #[serde(default = "chatter_us")]
    pub chatter_us: u64,
    /// Points whose reeds are known to be broken; what they say is left out.
    #[serde(default)]
    pub masked: Vec<Square>,
    /// Its camera, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<BoardCamera>,
}

fn scan_hz() -> u64 {
    1_000
}

fn settle_us() -> u64 {
    Debounce::default().settle_us
}

fn chatter_us() -> u64 {
    Debounce::default().chatter_us
}

/// Why a profile is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError(pub String);

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}

impl BoardProfile {
    /// A profile with the defaults.
    pub fn new(board: &str) -> BoardProfile {
        BoardProfile {
            board: board.to_owned(),
            variant: Variant::default(),
            turned: false,
            scan_hz: scan_hz(),
            settle_us: settle_us(),
            chatter_us: chatter_us(),
            masked: Vec::new(),
            camera: None,
        }
    }

    /// Reads and checks a profile.
    pub fn from_toml(text: &str) -> Result<BoardProfile, ProfileError> {
        let profile: BoardProfile =
            toml::from_str(text).map_err(|e| ProfileError(e.to_string().trim_end().to_owned()))?;
        let named = !profile.board.is_empty()
            && profile.board.len() <= 32
            && profile.board.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        if !named {
            let found = &profile.board;
            return Err(ProfileError(format!(
                "board = {found:?}: expected 1 to 32 letters, digits, - and _, because it names topics and files"
            )));
        }
        if !(100..=1_000).contains(&profile.scan_hz) {
            return Err(ProfileError("scan_hz: expected 100 to 1000 readings a second".to_owned()));
        }
        if !(1_000..=50_000).contains(&profile.settle_us) {
            return Err(ProfileError("settle_us: expected 1000 to 50000 microseconds".to_owned()));
        }
        if profile.settle_us < 2 * profile.scan_us() {
            let least = 2 * profile.scan_us();
            return Err(ProfileError(format!(
                "settle_us: expected {least} or more at scan_hz = {}, because one reading proves nothing",
                profile.scan_hz
            )));
        }
        if profile.chatter_us <= profile.settle_us {
            return Err(ProfileError("chatter_us: expected more than settle_us".to_owned()));
        }
        match profile.camera.as_ref().and_then(BoardCamera::flaw) {
            Some(flaw) => Err(ProfileError(flaw)),
            None => Ok(profile),
        }
    }

    /// The file that [`from_toml`](BoardProfile::from_toml) reads.
    pub fn to_toml(&self) -> String {
        let variant = match self.variant {
            Variant::Serial => "serial",
            Variant::Direct => "direct",
        };
        let masked: Vec<String> = self.masked.iter().map(|square| format!("\"{square}\"")).collect();
        let camera = self.camera.as_ref().map_or(String::new(), BoardCamera::to_toml);
        format!(
            "board = \"{}\"\nvariant = \"{variant}\"\nturned = {}\n\n\
             # How often the reeds are read, in hertz.\nscan_hz = {}\n\n\
             # A point is settled when its reading was constant for so long, in microseconds.\nsettle_us = {}\n\
             # A point that does not settle for so long chatters.\nchatter_us = {}\n\n\
             # Points whose reeds are broken; what they say is left out.\nmasked = [{}]\n{camera}",
            self.board,
            self.turned,
            self.scan_hz,
            self.settle_us,
            self.chatter_us,
            masked.join(", ")
        )
    }

    /// Which way the board lies on its wires.
    pub const fn orientation(&self) -> Orientation {
        if self.turned { Orientation::BlackAtRowZero } else { Orientation::RedAtRowZero }
    }

    /// From reading to reading, in microseconds.
    pub const fn scan_us(&self) -> u64 {
        1_000_000 / self.scan_hz
    }

    /// How long is stable, and how long is broken.
    pub const fn debounce(&self) -> Debounce {
        Debounce { settle_us: self.settle_us, chatter_us: self.chatter_us }
    }

    /// The points whose reeds are known to be broken.
    pub fn masked(&self) -> Bitboard {
        self.masked.iter().copied().collect()
    }
}
