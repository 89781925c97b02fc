//! The matrix of a simulated board as scan code meets it: row outputs, column inputs, and the delay in which time passes.

use core::convert::Infallible;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use xiangqi::{File, Rank};

/// A board whose matrix scan code drives and reads.
pub trait Matrix: Clone {
    /// Drives a row wire high or low.
    fn drive(&self, row: Rank, high: bool);
    /// Whether a column wire reads high.
    fn reads_high(&self, column: File) -> bool;
    /// Lets time pass, in nanoseconds.
    fn pass(&self, ns: u64);
}

/// A row wire.
pub struct RowPin<B> {
    board: B,
    row: Rank,
}

/// A column wire.
pub struct ColumnPin<B> {
    board: B,
    column: File,
}

/// Time at the board, as the scan code waits for it.
pub struct Delay<B>(pub(crate) B);

pub(crate) fn rows<B: Matrix>(board: &B) -> [RowPin<B>; 10] {
    Rank::ALL.map(|row| RowPin { board: board.clone(), row })
}

pub(crate) fn columns<B: Matrix>(board: &B) -> [ColumnPin<B>; 9] {
    File::ALL.map(|column| ColumnPin { board: board.clone(), column })
}

impl<B> ErrorType for RowPin<B> {
    type Error = Infallible;
}

impl<B: Matrix> OutputPin for RowPin<B> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.board.drive(self.row, false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.board.drive(self.row, true);
        Ok(())
    }
}

impl<B> ErrorType for ColumnPin<B> {
    type Error = Infallible;
}

impl<B: Matrix> InputPin for ColumnPin<B> {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.board.reads_high(self.column))
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}

impl<B: Matrix> DelayNs for Delay<B> {
    fn delay_ns(&mut self, ns: u32) {
        self.0.pass(u64::from(ns));
    }
}
