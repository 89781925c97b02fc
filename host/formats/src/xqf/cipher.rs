//! The scrambling of versions 11 to 18.

use super::TREE;

/// Repeated over the file and weakened by the keys, this text is added to every byte of the tree.
const PAD: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// What has to be undone, computed from the header.
pub(super) struct Cipher {
    /// Subtracted from the squares of the header's pieces; their list is turned by it too from version 12 on.
    pub(super) pieces: u8,
    /// Subtracted from a ply's origin.
    pub(super) from: u8,
    /// Subtracted from a ply's target.
    pub(super) to: u8,
    /// Subtracted from a comment's length.
    pub(super) length: u32,
    pad: [u8; 32],
}

impl Cipher {
    /// Plain text, as versions up to 10 have it.
    const PLAIN: Cipher = Cipher { pieces: 0, from: 0, to: 0, length: 0, pad: [0; 32] };

    /// From the first sixteen bytes of the header.
    pub(super) fn new(header: &[u8; 16]) -> Cipher {
        if header[2] <= 10 {
            return Cipher::PLAIN;
        }
        let [mask, or, keys] = [&header[3..4], &header[8..12], &header[12..16]];
        let scale = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let pieces = scale(keys[1]).wrapping_mul(keys[1]);
        let from = scale(keys[2]).wrapping_mul(pieces);
        let to = scale(keys[3]).wrapping_mul(from);
        let length = (u32::from(keys[0]) * 256 + u32::from(keys[1])) % 32000 + 767;
        let pad = std::array::from_fn(|i| PAD[i] & ((keys[i % 4] & mask[0]) | or[i % 4]));
        Cipher { pieces, from, to, length, pad }
    }

    /// The tree's bytes as they were before scrambling.
    pub(super) fn plain(&self, file: &[u8]) -> Vec<u8> {
        let tree = file.get(TREE..).unwrap_or(&[]);
        // The tree begins at a multiple of 32, so counting from it is counting from the start of the file.
        tree.iter().zip(self.pad.iter().cycle()).map(|(byte, pad)| byte.wrapping_sub(*pad)).collect()
    }
}
