//! What is printed, as PDF on A4: score sheets (articles 7.5 and 10.1), pairings and results of a round.
//!
//! The PDF is written here rather than by a browser, so that a file can be mailed, archived or sent to a printer from any
//! device, and looks the same everywhere. Its font is the one that the pages carry for machines without Chinese; each file
//! holds the characters that it uses.

mod document;
mod face;
mod frame;
mod round_sheet;
mod score_sheet;
mod words;

pub(crate) use face::Face;
pub(crate) use round_sheet::{Kind, round_sheet};
pub(crate) use score_sheet::score_sheet;
pub(crate) use words::{Notation, Wording};
