//! The files that a journal speaks of, compared with those beside it: pictures, and records that were set aside.

use std::fs;
use std::io;
use std::path::Path;

use referee::{Digest, Record, StillOutcome};
use serde::Serialize;

/// The files that a journal speaks of.
#[derive(Debug, Default)]
pub struct KeptFiles {
    stills: Vec<(String, Digest)>,
    set_aside: Vec<(String, Digest)>,
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileFault {
    /// It is not there, or cannot be read.
    Missing,
    /// It is another than was written.
    Changed,
}

/// A file that is not as it was written.
#[derive(Debug, Serialize)]
pub struct BadFile {
    pub file: String,
    pub fault: FileFault,
}

impl KeptFiles {
    /// Takes the next record.
    pub fn note(&mut self, record: &Record) {
        match record {
            Record::Still(still) => {
                if let StillOutcome::Taken { file, sha256, .. } = &still.outcome {
                    self.stills.push((file.clone(), *sha256));
                }
            }
            Record::SetAside { file, sha256, .. } => self.set_aside.push((file.clone(), *sha256)),
            _ => {}
        }
    }

    /// The pictures that are not in `directory` as they were taken.
    pub fn bad_stills(&self, directory: &Path) -> Vec<BadFile> {
        bad(&self.stills, directory)
    }

    /// Where records are that were damaged and set aside, and whether that is nowhere: the file of records that are gone is empty.
    pub fn set_aside(&self) -> impl Iterator<Item = (&str, bool)> {
        self.set_aside.iter().map(|(file, sha256)| (&**file, *sha256 == Digest::of(b"")))
    }

    /// Those of them that are not in `directory` as they were kept.
    pub fn bad_set_aside(&self, directory: &Path) -> Vec<BadFile> {
        bad(&self.set_aside, directory)
    }
}

fn bad(files: &[(String, Digest)], directory: &Path) -> Vec<BadFile> {
    let fault = |file: &str, sha256: Digest| match read(directory, file) {
        Err(_) => Some(FileFault::Missing),
        Ok(bytes) => (Digest::of(&bytes) != sha256).then_some(FileFault::Changed),
    };
    let bad = |(file, sha256): &(String, Digest)| {
        Some(BadFile { fault: fault(file, *sha256)?, file: file.clone() })
    };
    files.iter().filter_map(bad).collect()
}

/// A journal may come from anywhere: what it names is looked for beside it and nowhere else.
fn read(directory: &Path, file: &str) -> io::Result<Vec<u8>> {
    if !referee::relay::is_id(file) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    fs::read(directory.join(file))
}
