//! Files of JSON objects, one a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::outcome::Failure;

/// A line that holds no object of the kind that was expected. The others are read all the same.
#[derive(Debug)]
pub struct BadLine {
    /// Which one, from 1.
    pub number: u64,
    /// The `id` that it carries; null if it has none or is no JSON.
    pub id: Value,
    /// File, line, what is wrong and what was expected.
    pub error: String,
}

/// The objects of a file; `-` is standard input. Empty lines are skipped.
pub fn read<T: DeserializeOwned>(
    path: &Path,
    expected: &'static str,
) -> Result<impl Iterator<Item = Result<Result<T, BadLine>, Failure>>, Failure> {
    let name = if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
    let reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(|e| Failure::new(format_args!("{name}: {e}")))?))
    };
    let object = move |(number, line): (u64, io::Result<Vec<u8>>)| {
        let line = line.map_err(|e| Failure::new(format_args!("{name}, line {number}: {e}")))?;
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        let bad = |id: Value, error: &serde_json::Error| {
            // serde_json numbers the lines of what it is given, which is one.
            let fault = error.to_string().replace(" at line 1 column ", ", column ");
            BadLine { number, id, error: format!("{name}, line {number}: {fault}; expected {expected}") }
        };
        let value: Value = match serde_json::from_slice(&line) {
            Ok(value) => value,
            Err(error) => return Ok(Some(Err(bad(Value::Null, &error)))),
        };
        let id = value.get("id").cloned().unwrap_or_default();
        Ok(Some(serde_json::from_value(value).map_err(|error| bad(id, &error))))
    };
    Ok((1..).zip(reader.split(b'\n')).map(object).filter_map(Result::transpose))
}

/// What a command that answered every line ends with when some were unreadable: the first of them, and how many more.
pub fn unreadable(first: Option<String>, more: usize) -> Result<(), Failure> {
    match (first, more) {
        (None, _) => Ok(()),
        (Some(line), 0) => Err(Failure::new(line)),
        (Some(line), more) => Err(Failure::new(format_args!("{line} (and {more} more such lines)"))),
    }
}
