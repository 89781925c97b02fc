//! Interprets a sensor trace offline, exactly as the daemon would have.
//!
//! A package of its own, because `trace` must not know the referee, the referee must not know files, and both the command
//! line and the tests need what a trace tells.
//!
//! ```no_run
//! let reader = trace::Reader::open("game.ndjson.gz".as_ref())?;
//! let report = replay::replay("game.ndjson.gz", reader)?;
//! println!("{} plies", report.moves.len());
//! # Ok::<(), trace::TraceError>(())
//! ```

mod report;
mod text;

pub use report::{Incident, Report, Unresolved};

use referee::{Config, Event, Happening, Input, Observer};
use sense::{Debounce, Frame, Uptime};
use trace::{Button, Header, Observation, Reader, Sensed, TraceError, TraceFault};
use xiangqi::law::edition::Edition;
use xiangqi::{Bitboard, Move, Position, Setup};

/// Reads a whole trace. `name` is what the report calls it.
pub fn replay(name: &str, reader: Reader) -> Result<Report, TraceError> {
    replay_by(name, reader, None)
}

/// Reads a whole trace by other rules than its header names.
pub fn replay_by(name: &str, reader: Reader, rules: Option<&Edition>) -> Result<Report, TraceError> {
    let mut header = reader.header().clone();
    if let Some(rules) = rules {
        header.rules = Some(rules.to_string());
    }
    let mut replay = Replay::new(&header)?;
    for observation in reader {
        replay.observe(&observation?);
    }
    Ok(replay.end(name))
}

/// A first reading that comes later than this is the first that differed from the start, in microseconds.
const LATE_US: u64 = 100_000;
/// What hands may have changed before the first reading was written: more is set up, or cleared away.
const BEGUN: u32 = 3;

/// A trace that is being interpreted, observation by observation.
///
/// # Contract
/// Hand in observations in time order, then call [`end`](Replay::end): it lets a minute of silence pass, because a trace
/// holds changes only and the last move is followed by none.
pub struct Replay {
    observer: Observer,
    start: Setup,
    /// Where pieces stand at the start, until the first reading.
    unread: Option<Bitboard>,
    now: Uptime,
    moves: Vec<Move>,
    open: Vec<Unresolved>,
    incidents: Vec<Incident>,
    result: Option<String>,
    warnings: Vec<String>,
}

impl Replay {
    /// Begins with the first line. A start that no game can reach is taken as it stands, as long as both kings do; rules or
    /// a time control that nobody knows are left out, with a warning in the report.
    pub fn new(header: &Header) -> Result<Replay, TraceError> {
        let start = Position::standing(header.start).map_err(|error| TraceError {
            line: 1,
            fault: TraceFault::Header(format!("start {}: {error}", header.start)),
        })?;
        let mut warnings = Vec::new();
        let mut heeded = |rules: Option<&str>, clock: Option<&str>| match Config::of_header(rules, clock) {
            Ok(config) => Some(config),
            Err(error) => {
                warnings.push(error.to_string());
                None
            }
        };
        let (rules, clock) = (header.rules.as_deref(), header.clock.as_deref());
        let timed = heeded(None, clock).is_some();
        let ruled = heeded(rules, None).is_some();
        let known = Config::of_header(rules.filter(|_| ruled), clock.filter(|_| timed));
        let mut config = known.unwrap_or_default();
        config.clock |= clock.is_some();
        Ok(Replay {
            observer: Observer::new(config, Debounce::default(), start),
            unread: Some(start.board().occupied()),
            start: header.start,
            now: Uptime::ZERO,
            moves: Vec::new(),
            open: Vec::new(),
            incidents: Vec::new(),
            result: None,
            warnings,
        })
    }

    /// Takes an observation.
    pub fn observe(&mut self, observation: &Observation) {
        let at = observation.at;
        let before = std::mem::replace(&mut self.now, at);
        match &observation.sensed {
            Sensed::Closed(frame) => {
                let begun = |stood: &Bitboard| (1..=BEGUN).contains(&(*stood ^ frame.closed).count());
                // Readings are written when they differ from the last one: until then the start stood there.
                if let Some(closed) = self.unread.take().filter(begun)
                    && at.as_us() > LATE_US
                {
                    self.observer.frame(before, Frame { closed });
                }
                self.observer.frame(at, *frame);
            }
            Sensed::Press(side) => self.observer.input(at, Input::Press(*side)),
            Sensed::Button(Button::Adjust, side) => self.observer.input(at, Input::Adjust(*side)),
            Sensed::Button(Button::Draw, side) => self.observer.input(at, Input::Draw(*side)),
            Sensed::Button(Button::Resign, side) => self.observer.input(at, Input::Resign(*side)),
            Sensed::Button(Button::Arbiter, side) => self.observer.input(at, Input::CallArbiter(*side)),
            Sensed::Camera(_) => self.observer.advance(at),
        }
        self.collect();
    }

    /// The moves that stand so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The trace has ended.
    pub fn end(mut self, name: &str) -> Report {
        self.observer.end(self.now);
        self.collect();
        self.incidents.sort_by_key(|incident| incident.us);
        let final_fen = self.observer.referee().position().to_string();
        let next = self.moves.len() as u32 + 1;
        Report {
            trace: name.to_owned(),
            start: self.start.to_string(),
            moves: self.moves,
            final_fen,
            result: self.result,
            unresolved: self.open.into_iter().filter(|open| open.ply >= next).collect(),
            incidents: self.incidents,
            warnings: self.warnings,
        }
    }

    fn collect(&mut self) {
        while let Some(event) = self.observer.poll_event() {
            self.take(event);
        }
    }

    fn take(&mut self, event: Event) {
        match event.what {
            Happening::Moved(moved) => self.stand(moved.ply, &[moved.mv]),
            Happening::Resolved { ply, moves, .. } => self.stand(ply, &moves),
            Happening::TakenBack { ply, .. } => {
                self.open.retain(|open| open.ply < ply);
                self.stand(ply, &[]);
            }
            Happening::Ambiguous { ply, candidates } => {
                self.open.retain(|open| open.ply < ply);
                self.open.push(Unresolved { ply, candidates });
            }
            Happening::Incident(incident) => self.incidents.push(Incident::new(event.us, incident)),
            Happening::Result(result) => self.result = Some(result.score.text().to_owned()),
            Happening::Reopened { .. } => self.result = None,
            _ => {}
        }
    }

    /// From `ply` on these moves stand.
    fn stand(&mut self, ply: u32, moves: &[Move]) {
        self.moves.truncate((ply as usize).saturating_sub(1));
        self.moves.extend(moves);
    }
}
