//! A board whose reeds and hands are the twin's, in time that passes as fast as one likes.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use boardd::{GoingOn, Panel, Sensing, Source};
use referee::{Command, GameHeader, Order, Reason, Score};
use sense::Uptime;
use trace::Observation;
use twin::{GameRecord, Style};
use xiangqi::law::edition::Edition;
use xiangqi::{Color, Ending};

/// How long after the last move the players agree on what came of it. Soon enough that no piece has been cleared away: then it
/// would still be play.
const AGREED_AFTER_US: u64 = 3_000_000;
/// How long a board stays as it is when a game is over, and before the next begins.
const BETWEEN_GAMES_US: u64 = 8_000_000;
/// The longest that a source keeps the daemon waiting.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// How the simulated boards of this process play.
#[derive(Clone, Debug)]
pub struct Play {
    /// The games, played in turn.
    pub records: Arc<Vec<GameRecord>>,
    /// How hands and reeds behave.
    pub style: Style,
    /// How many times faster than a wall clock.
    pub speed: u32,
    /// The seed of the first game.
    pub seed: u64,
    /// How many games; without it, for ever.
    pub games: Option<u64>,
    /// The rules in force.
    pub rules: Edition,
    /// What spectators are told the event is.
    pub event: String,
    /// What spectators are told the table is.
    pub table: String,
}

/// A simulated board.
pub struct SimulatedBoard {
    play: Play,
    started: Instant,
    start: Uptime,
    /// The game that is played, or comes next.
    number: u64,
    /// Whether the referee has a result.
    has_result: bool,
    state: State,
}

enum State {
    /// The next game begins then.
    Waiting(Uptime),
    Playing(Game),
}

/// A game that is played.
struct Game {
    observations: Vec<Observation>,
    next: usize,
    /// When it began, on the board's count of time.
    began: Uptime,
    /// When its result is declared, if it has none by then; `None` when that is done.
    agreed: Option<Uptime>,
}

/// What is due in a game.
enum Due {
    Observation(Observation),
    Result(Uptime),
}

impl SimulatedBoard {
    /// A board that begins to play when the daemon is ready.
    pub fn new(play: Play) -> SimulatedBoard {
        SimulatedBoard {
            play,
            started: Instant::now(),
            start: Uptime::ZERO,
            number: 0,
            has_result: false,
            state: State::Waiting(Uptime::ZERO),
        }
    }

    fn now(&self) -> Uptime {
        let passed_us = self.started.elapsed().as_micros() * u128::from(self.play.speed);
        self.start.plus_us(u64::try_from(passed_us).unwrap_or(u64::MAX))
    }

    /// Waits until then, or a while.
    fn wait(&self, until: Option<Uptime>) {
        let wait_us = until.map_or(u64::MAX, |until| until.us_since(self.now()));
        // Rounded up, so that nobody waits for the last microsecond again and again.
        let wait = Duration::from_micros(wait_us / u64::from(self.play.speed) + 1);
        thread::sleep(wait.min(LONGEST_WAIT));
    }

    fn record(&self) -> &GameRecord {
        let records = &self.play.records;
        &records[self.number as usize % records.len()]
    }

    /// The same game has the same id in every run, and the id says what is played.
    fn game_id(&self) -> String {
        format!("sim-{}-{}-{}", self.record().id, self.play.seed, self.number)
    }

    fn seed(&self) -> u64 {
        self.play.seed.wrapping_mul(1_000_003).wrapping_add(self.number)
    }

    /// What is sensed in the game, and how long it takes.
    fn played(&self) -> (Vec<Observation>, Uptime) {
        let played = self.record().game.play(self.play.style, self.seed());
        (played.observations, played.over)
    }

    fn name(&self, side: Color) -> String {
        self.record().names[side].clone().unwrap_or_default()
    }

    fn begin(&mut self, now: Uptime) -> Sensing {
        let (observations, over) = self.played();
        self.state = State::Playing(Game::from(observations, 0, over, now));
        self.has_result = false;
        Sensing::Game(Box::new(GameHeader {
            us: now.as_us(),
            clock: self.play.style.clock().map(str::to_owned),
            red: self.name(Color::Red),
            black: self.name(Color::Black),
            event: self.play.event.clone(),
            round: "1".into(),
            table: self.play.table.clone(),
            ..GameHeader::new(self.game_id(), *self.record().game.start(), self.play.rules.to_string())
        }))
    }
}

impl SimulatedBoard {
    /// What came of the game, as it was in the real one, where the referee has not said it already.
    fn declare(&self, at: Uptime) -> Sensing {
        let record = self.record();
        let Some(score) = record.result.parse::<Score>().ok().filter(|_| !self.has_result) else {
            return Sensing::Quiet(at);
        };
        let ending = match (record.game.end().ending(), score) {
            (Some(Ending::Checkmate), _) => Reason::Checkmate,
            (Some(Ending::Stalemate), _) => Reason::Stalemate,
            (None, Score::Draw) => Reason::Agreement,
            (None, _) => Reason::Resignation,
        };
        let reason = "as in the record of the game".to_owned();
        let command = Command::Declare { score, ending };
        Sensing::Order(at, Box::new(Order { name: "simulation".to_owned(), reason, command }))
    }

    /// The pieces are put away too.
    fn end(&mut self, now: Uptime) -> Sensing {
        self.number += 1;
        self.state = State::Waiting(now.plus_us(BETWEEN_GAMES_US));
        Sensing::Quiet(now)
    }
}

impl Source for SimulatedBoard {
    fn start(&mut self, now: Uptime, going_on: Option<GoingOn>) {
        self.started = Instant::now();
        self.start = now;
        self.state = State::Waiting(now);
        let Some(going_on) = going_on else { return };
        let Some(number) = going_on.game.rsplit('-').next().and_then(|number| number.parse().ok()) else {
            return;
        };
        self.number = number;
        if self.game_id() != going_on.game {
            tracing::warn!(game = going_on.game, "the journal's last game is another; a new one begins");
            self.number = 0;
            return;
        }
        if going_on.over {
            self.number += 1;
            return;
        }
        // The hands waited while the board was away, whatever they held.
        let (observations, over) = self.played();
        let next = going_on.observations.min(observations.len());
        let last = next.checked_sub(1).map_or(Uptime::ZERO, |last| observations[last].at);
        let began = Uptime::from_us(now.us_since(last));
        self.state = State::Playing(Game::from(observations, next, over, began));
    }

    fn show(&mut self, panel: &Panel) {
        self.has_result = panel.result.is_some();
    }

    fn has_panel(&self) -> bool {
        true
    }

    fn next(&mut self, deadline: Option<Uptime>) -> Sensing {
        let due = match &self.state {
            State::Waiting(until) => Some(*until),
            State::Playing(game) => game.due(),
        };
        let wake = [due, deadline].into_iter().flatten().min();
        if wake.is_none_or(|wake| wake > self.now()) {
            self.wait(wake);
        }
        let now = self.now();
        match &mut self.state {
            State::Waiting(until) if *until > now => Sensing::Quiet(now),
            State::Waiting(_) if self.play.games.is_some_and(|games| self.number >= games) => Sensing::Ended,
            State::Waiting(_) => self.begin(now),
            State::Playing(game) => match game.take(now) {
                Some(Due::Observation(observation)) => Sensing::Observed(observation),
                Some(Due::Result(at)) => self.declare(at),
                None if game.due().is_some() => Sensing::Quiet(now),
                None => self.end(now),
            },
        }
    }
}

impl Game {
    fn from(observations: Vec<Observation>, next: usize, over: Uptime, began: Uptime) -> Game {
        let agreed = began.plus_us(over.as_us()).plus_us(AGREED_AFTER_US);
        Game { observations, next, began, agreed: Some(agreed) }
    }

    fn next_at(&self) -> Option<Uptime> {
        Some(self.began.plus_us(self.observations.get(self.next)?.at.as_us()))
    }

    /// When something is due; `None` when there is nothing more.
    fn due(&self) -> Option<Uptime> {
        [self.next_at(), self.agreed].into_iter().flatten().min()
    }

    /// What is due by now, in the board's time.
    fn take(&mut self, now: Uptime) -> Option<Due> {
        let at = self.due().filter(|due| *due <= now)?;
        if self.agreed.take_if(|agreed| *agreed == at).is_some() {
            return Some(Due::Result(at));
        }
        let sensed = self.observations[self.next].sensed.clone();
        self.next += 1;
        Some(Due::Observation(Observation { at, sensed }))
    }
}
