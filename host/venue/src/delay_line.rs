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

/// Lines of one board that may wait. Beyond it the oldest are left out, and a snapshot takes the public past them.
const LINES: usize = 20_000;
/// Snapshots of one game that may wait. They are needed only while lines are missing; beyond it the newest is replaced.
const SNAPSHOTS: usize = 4;
/// Games of one board whose snapshots may wait; beyond it a new one is not taken, and comes again with its next change.
const GAMES: usize = 1_000;

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

#[derive(Debug)]
struct Held<T> {
    what: T,
    arrived: Moment,
}

#[derive(Debug, Default)]
struct Board {
    /// The board's uptime less ours, in microseconds; at least this much.
    lead_us: Option<i128>,
    /// The line that the public sees next; unknown until a game's beginning or a snapshot has been shown.
    next: Option<u64>,
    lines: BTreeMap<u64, Held<Line>>,
    snapshots: BTreeMap<String, Vec<Held<Snapshot>>>,
}

/// What waits until the public may see it, and what the public sees.
#[derive(Debug)]
pub struct DelayLine {
    delays: Delays,
    boards: BTreeMap<String, Board>,
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
                self.board(board).snapshots.remove(game);
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
                self.hold_line(now, board, serde_json::from_slice(payload).map_err(fail)?);
                board
            }
        };
        Ok(self.release(now, board, live))
    }

    /// Gives what has become old enough.
    pub fn advance(&mut self, now: Moment, live: &Replica) -> Vec<Change> {
        let waits = |board: &Board| !board.lines.is_empty() || !board.snapshots.is_empty();
        let boards: Vec<String> =
            self.boards.iter().filter(|(_, board)| waits(board)).map(|(id, _)| id.clone()).collect();
        boards.iter().flat_map(|board| self.release(now, board, live)).collect()
    }

    /// The link to the broker has been made anew. A board may have been off meanwhile, and then its uptime is less than we
    /// would think.
    pub fn link_made(&mut self) {
        self.boards.values_mut().for_each(|board| board.lead_us = None);
        self.public.link_made();
    }

    /// Time to confirm is over.
    pub fn confirmation_over(&mut self) -> Vec<Change> {
        self.public.confirmation_over()
    }

    fn board(&mut self, id: &str) -> &mut Board {
        self.boards.entry(id.to_owned()).or_default()
    }

    /// A board says its uptime: as it is, or, if it said so some time ago, as it was.
    fn heard(&mut self, now: Moment, id: &str, us: u64, is_fresh: bool) {
        let is_anew = self.public.heard(id, us);
        let board = self.board(id);
        if is_anew {
            *board = Board::default();
        }
        if is_fresh {
            board.lead_us = None;
        }
        board.heard(now, us);
    }

    fn hold_line(&mut self, now: Moment, id: &str, line: Line) {
        let board = self.board(id);
        board.heard(now, line.record.us().unwrap_or(0));
        if board.next.is_some_and(|next| line.seq < next)
            || (board.next.is_none() && !board.begins_with(&line))
        {
            return;
        }
        board.lines.entry(line.seq).or_insert(Held { what: line, arrived: now });
        if board.lines.len() > LINES {
            board.lines.pop_first();
        }
    }

    fn hold_snapshot(&mut self, now: Moment, id: &str, snapshot: Snapshot) {
        let seen = self.public.snapshot(&snapshot.game).is_some_and(|seen| seen.seq >= snapshot.seq);
        let board = self.board(id);
        board.heard(now, snapshot.us);
        if seen || board.has_lines_to(snapshot.seq) {
            return;
        }
        if board.snapshots.len() >= GAMES && !board.snapshots.contains_key(&snapshot.game) {
            return;
        }
        let waiting = board.snapshots.entry(snapshot.game.clone()).or_default();
        if waiting.last().is_some_and(|last| last.what.seq >= snapshot.seq) {
            return;
        }
        if waiting.len() == SNAPSHOTS {
            waiting.pop();
        }
        waiting.push(Held { what: snapshot, arrived: now });
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
        let (&seq, held) = board.lines.first_key_value()?;
        let line = &held.what;
        let header = match &line.record {
            Record::Game(header) => Some(header),
            _ => None,
        };
        // Lines before it are missing, and a game cannot be told from its middle.
        if header.is_none() && board.next != Some(seq) {
            return None;
        }
        let shown = self.public.latest(id);
        let event = header.map_or_else(|| shown.map(|shown| &*shown.event), |header| Some(&*header.event));
        let delay = event.map_or_else(|| self.delays.longest(), |event| self.delays.of(event));
        let age = board.age_ms(now, held.arrived, line.utc_ms, line.record.us().unwrap_or(0));
        let reach = reach(&line.record, shown);
        if age < delay.ms || (header.is_none() && !old_in_plies(delay, reach, shown, live.latest(id))) {
            return None;
        }
        let Held { what: mut line, arrived } = board.lines.remove(&seq)?;
        board.next = Some(seq + 1);
        shift(&mut line, arrived, delay);
        Some(self.public.add_line(id, &line))
    }

    /// Shows a snapshot that is due, and with it whatever lines it includes.
    fn release_snapshot(&mut self, now: Moment, id: &str, live: &Replica) -> Option<Vec<Change>> {
        let board = self.boards.get_mut(id)?;
        let due = board.snapshots.iter().find_map(|(game, waiting)| {
            let held = waiting.first()?;
            let snapshot = &held.what;
            let delay = self.delays.of(&snapshot.event);
            let age = board.age_ms(now, held.arrived, snapshot.utc_ms, snapshot.us);
            let reach = snapshot.plies.len() + usize::from(snapshot.provisional.is_some());
            let is_old = old_in_plies(delay, reach, Some(snapshot), live.latest(id));
            (age >= delay.ms && is_old).then(|| (game.clone(), delay))
        });
        let (game, delay) = due?;
        let waiting = board.snapshots.get_mut(&game)?;
        let Held { what: mut snapshot, arrived } = waiting.remove(0);
        if waiting.is_empty() {
            board.snapshots.remove(&game);
        }
        if board.next.is_none_or(|next| next <= snapshot.seq) {
            board.next = Some(snapshot.seq + 1);
            board.lines = board.lines.split_off(&(snapshot.seq + 1));
        }
        if let Some(clock) = &mut snapshot.clock {
            clock.at_utc_ms = clock.at_utc_ms.min(arrived.utc_ms).saturating_add(delay.ms);
            clock.running = clock.running.filter(|_| delay.plies == 0);
        }
        Some(self.public.set_game(snapshot))
    }
}

impl Board {
    /// The board has spoken of that moment of its uptime, so it is not earlier there.
    fn heard(&mut self, now: Moment, us: u64) {
        let lead = i128::from(us) - i128::from(now.up_ms) * 1000;
        self.lead_us = Some(self.lead_us.map_or(lead, |known| known.max(lead)));
    }

    /// How old something is at least, in milliseconds, that arrived then and says that it was written then. Something that
    /// does not say it, is as old as we have known it.
    fn age_ms(&self, now: Moment, arrived: Moment, utc_ms: u64, us: u64) -> u64 {
        let known = now.up_ms.saturating_sub(arrived.up_ms);
        if utc_ms == 0 {
            return known;
        }
        let by_wall = now.utc_ms.saturating_sub(utc_ms.min(arrived.utc_ms));
        let board_now = self.lead_us.map_or(0, |lead| lead + i128::from(now.up_ms) * 1000);
        let by_uptime = u64::try_from((board_now - i128::from(us)) / 1000).unwrap_or(0);
        known.max(by_wall.min(by_uptime))
    }

    /// Nothing has been shown yet, and a game cannot be told from its middle: the lines begin with the first game that came from
    /// its beginning, and what is before it goes. Gives whether that line is to be kept.
    fn begins_with(&mut self, line: &Line) -> bool {
        let begins = |line: &Line| matches!(line.record, Record::Game(_));
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
        match self.next {
            Some(next) if next <= seq => self.lines.range(next..=seq).count() as u64 == seq - next + 1,
            _ => false,
        }
    }
}

/// How many plies somebody knows who sees that record after what has been shown.
fn reach(record: &Record, shown: Option<&Snapshot>) -> usize {
    let plies = shown.map_or(0, |shown| shown.plies.len());
    match record {
        Record::Event(Event { what: Happening::Moved(moved), .. }) => moved.ply as usize,
        Record::Event(Event { what: Happening::Resolved { ply, moves, .. }, .. }) => {
            (*ply as usize).saturating_add(moves.len()).saturating_sub(1)
        }
        Record::Event(Event { what: Happening::Provisional { .. }, .. }) => plies + 1,
        _ => plies,
    }
}

/// Whether so many plies have been played since that the public may know `reach` of them: always, when that game is over
/// or another one is on the board.
fn old_in_plies(delay: Delay, reach: usize, game: Option<&Snapshot>, live: Option<&Snapshot>) -> bool {
    let (Some(game), Some(live)) = (game, live) else { return delay.plies == 0 };
    delay.plies == 0
        || live.game != game.game
        || live.result.is_some()
        || live.plies.len() >= reach.saturating_add(delay.plies as usize)
}

/// Moves a line in time as far as the public is behind, so that its clock goes on from when it is shown. A clock that is
/// behind in plies stands still: it would show the thinking time of another move.
fn shift(line: &mut Line, arrived: Moment, delay: Delay) {
    if delay == Delay::default() {
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
