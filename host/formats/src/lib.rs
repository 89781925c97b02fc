//! Xiangqi game records (棋谱) as other programs write them: one tree, many files.
//!
//! [`read()`] finds the format by what the bytes are, never by a name, and gives [`Game`]s: a header, a start, a result
//! and a [`Tree`] of plies. [`write()`] writes them in another format and says what that format could not hold.
//!
//! What a record says is data. An illegal ply is kept and can be found with [`audit`]; a ply that cannot be read is kept
//! as text; bytes that are no text are kept as bytes. Nothing is dropped without a [`Loss`] or a [`Warning`].
//!
//! ```
//! use formats::{Format, ReadOptions, WriteOptions};
//!
//! let file = formats::write(&[formats::Game::new()], Format::Xqf, &WriteOptions::default())?.bytes;
//!
//! let reading = formats::read(&file, &ReadOptions::default())?;
//! assert_eq!(reading.games[0], formats::Game::new());
//! let written = formats::write(&reading.games, Format::Xqf, &WriteOptions::default())?;
//! assert!(written.losses.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cbf;
mod cbr;
mod cursor;
mod decode;
mod dhtmlxq;
mod diagram;
mod dialects;
mod error;
mod format;
mod game;
mod headers;
mod json;
mod linked;
mod loss;
mod losses;
mod movetext;
mod opening;
mod packed;
mod pgn;
mod pieces;
mod problems;
mod read;
mod relics;
mod replay;
mod text;
mod tree;
mod warnings;
mod write;
mod xqf;

pub use error::{Place, ReadError, Warning, WriteError};
pub use format::Format;
pub use game::{Game, Outcome};
pub use headers::{Headers, Tag};
pub use loss::Loss;
pub use opening::{Opening, name_opening, opening};
pub use pgn::Style;
pub use read::{ReadOptions, Reading, read};
pub use replay::{Audit, Fault, Standing, audit, walk};
pub use text::Text;
pub use tree::{Node, NodeId, Ply, Preorder, Times, Tree};
pub(crate) use warnings::Warnings;
pub use write::{WriteOptions, Written, write};
