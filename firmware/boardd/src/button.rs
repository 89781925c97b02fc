//! The buttons of the panel, read once a scan.

use embedded_hal::digital::InputPin;
use sense::Uptime;
use trace::{Button, Sensed};
use xiangqi::Color;

/// A button must have been up for so long before it counts as pressed again: contacts bounce, and fingers linger.
const RELEASED_US: u64 = 30_000;

/// What a button says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The clock button on that side.
    Press(Color),
    /// Another button; `None` where both sides share it.
    Panel(Button, Option<Color>),
}

impl Label {
    fn sensed(self) -> Sensed {
        match self {
            Label::Press(side) => Sensed::Press(side),
            Label::Panel(button, side) => Sensed::Button(button, side),
        }
    }
}

/// Buttons that close to ground, each on an input with a pull-up.
///
/// A press is reported with the first scan that sees it, because clocks count it; only then the contact is debounced.
pub struct Buttons<P> {
    buttons: Vec<(Label, P, State)>,
}

/// What is known of one button.
#[derive(Clone, Copy)]
enum State {
    Up,
    /// Pressed and reported; it was seen up last since then.
    Down {
        up_since: Option<Uptime>,
    },
}

impl<P: InputPin> Buttons<P> {
    /// Buttons with their labels.
    pub fn new(pins: impl IntoIterator<Item = (Label, P)>) -> Buttons<P> {
        Buttons { buttons: pins.into_iter().map(|(label, pin)| (label, pin, State::Up)).collect() }
    }

    /// Reads every button once and gives the new presses to `sink`. A pin that fails says nothing.
    pub fn read(&mut self, now: Uptime, sink: &mut impl FnMut(Sensed)) {
        for (label, pin, state) in &mut self.buttons {
            let Ok(down) = pin.is_low() else { continue };
            *state = match *state {
                State::Up if down => {
                    sink(label.sensed());
                    State::Down { up_since: None }
                }
                State::Up => State::Up,
                State::Down { .. } if down => State::Down { up_since: None },
                State::Down { up_since: Some(since) } if now.us_since(since) >= RELEASED_US => State::Up,
                State::Down { up_since } => State::Down { up_since: up_since.or(Some(now)) },
            };
        }
    }
}
