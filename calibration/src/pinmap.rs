//! The wiring of a board, as `hardware/pinmap.toml` holds it, and everything that can be wrong with it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use xiangqi::{File, Rank};

use crate::{HeaderPin, Reserved, Variant};

/// The wiring of both variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinMap {
    /// Nineteen wires to the Pi.
    pub direct: DirectWiring,
    /// Shift registers on SPI.
    pub serial: SerialWiring,
}

/// The direct variant: a GPIO for every row and column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectWiring {
    /// Ten rows; row 0 is Red's home row.
    pub rows: Vec<HeaderPin>,
    /// Nine columns; column 0 is at Red's left hand.
    pub columns: Vec<HeaderPin>,
    /// How long a row is driven before the columns are read, in nanoseconds.
    pub settle_ns: u32,
    /// What else hangs on the header.
    pub panel: DirectPanel,
}

/// The panel of the direct variant, which has few pins left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectPanel {
    /// Red's clock button.
    pub press_red: HeaderPin,
    /// Black's clock button.
    pub press_black: HeaderPin,
    /// "I adjust" (article 5.6), for both sides.
    pub adjust: HeaderPin,
    /// Calls the arbiter.
    pub arbiter: HeaderPin,
    /// The SPI device of the displays, `SPI0.0` or `SPI0.1`.
    pub display_spi: String,
}

/// The serial variant: rows by two 74HC595, columns by two 74HC165.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SerialWiring {
    /// The SPI device of the registers, `SPI0.0` or `SPI0.1`.
    pub spi: String,
    /// SPI clock in hertz.
    pub clock_hz: u32,
    /// SH/LD of the column registers.
    pub load: HeaderPin,
    /// How long a row is driven before the columns are loaded, in nanoseconds.
    pub settle_ns: u32,
    /// What else hangs on the header.
    pub panel: SerialPanel,
}

/// The full panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // The field names are the labels on the panel.
pub struct SerialPanel {
    pub press_red: HeaderPin,
    pub press_black: HeaderPin,
    pub adjust_red: HeaderPin,
    pub adjust_black: HeaderPin,
    pub draw_red: HeaderPin,
    pub draw_black: HeaderPin,
    pub resign_red: HeaderPin,
    pub resign_black: HeaderPin,
    pub arbiter: HeaderPin,
    pub buzzer: HeaderPin,
    pub lamp_red: HeaderPin,
    pub lamp_black: HeaderPin,
    pub lamp_attention: HeaderPin,
    pub status_led: HeaderPin,
    pub display_spi: String,
}

/// One thing that is wrong with a wiring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WiringFlaw {
    /// The file is not TOML of the expected shape.
    Unreadable(String),
    /// The matrix does not have the number of wires that ninety points need.
    Count {
        /// `direct.rows` or `direct.columns`.
        what: &'static str,
        /// How many are given.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// Two things on one pin.
    Shared {
        /// The pin.
        pin: HeaderPin,
        /// What hangs on it.
        uses: Vec<String>,
    },
    /// A pin that cannot serve.
    Unfit {
        /// The pin.
        pin: HeaderPin,
        /// What hangs on it.
        use_: String,
        /// Why it cannot serve.
        why: Reserved,
    },
    /// An SPI device that the header does not have, or that two things share.
    Spi {
        /// Where it is named.
        what: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A value out of its range.
    Range {
        /// Where it is given.
        what: &'static str,
        /// What it must be.
        expected: &'static str,
    },
}

impl WiringFlaw {
    /// The line of that file on which it stands, from 1; for a pin with two uses the later one. What is unreadable says so
    /// itself.
    pub fn line(&self, file: &str) -> Option<usize> {
        let places = match self {
            WiringFlaw::Unreadable(_) => return None,
            WiringFlaw::Count { what, .. }
            | WiringFlaw::Spi { what, .. }
            | WiringFlaw::Range { what, .. } => {
                vec![*what]
            }
            WiringFlaw::Shared { uses, .. } => uses.iter().map(String::as_str).collect(),
            WiringFlaw::Unfit { use_, .. } => vec![use_.as_str()],
        };
        places.into_iter().filter_map(|place| line_of(place, file)).max()
    }
}

/// The line that gives the value at a path like `direct.rows[3]`.
fn line_of(path: &str, file: &str) -> Option<usize> {
    let path = path.split('[').next()?;
    let (section, key) = path.rsplit_once('.')?;
    let mut within = "";
    for (line, number) in file.lines().zip(1..) {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            within = header.split(']').next()?.trim();
        } else if within == section
            && line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
        {
            return Some(number);
        }
    }
    None
}

impl fmt::Display for WiringFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WiringFlaw::Unreadable(why) => f.write_str(why),
            WiringFlaw::Count { what, found, expected } => {
                write!(f, "{what} lists {found} pins; ninety points need {expected}")
            }
            WiringFlaw::Shared { pin, uses } => write!(f, "{pin} is used twice: {}", uses.join(" and ")),
            WiringFlaw::Unfit { pin, use_, why } => write!(f, "{use_}: {pin} {why}"),
            WiringFlaw::Spi { what, why } => write!(f, "{what}: {why}"),
            WiringFlaw::Range { what, expected } => write!(f, "{what}: expected {expected}"),
        }
    }
}

/// The pins that an SPI device takes: `reads` tells whether it needs MISO.
fn spi_pins(what: &'static str, device: &str, reads: bool) -> Result<Vec<(HeaderPin, String)>, WiringFlaw> {
    let select = match device {
        "SPI0.0" => 8,
        "SPI0.1" => 7,
        _ => {
            let why = format!("{device:?} is no SPI device of the header; expected \"SPI0.0\" or \"SPI0.1\"");
            return Err(WiringFlaw::Spi { what, why });
        }
    };
    let bus: &[u8] = if reads { &[10, 11, 9] } else { &[10, 11] };
    let bus = bus.iter().map(|pin| (HeaderPin(*pin), "SPI0".to_owned()));
    Ok(bus.chain([(HeaderPin(select), format!("{device} chip select"))]).collect())
}

/// Everything that is on pins in one variant.
struct Assignment {
    uses: Vec<(HeaderPin, String)>,
    flaws: Vec<WiringFlaw>,
}

impl Assignment {
    fn new(uses: Vec<(HeaderPin, String)>) -> Assignment {
        Assignment { uses, flaws: Vec::new() }
    }

    fn spi(&mut self, what: &'static str, device: &str, reads: bool) {
        match spi_pins(what, device, reads) {
            Ok(pins) => {
                for used in pins {
                    // Devices share the bus, but each has a chip select of its own.
                    if used.1 != "SPI0" || !self.uses.contains(&used) {
                        self.uses.push(used);
                    }
                }
            }
            Err(flaw) => self.flaws.push(flaw),
        }
    }

    /// The flaws found so far, pins that cannot serve, and pins with two uses.
    fn check(mut self) -> Vec<WiringFlaw> {
        let mut by_pin: BTreeMap<HeaderPin, Vec<String>> = BTreeMap::new();
        for (pin, use_) in self.uses {
            if let Some(why) = pin.reserved() {
                self.flaws.push(WiringFlaw::Unfit { pin, use_: use_.clone(), why });
            }
            by_pin.entry(pin).or_default().push(use_);
        }
        for (pin, uses) in by_pin.into_iter().filter(|(_, uses)| uses.len() > 1) {
            let spi = uses.iter().any(|use_| use_.starts_with("SPI0"));
            match uses.iter().find(|use_| !use_.starts_with("SPI0")) {
                Some(use_) if spi => {
                    self.flaws.push(WiringFlaw::Unfit { pin, use_: use_.clone(), why: Reserved::Spi0 });
                }
                _ => self.flaws.push(WiringFlaw::Shared { pin, uses }),
            }
        }
        self.flaws
    }
}

impl DirectWiring {
    /// Everything that is wrong with it.
    pub fn flaws(&self) -> Vec<WiringFlaw> {
        let panel = &self.panel;
        let named =
            |what: &'static str| move |(i, pin): (usize, &HeaderPin)| (*pin, format!("direct.{what}[{i}]"));
        let mut uses: Vec<(HeaderPin, String)> = self.rows.iter().enumerate().map(named("rows")).collect();
        uses.extend(self.columns.iter().enumerate().map(named("columns")));
        for (pin, label) in [
            (panel.press_red, "press_red"),
            (panel.press_black, "press_black"),
            (panel.adjust, "adjust"),
            (panel.arbiter, "arbiter"),
        ] {
            uses.push((pin, format!("direct.panel.{label}")));
        }
        let mut assignment = Assignment::new(uses);
        assignment.spi("direct.panel.display_spi", &panel.display_spi, false);
        let mut flaws = Vec::new();
        for (what, found, expected) in
            [("direct.rows", self.rows.len(), 10), ("direct.columns", self.columns.len(), 9)]
        {
            if found != expected {
                flaws.push(WiringFlaw::Count { what, found, expected });
            }
        }
        for (i, pin) in self.columns.iter().enumerate().filter(|(_, pin)| matches!(pin.0, 2 | 3)) {
            let use_ = format!("direct.columns[{i}]");
            flaws.push(WiringFlaw::Unfit { pin: *pin, use_, why: Reserved::HardPullUp });
        }
        if !(1_000..=90_000).contains(&self.settle_ns) {
            // Ten rows must fit into the millisecond of a scan.
            flaws.push(WiringFlaw::Range { what: "direct.settle_ns", expected: "1000 to 90000 nanoseconds" });
        }
        flaws.extend(assignment.check());
        flaws
    }
}

impl SerialWiring {
    /// Everything that is wrong with it.
    pub fn flaws(&self) -> Vec<WiringFlaw> {
        let panel = &self.panel;
        let uses = [
            (self.load, "load"),
            (panel.press_red, "panel.press_red"),
            (panel.press_black, "panel.press_black"),
            (panel.adjust_red, "panel.adjust_red"),
            (panel.adjust_black, "panel.adjust_black"),
            (panel.draw_red, "panel.draw_red"),
            (panel.draw_black, "panel.draw_black"),
            (panel.resign_red, "panel.resign_red"),
            (panel.resign_black, "panel.resign_black"),
            (panel.arbiter, "panel.arbiter"),
            (panel.buzzer, "panel.buzzer"),
            (panel.lamp_red, "panel.lamp_red"),
            (panel.lamp_black, "panel.lamp_black"),
            (panel.lamp_attention, "panel.lamp_attention"),
            (panel.status_led, "panel.status_led"),
        ];
        let mut assignment =
            Assignment::new(uses.into_iter().map(|(pin, label)| (pin, format!("serial.{label}"))).collect());
        assignment.spi("serial.spi", &self.spi, true);
        assignment.spi("serial.panel.display_spi", &panel.display_spi, false);
        if !(100_000..=20_000_000).contains(&self.clock_hz) {
            let expected = "100000 to 20000000 hertz, what 74HC registers can follow at 3.3 V";
            assignment.flaws.push(WiringFlaw::Range { what: "serial.clock_hz", expected });
        }
        if self.settle_ns > 80_000 {
            let expected = "at most 80000 nanoseconds, so that ten rows fit into a millisecond";
            assignment.flaws.push(WiringFlaw::Range { what: "serial.settle_ns", expected });
        }
        assignment.check()
    }
}

fn at_header(pin: HeaderPin) -> String {
    pin.physical().map_or_else(|| pin.to_string(), |physical| format!("{pin}, header pin {physical}"))
}

/// Outputs and inputs of registers are lettered from A.
fn letter(before: &str, at: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(at).unwrap_or(0));
    format!("{before}{letter}")
}

impl PinMap {
    /// Reads and checks a wiring; the error lists everything that is wrong with it.
    pub fn from_toml(text: &str) -> Result<PinMap, Vec<WiringFlaw>> {
        let map: PinMap = toml::from_str(text)
            .map_err(|e| vec![WiringFlaw::Unreadable(e.to_string().trim_end().to_owned())])?;
        let flaws: Vec<WiringFlaw> = map.direct.flaws().into_iter().chain(map.serial.flaws()).collect();
        if flaws.is_empty() { Ok(map) } else { Err(flaws) }
    }

    /// What to look for when a row is to be measured: the wire's number, and where it ends.
    pub fn row_wire(&self, variant: Variant, rank: Rank) -> String {
        let row = rank.index();
        match (variant, self.direct.rows.get(row)) {
            (Variant::Direct, Some(pin)) => format!("row wire {row} ({})", at_header(*pin)),
            // The last bit that is shifted in stays in the first output of the first register.
            _ => format!("row wire {row} (74HC595 U{}, output {})", 1 + row / 8, letter("Q", row % 8)),
        }
    }

    /// The same for a column.
    pub fn column_wire(&self, variant: Variant, file: File) -> String {
        let column = file.index();
        match (variant, self.direct.columns.get(column)) {
            (Variant::Direct, Some(pin)) => format!("column wire {column} ({})", at_header(*pin)),
            // The register that MISO reads comes first, with the high byte.
            _ => {
                format!(
                    "column wire {column} (74HC165 U{}, input {})",
                    4 - column / 8,
                    letter("", column % 8)
                )
            }
        }
    }

    /// The wiring that this repository's hardware has.
    pub fn shipped() -> PinMap {
        PinMap::from_toml(include_str!("../../hardware/pinmap.toml")).expect("a test reads it")
    }
}
