//! One game at one board: evidence in, records out. No clock, no file, no network.
//!
//! A record that depends on others comes after them: evidence, then what the referee makes of it. So the evidence of a
//! journal, taken again in the same order, gives the same events: this is how a game goes on after a restart, half-made
//! moves included, and how a journal is checked against today's referee.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use referee::relay::{OrderBody, Rejection, SignedOrder};
use referee::{Config, Event, GameHeader, Input, Observer, Order, Record, Referee};
use sense::Uptime;
use trace::{Button, Observation, Sensed};
use xiangqi::Color;

use crate::FoundGame;

/// The most orders that a game takes over the wire.
const MOST_ORDERS: usize = 10_000;

/// One game at one board.
///
/// # Contract
/// 1. Hand in evidence in time order with [`take`](Table::take), [`order`](Table::order) and [`restore`](Table::restore),
///    and call [`advance`](Table::advance) as time passes, at [`deadline`](Table::deadline) at the latest.
/// 2. Write what [`poll_record`](Table::poll_record) gives to the journal, in that order, until there is nothing.
#[derive(Clone, Debug)]
pub struct Table {
    game: String,
    observer: Observer,
    /// Orders that came over the wire, by id.
    orders: BTreeSet<String>,
    records: VecDeque<Record>,
}

impl Table {
    /// A game that begins. Rules or a time control that cannot be read are logged, and the game is played by the default
    /// rules without a clock: a board that plays is worth more than one that refuses.
    pub fn new(header: &GameHeader) -> Table {
        let config =
            Config::of_header(Some(&header.rules), header.clock.as_deref()).unwrap_or_else(|error| {
                tracing::error!(game = header.game, "{error}");
                Config { clock: header.clock.is_some(), ..Config::default() }
            });
        let observer = Observer::new(config, header.debounce(), header.start);
        Table { game: header.game.clone(), observer, orders: BTreeSet::new(), records: VecDeque::new() }
    }

    /// Takes an observation.
    pub fn take(&mut self, observation: &Observation) {
        let Some(record) = record_of(observation) else { return };
        let at = observation.at;
        // What is due before it is recorded before it.
        self.advance(at);
        self.records.push_back(record);
        match observation.sensed {
            Sensed::Closed(frame) => self.observer.frame(at, frame),
            Sensed::Press(side) => self.observer.input(at, Input::Press(side)),
            Sensed::Button(button, side) => self.observer.input(at, input_of(button, side)),
            Sensed::Camera(_) => {}
        }
        self.collect();
    }

    /// The game's id.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Whether an order over the wire is for this game and has not come before.
    pub fn is_new(&self, body: &OrderBody) -> bool {
        body.game == self.game && !self.orders.contains(&body.id)
    }

    /// Takes an arbiter's order. Whoever hands it in has made sure that it is he.
    pub fn order(&mut self, at: Uptime, order: &Order) {
        self.carry_out(at, order, String::new(), None);
    }

    /// Takes an order that came over the wire and has been checked by [`Arbiters`](crate::Arbiters). One that has come
    /// before changes nothing.
    ///
    /// # Errors
    ///
    /// Why the order does not concern this game. It is not recorded then.
    pub fn signed_order(
        &mut self,
        at: Uptime,
        signed: &SignedOrder,
        body: &OrderBody,
    ) -> Result<(), Rejection> {
        if body.game != self.game {
            return Err(Rejection::OtherGame);
        }
        if self.orders.contains(&body.id) {
            return Ok(());
        }
        if self.orders.len() >= MOST_ORDERS {
            return Err(Rejection::TooMany);
        }
        self.orders.insert(body.id.clone());
        self.carry_out(at, &body.order, body.id.clone(), Some(Box::new(signed.clone())));
        Ok(())
    }

    fn carry_out(&mut self, at: Uptime, order: &Order, id: String, signed: Option<Box<SignedOrder>>) {
        self.advance(at);
        let order = Box::new(order.clone());
        self.records.push_back(Record::Order { us: at.as_us(), order: order.clone(), id, signed });
        self.observer.input(at, Input::Order(order));
        self.collect();
    }

    /// The board's process is back, after `gap_us` if its machine has measured that.
    pub fn restore(&mut self, at: Uptime, gap_us: Option<u64>) {
        self.observer.restore(at, gap_us);
        self.collect();
    }

    /// The referee, for displays.
    pub fn referee(&self) -> &Referee {
        self.observer.referee()
    }

    /// Whether the game has a result.
    pub fn is_over(&self) -> bool {
        self.referee().conduct().is_over()
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: Uptime) {
        self.observer.advance(now);
        self.collect();
    }

    /// When something is due if nothing is sensed until then.
    pub fn deadline(&self) -> Option<Uptime> {
        self.observer.deadline()
    }

    /// The next record for the journal.
    pub fn poll_record(&mut self) -> Option<Record> {
        self.records.pop_front()
    }

    fn collect(&mut self) {
        while let Some(event) = self.observer.poll_event() {
            self.records.push_back(Record::Event(event));
        }
    }
}

fn input_of(button: Button, side: Option<Color>) -> Input {
    match button {
        Button::Adjust => Input::Adjust(side),
        Button::Draw => Input::Draw(side),
        Button::Resign => Input::Resign(side),
        Button::Arbiter => Input::CallArbiter(side),
    }
}

/// Evidence as the journal writes it; none for what the journal does not hold.
pub fn record_of(observation: &Observation) -> Option<Record> {
    let us = observation.at.as_us();
    match &observation.sensed {
        Sensed::Closed(frame) => Some(Record::Closed { us, closed: frame.to_string() }),
        Sensed::Press(side) => Some(Record::Press { us, side: *side }),
        Sensed::Button(button, side) => {
            Some(Record::Button { us, button: button.name().to_owned(), side: *side })
        }
        Sensed::Camera(_) => None,
    }
}

/// The observation that a record of evidence holds; none for any other record.
pub fn observation_of(record: &Record) -> Option<Observation> {
    let (us, sensed) = match record {
        Record::Closed { us, closed } => (*us, Sensed::Closed(closed.parse().ok()?)),
        Record::Press { us, side } => (*us, Sensed::Press(*side)),
        Record::Button { us, button, side } => (*us, Sensed::Button(Button::named(button)?, *side)),
        _ => return None,
    };
    Some(Observation { at: Uptime::from_us(us), sensed })
}

/// The moment of which a record speaks.
pub fn moment_of(record: &Record) -> Option<Uptime> {
    record.us().map(Uptime::from_us)
}

/// A game taken up again from its journal.
#[derive(Debug)]
pub struct Resumed {
    /// The game as it stood, half-made moves included.
    pub table: Table,
    /// How many observations of it there were.
    pub observations: usize,
    /// The last moment of which its records speak.
    pub last: Uptime,
}

/// The evidence of a journal, read again, gives other events than were recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The line that differs.
    pub seq: u64,
    /// What was recorded.
    pub recorded: Event,
    /// What is read today; `None` for nothing.
    pub read: Option<Event>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { seq, recorded, read } = self;
        write!(f, "line {seq}: recorded {recorded:?}, today's referee reads ")?;
        match read {
            Some(event) => write!(f, "{event:?}"),
            None => f.write_str("nothing"),
        }
    }
}

impl std::error::Error for Disagreement {}

/// Takes up a game from the evidence of its journal, and compares what it reads with what was recorded. Events that
/// the evidence gives and that had not reached the disk are the first that the table has to record.
pub fn resume(game: &FoundGame) -> Result<Resumed, Box<Disagreement>> {
    let mut table = Table::new(&game.header);
    let mut observations = 0;
    let mut last = Uptime::from_us(game.header.us);
    let mut read: VecDeque<Event> = VecDeque::new();
    let mut recorded = game.lines.iter().filter_map(|line| match &line.record {
        Record::Event(event) => Some((line.seq, event)),
        _ => None,
    });
    for line in &game.lines {
        match &line.record {
            Record::Order { us, order, id, signed } => {
                table.orders.extend((!id.is_empty()).then(|| id.clone()));
                table.carry_out(Uptime::from_us(*us), order, id.clone(), signed.clone());
            }
            Record::Opened { us, gap_us, .. } => {
                // As it was done then: first what the evidence gave by itself, then the restart.
                table.advance(last);
                table.restore(Uptime::from_us(*us), *gap_us);
            }
            record => {
                if let Some(observation) = observation_of(record) {
                    table.take(&observation);
                    observations += 1;
                }
            }
        }
        last = last.max(moment_of(&line.record).unwrap_or(last));
    }
    table.advance(last);
    while let Some(record) = table.poll_record() {
        if let Record::Event(event) = record {
            read.push_back(event);
        }
    }
    let disagreement = recorded.find_map(|(seq, recorded)| {
        let read = read.pop_front();
        (read.as_ref() != Some(recorded)).then(|| Disagreement { seq, recorded: recorded.clone(), read })
    });
    table.records.extend(read.into_iter().map(Record::Event));
    match disagreement {
        Some(disagreement) => Err(Box::new(disagreement)),
        None => Ok(Resumed { table, observations, last }),
    }
}
