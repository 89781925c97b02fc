//! The pins of a Raspberry Pi: the only file that constructs them.

use std::fmt;
use std::time::{Duration, Instant};

use calibration::{BoardProfile, DirectWiring, HeaderPin, PinMap, SerialWiring, Variant};
use embedded_hal::delay::DelayNs;
use embedded_hal::spi::{ErrorType, Operation, SpiDevice};
use referee::GameHeader;
use rppal::gpio::{Gpio, InputPin, OutputPin};
use rppal::spi::{Bus, Mode, Segment, SlaveSelect, Spi};
use sense::{Matrix, ReedMatrix, SerialMatrix};
use trace::Button as Says;
use xiangqi::{ByColor, Color};

use crate::button::{Buttons, Label};
use crate::display::Displays;
use crate::front::{FrontPanel, Lights, Output};
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
    Serial(Box<SerialMatrix<Chip, OutputPin, Spin>>),
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

/// A button of a board that is wired to this Pi.
pub type Button = InputPin;

/// What people see of a board that is wired to this Pi.
pub type PiFront = FrontPanel<Chip, OutputPin>;

/// The displays' clock in hertz; the chip takes ten times that, the cable to the front does not.
const DISPLAY_HZ: u32 = 1_000_000;

/// The board that is wired to this Pi.
pub fn board(
    profile: &BoardProfile,
    map: &PinMap,
    header: GameHeader,
) -> Result<ScannedBoard<Reeds, InputPin, Monotonic, PiFront>, PinError> {
    let gpio = gpio()?;
    let reeds = matrix(&gpio, profile, map)?;
    let buttons = Buttons::new(buttons(&gpio, profile.variant, map)?);
    let front = front(&gpio, profile.variant, map)?;
    let board = ScannedBoard::fitted(reeds, buttons, front, Monotonic::default(), profile.masked(), header);
    Ok(board.every(profile.scan_us()))
}

/// The reeds alone, for checks of the wiring.
pub fn reeds(profile: &BoardProfile, map: &PinMap) -> Result<Reeds, PinError> {
    matrix(&gpio()?, profile, map)
}

/// The Pi's GPIOs; elsewhere there are none.
fn gpio() -> Result<Gpio, PinError> {
    Gpio::new().map_err(|error| match error {
        rppal::gpio::Error::UnknownModel => PinError {
            what: "GPIO".to_owned(),
            why: "this is no Raspberry Pi that rppal knows; expected one, or --simulated".to_owned(),
        },
        error => about("GPIO")(error),
    })
}

fn matrix(gpio: &Gpio, profile: &BoardProfile, map: &PinMap) -> Result<Reeds, PinError> {
    match profile.variant {
        Variant::Direct => direct(gpio, &map.direct, profile),
        Variant::Serial => serial(gpio, &map.serial, profile),
    }
}

/// Displays that cannot be had leave a board that plays; lamps share the chip with everything else.
fn front(gpio: &Gpio, variant: Variant, map: &PinMap) -> Result<PiFront, PinError> {
    let (device, lights) = match variant {
        Variant::Direct => (&map.direct.panel.display_spi, None),
        Variant::Serial => {
            let panel = &map.serial.panel;
            let output = |pin: HeaderPin| {
                let pin = gpio.get(pin.0).map_err(about(pin))?.into_output_low();
                Ok::<_, PinError>(Output::new(pin))
            };
            let lamps = ByColor { red: output(panel.lamp_red)?, black: output(panel.lamp_black)? };
            let (attention, buzzer) = (output(panel.lamp_attention)?, output(panel.buzzer)?);
            let status = output(panel.status_led)?;
            (&panel.display_spi, Some(Lights { lamps, attention, buzzer, status }))
        }
    };
    let displays = spi(device, DISPLAY_HZ).and_then(|spi| {
        Displays::new(Chip(spi))
            .map_err(|e| PinError { what: device.clone(), why: format!("displays: {e:?}") })
    });
    let displays = displays.map_err(|error| tracing::error!(%error, "the board plays without displays"));
    Ok(FrontPanel::new(displays.ok(), lights))
}

fn spi(device: &str, clock_hz: u32) -> Result<Spi, PinError> {
    let select = if device == "SPI0.1" { SlaveSelect::Ss1 } else { SlaveSelect::Ss0 };
    Spi::new(Bus::Spi0, select, clock_hz, Mode::Mode0).map_err(about(device))
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
    let spi = spi(&wiring.spi, wiring.clock_hz)?;
    let load = gpio.get(wiring.load.0).map_err(about(wiring.load))?.into_output_high();
    let matrix = SerialMatrix::new(Chip(spi), load, Spin, wiring.settle_ns, profile.orientation());
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
                (Label::Panel(Says::Adjust, None), panel.adjust),
                (Label::Panel(Says::Arbiter, None), panel.arbiter),
            ]
        }
        Variant::Serial => {
            let panel = &map.serial.panel;
            vec![
                (Label::Press(Color::Red), panel.press_red),
                (Label::Press(Color::Black), panel.press_black),
                (of(Says::Adjust, Color::Red), panel.adjust_red),
                (of(Says::Adjust, Color::Black), panel.adjust_black),
                (of(Says::Draw, Color::Red), panel.draw_red),
                (of(Says::Draw, Color::Black), panel.draw_black),
                (of(Says::Resign, Color::Red), panel.resign_red),
                (of(Says::Resign, Color::Black), panel.resign_black),
                (Label::Panel(Says::Arbiter, None), panel.arbiter),
            ]
        }
    };
    let pin = |(label, pin): (Label, HeaderPin)| {
        let input = gpio.get(pin.0).map_err(about(pin))?.into_input_pullup();
        Ok((label, input))
    };
    labels.into_iter().map(pin).collect()
}

/// A chip on the bus with a select line that the kernel drives.
///
/// rppal has such a type of its own. Its transfers in place send nothing, and each asks the kernel twice for what it has
/// been told before; ten rows a millisecond cannot afford that.
pub struct Chip(Spi);

impl ErrorType for Chip {
    type Error = rppal::spi::Error;
}

impl SpiDevice for Chip {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Self::Error> {
        let sent: Vec<Vec<u8>> = operations
            .iter()
            .map(|operation| match operation {
                Operation::TransferInPlace(words) => words.to_vec(),
                _ => Vec::new(),
            })
            .collect();
        let mut segments = Vec::with_capacity(operations.len());
        for (operation, sent) in operations.iter_mut().zip(&sent) {
            segments.push(match operation {
                Operation::Read(words) => Segment::with_read(words),
                Operation::Write(words) => Segment::with_write(words),
                Operation::Transfer(read, write) => Segment::new(read, write),
                Operation::TransferInPlace(words) => Segment::new(words, sent),
                Operation::DelayNs(ns) => {
                    let us = u16::try_from(ns.div_ceil(1_000)).unwrap_or(u16::MAX);
                    Segment::with_settings(None, None, 0, us, 0, false)
                }
            });
        }
        self.0.transfer_segments(&segments)
    }
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
