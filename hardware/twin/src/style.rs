//! Styles of play: how hands move, and what reeds make of it.

use core::fmt;
use core::str::FromStr;

use crate::dice::{Span, span};

/// How a game is played and sensed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// Calm hands and good reeds; captures in either order.
    Clean,
    /// Pieces are slid over the board, with stops on the way.
    Slides,
    /// Captures and moves are fumbled: put back, dropped, corrected; presses are forgotten.
    Fumbles,
    /// Carries of 70 to 220 ms, replies before the press, both sides' pieces in the air at once.
    Blitz,
    /// Glitches, drop-outs, chatter, weak magnets, cross-talk, dead spots.
    Noise,
    /// There is no clock and nobody presses.
    NoClock,
    /// One reed never closes.
    StuckOpen,
    /// One reed never opens.
    StuckClosed,
    /// Calm hands that break the rules of touching and pressing; not one of [`Style::ALL`].
    Disputed,
}

impl Style {
    /// The eight styles in which the rules are kept.
    pub const ALL: [Style; 8] = [
        Style::Clean,
        Style::Slides,
        Style::Fumbles,
        Style::Blitz,
        Style::Noise,
        Style::NoClock,
        Style::StuckOpen,
        Style::StuckClosed,
    ];

    /// The name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Clean => "clean",
            Style::Slides => "slides",
            Style::Fumbles => "fumbles",
            Style::Blitz => "blitz",
            Style::Noise => "noise",
            Style::NoClock => "no-clock",
            Style::StuckOpen => "stuck-open",
            Style::StuckClosed => "stuck-closed",
            Style::Disputed => "disputed",
        }
    }

    /// The time control of a trace in that style; `None` where there is no clock.
    pub const fn clock(self) -> Option<&'static str> {
        match self {
            Style::NoClock => None,
            Style::Blitz => Some("10m"),
            _ => Some("60m"),
        }
    }

    pub(crate) fn habits(self) -> Habits {
        let calm = Habits::CALM;
        match self {
            Style::Clean => calm,
            Style::StuckOpen | Style::StuckClosed => Habits { set_up: 0, clear: 0, ..calm },
            Style::Disputed => Habits { dispute: 150, set_up: 0, ..calm },
            Style::Slides => Habits { slide: 800, pause: 300, ..calm },
            Style::Fumbles => Habits {
                fumble: 250,
                stray: 8,
                forget: 30,
                slide: 250,
                off_centre_um: 6_500,
                captures: Habits::FUMBLED_CAPTURES,
                ..calm
            },
            Style::Blitz => Habits { slide: 300, off_centre_um: 6_500, ..Habits::BLITZ },
            Style::Noise => Habits { slide: 300, strength: span(780, 1_080), set_up: 0, clear: 0, ..calm },
            Style::NoClock => Habits { think_ms: span(500, 7_000), slide: 250, ..calm },
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseStyleError;

impl fmt::Display for ParseStyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a style: ")?;
        Style::ALL.into_iter().try_for_each(|style| write!(f, "{style}, "))?;
        write!(f, "{}", Style::Disputed)
    }
}

impl core::error::Error for ParseStyleError {}

impl FromStr for Style {
    type Err = ParseStyleError;
    fn from_str(text: &str) -> Result<Style, ParseStyleError> {
        let mut all = Style::ALL.into_iter().chain([Style::Disputed]);
        all.find(|style| style.name() == text).ok_or(ParseStyleError)
    }
}

/// The manners of making a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// The captured piece is taken off the board, then the capturing piece is moved.
    VictimFirst,
    /// The capturing piece is lifted, then the captured one, then the capturing piece is set down.
    AttackerFirst,
    /// One hand takes up the captured piece with the capturing one in it.
    OneHand,
    /// The capturing piece pushes the captured one off its point.
    PushedOff,
}

/// How hands move. Chances are in thousandths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// From the opponent's press to the first touch.
    pub(crate) think_ms: Span,
    /// From the first motion of a piece to its arrival.
    pub(crate) carry_ms: Span,
    /// How often, and for how long, a piece is held in the air while its player thinks again.
    pub(crate) hold: u32,
    pub(crate) hold_ms: Span,
    /// From the arrival of a piece to the press.
    pub(crate) press_ms: Span,
    /// How often a piece that can be pushed over empty points is pushed, and how fast.
    pub(crate) slide: u32,
    pub(crate) slide_um_per_ms: Span,
    /// How often it stops over a point on the way, and for how long.
    pub(crate) pause: u32,
    pub(crate) pause_ms: Span,
    /// Between the two pieces of a capture.
    pub(crate) between_ms: Span,
    pub(crate) captures: &'static [(u32, Capture)],
    /// How often something goes wrong with a move before it is done.
    pub(crate) fumble: u32,
    /// How often the piece of a quiet move is set down beside its point, where no reed notices it.
    pub(crate) stray: u32,
    /// How often a rule is broken before a move.
    pub(crate) dispute: u32,
    /// How often the board is set up before the game, and cleared after it.
    pub(crate) set_up: u32,
    pub(crate) clear: u32,
    /// How often a press is forgotten.
    pub(crate) forget: u32,
    /// How often a reply begins before the press, or while the other piece is still in the air.
    pub(crate) early: u32,
    /// How far beside their points pieces stand, and how strong their magnets are, in thousandths.
    pub(crate) off_centre_um: i64,
    pub(crate) strength: Span,
}

impl Habits {
    /// A piece that is pushed off may never bare its reed: then only what is played later tells what was captured.
    const FUMBLED_CAPTURES: &[(u32, Capture)] = &[
        (4, Capture::VictimFirst),
        (4, Capture::AttackerFirst),
        (2, Capture::OneHand),
        (1, Capture::PushedOff),
    ];

    pub(crate) const CALM: Habits = Habits {
        think_ms: span(700, 9_000),
        carry_ms: span(350, 1_300),
        hold: 60,
        hold_ms: span(400, 3_500),
        press_ms: span(120, 1_400),
        slide: 120,
        slide_um_per_ms: span(120, 600),
        pause: 100,
        pause_ms: span(80, 1_000),
        between_ms: span(0, 700),
        captures: &[(4, Capture::VictimFirst), (4, Capture::AttackerFirst), (2, Capture::OneHand)],
        fumble: 0,
        stray: 0,
        dispute: 0,
        set_up: 80,
        clear: 250,
        forget: 0,
        early: 0,
        off_centre_um: 5_000,
        strength: span(960, 1_060),
    };

    const BLITZ: Habits = Habits {
        think_ms: span(90, 1_800),
        carry_ms: span(95, 270),
        hold: 0,
        press_ms: span(50, 300),
        slide_um_per_ms: span(300, 1_000),
        pause: 60,
        pause_ms: span(30, 180),
        between_ms: span(0, 110),
        captures: &[
            (3, Capture::VictimFirst),
            (3, Capture::AttackerFirst),
            (4, Capture::OneHand),
            (1, Capture::PushedOff),
        ],
        early: 80,
        ..Habits::CALM
    };
}
