//! What the reeds say: scan, debounce, edges.
//!
//! This crate knows squares and switches; never pieces, turns or rules. It owns the vocabulary of evidence
//! ([`Uptime`], [`Frame`], [`Edge`]), is `no_std`, reads no clock and allocates nothing.
#![no_std]

mod debounce;
mod frame;
mod matrix;
mod serial;
mod uptime;

pub use debounce::{Blip, Chatter, Debounce, Debouncer, Edge, Signal};
pub use frame::{Frame, ParseFrameError};
pub use matrix::{Matrix, Orientation, ReedMatrix, ScanError};
pub use serial::{SerialError, SerialMatrix};
pub use uptime::Uptime;
