//! What hands do on the table, as motions of magnets and presses of buttons.

use sense::Uptime;
use trace::Button;
use xiangqi::Color;

use crate::place::Place;

/// One piece with the magnet in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magnet {
    /// Its strength in thousandths: 1000 works a reed at the reed's own distances.
    pub strength: u32,
    /// Where it stands at time 0.
    pub start: Place,
}

/// A magnet moves in a straight line at an even speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    /// Which magnet.
    pub magnet: usize,
    /// When it sets out.
    pub begin: Uptime,
    /// When it arrives.
    pub end: Uptime,
    /// Where from.
    pub from: Place,
    /// Where to.
    pub to: Place,
}

/// Something on the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// The clock button on that side.
    Press(Color),
    /// Another button, on that side.
    Button(Button, Color),
}

/// All that happens on one table.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The pieces.
    pub magnets: Vec<Magnet>,
    /// Each magnet's motions follow each other without a jump.
    pub motions: Vec<Motion>,
    /// Presses, in any order.
    pub panel: Vec<(Uptime, Panel)>,
}
