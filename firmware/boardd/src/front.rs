//! The front of the board, as people see it: displays, lamps, buzzer. It shows what [`Panel`] says, at the pace of the scan.

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use sense::Uptime;
use xiangqi::{ByColor, Color};

use crate::display::{Displays, faces};
use crate::panel::{Lamp, Panel};

/// A blinking lamp is lit for so long, and dark for as long, in microseconds.
const BLINK_US: u64 = 250_000;
/// The status light blinks so fast while the reeds cannot be read, in microseconds.
const ALARM_US: u64 = 100_000;
/// Otherwise it is lit so long in each second, in microseconds.
const BEAT_US: u64 = 100_000;
const SECOND_US: u64 = 1_000_000;

/// What shows people what the board knows.
pub trait Front: Send + 'static {
    /// Whether there is anything to see.
    const FITTED: bool;

    /// Sets what is to be shown from now on.
    fn show(&mut self, panel: &Panel);

    /// Called once a scan; `reading` tells whether the reeds can be read. Takes a few microseconds.
    fn tick(&mut self, now: Uptime, reading: bool);
}

/// A board without displays and lamps.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFront;

impl Front for NoFront {
    const FITTED: bool = false;

    fn show(&mut self, _: &Panel) {}

    fn tick(&mut self, _: Uptime, _: bool) {}
}

/// An output that is written when it changes. A pin that fails is tried again with the next change.
pub struct Output<O> {
    pin: O,
    high: Option<bool>,
}

impl<O: OutputPin> Output<O> {
    /// An output whose level is not known yet.
    pub fn new(pin: O) -> Output<O> {
        Output { pin, high: None }
    }

    fn set(&mut self, high: bool) {
        if self.high != Some(high) && self.pin.set_state(high.into()).is_ok() {
            self.high = Some(high);
        }
    }
}

/// The lamps and the buzzer of the full panel; a high pin switches each on.
pub struct Lights<O> {
    /// Beside each side's button.
    pub lamps: ByColor<Output<O>>,
    /// Asks for the arbiter.
    pub attention: Output<O>,
    /// Sounds when a flag falls.
    pub buzzer: Output<O>,
    /// Inside: tells whoever looks after the board that it is alive.
    pub status: Output<O>,
}

/// What is fitted: displays, lamps, both, or what is left of them when a bus could not be opened.
pub struct FrontPanel<S: SpiDevice, O> {
    displays: Option<Displays<S>>,
    lights: Option<Lights<O>>,
    panel: Panel,
    game: bool,
}

impl<S: SpiDevice, O: OutputPin> FrontPanel<S, O> {
    /// A front with what could be had of it.
    pub fn new(displays: Option<Displays<S>>, lights: Option<Lights<O>>) -> Self {
        FrontPanel { displays, lights, panel: Panel::default(), game: false }
    }
}

fn lit(lamp: Lamp, now: Uptime) -> bool {
    match lamp {
        Lamp::Off => false,
        Lamp::On => true,
        Lamp::Blinking => (now.as_us() / BLINK_US).is_multiple_of(2),
    }
}

impl<S, O> Front for FrontPanel<S, O>
where
    S: SpiDevice + Send + 'static,
    O: OutputPin + Send + 'static,
{
    const FITTED: bool = true;

    fn show(&mut self, panel: &Panel) {
        if self.panel != *panel {
            self.panel.clone_from(panel);
        }
        self.game = true;
    }

    fn tick(&mut self, now: Uptime, reading: bool) {
        let lamps = ByColor::new_with(|side| lit(self.panel.halves[side].lamp, now));
        let failing = !reading || self.displays.as_ref().is_some_and(Displays::is_failing);
        if let Some(lights) = &mut self.lights {
            for side in Color::ALL {
                lights.lamps[side].set(lamps[side]);
            }
            // A board that is blind needs somebody, whatever the game says.
            let attention = if reading { self.panel.arbiter } else { Lamp::Blinking };
            lights.attention.set(lit(attention, now));
            lights.buzzer.set(self.panel.buzzer);
            lights.status.set(match failing {
                true => (now.as_us() / ALARM_US).is_multiple_of(2),
                false => now.as_us() % SECOND_US < BEAT_US,
            });
        }
        if let Some(displays) = &mut self.displays {
            if self.game {
                displays.want(faces(&self.panel, now, &lamps));
            }
            displays.tick(now);
        }
    }
}
