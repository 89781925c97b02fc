//! The venue's copy of what the boards have published. It opens no connection and reads no clock: messages go in,
//! changes come out, and applying a message twice or late changes nothing.
//!
//! A game moves on by lines of its board's journal as they come, and by whole snapshots. Both are numbered by the same
//! `seq`, so whichever is ahead wins: a line that is not the next one waits for those before it, or for the snapshot that
//! contains it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use referee::claim::Claim;
use referee::relay::{Alarm, Status, Topic};
use referee::{
    Attention, By, Called, Command, Due, FoulEntry, Happening, Line, Record, Snapshot, checked_hash,
};
use serde::Serialize;
use xiangqi::{Move, Position};

use crate::delay::Delays;
use crate::game::{GameView, Summary};
use crate::journal::Journal;
use crate::sheet::Sheet;

/// Why a message was not applied. It is reported and skipped: one broken board must not blind the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    topic: String,
    why: String,
}

impl Unreadable {
    pub(crate) fn new(topic: &str, why: String) -> Unreadable {
        Unreadable { topic: topic.to_owned(), why }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.topic, self.why)
    }
}

impl std::error::Error for Unreadable {}

/// What a message changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A game is new or different; moves from number `from` on, counted from 0, are what differs.
    Game {
        /// The game as it is now.
        game: Arc<GameView>,
        /// How many moves are as before.
        from: usize,
    },
    /// A game's snapshot was withdrawn.
    Gone {
        /// The game's id.
        id: String,
    },
}

impl Change {
    /// The id of the game that it changes.
    pub fn game(&self) -> &str {
        match self {
            Change::Game { game, .. } => &game.summary.id,
            Change::Gone { id } => id,
        }
    }
}

#[derive(Debug, Default)]
struct Board {
    online: bool,
    alarm: Option<String>,
    alarms: Vec<Alarm>,
    game: Option<String>,
    /// Whether a status has come since the link was last made, or time to say it is over.
    confirmed: bool,
    /// The last uptime that a status has said, in microseconds.
    us: u64,
    journal: Journal,
    /// Its games.
    games: BTreeSet<String>,
    /// The one with the highest line.
    latest: Option<String>,
}

/// A board whose uptime falls by more than this, in microseconds, has begun a new journal: a spare board under the same
/// name.
const ANEW_US: u64 = 60_000_000;

/// A board as an arbiter sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardView {
    /// The board's id.
    pub board: String,
    /// Whether it is connected.
    pub online: bool,
    /// What is wrong with the board itself, such as a disk that cannot be written, in English words; it plays on.
    pub alarm: Option<String>,
    /// The same for pages.
    pub alarms: Vec<Alarm>,
    /// The game that is on it.
    pub game: Option<Summary>,
    /// What an arbiter should look at, the oldest first.
    pub attention: Vec<Attention>,
    /// The first and the last line of its journal that the venue holds.
    pub journal: Option<(u64, u64)>,
    /// How many lines between them never came.
    pub missing: u64,
    /// The edition of the rules.
    pub rules: String,
    /// The ledger of fouls.
    pub fouls: Vec<FoulEntry>,
    /// The claim that waits for a ruling.
    pub claim: Option<Claim>,
    /// How the rules would end the game.
    pub due: Option<Due>,
    /// Whether a player has called.
    pub called: Option<Called>,
    /// Who has signed the result.
    pub signed: Vec<By>,
}

/// An order that was given at some board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// The board's id.
    pub board: String,
    /// The game that was on it; empty where that is not known.
    pub game: String,
    /// The line of the board's journal that says it, as it came.
    pub line: Arc<str>,
}

#[derive(Debug)]
struct Game {
    snapshot: Snapshot,
    view: Arc<GameView>,
}

/// What the boards have published.
#[derive(Debug, Default)]
pub struct Replica {
    boards: BTreeMap<String, Board>,
    games: BTreeMap<String, Game>,
    /// How far this is behind, if it is what the public sees.
    delays: Option<Delays>,
}

impl Replica {
    /// Nothing known.
    pub fn new() -> Replica {
        Replica::default()
    }

    /// Nothing known yet, and later no more than the public may know.
    pub(crate) fn public(delays: Delays) -> Replica {
        Replica { delays: Some(delays), ..Replica::default() }
    }

    /// A game's snapshot.
    pub fn snapshot(&self, id: &str) -> Option<&Snapshot> {
        self.games.get(id).map(|game| &game.snapshot)
    }

    /// The latest game of a board.
    pub fn latest(&self, board: &str) -> Option<&Snapshot> {
        self.snapshot(self.boards.get(board)?.latest.as_deref()?)
    }

    /// Lines of the latest games of boards that are connected that never came: board, first line, and the line before which to
    /// stop.
    pub(crate) fn wanted(&self) -> Vec<(String, u64, u64)> {
        let of_board = |(id, board): (&String, &Board)| {
            let latest = self.latest(id).filter(|_| board.online)?;
            let (from, to) = board.journal.first_gap(latest.began?, latest.seq)?;
            Some((id.clone(), from, to))
        };
        self.boards.iter().filter_map(of_board).collect()
    }

    /// All games, by id.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &Arc<GameView>> {
        self.games.values().map(|game| &game.view)
    }

    /// One game.
    pub fn game(&self, id: &str) -> Option<&Arc<GameView>> {
        self.games.get(id).map(|game| &game.view)
    }

    /// One game as its score sheet has it.
    pub fn sheet(&self, id: &str) -> Option<Sheet> {
        self.games.get(id).map(|game| Sheet::of(&game.snapshot))
    }

    /// Whether a board has gone on to another game: its latest game is another one, and it does not say that it plays that one.
    /// After a spare board has begun a new journal under the same name, its game may not be the one with the highest line.
    pub(crate) fn is_past(&self, board: &str, game: &str) -> bool {
        let has_another = self.latest(board).is_some_and(|latest| latest.game != game);
        let says_another = |board: &Board| board.confirmed && board.game.as_deref() != Some(game);
        has_another && self.boards.get(board).is_some_and(says_another)
    }

    /// Whether a board is connected.
    pub(crate) fn is_online(&self, board: &str) -> bool {
        self.boards.get(board).is_some_and(|board| board.online)
    }

    /// How many boards have been seen, and how many of them are connected.
    pub fn boards(&self) -> (usize, usize) {
        (self.boards.len(), self.boards.values().filter(|board| board.online).count())
    }

    /// Every board, by id, with what an arbiter should look at.
    pub fn board_views(&self) -> Vec<BoardView> {
        let view = |(id, board): (&String, &Board)| {
            let game = self.current(id);
            BoardView {
                board: id.clone(),
                online: board.online,
                alarm: board.alarm.clone(),
                alarms: board.alarms.clone(),
                game: game.map(|game| game.view.summary.clone()),
                attention: game.map_or_else(Vec::new, |game| game.snapshot.attention.clone()),
                journal: board.journal.span(),
                missing: board.journal.missing(),
                rules: game.map_or_else(String::new, |game| game.snapshot.rules.clone()),
                fouls: game.map_or_else(Vec::new, |game| game.snapshot.fouls.clone()),
                claim: game.and_then(|game| game.snapshot.claim.clone()),
                due: game.and_then(|game| game.snapshot.dues.first().cloned()),
                called: game.and_then(|game| game.snapshot.called),
                signed: game.map_or_else(Vec::new, |game| game.snapshot.signed.clone()),
            }
        };
        self.boards.iter().map(view).collect()
    }

    /// The game that is on a board.
    fn current(&self, board: &str) -> Option<&Game> {
        self.games_of(board).find(|game| game.view.summary.current)
    }

    /// The game on a board: where it started, its moves, its rules. `None` where there is none, or it started from what is
    /// no position.
    pub fn played(&self, board: &str) -> Option<(Position, Vec<Move>, String)> {
        let snapshot = &self.current(board)?.snapshot;
        let start = Position::standing(snapshot.start).ok()?;
        Some((start, snapshot.plies.iter().map(|ply| ply.mv).collect(), snapshot.rules.clone()))
    }

    /// What was ordered by the order of that number in a game, if the line that says so is held.
    pub fn order(&self, board: &str, game: &str, number: u32) -> Option<Command> {
        let mut lines = self.boards.get(board)?.journal.orders().rev();
        lines.find_map(|text| {
            let line: Line = serde_json::from_str(text).ok()?;
            let of_game = self.game_at(board, line.seq).is_some_and(|found| found.snapshot.game == game);
            let Record::Event(event) = line.record else { return None };
            match event.what {
                Happening::Ordered { order, what } if order == number && of_game => Some(what.command),
                _ => None,
            }
        })
    }

    /// The game that was on a board when it wrote that line.
    fn game_at(&self, board: &str, seq: u64) -> Option<&Game> {
        let wrote = |game: &&Game| {
            game.snapshot.began.is_some_and(|began| (began..=game.snapshot.seq).contains(&seq))
        };
        // Where a board has begun a new journal the numbers of its games may overlap: the later one counts.
        self.games_of(board).filter(wrote).max_by_key(|game| game.snapshot.began_utc_ms)
    }

    /// What was ordered at all boards and what became of it, the latest first.
    pub fn audit(&self) -> Vec<Audited> {
        const MOST: usize = 500;
        let mut entries: Vec<(u64, Audited)> = Vec::new();
        for (id, board) in &self.boards {
            for text in board.journal.orders() {
                let Ok(line) = serde_json::from_str::<Line>(text) else { continue };
                let Record::Event(event) = &line.record else { continue };
                if matches!(event.what, Happening::Ordered { .. } | Happening::Refused { .. }) {
                    let game = self.game_at(id, line.seq).map(|game| game.snapshot.game.clone());
                    let game = game.unwrap_or_default();
                    entries.push((line.utc_ms, Audited { board: id.clone(), game, line: Arc::clone(text) }));
                }
            }
        }
        entries.sort_by_key(|(utc_ms, _)| std::cmp::Reverse(*utc_ms));
        entries.into_iter().take(MOST).map(|(_, audited)| audited).collect()
    }

    /// Up to `most` lines of a board's journal after `seq`, as they came; `None` for a board that was never seen.
    pub fn journal(&self, board: &str, seq: Option<u64>, most: usize) -> Option<Vec<Arc<str>>> {
        self.boards.get(board).map(|board| board.journal.after(seq, most))
    }

    fn games_of(&self, board: &str) -> impl Iterator<Item = &Game> {
        let ids = self.boards.get(board).into_iter().flat_map(|board| &board.games);
        ids.filter_map(|id| self.games.get(id)).filter(move |game| game.snapshot.board == board)
    }

    /// Applies a message. Topics that are not ours, and versions that are not ours, change nothing.
    ///
    /// # Errors
    ///
    /// When the payload is not what the topic promises.
    pub fn apply(&mut self, topic: &str, payload: &[u8]) -> Result<Vec<Change>, Unreadable> {
        let fail = |why: String| Unreadable { topic: topic.to_owned(), why };
        match Topic::parse(topic) {
            None | Some(Topic::Refill { .. } | Topic::Order { .. } | Topic::Answer { .. }) => Ok(Vec::new()),
            Some(Topic::Snapshot { game, .. }) if payload.is_empty() => {
                let gone = self.games.remove(game);
                for board in self.boards.values_mut() {
                    board.games.remove(game);
                    board.latest.take_if(|latest| latest == game);
                }
                Ok(gone.map(|_| Change::Gone { id: game.to_owned() }).into_iter().collect())
            }
            Some(Topic::Status { board }) if payload.is_empty() => Ok(self.set_board(board, false, None)),
            Some(Topic::Status { board }) => {
                let status: Status = serde_json::from_slice(payload).map_err(|e| fail(e.to_string()))?;
                if status.v != Status::VERSION {
                    return Ok(Vec::new());
                }
                if status.online {
                    self.heard(board, status.us);
                }
                let changes = self.set_board(board, status.online, status.game);
                let place = self.boards.entry(board.to_owned()).or_default();
                (place.alarm, place.alarms) = (status.alarm, status.alarms);
                Ok(changes)
            }
            Some(Topic::Snapshot { board, game }) => {
                let snapshot: Snapshot = serde_json::from_slice(payload).map_err(|e| fail(e.to_string()))?;
                if snapshot.board != board || snapshot.game != game {
                    let (b, g) = (&snapshot.board, &snapshot.game);
                    return Err(fail(format!("the payload speaks of board {b:?} and game {g:?}")));
                }
                if snapshot.v != Snapshot::VERSION {
                    return Ok(Vec::new());
                }
                let mut changes = self.set_game(snapshot);
                changes.extend(self.take_waiting(board));
                Ok(changes)
            }
            Some(Topic::Record { board }) => {
                let text = std::str::from_utf8(payload).map_err(|e| fail(e.to_string()))?;
                let line: Line = serde_json::from_str(text).map_err(|e| fail(e.to_string()))?;
                checked_hash(text).map_err(|e| fail(e.to_string()))?;
                if matches!(line.record, Record::SetAside { .. }) && self.has_others_from(board, &line, text)
                {
                    self.set_aside(board, line.seq);
                }
                self.boards.entry(board.to_owned()).or_default().journal.add(line.seq, text);
                let mut changes = self.add_line(board, &line);
                changes.extend(self.take_waiting(board));
                Ok(changes)
            }
        }
    }

    /// The link to the broker has been made anew: what was known about connections must be confirmed.
    pub fn link_made(&mut self) {
        for board in self.boards.values_mut() {
            board.confirmed = false;
        }
    }

    /// Time to confirm is over: a board whose status has not come since the link was made is not there.
    pub fn confirmation_over(&mut self) -> Vec<Change> {
        let silent = self.boards.iter().filter(|(_, board)| board.online && !board.confirmed);
        let lost: Vec<String> = silent.map(|(id, _)| id.clone()).collect();
        self.boards.values_mut().for_each(|board| board.confirmed = true);
        lost.iter().flat_map(|id| self.set_board(id, false, None)).collect()
    }

    fn set_board(&mut self, id: &str, online: bool, game: Option<String>) -> Vec<Change> {
        let board = self.boards.entry(id.to_owned()).or_default();
        board.online = online;
        board.confirmed = true;
        // A board that has gone away keeps its game on the wall.
        if online || game.is_some() {
            board.game = game;
        }
        self.refresh_flags(id)
    }

    /// A board says its uptime. Gives whether it has begun a new journal.
    pub(crate) fn heard(&mut self, id: &str, us: u64) -> bool {
        let board = self.boards.entry(id.to_owned()).or_default();
        let is_anew = us.saturating_add(ANEW_US) < std::mem::replace(&mut board.us, us);
        if is_anew {
            board.latest = None;
            board.journal = Journal::default();
        }
        is_anew
    }

    /// Whether a board is connected; not which game it plays.
    pub(crate) fn set_online(&mut self, id: &str, online: bool) -> Vec<Change> {
        self.set_board(id, online, None)
    }

    /// Takes the next line of a board's journal; any other changes nothing.
    pub(crate) fn add_line(&mut self, board: &str, line: &Line) -> Vec<Change> {
        let latest = self.latest(board);
        let next = match (&line.record, latest) {
            (Record::Game(header), latest)
                if latest.is_none_or(|s| s.game != header.game && s.seq < line.seq) =>
            {
                Snapshot::begin(board, line.seq, line.utc_ms, header)
            }
            (_, Some(latest)) if latest.seq + 1 == line.seq => {
                let mut snapshot = latest.clone();
                snapshot.apply(line);
                snapshot
            }
            _ => return Vec::new(),
        };
        self.set_game(next)
    }

    /// Whether what is known of a board from that line on is other than what it has now: the line is another, or it never came,
    /// and a game is known from before it was written.
    fn has_others_from(&self, id: &str, line: &Line, text: &str) -> bool {
        let held = self.boards.get(id).and_then(|board| board.journal.line(line.seq));
        let is_older = |game: &Game| game.snapshot.seq >= line.seq && game.snapshot.utc_ms < line.utc_ms;
        held.map_or_else(|| self.games_of(id).any(is_older), |held| held != text)
    }

    /// A board has set aside what it had written from that line on, because it was damaged. What is shown of it stands until its
    /// next snapshot, whatever the number of that.
    pub(crate) fn set_aside(&mut self, id: &str, from: u64) {
        let Some(board) = self.boards.get_mut(id) else { return };
        board.journal.cut(from);
        board.latest = None;
        for game in &board.games {
            let known = self.games.get_mut(game).map(|game| &mut game.snapshot);
            if let Some(known) = known.filter(|known| known.board == id && known.seq >= from) {
                known.seq = 0;
            }
        }
    }

    /// Takes the lines that came before those that they follow.
    fn take_waiting(&mut self, board: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        while let Some(line) = self.next_line(board) {
            let seq = line.seq;
            changes.extend(self.add_line(board, &line));
            if self.latest(board).is_none_or(|latest| latest.seq < seq) {
                break;
            }
        }
        changes
    }

    /// The line that a board's latest game waits for, if it is held.
    fn next_line(&self, board: &str) -> Option<Line> {
        let next = self.latest(board)?.seq + 1;
        serde_json::from_str(self.boards.get(board)?.journal.line(next)?).ok()
    }

    /// Takes a newer state of a game; an older one changes nothing.
    pub(crate) fn set_game(&mut self, snapshot: Snapshot) -> Vec<Change> {
        let known = self.games.get(&snapshot.game);
        let is_old =
            |known: &Game| known.snapshot.seq >= snapshot.seq && known.snapshot.board == snapshot.board;
        let is_old = known.is_some_and(is_old);
        let latest = self.latest(&snapshot.board).map(|latest| latest.seq);
        let place = self.boards.entry(snapshot.board.clone()).or_default();
        place.games.insert(snapshot.game.clone());
        if latest.is_none_or(|latest| latest <= snapshot.seq) {
            place.latest = Some(snapshot.game.clone());
            snapshot.began.inspect(|began| place.journal.keep_from(*began));
        }
        if is_old {
            return Vec::new();
        }
        let mut view = GameView::of(&snapshot);
        let board = snapshot.board.clone();
        (view.summary.online, view.summary.current) = self.flags(&snapshot);
        view.summary.behind = self.delays.as_ref().and_then(|delays| delays.of(&snapshot.event).behind());
        let view = Arc::new(view);
        let from = known.map_or(0, |known| known.view.common_plies(&view));
        let same = known.is_some_and(|known| known.view.shows_the_same(&view));
        self.games.insert(snapshot.game.clone(), Game { snapshot, view: Arc::clone(&view) });
        // Evidence moves `seq` on and nothing else; no viewer needs to hear of it.
        let mut changes = if same { Vec::new() } else { vec![Change::Game { game: view, from }] };
        changes.extend(self.refresh_flags(&board));
        changes
    }

    /// Whether a game's board is connected, and whether the game is the one on it. Until a board says what it plays, its
    /// latest game is taken for it.
    fn flags(&self, snapshot: &Snapshot) -> (bool, bool) {
        let board = self.boards.get(&snapshot.board);
        let current = match board.and_then(|board| board.game.as_deref()) {
            Some(playing) => playing == snapshot.game,
            None => self.latest(&snapshot.board).map(|latest| latest.seq) <= Some(snapshot.seq),
        };
        (board.is_some_and(|board| board.online), current)
    }

    fn refresh_flags(&mut self, board: &str) -> Vec<Change> {
        let flags: Vec<_> = self
            .games_of(board)
            .map(|game| (game.snapshot.game.clone(), self.flags(&game.snapshot)))
            .collect();
        let mut changes = Vec::new();
        for (id, (online, current)) in flags {
            let Some(game) = self.games.get_mut(&id) else { continue };
            let summary = &game.view.summary;
            if (summary.online, summary.current) == (online, current) {
                continue;
            }
            let view = Arc::make_mut(&mut game.view);
            (view.summary.online, view.summary.current) = (online, current);
            changes.push(Change::Game { from: view.plies.len(), game: Arc::clone(&game.view) });
        }
        changes
    }
}
