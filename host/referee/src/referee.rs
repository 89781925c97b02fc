//! One game at one board.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::law::edition::Numbering;
use xiangqi::{Move, Position};

use crate::infer::Inference;
use crate::{Event, Input};

/// What the referee needs to know of the event and the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether a clock press completes a move. Without a clock a move is complete when nothing happens for `quiet_us`.
    pub clock: bool,
    /// How long the board must be quiet before a move without a clock press is taken as complete, in microseconds.
    pub quiet_us: u64,
    /// A contact shorter than this that leaves the piece where it was is no touch (5.6), in microseconds.
    pub nudge_us: u64,
    /// How the edition in force numbers its articles.
    pub numbering: Numbering,
}

impl Default for Config {
    fn default() -> Config {
        Config { clock: false, quiet_us: 1_500_000, nudge_us: 250_000, numbering: Numbering::Of2010 }
    }
}

/// The referee of one game.
///
/// # Contract
/// 1. Call [`handle`](Referee::handle) with inputs in time order, and [`advance`](Referee::advance) at its
///    [`deadline`](Referee::deadline) at the latest.
/// 2. Take events with [`poll_event`](Referee::poll_event) until there is none.
/// 3. The same calls give the same events, byte for byte, on every machine.
#[derive(Clone, Debug)]
pub struct Referee {
    inference: Inference,
}

impl Referee {
    /// A game that starts from `start`, which is believed to stand on the board.
    pub fn new(config: Config, start: Position) -> Referee {
        Referee { inference: Inference::new(config, start) }
    }

    /// The position after the committed moves.
    pub const fn position(&self) -> &Position {
        self.inference.position()
    }

    /// The committed moves.
    pub fn moves(&self) -> &[Move] {
        self.inference.moves()
    }

    /// Every line of play that still explains the evidence, as the moves since the last committed one, with its cost in
    /// tenths of a natural logarithm: the best first. What an arbiter asks for when the board is ambiguous.
    pub fn readings(&self, now: Uptime) -> Vec<(Vec<Move>, u32)> {
        self.inference.readings(now)
    }

    /// Takes an input.
    pub fn handle(&mut self, now: Uptime, input: Input) {
        self.inference.handle(now, input);
    }

    /// When the referee decides something if nothing happens until then.
    pub fn deadline(&self) -> Option<Uptime> {
        self.inference.deadline()
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: Uptime) {
        self.inference.advance(now);
    }

    /// Tells that no evidence will follow: what stands on the board may still have been on its way.
    pub fn end(&mut self) {
        self.inference.end();
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.inference.poll_event()
    }
}
