//! The journal: append-only, one record a line, hash-chained, on disk before anything is shown or published.
//!
//! A journal is a directory of segments, each named by the place of its first line; a game begins a new one, and so does
//! size. The chain runs through all of them. Lines are written in batches (group commit): one append and one sync for
//! all that waited, so that a slow disk makes batches longer and not the queue.

use std::io;

use referee::relay::{Alarm, SecretKey};
use referee::{Chain, GameHeader, Line, Record, Snapshot, checkpoint};
use sense::Uptime;

use crate::Disk;
use crate::cut::{self, Cut, Cutting};
use crate::table::moment_of;
use crate::walk::{BadRecord, check_segment, segment_name, segment_seq, segments};

/// The most bytes of lines in one batch. What a power failure tears is no longer than this.
pub const BATCH_BYTES: usize = 256 * 1024;

/// A segment that has grown to this many bytes is followed by a new one.
const SEGMENT_BYTES: u64 = 8 * 1024 * 1024;

/// What was found when a journal was opened.
#[derive(Debug, Default)]
pub struct Found {
    /// How many lines there are.
    pub lines: u64,
    /// The end that was cut off, because a power failure had torn it or because it was damaged.
    pub cut: Option<Cut>,
    /// Why it stands where it was all the same: the disk is full. It is cut off before anything is written.
    pub not_cut: Option<io::Error>,
    /// The first bad record of an earlier game, if there is one. It and what follows it is left as it is.
    pub damaged: Option<BadRecord>,
    /// Every line from this one on is good.
    pub whole_from: u64,
    /// What an earlier run has said is damaged or gone of the last game.
    pub set_aside: Option<Alarm>,
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
    /// What is to be cut off before the next write.
    cutting: Option<Cutting>,
}

impl<D: Disk> Journal<D> {
    /// Opens the journal of `board`: every line is checked.
    ///
    /// A board that does not start in the middle of a round is worse than a record with a hole that is told. So what is bad is
    /// never a reason to stop, and nothing of it is thrown away:
    ///
    /// - Behind the first bad line of the last game nothing can follow. It and what stands behind it is cut off and kept in a
    ///   file of its own; [`Cut::is_torn`] says whether a power failure explains it. A disk that has no room for that file gets
    ///   it before the next write that it takes.
    /// - Earlier games are left as they are, be they damaged or gone: the last game is believed in what it follows.
    pub fn open(disk: D, board: &str) -> io::Result<(Journal<D>, Found)> {
        let names = segments(&disk)?;
        let game = last_game(&disk, &names)?;
        let mut found = Found::default();
        let mut unsigned = checkpoint::Due::default();
        let (mut end, mut expected) = (Chain::START, Some(Chain::START));
        let mut segment = names.last().cloned();
        let mut cutting = None;
        for (index, name) in names.iter().enumerate() {
            let bytes = contents(&disk, name)?;
            let mut visit = |_: &str, line: Line| {
                end = Chain::after(&line);
                unsigned.note(&line.record);
                found.note(board, line);
            };
            let mut checked = check_segment(name, &bytes, expected, &mut visit);
            if let Err(bad) = &checked
                && index <= game
                && bad.follows_another()
            {
                let bad = bad.clone();
                checked = check_segment(name, &bytes, None, &mut visit);
                found.damaged.get_or_insert(bad);
            }
            match checked {
                Ok(after) => expected = after.or(expected),
                Err(bad) if index < game => {
                    found.damaged.get_or_insert(bad);
                    expected = None;
                }
                Err(bad) => {
                    let is_first = bad.offset == 0;
                    cutting = Some(Cutting::behind(&disk, bad, &names[index..])?);
                    let whole = if is_first { index.checked_sub(1) } else { Some(index) };
                    segment = whole.map(|index| names[index].clone());
                    break;
                }
            }
        }
        found.lines = end.next_seq();
        let segment_len = match (&segment, &cutting) {
            (Some(segment), Some(cutting)) if *segment == cutting.cut.bad.file => cutting.cut.bad.offset,
            (Some(segment), _) => disk.len(segment)?,
            (None, _) => 0,
        };
        let segment = segment.unwrap_or_else(|| segment_name(end.next_seq()));
        if cutting.is_none() {
            cutting = Cutting::gone(&disk, &segment, segment_len, found.lines)?;
        }
        found.cut = cutting.as_ref().map(|cutting| cutting.cut.clone());
        found.not_cut = cutting.as_ref().and_then(|cutting| cutting.make(&disk, found.lines).err());
        if found.damaged.is_some() {
            found.whole_from = names.get(game).and_then(|name| segment_seq(name)).unwrap_or(0);
        }
        let journal = Journal {
            disk,
            chain: end,
            segment,
            segment_len,
            key: None,
            unsigned,
            last_us: found.last.as_us(),
            unclean: found.not_cut.is_some(),
            cutting: cutting.filter(|_| found.not_cut.is_some()),
        };
        Ok((journal, found))
    }

    /// From now on it is signed: at results, after a minute, after 64 lines, and when it is closed.
    pub fn sign_with(&mut self, key: SecretKey) {
        self.key = Some(key);
    }

    /// The file that is being written.
    pub fn segment(&self) -> &str {
        &self.segment
    }

    /// Whether what is on disk for good still stands in its place. Nobody notices while nothing is written, because a file that
    /// is open can be written wherever it is, and when it was removed.
    pub fn is_in_place(&self) -> io::Result<()> {
        if self.segment_len == 0 { Ok(()) } else { self.disk.is_in_place(&self.segment) }
    }

    /// Puts the file that is being written back in its place, with all that is on disk for good: the running game. Gives
    /// whether the earlier ones are there, too.
    pub fn put_back(&mut self) -> io::Result<bool> {
        self.disk.put_back(&self.segment, self.segment_len)?;
        self.unclean = true;
        Ok(segments(&self.disk)?.first().is_some_and(|first| segment_seq(first) == Some(0)))
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

    /// Fails where the segment is another than the one that was written: nothing may follow another end.
    fn holds_end(&self) -> io::Result<()> {
        let end = format!("\"hash\":\"{}\"}}\n", self.chain.hash());
        let at = self.segment_len.saturating_sub(end.len() as u64);
        if self.disk.read_at(&self.segment, at, end.len())? == end.as_bytes() {
            return Ok(());
        }
        let other = format!("{} does not hold what was written to it", self.segment);
        Err(io::Error::new(io::ErrorKind::NotFound, other))
    }

    /// Removes whatever a failed write left behind the end.
    fn clean(&mut self) -> io::Result<()> {
        if let Some(cutting) = &self.cutting {
            cutting.make(&self.disk, self.chain.next_seq())?;
            self.cutting = None;
        }
        for name in segments(&self.disk)?.into_iter().filter(|name| *name > self.segment) {
            self.disk.remove(&name)?;
        }
        if self.segment_len > 0 {
            self.holds_end()?;
        }
        if self.disk.list()?.contains(&self.segment) {
            self.disk.truncate(&self.segment, self.segment_len)?;
        }
        self.unclean = false;
        Ok(())
    }
}

/// All of a file.
pub(crate) fn contents(disk: &impl Disk, name: &str) -> io::Result<Vec<u8>> {
    let len = disk.len(name)?;
    disk.read_at(name, 0, usize::try_from(len).unwrap_or(usize::MAX))
}

/// Which segment begins the last game; the first one, if none does.
fn last_game(disk: &impl Disk, names: &[String]) -> io::Result<usize> {
    for (index, name) in names.iter().enumerate().rev() {
        let begin = disk.read_at(name, 0, BATCH_BYTES)?;
        let first = begin.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let is_game = |line: Line| matches!(line.record, Record::Game(_));
        if serde_json::from_slice(first).is_ok_and(is_game) {
            return Ok(index);
        }
    }
    Ok(0)
}

/// Seals a record and puts its line at the end of a batch. Gives the line's length.
fn append(batch: &mut Vec<u8>, chain: &mut Chain, utc_ms: u64, record: &Record) -> io::Result<u64> {
    let line = chain.seal(utc_ms, &serde_json::to_string(record)?);
    batch.extend_from_slice(line.as_bytes());
    batch.push(b'\n');
    Ok(line.len() as u64 + 1)
}

impl Found {
    fn note(&mut self, board: &str, line: Line) {
        self.last_utc_ms = line.utc_ms;
        self.last = self.last.max(moment_of(&line.record).unwrap_or_default());
        if let Record::Opened { boot, board, .. } = &line.record {
            self.boot.clone_from(boot);
            self.board = Some(board.clone());
        }
        match &line.record {
            Record::Game(_) => self.set_aside = None,
            Record::SetAside { file, seq, bytes, .. } => {
                self.set_aside = Some(cut::alarm(file, *seq, *bytes))
            }
            _ => {}
        }
        FoundGame::follow(&mut self.game, board, line);
    }
}
