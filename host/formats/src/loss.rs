//! What a format could not hold.

use std::fmt;

use crate::Tag;
use crate::error::OneLine;

/// One thing that was in the game and is not in the file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Variations, counted as lines that branch off.
    Variations(usize),
    /// Plies with a time.
    Times(usize),
    /// Plies with annotation glyphs such as `!?`.
    Glyphs(usize),
    /// A header field that the format has no place for.
    Field(Tag),
    /// A header field, or a comment, was cut to so many bytes.
    Cut {
        /// The field; none for a comment.
        tag: Option<Tag>,
        /// The bytes that fit.
        bytes: usize,
    },
    /// Characters that the format or its encoding cannot write.
    Characters {
        /// The field; none for a comment.
        tag: Option<Tag>,
        /// How many.
        count: usize,
    },
    /// The record goes on after a ply that the format cannot hold.
    StopsBefore {
        /// The ply, counted from 1 along its line.
        ply: usize,
        /// What the record says there.
        text: String,
        /// The plies that are not written, this one included.
        dropped: usize,
    },
    /// Comments that lost the space around them.
    Space(usize),
    /// The counters of the start position (plies without capture, round).
    Counters,
    /// The side to move first, where no move tells it.
    Turn,
    /// The result, which the format has no word for.
    Outcome(&'static str),
    /// Further games, where the format holds one.
    Games(usize),
}

impl Loss {
    /// The kind of loss in one word, and how much of it there is; for adding up over many games.
    pub fn amount(&self) -> (&'static str, usize) {
        match self {
            Loss::Variations(n) => ("variations", *n),
            Loss::Times(n) => ("times", *n),
            Loss::Glyphs(n) => ("glyphs", *n),
            Loss::Space(n) => ("spaces", *n),
            Loss::Field(_) => ("fields", 1),
            Loss::Cut { .. } => ("cut_texts", 1),
            Loss::Characters { count, .. } => ("characters", *count),
            Loss::StopsBefore { dropped, .. } => ("plies", *dropped),
            Loss::Counters => ("counters", 1),
            Loss::Turn => ("turns", 1),
            Loss::Outcome(_) => ("results", 1),
            Loss::Games(n) => ("games", *n),
        }
    }
}

fn field(tag: &Option<Tag>) -> String {
    tag.as_ref().map_or_else(|| "a comment".into(), |tag| OneLine(tag.name()).to_string())
}

fn counted(f: &mut fmt::Formatter<'_>, count: usize, one: &str) -> fmt::Result {
    write!(f, "{count} {one}{} dropped", if count == 1 { "" } else { "s" })
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Variations(n) => counted(f, *n, "variation"),
            Loss::Times(n) => counted(f, *n, "move time"),
            Loss::Glyphs(n) => counted(f, *n, "annotation glyph"),
            Loss::Field(tag) => write!(f, "{} dropped: the format has no such field", OneLine(tag.name())),
            Loss::Cut { tag, bytes } => write!(f, "{} cut to {bytes} bytes", field(tag)),
            Loss::Characters { tag, count } => {
                let s = if *count == 1 { "" } else { "s" };
                write!(f, "{count} character{s} of {} that the format cannot write, replaced", field(tag))
            }
            Loss::StopsBefore { ply, text, dropped } => {
                let s = if *dropped == 1 { "ply" } else { "plies" };
                write!(
                    f,
                    "stops before ply {ply} ({}), which the format cannot hold: {dropped} {s} dropped",
                    OneLine(text)
                )
            }
            Loss::Space(n) => {
                let s = if *n == 1 { "" } else { "s" };
                write!(f, "the space around {n} comment{s} dropped")
            }
            Loss::Counters => f.write_str("the counters of the start position dropped"),
            Loss::Turn => f.write_str("the side to move first dropped"),
            Loss::Outcome(outcome) => write!(f, "the result ({outcome}) dropped"),
            Loss::Games(n) => counted(f, *n, "game"),
        }
    }
}
