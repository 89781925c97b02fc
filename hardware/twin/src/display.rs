//! The displays of the twin: two MAX7219 in a chain, which show what was shifted into them.

use core::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};

/// The registers of one chip, by their address.
type Registers = [u8; 16];

/// Two displays of eight digits; the first of the chain is index 0.
#[derive(Clone, Default)]
pub struct DisplayChain(Arc<Mutex<[Registers; 2]>>);

impl DisplayChain {
    fn registers(&self) -> [Registers; 2] {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The segments that are lit on a display, leftmost digit first: none while it is switched off, all in its test mode.
    /// Bit 7 is the point, bits 6 to 0 are segments A to G.
    pub fn lit(&self, display: usize) -> [u8; 8] {
        let registers = self.registers()[display];
        let [power, test, limit, decode] = [0x0c, 0x0f, 0x0b, 0x09].map(|register| registers[register]);
        if test != 0 {
            return [0xff; 8];
        }
        // The code of decode mode is not modelled: whoever asks for it sees nothing.
        if power == 0 || decode != 0 {
            return [0; 8];
        }
        let digit = |at: usize| if 8 - at <= usize::from(limit) + 1 { registers[8 - at] } else { 0 };
        std::array::from_fn(digit)
    }

    fn shift_in(&self, bytes: &[u8]) {
        let mut chips = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The last word stays in the first chip, the word before it in the second.
        for (chip, word) in chips.iter_mut().zip(bytes.rchunks_exact(2)) {
            // Address 0 is "no operation".
            if word[0] & 0x0f != 0 {
                chip[usize::from(word[0] & 0x0f)] = word[1];
            }
        }
    }
}

impl spi::ErrorType for DisplayChain {
    type Error = Infallible;
}

impl SpiDevice for DisplayChain {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let mut shifted = Vec::new();
        for operation in operations {
            match operation {
                Operation::Write(words) => shifted.extend_from_slice(words),
                Operation::Transfer(_, words) => shifted.extend_from_slice(words),
                Operation::TransferInPlace(words) => shifted.extend_from_slice(words),
                Operation::Read(words) => shifted.extend(words.iter().map(|_| 0)),
                Operation::DelayNs(_) => {}
            }
        }
        self.shift_in(&shifted);
        Ok(())
    }
}

/// A lamp, or anything else that an output switches.
#[derive(Clone, Default)]
pub struct LampPin(Arc<Mutex<(bool, u32)>>);

impl LampPin {
    /// Whether it is lit.
    pub fn is_lit(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// How many times it was switched on.
    pub fn times_lit(&self) -> u32 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    fn set(&self, lit: bool) {
        let mut lamp = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lamp.1 += u32::from(lit && !lamp.0);
        lamp.0 = lit;
    }
}

impl digital::ErrorType for LampPin {
    type Error = Infallible;
}

impl OutputPin for LampPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.set(false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.set(true);
        Ok(())
    }
}
