//! One game at one board: what hands did, and what the rules say of it.
//!
//! The referee never reads a clock, a file, a socket or a random source. Time is an input. The same inputs give the same
//! outputs, byte for byte, on every machine. What players do wrong is an [`Event`], never an `Err`.
#![no_std]

extern crate alloc;

pub mod checkpoint;
pub mod claim;
pub mod clock;
mod command;
pub mod conduct;
mod count;
mod event;
pub mod foul;
mod hands;
mod infer;
mod input;
mod line;
mod observer;
pub mod public;
mod record;
mod referee;
pub mod relay;
pub mod result;
mod snapshot;
mod still;
pub mod time_control;
mod time_text;
mod touch;

pub use command::{By, ClaimRuling, Command, Order, Refusal};
pub use event::{Due, Event, Happening, Incident, IncidentKind, Moved, Resolution};
pub use input::Input;
pub use line::{Chain, Digest, Line, LineFault, ParseDigestError, checked_hash};
pub use observer::Observer;
pub use record::{GameHeader, Record, Reeds};
pub use referee::{Config, ConfigError, Referee};
pub use result::{GameResult, Reason, Score};
pub use snapshot::{Attention, Called, ClockFace, FoulEntry, Phase, Ply, Provisional, Snapshot};
pub use still::{Still, StillOutcome};
