//! Moves in text: what PGN, WXF and everything that people paste have in common.
//!
//! [`scan`] cuts text into tokens; [`build`](Builder) puts tokens on the board and makes a tree of them. Both are used by
//! every text format; what stands around the moves is the format's own affair.

mod braces;
mod build;
mod san;
mod scan;
mod word;

pub(crate) use build::build;
pub(crate) use scan::{Scanner, Token};
pub(crate) use word::is_move_like;
