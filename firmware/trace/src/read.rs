//! Reading a trace, line by line.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use sense::Uptime;

use crate::observation::Line;
use crate::{Header, Observation, canonical};

/// The most bytes of a line; the longest that a board writes has a few hundred.
const LONGEST_LINE: usize = 64 * 1024;

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
    /// The last line is cut off, as when power is lost while it is written.
    Torn,
    /// A line has no end within 64 KiB.
    Long,
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
            TraceFault::Torn => {
                write!(
                    f,
                    "cut off: expected a whole observation and a line feed; the lines before it are whole"
                )
            }
            TraceFault::Long => write!(f, "longer than {LONGEST_LINE} bytes: expected an observation"),
            TraceFault::BackInTime { before, now } => {
                write!(f, "goes back in time: {} us after {} us", now.as_us(), before.as_us())
            }
        }
    }
}

impl std::error::Error for TraceError {}

/// The header of a trace and then its observations. The first thing that is wrong ends it, a line that is cut off too: who
/// settles a dispute must know that something is missing.
pub struct Reader {
    lines: Box<dyn BufRead + Send>,
    text: Vec<u8>,
    line: u64,
    header: Header,
    last: Uptime,
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
        let start = "9/9/9/9/9/9/9/9/9/9 w".parse().expect("a well-formed FEN");
        let mut reader = Reader {
            lines: Box::new(lines),
            text: Vec::new(),
            line: 0,
            header: Header::new(start, 0),
            last: Uptime::ZERO,
        };
        if !reader.next_line()? {
            return Err(reader.fault(TraceFault::Empty));
        }
        let header: Header = serde_json::from_slice(&reader.text)
            .map_err(|e| reader.fault(TraceFault::Header(without_place(&e))))?;
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

    fn fault(&self, fault: TraceFault) -> TraceError {
        TraceError { line: self.line, fault }
    }

    /// Takes the next line that is not blank; tells whether there was one.
    fn next_line(&mut self) -> Result<bool, TraceError> {
        loop {
            self.text.clear();
            self.line += 1;
            let mut bounded = self.lines.by_ref().take(LONGEST_LINE as u64);
            let read =
                bounded.read_until(b'\n', &mut self.text).map_err(|e| self.fault(TraceFault::Io(e)))?;
            if read == LONGEST_LINE && !self.is_ended() {
                return Err(self.fault(TraceFault::Long));
            }
            if read == 0 || !self.text.trim_ascii().is_empty() {
                return Ok(read > 0);
            }
        }
    }

    /// Whether the line that was taken has a line feed.
    fn is_ended(&self) -> bool {
        self.text.ends_with(b"\n")
    }

    fn next_observation(&mut self) -> Result<Option<Observation>, TraceError> {
        if !self.next_line()? {
            return Ok(None);
        }
        let text = self.text.trim_ascii_end();
        let observation = match canonical::parse(text) {
            Some(observation) => observation,
            None => {
                let parsed = serde_json::from_slice::<Line>(text);
                let cut = !self.is_ended() && parsed.as_ref().is_err_and(|e| e.is_eof());
                parsed.map_err(|e| without_place(&e)).and_then(Observation::try_from).map_err(|why| {
                    self.fault(if cut { TraceFault::Torn } else { TraceFault::Observation(why) })
                })?
            }
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
