//! Two eight-digit displays of seven segments, each behind a MAX7219, in one chain on SPI.
//!
//! A display forgets what it was told when a static discharge hits it, so every register is written again every few
//! seconds, settings included. A scan writes one register at most: 32 bits, and the next scan is not late for it.

use embedded_hal::spi::SpiDevice;
use max7219::MAX7219;
use max7219::connectors::SpiConnector;
use sense::Uptime;
use xiangqi::{ByColor, Color};

use crate::panel::{Half, Panel};

/// What one display shows: its segments, leftmost digit first. Bit 7 is the decimal point, bits 6 to 0 are segments A to G.
pub type Cells = [u8; 8];

/// The decimal point of a digit.
pub const POINT: u8 = 0b1000_0000;
/// How often everything is written again, in microseconds.
const REFRESH_US: u64 = 5_000_000;
/// How long a bus that failed is left alone, in microseconds.
const RETRY_US: u64 = 1_000_000;
/// How long the score and the time are shown in turn, in microseconds.
const TURN_US: u64 = 2_000_000;

/// The settings of a display, by register: no decoding, half intensity, eight digits, no test, switched on.
const SETTINGS: [(u8, u8); 5] = [(0x09, 0), (0x0a, 7), (0x0b, 7), (0x0f, 0), (0x0c, 1)];
/// Registers of one display: its settings and its digits.
const REGISTERS: usize = SETTINGS.len() + 8;
const EVERY_REGISTER: u32 = (1 << (2 * REGISTERS)) - 1;

/// The segments of a character, if seven segments can show it.
pub fn segments(character: char) -> Option<u8> {
    Some(match character.to_ascii_lowercase() {
        ' ' => 0,
        '-' => 0b000_0001,
        '0' | 'o' => 0b111_1110,
        '1' | 'i' => 0b011_0000,
        '2' => 0b110_1101,
        '3' => 0b111_1001,
        '4' => 0b011_0011,
        '5' => 0b101_1011,
        '6' => 0b101_1111,
        '7' => 0b111_0000,
        '8' => 0b111_1111,
        '9' => 0b111_1011,
        'a' => 0b111_0111,
        'b' => 0b001_1111,
        'c' => 0b100_1110,
        'd' => 0b011_1101,
        'e' => 0b100_1111,
        'f' => 0b100_0111,
        'g' => 0b101_1110,
        'h' => 0b011_0111,
        'p' => 0b110_0111,
        _ => return None,
    })
}

/// A text at the right end of a display; points and colons take no digit of their own. What does not fit is cut off on
/// the left, and what seven segments cannot show is left dark.
pub fn right_aligned(text: &str) -> Cells {
    let mut cells = [0; 8];
    let mut at = cells.len();
    let mut point = 0;
    for character in text.chars().rev() {
        if matches!(character, '.' | ':') {
            point = POINT;
            continue;
        }
        let Some(next) = at.checked_sub(1) else { break };
        at = next;
        cells[at] = segments(character).unwrap_or(0) | std::mem::take(&mut point);
    }
    cells
}

/// What a half's display shows: fouls in the first digit, with its point as the lamp; moves to go or periods in the next
/// two; the time at the right. `lit` tells whether the lamp is lit at this moment.
pub fn face(half: &Half, lit: bool) -> Cells {
    let mut cells = right_aligned(&half.time);
    let beside = match (half.moves_to_go, half.periods) {
        (Some(moves @ 1..=99), _) => format!("{moves:2}"),
        (_, Some(periods @ 1..=9)) => format!("P{periods}"),
        _ => String::new(),
    };
    for (cell, character) in cells[1..3].iter_mut().zip(beside.chars()) {
        // Where a long time needs the digit, the time is what matters.
        if *cell == 0 {
            *cell = segments(character).unwrap_or(0);
        }
    }
    if half.fouls > 0 {
        let digit = char::from_digit(half.fouls.min(9), 10).unwrap_or('9');
        cells[0] = segments(digit).unwrap_or(0);
    }
    if lit {
        cells[0] |= POINT;
    }
    cells
}

/// What both displays show at `now`; `lit` tells for each side whether its lamp is lit. With a result, time and score take
/// turns.
pub fn faces(panel: &Panel, now: Uptime, lit: &ByColor<bool>) -> ByColor<Cells> {
    let score = panel.result.as_ref().filter(|_| now.as_us() / TURN_US % 2 == 1);
    ByColor::new_with(|side| match score {
        Some((score, _)) => right_aligned(&score.replace("1/2", "0.5")),
        None => face(&panel.halves[side], lit[side]),
    })
}

/// The pair of displays: Red's is the first in the chain, Black's the second.
pub struct Displays<S: SpiDevice> {
    driver: MAX7219<SpiConnector<S>>,
    /// What each display shall show.
    wanted: ByColor<Cells>,
    /// Which registers are to be written: Red's settings, Red's digits, Black's settings, Black's digits.
    due: u32,
    refresh_at: Uptime,
    retry_at: Option<Uptime>,
}

impl<S: SpiDevice> Displays<S> {
    /// The displays on that device, which runs at 10 MHz at most, in mode 0. They are dark until [`tick`](Self::tick) has
    /// switched them on.
    pub fn new(spi: S) -> Result<Self, max7219::DataError> {
        let driver = MAX7219::from_spi(2, spi)?;
        let wanted = ByColor::new_with(|_| right_aligned("----"));
        Ok(Displays { driver, wanted, due: EVERY_REGISTER, refresh_at: Uptime::ZERO, retry_at: None })
    }

    /// Sets what the displays shall show.
    pub fn want(&mut self, cells: ByColor<Cells>) {
        for side in Color::ALL {
            for digit in 0..8 {
                if self.wanted[side][digit] != cells[side][digit] {
                    self.due |= 1 << (side.index() * REGISTERS + SETTINGS.len() + digit);
                }
            }
        }
        self.wanted = cells;
    }

    /// Writes one register that is due, if there is one. A bus that fails is left alone for a second.
    pub fn tick(&mut self, now: Uptime) {
        if self.retry_at.is_some_and(|at| now < at) {
            return;
        }
        if now >= self.refresh_at {
            self.refresh_at = now.plus_us(REFRESH_US);
            self.due = EVERY_REGISTER;
        }
        if self.due == 0 {
            return;
        }
        let which = self.due.trailing_zeros() as usize;
        let side = Color::ALL[which / REGISTERS];
        let (register, value) = match which % REGISTERS {
            setting if setting < SETTINGS.len() => SETTINGS[setting],
            digit => {
                let digit = digit - SETTINGS.len();
                // The modules wire digit 7 of the chip to the leftmost place.
                (8 - digit as u8, self.wanted[side][digit])
            }
        };
        // What is shifted out first ends up in the display farthest away, which is Black's.
        let address = usize::from(side == Color::Red);
        match self.driver.write_raw_byte(address, register, value) {
            Ok(()) => {
                self.due &= self.due - 1;
                if self.retry_at.take().is_some() {
                    tracing::warn!("the displays can be written again");
                    self.due = EVERY_REGISTER;
                }
            }
            Err(error) => {
                if self.retry_at.is_none() {
                    tracing::error!(?error, "the displays cannot be written; the board plays on without");
                }
                self.retry_at = Some(now.plus_us(RETRY_US));
            }
        }
    }

    /// Whether the last write failed.
    pub const fn is_failing(&self) -> bool {
        self.retry_at.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(cells: Cells) -> String {
        const KNOWN: &str = " -0123456789abcdefghp";
        let mut text = String::new();
        for cell in cells {
            let known = KNOWN.chars().find(|c| segments(*c) == Some(cell & !POINT));
            text.push(known.unwrap_or('?'));
            if cell & POINT != 0 {
                text.push('.');
            }
        }
        text
    }

    #[test]
    fn a_time_stands_at_the_right_with_points_for_colons() {
        let check = |text: &str, cells: &str| assert_eq!(shown(right_aligned(text)), cells, "{text}");
        check("1:29:59", "   1.29.59");
        check("0:09.9", "    0.09.9");
        check("99:59:59", "  99.59.59");
        check("", "        ");
        check("----", "    ----");
        check("123456789", "23456789");
        check("0.5-0.5", "   0.5-0.5");
    }

    #[test]
    fn a_face_has_fouls_lamp_moves_to_go_and_time() {
        let half = Half { time: "29:59".to_owned(), fouls: 2, moves_to_go: Some(7), ..Half::default() };
        assert_eq!(shown(face(&half, false)), "2 7 29.59");
        assert_eq!(shown(face(&half, true)), "2. 7 29.59");
        let half = Half { time: "0:20".to_owned(), periods: Some(3), ..Half::default() };
        assert_eq!(shown(face(&half, true)), " .p3  0.20");
    }

    #[test]
    fn a_result_takes_turns_with_the_time() {
        let result = Some(("1/2-1/2".to_owned(), "agreement".to_owned()));
        let panel = Panel { result, ..Panel::default() };
        let dark = ByColor::new_with(|_| false);
        let at = |ms| shown(faces(&panel, Uptime::from_ms(ms), &dark).red);
        assert_eq!((at(1_000).as_str(), at(3_000).as_str()), ("        ", "   0.5-0.5"));
    }
}
