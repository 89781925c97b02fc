//! Where evidence comes from: the reeds and buttons of a board, or a simulated one.

use referee::{GameHeader, Order};
use sense::Uptime;
use trace::Observation;
use xiangqi::{Bitboard, Board, Color};

use crate::Panel;

/// What a source has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum Sensing {
    /// A game begins.
    Game(Box<GameHeader>),
    /// Something was sensed.
    Observed(Observation),
    /// An arbiter orders something.
    Order(Uptime, Box<Order>),
    /// Nothing until then.
    Quiet(Uptime),
    /// There will be nothing more.
    Ended,
}

/// The game that goes on after a restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoingOn {
    /// The game's id.
    pub game: String,
    /// How many observations of it the journal holds.
    pub observations: usize,
    /// Whether it has a result.
    pub over: bool,
    /// The pieces as the record has them, with the move that stands on the board and is not committed.
    pub stands: Board,
    /// Whose turn it is there.
    pub turn: Color,
    /// The points that the reeds told as occupied last, if they have told anything.
    pub closed: Option<Bitboard>,
}

/// Where evidence comes from, and time with it.
pub trait Source: Send + 'static {
    /// The daemon is ready, and its time is `now`: from here on it counts. A game may go on.
    fn start(&mut self, now: Uptime, going_on: Option<GoingOn>);

    /// Waits for the next thing, until `deadline` if there is one, and not much longer than a twentieth of a second in
    /// any case. Times never go back.
    fn next(&mut self, deadline: Option<Uptime>) -> Sensing;

    /// What the panel has to show now, for boards that have one. Called whenever something may have changed, at least
    /// as often as [`next`](Source::next).
    fn show(&mut self, _panel: &Panel) {}

    /// Whether there is anything that shows the panel.
    fn has_panel(&self) -> bool {
        false
    }
}
