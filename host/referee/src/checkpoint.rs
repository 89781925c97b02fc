//! Signatures over the chain of a journal: whoever changes a line and seals every later one anew cannot sign it anew.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::relay::{PublicKey, SecretKey};
use crate::{Chain, Record};

/// What is signed begins with this, so that a signature made for anything else is none for a journal.
const PURPOSE: &[u8] = b"luozi-journal-v1\n";

/// What is wrong with a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureFault {
    /// The text names no key.
    Key,
    /// Its key did not sign the lines before it.
    Signature,
    /// It is another key than the one that signs this journal.
    AnotherKey,
    /// More lines follow each other without a signature than a board ever leaves.
    Missing,
}

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SignatureFault::Key => "expected an Ed25519 key as 64 hexadecimal digits",
            SignatureFault::Signature => "the signature is not over the lines before it: they were changed",
            SignatureFault::AnotherKey => "signed by another key than this board's",
            SignatureFault::Missing => {
                "longer without a signature than the board that wrote it leaves: signatures are missing, and what was \
                 changed since the last one would not show"
            }
        })
    }
}

impl core::error::Error for SignatureFault {}

/// A record that signs everything before it, to be the next line after `end`.
pub fn sign(secret: &SecretKey, end: Chain, us: u64) -> Record {
    let signature = secret.sign(&signed_bytes(end));
    Record::Signed { us, key: secret.public().to_string(), signature }
}

/// Checks a record that signs the lines before `end`. Gives the key.
pub fn check(end: Chain, key: &str, signature: &str) -> Result<PublicKey, SignatureFault> {
    let key: PublicKey = key.parse().map_err(|_| SignatureFault::Key)?;
    if key.has_signed(&signed_bytes(end), signature) { Ok(key) } else { Err(SignatureFault::Signature) }
}

/// The place of the line that signs, and the hash of the line before, which is over all before that.
fn signed_bytes(end: Chain) -> Vec<u8> {
    [PURPOSE, &end.next_seq().to_be_bytes(), end.hash().as_bytes()].concat()
}

/// When a journal is signed again: at its end, at a result, and after so much that a change could hide in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    lines: u32,
    since_us: u64,
    is_result: bool,
}

impl Due {
    /// Lines that are not signed at most, however fast they come. Each run says it in its header.
    pub const LINES: u32 = 64;
    /// How long lines remain without a signature, in microseconds, while others come.
    const US: u64 = 60_000_000;

    /// A record is written.
    pub fn note(&mut self, record: &Record) {
        if matches!(record, Record::Signed { .. }) {
            *self = Due::default();
            return;
        }
        if self.lines == 0 {
            self.since_us = record.us().unwrap_or(0);
        }
        self.lines += 1;
        self.is_result |=
            matches!(record, Record::Event(crate::Event { what: crate::Happening::Result(_), .. }));
    }

    /// Whether it is time, at that moment of the board's uptime.
    pub fn is_due(&self, us: u64) -> bool {
        self.is_result || self.is_full() || (self.lines > 0 && us >= self.since_us + Due::US)
    }

    /// Whether not one more line may come before it is signed.
    pub fn is_full(&self) -> bool {
        self.lines >= Due::LINES
    }

    /// Whether there is a line that is not signed.
    pub fn is_open(&self) -> bool {
        self.lines > 0
    }
}

/// The key that signs a journal, as its lines tell: always the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signatures {
    /// The key of the signatures.
    pub key: Option<String>,
    /// How many there are.
    pub count: u64,
    /// Lines since the last one.
    pub unsigned: u64,
    /// The same, but without those of earlier versions, once a run has said how many it leaves.
    counted: u32,
    bound: Bound,
}

/// How many lines a board leaves without a signature, as the headers of its runs tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bound {
    /// No header was seen.
    #[default]
    Unknown,
    /// Only headers of earlier versions were seen.
    Earlier,
    /// A run has said it. The header is signed with the rest, so none that says more, or nothing, may follow.
    Said(u32),
}

/// What a run of an earlier version leaves without a signature, that does not say what it leaves: it signed after whole batches.
const EARLIER: u32 = Due::LINES + 201;

impl Signatures {
    /// Those of the one key, if it is known.
    pub fn by(key: Option<&PublicKey>) -> Signatures {
        Signatures { key: key.map(PublicKey::to_string), ..Signatures::default() }
    }

    /// Takes a record whose signature, if it is one, has been checked.
    ///
    /// Who changes lines may take out the signatures that would tell of it. So a journal that is signed at all, or has to be,
    /// is signed throughout.
    pub fn note(&mut self, record: &Record) -> Result<(), SignatureFault> {
        let Record::Signed { key, .. } = record else {
            (self.unsigned, self.counted) = (self.unsigned + 1, self.counted + 1);
            if let Record::Opened { unsigned_at_most, .. } = record {
                self.opened(*unsigned_at_most);
            }
            let is_missing = self.key.is_some() && self.counted > self.bound.lines();
            return if is_missing { Err(SignatureFault::Missing) } else { Ok(()) };
        };
        if self.key.get_or_insert_with(|| key.clone()) != key {
            return Err(SignatureFault::AnotherKey);
        }
        (self.count, self.unsigned, self.counted) = (self.count + 1, 0, 0);
        Ok(())
    }

    fn opened(&mut self, at_most: Option<u32>) {
        self.bound = match (self.bound, at_most) {
            (Bound::Said(before), at_most) => Bound::Said(before.min(at_most.unwrap_or(before))),
            (Bound::Unknown | Bound::Earlier, None) => Bound::Earlier,
            (Bound::Unknown | Bound::Earlier, Some(at_most)) => {
                self.counted = 1;
                Bound::Said(at_most)
            }
        };
    }
}

impl Bound {
    fn lines(self) -> u32 {
        match self {
            Bound::Unknown => Due::LINES,
            Bound::Earlier => EARLIER,
            Bound::Said(lines) => lines,
        }
    }
}
