//! Reading journals: every line of every segment in order, checked.

use std::fmt;
use std::io;

use referee::checkpoint::{self, SignatureFault};
use referee::{Chain, Line, LineFault, Record};

use crate::Disk;

/// The name of the segment that begins with line `seq`.
pub fn segment_name(seq: u64) -> String {
    format!("journal-{seq:012}.ndjson")
}

/// The line with which a segment begins, if that is a segment's name.
pub fn segment_seq(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("journal-")?.strip_suffix(".ndjson")?;
    (digits.len() == 12).then(|| digits.parse().ok())?
}

/// The names of a journal's segments, first to last.
pub fn segments(disk: &impl Disk) -> io::Result<Vec<String>> {
    let mut names = disk.list()?;
    names.retain(|name| segment_seq(name).is_some());
    names.sort();
    Ok(names)
}

/// The first bad record of a journal: where it is and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The file.
    pub file: String,
    /// The line in the file, from 1.
    pub line: u64,
    /// The byte of the file at which the line begins.
    pub offset: u64,
    /// The place in the journal where it stands, from 0.
    pub seq: u64,
    /// What is wrong.
    pub fault: RecordFault,
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// The line has no end.
    Torn,
    /// It is not UTF-8.
    Encoding,
    /// It was changed, or does not follow the line before.
    Line(LineFault),
    /// It signs other lines than those before it.
    Signature(SignatureFault),
    /// It is whole, and not a record.
    Json(String),
    /// It is not there, though it was.
    Gone,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordFault::Torn => f.write_str("the line is torn off: expected a line feed"),
            RecordFault::Encoding => f.write_str("expected UTF-8"),
            RecordFault::Line(fault) => fault.fmt(f),
            RecordFault::Signature(fault) => fault.fmt(f),
            RecordFault::Json(why) => write!(f, "expected a record: {why}"),
            RecordFault::Gone => f.write_str("expected a record that was there before"),
        }
    }
}

impl BadRecord {
    /// Whether it is a segment's first line and good in itself, but what it follows is not there.
    pub(crate) fn follows_another(&self) -> bool {
        let fault = &self.fault;
        self.offset == 0 && matches!(fault, RecordFault::Line(LineFault::Seq { .. } | LineFault::Prev))
    }
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {} (seq {}): {}", self.file, self.line, self.seq, self.fault)
    }
}

impl std::error::Error for BadRecord {}

/// Steps over the lines of one segment; `end` is the end of the journal before it, `None` if that is not known (then
/// the first line is believed in what it follows). Gives each checked line, with its text, to `visit`.
///
/// Returns the end of the journal after it, or the first bad record.
pub fn check_segment(
    file: &str,
    bytes: &[u8],
    mut end: Option<Chain>,
    visit: &mut impl FnMut(&str, Line),
) -> Result<Option<Chain>, BadRecord> {
    let mut offset = 0;
    for (number, raw) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let seq = end.map_or_else(|| segment_seq(file).unwrap_or(0), |end| end.next_seq());
        let bad = |fault| BadRecord { file: file.to_owned(), line: number, offset, seq, fault };
        let text = raw.strip_suffix(b"\n").ok_or_else(|| bad(RecordFault::Torn))?;
        let text = std::str::from_utf8(text).map_err(|_| bad(RecordFault::Encoding))?;
        // The hash is looked at first: a changed line is said to be changed, whatever the change made of its JSON.
        referee::checked_hash(text).map_err(|fault| bad(RecordFault::Line(fault)))?;
        let line: Line = serde_json::from_str(text).map_err(|e| bad(RecordFault::Json(e.to_string())))?;
        let mut chain = end.unwrap_or_else(|| Chain::before(&line));
        let before = chain;
        chain.follow(text, &line).map_err(|fault| bad(RecordFault::Line(fault)))?;
        if let Record::Signed { key, signature, .. } = &line.record {
            checkpoint::check(before, key, signature).map_err(|fault| bad(RecordFault::Signature(fault)))?;
        }
        end = Some(chain);
        visit(text, line);
        offset += raw.len() as u64;
    }
    Ok(end)
}

/// Whether a line among those bytes was written to its end: before a line feed stands the hash with which every line ends, of
/// which a byte may have been changed. A tear leaves none, and the rubbish that may follow it would have to fit to the byte.
pub(crate) fn holds_whole_line(bytes: &[u8]) -> bool {
    const BEFORE: &[u8] = b",\"hash\":\"";
    const DIGITS: usize = 64;
    const AFTER: &[u8] = b"\"}\n";
    const END: usize = BEFORE.len() + DIGITS + AFTER.len();
    let is_end = |end: &[u8]| {
        let (before, rest) = end.split_at(BEFORE.len());
        let (digits, after) = rest.split_at(DIGITS);
        let same = |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a == b).count();
        let digits = digits.iter().filter(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).count();
        same(before, BEFORE) + digits + same(after, AFTER) >= END - 1
    };
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    lines.any(|line| line.last_chunk::<END>().is_some_and(|end| is_end(end)))
}
