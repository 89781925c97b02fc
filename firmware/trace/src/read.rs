//! Reading a trace, line by line.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use sense::Uptime;

use crate::observation::Line;
use crate::{Header, Observation};

/// What is wrong with a trace, and in which line (from 1).
#[derive(Debug)]
pub struct TraceError {
    /// The line, from 1; 0 when the file could not be opened.
    pub line: u64,
    /// What is wrong there.
    pub fault: TraceFault,
}

/// What can be wrong with a trace.
#[derive(Debug)]
pub enum TraceFault {
    /// The file cannot be read; a truncated gzip file ends so.
    Io(io::Error),
    /// There is no first line.
    Empty,
    /// The first line is not the header of a trace.
    Header(String),
    /// A line is not an observation.
    Observation(String),
    /// A line is earlier than the line before it.
    BackInTime {
        /// The time of the line before.
        before: Uptime,
        /// The time of this line.
        now: Uptime,
    },
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.fault {
            TraceFault::Io(e) => write!(f, "cannot be read: {e}"),
            TraceFault::Empty => write!(f, "empty; expected the header of a trace"),
            TraceFault::Header(why) => write!(f, "not the header of a trace: {why}"),
            TraceFault::Observation(why) => write!(f, "not an observation: {why}"),
            TraceFault::BackInTime { before, now } => {
                write!(f, "goes back in time: {} us after {} us", now.as_us(), before.as_us())
            }
        }
    }
}

impl std::error::Error for TraceError {}

/// The header of a trace and then its observations.
///
/// A trace is cut where power was lost: a last line without its line feed that does not parse ends the trace, and
/// [`Reader::torn`] says so. Everything else that is wrong is an error.
pub struct Reader {
    lines: Box<dyn BufRead + Send>,
    line: u64,
    header: Header,
    last: Uptime,
    torn: bool,
}

impl Reader {
    /// Opens a file; a name that ends in `.gz` is gzip.
    pub fn open(path: &Path) -> Result<Reader, TraceError> {
        let file = File::open(path).map_err(|e| TraceError { line: 0, fault: TraceFault::Io(e) })?;
        let file = BufReader::new(file);
        if path.extension().is_some_and(|ending| ending == "gz") {
            Reader::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Reader::new(file)
        }
    }

    /// Reads from plain NDJSON.
    pub fn new(lines: impl BufRead + Send + 'static) -> Result<Reader, TraceError> {
        let lines: Box<dyn BufRead + Send> = Box::new(lines);
        let start = "9/9/9/9/9/9/9/9/9/9 w".parse().expect("a well-formed FEN");
        let mut reader =
            Reader { lines, line: 0, header: Header::new(start, 0), last: Uptime::ZERO, torn: false };
        let Some((text, _)) = reader.next_line()? else { return Err(reader.fault(TraceFault::Empty)) };
        let header: Header =
            serde_json::from_str(&text).map_err(|e| reader.fault(TraceFault::Header(without_place(&e))))?;
        if header.format != Header::FORMAT || header.version != Header::VERSION {
            let found = format!("{:?} version {}", header.format, header.version);
            let expected = format!("{:?} version {}", Header::FORMAT, Header::VERSION);
            return Err(reader.fault(TraceFault::Header(format!("expected {expected}, found {found}"))));
        }
        reader.header = header;
        Ok(reader)
    }

    /// The first line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the last line was cut off and left out.
    pub fn torn(&self) -> bool {
        self.torn
    }

    fn fault(&self, fault: TraceFault) -> TraceError {
        TraceError { line: self.line, fault }
    }

    /// The next line that is not blank, and whether it ended in a line feed.
    fn next_line(&mut self) -> Result<Option<(String, bool)>, TraceError> {
        loop {
            let mut text = String::new();
            self.line += 1;
            let read = self.lines.read_line(&mut text).map_err(|e| self.fault(TraceFault::Io(e)))?;
            if read == 0 {
                return Ok(None);
            }
            if !text.trim().is_empty() {
                let whole = text.ends_with('\n');
                return Ok(Some((text, whole)));
            }
        }
    }

    fn next_observation(&mut self) -> Result<Option<Observation>, TraceError> {
        let Some((text, whole)) = self.next_line()? else { return Ok(None) };
        let parsed = serde_json::from_str::<Line>(&text).map_err(|e| without_place(&e));
        let observation = match parsed.and_then(Observation::try_from) {
            Ok(observation) => observation,
            Err(_) if !whole => {
                self.torn = true;
                return Ok(None);
            }
            Err(why) => return Err(self.fault(TraceFault::Observation(why))),
        };
        if observation.at < self.last {
            let (before, now) = (self.last, observation.at);
            return Err(self.fault(TraceFault::BackInTime { before, now }));
        }
        self.last = observation.at;
        Ok(Some(observation))
    }
}

impl Iterator for Reader {
    type Item = Result<Observation, TraceError>;
    fn next(&mut self) -> Option<Self::Item> {
        self.next_observation().transpose()
    }
}

/// The message of a JSON error without its place: each line is a document of its own, so "line 1" would mislead.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}
