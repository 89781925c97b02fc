//! Unpacking, within bounds: a small file can say that it holds a million times its size.

use std::io::{self, Read};

/// Whatever the file's size, so much may come out of it.
const ALWAYS: usize = 4 << 20;

/// And so many times its size. Records of games pack to a tenth.
const RATIO: usize = 20;

/// What came out of a packed stream.
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    /// Why it ended before its end, if it did.
    pub(crate) broken: Option<io::Error>,
}

/// Unpacks a stream of so many packed bytes.
///
/// # Errors
///
/// When more comes out than records of games ever pack so tightly.
pub(crate) fn unpack(stream: impl Read, packed: usize) -> Result<Unpacked, String> {
    let most = ALWAYS.max(packed.saturating_mul(RATIO));
    let mut bytes = Vec::new();
    let broken = stream.take(most as u64 + 1).read_to_end(&mut bytes).err();
    if bytes.len() > most {
        return Err(format!(
            "{packed} packed bytes hold more than {} MiB, which records of games never do; unpack the file first",
            most >> 20
        ));
    }
    Ok(Unpacked { bytes, broken })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_comes_out_than_is_allowed() {
        let check = |out: usize, packed: usize, fits: bool| {
            let unpacked = unpack(io::repeat(0).take(out as u64), packed);
            assert_eq!(unpacked.is_ok_and(|unpacked| unpacked.bytes.len() == out), fits, "{out} of {packed}");
        };
        check(ALWAYS, 1, true);
        check(ALWAYS + 1, 1, false);
        check(ALWAYS + 1, ALWAYS / 2, true);
        check(20_000_000, 1_000_000, true);
        check(20_000_001, 1_000_000, false);
    }
}
