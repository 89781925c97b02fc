//! The key with which a board signs its journal, in a file that only the board can read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use referee::relay::SecretKey;

/// The file beside the journal.
pub(crate) const FILE: &str = "board.key";

/// Reads the board's key, or makes one at the first start.
///
/// # Errors
///
/// When the file cannot be read or written, or holds no key. No error says anything of the key.
pub fn board_key(directory: &Path) -> io::Result<SecretKey> {
    let path = directory.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(directory, &path),
        Err(error) => Err(error),
    }
}

fn make(directory: &Path, path: &Path) -> io::Result<SecretKey> {
    fs::create_dir_all(directory)?;
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let secret = SecretKey::from_bytes(&bytes);
    // Whole or not at all: half a key would keep the board from starting.
    let unfinished = path.with_extension("key.new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(format!("{}\n", secret.reveal()).as_bytes())?;
    file.sync_all()?;
    fs::rename(unfinished, path)?;
    File::open(directory)?.sync_all()?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_the_boards_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let key = board_key(directory.path()).expect("a new key");
        let again = board_key(directory.path()).expect("the same key");
        assert_eq!(key.public(), again.public());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(directory.path().join(FILE)).expect("the file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(!format!("{key:?}").contains(&key.reveal()));
        fs::write(directory.path().join(FILE), "no key").expect("writable");
        assert!(board_key(directory.path()).is_err());
    }
}
