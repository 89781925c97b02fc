//! The end of a journal that is cut off, and what becomes of its bytes.

use std::io;

use referee::relay::Alarm;
use referee::{Digest, Record};

use crate::journal::{BATCH_BYTES, contents};
use crate::walk::{BadRecord, RecordFault, holds_whole_line, segment_seq};
use crate::{Disk, link};

/// An end that was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What was wrong with its first line.
    pub bad: BadRecord,
    /// Whether it is what a power failure leaves: a last line without its end, be it that nothing or rubbish follows, which no
    /// broker is known to have had. That had not been shown or published. What is not torn is damaged: it may have been.
    pub is_torn: bool,
    /// How many bytes were cut off.
    pub bytes: u64,
    /// The sum of those bytes.
    pub sha256: Digest,
    /// The file that keeps them.
    pub kept_in: String,
}

impl Cut {
    fn of(tail: &[u8], bad: BadRecord, is_torn: bool, kept_in: String) -> Cut {
        Cut { bad, is_torn, bytes: tail.len() as u64, sha256: Digest::of(tail), kept_in }
    }

    /// Says in the journal what stood there before.
    pub fn record(&self, us: u64) -> Record {
        let Cut { bad, bytes, sha256, kept_in, .. } = self;
        Record::SetAside { us, file: kept_in.clone(), seq: bad.seq, bytes: *bytes, sha256: *sha256 }
    }

    /// The alarm that it is, unless a power failure explains it.
    pub fn alarm(&self) -> Option<Alarm> {
        (!self.is_torn).then(|| alarm(&self.kept_in, self.bad.seq, self.bytes))
    }
}

/// What a `set_aside` record says is wrong. A file of no bytes keeps the place of lines that are gone.
pub(crate) fn alarm(file: &str, seq: u64, bytes: u64) -> Alarm {
    match bytes {
        0 => Alarm::JournalLinesGone { seq },
        _ => Alarm::JournalSetAside { file: file.to_owned(), seq },
    }
}

/// A cut that is to be made. Until it is, nothing has changed on the disk.
#[derive(Debug)]
pub(crate) struct Cutting {
    pub(crate) cut: Cut,
    /// What is to be kept; `None` if it is kept already.
    tail: Option<Vec<u8>>,
    /// The segments in which it stands, first to last: the first from the bad line on, the later ones whole.
    segments: Vec<String>,
}

impl Cutting {
    /// What stands behind the last good line, in the segments from that of the bad line on.
    pub(crate) fn behind(disk: &impl Disk, bad: BadRecord, segments: &[String]) -> io::Result<Cutting> {
        let (first, later) = segments.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut tail = contents(disk, first)?.split_off(usize::try_from(bad.offset).unwrap_or(usize::MAX));
        // A disk that said of a line that it was safe, and lost it, has lost what may have been published.
        let was_published = bad.seq < link::noted(disk);
        let is_torn =
            later.is_empty() && tail.len() <= BATCH_BYTES && !holds_whole_line(&tail) && !was_published;
        for name in later {
            tail.extend(contents(disk, name)?);
        }
        let kept_in = free_name(&disk.list()?, if is_torn { "torn" } else { "damaged" }, bad.seq);
        let cut = Cut::of(&tail, bad, is_torn, kept_in);
        Ok(Cutting { cut, tail: Some(tail), segments: segments.to_vec() })
    }

    /// What is missing behind the last line of a journal that is good to its end: lines that a broker has had, or a part that was
    /// cut off by a run that could not write down any more that it was.
    pub(crate) fn gone(disk: &impl Disk, segment: &str, len: u64, lines: u64) -> io::Result<Option<Cutting>> {
        let kept = format!("damaged-{lines:012}");
        let names = disk.list()?.into_iter().filter(|name| name.starts_with(&kept) && name.ends_with(".bin"));
        // The one that was named last has the highest number behind its name, if it has one.
        let (kept_in, tail, is_kept) = match names.max_by_key(|name| (name.len(), name.clone())) {
            Some(name) => {
                let tail = contents(disk, &name)?;
                (name, tail, true)
            }
            None if link::noted(disk) <= lines => return Ok(None),
            // Its name takes the note's place, should power fail before the record is on disk.
            None => (format!("{kept}.bin"), Vec::new(), false),
        };
        let line = lines - segment_seq(segment).unwrap_or(0) + 1;
        let bad =
            BadRecord { file: segment.to_owned(), line, offset: len, seq: lines, fault: RecordFault::Gone };
        let cut = Cut::of(&tail, bad, false, kept_in);
        Ok(Some(Cutting { cut, tail: (!is_kept).then_some(tail), segments: Vec::new() }))
    }

    /// Keeps the bytes in a file of their own and cuts them off a journal of so many good lines. When power fails meanwhile they
    /// are kept twice. After an error it may be tried again.
    pub(crate) fn make(&self, disk: &impl Disk, lines: u64) -> io::Result<()> {
        if let Some(tail) = &self.tail {
            disk.replace(&self.cut.kept_in, tail)?;
        }
        let remove = |name: &String| match disk.remove(name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        if let Some((first, later)) = self.segments.split_first() {
            later.iter().rev().try_for_each(remove)?;
            match self.cut.bad.offset {
                0 => remove(first)?,
                offset => disk.truncate(first, offset)?,
            }
        }
        link::lower_note(disk, lines)
    }
}

/// A name that no file has: what was kept before is not written over.
fn free_name(names: &[String], what: &str, seq: u64) -> String {
    let numbered = (2..).map(|number| format!("{what}-{seq:012}-{number}.bin"));
    let mut all = std::iter::once(format!("{what}-{seq:012}.bin")).chain(numbered);
    all.find(|name| !names.contains(name)).unwrap_or_default()
}
