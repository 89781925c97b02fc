//! A digital twin of a board and of the hands that play on it.
//!
//! Magnets move over reeds in simulated time. The twin gives what the board senses as a trace, and the truth beside it;
//! [`PinBoard`] puts the same reeds behind the embedded-hal pins, so that the shipped scan code runs on it. Everything
//! is thrown from a seed and computed in whole micrometres and microseconds: the same seed gives the same trace, byte
//! for byte, on every machine.
//!
//! ```
//! use twin::{Game, Style};
//! use xiangqi::Position;
//!
//! let game = Game::new(Position::initial(), vec!["h2e2".parse()?, "h9g7".parse()?]).unwrap();
//! let played = game.play(Style::Slides, 7);
//! assert_eq!(played, game.play(Style::Slides, 7));
//! assert_eq!(played.truth.moves.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No production package depends on this one.

mod bench;
mod ceremony;
mod chain;
mod dice;
mod display;
mod dispute;
mod fault;
mod fumble;
mod game;
mod hands;
mod matrix;
mod nuisance;
mod pins;
mod place;
mod player;
mod record;
mod reed;
mod scan;
mod scenario;
mod script;
mod stray;
mod style;
mod table;

pub use bench::{Bench, ParseFaultError, WiringFault};
pub use chain::{Chain, LoadPin};
pub use display::{DisplayChain, LampPin};
pub use fault::{Fault, FaultKind};
pub use game::{Expected, Game, Played, Truth};
pub use matrix::{ColumnPin, Delay, Matrix, RowPin};
pub use pins::{ButtonPin, PinBoard};
pub use place::{Geometry, Place};
pub use record::{GameRecord, RecordError};
pub use reed::Reed;
pub use scan::Schedule;
pub use scenario::{Expectation, Scenario, ScenarioError};
pub use script::{Magnet, Motion, Panel, Script};
pub use style::{ParseStyleError, Style};
pub use table::{Table, Timeline};
