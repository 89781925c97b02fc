//! The Raspberry Pi's 40-pin header.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A GPIO of the header by its BCM number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HeaderPin(pub u8);

/// Why a pin of the header cannot serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// The header carries GPIO 0–27 only.
    NotOnHeader,
    /// GPIO 0 and 1 belong to the HAT EEPROM.
    Eeprom,
    /// SPI0 needs GPIO 10 (MOSI), 11 (SCLK), and 9 (MISO) where something is read; 8 and 7 are its chip selects.
    Spi0,
    /// GPIO 2 and 3 have pull-ups of 1.8 kΩ on the board, which no pull-down can overcome.
    HardPullUp,
}

impl HeaderPin {
    /// The number of the pin on the 40-pin header, from 1.
    pub fn physical(self) -> Option<u8> {
        const PINS: [u8; 28] = [
            27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18,
            22, 37, 13,
        ];
        PINS.get(usize::from(self.0)).copied()
    }

    /// Whether no design may use the pin freely.
    pub fn reserved(self) -> Option<Reserved> {
        match self.0 {
            0 | 1 => Some(Reserved::Eeprom),
            28.. => Some(Reserved::NotOnHeader),
            _ => None,
        }
    }
}

impl fmt::Display for HeaderPin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GPIO {}", self.0)
    }
}

impl fmt::Display for Reserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reserved::NotOnHeader => "is not on the header, which carries GPIO 0 to 27",
            Reserved::Eeprom => "belongs to the HAT EEPROM",
            Reserved::Spi0 => "is needed by SPI0",
            Reserved::HardPullUp => "has a 1.8 kΩ pull-up on the Pi, so it cannot read a column",
        })
    }
}
