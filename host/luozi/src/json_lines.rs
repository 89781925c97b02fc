//! Files of JSON objects, one a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::outcome::Failure;

/// The objects of a file; `-` is standard input. Empty lines are skipped. A line that is no such object ends the reading
/// with a failure that names file, line and what was expected.
pub fn read<T: DeserializeOwned>(
    path: &Path,
    expected: &'static str,
) -> Result<impl Iterator<Item = Result<T, Failure>>, Failure> {
    let name = if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
    let reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(|e| Failure::new(format_args!("{name}: {e}")))?))
    };
    let object = move |(number, line): (usize, io::Result<String>)| {
        let line = line.map_err(|e| Failure::new(format_args!("{name}, line {number}: {e}")))?;
        if line.trim().is_empty() {
            return Ok(None);
        }
        let object = serde_json::from_str(&line);
        object.map(Some).map_err(|e| {
            // serde_json numbers the lines of what it is given, which is one.
            let fault = e.to_string().replace(" at line 1 column ", ", column ");
            Failure::new(format_args!("{name}, line {number}: {fault}; expected {expected}"))
        })
    };
    Ok((1..).zip(reader.lines()).map(object).filter_map(Result::transpose))
}
