//! What is written to displays and lamps, in which order, and what happens when their bus or pin fails.

use std::io::ErrorKind;

use boardd::{Displays, Front, FrontPanel, Half, Lamp, Lights, Output, Panel};
use embedded_hal::spi::{Error, ErrorKind as SpiError, ErrorType, Operation, SpiDevice};
use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Touch};
use embedded_hal_mock::eh1::spi::{Mock as Spi, Transaction as Transfer};
use sense::Uptime;
use xiangqi::ByColor;

/// One register of one display: Red's is the nearer one, so its word is shifted out last.
fn red(register: u8, value: u8) -> [Transfer<u8>; 3] {
    write(vec![0, 0, register, value])
}

fn black(register: u8, value: u8) -> [Transfer<u8>; 3] {
    write(vec![register, value, 0, 0])
}

fn write(bytes: Vec<u8>) -> [Transfer<u8>; 3] {
    [Transfer::transaction_start(), Transfer::write_vec(bytes), Transfer::transaction_end()]
}

/// What the driver writes when it is made: test off, eight digits, no decoding, blank; then both switched off.
fn made() -> Vec<Transfer<u8>> {
    let mut all = Vec::new();
    for display in [black, red] {
        for (register, value) in [(0x0f, 0), (0x0b, 7), (0x09, 0)] {
            all.extend(display(register, value));
        }
        all.extend((1..=8).flat_map(|digit| display(digit, 0)));
    }
    all.extend(black(0x0c, 0));
    all.extend(red(0x0c, 0));
    all
}

/// Everything, as it is written at the start and every five seconds.
fn everything(digits: ByColor<[u8; 8]>) -> Vec<Transfer<u8>> {
    let mut all = Vec::new();
    for (display, digits) in [(red as fn(u8, u8) -> _, digits.red), (black, digits.black)] {
        for (register, value) in [(0x09, 0), (0x0a, 7), (0x0b, 7), (0x0f, 0), (0x0c, 1)] {
            all.extend(display(register, value));
        }
        all.extend((0..8).flat_map(|digit| display(8 - digit, digits[usize::from(digit)])));
    }
    all
}

const DASHES: [u8; 8] = [0, 0, 0, 0, 1, 1, 1, 1];

#[test]
fn a_scan_writes_one_register_and_only_what_changed() {
    let mut expected = made();
    expected.extend(everything(ByColor { red: DASHES, black: DASHES }));
    // 9 and 8 at the right ends; nothing else changes.
    expected.extend(red(1, 0b111_1011));
    expected.extend(black(1, 0b111_1111));
    let mut spi = Spi::new(&expected);
    let mut displays = Displays::new(spi.clone()).unwrap();
    let mut ms = 0;
    let mut tick = |displays: &mut Displays<Spi<u8>>| {
        displays.tick(Uptime::from_ms(ms));
        ms += 1;
    };
    (0..26).for_each(|_| tick(&mut displays));
    tick(&mut displays);
    let with = |last| [0, 0, 0, 0, 1, 1, 1, last];
    displays.want(ByColor { red: with(0b111_1011), black: with(0b111_1111) });
    (0..3).for_each(|_| tick(&mut displays));
    spi.done();
}

/// A bus on which one transfer fails.
struct FailsOnce {
    spi: Spi<u8>,
    at: usize,
}

impl ErrorType for FailsOnce {
    type Error = SpiError;
}

impl SpiDevice for FailsOnce {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), SpiError> {
        let fails = self.at == 0;
        self.at = self.at.wrapping_sub(1);
        if fails { Err(SpiError::Other) } else { self.spi.transaction(operations).map_err(|e| e.kind()) }
    }
}

#[test]
fn a_bus_that_fails_is_left_alone_for_a_second_and_then_told_everything() {
    let mut expected = made();
    // The transfer after these fails, and is not seen on the wires.
    let fails_at = expected.len() / 3;
    expected.extend(red(0x09, 0));
    expected.extend(everything(ByColor { red: DASHES, black: DASHES }));
    let mut spi = Spi::new(&expected);
    let mut displays = Displays::new(FailsOnce { spi: spi.clone(), at: fails_at }).unwrap();
    for ms in 0..1_027 {
        displays.tick(Uptime::from_ms(ms));
        assert_eq!(displays.is_failing(), ms < 1_000, "{ms}");
    }
    spi.done();
}

fn pin(levels: &[bool]) -> Pin {
    let levels: Vec<Touch> =
        levels.iter().map(|high| Touch::set(if *high { State::High } else { State::Low })).collect();
    Pin::new(&levels)
}

#[test]
fn lamps_are_written_when_they_change() {
    let (red, black) = (pin(&[true, false]), pin(&[true, false, true, false]));
    let (attention, buzzer) = (pin(&[false, true, false]), pin(&[true, false]));
    // A beat at the start of a second; the alarm while the reeds cannot be read; the beat of the next second.
    let status = pin(&[true, false, true, false, true]);
    let mut all = [&red, &black, &attention, &buzzer, &status].map(Clone::clone);
    let lights = Lights {
        lamps: ByColor { red: Output::new(red), black: Output::new(black) },
        attention: Output::new(attention),
        buzzer: Output::new(buzzer),
        status: Output::new(status),
    };
    let mut front = FrontPanel::<Spi<u8>, Pin>::new(None, Some(lights));
    let half = |lamp| Half { lamp, ..Half::default() };
    let halves = ByColor { red: half(Lamp::On), black: half(Lamp::Blinking) };
    front.show(&Panel { halves, buzzer: true, ..Panel::default() });
    for (ms, reading) in
        [(0, true), (50, true), (250, true), (510, false), (610, false), (700, false), (760, false)]
    {
        front.tick(Uptime::from_ms(ms), reading);
    }
    front.show(&Panel::default());
    front.tick(Uptime::from_ms(1_250), true);
    front.tick(Uptime::from_ms(2_000), true);
    all.iter_mut().for_each(Pin::done);
}

#[test]
fn a_pin_that_fails_is_tried_again() {
    let error = MockError::Io(ErrorKind::NotConnected);
    let mut buzzer = Pin::new(&[Touch::set(State::Low).with_error(error), Touch::set(State::Low)]);
    let mut others = [pin(&[false]), pin(&[false]), pin(&[false]), pin(&[true])];
    let [red, black, attention, status] = others.clone().map(Output::new);
    let lights =
        Lights { lamps: ByColor { red, black }, attention, buzzer: Output::new(buzzer.clone()), status };
    let mut front = FrontPanel::<Spi<u8>, Pin>::new(None, Some(lights));
    for ms in 0..5 {
        front.tick(Uptime::from_ms(ms), true);
    }
    buzzer.done();
    others.iter_mut().for_each(Pin::done);
}
