//! The pins of the twin: a matrix with a diode at each reed, behind the embedded-hal traits, wired either way.

use core::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use embedded_hal::digital::{ErrorType, InputPin};
use sense::Uptime;
use trace::Sensed;
use xiangqi::{Bitboard, File, Rank, Square};

use crate::chain::{Chain, LoadPin, Registers};
use crate::game::Played;
use crate::matrix::{self, ColumnPin, Delay, Matrix, RowPin};
use crate::table::Timeline;

/// What the wires of one board carry, at a time that the delays of the scan code move on.
pub(crate) struct Wires {
    timeline: Timeline,
    next: usize,
    now_ns: u64,
    closed: Bitboard,
    pub(crate) driven: [bool; 10],
    pub(crate) registers: Registers,
    /// When buttons go down.
    presses: Vec<(Uptime, Sensed)>,
}

impl Wires {
    pub(crate) fn pass(&mut self, ns: u64) {
        self.now_ns += ns;
        while let Some((at, square, closed)) = self.timeline.changes().get(self.next).copied()
            && at.as_us() * 1000 <= self.now_ns
        {
            if closed {
                self.closed.insert(square)
            } else {
                self.closed.remove(square)
            }
            self.next += 1;
        }
    }

    /// Pulled down, and up by every driven row whose reed on the column is closed; the diodes keep rows apart.
    pub(crate) fn reads_high(&self, column: File) -> bool {
        Rank::ALL
            .into_iter()
            .any(|row| self.driven[row.index()] && self.closed.contains(Square::at(column, row)))
    }
}

/// A board whose pins scan code drives. Time passes in [`Delay`] and in [`PinBoard::wait_until`] only.
#[derive(Clone)]
pub struct PinBoard(Arc<Mutex<Wires>>);

impl PinBoard {
    /// The pins of a table on which that game is played.
    pub fn new(played: &Played) -> PinBoard {
        let timeline = played.timeline.clone();
        let presses = played.observations.iter().filter(|o| !matches!(o.sensed, Sensed::Closed(_)));
        let presses = presses.map(|o| (o.at, o.sensed.clone())).collect();
        let closed = timeline.start();
        let mut wires = Wires {
            timeline,
            next: 0,
            now_ns: 0,
            closed,
            driven: [false; 10],
            registers: Registers::default(),
            presses,
        };
        wires.pass(0);
        PinBoard(Arc::new(Mutex::new(wires)))
    }

    pub(crate) fn with<T>(&self, f: impl FnOnce(&mut Wires) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The ten row outputs.
    pub fn rows(&self) -> [RowPin<PinBoard>; 10] {
        matrix::rows(self)
    }

    /// The nine column inputs.
    pub fn columns(&self) -> [ColumnPin<PinBoard>; 9] {
        matrix::columns(self)
    }

    /// The register chain of the serial variant, and its load line.
    pub fn chain(&self) -> (Chain, LoadPin) {
        (Chain(self.clone()), LoadPin(self.clone()))
    }

    /// The button that says so, which closes to ground while a finger holds it down.
    pub fn button(&self, says: Sensed) -> ButtonPin {
        ButtonPin { board: self.clone(), says }
    }

    /// The delay that lets time pass.
    pub fn delay(&self) -> Delay<PinBoard> {
        Delay(self.clone())
    }

    /// The time on the table.
    pub fn now(&self) -> Uptime {
        self.with(|wires| Uptime::from_us(wires.now_ns / 1000))
    }

    /// Lets time pass until then.
    pub fn wait_until(&self, at: Uptime) {
        self.with(|wires| wires.pass((at.as_us() * 1000).saturating_sub(wires.now_ns)));
    }
}

impl Matrix for PinBoard {
    fn drive(&self, row: Rank, high: bool) {
        self.with(|wires| wires.driven[row.index()] = high);
    }

    fn reads_high(&self, column: File) -> bool {
        self.with(|wires| wires.reads_high(column))
    }

    fn pass(&self, ns: u64) {
        self.with(|wires| wires.pass(ns));
    }
}

/// The input of a button, with a pull-up.
pub struct ButtonPin {
    board: PinBoard,
    says: Sensed,
}

/// How long a finger holds a button down, in microseconds.
const HELD_US: u64 = 60_000;

impl ErrorType for ButtonPin {
    type Error = Infallible;
}

impl InputPin for ButtonPin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        self.is_low().map(|low| !low)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        let held = |wires: &mut Wires| {
            let now = Uptime::from_us(wires.now_ns / 1000);
            let recent = wires.presses.iter().filter(|(at, _)| *at <= now && now.us_since(*at) < HELD_US);
            recent.into_iter().any(|(_, said)| *said == self.says)
        };
        Ok(self.board.with(held))
    }
}
