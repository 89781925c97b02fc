//! PGN as xiangqi programs write it.
//!
//! Moves stand in Chinese, WXF, ICCS or, from XBoard and its kin, in SAN. Files say nothing about their encoding.
//! Writers differ in everything; the reader takes what the games of the world hold: moves glued together, full-width
//! digits, one ply on a line with its number repeated, comments before the first move, advertisements behind the result.

mod read;
mod write;

pub(crate) use read::{is, is_at_once, read, set_start};
pub use write::Style;
pub(crate) use write::{line_of_moves, write};
