//! A board whose reeds and hands are the twin's, in time that passes as fast as one likes.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use boardd::{GoingOn, Sensing, Source};
use referee::{Command, GameHeader, Order, Reason, Score};
use sense::Uptime;
use trace::Observation;
use twin::{GameRecord, Style};

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
}

impl SimulatedBoard {
    /// A board that begins to play when the daemon is ready.
    pub fn new(play: Play) -> SimulatedBoard {
        SimulatedBoard {
            play,
            started: Instant::now(),
            start: Uptime::ZERO,
            number: 0,
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

    fn observations(&self) -> Vec<Observation> {
        self.record().game.play(self.play.style, self.seed()).observations
    }

    fn begin(&mut self, now: Uptime) -> Sensing {
        let game = Game { observations: self.observations(), next: 0, began: now };
        self.state = State::Playing(game);
        Sensing::Game(Box::new(GameHeader {
            game: self.game_id(),
            us: now.as_us(),
            start: *self.record().game.start(),
            rules: "cxa-2010".to_owned(),
            clock: self.play.style.clock().map(str::to_owned),
            red: "红方".to_owned(),
            black: "黑方".to_owned(),
            event: self.play.event.clone(),
            round: "1".into(),
            table: self.play.table.clone(),
        }))
    }
}

impl SimulatedBoard {
    /// The game is played; what does not stand on the board is declared, as it was in the real game.
    fn end(&mut self, now: Uptime) -> Sensing {
        let result = self.record().result.parse::<Score>().ok();
        let stands = self.record().game.end().ending().is_some();
        self.number += 1;
        self.state = State::Waiting(now.plus_us(BETWEEN_GAMES_US));
        match result {
            Some(score) if !stands => {
                let ending = match score {
                    Score::Draw => Reason::Agreement,
                    _ => Reason::Resignation,
                };
                let reason = "as in the record of the game".to_owned();
                let command = Command::Declare { score, ending };
                Sensing::Order(now, Box::new(Order { name: "simulation".to_owned(), reason, command }))
            }
            _ => Sensing::Quiet(now),
        }
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
        let observations = self.observations();
        let next = going_on.observations.min(observations.len());
        let last = next.checked_sub(1).map_or(Uptime::ZERO, |last| observations[last].at);
        let began = Uptime::from_us(now.us_since(last));
        self.state = State::Playing(Game { observations, next, began });
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
                Some(observation) => Sensing::Observed(observation),
                None if game.next < game.observations.len() => Sensing::Quiet(now),
                None => self.end(now),
            },
        }
    }
}

impl Game {
    fn due(&self) -> Option<Uptime> {
        Some(self.began.plus_us(self.observations.get(self.next)?.at.as_us()))
    }

    /// The next observation, if it is due, in the board's time.
    fn take(&mut self, now: Uptime) -> Option<Observation> {
        let at = self.due().filter(|due| *due <= now)?;
        let sensed = self.observations[self.next].sensed.clone();
        self.next += 1;
        Some(Observation { at, sensed })
    }
}
