//! Scanning the reed matrix over SPI: rows by two chained 74HC595, columns by two chained 74HC165.
//!
//! One transfer does two things at once: it shifts the next row's pattern out and the columns that were loaded for the row
//! before in. The 595s show their pattern when chip select rises; the 165s load when their load line goes low. Wiring: the
//! 595s' shift input on MOSI, the 165s' output on MISO, both clocked by SCLK, 595 RCLK on chip select, 165 SH/LD on a pin
//! of its own. SPI mode 0, most significant bit first.
//!
//! Bit `r` of the row word drives row `r`; bit `c` of the column word reads column `c`. Bits 10–15 and 9–15 are unused.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use xiangqi::{Bitboard, File, Rank, Square};

use crate::{Frame, Orientation, ReedMatrix};

/// The bus or the load line failed, or the chain does not answer; readings are void until it works again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SerialError<S, L> {
    /// The SPI transfer failed.
    Spi(S),
    /// The load line of the column registers could not be driven.
    Load(L),
    /// An unused column bit reads 1. They are tied to ground, so the chain is broken, or MISO is not connected (it floats
    /// or is pulled high).
    Chain(u16),
}

/// Ten rows and nine columns behind shift registers.
pub struct SerialMatrix<S, L, D> {
    spi: S,
    load: L,
    delay: D,
    settle_ns: u32,
    orientation: Orientation,
}

impl<S: SpiDevice, L: OutputPin, D: DelayNs> SerialMatrix<S, L, D> {
    /// A matrix whose columns are loaded `settle_ns` nanoseconds after a row was driven.
    pub fn new(spi: S, load: L, delay: D, settle_ns: u32, orientation: Orientation) -> Self {
        SerialMatrix { spi, load, delay, settle_ns, orientation }
    }

    /// Shifts a row pattern out and the loaded columns in.
    fn exchange(&mut self, rows: u16) -> Result<u16, SerialError<S::Error, L::Error>> {
        let mut word = rows.to_be_bytes();
        self.spi.transfer_in_place(&mut word).map_err(SerialError::Spi)?;
        Ok(u16::from_be_bytes(word))
    }

    fn load_columns(&mut self) -> Result<(), SerialError<S::Error, L::Error>> {
        self.delay.delay_ns(self.settle_ns);
        self.load.set_low().map_err(SerialError::Load)?;
        self.load.set_high().map_err(SerialError::Load)
    }
}

impl<S: SpiDevice, L: OutputPin, D: DelayNs> ReedMatrix for SerialMatrix<S, L, D> {
    type Error = SerialError<S::Error, L::Error>;

    /// Eleven transfers of 16 bits; after the last no row is driven.
    fn scan(&mut self) -> Result<Frame, Self::Error> {
        let mut closed = Bitboard::EMPTY;
        self.exchange(1)?;
        for row in Rank::ALL {
            self.load_columns()?;
            let next = if row == Rank::R9 { 0 } else { 2 << row.index() };
            let columns = self.exchange(next)?;
            if columns >> 9 != 0 {
                return Err(SerialError::Chain(columns));
            }
            for column in File::ALL.into_iter().filter(|column| columns >> column.index() & 1 != 0) {
                closed.insert(self.orientation.square(column, row));
            }
        }
        Ok(Frame::new(closed))
    }
}

impl Orientation {
    /// The point at the crossing of a column wire and a row wire.
    pub const fn square(self, column: File, row: Rank) -> Square {
        match self {
            Orientation::RedAtRowZero => Square::at(column, row),
            Orientation::BlackAtRowZero => Square::at(column, row).rotated(),
        }
    }
}
