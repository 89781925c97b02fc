//! Scenarios: gestures at one board, written down line by line, and what the referee should make of them.
//!
//! A line is a comment (`#`), a key with its value, or a gesture with its time:
//!
//! ```text
//! # 5.1: the cannon is touched, then the horse is moved.
//! clock 60m
//! 1.0   red lifts h2
//! +0.6  red sets h2 on h2
//! +1.0  red moves h0g2
//! +0.5  red presses
//! expect moves h0g2
//! expect incident touch_not_moved red 5.1 h2
//! ```
//!
//! A time is seconds since the start (`12.5`), since the end of the gesture before (`+0.6`), or since its beginning
//! (`^0.1`, for what happens at the same time). `tests/scenarios/README.md` lists every word.

mod parse;
mod stage;

use sense::Uptime;
use xiangqi::{Board, Color, Move, Piece, Setup, Square};

use crate::fault::FaultKind;
use crate::script::Panel;
use crate::style::Capture;

pub use parse::ScenarioError;

/// Gestures at one board and what is expected of the referee.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The position believed to stand on the board at time 0.
    pub start: Setup,
    /// What really stands there.
    pub stands: Board,
    /// The time control; `None` where there is no clock.
    pub clock: Option<String>,
    /// The edition of the rules.
    pub rules: Option<String>,
    /// What is expected, in the order of the lines.
    pub expectations: Vec<Expectation>,
    steps: Vec<Step>,
}

/// An `expect` line: its words are for whoever checks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The line, from 1.
    pub line: usize,
    /// The words after `expect`.
    pub words: Vec<String>,
}

/// A gesture with its time.
#[derive(Clone, Debug)]
struct Step {
    line: usize,
    when: When,
    deed: Deed,
    /// How long it takes, where the line says so, in microseconds.
    took_us: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum When {
    At(Uptime),
    AfterEnd(u64),
    AfterBegin(u64),
}

/// What is done. A piece is named by the point where it stood last.
#[derive(Clone, Debug)]
enum Deed {
    Lift(Square),
    Set { piece: Square, on: Square },
    SetBetween { piece: Square, points: (Square, Square) },
    Move(Move),
    Slide { mv: Move, stops: Vec<(Square, u64)> },
    Capture { by: Color, mv: Move, manner: Capture },
    Remove { by: Color, piece: Square },
    Touch { piece: Square, us: u64 },
    Nudge(Square),
    Knock(Vec<Square>),
    Place { piece: Piece, on: Square },
    Panel(Panel),
    Play(Vec<Move>),
    SetUp,
    Clear,
    Reed { square: Square, kind: FaultKind, us: Option<u64> },
    Chatter { square: Square, us: u64 },
}
