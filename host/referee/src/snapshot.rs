//! All that a spectator's page needs of one game: a pure fold over the records of a board.
//!
//! The board publishes it, retained, and the venue derives it from the same lines in the same way, so the two can be
//! compared and a page that missed messages catches up with one.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use xiangqi::{Color, Move, Setup};

use crate::claim::Claim;
use crate::clock::{ClockShows, ClockState, PlyTime};
use crate::foul::Foul;
use crate::{
    By, Command, Due, Event, GameHeader, GameResult, Happening, Incident, IncidentKind, Line, Record,
};

/// The state of a game after a line of its board's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The version of this format.
    pub v: u32,
    /// The board's id.
    pub board: String,
    /// The game's id.
    pub game: String,
    /// The last line that this includes.
    #[serde(deserialize_with = "crate::count::read")]
    pub seq: u64,
    /// The line with which the game began, so that a follower can ask for all of them.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "crate::count::read_option"
    )]
    pub began: Option<u64>,
    /// The board's uptime at the last line that says, in microseconds: how old this is, whatever wall clocks say.
    #[serde(default, deserialize_with = "crate::count::read")]
    pub us: u64,
    /// When the last line was written, in milliseconds since 1970 (UTC), as the board's wall clock had it.
    #[serde(default, deserialize_with = "crate::count::read")]
    pub utc_ms: u64,
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
    /// The rules in force, as an [`Edition`](xiangqi::law::edition::Edition) is written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// The time control as text, if there is a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// When the game began, in milliseconds since 1970 (UTC).
    #[serde(default, deserialize_with = "crate::count::read")]
    pub began_utc_ms: u64,
    /// The position from which the game began.
    pub start: Setup,
    /// The position after the committed plies. An illegal move that stands may leave an impossible one.
    pub fen: Setup,
    /// The committed plies, in order.
    pub plies: Vec<Ply>,
    /// The best reading of what stands on the board now, not committed.
    pub provisional: Option<Provisional>,
    /// The clock, if there is one.
    pub clock: Option<ClockFace>,
    /// The result, once somebody with the right to do so has said it.
    pub result: Option<GameResult>,
    /// What the game is doing.
    pub phase: Phase,
    /// What an arbiter should look at, the oldest first; at most [`Snapshot::ATTENTION`], then the oldest goes.
    pub attention: Vec<Attention>,
    /// Everything that was entered in the ledger of fouls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fouls: Vec<FoulEntry>,
    /// Who has signed the result in force (10.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signed: Vec<By>,
    /// The claim that waits for the arbiter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// How the rules would end the game, the first to come about first, while no arbiter has declared it or ruled otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dues: Vec<Due>,
    /// A player has called the arbiter, who has ordered nothing since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<Called>,
}

/// A foul as the ledger has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoulEntry {
    /// The foul.
    #[serde(flatten)]
    pub foul: Foul,
    /// Why it was taken back, if it was; it then counts no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<String>,
}

/// A call for the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Called {
    /// When, in microseconds of the board's run.
    pub us: u64,
    /// Who, where the panel tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Color>,
}

/// A committed ply with both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// When it was committed, in microseconds of the board's run.
    pub us: u64,
    /// What Red had left after it, in milliseconds; `null` where there is no clock.
    pub red_ms: Option<u64>,
    /// What Black had left after it, in milliseconds.
    pub black_ms: Option<u64>,
    /// What the mover used for it, in milliseconds.
    pub used_ms: Option<u64>,
}

/// A move that is not committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provisional {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
}

/// A clock as displays need it: what was left at a moment, and who has been using time since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockFace {
    /// What Red had left, in milliseconds.
    pub red_ms: u64,
    /// What Black had left, in milliseconds.
    pub black_ms: u64,
    /// Whose time has been running since then.
    pub running: Option<Color>,
    /// The moment, in milliseconds since 1970 (UTC).
    pub at_utc_ms: u64,
}

/// What a game is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing has been played and no clock runs.
    Setup,
    /// It is being played.
    Playing,
    /// The arbiter has stopped the clock.
    Paused,
    /// It has a result.
    Over,
}

/// Something that an arbiter should look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attention {
    /// The line that says it.
    pub seq: u64,
    /// When, in microseconds of the board's run.
    pub us: u64,
    /// What.
    #[serde(flatten)]
    pub incident: Incident,
}

impl Snapshot {
    /// The version of this format.
    pub const VERSION: u32 = 1;

    /// How many things an arbiter should look at are kept. Older ones remain in the journal.
    pub const ATTENTION: usize = 32;

    /// A game that has just begun on `board`, as line `seq` says.
    pub fn begin(board: &str, seq: u64, utc_ms: u64, header: &GameHeader) -> Snapshot {
        let start = Setup::from(&header.start);
        Snapshot {
            v: Snapshot::VERSION,
            board: board.into(),
            game: header.game.clone(),
            seq,
            began: Some(seq),
            us: header.us,
            utc_ms,
            red: header.red.clone(),
            black: header.black.clone(),
            event: header.event.clone(),
            round: header.round.clone(),
            table: header.table.clone(),
            rules: header.rules.clone(),
            control: header.clock.clone(),
            began_utc_ms: utc_ms,
            start,
            fen: start,
            plies: Vec::new(),
            provisional: None,
            clock: None,
            result: None,
            phase: Phase::Setup,
            attention: Vec::new(),
            fouls: Vec::new(),
            signed: Vec::new(),
            claim: None,
            dues: Vec::new(),
            called: None,
        }
    }

    /// The next line of the board's journal. Evidence and records of an unknown kind change nothing but `seq`.
    pub fn apply(&mut self, line: &Line) {
        self.seq = line.seq;
        self.utc_ms = line.utc_ms;
        self.us = self.us.max(line.record.us().unwrap_or(0));
        match &line.record {
            Record::Event(event) => self.event(line, event),
            // A crash may have lost what was in the air; the referee says again what it sees.
            Record::Opened { .. } => self.provisional = None,
            Record::Game(_)
            | Record::Closed { .. }
            | Record::Press { .. }
            | Record::Button { .. }
            | Record::Order { .. }
            | Record::Still(_)
            | Record::LeftOut { .. }
            | Record::SetAside { .. }
            | Record::Signed { .. }
            | Record::Unknown => {}
        }
        self.phase = self.phase();
    }

    /// Whether two states of a game differ in nothing but in the line after which they were taken.
    pub fn shows_the_same(&self, other: &Snapshot) -> bool {
        let Snapshot { seq, began, us, utc_ms, .. } = *other;
        *other == Snapshot { seq, began, us, utc_ms, ..self.clone() }
    }

    fn event(&mut self, line: &Line, event: &Event) {
        match &event.what {
            Happening::Provisional { mv, .. } => self.provisional = mv.map(|mv| Provisional { mv }),
            Happening::Moved(moved) => {
                self.stand(event.us, moved.ply, &[moved.mv], moved.clock.as_slice());
            }
            Happening::Resolved { ply, moves, clocks, .. } => {
                self.attention.retain(|open| open.incident.kind != IncidentKind::Ambiguous);
                self.stand(event.us, *ply, moves, clocks);
            }
            Happening::Ordered { what, .. } => self.ordered(event.us, &what.command),
            Happening::Incident(incident) => self.attend(line.seq, event.us, incident),
            Happening::Clock { shows, .. } => self.clock(line.utc_ms, shows),
            Happening::Result(result) => {
                self.result = Some(result.clone());
                self.dues.clear();
                self.claim = None;
                self.signed.clear();
            }
            Happening::Reopened { .. } => {
                self.provisional = None;
                self.result = None;
                self.signed.clear();
            }
            Happening::Foul(foul) => self.fouls.push(FoulEntry { foul: foul.clone(), withdrawn: None }),
            Happening::FoulWithdrawn { foul, reason, .. } => {
                let entry = self.fouls.iter_mut().find(|entry| entry.foul.foul == *foul);
                entry.into_iter().for_each(|entry| entry.withdrawn = Some(reason.clone()));
            }
            Happening::Signed { by, .. } => self.signed.push(by.clone()),
            Happening::SignatureWithdrawn { by, .. } => self.signed.retain(|signed| signed != by),
            Happening::PutBack { ply, moves, clocks, fen } => {
                self.stand(event.us, *ply, moves, clocks);
                self.fen = Setup::from(&**fen);
            }
            Happening::TakenBack { ply, .. } => {
                self.attention.retain(|open| open.incident.kind != IncidentKind::Ambiguous);
                self.stand(event.us, *ply, &[], &[]);
            }
            Happening::Claim(claim) => self.claim = Some(claim.clone()),
            Happening::ClaimLifted { .. } => self.claim = None,
            Happening::Due(due) => self.dues.push(due.clone()),
            Happening::DueLifted { score, ending } => {
                self.dues.retain(|due| (due.score, due.ending) != (*score, *ending));
            }
            Happening::Called { side } => self.called = Some(Called { us: event.us, side: *side }),
            _ => {}
        }
    }

    /// An order was carried out: the arbiter was at the board and has dealt with what he was called for. What only the
    /// board itself can settle goes on waiting.
    fn ordered(&mut self, us: u64, command: &Command) {
        self.called = None;
        self.attention.retain(|open| {
            let kind = open.incident.kind;
            matches!(kind, IncidentKind::Ambiguous | IncidentKind::Displaced | IncidentKind::SensorFault)
        });
        match command {
            Command::TakeBack { ply } => self.stand(us, *ply, &[], &[]),
            Command::SetPosition { fen } => {
                self.provisional = None;
                self.fen = Setup::from(&**fen);
            }
            Command::RuleClaim { .. } => self.claim = None,
            _ => {}
        }
    }

    /// From `ply` on these moves stand, and the board says anew what follows them. A ply that leaves a gap waits until the gap
    /// is filled.
    fn stand(&mut self, us: u64, ply: u32, moves: &[Move], clocks: &[PlyTime]) {
        self.provisional = None;
        let before = (ply as usize).saturating_sub(1);
        if before > self.plies.len() {
            return;
        }
        if before < self.plies.len() {
            self.plies.truncate(before);
            self.fen = self.plies.iter().fold(self.start, |setup, ply| played(setup, ply.mv));
        }
        for (index, &mv) in moves.iter().enumerate() {
            let time = clocks.get(index);
            self.fen = played(self.fen, mv);
            self.plies.push(Ply {
                mv,
                us,
                red_ms: time.map(|time| time.red_left_us / 1000),
                black_ms: time.map(|time| time.black_left_us / 1000),
                used_ms: time.map(|time| time.spent_us / 1000),
            });
        }
    }

    fn clock(&mut self, utc_ms: u64, shows: &ClockShows) {
        self.clock = Some(ClockFace {
            red_ms: shows.red_left_us / 1000,
            black_ms: shows.black_left_us / 1000,
            running: shows.running,
            at_utc_ms: utc_ms,
        });
        self.phase = match shows.state {
            ClockState::NotStarted => Phase::Setup,
            ClockState::Paused => Phase::Paused,
            ClockState::Running | ClockState::Stopped => Phase::Playing,
        };
    }

    fn attend(&mut self, seq: u64, us: u64, incident: &Incident) {
        if incident.kind == IncidentKind::Restored {
            self.attention.retain(|open| open.incident.kind != IncidentKind::Displaced);
            return;
        }
        if self.attention.len() == Snapshot::ATTENTION {
            self.attention.remove(0);
        }
        self.attention.push(Attention { seq, us, incident: incident.clone() });
    }

    fn phase(&self) -> Phase {
        match self.phase {
            _ if self.result.is_some() => Phase::Over,
            Phase::Setup if !self.plies.is_empty() => Phase::Playing,
            Phase::Over => Phase::Playing,
            phase => phase,
        }
    }
}

/// The position after a move, whatever it is: what stands on the origin goes to the target.
fn played(mut setup: Setup, mv: Move) -> Setup {
    let captured = setup.board.relocate(mv.from, mv.to);
    setup.quiet_plies = if captured.is_some() { 0 } else { setup.quiet_plies.saturating_add(1) };
    if setup.turn == Color::Black {
        setup.round = setup.round.saturating_add(1);
    }
    setup.turn = !setup.turn;
    setup
}
