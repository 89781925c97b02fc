//! A board on the bench: pieces are put on it one by one, and its wiring may be wrong. For the self-test.

use core::fmt;
use core::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use sense::Uptime;
use xiangqi::{Bitboard, File, Rank, Square};

use crate::dice::Dice;
use crate::matrix::{self, ColumnPin, Delay, Matrix, RowPin};

/// What may be wrong with the wiring of a board. Its text is a name, a colon, and one or two points, ranks or files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WiringFault {
    /// `open:e4`: the reed never closes.
    Open(Square),
    /// `closed:e4`: the reed is closed for ever.
    Closed(Square),
    /// `swapped:a0,b0`: each reed hangs where the other should.
    Swapped(Square, Square),
    /// `ghost:a0,a1`: a piece on the first closes both reeds.
    Ghost(Square, Square),
    /// `diode:e4`: the diode is bridged.
    Diode(Square),
    /// `chatter:e4`: the contact does not settle while it is closed.
    Chatter(Square),
    /// `row-open:3`: the wire is cut.
    RowOpen(Rank),
    /// `column-open:c`: the wire is cut.
    ColumnOpen(File),
    /// `column-high:c`: the wire touches the supply.
    ColumnHigh(File),
    /// `rows-bridged:3,4`: the wires touch.
    RowsBridged(Rank, Rank),
    /// `columns-bridged:c,d`: the wires touch.
    ColumnsBridged(File, File),
    /// `rows-swapped:3,4`: the wires are exchanged.
    RowsSwapped(Rank, Rank),
    /// `columns-swapped:c,d`: the wires are exchanged.
    ColumnsSwapped(File, File),
}

/// The text names no fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFaultError;

impl fmt::Display for ParseFaultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected open:e4, closed:e4, swapped:a0,b0, ghost:a0,a1, diode:e4, chatter:e4, row-open:3, column-open:c, \
             column-high:c, or rows- or columns-bridged or -swapped with two of them",
        )
    }
}

impl std::error::Error for ParseFaultError {}

impl FromStr for WiringFault {
    type Err = ParseFaultError;

    fn from_str(text: &str) -> Result<WiringFault, ParseFaultError> {
        let (name, places) = text.split_once(':').ok_or(ParseFaultError)?;
        let places: Vec<&str> = places.split(',').collect();
        let square = |at: usize| places[at].parse::<Square>().map_err(|_| ParseFaultError);
        let rank = |at: usize| {
            let index: usize = places[at].parse().map_err(|_| ParseFaultError)?;
            Rank::ALL.get(index).copied().ok_or(ParseFaultError)
        };
        let file = |at: usize| {
            let named = |file: &File| places[at] == file.letter().to_string();
            File::ALL.into_iter().find(named).ok_or(ParseFaultError)
        };
        let fault = match (name, places.len()) {
            ("open", 1) => WiringFault::Open(square(0)?),
            ("closed", 1) => WiringFault::Closed(square(0)?),
            ("diode", 1) => WiringFault::Diode(square(0)?),
            ("chatter", 1) => WiringFault::Chatter(square(0)?),
            ("swapped", 2) => WiringFault::Swapped(square(0)?, square(1)?),
            ("ghost", 2) => WiringFault::Ghost(square(0)?, square(1)?),
            ("row-open", 1) => WiringFault::RowOpen(rank(0)?),
            ("column-open", 1) => WiringFault::ColumnOpen(file(0)?),
            ("column-high", 1) => WiringFault::ColumnHigh(file(0)?),
            ("rows-bridged", 2) => WiringFault::RowsBridged(rank(0)?, rank(1)?),
            ("columns-bridged", 2) => WiringFault::ColumnsBridged(file(0)?, file(1)?),
            ("rows-swapped", 2) => WiringFault::RowsSwapped(rank(0)?, rank(1)?),
            ("columns-swapped", 2) => WiringFault::ColumnsSwapped(file(0)?, file(1)?),
            _ => return Err(ParseFaultError),
        };
        Ok(fault)
    }
}

/// What the wires carry.
struct State {
    now_ns: u64,
    covered: Bitboard,
    driven: [bool; 10],
    faults: Vec<WiringFault>,
    dice: Dice,
    /// Until when the reeds that have just been worked bounce.
    bounce: [u64; Square::COUNT],
    /// How long they bounce at most, in nanoseconds.
    longest_ns: i64,
}

/// How long sound reeds bounce at most, and any at least, in microseconds.
const BOUNCE_US: u64 = 3_000;
const SHORTEST_US: u64 = 200;

impl State {
    fn has(&self, fault: WiringFault) -> bool {
        self.faults.contains(&fault)
    }

    /// Whether the contact at the crossing is closed at this moment.
    fn contact(&mut self, at: Square) -> bool {
        let mut place = at;
        for fault in &self.faults {
            match *fault {
                WiringFault::Swapped(a, b) if place == a => place = b,
                WiringFault::Swapped(a, b) if place == b => place = a,
                _ => {}
            }
        }
        let ghost = |covered: Bitboard| {
            let by = |fault: &WiringFault| matches!(*fault, WiringFault::Ghost(a, b) if b == place && covered.contains(a));
            self.faults.iter().any(by)
        };
        let worked = self.covered.contains(place) || ghost(self.covered);
        let unsettled =
            self.now_ns < self.bounce[place.index()] || (worked && self.has(WiringFault::Chatter(place)));
        if self.has(WiringFault::Open(place)) {
            return false;
        }
        if self.has(WiringFault::Closed(place)) {
            return true;
        }
        if unsettled { self.dice.permille(500) } else { worked }
    }

    fn drives(&self, row: Rank) -> bool {
        let wire = |row: Rank| self.driven[row.index()];
        let mut driven = wire(row);
        for fault in &self.faults {
            match *fault {
                WiringFault::RowsSwapped(a, b) if row == a => driven = wire(b),
                WiringFault::RowsSwapped(a, b) if row == b => driven = wire(a),
                WiringFault::RowsBridged(a, b) if row == a || row == b => driven = wire(a) || wire(b),
                _ => {}
            }
        }
        driven && !self.has(WiringFault::RowOpen(row))
    }

    /// What the wire of a column carries, up to where it is joined to others.
    fn carries(&mut self, column: File) -> bool {
        if self.has(WiringFault::ColumnHigh(column)) {
            return true;
        }
        let mut high = false;
        let mut low = false;
        for row in Rank::ALL {
            let at = Square::at(column, row);
            let drives = self.drives(row);
            // Without its diode a reed ties the column to its row, which is held low while it is not driven.
            let ties = !drives && self.has(WiringFault::Diode(at));
            if (drives || ties) && self.contact(at) {
                high |= drives;
                low |= ties;
            }
        }
        high && !low
    }

    fn reads_high(&mut self, column: File) -> bool {
        let mut wires = vec![column];
        for fault in self.faults.clone() {
            match fault {
                WiringFault::ColumnsSwapped(a, b) if column == a => wires = vec![b],
                WiringFault::ColumnsSwapped(a, b) if column == b => wires = vec![a],
                WiringFault::ColumnsBridged(a, b) if column == a || column == b => wires = vec![a, b],
                WiringFault::ColumnOpen(open) if column == open => return false,
                _ => {}
            }
        }
        wires.into_iter().any(|wire| self.carries(wire))
    }
}

/// A board on the bench.
#[derive(Clone)]
pub struct Bench(Arc<Mutex<State>>);

impl Bench {
    /// An empty board with those faults; `seed` throws bounces and chatter.
    pub fn new(faults: Vec<WiringFault>, seed: u64) -> Bench {
        Bench::with_bounce(faults, BOUNCE_US, seed)
    }

    /// The same with reeds that bounce for at most `bounce_us`.
    pub fn with_bounce(faults: Vec<WiringFault>, bounce_us: u64, seed: u64) -> Bench {
        Bench(Arc::new(Mutex::new(State {
            now_ns: 0,
            covered: Bitboard::EMPTY,
            driven: [false; 10],
            faults,
            dice: Dice::new(seed),
            bounce: [0; Square::COUNT],
            longest_ns: bounce_us.max(SHORTEST_US) as i64 * 1_000,
        })))
    }

    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts pieces on those points and takes all others off.
    pub fn cover(&self, covered: Bitboard) {
        self.with(|state| {
            for square in covered ^ state.covered {
                let bounces_ns = state.dice.between(SHORTEST_US as i64 * 1_000, state.longest_ns) as u64;
                state.bounce[square.index()] = state.now_ns + bounces_ns;
            }
            state.covered = covered;
        });
    }

    /// The points that have a piece.
    pub fn covered(&self) -> Bitboard {
        self.with(|state| state.covered)
    }

    /// The ten row outputs.
    pub fn rows(&self) -> [RowPin<Bench>; 10] {
        matrix::rows(self)
    }

    /// The nine column inputs.
    pub fn columns(&self) -> [ColumnPin<Bench>; 9] {
        matrix::columns(self)
    }

    /// The delay that lets time pass.
    pub fn delay(&self) -> Delay<Bench> {
        Delay(self.clone())
    }

    /// The time on the bench.
    pub fn now(&self) -> Uptime {
        self.with(|state| Uptime::from_us(state.now_ns / 1000))
    }

    /// Lets time pass until then.
    pub fn wait_until(&self, at: Uptime) {
        self.with(|state| state.now_ns = state.now_ns.max(at.as_us() * 1000));
    }
}

impl Matrix for Bench {
    fn drive(&self, row: Rank, high: bool) {
        self.with(|state| state.driven[row.index()] = high);
    }

    fn reads_high(&self, column: File) -> bool {
        self.with(|state| state.reads_high(column))
    }

    fn pass(&self, ns: u64) {
        self.with(|state| state.now_ns += ns);
    }
}
