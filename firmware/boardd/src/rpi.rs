//! The pins of a Raspberry Pi: the only file that constructs them.

use std::fmt;
use std::time::{Duration, Instant};

use calibration::{BoardProfile, DirectWiring, PinMap, SerialWiring, Variant};
use embedded_hal::delay::DelayNs;
use referee::GameHeader;
use rppal::gpio::{Gpio, InputPin, OutputPin};
use rppal::spi::{Bus, Mode, SimpleHalSpiDevice, SlaveSelect, Spi};
use sense::{Matrix, ReedMatrix, SerialMatrix};
use trace::Button;
use xiangqi::Color;

use crate::button::{Buttons, Label};
use crate::scan::{Clock, ScannedBoard};

/// A pin or bus that cannot be had.
#[derive(Debug)]
pub struct PinError {
    what: String,
    why: String,
}

impl fmt::Display for PinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}

impl std::error::Error for PinError {}

fn about<E: fmt::Display>(what: impl fmt::Display) -> impl FnOnce(E) -> PinError {
    move |error| PinError { what: what.to_string(), why: error.to_string() }
}

/// The reeds of this board, wired either way.
pub enum Reeds {
    /// Nineteen GPIOs.
    Direct(Box<Matrix<OutputPin, InputPin, Spin>>),
    /// Shift registers.
    Serial(Box<SerialMatrix<SimpleHalSpiDevice, OutputPin, Spin>>),
}

impl ReedMatrix for Reeds {
    type Error = String;

    fn scan(&mut self) -> Result<sense::Frame, String> {
        match self {
            Reeds::Direct(matrix) => matrix.scan().map_err(|e| format!("{e:?}")),
            Reeds::Serial(matrix) => matrix.scan().map_err(|e| format!("{e:?}")),
        }
    }
}

/// The board that is wired to this Pi.
pub fn board(
    profile: &BoardProfile,
    map: &PinMap,
    header: GameHeader,
) -> Result<ScannedBoard<Reeds, InputPin, Monotonic>, PinError> {
    let gpio = Gpio::new().map_err(about("GPIO"))?;
    let reeds = match profile.variant {
        Variant::Direct => direct(&gpio, &map.direct, profile)?,
        Variant::Serial => serial(&gpio, &map.serial, profile)?,
    };
    let buttons = Buttons::new(buttons(&gpio, profile.variant, map)?);
    Ok(ScannedBoard::new(reeds, buttons, Monotonic::default(), profile.masked(), header))
}

fn direct(gpio: &Gpio, wiring: &DirectWiring, profile: &BoardProfile) -> Result<Reeds, PinError> {
    let mut rows = Vec::new();
    for pin in &wiring.rows {
        rows.push(gpio.get(pin.0).map_err(about(pin))?.into_output_low());
    }
    let mut columns = Vec::new();
    for pin in &wiring.columns {
        columns.push(gpio.get(pin.0).map_err(about(pin))?.into_input_pulldown());
    }
    let (Ok(rows), Ok(columns)) = (rows.try_into(), columns.try_into()) else {
        return Err(PinError {
            what: "pin map".to_owned(),
            why: "expected ten rows and nine columns".to_owned(),
        });
    };
    let matrix = Matrix::new(rows, columns, Spin, wiring.settle_ns, profile.orientation());
    Ok(Reeds::Direct(Box::new(matrix)))
}

fn serial(gpio: &Gpio, wiring: &SerialWiring, profile: &BoardProfile) -> Result<Reeds, PinError> {
    let select = if wiring.spi == "SPI0.1" { SlaveSelect::Ss1 } else { SlaveSelect::Ss0 };
    let spi = Spi::new(Bus::Spi0, select, wiring.clock_hz, Mode::Mode0).map_err(about(&wiring.spi))?;
    let load = gpio.get(wiring.load.0).map_err(about(wiring.load))?.into_output_high();
    let chain = SimpleHalSpiDevice::new(spi);
    let matrix = SerialMatrix::new(chain, load, Spin, wiring.settle_ns, profile.orientation());
    Ok(Reeds::Serial(Box::new(matrix)))
}

fn buttons(gpio: &Gpio, variant: Variant, map: &PinMap) -> Result<Vec<(Label, InputPin)>, PinError> {
    let of = |button, side| Label::Panel(button, Some(side));
    let labels = match variant {
        Variant::Direct => {
            let panel = &map.direct.panel;
            vec![
                (Label::Press(Color::Red), panel.press_red),
                (Label::Press(Color::Black), panel.press_black),
                (Label::Panel(Button::Adjust, None), panel.adjust),
                (Label::Panel(Button::Arbiter, None), panel.arbiter),
            ]
        }
        Variant::Serial => {
            let panel = &map.serial.panel;
            vec![
                (Label::Press(Color::Red), panel.press_red),
                (Label::Press(Color::Black), panel.press_black),
                (of(Button::Adjust, Color::Red), panel.adjust_red),
                (of(Button::Adjust, Color::Black), panel.adjust_black),
                (of(Button::Draw, Color::Red), panel.draw_red),
                (of(Button::Draw, Color::Black), panel.draw_black),
                (of(Button::Resign, Color::Red), panel.resign_red),
                (of(Button::Resign, Color::Black), panel.resign_black),
                (Label::Panel(Button::Arbiter, None), panel.arbiter),
            ]
        }
    };
    let pin = |(label, pin): (Label, calibration::HeaderPin)| {
        let input = gpio.get(pin.0).map_err(about(pin))?.into_input_pullup();
        Ok((label, input))
    };
    labels.into_iter().map(pin).collect()
}

/// The Pi's monotonic clock.
pub struct Monotonic(Instant);

impl Default for Monotonic {
    fn default() -> Monotonic {
        Monotonic(Instant::now())
    }
}

impl Clock for Monotonic {
    fn now_us(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn wait_until_us(&mut self, at: u64) {
        std::thread::sleep(Duration::from_micros(at.saturating_sub(self.now_us())));
    }
}

/// Waits for microseconds without giving the processor away: a sleep would last ten times as long.
pub struct Spin;

impl DelayNs for Spin {
    fn delay_ns(&mut self, ns: u32) {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_nanos(u64::from(ns)) {
            std::hint::spin_loop();
        }
    }
}
