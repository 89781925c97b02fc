//! One raw reading of all ninety reeds.

use core::fmt;
use core::str::FromStr;

use xiangqi::Bitboard;

/// Which reeds are closed, as read once: bounce, glitches and chatter are in it.
///
/// Its text is 23 lower-case hexadecimal digits, most significant first; bit `rank * 9 + file` is 1 where the reed is
/// closed, and bits 90 and 91 are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The closed reeds.
    pub closed: Bitboard,
}

impl Frame {
    /// A reading in which just those reeds are closed.
    pub const fn new(closed: Bitboard) -> Frame {
        Frame { closed }
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:023x}", self.closed.bits())
    }
}

/// The text was not 23 hexadecimal digits with bits 90 and 91 clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFrameError;

impl fmt::Display for ParseFrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 23 lower-case hexadecimal digits, the first of them 0 to 3")
    }
}

impl core::error::Error for ParseFrameError {}

impl FromStr for Frame {
    type Err = ParseFrameError;
    fn from_str(text: &str) -> Result<Frame, ParseFrameError> {
        if text.len() != 23 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(ParseFrameError);
        }
        let bits = u128::from_str_radix(text, 16).map_err(|_| ParseFrameError)?;
        if bits >> 90 != 0 {
            return Err(ParseFrameError);
        }
        Ok(Frame::new(Bitboard::from_bits(bits)))
    }
}
