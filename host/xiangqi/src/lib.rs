//! The game of xiangqi (象棋): squares, pieces, positions, moves, notation and laws.
//!
//! This crate knows positions and articles; never time, hands or switches. It is `no_std` so that no clock, thread,
//! file or randomly ordered map can slip in.
//!
//! Coordinates everywhere: file a–i from Red's left hand, rank 0–9 from Red's home row. Moves are written `h2e2`.
//!
//! ```
//! use xiangqi::{Move, Position};
//!
//! let start = Position::initial();
//! assert_eq!(start.legal_moves().len(), 44);
//! let after = start.play("h2e2".parse()?)?;
//! assert_eq!(after.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]

extern crate alloc;

pub mod attacks;
mod bitboard;
mod board;
mod color;
pub mod fen;
pub mod law;
mod movegen;
mod moves;
pub mod notation;
mod piece;
mod position;
#[cfg(feature = "serde")]
mod serde_text;
mod setup;
mod square;

pub use bitboard::Bitboard;
pub use board::Board;
pub use color::{ByColor, Color, ParseColorError};
pub use moves::{Move, MoveList, ParseMoveError};
pub use piece::{Piece, Role};
pub use position::{Ending, Illegality, ParsePositionError, Position, PositionError};
pub use setup::{Flaw, Setup, can_stand};
pub use square::{File, ParseSquareError, Rank, Square};
