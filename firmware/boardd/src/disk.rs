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
/// A file that was taken out of its place, or its folder, is [`NotFound`](io::ErrorKind::NotFound), though it may still be open.
pub trait Disk: Clone + Send + 'static {
    /// The names of all files.
    fn list(&self) -> io::Result<Vec<String>>;
    /// How long a file is, in bytes.
    fn len(&self, name: &str) -> io::Result<u64>;
    /// At most `max` bytes from `at` on; fewer only at the end of the file.
    fn read_at(&self, name: &str, at: u64, max: usize) -> io::Result<Vec<u8>>;
    /// Adds bytes at the end of a file, which is made if there is none.
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
    /// Returns when the file, as long as it is now, survives a power failure and stands in its place.
    fn sync(&self, name: &str) -> io::Result<()>;
    /// Whether the file that was appended to last still stands in its place.
    fn is_in_place(&self, name: &str) -> io::Result<()>;
    /// Puts the first `len` bytes of the file that was appended to last in its place again, in a new folder if need be.
    fn put_back(&self, name: &str, len: u64) -> io::Result<()>;
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
    lock: Mutex<File>,
    /// The files that are open for appending, each with whether its name is known to be durable.
    open: Mutex<BTreeMap<String, (File, bool)>>,
}

impl FileDisk {
    /// Opens a directory, which is made if there is none. Fails with [`io::ErrorKind::ResourceBusy`] if a daemon has it.
    pub fn open(directory: &Path) -> io::Result<FileDisk> {
        fs::create_dir_all(directory)?;
        let lock = Mutex::new(lock(directory)?);
        let shared = Shared { directory: directory.to_owned(), lock, open: Mutex::default() };
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

    /// Fails where another file, or none, stands in the place of an open one.
    fn stands(&self, name: &str, file: &File) -> io::Result<()> {
        let path = self.path(name);
        let there = fs::metadata(&path).map_err(|error| about(&path, &error))?;
        if is_same(&file.metadata()?, &there) {
            return Ok(());
        }
        let moved = format!("{}: it is another file than the one that was written", path.display());
        Err(io::Error::new(io::ErrorKind::NotFound, moved))
    }
}

/// Takes the lock of a directory.
fn lock(directory: &Path) -> io::Result<File> {
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(directory.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "another daemon writes here"))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// An error with the file that it is about.
fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    // Where files have no numbers, one that is open cannot be taken away either.
    true
}

/// Makes a small file, which nobody else reads if it is a key.
fn create(path: &Path, is_key: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    if is_key {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    options.open(path)
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
            let file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
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
                self.stands(name, file)
            }
            None => File::open(self.path(name))?.sync_all(),
        }
    }

    fn is_in_place(&self, name: &str) -> io::Result<()> {
        match self.open_files().get(name) {
            Some((file, _)) => self.stands(name, file),
            None => {
                let path = self.path(name);
                fs::metadata(&path).map(drop).map_err(|error| about(&path, &error))
            }
        }
    }

    fn put_back(&self, name: &str, len: u64) -> io::Result<()> {
        let mut open = self.open_files();
        let gone = || io::Error::new(io::ErrorKind::NotFound, format!("{name} is not open any more"));
        let (file, _) = open.get(name).ok_or_else(gone)?;
        let mut file: &File = file;
        file.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        file.take(len).read_to_end(&mut bytes)?;
        let directory = &self.shared.directory;
        fs::create_dir_all(directory)?;
        let mut held = self.shared.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let is_held = fs::metadata(directory.join("lock"))
            .and_then(|there| Ok(is_same(&held.metadata()?, &there)))
            .unwrap_or(false);
        if !is_held {
            *held = lock(directory)?;
        }
        self.replace(name, &bytes)?;
        open.remove(name);
        Ok(())
    }

    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        let file = OpenOptions::new().write(true).open(self.path(name))?;
        self.open_files().remove(name);
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
        let mut file = create(&unfinished, name.ends_with(".key"))?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(unfinished, self.path(name))?;
        self.sync_names()
    }
}
