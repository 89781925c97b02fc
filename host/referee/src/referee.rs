//! One game at one board.

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use sense::Uptime;
use xiangqi::law::edition::{Edition, ParseEditionError};
use xiangqi::{Bitboard, Color, Move, Position};

use crate::clock::Clock;
use crate::command::{By, Command, Order, Refusal};
use crate::conduct::Conduct;
use crate::infer::Inference;
use crate::time_control::{TimeControl, TimeControlError};
use crate::{Event, Happening, IncidentKind, Input};

/// What the referee needs to know of the event and the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether a clock press completes a move. Without a clock a move is complete when nothing happens for `quiet_us`.
    pub clock: bool,
    /// How much time each side has; without it the board keeps no clock, even where presses complete moves.
    pub control: Option<TimeControl>,
    /// How long the board must be quiet before a move without a clock press is taken as complete, in microseconds.
    pub quiet_us: u64,
    /// A contact shorter than this that leaves the piece where it was is no touch (5.6), in microseconds.
    pub nudge_us: u64,
    /// The rules in force.
    pub edition: Edition,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            clock: false,
            control: None,
            quiet_us: 2_500_000,
            nudge_us: 250_000,
            edition: Edition::default(),
        }
    }
}

/// A header names rules or a time control that are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The edition.
    Edition {
        /// What the header says.
        text: String,
        /// What was expected.
        error: ParseEditionError,
    },
    /// The time control.
    Clock(TimeControlError),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Edition { text, error } => write!(f, "rules {text:?}: {error}"),
            ConfigError::Clock(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ConfigError {}

impl Config {
    /// What the header of a trace or of a game says: the rules in force and the time control, where they are given. An empty
    /// text counts as none.
    pub fn of_header(rules: Option<&str>, clock: Option<&str>) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        if let Some(text) = rules.filter(|text| !text.is_empty()) {
            config.edition =
                text.parse().map_err(|error| ConfigError::Edition { text: String::from(text), error })?;
        }
        if let Some(text) = clock.filter(|text| !text.is_empty()) {
            config.clock = true;
            config.control = Some(text.parse().map_err(ConfigError::Clock)?);
        }
        Ok(config)
    }
}

/// The referee of one game: what the hands did ([`crate::infer`]) and what follows from it ([`Conduct`]).
///
/// # Contract
/// 1. Call [`handle`](Referee::handle) with inputs in time order, and [`advance`](Referee::advance) at its
///    [`deadline`](Referee::deadline) at the latest.
/// 2. Take events with [`poll_event`](Referee::poll_event) until there is none.
/// 3. The same calls give the same events, byte for byte, on every machine.
#[derive(Clone, Debug)]
pub struct Referee {
    inference: Inference,
    conduct: Conduct,
    closed: Bitboard,
    horizon: Option<Uptime>,
    choice: Option<Choice>,
    called: bool,
    events: VecDeque<Event>,
}

/// The arbiter's last choice among readings: what could be read before it, and what has been sensed since, so that it can be
/// undone.
#[derive(Clone, Debug)]
struct Choice {
    before: Inference,
    since: Vec<(Uptime, Input)>,
}

/// The most inputs after which a choice can be read anew; one that is undone later leaves what stands to the arbiter. The
/// next move makes a choice final long before.
const MOST_SINCE: usize = 1_000;

impl Referee {
    /// A game that starts from `start`, which is believed to stand on the board.
    pub fn new(config: Config, start: Position) -> Referee {
        let clock = config.control.clone().map(|control| Clock::new(control, start.turn()));
        Referee {
            conduct: Conduct::new(config.edition.clone(), clock, start),
            closed: start.board().occupied(),
            inference: Inference::new(config, start),
            horizon: None,
            choice: None,
            called: false,
            events: VecDeque::new(),
        }
    }

    /// The position after the committed moves.
    pub const fn position(&self) -> &Position {
        self.inference.position()
    }

    /// The committed moves.
    pub fn moves(&self) -> &[Move] {
        self.inference.moves()
    }

    /// Clock, fouls, offers, claims, results.
    pub const fn conduct(&self) -> &Conduct {
        &self.conduct
    }

    /// Whether a player has called the arbiter and nothing has been ordered since.
    pub const fn called(&self) -> bool {
        self.called
    }

    /// The move that stands on the board and is not committed, if the board is read so.
    pub fn provisional(&self) -> Option<Move> {
        self.inference.provisional()
    }

    /// Every line of play that still explains the evidence, as the moves since the last committed one, with its cost in
    /// tenths of a natural logarithm: the best first. What an arbiter asks for when the board is ambiguous.
    pub fn readings(&self, now: Uptime) -> Vec<(Vec<Move>, u32)> {
        self.inference.readings(now)
    }

    /// How many histories and readings of them were weighed so far: what the work comes to, on any machine.
    pub const fn work(&self) -> u64 {
        self.inference.work()
    }

    /// How much is remembered of what is not settled yet, as a count: histories, their plies, and what hands did in each.
    pub fn held(&self) -> usize {
        self.inference.held()
    }

    /// Takes an input.
    pub fn handle(&mut self, now: Uptime, input: Input) {
        self.conduct.advance(now);
        self.collect();
        match input {
            Input::Press(side) => {
                self.sense(now, Input::Press(side));
                self.conduct.press(now, side);
            }
            Input::Draw(side) => self.draw(now, side),
            Input::Resign(side) => self.resign(now, side),
            Input::CallArbiter(side) => {
                self.called = true;
                self.events.push_back(Event::new(now, Happening::Called { side }));
            }
            Input::Order(order) => self.order(now, *order),
            Input::Baseline(frame) => {
                self.closed = frame.closed;
                self.sense(now, input);
            }
            Input::Edge(edge) => {
                if edge.closed {
                    self.closed.insert(edge.square);
                } else {
                    self.closed.remove(edge.square);
                }
                self.sense(now, input);
            }
            Input::Blip(_) | Input::Chatter(_) | Input::Adjust(_) => self.sense(now, input),
        }
        self.collect();
    }

    /// What is done to the pieces after the end changes nothing.
    fn sense(&mut self, now: Uptime, input: Input) {
        if !self.conduct.is_over() {
            self.choice.take_if(|choice| choice.since.len() == MOST_SINCE);
            if let Some(choice) = &mut self.choice {
                choice.since.push((now, input.clone()));
            }
            self.inference.handle(now, input);
            self.collect();
        }
    }

    /// When the referee decides something if nothing happens until then.
    pub fn deadline(&self) -> Option<Uptime> {
        let hands = if self.conduct.is_over() { None } else { self.inference.deadline() };
        let rules = if self.horizon.is_some() { None } else { self.conduct.deadline() };
        [hands, rules].into_iter().flatten().min()
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: Uptime) {
        let due = |deadline: Option<Uptime>| deadline.is_some_and(|due| due <= now);
        if self.horizon.is_none() && due(self.conduct.deadline()) {
            self.conduct.advance(now);
            self.collect();
        }
        if !self.conduct.is_over() && due(self.inference.deadline()) {
            self.inference.advance(now);
            self.collect();
        }
    }

    /// Tells that no evidence will follow `now`: what stands on the board may still have been on its way, and nobody's time
    /// runs any more.
    pub fn end(&mut self, now: Uptime) {
        self.horizon.get_or_insert(now);
        self.inference.end();
    }

    /// The process is back, at `now`; see [`Clock::restore`].
    pub fn restore(&mut self, now: Uptime, gap_us: Option<u64>) {
        self.conduct.restore(now, gap_us);
        self.collect();
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn draw(&mut self, now: Uptime, side: Option<Color>) {
        // A panel with one button between the players: he who has made his move offers, the other answers.
        let offered = self.conduct.offers().standing();
        let side = side
            .or(offered.map(Color::other))
            .or_else(|| Color::ALL.into_iter().find(|c| self.has_moved(*c)));
        let Some(side) = side else {
            return self.refuse(now, By::Board, "draw", Refusal::WhichSide);
        };
        let after_move = self.has_moved(side);
        if offered == Some(side.other()) {
            self.finish(now);
        }
        if let Err(why) = self.conduct.say_draw(now, side, after_move) {
            self.refuse(now, By::from(side), "draw", why);
        }
    }

    fn resign(&mut self, now: Uptime, side: Option<Color>) {
        let Some(side) = side else { return self.refuse(now, By::Board, "resign", Refusal::WhichSide) };
        self.finish(now);
        if let Err(why) = self.conduct.resign(now, side) {
            self.refuse(now, By::from(side), "resign", why);
        }
    }

    /// Whether `side` has made its move and not pressed the clock yet.
    fn has_moved(&self, side: Color) -> bool {
        let stands = if self.position().turn() == side {
            self.provisional().is_some()
        } else {
            !self.moves().is_empty()
        };
        stands
            && self.conduct.clock().is_none_or(|clock| clock.running().is_none_or(|running| running == side))
    }

    fn order(&mut self, now: Uptime, order: Order) {
        let chooses = matches!(order.command, Command::Choose { .. });
        let before = chooses.then(|| self.inference.clone());
        let was_over = self.conduct.is_over();
        if !was_over && self.conduct.would_end(&order) {
            self.finish(now);
        }
        let (inference, choice, closed) = (&mut self.inference, &mut self.choice, self.closed);
        let done = self.conduct.order(now, order, &mut |command, history, moves| match command {
            Command::Choose { ply, mv } => inference.choose(now, *ply, *mv),
            Command::TakeBack { ply } => {
                let kept = (*ply as usize).wrapping_sub(1);
                let position = *history.get(kept).ok_or(Refusal::NoSuchPly)?;
                let moves = moves.get(..kept).ok_or(Refusal::NoSuchPly)?;
                inference.restart(now, closed, position, moves.to_vec());
                Ok(())
            }
            Command::SetPosition { fen } => {
                inference.restart(now, closed, **fen, moves.to_vec());
                Ok(())
            }
            Command::Undo { .. } => {
                let position = *history.last().ok_or(Refusal::CannotUndo)?;
                let is_before =
                    |choice: &Choice| choice.before.moves() == moves && *choice.before.position() == position;
                match choice.take().filter(is_before) {
                    Some(Choice { before, since }) => {
                        *inference = before;
                        inference.read_again(now, since);
                    }
                    None => inference.restart(now, closed, position, moves.to_vec()),
                }
                Ok(())
            }
            _ => Ok(()),
        });
        if done {
            self.called = false;
            self.collect();
            self.conduct.order_is_done();
            self.choice = before.map(|before| Choice { before, since: Vec::new() }).or(self.choice.take());
        }
        if was_over && !self.conduct.is_over() {
            let moves = self.inference.moves().to_vec();
            self.inference.restart(now, self.closed, *self.conduct.position(), moves);
        }
    }

    /// The game is about to end by word: a move that stands on the board belongs to it, pressed or not.
    fn finish(&mut self, now: Uptime) {
        if self.conduct.is_over() {
            return;
        }
        self.inference.finish(now);
        let said = core::iter::from_fn(|| self.inference.poll_event()).collect::<Vec<_>>();
        for mut event in said {
            event.us = event.us.min(now.as_us());
            use Happening::{Moved, Provisional, Resolved, TakenBack};
            if matches!(event.what, Moved(_) | Resolved { .. } | TakenBack { .. } | Provisional { .. }) {
                self.route(event);
            }
        }
    }

    fn refuse(&mut self, now: Uptime, by: By, request: &str, why: Refusal) {
        let request = String::from(request);
        self.events.push_back(Event::new(now, Happening::Refused { by, request, why }));
    }

    /// Passes on what the hands did, with what follows from it.
    fn collect(&mut self) {
        while let Some(event) = self.inference.poll_event() {
            self.route(event);
        }
        while let Some(event) = self.conduct.poll_event() {
            self.events.push_back(event);
        }
    }

    fn route(&mut self, mut event: Event) {
        let at = Uptime::from_us(event.us);
        let at = self.horizon.map_or(at, |horizon| at.min(horizon));
        match &mut event.what {
            Happening::Moved(moved) => {
                let settled = Uptime::from_us(moved.settled_us);
                let after = self.conduct.position().with_turn(moved.side).play_unchecked(moved.mv);
                moved.clock = self.conduct.moved(at, settled, moved.side, moved.mv, after);
            }
            Happening::Resolved { moves, clocks, .. } => {
                for mv in moves.iter() {
                    let before = self.conduct.position();
                    let (side, after) = (before.turn(), before.play_unchecked(*mv));
                    clocks.extend(self.conduct.moved(at, at, side, *mv, after));
                }
            }
            Happening::TakenBack { ply, side } => self.conduct.taken_back(at, *ply, *side),
            Happening::Incident(incident) => {
                if incident.kind == IncidentKind::PressWithoutMove {
                    if incident.side.is_some_and(|side| self.conduct.pressed_paused(side)) {
                        return;
                    }
                    incident.article = self.conduct.press_article().into();
                }
                self.conduct.incident(at, incident);
            }
            _ => {}
        }
        self.events.push_back(event);
        while let Some(event) = self.conduct.poll_event() {
            self.events.push_back(event);
        }
    }
}
