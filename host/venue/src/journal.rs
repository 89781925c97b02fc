//! The last lines of a board's journal, as they came over the wire: the evidence that an arbiter asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Lines that are kept of each board: some three hundred plies with their evidence. When more come the oldest go; the
/// board's own journal keeps them all.
const MOST: usize = 6_000;

/// The last lines of a journal, by `seq`. Lost lines are holes, lines that come twice or late find their place.
#[derive(Debug, Default)]
pub(crate) struct Journal(BTreeMap<u64, Arc<str>>);

impl Journal {
    /// Takes a line. One that is older than all that are kept, when no more are kept, is dropped.
    pub(crate) fn add(&mut self, seq: u64, line: &str) {
        self.0.entry(seq).or_insert_with(|| line.into());
        if self.0.len() > MOST {
            self.0.pop_first();
        }
    }

    /// Up to `most` lines after `seq`, or from the first.
    pub(crate) fn after(&self, seq: Option<u64>, most: usize) -> Vec<Arc<str>> {
        let start = seq.map_or(0, |seq| seq.saturating_add(1));
        self.0.range(start..).take(most).map(|(_, line)| Arc::clone(line)).collect()
    }

    /// The lines in which a text stands, in order.
    pub(crate) fn about(&self, text: &str) -> Vec<Arc<str>> {
        self.0.values().filter(|line| line.contains(text)).map(Arc::clone).collect()
    }

    /// The first and the last line that are kept.
    pub(crate) fn span(&self) -> Option<(u64, u64)> {
        Some((*self.0.first_key_value()?.0, *self.0.last_key_value()?.0))
    }

    /// The first lines that are missing from `from` to `last`: the first of them, and the line before which they end. What
    /// has been dropped for room is not missed.
    pub(crate) fn first_gap(&self, from: u64, last: u64) -> Option<(u64, u64)> {
        let from = match self.0.first_key_value() {
            Some((&first, _)) if self.0.len() == MOST => from.max(first),
            _ => from,
        };
        let last = self.0.last_key_value().map_or(last, |(&kept, _)| kept.max(last));
        let mut next = from;
        for &seq in self.0.range(from..).map(|(seq, _)| seq) {
            if seq != next {
                return Some((next, seq));
            }
            next = seq + 1;
        }
        (next <= last).then_some((next, last + 1))
    }

    /// How many lines between the first and the last are missing.
    pub(crate) fn missing(&self) -> u64 {
        self.span().map_or(0, |(first, last)| last - first + 1 - self.0.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_find_their_place_once() {
        let mut journal = Journal::default();
        for seq in [5, 3, 8, 3, 4] {
            journal.add(seq, &seq.to_string());
        }
        let texts = |lines: Vec<Arc<str>>| lines.iter().map(|line| line.to_string()).collect::<Vec<_>>();
        assert_eq!(texts(journal.after(None, 9)), ["3", "4", "5", "8"]);
        assert_eq!(texts(journal.after(Some(4), 1)), ["5"]);
        assert_eq!(texts(journal.after(Some(u64::MAX), 1)), Vec::<String>::new());
        assert_eq!((journal.span(), journal.missing()), (Some((3, 8)), 2));
        assert_eq!(journal.first_gap(3, 8), Some((6, 8)));
        assert_eq!(journal.first_gap(1, 8), Some((1, 3)));
        assert_eq!(journal.first_gap(8, 8), None);
        assert_eq!(journal.first_gap(8, 11), Some((9, 12)));
        assert_eq!(Journal::default().first_gap(2, 4), Some((2, 5)));
    }

    #[test]
    fn the_oldest_lines_go_first() {
        let mut journal = Journal::default();
        let more = MOST as u64 + 10;
        (0..more).for_each(|seq| journal.add(seq, ""));
        journal.add(1, "late");
        assert_eq!((journal.span(), journal.missing()), (Some((10, more - 1)), 0));
        assert_eq!(journal.first_gap(0, more - 1), None);
    }
}
