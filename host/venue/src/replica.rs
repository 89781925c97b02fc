//! The venue's copy of what the boards have published. It opens no connection and reads no clock: messages go in,
//! changes come out, and applying a message twice or late changes nothing.
//!
//! A game moves on by lines of its board's journal as they come, and by whole snapshots. Both are numbered by the same
//! `seq`, so whichever is ahead wins: a line that is not the next one waits for the snapshot that contains it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use referee::relay::{Status, Topic};
use referee::{Attention, Line, Record, Snapshot, checked_hash};
use serde::Serialize;

use crate::game::{GameView, Summary};
use crate::journal::Journal;
use crate::sheet::Sheet;

/// Why a message was not applied. It is reported and skipped: one broken board must not blind the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    topic: String,
    why: String,
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

#[derive(Debug, Default)]
struct Board {
    online: bool,
    game: Option<String>,
    /// Whether a status has come since the link was last made.
    confirmed: bool,
    journal: Journal,
}

/// A board as an arbiter sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardView {
    /// The board's id.
    pub board: String,
    /// Whether it is connected.
    pub online: bool,
    /// The game that is on it.
    pub game: Option<Summary>,
    /// What an arbiter should look at, the oldest first.
    pub attention: Vec<Attention>,
    /// The first and the last line of its journal that the venue holds.
    pub journal: Option<(u64, u64)>,
    /// How many lines between them never came.
    pub missing: u64,
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
}

impl Replica {
    /// Nothing known.
    pub fn new() -> Replica {
        Replica::default()
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

    /// How many boards have been seen, and how many of them are connected.
    pub fn boards(&self) -> (usize, usize) {
        (self.boards.len(), self.boards.values().filter(|board| board.online).count())
    }

    /// Every board, by id, with what an arbiter should look at.
    pub fn board_views(&self) -> Vec<BoardView> {
        let view = |(id, board): (&String, &Board)| {
            let game =
                self.games.values().find(|game| game.snapshot.board == *id && game.view.summary.current);
            BoardView {
                board: id.clone(),
                online: board.online,
                game: game.map(|game| game.view.summary.clone()),
                attention: game.map_or_else(Vec::new, |game| game.snapshot.attention.clone()),
                journal: board.journal.span(),
                missing: board.journal.missing(),
            }
        };
        self.boards.iter().map(view).collect()
    }

    /// Up to `most` lines of a board's journal after `seq`, as they came; `None` for a board that was never seen.
    pub fn journal(&self, board: &str, seq: Option<u64>, most: usize) -> Option<Vec<Arc<str>>> {
        self.boards.get(board).map(|board| board.journal.after(seq, most))
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
                Ok(gone.map(|_| Change::Gone { id: game.to_owned() }).into_iter().collect())
            }
            Some(Topic::Status { board }) if payload.is_empty() => Ok(self.set_board(board, false, None)),
            Some(Topic::Status { board }) => {
                let status: Status = serde_json::from_slice(payload).map_err(|e| fail(e.to_string()))?;
                let known = status.v == Status::VERSION;
                Ok(if known { self.set_board(board, status.online, status.game) } else { Vec::new() })
            }
            Some(Topic::Snapshot { board, game }) => {
                let snapshot: Snapshot = serde_json::from_slice(payload).map_err(|e| fail(e.to_string()))?;
                if snapshot.board != board || snapshot.game != game {
                    let (b, g) = (&snapshot.board, &snapshot.game);
                    return Err(fail(format!("the payload speaks of board {b:?} and game {g:?}")));
                }
                Ok(if snapshot.v == Snapshot::VERSION { self.set_game(snapshot) } else { Vec::new() })
            }
            Some(Topic::Record { board }) => {
                let text = std::str::from_utf8(payload).map_err(|e| fail(e.to_string()))?;
                let line: Line = serde_json::from_str(text).map_err(|e| fail(e.to_string()))?;
                checked_hash(text).map_err(|e| fail(e.to_string()))?;
                self.boards.entry(board.to_owned()).or_default().journal.add(line.seq, text);
                Ok(self.add_line(board, &line))
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

    fn add_line(&mut self, board: &str, line: &Line) -> Vec<Change> {
        let latest =
            self.games.values().map(|game| &game.snapshot).filter(|s| s.board == board).max_by_key(|s| s.seq);
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

    fn set_game(&mut self, snapshot: Snapshot) -> Vec<Change> {
        let known = self.games.get(&snapshot.game);
        if known
            .is_some_and(|known| known.snapshot.seq >= snapshot.seq && known.snapshot.board == snapshot.board)
        {
            return Vec::new();
        }
        let mut view = GameView::of(&snapshot);
        let board = snapshot.board.clone();
        (view.summary.online, view.summary.current) = self.flags(&snapshot);
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
        let others = self.games.values().map(|game| &game.snapshot).filter(|s| s.board == snapshot.board);
        let current = match board.and_then(|board| board.game.as_deref()) {
            Some(playing) => playing == snapshot.game,
            None => others.map(|other| other.seq).max() <= Some(snapshot.seq),
        };
        (board.is_some_and(|board| board.online), current)
    }

    fn refresh_flags(&mut self, board: &str) -> Vec<Change> {
        let of_board = self.games.iter().filter(|(_, game)| game.snapshot.board == board);
        let flags: Vec<_> = of_board.map(|(id, game)| (id.clone(), self.flags(&game.snapshot))).collect();
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
