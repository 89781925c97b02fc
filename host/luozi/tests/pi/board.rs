//! What is wired to the pins of the emulated Pi: a row that is driven raises the columns whose reeds are closed.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use calibration::{HeaderPin, PinMap};
use trace::Sensed;
use twin::Played;
use xiangqi::{Bitboard, Color, Rank};

/// How long a finger holds a button down.
const HELD_US: u64 = 200_000;
/// Hands wait for the machine when it takes longer for a scan.
const SLOWEST_SCAN_US: u64 = 10_000;
const LONGEST_GAME: Duration = Duration::from_secs(900);
/// The registers of the pins: set, clear.
const GPSET0: u64 = 0x3f20_001c;
const GPCLR0: u64 = 0x3f20_0028;

fn bit(pin: HeaderPin) -> u32 {
    1 << pin.0
}

/// Reeds and buttons, as hands have them at this moment.
pub struct Board {
    map: PinMap,
    /// For each row the columns whose reeds are closed, as bits of the pins.
    rows: [AtomicU32; 10],
    /// The clock buttons that are not held down, as bits of the pins.
    up: AtomicU32,
    scans: AtomicU32,
}

impl Board {
    pub fn new(map: PinMap, closed: Bitboard) -> Board {
        let up = bit(map.direct.panel.press_red) | bit(map.direct.panel.press_black);
        let board = Board { map, rows: Default::default(), up: AtomicU32::new(up), scans: AtomicU32::new(0) };
        board.close(closed);
        board
    }

    fn close(&self, closed: Bitboard) {
        for rank in Rank::ALL {
            let columns = closed.bits() >> (rank.index() * 9);
            let pins = self.map.direct.columns.iter().enumerate();
            let high = pins.filter(|(column, _)| columns >> column & 1 != 0).map(|(_, pin)| bit(*pin));
            self.rows[rank.index()].store(high.sum(), Ordering::Relaxed);
        }
    }

    /// How often the first row was driven.
    pub fn scans(&self) -> u32 {
        self.scans.load(Ordering::Relaxed)
    }

    /// The levels of all inputs with those outputs driven: the bits that are inputs, and which of them are high.
    fn levels(&self, driven: u32) -> (u32, u32) {
        let panel = &self.map.direct.panel;
        let others = bit(panel.adjust) | bit(panel.arbiter);
        let presses = bit(panel.press_red) | bit(panel.press_black);
        let inputs: u32 = self.map.direct.columns.iter().copied().map(bit).sum::<u32>() | presses | others;
        let mut high = others | self.up.load(Ordering::Relaxed);
        for (pin, columns) in self.map.direct.rows.iter().zip(&self.rows) {
            if driven & bit(*pin) != 0 {
                high |= columns.load(Ordering::Relaxed);
            }
        }
        (inputs, high)
    }

    /// Answers every pin that is driven until the machine is gone. `waiting` is where the processor waits, `qtest` where the
    /// levels of pins are set.
    pub fn answer(&self, mut waiting: UnixStream, mut qtest: UnixStream) -> std::io::Result<()> {
        let mut done = BufReader::new(qtest.try_clone()?);
        let (mut driven, mut said) = (0, String::new());
        let mut message = [0; 12];
        while waiting.read_exact(&mut message).is_ok() {
            let register = u64::from_ne_bytes(message[..8].try_into().expect("eight bytes"));
            let pins = u32::from_ne_bytes(message[8..].try_into().expect("four bytes"));
            if register == GPCLR0 {
                driven &= !pins;
            } else {
                driven |= pins;
                let first = self.map.direct.rows[0];
                self.scans.fetch_add(u32::from(pins & bit(first) != 0), Ordering::Relaxed);
                let (inputs, high) = self.levels(driven);
                write!(qtest, "writel {GPCLR0:#x} {:#x}\nwritel {GPSET0:#x} {high:#x}\n", inputs & !high)?;
                for _ in 0..2 {
                    said.clear();
                    done.read_line(&mut said)?;
                    assert!(said.starts_with("OK"), "qemu sets pins: {said}");
                }
            }
            waiting.write_all(&[1])?;
        }
        Ok(())
    }

    /// Plays the game on the wires. Hands are no quicker than the machine reads: one that has no time to run misses nothing.
    pub fn perform(&self, played: &Played) {
        let buttons = [self.map.direct.panel.press_red, self.map.direct.panel.press_black].map(bit);
        let mut closed = played.timeline.start();
        let changes =
            played.timeline.changes().iter().map(|(at, square, level)| (*at, Some((*square, *level)), 0));
        let presses = played.observations.iter().flat_map(|observation| match observation.sensed {
            Sensed::Press(side) => {
                let button = buttons[usize::from(side == Color::Black)];
                vec![(observation.at, None, button), (observation.at.plus_us(HELD_US), None, button)]
            }
            _ => Vec::new(),
        });
        let mut events: Vec<_> = changes.chain(presses).collect();
        events.sort_by_key(|(at, ..)| *at);
        let end = played.over.plus_us(HELD_US);
        let (began, before) = (Instant::now(), self.scans());
        for (at, reed, button) in events.into_iter().take_while(|(at, ..)| *at <= end) {
            let read = || u64::from(self.scans() - before) * SLOWEST_SCAN_US;
            while began.elapsed() < Duration::from_micros(at.as_us()) || read() < at.as_us() {
                assert!(
                    began.elapsed() < LONGEST_GAME,
                    "the machine reads too slowly: {} scans",
                    self.scans()
                );
                thread::sleep(Duration::from_millis(1));
            }
            if let Some((square, level)) = reed {
                closed = if level { closed.with(square) } else { closed & !Bitboard::of(square) };
                self.close(closed);
            }
            self.up.fetch_xor(button, Ordering::Relaxed);
        }
    }
}
