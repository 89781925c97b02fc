//! Counts that others have written: whole numbers of JSON up to where every reader of JSON agrees, which leaves room to count on.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};

/// The largest: 2^53 - 1, in microseconds 285 years.
const MOST: u64 = (1 << 53) - 1;

/// Reads one.
pub(crate) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let count = u64::deserialize(deserializer)?;
    if count > MOST {
        return Err(D::Error::invalid_value(Unexpected::Unsigned(count), &"a number below 2^53"));
    }
    Ok(count)
}

/// Reads one that may be missing.
pub(crate) fn read_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    match Option::<u64>::deserialize(deserializer)? {
        Some(count) if count > MOST => {
            Err(D::Error::invalid_value(Unexpected::Unsigned(count), &"a number below 2^53"))
        }
        count => Ok(count),
    }
}
