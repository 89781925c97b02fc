//! How a command ends: yes (exit 0), no (exit 1), or a failure with one line on stderr (exit 2).

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// The answer of a command that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All is well.
    Yes,
    /// It ran, and what was checked does not hold.
    No,
}

impl Answer {
    /// `Yes` where something holds.
    pub fn from_bool(holds: bool) -> Answer {
        if holds { Answer::Yes } else { Answer::No }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// Bad use or unreadable input: one line that names what, where and what was expected.
    Line(String),
    /// Unreadable input whose line has been written already.
    Said,
    /// Whoever read standard output has gone away, as `head` does. There is nobody to complain to.
    NobodyReads,
}

impl Failure {
    /// A failure with its line. What others explain in paragraphs becomes one line.
    pub fn new(line: impl Display) -> Failure {
        let text = line.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        Failure::Line(lines.join(" "))
    }
}

/// For writing to standard output; every other input or output names its file with [`Failure::new`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyReads,
            _ => Failure::new(format_args!("standard output: {error}")),
        }
    }
}

/// For [`serde_json::to_writer`] to standard output.
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        io::Error::from(error).into()
    }
}

/// What a command returns.
pub type Outcome = Result<Answer, Failure>;

/// The exit code; a failure's line goes to stderr.
pub fn exit_code(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(Answer::Yes) | Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(Failure::Said) => ExitCode::from(2),
        Err(Failure::Line(line)) => {
            eprintln!("luozi: {line}");
            ExitCode::from(2)
        }
    }
}
