//! The arbiter's orders, and who does what.
//!
//! The board authenticates an order before it becomes an input; here it has a name and a reason, and every order, carried
//! out or refused, is an event. An order is never erased: [`Command::Undo`] is a new order that names the old one.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};
use xiangqi::{Color, Move, Position};

use crate::claim::ClaimKind;
use crate::clock::ClockRefusal;
use crate::foul::Offence;
use crate::result::{Reason, Score};

/// Who did something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The board itself, from what it sensed.
    Board,
    /// The player of the red pieces.
    Red,
    /// The player of the black pieces.
    Black,
    /// An arbiter, by name.
    Arbiter(String),
}

impl From<Color> for By {
    fn from(side: Color) -> By {
        match side {
            Color::Red => By::Red,
            Color::Black => By::Black,
        }
    }
}

/// An order of the arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The arbiter's name.
    pub name: String,
    /// Why. Required for everything that changes what players have: time, fouls, moves, results.
    #[serde(default)]
    pub reason: String,
    /// What to do.
    #[serde(flatten)]
    pub command: Command,
}

/// What an arbiter can order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Start the clock of the side with the first move.
    Start,
    /// Stop both clocks.
    Pause,
    /// Let the clock run again, of that side if one is named.
    Resume {
        /// Whose clock runs; the one that ran before if none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Color>,
    },
    /// Set what a side has left.
    SetClock {
        /// Whose clock.
        side: Color,
        /// What is left, in milliseconds.
        left_ms: u64,
    },
    /// Count time as used though it did not pass.
    Charge {
        /// Whose clock.
        side: Color,
        /// How much, in milliseconds.
        charge_ms: u64,
    },
    /// A side is not at the board; before the start.
    Absent {
        /// Which.
        side: Color,
    },
    /// A late side has sat down (21.2).
    Arrived {
        /// Which.
        side: Color,
    },
    /// Enter a foul.
    AddFoul {
        /// Whose.
        side: Color,
        /// What for.
        offence: Offence,
    },
    /// Enter missed lines of a player's own record (7.1).
    MissedLines {
        /// Whose record.
        side: Color,
        /// How many lines.
        lines: u32,
    },
    /// Take a foul back.
    WithdrawFoul {
        /// Its number.
        foul: u32,
    },
    /// Warn a player (警告, 18.1).
    Warn {
        /// Whom.
        side: Color,
    },
    /// The player on that side says "draw" to the arbiter: an offer, or the acceptance of one (23.1).
    Draw {
        /// Who.
        side: Color,
    },
    /// The player on that side refuses the standing offer.
    DeclineDraw {
        /// Who.
        side: Color,
    },
    /// The player on that side resigns to the arbiter.
    Resign {
        /// Who.
        side: Color,
    },
    /// A player claims; the clocks are stopped (23.3, 24).
    Claim {
        /// Who.
        side: Color,
        /// What.
        claim: ClaimKind,
    },
    /// Rule on the claim that waits.
    RuleClaim {
        /// The ruling.
        ruling: ClaimRuling,
        /// With a duty to vary: within how many of its own moves; the cycle once more (24.3) if none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<u32>,
    },
    /// An irregular move stands.
    AcceptMove {
        /// The ply, from 1.
        ply: u32,
    },
    /// Moves are taken back, the last first, down to and with that ply.
    TakeBack {
        /// The ply, from 1.
        ply: u32,
    },
    /// Choose among the readings of an ambiguous ply.
    Choose {
        /// The ply, from 1.
        ply: u32,
        /// The move that was played.
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The position that stands on the board is this one.
    SetPosition {
        /// The position, as FEN.
        fen: Box<Position>,
    },
    /// Declare a result, or correct the one in force.
    Declare {
        /// Who won.
        score: Score,
        /// Why.
        ending: Reason,
    },
    /// Play goes on; the clock waits, paused.
    Reopen,
    /// Somebody has signed the result in force (10.1): the arbiter himself, or a player in his presence.
    Sign {
        /// Whose signature; the arbiter's own if no player is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Color>,
    },
    /// Take a picture of the board, where it has a camera. Nothing of the game changes.
    Still,
    /// Undo an earlier order by its number.
    Undo {
        /// The order's number.
        undo: u32,
    },
    /// What an arbiter ordered and this version does not know, or not with that offence, ruling or reason. It is refused.
    Unknown {
        /// The command, with what came with it, as far as it is kept.
        request: String,
    },
}

/// A ruling on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimRuling {
    /// It is so: a draw, or for a flag the loss of the other side.
    Granted,
    /// It is not so. A false claim of the natural limit is a foul and costs time (23.3).
    Denied,
    /// Red must vary at once (24.3).
    RedMustVary,
    /// Black must vary at once.
    BlackMustVary,
    /// Red loses at once (24.1).
    RedLoses,
    /// Black loses at once.
    BlackLoses,
}

impl ClaimRuling {
    /// Whether the ruling is that a side must vary.
    pub const fn imposes_duty(self) -> bool {
        matches!(self, ClaimRuling::RedMustVary | ClaimRuling::BlackMustVary)
    }
}

impl Command {
    /// Its name, as records write it.
    pub fn name(&self) -> &str {
        match self {
            Command::Start => "start",
            Command::Pause => "pause",
            Command::Resume { .. } => "resume",
            Command::SetClock { .. } => "set_clock",
            Command::Charge { .. } => "charge",
            Command::Absent { .. } => "absent",
            Command::Arrived { .. } => "arrived",
            Command::AddFoul { .. } => "add_foul",
            Command::MissedLines { .. } => "missed_lines",
            Command::WithdrawFoul { .. } => "withdraw_foul",
            Command::Warn { .. } => "warn",
            Command::Draw { .. } => "draw",
            Command::DeclineDraw { .. } => "decline_draw",
            Command::Resign { .. } => "resign",
            Command::Claim { .. } => "claim",
            Command::RuleClaim { .. } => "rule_claim",
            Command::AcceptMove { .. } => "accept_move",
            Command::TakeBack { .. } => "take_back",
            Command::Choose { .. } => "choose",
            Command::SetPosition { .. } => "set_position",
            Command::Declare { .. } => "declare",
            Command::Reopen => "reopen",
            Command::Sign { .. } => "sign",
            Command::Still => "still",
            Command::Undo { .. } => "undo",
            Command::Unknown { request } => request,
        }
    }

    /// Whether the order must say why.
    pub const fn needs_reason(&self) -> bool {
        !matches!(
            self,
            Command::Start
                | Command::Resume { .. }
                | Command::Arrived { .. }
                | Command::Absent { .. }
                | Command::Draw { .. }
                | Command::DeclineDraw { .. }
                | Command::Resign { .. }
                | Command::Claim { .. }
                | Command::Sign { .. }
                | Command::Still
        )
    }
}

/// Why an order, a button or a claim was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The order has no name.
    NoName,
    /// The order gives no reason and needs one.
    NoReason,
    /// The game is over; reopen it, or correct the result.
    GameOver,
    /// The game is not over.
    NotOver,
    /// The game is played without a clock.
    NoClock,
    /// The clock would not.
    Clock(ClockRefusal),
    /// There is no such foul, or it has been taken back.
    NoSuchFoul,
    /// The event does not ask players to write, or too few lines were missed to make a foul.
    NoFoul,
    /// No claim waits for a ruling, or another does.
    NoClaim,
    /// A claim waits for its ruling first.
    ClaimWaits,
    /// The ruling does not fit the claim, or the position has not been repeated.
    WrongRuling,
    /// No offer waits for an answer.
    NoOffer,
    /// There is no such ply, or nothing to decide about it.
    NoSuchPly,
    /// The move is not among the readings of that ply.
    NotAReading,
    /// A draw has no loser, a loss no such reason, or the reason is not of that side.
    ScoreMismatch,
    /// There is no such order, it has been undone, or it cannot be undone.
    CannotUndo,
    /// The panel does not tell which side pressed.
    WhichSide,
    /// That signature is there already.
    Signed,
    /// The player was here.
    NotAbsent,
    /// The board does not know that command, or not with that offence, ruling or reason.
    Unknown,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NoName => "an order needs the arbiter's name",
            Refusal::NoReason => "this order needs a reason",
            Refusal::GameOver => "the game is over; reopen it or correct its result",
            Refusal::NotOver => "the game is not over",
            Refusal::NoClock => "the game is played without a clock",
            Refusal::Clock(why) => return why.fmt(f),
            Refusal::NoSuchFoul => "there is no such foul that still counts",
            Refusal::NoFoul => "so many missed lines make no foul in this event",
            Refusal::NoClaim => "no claim waits for a ruling",
            Refusal::ClaimWaits => "a claim waits for its ruling first",
            Refusal::WrongRuling => "that ruling does not fit the claim",
            Refusal::NoOffer => "no draw offer waits for an answer",
            Refusal::NoSuchPly => "there is no such ply to decide about",
            Refusal::NotAReading => "that move is not among the readings of the ply",
            Refusal::ScoreMismatch => "that reason does not lead to that outcome",
            Refusal::CannotUndo => "there is no such order that can be undone",
            Refusal::WhichSide => "the panel does not tell which side pressed",
            Refusal::Signed => "that signature is there already",
            Refusal::NotAbsent => "that player was not marked as absent",
            Refusal::Unknown => "this board does not know that order, or not with what came with it",
        })
    }
}

impl core::error::Error for Refusal {}

impl From<ClockRefusal> for Refusal {
    fn from(why: ClockRefusal) -> Refusal {
        Refusal::Clock(why)
    }
}
