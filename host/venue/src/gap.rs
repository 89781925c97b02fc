//! Lines that are missing among numbered ones.

/// The first numbers that are missing from `from` to `last`, or before a later one that is held: the first of them, and the
/// number before which they end. `held` are those that are there, from `from` on, in order.
pub(crate) fn gap(held: impl Iterator<Item = u64>, from: u64, last: u64) -> Option<(u64, u64)> {
    let mut next = from;
    for seq in held {
        if seq != next {
            return Some((next, seq));
        }
        next = seq + 1;
    }
    (next <= last).then_some((next, last + 1))
}
