//! The wires of a board between the twin and the real pin code: the Rust side of `preload.c`.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use calibration::{HeaderPin, PinMap, Variant};
use sense::Uptime;
use trace::Sensed;
use twin::Played;
use xiangqi::{Bitboard, Color, Rank};

/// The words of `struct wires`, by their offsets in the file.
mod word {
    pub const REEDS: u64 = 0;
    pub const GROUNDED: u64 = 10;
    pub const SERIAL: u64 = 11;
    pub const ROW_PIN: u64 = 12;
    pub const COLUMN_PIN: u64 = 22;
    pub const LOAD_PIN: u64 = 31;
    pub const CHAIN_SELECT: u64 = 32;
    pub const DISPLAY_SELECT: u64 = 33;
    pub const CHAIN_FAILS: u64 = 34;
    pub const LATCH: u64 = 35;
    pub const OUTPUTS: u64 = 36;
    pub const SCANS: u64 = 37;
    pub const DISPLAY: u64 = 38;
    pub const COUNT: u64 = 70;
}

/// How long a finger holds a button down.
const HELD: Duration = Duration::from_millis(80);

/// The wires of one board.
pub struct Wires {
    file: File,
    pub path: PathBuf,
    map: PinMap,
    variant: Variant,
}

impl Wires {
    pub fn new(folder: &Path, map: PinMap, variant: Variant) -> Wires {
        let path = folder.join("wires");
        let file =
            File::options().read(true).write(true).create_new(true).open(&path).expect("a writable folder");
        file.set_len(word::COUNT * 4).expect("room");
        let wires = Wires { file, path, map, variant };
        let select = |spi: &str| u32::from(spi == "SPI0.1");
        let (direct, serial) = (&wires.map.direct, &wires.map.serial);
        for (at, pin) in (word::ROW_PIN..).zip(&direct.rows) {
            wires.write(at, pin.0.into());
        }
        for (at, pin) in (word::COLUMN_PIN..).zip(&direct.columns) {
            wires.write(at, pin.0.into());
        }
        wires.write(word::LOAD_PIN, serial.load.0.into());
        wires.write(word::CHAIN_SELECT, select(&serial.spi));
        let display = match variant {
            Variant::Direct => &direct.panel.display_spi,
            Variant::Serial => &serial.panel.display_spi,
        };
        wires.write(word::DISPLAY_SELECT, select(display));
        wires.write(word::SERIAL, u32::from(variant == Variant::Serial));
        wires
    }

    fn write(&self, word: u64, value: u32) {
        self.file.write_all_at(&value.to_ne_bytes(), word * 4).expect("a file that was made");
    }

    fn read(&self, word: u64) -> u32 {
        let mut bytes = [0; 4];
        self.file.read_exact_at(&mut bytes, word * 4).expect("a file that was made");
        u32::from_ne_bytes(bytes)
    }

    pub fn close(&self, closed: Bitboard) {
        for row in Rank::ALL {
            let columns = (closed.bits() >> (row.index() * 9)) as u32 & 0x1ff;
            self.write(word::REEDS + row.index() as u64, columns);
        }
    }

    pub fn chain_fails(&self, fails: bool) {
        self.write(word::CHAIN_FAILS, fails.into());
    }

    /// How often the first row was driven.
    pub fn scans(&self) -> u32 {
        self.read(word::SCANS)
    }

    pub fn is_high(&self, pin: HeaderPin) -> bool {
        self.read(word::LATCH) >> pin.0 & 1 != 0
    }

    /// The pins that are outputs.
    pub fn outputs(&self) -> Vec<HeaderPin> {
        let outputs = self.read(word::OUTPUTS);
        (0..28).filter(|pin| outputs >> pin & 1 != 0).map(HeaderPin).collect()
    }

    /// The digits that a side's display was told, leftmost first; dark while it is switched off.
    pub fn digits(&self, side: Color) -> [u8; 8] {
        let registers = word::DISPLAY + 16 * side.index() as u64;
        let on = self.read(registers + 0x0c) == 1;
        std::array::from_fn(|digit| if on { self.read(registers + 8 - digit as u64) as u8 } else { 0 })
    }

    fn button(&self, side: Color) -> HeaderPin {
        match (self.variant, side) {
            (Variant::Direct, Color::Red) => self.map.direct.panel.press_red,
            (Variant::Direct, Color::Black) => self.map.direct.panel.press_black,
            (Variant::Serial, Color::Red) => self.map.serial.panel.press_red,
            (Variant::Serial, Color::Black) => self.map.serial.panel.press_black,
        }
    }

    /// Plays the game on the wires, as long as it takes; `each` is called at every change.
    pub fn perform(&self, played: &Played, mut each: impl FnMut()) {
        let began = Instant::now();
        let mut closed = played.timeline.start();
        self.close(closed);
        let mut events: Vec<(Uptime, Event)> = played
            .timeline
            .changes()
            .iter()
            .map(|(at, square, level)| (*at, Event::Reed(*square, *level)))
            .collect();
        for observation in &played.observations {
            if let Sensed::Press(side) = observation.sensed {
                events.push((observation.at, Event::Button(side, true)));
                events.push((observation.at.plus_us(HELD.as_micros() as u64), Event::Button(side, false)));
            }
        }
        events.sort_by_key(|(at, _)| *at);
        let mut grounded = 0;
        for (at, event) in events {
            thread::sleep(Duration::from_micros(at.as_us()).saturating_sub(began.elapsed()));
            match event {
                Event::Reed(square, true) => closed.insert(square),
                Event::Reed(square, false) => closed.remove(square),
                Event::Button(side, down) => {
                    let bit = 1 << self.button(side).0;
                    if down { grounded |= bit } else { grounded &= !bit }
                }
            }
            self.write(word::GROUNDED, grounded);
            self.close(closed);
            each();
        }
    }
}

enum Event {
    Reed(xiangqi::Square, bool),
    Button(Color, bool),
}

/// The library that stands in for the Pi, or `None` with a printed line where it cannot be built.
pub fn preload(folder: &Path) -> Option<PathBuf> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        println!("skipped: the preload library is for x86-64 Linux");
        return None;
    }
    let library = folder.join("preload.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pins/preload.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
    let built = compiler.status().is_ok_and(|status| status.success());
    assert!(built, "cc, which cargo links with, builds the preload library");
    Some(library)
}
