//! The lines of a trace.

use sense::{Frame, Uptime};
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Setup};

/// The first line of a trace. Unknown keys are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always `luozi-trace`.
    pub format: String,
    /// Always 1.
    pub version: u32,
    /// The position believed to stand on the board at time 0.
    pub start: Setup,
    /// Scans a second.
    pub scan_hz: u32,
    /// The board's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The rules in force: an edition, and what the event has set otherwise, `cxa-2010 natural_limit_rounds=40`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The time control, as on the command line; without it there is no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Red's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<String>,
    /// Black's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// The game's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}

impl Header {
    /// The only format name.
    pub const FORMAT: &'static str = "luozi-trace";
    /// The version that this package writes and reads.
    pub const VERSION: u32 = 1;

    /// A header without the optional keys.
    pub fn new(start: Setup, scan_hz: u32) -> Header {
        Header {
            format: Header::FORMAT.to_owned(),
            version: Header::VERSION,
            start,
            scan_hz,
            board: None,
            rules: None,
            clock: None,
            red: None,
            black: None,
            game: None,
        }
    }
}

/// A panel button other than the two clock buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// The player announces that pieces are adjusted (article 5.6).
    Adjust,
    /// The player offers or accepts a draw.
    Draw,
    /// The player resigns.
    Resign,
    /// The player calls the arbiter.
    Arbiter,
}

impl Button {
    /// Every button.
    pub const ALL: [Button; 4] = [Button::Adjust, Button::Draw, Button::Resign, Button::Arbiter];

    /// Its name, as traces and journals write it.
    pub const fn name(self) -> &'static str {
        match self {
            Button::Adjust => "adjust",
            Button::Draw => "draw",
            Button::Resign => "resign",
            Button::Arbiter => "arbiter",
        }
    }

    /// The button of that name.
    pub fn named(name: &str) -> Option<Button> {
        Button::ALL.into_iter().find(|button| button.name() == name)
    }
}

/// The latest time that a trace may have: 2^53 − 1 µs, 285 years. Beyond it JSON numbers are not exact everywhere, and what
/// is due a while later would have no moment.
pub const LATEST: Uptime = Uptime::from_us((1 << 53) - 1);

/// One line after the header.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// When it was made.
    pub at: Uptime,
    /// What was sensed.
    pub sensed: Sensed,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Sensed {
    /// A reading of the matrix that differs from the last one.
    Closed(Frame),
    /// A player pressed the clock button on that side.
    Press(Color),
    /// Another panel button; `None` where the panel does not tell whose.
    Button(Button, Option<Color>),
    /// A picture was taken; its path, relative to the trace.
    Camera(String),
}

/// The line as it is written.
#[derive(Serialize, Deserialize)]
pub(crate) struct Line {
    us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    press: Option<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    button: Option<Button>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    camera: Option<String>,
}

impl From<&Observation> for Line {
    fn from(observation: &Observation) -> Line {
        let us = observation.at.as_us();
        let empty = Line { us, closed: None, press: None, button: None, side: None, camera: None };
        match &observation.sensed {
            Sensed::Closed(frame) => Line { closed: Some(frame.to_string()), ..empty },
            Sensed::Press(side) => Line { press: Some(*side), ..empty },
            Sensed::Button(button, side) => Line { button: Some(*button), side: *side, ..empty },
            Sensed::Camera(path) => Line { camera: Some(path.clone()), ..empty },
        }
    }
}

impl TryFrom<Line> for Observation {
    type Error = String;

    fn try_from(line: Line) -> Result<Observation, String> {
        let at = Uptime::from_us(line.us);
        if at > LATEST {
            return Err(format!("us {}: expected at most {}", line.us, LATEST.as_us()));
        }
        let sensed = match (line.closed, line.press, line.button, line.camera) {
            (Some(closed), None, None, None) => {
                Sensed::Closed(closed.parse().map_err(|e| format!("closed {closed:?}: {e}"))?)
            }
            (None, Some(side), None, None) => Sensed::Press(side),
            (None, None, Some(button), None) => Sensed::Button(button, line.side),
            (None, None, None, Some(path)) => Sensed::Camera(path),
            _ => return Err("expected exactly one of closed, press, button, camera".to_owned()),
        };
        Ok(Observation { at, sensed })
    }
}
