//! What the referee is told.

use alloc::boxed::Box;

use sense::{Blip, Chatter, Edge, Frame, Signal};
use xiangqi::Color;

use crate::Order;

/// One input of the referee, handed in with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The first reading of the reeds: what stands on the board when the referee begins to watch.
    Baseline(Frame),
    /// A point settled at its other level.
    Edge(Edge),
    /// A point left its level for a moment.
    Blip(Blip),
    /// A point does not settle.
    Chatter(Chatter),
    /// A player pressed the clock.
    Press(Color),
    /// A player announced that pieces are adjusted (article 5.6); `None` where the panel does not tell who.
    Adjust(Option<Color>),
    /// A player says "draw": offers one, or accepts the one that is offered.
    Draw(Option<Color>),
    /// A player resigns.
    Resign(Option<Color>),
    /// A player calls the arbiter.
    CallArbiter(Option<Color>),
    /// An arbiter orders something; whoever hands it in has made sure that it is he.
    Order(Box<Order>),
}

impl From<Signal> for Input {
    fn from(signal: Signal) -> Input {
        match signal {
            Signal::Edge(edge) => Input::Edge(edge),
            Signal::Blip(blip) => Input::Blip(blip),
            Signal::Chatter(chatter) => Input::Chatter(chatter),
        }
    }
}
