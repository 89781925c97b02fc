//! Reading a journal from any place on, while it grows.

use std::io;

use crate::Disk;
use crate::walk::{segment_seq, segments};

/// How much is read at once, in bytes. A line is far shorter.
const CHUNK: usize = 64 * 1024;

/// Gives the lines of a journal from a place on. It reads what the writer has synced, as the caller tells it, and holds
/// one chunk in memory however far behind it is.
#[derive(Debug)]
pub struct Reader<D> {
    disk: D,
    next_seq: u64,
    segment: Option<String>,
    offset: u64,
    buffer: Vec<u8>,
    /// Where the next line begins in the buffer.
    at: usize,
    /// The end of what was on disk for good when the buffer was filled. What it holds beyond may have been a batch that
    /// failed and was written anew.
    trusted: u64,
}

impl<D: Disk> Reader<D> {
    /// A reader whose next line is `seq`.
    pub fn new(disk: D, seq: u64) -> Reader<D> {
        Reader { disk, next_seq: seq, segment: None, offset: 0, buffer: Vec::new(), at: 0, trusted: 0 }
    }

    /// The place of the next line.
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Goes to another place.
    pub fn seek(&mut self, seq: u64) {
        *self = Reader::new(self.disk.clone(), seq);
    }

    /// The next line without its line feed, if it is before `end`.
    pub fn next_line(&mut self, end: u64) -> io::Result<Option<String>> {
        if self.next_seq >= end {
            return Ok(None);
        }
        if self.next_seq >= self.trusted {
            self.offset -= (self.buffer.len() - self.at) as u64;
            self.buffer.clear();
            self.at = 0;
            self.trusted = end;
        }
        if self.segment.is_none() {
            self.find()?;
        }
        let line = match self.line()? {
            Some(line) => line,
            None => {
                // The segment is at its end, and the journal goes on: in the segment that the next line names.
                self.find()?;
                self.line()?.ok_or(io::ErrorKind::UnexpectedEof)?
            }
        };
        self.next_seq += 1;
        Ok(Some(line))
    }

    /// Opens the segment that holds the next line, and skips the lines before it.
    fn find(&mut self) -> io::Result<()> {
        let names = segments(&self.disk)?;
        let holds = names.into_iter().filter_map(|name| Some((segment_seq(&name)?, name)));
        let (first, name) =
            holds.filter(|(first, _)| *first <= self.next_seq).max().ok_or(io::ErrorKind::NotFound)?;
        (self.segment, self.offset, self.at) = (Some(name), 0, 0);
        self.buffer.clear();
        for _ in first..self.next_seq {
            self.line()?.ok_or(io::ErrorKind::UnexpectedEof)?;
        }
        Ok(())
    }

    /// The next line of the open segment, if it has one more.
    fn line(&mut self) -> io::Result<Option<String>> {
        loop {
            let rest = &self.buffer[self.at..];
            if let Some(len) = rest.iter().position(|byte| *byte == b'\n') {
                let line = String::from_utf8(rest[..len].to_vec());
                self.at += len + 1;
                return line.map(Some).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e));
            }
            self.buffer.drain(..self.at);
            self.at = 0;
            let Some(segment) = &self.segment else { return Ok(None) };
            let more = self.disk.read_at(segment, self.offset, CHUNK)?;
            if more.is_empty() {
                return Ok(None);
            }
            self.offset += more.len() as u64;
            self.buffer.extend_from_slice(&more);
        }
    }
}
