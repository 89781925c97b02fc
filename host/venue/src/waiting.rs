//! What one board has published and the public does not see yet: lines in their order, and snapshots for where lines are
//! missing.

use std::collections::BTreeMap;

use referee::{Digest, Event, Happening, Line, Record, Snapshot};

use crate::delay_line::Moment;
use crate::gap::gap;

/// Lines that may wait. Beyond it the newest are not taken; their board is asked for them again when there is room.
const LINES: usize = 20_000;
/// Snapshots of one game that may wait. They are needed only while lines are missing; beyond it the newest is replaced.
const SNAPSHOTS: usize = 4;
/// Games whose snapshots may wait; beyond it a new one is not taken, and comes again with its next change.
const GAMES: usize = 1_000;
/// For so long after a board was first heard of its lines are shown only when all that were asked for have come: who comes
/// later would see a game begin anew that had long been public.
const CATCH_UP_MS: u64 = 10_000;

/// Something that waits, and when it came.
#[derive(Debug)]
pub(crate) struct Held<T> {
    pub what: T,
    pub arrived: Moment,
}

/// What waits of one board.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// When the board was first heard of, in milliseconds since the venue was started.
    since_ms: u64,
    /// The board's uptime less ours, in microseconds; at least this much.
    lead_us: Option<i128>,
    /// The line that the public sees next; unknown until a game's beginning or a snapshot has been shown.
    next: Option<u64>,
    lines: BTreeMap<u64, Held<Line>>,
    snapshots: BTreeMap<String, Vec<Held<Snapshot>>>,
    /// The last line that said that lines were set aside.
    set_aside: Option<Digest>,
}

impl Waiting {
    /// Nothing, of a board that is heard of now.
    pub fn new(now: Moment) -> Waiting {
        Waiting {
            since_ms: now.up_ms,
            lead_us: None,
            next: None,
            lines: BTreeMap::new(),
            snapshots: BTreeMap::new(),
            set_aside: None,
        }
    }

    /// The board has set aside what it had written from that line on, of which the public has been shown some or none. Gives
    /// whether that is news.
    pub fn set_aside(&mut self, now: Moment, line: &Line, is_shown: bool) -> bool {
        if self.set_aside.replace(line.hash) == Some(line.hash) {
            return false;
        }
        if is_shown {
            // Which line comes next is known again when a snapshot has been shown.
            *self = Waiting { lead_us: self.lead_us, set_aside: self.set_aside, ..Waiting::new(now) };
            return true;
        }
        self.lines.split_off(&line.seq);
        for waiting in self.snapshots.values_mut() {
            waiting.retain(|held| held.what.seq < line.seq);
        }
        self.snapshots.retain(|_, waiting| !waiting.is_empty());
        true
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.snapshots.is_empty()
    }

    /// The board has spoken of that moment of its uptime, so it is not earlier there.
    pub fn heard(&mut self, now: Moment, us: u64) {
        let lead = i128::from(us) - i128::from(now.up_ms) * 1000;
        self.lead_us = Some(self.lead_us.map_or(lead, |known| known.max(lead)));
    }

    /// What the board has said of its uptime counts no longer.
    pub fn forget_uptime(&mut self) {
        self.lead_us = None;
    }

    /// How old something is at least, in milliseconds, that arrived then and says that it was written then. Something that
    /// does not say it, is as old as we have known it.
    pub fn age_ms(&self, now: Moment, arrived: Moment, utc_ms: u64, us: u64) -> u64 {
        let known = now.up_ms.saturating_sub(arrived.up_ms);
        if utc_ms == 0 {
            return known;
        }
        let by_wall = now.utc_ms.saturating_sub(utc_ms.min(arrived.utc_ms));
        let board_now = self.lead_us.map_or(0, |lead| lead + i128::from(now.up_ms) * 1000);
        let by_uptime = u64::try_from((board_now - i128::from(us)) / 1000).unwrap_or(0);
        known.max(by_wall.min(by_uptime))
    }

    /// Takes a line that the public has not seen.
    pub fn hold_line(&mut self, now: Moment, line: Line) {
        self.heard(now, line.record.us().unwrap_or(0));
        if self.next.is_some_and(|next| line.seq < next) || (self.next.is_none() && !self.begins_with(&line))
        {
            return;
        }
        self.lines.entry(line.seq).or_insert(Held { what: line, arrived: now });
        if self.lines.len() > LINES {
            self.lines.pop_last();
        }
    }

    /// Takes a snapshot that the public has not seen, if lines before it are missing.
    pub fn hold_snapshot(&mut self, now: Moment, snapshot: Snapshot) {
        if self.has_lines_to(snapshot.seq)
            || (self.snapshots.len() >= GAMES && !self.snapshots.contains_key(&snapshot.game))
        {
            return;
        }
        let waiting = self.snapshots.entry(snapshot.game.clone()).or_default();
        if waiting.last().is_some_and(|last| last.what.seq >= snapshot.seq) {
            return;
        }
        if waiting.len() == SNAPSHOTS {
            waiting.pop();
        }
        waiting.push(Held { what: snapshot, arrived: now });
    }

    /// A game was withdrawn.
    pub fn withdraw(&mut self, game: &str) {
        self.snapshots.remove(game);
    }

    /// The line that may be shown next: the one after what has been shown, or the beginning of a game.
    pub fn next_line(&self) -> Option<&Held<Line>> {
        let (_, held) = self.lines.first_key_value()?;
        // Where lines before it are missing a game cannot be told from its middle.
        (begins(&held.what) || self.next == Some(held.what.seq)).then_some(held)
    }

    /// The next line is shown.
    pub fn take_line(&mut self) -> Option<Held<Line>> {
        let (seq, held) = self.lines.pop_first()?;
        self.next = Some(seq + 1);
        Some(held)
    }

    /// The snapshot that may be shown next: games are shown in their order.
    pub fn next_snapshot(&self) -> Option<&Held<Snapshot>> {
        self.snapshots.values().filter_map(|waiting| waiting.first()).min_by_key(|held| held.what.seq)
    }

    /// The next snapshot is shown, and with it whatever lines it includes.
    pub fn take_snapshot(&mut self) -> Option<Held<Snapshot>> {
        let game = self.next_snapshot()?.what.game.clone();
        let waiting = self.snapshots.get_mut(&game)?;
        let held = waiting.remove(0);
        if waiting.is_empty() {
            self.snapshots.remove(&game);
        }
        let after = held.what.seq + 1;
        if self.next.is_none_or(|next| next < after) {
            self.next = Some(after);
            self.lines = self.lines.split_off(&after);
        }
        Some(held)
    }

    /// Whether the game of a line was over when the line was that old, or came to be later: had a result, or made room for
    /// another. A result that had been withdrawn by then has revealed nothing.
    pub fn was_over(&self, line: &Line, ms: u64) -> bool {
        let us = |line: &Line| line.record.us().unwrap_or(0);
        let old_us = us(line).saturating_add(ms.saturating_mul(1000));
        let mut has_result = false;
        for Held { what, .. } in self.lines.range(line.seq..).map(|(_, held)| held) {
            match &what.record {
                Record::Game(_) if what.seq > line.seq => return true,
                Record::Event(Event { what: Happening::Result(_), .. }) => has_result = true,
                Record::Event(Event { what: Happening::Reopened { .. }, .. }) => {
                    if has_result && us(what) >= old_us {
                        return true;
                    }
                    has_result = false;
                }
                _ => {}
            }
        }
        has_result
    }

    /// The first lines that are missing of those that the public waits for: the first of them, and the line before which they
    /// end. Those are the lines of every game whose last snapshot is too young, up to line `newest` that the board has
    /// written.
    pub fn first_gap(&self, newest: Option<u64>) -> Option<(u64, u64)> {
        let waiting = || {
            let all = self.snapshots.values().flatten().map(|held| &held.what);
            all.filter(|snapshot| self.next.is_none_or(|next| next <= snapshot.seq))
        };
        let began = waiting().filter_map(|snapshot| snapshot.began).min();
        let from = began.max(self.next)?;
        let last = waiting().map(|snapshot| snapshot.seq).max().max(newest)?;
        let (first, end) = self.gap_between(from, last)?;
        // A line before others that are held takes the place of the newest; behind them there is only so much room.
        let newest_held = self.lines.last_key_value().map_or(0, |(&seq, _)| seq);
        let room = LINES.saturating_sub(self.lines.len()) as u64;
        let end = if first > newest_held { end.min(first + room) } else { end };
        (first < end).then_some((first, end))
    }

    /// Whether lines are on their way that the public had been shown by an earlier run of this venue.
    pub fn is_catching_up(&self, now: Moment, newest: Option<u64>) -> bool {
        now.up_ms < self.since_ms + CATCH_UP_MS && self.first_gap(newest).is_some()
    }

    /// Nothing has been shown yet, and a game cannot be told from its middle: the lines begin with the first game that came from
    /// its beginning, and what is before it goes. Gives whether that line is to be kept.
    fn begins_with(&mut self, line: &Line) -> bool {
        match self.lines.first_key_value() {
            Some((first, held)) if begins(&held.what) => *first <= line.seq || begins(line),
            Some(_) if begins(line) => {
                self.lines = self.lines.split_off(&line.seq);
                true
            }
            _ => true,
        }
    }

    /// Whether every line from the next one to that one waits here.
    fn has_lines_to(&self, seq: u64) -> bool {
        self.next.is_some_and(|next| {
            next <= seq && self.gap_between(next, seq).is_none_or(|(first, _)| first > seq)
        })
    }

    /// The first lines that are missing from `from` to `last`, or later before one that is held.
    fn gap_between(&self, from: u64, last: u64) -> Option<(u64, u64)> {
        if let (Some((&first, _)), Some((&end, _))) =
            (self.lines.first_key_value(), self.lines.last_key_value())
            && (first <= from && last <= end && end - first + 1 == self.lines.len() as u64)
        {
            return None;
        }
        gap(self.lines.range(from..).map(|(seq, _)| *seq), from, last)
    }
}

fn begins(line: &Line) -> bool {
    matches!(line.record, Record::Game(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seq: u64) -> Line {
        let (hash, record) = ("0".repeat(64), r#"{"kind":"press","us":1,"side":"red"}"#);
        let text = format!(r#"{{"seq":{seq},"prev":"{hash}","utc_ms":1,"record":{record},"hash":"{hash}"}}"#);
        serde_json::from_str(&text).unwrap()
    }

    /// Takes lines in that order, and gives what is asked for when the board has written `written`.
    fn check(
        waiting: &mut Waiting,
        seqs: impl IntoIterator<Item = u64>,
        written: u64,
        asked: Option<(u64, u64)>,
    ) {
        seqs.into_iter().for_each(|seq| waiting.hold_line(Moment::default(), line(seq)));
        assert_eq!(waiting.first_gap(written.checked_sub(1)), asked);
        assert!(waiting.lines.len() <= LINES);
    }

    #[test]
    fn what_there_is_no_room_for_is_asked_for_later() {
        let lines = LINES as u64;
        let mut waiting = Waiting::new(Moment::default());
        waiting.next = Some(0);
        check(&mut waiting, [], 0, None);
        check(&mut waiting, 0..10, 10, None);
        check(&mut waiting, 20..lines + 20, lines + 20, Some((10, 20)));
        // Lines that the public sees earlier take the place of later ones.
        check(&mut waiting, 10..20, lines + 20, None);
        assert_eq!(waiting.lines.last_key_value().map(|(&seq, _)| seq), Some(lines - 1));
        for shown in 0..5 {
            assert_eq!(waiting.take_line().map(|held| held.what.seq), Some(shown));
        }
        check(&mut waiting, [], lines + 20, Some((lines, lines + 5)));
        check(&mut waiting, lines..lines + 5, lines + 20, None);
    }
}
