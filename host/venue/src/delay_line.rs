//! The one place where the public feed comes from: everything that boards publish goes in, and what the public may see
//! comes out, in order, when it is old enough.
//!
//! How old a line is must not depend on one clock: a board may have none that survives power off, and a venue may have
//! been started a moment ago. So a line is as old as the least of two estimates, each of which can only be too young while
//! its clock is right: by wall clock, from the time that the line says, and by the board's uptime, of which anything that
//! the board says is a lower bound. It is at least as old as the time for which the venue has had it, so nothing is ever
//! stuck.
//!
//! Nothing is kept on disk. After a restart lines come again, by refill, with the times that they always had.

use std::collections::BTreeMap;

use referee::relay::{Status, Topic};
use referee::{Event, Happening, Line, Record, Snapshot};

use crate::delay::{Delay, Delays};
use crate::replica::{Change, Replica, Unreadable};
use crate::waiting::{Held, Waiting};

/// A moment, by the venue's two clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since the venue was started; never goes back.
    pub up_ms: u64,
    /// Milliseconds since 1970 (UTC).
    pub utc_ms: u64,
}

/// A message from the broker.
#[derive(Clone, Copy, Debug)]
pub struct Published<'a> {
    /// Its topic.
    pub topic: &'a str,
    /// Its payload.
    pub payload: &'a [u8],
    /// Whether the broker had kept it, so that it may be old.
    pub retained: bool,
}

/// What waits until the public may see it, and what the public sees.
#[derive(Debug)]
pub struct DelayLine {
    delays: Delays,
    boards: BTreeMap<String, Waiting>,
    public: Replica,
}

impl DelayLine {
    /// Nothing known.
    pub fn new(delays: Delays) -> DelayLine {
        DelayLine { public: Replica::public(delays.clone()), delays, boards: BTreeMap::new() }
    }

    /// The longest delay of any event.
    pub fn longest(&self) -> Delay {
        self.delays.longest()
    }

    /// What the public sees.
    pub fn public(&self) -> &Replica {
        &self.public
    }

    /// Takes a message, and gives what the public sees differently now. `live` has taken the message before.
    ///
    /// # Errors
    ///
    /// When the payload is not what the topic promises.
    pub fn take(
        &mut self,
        now: Moment,
        Published { topic, payload, retained }: Published<'_>,
        live: &Replica,
    ) -> Result<Vec<Change>, Unreadable> {
        let fail = |error: serde_json::Error| Unreadable::new(topic, error.to_string());
        let board = match Topic::parse(topic) {
            None | Some(Topic::Refill { .. } | Topic::Order { .. } | Topic::Answer { .. }) => {
                return Ok(Vec::new());
            }
            // Whether a board is there tells nothing of its game; which game it plays would.
            Some(Topic::Status { board }) => {
                let status: Option<Status> = match payload {
                    b"" => None,
                    _ => Some(serde_json::from_slice(payload).map_err(fail)?),
                };
                let status = status.filter(|status| status.v == Status::VERSION && status.online);
                if let Some(status) = &status {
                    self.heard(now, board, status.us, !retained);
                }
                let mut changes = self.public.set_online(board, status.is_some());
                changes.extend(self.release(now, board, live));
                return Ok(changes);
            }
            Some(Topic::Snapshot { game, board }) if payload.is_empty() => {
                self.board(now, board).withdraw(game);
                return self.public.apply(topic, payload);
            }
            Some(Topic::Snapshot { board, .. }) => {
                let snapshot: Snapshot = serde_json::from_slice(payload).map_err(fail)?;
                if snapshot.v == Snapshot::VERSION {
                    self.hold_snapshot(now, board, snapshot);
                }
                board
            }
            Some(Topic::Record { board }) => {
                let line: Line = serde_json::from_slice(payload).map_err(fail)?;
                if matches!(line.record, Record::SetAside { .. }) {
                    self.set_aside(now, board, &line);
                }
                self.board(now, board).hold_line(now, line);
                board
            }
        };
        Ok(self.release(now, board, live))
    }

    /// Gives what has become old enough.
    pub fn advance(&mut self, now: Moment, live: &Replica) -> Vec<Change> {
        let waits = self.boards.iter().filter(|(_, board)| !board.is_empty());
        let boards: Vec<String> = waits.map(|(id, _)| id.clone()).collect();
        boards.iter().flat_map(|board| self.release(now, board, live)).collect()
    }

    /// The link to the broker has been made anew. A board may have been off meanwhile, and then its uptime is less than we
    /// would think.
    pub fn link_made(&mut self) {
        self.boards.values_mut().for_each(Waiting::forget_uptime);
        self.public.link_made();
    }

    /// Time to confirm is over.
    pub fn confirmation_over(&mut self) -> Vec<Change> {
        self.public.confirmation_over()
    }

    /// Lines of boards that are connected that never came, of each board those to be asked for first: board, first line, and
    /// the line before which to stop. Arbiters see the latest game of a board, and need its lines; the public may be at an
    /// earlier one.
    pub fn wanted(&self, live: &Replica) -> Vec<(String, u64, u64)> {
        let mut wanted: BTreeMap<String, (u64, u64)> =
            live.wanted().into_iter().map(|(id, from, to)| (id, (from, to))).collect();
        for (id, board) in self.boards.iter().filter(|(id, _)| self.public.is_online(id)) {
            let Some(gap) = board.first_gap(newest(id, live)) else { continue };
            wanted.entry(id.clone()).and_modify(|other| *other = gap.min(*other)).or_insert(gap);
        }
        wanted.into_iter().map(|(id, (from, to))| (id, from, to)).collect()
    }

    fn board(&mut self, now: Moment, id: &str) -> &mut Waiting {
        self.boards.entry(id.to_owned()).or_insert_with(|| Waiting::new(now))
    }

    /// A board says its uptime: as it is, or, if it said so some time ago, as it was.
    fn heard(&mut self, now: Moment, id: &str, us: u64, is_fresh: bool) {
        let is_anew = self.public.heard(id, us);
        let board = self.board(now, id);
        if is_anew {
            *board = Waiting::new(now);
        }
        if is_fresh {
            board.forget_uptime();
        }
        board.heard(now, us);
    }

    /// A board has set aside what it had written from that line on. What waits of it goes; what has been shown stands until the
    /// next snapshot.
    fn set_aside(&mut self, now: Moment, id: &str, line: &Line) {
        let is_shown = self.public.latest(id).is_some_and(|shown| shown.seq >= line.seq);
        if self.board(now, id).set_aside(now, line, is_shown) && is_shown {
            self.public.set_aside(id, line.seq);
        }
    }

    fn hold_snapshot(&mut self, now: Moment, id: &str, snapshot: Snapshot) {
        let seen = self.public.snapshot(&snapshot.game).is_some_and(|seen| seen.seq >= snapshot.seq);
        let board = self.board(now, id);
        board.heard(now, snapshot.us);
        if !seen {
            board.hold_snapshot(now, snapshot);
        }
    }

    /// Shows what is due of a board.
    fn release(&mut self, now: Moment, id: &str, live: &Replica) -> Vec<Change> {
        let mut changes = Vec::new();
        loop {
            let shown = self.release_line(now, id, live).or_else(|| self.release_snapshot(now, id, live));
            match shown {
                Some(shown) => changes.extend(shown),
                None => return latest_of_each(changes),
            }
        }
    }

    /// Shows the next line, if it is due.
    fn release_line(&mut self, now: Moment, id: &str, live: &Replica) -> Option<Vec<Change>> {
        let board = self.boards.get_mut(id)?;
        let Held { what: line, arrived } = board.next_line()?;
        if board.is_catching_up(now, newest(id, live)) {
            return None;
        }
        let header = match &line.record {
            Record::Game(header) => Some(header),
            _ => None,
        };
        let shown = self.public.latest(id);
        let event = header.map_or_else(|| shown.map(|shown| &*shown.event), |header| Some(&*header.event));
        let delay = event.map_or_else(|| self.delays.longest(), |event| self.delays.of(event));
        let age = board.age_ms(now, *arrived, line.utc_ms, line.record.us().unwrap_or(0));
        let is_old_in_plies = || {
            let plies = plies_after(&line.record, shown.map_or(0, |shown| shown.plies.len()));
            // Who sees that a game is over sees that it goes on: that reveals no ply.
            delay.plies == 0
                || header.is_some()
                || shown.is_some_and(|shown| is_old_in_plies(delay, plies, shown, live))
                || shown.is_some_and(|shown| shown.result.is_some())
                || board.was_over(line, delay.ms)
        };
        if age < delay.ms || !is_old_in_plies() {
            return None;
        }
        let Held { what: mut line, arrived } = board.take_line()?;
        shift(&mut line, arrived, delay);
        Some(self.public.add_line(id, &line))
    }

    /// Shows the next snapshot, if it is due.
    fn release_snapshot(&mut self, now: Moment, id: &str, live: &Replica) -> Option<Vec<Change>> {
        let board = self.boards.get_mut(id)?;
        let Held { what: snapshot, arrived } = board.next_snapshot()?;
        let delay = self.delays.of(&snapshot.event);
        let age = board.age_ms(now, *arrived, snapshot.utc_ms, snapshot.us);
        let plies = snapshot.plies.len() + usize::from(snapshot.provisional.is_some());
        let reveals_nothing = self.public.snapshot(&snapshot.game).is_some_and(|shown| {
            shown.result.is_some()
                && snapshot.provisional.is_none()
                && shown.plies.starts_with(&snapshot.plies)
        });
        let is_old_in_plies = reveals_nothing || is_old_in_plies(delay, plies, snapshot, live);
        if age < delay.ms || !is_old_in_plies {
            return None;
        }
        let Held { what: mut snapshot, arrived } = board.take_snapshot()?;
        if let Some(clock) = &mut snapshot.clock {
            clock.at_utc_ms = clock.at_utc_ms.min(arrived.utc_ms).saturating_add(delay.ms);
            clock.running = clock.running.filter(|_| delay.plies == 0);
        }
        Some(self.public.set_game(snapshot))
    }
}

/// The last line that a board is known to have written.
fn newest(board: &str, live: &Replica) -> Option<u64> {
    live.latest(board).map(|latest| latest.seq)
}

/// How many plies somebody knows who sees that record after so many.
fn plies_after(record: &Record, plies: usize) -> usize {
    match record {
        Record::Event(Event { what: Happening::Moved(moved), .. }) => moved.ply as usize,
        Record::Event(Event { what: Happening::Resolved { ply, moves, .. }, .. }) => {
            (*ply as usize).saturating_add(moves.len()).saturating_sub(1)
        }
        Record::Event(Event { what: Happening::Provisional { .. }, .. }) => plies + 1,
        _ => plies,
    }
}

/// Whether so many plies have been played since that the public may know that many: always, when that game is over
/// or another one is on the board. A state of which a part was set aside tells neither.
fn is_old_in_plies(delay: Delay, plies: usize, game: &Snapshot, live: &Replica) -> bool {
    let now = live.snapshot(&game.game);
    delay.plies == 0
        || live.is_past(&game.board, &game.game)
        || now.filter(|now| now.seq > 0).is_some_and(|now| {
            now.result.is_some() || now.plies.len() >= plies.saturating_add(delay.plies as usize)
        })
}

/// Moves a line in time as far as the public is behind, so that its clock goes on from when it is shown. A clock that is
/// behind in plies stands still: it would show the thinking time of another move. When a game began is no clock, and stays.
fn shift(line: &mut Line, arrived: Moment, delay: Delay) {
    if delay == Delay::default() || matches!(line.record, Record::Game(_)) {
        return;
    }
    line.utc_ms = line.utc_ms.min(arrived.utc_ms).saturating_add(delay.ms);
    if let Record::Event(Event { what: Happening::Clock { shows, .. }, .. }) = &mut line.record
        && delay.plies > 0
    {
        shows.running = None;
    }
}

/// The changes without those that a later one of the same game replaces: a venue that catches up shows the end of it.
fn latest_of_each(changes: Vec<Change>) -> Vec<Change> {
    let mut kept: Vec<Change> = Vec::new();
    for change in changes {
        let same = kept.iter().position(|other| other.game() == change.game());
        match (same.map(|at| &mut kept[at]), change) {
            (Some(Change::Game { game, from }), Change::Game { game: newer, from: newer_from }) => {
                *game = newer;
                *from = newer_from.min(*from);
            }
            (Some(other), change) => *other = change,
            (None, change) => kept.push(change),
        }
    }
    kept
}
