//! One game at one board.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use sense::{Edge, Uptime};
use xiangqi::{Bitboard, Color, Move, Position};

use crate::event::Moved;
use crate::{Event, Happening, Input};

/// What the referee needs to know of the event and the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether a clock press completes a move. Without a clock a move is complete when nothing happens for `quiet_us`.
    pub clock: bool,
    /// How long the board must be quiet before a move without a clock press is taken as complete, in microseconds.
    pub quiet_us: u64,
    /// A contact shorter than this that leaves the piece where it was is no touch (5.6), in microseconds.
    pub nudge_us: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config { clock: false, quiet_us: 1_500_000, nudge_us: 250_000 }
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
    config: Config,
    position: Position,
    moves: Vec<Move>,
    occupied: Bitboard,
    opened: Bitboard,
    began: Option<Uptime>,
    changed: Uptime,
    provisional: Option<Move>,
    events: VecDeque<Event>,
}

impl Referee {
    /// A game that starts from `start`, which is believed to stand on the board.
    pub fn new(config: Config, start: Position) -> Referee {
        Referee {
            config,
            occupied: start.board().occupied(),
            position: start,
            moves: Vec::new(),
            opened: Bitboard::EMPTY,
            began: None,
            changed: Uptime::ZERO,
            provisional: None,
            events: VecDeque::new(),
        }
    }

    /// The position after the committed moves.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The committed moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Takes an input.
    pub fn handle(&mut self, now: Uptime, input: Input) {
        match input {
            Input::Edge(edge) => self.edge(now, edge),
            Input::Press(side) => self.press(now, side),
            _ => {}
        }
    }

    /// When the referee decides something if nothing happens until then.
    pub fn deadline(&self) -> Option<Uptime> {
        let quiet = self.changed.plus_us(self.config.quiet_us);
        (!self.config.clock && self.provisional.is_some()).then_some(quiet)
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: Uptime) {
        if self.deadline().is_some_and(|due| due <= now) {
            self.commit(now);
        }
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn edge(&mut self, now: Uptime, edge: Edge) {
        if edge.closed {
            self.occupied.insert(edge.square);
        } else {
            self.occupied.remove(edge.square);
            self.opened.insert(edge.square);
        }
        self.began.get_or_insert(edge.begin);
        self.changed = edge.settled;
        let reading = self.only_reading();
        if reading != self.provisional {
            self.provisional = reading;
            let ply = self.moves.len() as u32 + 1;
            self.events.push_back(Event::new(now, Happening::Provisional { ply, mv: reading }));
        }
    }

    fn press(&mut self, now: Uptime, side: Color) {
        if side == self.position.turn() && self.provisional.is_some() {
            self.commit(now);
        }
    }

    /// The one legal move that explains the board as it stands, if there is just one.
    fn only_reading(&self) -> Option<Move> {
        let board = self.position.board();
        let mut readings = self
            .position
            .legal_moves()
            .into_iter()
            .filter(|m| {
                let after = self.position.play_unchecked(*m).board().occupied();
                let captures = board.occupied().contains(m.to);
                after == self.occupied && (!captures || self.opened.contains(m.to))
            })
            .collect::<Vec<_>>()
            .into_iter();
        match (readings.next(), readings.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    fn commit(&mut self, now: Uptime) {
        let Some(mv) = self.provisional.take() else { return };
        let moved = Moved {
            ply: self.moves.len() as u32 + 1,
            side: self.position.turn(),
            mv,
            illegal: None,
            begin_us: self.began.take().unwrap_or(self.changed).as_us(),
            settled_us: self.changed.as_us(),
            clock: None,
        };
        self.position = self.position.play_unchecked(mv);
        self.moves.push(mv);
        self.opened = Bitboard::EMPTY;
        self.events.push_back(Event::new(now, Happening::Moved(moved)));
    }
}
