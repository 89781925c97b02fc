//! What everybody may read over the wire: games as a hall server publishes them, as late as its event demands.
//!
//! | topic, retained, QoS 1 | payload |
//! |---|---|
//! | `luozi/v1/public/game/<game>/game` | [`PublicGame`]: who plays what and where |
//! | `luozi/v1/public/game/<game>/position` | [`PublicPosition`]: what stands, and every ply with both clocks |
//! | `luozi/v1/public/game/<game>/clock` | [`PublicClock`] |
//! | `luozi/v1/public/game/<game>/result` | [`PublicResult`] |
//!
//! The four say independent things, and none is inferred from another. Each carries the `seq` of the last line that it
//! includes; a higher one replaces a lower one. An empty payload withdraws a game.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};
use xiangqi::Setup;

use crate::relay::is_id;
use crate::{ClockFace, Phase, Ply, Provisional, Reason, Score, Snapshot};

const PREFIX: &str = "luozi/v1/public/game/";

/// The version of these formats.
pub const VERSION: u32 = 1;

/// What a public topic tells of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Who plays what and where.
    Game,
    /// What stands, and every ply with both clocks.
    Position,
    /// What is left.
    Clock,
    /// Who won.
    Result,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 4] = [Part::Game, Part::Position, Part::Clock, Part::Result];

    const fn name(self) -> &'static str {
        match self {
            Part::Game => "game",
            Part::Position => "position",
            Part::Clock => "clock",
            Part::Result => "result",
        }
    }
}

/// A topic of the public feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicTopic<'a> {
    /// The game's id.
    pub game: &'a str,
    /// What it tells.
    pub part: Part,
}

impl<'a> PublicTopic<'a> {
    /// The topic with that name, if it is one of these.
    pub fn parse(name: &'a str) -> Option<PublicTopic<'a>> {
        let (game, part) = name.strip_prefix(PREFIX)?.split_once('/')?;
        let part = Part::ALL.into_iter().find(|known| known.name() == part)?;
        is_id(game).then_some(PublicTopic { game, part })
    }
}

impl fmt::Display for PublicTopic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}/{}", self.game, self.part.name())
    }
}

/// How far the public is behind a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behind {
    /// In seconds.
    pub seconds: u64,
    /// In plies, until the game has a result.
    pub plies: u32,
}

/// Who plays what and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicGame {
    /// The version of this format.
    pub v: u32,
    /// The game's id.
    pub game: String,
    /// The last line that this includes.
    pub seq: u64,
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// The event's name.
    pub event: String,
    /// The round, as the event writes it.
    pub round: String,
    /// The table, as the event writes it.
    pub table: String,
    /// The position from which the game began.
    pub start: Setup,
    /// How far the public is behind; nothing where it is not.
    pub behind: Option<Behind>,
}

/// What stands, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicPosition {
    /// The version of this format.
    pub v: u32,
    /// The game's id.
    pub game: String,
    /// The last line that this includes.
    pub seq: u64,
    /// The position after the committed plies.
    pub fen: Setup,
    /// The committed plies, in order.
    pub plies: Vec<Ply>,
    /// The best reading of what stands on the board, not committed.
    pub provisional: Option<Provisional>,
}

/// The clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicClock {
    /// The version of this format.
    pub v: u32,
    /// The game's id.
    pub game: String,
    /// The last line that this includes.
    pub seq: u64,
    /// The clock, if there is one, moved in time as far as the public is behind.
    pub clock: Option<ClockFace>,
    /// What the game is doing.
    pub phase: Phase,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicResult {
    /// The version of this format.
    pub v: u32,
    /// The game's id.
    pub game: String,
    /// The last line that this includes.
    pub seq: u64,
    /// Who won; nothing while nobody has said so.
    pub score: Option<Score>,
    /// Why.
    pub reason: Option<Reason>,
    /// The article on which it rests; empty where none was named.
    pub article: String,
}

impl PublicGame {
    /// Of that state of a game.
    pub fn of(snapshot: &Snapshot, behind: Option<Behind>) -> PublicGame {
        PublicGame {
            v: VERSION,
            game: snapshot.game.clone(),
            seq: snapshot.seq,
            red: snapshot.red.clone(),
            black: snapshot.black.clone(),
            event: snapshot.event.clone(),
            round: snapshot.round.clone(),
            table: snapshot.table.clone(),
            start: snapshot.start,
            behind,
        }
    }
}

impl PublicPosition {
    /// Of that state of a game.
    pub fn of(snapshot: &Snapshot) -> PublicPosition {
        PublicPosition {
            v: VERSION,
            game: snapshot.game.clone(),
            seq: snapshot.seq,
            fen: snapshot.fen,
            plies: snapshot.plies.clone(),
            provisional: snapshot.provisional,
        }
    }
}

impl PublicClock {
    /// Of that state of a game.
    pub fn of(snapshot: &Snapshot) -> PublicClock {
        PublicClock {
            v: VERSION,
            game: snapshot.game.clone(),
            seq: snapshot.seq,
            clock: snapshot.clock,
            phase: snapshot.phase,
        }
    }
}

impl PublicResult {
    /// Of that state of a game.
    pub fn of(snapshot: &Snapshot) -> PublicResult {
        let result = snapshot.result.as_ref();
        PublicResult {
            v: VERSION,
            game: snapshot.game.clone(),
            seq: snapshot.seq,
            score: result.map(|result| result.score),
            reason: result.map(|result| result.reason),
            article: result.map(|result| result.article.clone()).unwrap_or_default(),
        }
    }
}
