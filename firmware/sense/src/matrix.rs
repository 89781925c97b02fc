//! Scanning the reed matrix over embedded-hal pins: ten driven rows, nine read columns, a diode at each reed.
//!
//! The other way to wire the same matrix, through shift registers, is [`SerialMatrix`](crate::SerialMatrix).

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};
use xiangqi::{Bitboard, File, Rank};

use crate::Frame;

/// A board's ninety reeds, however they are wired.
pub trait ReedMatrix {
    /// What can fail: a pin, a bus.
    type Error;

    /// Reads all ninety points once. After an error the reading is void and no row is left driven on purpose.
    fn scan(&mut self) -> Result<Frame, Self::Error>;
}

/// Which way the board lies on its wires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Row wire 0 is Red's home row and column wire 0 is Red's left hand.
    #[default]
    RedAtRowZero,
    /// The board is turned half round.
    BlackAtRowZero,
}

/// A pin of the matrix failed; readings are void until it works again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanError<R, C> {
    /// That row could not be driven.
    Row(Rank, R),
    /// That column could not be read.
    Column(File, C),
}

/// Ten row outputs, active high, and nine column inputs with pull-downs: a closed reed on the driven row reads high.
pub struct Matrix<R, C, D> {
    rows: [R; 10],
    columns: [C; 9],
    delay: D,
    settle_ns: u32,
    orientation: Orientation,
}

impl<R: OutputPin, C: InputPin, D: DelayNs> Matrix<R, C, D> {
    /// A matrix whose columns are read `settle_ns` nanoseconds after a row was driven: cables and inputs have capacity.
    pub fn new(rows: [R; 10], columns: [C; 9], delay: D, settle_ns: u32, orientation: Orientation) -> Self {
        Matrix { rows, columns, delay, settle_ns, orientation }
    }

    fn read_row(&mut self, row: Rank, closed: &mut Bitboard) -> Result<(), ScanError<R::Error, C::Error>> {
        self.rows[row.index()].set_high().map_err(|e| ScanError::Row(row, e))?;
        self.delay.delay_ns(self.settle_ns);
        for column in File::ALL {
            if self.columns[column.index()].is_high().map_err(|e| ScanError::Column(column, e))? {
                closed.insert(self.orientation.square(column, row));
            }
        }
        Ok(())
    }
}

impl<R: OutputPin, C: InputPin, D: DelayNs> ReedMatrix for Matrix<R, C, D> {
    type Error = ScanError<R::Error, C::Error>;

    fn scan(&mut self) -> Result<Frame, Self::Error> {
        let mut closed = Bitboard::EMPTY;
        for row in Rank::ALL {
            let read = self.read_row(row, &mut closed);
            let released = self.rows[row.index()].set_low().map_err(|e| ScanError::Row(row, e));
            read.and(released)?;
        }
        Ok(Frame::new(closed))
    }
}
