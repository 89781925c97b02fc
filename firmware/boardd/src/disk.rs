//! The files of one directory, as a journal needs them. This is the lowest seam: the real one is [`FileDisk`], and the
//! recovery tests put a disk behind it that loses power between any two writes.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// The files of one directory. Clones see the same files.
///
/// # Contract
/// What was appended may be lost or torn by a power failure until [`sync`](Disk::sync) has returned `Ok`, the name of a new
/// file included; afterwards it stays. After an error of `append` or `sync` the bytes since the last `sync` are unknown.
pub trait Disk: Clone + Send + 'static {
    /// The names of all files.
    fn list(&self) -> io::Result<Vec<String>>;
    /// How long a file is, in bytes.
    fn len(&self, name: &str) -> io::Result<u64>;
    /// At most `max` bytes from `at` on; fewer only at the end of the file.
    fn read_at(&self, name: &str, at: u64, max: usize) -> io::Result<Vec<u8>>;
    /// Adds bytes at the end of a file, which is made if there is none.
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
    /// Returns when the file, as long as it is now, survives a power failure.
    fn sync(&self, name: &str) -> io::Result<()>;
    /// Cuts a file to that length, durably.
    fn truncate(&self, name: &str, len: u64) -> io::Result<()>;
    /// Removes a file, durably.
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Writes a whole small file in place of the old one: afterwards, and after a power failure, either is there whole.
    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
}

/// A directory of the machine. Only one may be open on a directory.
#[derive(Clone, Debug)]
pub struct FileDisk {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    directory: PathBuf,
    /// Held for as long as the disk is in use, so that no second daemon writes the same journal.
    _lock: File,
    /// The files that are open for appending, each with whether its name is known to be durable.
    open: Mutex<BTreeMap<String, (File, bool)>>,
}

impl FileDisk {
    /// Opens a directory, which is made if there is none. Fails with [`io::ErrorKind::ResourceBusy`] if a daemon has it.
    pub fn open(directory: &Path) -> io::Result<FileDisk> {
        fs::create_dir_all(directory)?;
        let lock =
            OpenOptions::new().create(true).truncate(false).write(true).open(directory.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another daemon writes here"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let shared = Shared { directory: directory.to_owned(), _lock: lock, open: Mutex::default() };
        Ok(FileDisk { shared: Arc::new(shared) })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.shared.directory.join(name)
    }

    fn open_files(&self) -> MutexGuard<'_, BTreeMap<String, (File, bool)>> {
        self.shared.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn sync_names(&self) -> io::Result<()> {
        File::open(&self.shared.directory)?.sync_all()
    }
}

impl Disk for FileDisk {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.shared.directory)? {
            // A name that is not UTF-8 is none of ours.
            names.extend(entry?.file_name().into_string().ok());
        }
        Ok(names)
    }

    fn len(&self, name: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.path(name))?.len())
    }

    fn read_at(&self, name: &str, at: u64, max: usize) -> io::Result<Vec<u8>> {
        let mut file = File::open(self.path(name))?;
        file.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::new();
        file.take(max as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut open = self.open_files();
        if !open.contains_key(name) {
            let path = self.path(name);
            let is_old = path.exists();
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            // The journal appends to one file at a time.
            open.clear();
            open.insert(name.to_owned(), (file, is_old));
        }
        match open.get_mut(name) {
            Some((file, _)) => file.write_all(bytes),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn sync(&self, name: &str) -> io::Result<()> {
        let mut open = self.open_files();
        match open.get_mut(name) {
            Some((file, name_is_durable)) => {
                file.sync_data()?;
                if !*name_is_durable {
                    self.sync_names()?;
                    *name_is_durable = true;
                }
                Ok(())
            }
            None => File::open(self.path(name))?.sync_all(),
        }
    }

    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        self.open_files().remove(name);
        let file = OpenOptions::new().write(true).open(self.path(name))?;
        file.set_len(len)?;
        file.sync_all()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.open_files().remove(name);
        fs::remove_file(self.path(name))?;
        self.sync_names()
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let unfinished = self.path(&format!("{name}.new"));
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(unfinished, self.path(name))?;
        self.sync_names()
    }
}
