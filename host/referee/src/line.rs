//! A line of a journal as bytes: sealing it, and checking that it is whole and follows the line before.
//!
//! A line is `{"seq":…,"prev":"<hex>","utc_ms":…,"record":{…},"hash":"<hex>"}` without its line feed. `hash` is the
//! SHA-256 of the bytes before `,"hash"`; those hold `prev`, the hash of the line before, so no line can be changed, left
//! out or put in without every later line showing it.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::Record;

/// A SHA-256 sum; as text 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What the first line of a board's life names as the line before it.
    pub const ZERO: Digest = Digest([0; 32]);

    /// The sum of those bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// The sum as bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(f)
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The bytes that exactly `2 * N` lower-case hexadecimal digits write.
pub(crate) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N || !digits.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, digits) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text was not 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDigestError;

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 64 lower-case hexadecimal digits")
    }
}

impl core::error::Error for ParseDigestError {}

impl FromStr for Digest {
    type Err = ParseDigestError;
    fn from_str(text: &str) -> Result<Digest, ParseDigestError> {
        from_hex(text).map(Digest).ok_or(ParseDigestError)
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A line, read. Reading it does not check it: see [`Chain::follow`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Line {
    /// The place in the journal, from 0 without gaps over the life of a board.
    #[serde(deserialize_with = "crate::count::read")]
    pub seq: u64,
    /// The hash of the line before.
    pub prev: Digest,
    /// When it was written, in milliseconds since 1970 (UTC), as the board's wall clock had it.
    #[serde(deserialize_with = "crate::count::read")]
    pub utc_ms: u64,
    /// What it says.
    pub record: Record,
    /// The hash of this line.
    pub hash: Digest,
}

/// Why a line is not the next line of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// It does not end in `,"hash":"<64 digits>"}`.
    Shape,
    /// It was changed: its hash is not that of its bytes.
    Hash,
    /// It is not the line that comes next.
    Seq {
        /// The line that comes next.
        expected: u64,
        /// The line found.
        found: u64,
    },
    /// It follows another line than the one before it.
    Prev,
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineFault::Shape => f.write_str("expected a line that ends in its hash"),
            LineFault::Hash => f.write_str("the hash is not that of the line: it was changed"),
            LineFault::Seq { expected, found } => write!(f, "expected seq {expected}, found {found}"),
            LineFault::Prev => f.write_str("prev is not the hash of the line before"),
        }
    }
}

impl core::error::Error for LineFault {}

/// What stands before the digits of the hash, and after them.
const HASH_KEY: &str = ",\"hash\":\"";
const HASH_END: &str = "\"}";

/// The hash that a line carries, if it is that of the line's bytes.
pub fn checked_hash(line: &str) -> Result<Digest, LineFault> {
    let tail = HASH_KEY.len() + 64 + HASH_END.len();
    let at = line.len().checked_sub(tail).ok_or(LineFault::Shape)?;
    let (body, tail) = line.split_at_checked(at).ok_or(LineFault::Shape)?;
    let digits = tail.strip_prefix(HASH_KEY).and_then(|rest| rest.strip_suffix(HASH_END));
    let hash: Digest = digits.ok_or(LineFault::Shape)?.parse().map_err(|_| LineFault::Shape)?;
    if Digest::of(body.as_bytes()) == hash { Ok(hash) } else { Err(LineFault::Hash) }
}

/// The end of a journal: what the next line must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    next_seq: u64,
    hash: Digest,
}

impl Chain {
    /// The end of an empty journal.
    pub const START: Chain = Chain { next_seq: 0, hash: Digest::ZERO };

    /// The end of a journal whose last line is `line`; for readers that begin in the middle.
    pub fn after(line: &Line) -> Chain {
        Chain { next_seq: line.seq.saturating_add(1), hash: line.hash }
    }

    /// The end of the journal before `line`, as `line` tells it.
    pub const fn before(line: &Line) -> Chain {
        Chain { next_seq: line.seq, hash: line.prev }
    }

    /// The place of the next line.
    pub const fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// The hash of the last line.
    pub const fn hash(&self) -> Digest {
        self.hash
    }

    /// Writes the next line, without its line feed. `record` is the JSON text of a [`Record`].
    pub fn seal(&mut self, utc_ms: u64, record: &str) -> String {
        let Chain { next_seq, hash } = *self;
        let mut line =
            format!("{{\"seq\":{next_seq},\"prev\":\"{hash}\",\"utc_ms\":{utc_ms},\"record\":{record}");
        self.hash = Digest::of(line.as_bytes());
        self.next_seq = self.next_seq.saturating_add(1);
        line.push_str(&format!("{HASH_KEY}{}{HASH_END}", self.hash));
        line
    }

    /// Steps over `line`, whose text is `text`, if it is whole and the next one.
    pub fn follow(&mut self, text: &str, line: &Line) -> Result<(), LineFault> {
        let hash = checked_hash(text)?;
        if line.seq != self.next_seq {
            return Err(LineFault::Seq { expected: self.next_seq, found: line.seq });
        }
        if line.prev != self.hash || line.hash != hash {
            return Err(LineFault::Prev);
        }
        *self = Chain::after(line);
        Ok(())
    }
}
