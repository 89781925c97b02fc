//! A disk that loses power, runs full and lies, in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use boardd::Disk;

/// A disk in memory. Clones see the same files.
///
/// A power failure is planned as "after so many more writes": an append, sync, cut, removal or replacement. From then on
/// every call fails until [`power_on`](SimDisk::power_on), which decides by its seed what of the bytes that were not
/// synced has reached the platter: some first part, followed by rubbish or nothing; a new file may not even have a name.
#[derive(Clone, Debug, Default)]
pub struct SimDisk {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<String, Content>,
    /// How many bytes fit.
    capacity: Option<usize>,
    read_only: bool,
    /// The folder was renamed.
    away: bool,
    /// Syncs that fail, and lose what they were to save.
    failing_syncs: u32,
    /// Writes until the power fails.
    fuse: Option<u64>,
    dead: bool,
    writes: u64,
}

#[derive(Clone, Debug, Default)]
struct Content {
    bytes: Vec<u8>,
    /// How many of them are safe; none, and the name is not safe either.
    safe: Option<usize>,
}

impl SimDisk {
    /// An empty disk.
    pub fn new() -> SimDisk {
        SimDisk::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How many writes there have been.
    pub fn writes(&self) -> u64 {
        self.state().writes
    }

    /// The power will fail at the write after so many more.
    pub fn fail_power_after(&self, writes: u64) {
        self.state().fuse = Some(writes);
    }

    /// The power fails now.
    pub fn power_off(&self) {
        self.state().dead = true;
    }

    /// The power is back. `random` says what survived: it is asked for a number below its argument.
    pub fn power_on(&self, random: &mut dyn FnMut(usize) -> usize) {
        let mut state = self.state();
        (state.dead, state.fuse) = (false, None);
        state.files.retain(|_, content| {
            let safe = content.safe.unwrap_or(0);
            let kept = safe + random(content.bytes.len() - safe + 1);
            let lost = content.bytes.len() - kept;
            content.bytes.truncate(kept);
            match random(3) {
                // The length of the file was saved and its last blocks were not.
                0 => content.bytes.resize(kept + lost, 0),
                1 => content.bytes.extend((0..lost).map(|_| random(256) as u8)),
                _ => {}
            }
            let named = content.safe.is_some() || random(2) == 0;
            content.safe = Some(content.bytes.len());
            named
        });
    }

    /// So many bytes fit from now on; `None` lifts the limit.
    pub fn limit(&self, capacity: Option<usize>) {
        self.state().capacity = capacity;
    }

    /// Nothing can be written from now on, or again.
    pub fn set_read_only(&self, read_only: bool) {
        self.state().read_only = read_only;
    }

    /// The folder is renamed from now on, or back.
    pub fn set_away(&self, away: bool) {
        self.state().away = away;
    }

    /// The next so many syncs fail and lose what they were to save.
    pub fn fail_syncs(&self, count: u32) {
        self.state().failing_syncs = count;
    }

    /// Changes a byte of a file, as bit rot does.
    pub fn corrupt(&self, name: &str, at: usize, flip: u8) {
        if let Some(byte) = self.state().files.get_mut(name).and_then(|content| content.bytes.get_mut(at)) {
            *byte ^= flip;
        }
    }

    /// What a file holds.
    pub fn contents(&self, name: &str) -> Vec<u8> {
        self.state().files.get(name).map(|content| content.bytes.clone()).unwrap_or_default()
    }

    fn reading(&self) -> io::Result<MutexGuard<'_, State>> {
        let state = self.state();
        if state.away {
            return Err(io::ErrorKind::NotFound.into());
        }
        if state.dead { Err(io::Error::other("no power")) } else { Ok(state) }
    }

    fn writing(&self) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.reading()?;
        if state.fuse == Some(0) {
            state.dead = true;
            return Err(io::Error::other("no power"));
        }
        state.fuse = state.fuse.map(|writes| writes - 1);
        state.writes += 1;
        if state.read_only {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        Ok(state)
    }
}

impl State {
    fn free(&self) -> usize {
        let used: usize = self.files.values().map(|content| content.bytes.len()).sum();
        self.capacity.map_or(usize::MAX, |capacity| capacity.saturating_sub(used))
    }

    fn file(&mut self, name: &str) -> io::Result<&mut Content> {
        self.files.get_mut(name).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Disk for SimDisk {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.reading()?.files.keys().cloned().collect())
    }

    fn len(&self, name: &str) -> io::Result<u64> {
        Ok(self.reading()?.file(name)?.bytes.len() as u64)
    }

    fn read_at(&self, name: &str, at: u64, max: usize) -> io::Result<Vec<u8>> {
        let mut state = self.reading()?;
        let bytes = &state.file(name)?.bytes;
        let at = (at as usize).min(bytes.len());
        Ok(bytes[at..(at.saturating_add(max)).min(bytes.len())].to_vec())
    }

    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // What is written when the power fails may reach the platter too.
        let dies = self.state().fuse == Some(0);
        let mut state = match self.writing() {
            Err(_) if dies => {
                let mut state = self.state();
                state.files.entry(name.to_owned()).or_default().bytes.extend_from_slice(bytes);
                return Err(io::Error::other("no power"));
            }
            other => other?,
        };
        let fits = bytes.len().min(state.free());
        let content = state.files.entry(name.to_owned()).or_default();
        content.bytes.extend_from_slice(&bytes[..fits]);
        if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn sync(&self, name: &str) -> io::Result<()> {
        let mut state = self.writing()?;
        if state.failing_syncs > 0 {
            state.failing_syncs -= 1;
            // As Linux does: the dirty pages are dropped and later syncs succeed.
            let content = state.file(name)?;
            let safe = content.safe.unwrap_or(0);
            content.bytes[safe..].fill(0);
            return Err(io::Error::other("input/output error"));
        }
        let content = state.file(name)?;
        content.safe = Some(content.bytes.len());
        Ok(())
    }

    fn is_in_place(&self, name: &str) -> io::Result<()> {
        self.reading()?.file(name).map(drop)
    }

    fn put_back(&self, name: &str, len: u64) -> io::Result<()> {
        let mut state = self.state();
        let content = state.files.remove(name).ok_or(io::ErrorKind::NotFound)?;
        // A folder that did not come back: nothing but that file is in the new one.
        if std::mem::take(&mut state.away) {
            state.files.clear();
        }
        let mut bytes = content.bytes;
        bytes.truncate(len as usize);
        let safe = Some(bytes.len());
        state.files.insert(name.to_owned(), Content { bytes, safe });
        Ok(())
    }

    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        let mut state = self.writing()?;
        let content = state.file(name)?;
        content.bytes.truncate(len as usize);
        content.safe = Some(content.bytes.len());
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.writing()?.files.remove(name);
        Ok(())
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let content = Content { bytes: bytes.to_vec(), safe: Some(bytes.len()) };
        let mut state = self.writing()?;
        // The old one and the new one are there together for a while.
        if bytes.len() > state.free() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        state.files.insert(name.to_owned(), content);
        Ok(())
    }
}
