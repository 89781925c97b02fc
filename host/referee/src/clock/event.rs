//! What a clock reports.

use core::fmt;

use sense::Uptime;
use serde::{Deserialize, Serialize};
use xiangqi::Color;

use super::ClockState;

/// Something that happened to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockEvent {
    /// When it was due, which may be before it was noticed.
    pub at: Uptime,
    /// Whose time it concerns; for a switch, the side that runs from now on.
    pub side: Color,
    /// What it was.
    pub kind: ClockKind,
}

/// What happened to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "clock", rename_all = "snake_case")]
pub enum ClockKind {
    /// The game began and this side runs.
    Started,
    /// The other side pressed and this side runs.
    Switched,
    /// The moves of a stage are done and the next stage (counted from 1) has given its time.
    StageBegan {
        /// Which stage; a repeated last stage counts on.
        stage: u32,
        /// What it added.
        added_us: u64,
    },
    /// The time that both sides share is used up; each has its own from now on.
    PoolUsedUp,
    /// The main time is used up and the first byo-yomi period runs.
    ByoYomiBegan {
        /// Periods, the running one included.
        periods: u16,
    },
    /// A byo-yomi period was used up and the next runs.
    PeriodUsedUp {
        /// Periods left, the running one included.
        periods: u16,
    },
    /// Time ran out.
    FlagFell,
    /// A press had no effect.
    PressIgnored {
        /// Why.
        why: ClockRefusal,
    },
    /// A press has turned out to have ended nothing: this side's time has been running since.
    PressRevoked,
    /// The start was a mistake: the clock waits as it did before.
    StartWithdrawn,
    /// Both sides are stopped.
    Paused,
    /// This side runs again.
    Resumed,
    /// The arbiter set what is left.
    Set {
        /// What was left.
        from_us: u64,
        /// What is left now.
        to_us: u64,
    },
    /// An order that had cost periods, or time that both sides share, was undone: what had been left, less what has passed since.
    PutBack {
        /// What is left now.
        left_us: u64,
        /// Byo-yomi periods left now, if one runs.
        periods: Option<u16>,
        /// What both sides share now.
        shared_us: u64,
    },
    /// Time was counted as used though it had not passed.
    Charged {
        /// How much.
        charge_us: u64,
    },
    /// A ply was taken back, and with it the time that it had earned.
    Retracted {
        /// What the ply had earned and has been taken back.
        taken_us: u64,
        /// What it had earned and could not be taken back, because less was left.
        short_us: u64,
    },
    /// The game is over.
    Stopped,
    /// The board's process came back. A running side has used a gap that was measured; where none could be, the clock
    /// waits for the arbiter.
    Restored {
        /// How long the board was away, if that is known.
        gap_us: Option<u64>,
    },
}

/// Why a clock did not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockRefusal {
    /// The game has not begun.
    NotStarted,
    /// It has begun already.
    AlreadyStarted,
    /// The other side's time is running.
    NotRunning,
    /// The arbiter has stopped the clock.
    Paused,
    /// The clock is running.
    NotPaused,
    /// The game is over.
    GameOver,
    /// The game is not over.
    NotOver,
    /// More than a display can show.
    TooMuch,
}

impl fmt::Display for ClockRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClockRefusal::NotStarted => "the clock has not been started",
            ClockRefusal::AlreadyStarted => "the clock has been started already",
            ClockRefusal::NotRunning => "the other side's clock is running",
            ClockRefusal::Paused => "the clock is paused",
            ClockRefusal::NotPaused => "the clock is running",
            ClockRefusal::GameOver => "the game is over",
            ClockRefusal::NotOver => "the game is not over",
            ClockRefusal::TooMuch => "a clock can show at most 99:59:59",
        })
    }
}

impl core::error::Error for ClockRefusal {}

/// What a clock shows at a moment: enough for a display to go on from there by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClockShows {
    /// What it is doing.
    pub state: ClockState,
    /// Whose time is running.
    pub running: Option<Color>,
    /// What Red has left; in byo-yomi, of the period.
    pub red_left_us: u64,
    /// What Black has left.
    pub black_left_us: u64,
    /// What is left of the time that both sides share.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_us: u64,
}

/// The times that a ply carries in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlyTime {
    /// What the mover used since his last ply.
    pub spent_us: u64,
    /// What the mover has used in the whole game.
    pub used_us: u64,
    /// What Red has left afterwards, increments and new stages included; in byo-yomi, of the period.
    pub red_left_us: u64,
    /// What Black has left.
    pub black_left_us: u64,
    /// What is left of the time that both sides share.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_us: u64,
}

fn is_zero(us: &u64) -> bool {
    *us == 0
}
