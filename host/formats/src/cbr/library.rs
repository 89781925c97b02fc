//! Reading a library.

use super::{MAGIC, is, read};
use crate::cursor::Cursor;
use crate::{Game, Place, ReadError, Warning, Warnings};

const LIBRARY: &[u8; 16] = b"CCBridgeLibrary\0";
const INDEX: usize = 66_624;
const ENTRY: usize = 276;
const BLOCK: usize = 4096;
/// How an entry of the index begins that has a record.
const TAKEN: u32 = 7;

/// Whether the bytes begin as a library does.
pub(crate) fn is_library(data: &[u8]) -> bool {
    data.starts_with(LIBRARY)
}

/// Reads all records. The index says how many slots there are, not how many games; a long game takes several blocks.
pub(crate) fn read_library(data: &[u8], warnings: &mut Warnings) -> Result<Vec<Game>, ReadError> {
    let Some(slots) = Cursor::at(data, 60).u32() else {
        return Err(ReadError::at(data.len(), "the library ends within its header"));
    };
    let first = (slots as usize).saturating_mul(ENTRY).saturating_add(INDEX);
    let mut starts = records_from(data, first);
    let listed = listed(data, slots as usize);
    if starts.is_empty() {
        // An index of another size: the records still stand on blocks after each other.
        let found = data.windows(MAGIC.len()).position(|window| window == MAGIC);
        if let Some(found) = found {
            let what = format!("no record at byte {first}, where the index of {slots} slots ends");
            warnings.push(Warning { place: Place::Offset(found), what });
            starts = records_from(data, found);
        }
    }
    if starts.is_empty() && data.len() < first {
        return Err(ReadError::at(data.len(), format!("the library ends within its index of {slots} slots")));
    }
    if starts.len() < listed {
        let what =
            format!("the index lists {listed} records, {} are there: the file is cut off", starts.len());
        warnings.push(Warning { place: Place::Offset(data.len()), what });
    }
    let ends = starts.iter().skip(1).copied().chain([data.len()]);
    let mut games = Vec::with_capacity(starts.len());
    for (start, end) in starts.iter().zip(ends) {
        match read(data, *start, end, warnings) {
            Ok(game) => games.push(game),
            Err(error) => warnings.lose(error),
        }
    }
    Ok(games)
}

/// How many slots of the index say that they have a record.
fn listed(data: &[u8], slots: usize) -> usize {
    let index = data.get(INDEX..).unwrap_or(&[]).chunks_exact(ENTRY).take(slots);
    index.filter(|entry| entry.starts_with(&TAKEN.to_le_bytes())).count()
}

fn records_from(data: &[u8], first: usize) -> Vec<usize> {
    let blocks = (first..data.len()).step_by(BLOCK);
    blocks.filter(|start| data.get(*start..).is_some_and(is)).collect()
}
