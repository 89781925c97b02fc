//! A password while it is in memory.

use std::fmt;
use std::io;
use std::path::Path;

/// A password. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a password.
    pub fn new(password: impl Into<String>) -> Secret {
        Secret(password.into())
    }

    /// The first line of a file, without its end.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or its first line is empty.
    pub fn read(path: &Path) -> io::Result<Secret> {
        let text = std::fs::read_to_string(path)?;
        match text.lines().next().filter(|line| !line.is_empty()) {
            Some(line) => Ok(Secret::new(line)),
            None => Err(io::Error::new(io::ErrorKind::InvalidData, "expected a password in the first line")),
        }
    }

    /// The password itself, for whoever asks for it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
