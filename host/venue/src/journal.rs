//! The last lines of a board's journal, as they came over the wire: the evidence that an arbiter asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::gap::gap;

/// Lines that are kept of each board's earlier games and its running one together. When more come the oldest go that are
/// not of the running game; the board's own journal keeps them all.
const MOST: usize = 6_000;
/// Lines that are kept of a running game: a thousand plies with noisy reeds, 13 MB. When more come the oldest go.
const MOST_OF_GAME: usize = 40_000;

/// Lines about orders that are kept of a board, however old: more than arbiters give in an event. When more come the oldest go.
const MOST_ORDERS: usize = 1_000;

/// The last lines of a journal, by `seq`, and the running game whole. Lost lines are holes, lines that come twice or late
/// find their place.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    lines: BTreeMap<u64, Arc<str>>,
    /// Those that may be about orders, which stay when the lines around them go.
    orders: BTreeMap<u64, Arc<str>>,
    /// The line with which the running game begins.
    game: Option<u64>,
}

impl Journal {
    /// Takes a line. One that is older than all that are kept, when no more are kept, is dropped.
    pub(crate) fn add(&mut self, seq: u64, line: &str) {
        let line = Arc::clone(self.lines.entry(seq).or_insert_with(|| line.into()));
        if line.contains("\"ordered\"") || line.contains("\"refused\"") {
            self.orders.entry(seq).or_insert(line);
            if self.orders.len() > MOST_ORDERS {
                self.orders.pop_first();
            }
        }
        self.make_room();
    }

    /// The board has other lines from that one on.
    pub(crate) fn cut(&mut self, seq: u64) {
        self.lines.split_off(&seq);
        self.orders.split_off(&seq);
    }

    /// The running game begins with that line.
    pub(crate) fn keep_from(&mut self, seq: u64) {
        self.game = Some(seq);
        self.make_room();
    }

    fn make_room(&mut self) {
        while let Some((&first, _)) = self.lines.first_key_value() {
            let is_of_game = self.game.is_some_and(|game| game <= first);
            if self.lines.len() <= if is_of_game { MOST_OF_GAME } else { MOST } {
                return;
            }
            self.lines.pop_first();
        }
    }

    /// Whether the running game is too long to be kept whole.
    fn is_full(&self) -> bool {
        self.lines.len() == MOST_OF_GAME || (self.game.is_none() && self.lines.len() == MOST)
    }

    /// A line.
    pub(crate) fn line(&self, seq: u64) -> Option<&str> {
        self.lines.get(&seq).map(|line| &**line)
    }

    /// Up to `most` lines after `seq`, or from the first.
    pub(crate) fn after(&self, seq: Option<u64>, most: usize) -> Vec<Arc<str>> {
        let start = seq.map_or(0, |seq| seq.saturating_add(1));
        self.lines.range(start..).take(most).map(|(_, line)| Arc::clone(line)).collect()
    }

    /// The lines that may be about orders, in order.
    pub(crate) fn orders(&self) -> impl DoubleEndedIterator<Item = &Arc<str>> {
        self.orders.values()
    }

    /// The first and the last line that are kept.
    pub(crate) fn span(&self) -> Option<(u64, u64)> {
        Some((*self.lines.first_key_value()?.0, *self.lines.last_key_value()?.0))
    }

    /// The first lines that are missing from `from` to `last`: the first of them, and the line before which they end. What
    /// has been dropped for room is not missed.
    pub(crate) fn first_gap(&self, from: u64, last: u64) -> Option<(u64, u64)> {
        let from = match self.lines.first_key_value() {
            Some((&first, _)) if self.is_full() => from.max(first),
            _ => from,
        };
        let last = self.lines.last_key_value().map_or(last, |(&kept, _)| kept.max(last));
        gap(self.lines.range(from..).map(|(seq, _)| *seq), from, last)
    }

    /// How many lines between the first and the last are missing.
    pub(crate) fn missing(&self) -> u64 {
        self.span().map_or(0, |(first, last)| last - first + 1 - self.lines.len() as u64)
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

    #[test]
    fn orders_stay_when_their_game_has_gone() {
        let mut journal = Journal::default();
        let order = r#"{"event":"ordered"}"#;
        journal.add(1, order);
        journal.add(2, r#"{"event":"refused"}"#);
        (3..3 + MOST as u64).for_each(|seq| journal.add(seq, ""));
        assert_eq!(journal.span().map(|(first, _)| first), Some(3));
        assert_eq!(journal.orders().count(), 2);
        assert_eq!(journal.orders().next().map(|line| &**line), Some(order));
        (0..2 * MOST_ORDERS as u64).for_each(|seq| journal.add(10 * MOST as u64 + seq, order));
        assert_eq!(journal.orders().count(), MOST_ORDERS);
    }

    /// A venue that was started late asks for a running game from its beginning, and keeps it.
    #[test]
    fn a_running_game_is_kept_whole() {
        let mut journal = Journal::default();
        let length = 2 * MOST as u64;
        journal.keep_from(100);
        (length - 10..length).for_each(|seq| journal.add(seq, ""));
        while let Some((from, to)) = journal.first_gap(100, length - 1) {
            (from..to).rev().for_each(|seq| journal.add(seq, ""));
        }
        assert_eq!((journal.span(), journal.missing()), (Some((100, length - 1)), 0));
        // What was before it goes first, and it goes when another one begins.
        journal.add(99, "");
        assert_eq!(journal.span(), Some((100, length - 1)));
        journal.keep_from(length);
        assert_eq!(journal.span(), Some((length - MOST as u64, length - 1)));
        let most = MOST_OF_GAME as u64;
        (length..length + most + 5).for_each(|seq| journal.add(seq, ""));
        assert_eq!(journal.span(), Some((length + 5, length + most + 4)));
        assert_eq!(journal.first_gap(length, length + most + 4), None);
    }
}
