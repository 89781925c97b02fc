//! The records that wait for the disk.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use referee::Record;

/// How many records may wait before evidence is left out: minutes of play, while a disk is full.
const EVIDENCE: usize = 50_000;
/// How many records may wait at all: further evidence is left out long before, and a game has at most a few thousand
/// events, so this is reached only when a disk has failed for days.
const ALL: usize = 100_000;

/// The queue between the scan, which must never wait, and the disk, which may stand still.
///
/// When it is half full evidence is left out and counted, so that moves and rulings survive a long failure; when it is
/// full events are left out too. Either is reported with the first record that fits again.
#[derive(Debug, Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    records: VecDeque<Record>,
    left_out: u64,
    closed: bool,
}

/// What a writer gets.
#[derive(Debug, PartialEq, Eq)]
pub struct Taken {
    /// The records, oldest first.
    pub records: Vec<Record>,
    /// How many were left out before the first of them.
    pub left_out: u64,
    /// Whether there will be no more.
    pub closed: bool,
}

impl Queue {
    /// Adds a record. Never waits for the disk.
    pub fn push(&self, record: Record) {
        let mut state = self.lock();
        let is_evidence = matches!(record, Record::Closed { .. });
        if state.records.len() >= if is_evidence { EVIDENCE } else { ALL } {
            state.left_out += 1;
            return;
        }
        state.records.push_back(record);
        self.changed.notify_one();
    }

    /// There will be no more.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_one();
    }

    /// Whether there will be no more.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// How many records wait, and how many were left out since the last was taken.
    pub fn waiting(&self) -> u64 {
        let state = self.lock();
        state.records.len() as u64 + state.left_out
    }

    /// Waits for records, at most for `patience`, and takes at most `most`.
    pub fn take(&self, most: usize, patience: Duration) -> Taken {
        let state = self.lock();
        let idle = |state: &mut State| state.records.is_empty() && !state.closed;
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, patience, idle)
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let count = most.min(state.records.len());
        let records: Vec<Record> = state.records.drain(..count).collect();
        let left_out = std::mem::take(&mut state.left_out);
        Taken { closed: state.closed && state.records.is_empty(), records, left_out }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
