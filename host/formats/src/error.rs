//! Why a file could not be read or a game not be written.

use std::fmt;

use crate::Format;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A byte, from 0.
    Offset(usize),
    /// A line, from 1.
    Line(usize),
    /// The file as a whole.
    File,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Offset(offset) => write!(f, "byte {offset}"),
            Place::Line(line) => write!(f, "line {line}"),
            Place::File => f.write_str("file"),
        }
    }
}

/// Words of a record within a message, on one line: what would move the cursor is shown as its escape.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        self.0.chars().try_for_each(|c| match c.is_control() {
            true => write!(f, "{}", c.escape_default()),
            false => f.write_char(c),
        })
    }
}

/// The file holds no game that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// What was expected there, and what was found.
    pub problem: String,
}

impl ReadError {
    /// An error at a byte.
    pub fn at(offset: usize, problem: impl Into<String>) -> ReadError {
        ReadError { place: Place::Offset(offset), problem: problem.into() }
    }

    /// An error on a line.
    pub fn on_line(line: usize, problem: impl Into<String>) -> ReadError {
        ReadError { place: Place::Line(line), problem: problem.into() }
    }

    /// An error of the whole file.
    pub fn of_file(problem: impl Into<String>) -> ReadError {
        ReadError { place: Place::File, problem: problem.into() }
    }

    /// The same, saying which format the file was taken for.
    pub(crate) fn within(self, format: Format) -> ReadError {
        ReadError { problem: format!("{format}: {}", self.problem), ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, OneLine(&self.problem))
    }
}

impl std::error::Error for ReadError {}

/// Something that was read although the file is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub place: Place,
    /// What is odd, and how it was taken.
    pub what: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, OneLine(&self.what))
    }
}

/// The games cannot be written in the format at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError(pub String);

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", OneLine(&self.0))
    }
}

impl std::error::Error for WriteError {}
