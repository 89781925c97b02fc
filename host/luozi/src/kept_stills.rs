//! The pictures that a journal speaks of, compared with the files beside it.

use std::fs;
use std::io;
use std::path::Path;

use referee::{Digest, Record, StillOutcome};
use serde::Serialize;

/// The pictures that a journal speaks of.
#[derive(Debug, Default)]
pub struct KeptStills(Vec<(String, Digest)>);

/// What is wrong with a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StillFault {
    /// It is not there, or cannot be read.
    Missing,
    /// It is another than was taken.
    Changed,
}

/// A picture that is not as it was taken.
#[derive(Debug, Serialize)]
pub struct BadStill {
    pub file: String,
    pub fault: StillFault,
}

impl KeptStills {
    /// Takes the next record.
    pub fn note(&mut self, record: &Record) {
        if let Record::Still(still) = record
            && let StillOutcome::Taken { file, sha256, .. } = &still.outcome
        {
            self.0.push((file.clone(), *sha256));
        }
    }

    /// Those that are not in `directory` as they were taken.
    pub fn bad(&self, directory: &Path) -> Vec<BadStill> {
        let fault = |file: &str, sha256: Digest| match read(directory, file) {
            Err(_) => Some(StillFault::Missing),
            Ok(bytes) => (Digest::of(&bytes) != sha256).then_some(StillFault::Changed),
        };
        let bad = self
            .0
            .iter()
            .filter_map(|(file, sha256)| Some(BadStill { fault: fault(file, *sha256)?, file: file.clone() }));
        bad.collect()
    }
}

/// A journal may come from anywhere: what it names is looked for beside it and nowhere else.
fn read(directory: &Path, file: &str) -> io::Result<Vec<u8>> {
    if !referee::relay::is_id(file) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    fs::read(directory.join(file))
}
