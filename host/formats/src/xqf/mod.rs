//! XQF, the format of XQStudio (象棋演播室), versions 10 to 18.
//!
//! A header of 1024 bytes, then the tree: a record for the start, then each ply before its continuations and those
//! before its next alternative. From version 11 on squares, comments' lengths and the tree's bytes are scrambled with
//! keys that stand in the header. Text is GB18030. All numbers are little-endian.

mod cipher;
mod read;
mod write;

use crate::Tag;

pub(crate) use read::{is, read};
pub(crate) use write::write;

/// Where the tree begins.
const TREE: usize = 1024;

/// The header's texts: offset, bytes with the length byte.
const TEXTS: [(usize, usize, Tag); 12] = [
    (80, 64, Tag::Title),
    (144, 64, Tag::Subtitle),
    (208, 64, Tag::Event),
    (272, 16, Tag::Date),
    (288, 16, Tag::Site),
    (304, 16, Tag::Red),
    (320, 16, Tag::Black),
    (336, 64, Tag::TimeControl),
    (400, 16, Tag::RedTime),
    (416, 16, Tag::BlackTime),
    (464, 16, Tag::Annotator),
    (480, 16, Tag::Author),
];

/// What the byte at 64 says.
const KINDS: [&str; 4] = ["全局", "开局", "中局", "残局"];
