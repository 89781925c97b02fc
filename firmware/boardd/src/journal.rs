//! The journal: append-only, one record a line, hash-chained, on disk before anything is shown or published.
//!
//! A journal is a directory of segments, each named by the place of its first line; a game begins a new one, and so does
//! size. The chain runs through all of them. Lines are written in batches (group commit): one append and one sync for
//! all that waited, so that a slow disk makes batches longer and not the queue.

use std::fmt;
use std::io;

use referee::relay::SecretKey;
use referee::{Chain, GameHeader, Line, Record, Snapshot, checkpoint};

use sense::Uptime;

use crate::Disk;
use crate::table::moment_of;
use crate::walk::{BadRecord, check_segment, holds_whole_line, segment_name, segments};

/// The most bytes of lines in one batch. What a power failure tears is no longer than this.
pub const BATCH_BYTES: usize = 256 * 1024;

/// A segment that has grown to this many bytes is followed by a new one.
const SEGMENT_BYTES: u64 = 8 * 1024 * 1024;

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The disk failed.
    Disk(io::Error),
    /// A record is bad that no power failure explains. Nothing is changed; the journal is to be looked at.
    Damaged(BadRecord),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Disk(error) => write!(f, "journal: {error}"),
            JournalError::Damaged(bad) => {
                write!(
                    f,
                    "journal: {bad}; nothing was changed, keep these files and begin in another directory"
                )
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> JournalError {
        JournalError::Disk(error)
    }
}

/// What was found when a journal was opened.
#[derive(Debug, Default)]
pub struct Found {
    /// How many lines there are.
    pub lines: u64,
    /// What a power failure had torn and was cut off.
    pub cut: Option<Cut>,
    /// The last game, if there was one.
    pub game: Option<FoundGame>,
    /// When the last line was written, in milliseconds since 1970 (UTC).
    pub last_utc_ms: u64,
    /// The latest moment of which the lines speak.
    pub last: Uptime,
    /// The board whose journal it is, as the last run that wrote to it was told.
    pub board: Option<String>,
    /// The start of the machine in which they were last written, where the machine told.
    pub boot: String,
}

/// A torn end that was cut off. It had not been shown or published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What was wrong with its first line.
    pub bad: BadRecord,
    /// How many bytes were cut off.
    pub bytes: u64,
    /// The file that keeps them.
    pub kept_in: String,
}

/// The last game of a journal.
#[derive(Debug)]
pub struct FoundGame {
    /// How it began.
    pub header: GameHeader,
    /// The line with which it began.
    pub seq: u64,
    /// Its lines after the first, in order.
    pub lines: Vec<Line>,
    /// Its state.
    pub snapshot: Snapshot,
}

impl FoundGame {
    /// Takes the next line of a journal. When it begins another game, gives the one before it.
    pub fn follow(game: &mut Option<FoundGame>, board: &str, line: Line) -> Option<FoundGame> {
        if let Record::Game(header) = &line.record
            && game.as_ref().is_none_or(|game| game.header.game != header.game)
        {
            let snapshot = Snapshot::begin(board, line.seq, line.utc_ms, header);
            let header = (**header).clone();
            return game.replace(FoundGame { header, seq: line.seq, lines: Vec::new(), snapshot });
        }
        if let Some(game) = game {
            game.snapshot.apply(&line);
            game.lines.push(line);
        }
        None
    }
}

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal<D> {
    disk: D,
    /// The end of what is on disk for good.
    chain: Chain,
    segment: String,
    segment_len: u64,
    /// Who signs it, if anybody does, and what is not signed yet.
    key: Option<SecretKey>,
    unsigned: checkpoint::Due,
    /// The latest moment of which its lines speak, in microseconds.
    last_us: u64,
    /// A write failed: what stands behind the end is unknown and must go before the next write.
    unclean: bool,
}

impl<D: Disk> Journal<D> {
    /// Opens the journal of `board`: every line is checked, a torn end is cut off and kept aside.
    ///
    /// Only what a power failure leaves is cut: a last line without its end, be it that nothing or rubbish follows. A line
    /// that has its end was on disk for good, may have been published, and was changed since: that is
    /// [`Damaged`](JournalError::Damaged), and nothing is touched.
    pub fn open(disk: D, board: &str) -> Result<(Journal<D>, Found), JournalError> {
        let names = segments(&disk)?;
        let mut found = Found::default();
        let mut chain = Chain::START;
        let mut unsigned = checkpoint::Due::default();
        for (index, name) in names.iter().enumerate() {
            let len = disk.len(name)?;
            let bytes = disk.read_at(name, 0, usize::try_from(len).unwrap_or(usize::MAX))?;
            let mut last = chain;
            let mut visit = |_: &str, line: Line| {
                last = Chain::after(&line);
                unsigned.note(&line.record);
                found.note(board, line);
            };
            match check_segment(name, &bytes, Some(chain), &mut visit) {
                Ok(_) => chain = last,
                Err(bad) => {
                    chain = last;
                    let at = usize::try_from(bad.offset).unwrap_or(usize::MAX);
                    let tail = bytes.get(at..).unwrap_or_default();
                    if index + 1 < names.len() || tail.len() > BATCH_BYTES || holds_whole_line(tail) {
                        return Err(JournalError::Damaged(bad));
                    }
                    found.cut = Some(cut(&disk, bad, tail)?);
                }
            }
        }
        found.lines = chain.next_seq();
        let segment = names.last().cloned().unwrap_or_else(|| segment_name(0));
        let segment_len = if names.is_empty() { 0 } else { disk.len(&segment)? };
        Ok((
            Journal {
                disk,
                chain,
                segment,
                segment_len,
                key: None,
                unsigned,
                last_us: found.last.as_us(),
                unclean: false,
            },
            found,
        ))
    }

    /// From now on it is signed: at results, after a minute, after 64 lines, and when it is closed.
    pub fn sign_with(&mut self, key: SecretKey) {
        self.key = Some(key);
    }

    /// Signs what is not signed yet.
    pub fn close(&mut self, utc_ms: u64) -> io::Result<()> {
        if self.unsigned.is_open() { self.write_batch(utc_ms, &[], true) } else { Ok(()) }
    }

    /// The end of what is on disk for good.
    pub fn end(&self) -> Chain {
        self.chain
    }

    /// Writes records, stamped with the wall clock, and returns when they are on disk for good: all, or after an error
    /// none, and then the same call may be tried again.
    ///
    /// The caller keeps a batch below [`BATCH_BYTES`].
    pub fn commit(&mut self, utc_ms: u64, records: &[Record]) -> io::Result<()> {
        self.write_batch(utc_ms, records, false)
    }

    fn write_batch(&mut self, utc_ms: u64, records: &[Record], must_sign: bool) -> io::Result<()> {
        if self.unclean {
            self.clean()?;
        }
        self.unclean = true;
        let mut chain = self.chain;
        let mut segment = self.segment.clone();
        let mut written = self.segment_len;
        let mut batch = Vec::new();
        let mut unsigned = self.unsigned;
        let mut us = self.last_us;
        for record in records {
            unsigned.note(record);
            us = us.max(record.us().unwrap_or(us));
            let begins = matches!(record, Record::Game(_)) || written >= SEGMENT_BYTES;
            if begins && written > 0 {
                self.write(&segment, &batch)?;
                batch.clear();
                segment = segment_name(chain.next_seq());
                written = 0;
            }
            written += append(&mut batch, &mut chain, utc_ms, record)?;
            if let Some(key) = self.key.as_ref().filter(|_| unsigned.is_full()) {
                let signed = checkpoint::sign(key, chain, us);
                written += append(&mut batch, &mut chain, utc_ms, &signed)?;
                unsigned.note(&signed);
            }
        }
        let is_due = unsigned.is_due(us) || (must_sign && unsigned.is_open());
        if let Some(key) = self.key.as_ref().filter(|_| is_due) {
            let signed = checkpoint::sign(key, chain, us);
            written += append(&mut batch, &mut chain, utc_ms, &signed)?;
            unsigned.note(&signed);
        }
        self.write(&segment, &batch)?;
        (self.unsigned, self.last_us) = (unsigned, us);
        (self.chain, self.segment, self.segment_len, self.unclean) = (chain, segment, written, false);
        Ok(())
    }

    fn write(&self, segment: &str, batch: &[u8]) -> io::Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        self.disk.append(segment, batch)?;
        self.disk.sync(segment)
    }

    /// Removes whatever a failed write left behind the end.
    fn clean(&mut self) -> io::Result<()> {
        for name in segments(&self.disk)?.into_iter().filter(|name| *name > self.segment) {
            self.disk.remove(&name)?;
        }
        if self.disk.list()?.contains(&self.segment) {
            self.disk.truncate(&self.segment, self.segment_len)?;
        }
        self.unclean = false;
        Ok(())
    }
}

/// Seals a record and puts its line at the end of a batch. Gives the line's length.
fn append(batch: &mut Vec<u8>, chain: &mut Chain, utc_ms: u64, record: &Record) -> io::Result<u64> {
    let line = chain.seal(utc_ms, &serde_json::to_string(record)?);
    batch.extend_from_slice(line.as_bytes());
    batch.push(b'\n');
    Ok(line.len() as u64 + 1)
}

/// Cuts a torn end off and keeps its bytes in a file of their own.
fn cut(disk: &impl Disk, bad: BadRecord, tail: &[u8]) -> io::Result<Cut> {
    let kept_in = format!("torn-{:012}.bin", bad.seq);
    disk.replace(&kept_in, tail)?;
    disk.truncate(&bad.file, bad.offset)?;
    Ok(Cut { bad, bytes: tail.len() as u64, kept_in })
}

impl Found {
    fn note(&mut self, board: &str, line: Line) {
        self.last_utc_ms = line.utc_ms;
        self.last = self.last.max(moment_of(&line.record).unwrap_or_default());
        if let Record::Opened { boot, board, .. } = &line.record {
            self.boot.clone_from(boot);
            self.board = Some(board.clone());
        }
        FoundGame::follow(&mut self.game, board, line);
    }
}
