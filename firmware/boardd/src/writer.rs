//! The journal thread: it writes what waits, says when the disk does not take it, and tries again.

use std::io;
use std::mem::discriminant;
use std::thread;
use std::time::{Duration, Instant};

use referee::Record;
use referee::relay::{Alarm, SecretKey};
use tokio::sync::watch;

use crate::alarms::is_of_disk;
use crate::daemon::utc_ms;
use crate::queue::{Queue, Taken};
use crate::{Alarms, Disk, Journal, board_key, table};

/// Records in one batch; with the longest record far below [`crate::BATCH_BYTES`].
const BATCH: usize = 200;
/// How long the journal waits before it tries a failed disk again, and how often it looks whether its file is in its place.
const DISK_RETRY: Duration = Duration::from_millis(500);
/// How often a daemon that is told to stop tries a failed disk.
const LAST_TRIES: u32 = 4;
/// How long a folder that was taken away may stay away before it is made anew. Until then nothing stands in the way of whoever
/// brings it back.
const PATIENCE: Duration = Duration::from_secs(30);

/// Writes what the scan hands over, until it has ended.
pub(crate) struct Writer<'a, D> {
    journal: Journal<D>,
    disk: D,
    queue: &'a Queue,
    /// Lines before this are on disk.
    written: watch::Sender<u64>,
    alarms: Alarms,
    key: Option<SecretKey>,
    failing: bool,
    /// Since when the file has not been in its place.
    moved: Option<Instant>,
}

impl<'a, D: Disk> Writer<'a, D> {
    pub(crate) fn new(
        journal: Journal<D>,
        disk: D,
        queue: &'a Queue,
        written: watch::Sender<u64>,
        alarms: Alarms,
        key: Option<SecretKey>,
    ) -> Writer<'a, D> {
        Writer { journal, disk, queue, written, alarms, key, failing: false, moved: None }
    }

    pub(crate) fn run(mut self) {
        loop {
            let mut taken = self.queue.take(BATCH, DISK_RETRY);
            if taken.left_out > 0 {
                let us = taken.records.first().and_then(table::moment_of).unwrap_or_default().as_us();
                taken.records.insert(0, Record::LeftOut { us, records: taken.left_out });
            }
            if taken.records.is_empty() {
                self.look();
            } else if !self.write(&taken) {
                return;
            }
            if taken.closed {
                return self.close();
            }
        }
    }

    /// Writes a batch, however long it takes. Gives whether it is written, or the board stops without.
    fn write(&mut self, taken: &Taken) -> bool {
        let mut last_tries = 0;
        loop {
            let Err(error) = self.journal.commit(utc_ms(), &taken.records) else {
                self.written.send_replace(self.journal.end().next_seq());
                self.healed();
                return true;
            };
            last_tries += u32::from(self.queue.is_closed());
            if last_tries > LAST_TRIES {
                let records = self.waiting(taken);
                tracing::error!(records, "stopped with records not written");
                return false;
            }
            self.failed(&error, last_tries == LAST_TRIES);
            thread::sleep(DISK_RETRY);
        }
    }

    /// How many records are not on disk.
    fn waiting(&self, taken: &Taken) -> u64 {
        // What was left out before the first of these is told by one record, and is lost however it ends.
        let told = u64::from(taken.left_out > 0);
        taken.records.len() as u64 - told + taken.left_out + self.queue.waiting()
    }

    /// Nothing is to be written: looks whether what was written is there.
    fn look(&mut self) {
        match self.journal.is_in_place() {
            Ok(()) => self.healed(),
            Err(error) => self.failed(&error, false),
        }
    }

    fn healed(&mut self) {
        self.moved = None;
        if std::mem::take(&mut self.failing) {
            self.alarms.lift(is_of_disk);
            tracing::warn!("the disk is back; what waited is written");
        }
    }

    /// The disk has failed. A file that stays away is put back; at once, if there is no more time.
    fn failed(&mut self, error: &io::Error, is_last: bool) {
        let alarm = self.alarm(error);
        self.failing = true;
        let is_moved = matches!(alarm, Alarm::JournalMoved { .. });
        self.alarms.lift(|old| is_of_disk(old) && discriminant(old) != discriminant(&alarm));
        // Tried again, it may fail in other words.
        if self.alarms.raise(alarm.clone()) {
            tracing::error!(%error, "{alarm}; the board plays on");
        }
        if !is_moved {
            self.moved = None;
            return;
        }
        let since = *self.moved.get_or_insert_with(Instant::now);
        if is_last || since.elapsed() >= PATIENCE {
            self.put_back();
            self.moved = None;
        }
    }

    fn alarm(&self, error: &io::Error) -> Alarm {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Alarm::DiskFull,
            io::ErrorKind::ReadOnlyFilesystem => Alarm::DiskReadOnly,
            io::ErrorKind::NotFound => Alarm::JournalMoved { file: self.journal.segment().to_owned() },
            _ => Alarm::DiskFailed { detail: error.to_string() },
        }
    }

    fn put_back(&mut self) {
        let file = self.journal.segment().to_owned();
        let put_back = self.journal.put_back().and_then(|is_whole| self.key_is_there().map(|()| is_whole));
        match put_back {
            Ok(true) => tracing::warn!(file, "it did not come back and was put in its place again"),
            Ok(false) => {
                let alarm = Alarm::JournalBegunAnew { file };
                tracing::error!(
                    "{alarm}; what was before is where the folder was taken, if it was not removed"
                );
                self.alarms.raise(alarm);
            }
            Err(error) => tracing::error!(%error, "the journal cannot be put back"),
        }
    }

    /// A folder that was made anew has no key, and with another one the journal would not be signed throughout.
    fn key_is_there(&self) -> io::Result<()> {
        let is_there = self.disk.list()?.iter().any(|name| name == board_key::FILE);
        match &self.key {
            Some(key) if !is_there => {
                self.disk.replace(board_key::FILE, format!("{}\n", key.reveal()).as_bytes())
            }
            _ => Ok(()),
        }
    }

    fn close(mut self) {
        if let Err(error) = self.journal.is_in_place() {
            self.failed(&error, true);
        }
        match self.journal.close(utc_ms()) {
            Ok(()) => drop(self.written.send_replace(self.journal.end().next_seq())),
            Err(error) => tracing::warn!(%error, "the last lines are not signed"),
        }
    }
}
