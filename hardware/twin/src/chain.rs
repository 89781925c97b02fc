//! The serial variant of the board: two 74HC595 that drive the rows, two 74HC165 that read the columns, on one SPI bus.

use core::convert::Infallible;

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};
use xiangqi::{File, Rank};

use crate::pins::PinBoard;

/// What the registers hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Registers {
    /// Shifted in so far; it drives the rows when chip select rises.
    rows: u16,
    /// Loaded from the columns; it is shifted out.
    columns: u16,
}

/// The register chain as a device on the bus.
pub struct Chain(pub(crate) PinBoard);

/// SH/LD of the column registers: they load while it is low.
pub struct LoadPin(pub(crate) PinBoard);

impl Chain {
    /// Eight clocks: a byte in, most significant bit first, and a byte out.
    fn clock(registers: &mut Registers, byte: u8) -> u8 {
        let [out, _] = registers.columns.to_be_bytes();
        registers.columns <<= 8;
        registers.rows = registers.rows << 8 | u16::from(byte);
        out
    }
}

impl spi::ErrorType for Chain {
    type Error = Infallible;
}

impl SpiDevice for Chain {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        self.0.with(|wires| {
            let registers = &mut wires.registers;
            let mut wait_ns = 0;
            for operation in operations {
                match operation {
                    Operation::Read(words) => words.fill_with(|| Chain::clock(registers, 0)),
                    Operation::Write(words) => {
                        for word in *words {
                            Chain::clock(registers, *word);
                        }
                    }
                    Operation::Transfer(read, write) => {
                        for index in 0..read.len().max(write.len()) {
                            let out = Chain::clock(registers, write.get(index).copied().unwrap_or(0));
                            if let Some(word) = read.get_mut(index) {
                                *word = out;
                            }
                        }
                    }
                    Operation::TransferInPlace(words) => {
                        for word in words.iter_mut() {
                            *word = Chain::clock(registers, *word);
                        }
                    }
                    Operation::DelayNs(ns) => wait_ns += u64::from(*ns),
                }
            }
            let rows = registers.rows;
            wires.pass(wait_ns);
            wires.driven = Rank::ALL.map(|row| rows >> row.index() & 1 != 0);
        });
        Ok(())
    }
}

impl digital::ErrorType for LoadPin {
    type Error = Infallible;
}

impl OutputPin for LoadPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.with(|wires| {
            let high = File::ALL.into_iter().filter(|column| wires.reads_high(*column));
            wires.registers.columns = high.fold(0, |word, column| word | 1 << column.index());
        });
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
