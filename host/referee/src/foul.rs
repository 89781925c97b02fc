//! The ledger of fouls (犯规): 1999 article 9, 2010 article 8.
//!
//! Nothing is struck out: an entry that is withdrawn stays, with who withdrew it and why, and no longer counts.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use xiangqi::Color;

use crate::By;
use crate::procedure::Procedure;
use crate::result::Reason;

/// What a foul was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offence {
    /// Disturbed the opponent in his time.
    Disturbance,
    /// Stopped or started the clock.
    ClockTampering,
    /// Offered a draw too often.
    DrawOffers,
    /// Claimed the natural limit, and it was not so.
    FalseClaim,
    /// Touched an own piece that cannot move.
    TouchUnmovable,
    /// Touched an enemy piece that nothing can capture.
    TouchUncapturable,
    /// Missed lines in the record that a player writes.
    MissedLines,
    /// Pressed the clock without a move.
    PressWithoutMove,
    /// Moved against the rules, where that does not lose at once.
    IllegalMove,
    /// Broke the rules for players, not gravely: talk, leaving the seat, striking the clock.
    Conduct,
}

impl Offence {
    /// Every offence.
    pub const ALL: [Offence; 10] = [
        Offence::Disturbance,
        Offence::ClockTampering,
        Offence::DrawOffers,
        Offence::FalseClaim,
        Offence::TouchUnmovable,
        Offence::TouchUncapturable,
        Offence::MissedLines,
        Offence::PressWithoutMove,
        Offence::IllegalMove,
        Offence::Conduct,
    ];
}

/// One foul.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foul {
    /// Its number in the game, from 1.
    pub foul: u32,
    /// Whose.
    pub side: Color,
    /// What for.
    pub offence: Offence,
    /// The article, as the edition in force numbers it.
    pub article: String,
    /// The ply that was being played, from 1.
    pub ply: u32,
    /// When, in microseconds since the start of the board.
    pub at_us: u64,
    /// Who entered it.
    pub by: By,
    /// In the arbiter's words, or the evidence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Who took a foul back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Who.
    pub by: By,
    /// Why.
    pub reason: String,
    /// When, in microseconds since the start of the board.
    pub at_us: u64,
}

/// All fouls of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoulLedger {
    entries: Vec<(Foul, Option<Withdrawal>)>,
}

impl FoulLedger {
    /// Enters a foul and gives it its number.
    pub fn enter(&mut self, mut foul: Foul) -> &Foul {
        foul.foul = self.entries.len() as u32 + 1;
        self.entries.push((foul, None));
        &self.entries[self.entries.len() - 1].0
    }

    /// Takes a foul back; `None` when there is none of that number or it has been taken back.
    pub fn withdraw(&mut self, number: u32, withdrawal: Withdrawal) -> Option<&Foul> {
        let index = (number as usize).checked_sub(1)?;
        let (foul, withdrawn) = self.entries.get_mut(index)?;
        if withdrawn.is_some() {
            return None;
        }
        *withdrawn = Some(withdrawal);
        Some(foul)
    }

    /// Every entry with its withdrawal.
    pub fn entries(&self) -> &[(Foul, Option<Withdrawal>)] {
        &self.entries
    }

    /// The fouls of `side` that count.
    pub fn standing(&self, side: Color) -> impl Iterator<Item = &Foul> {
        let counts =
            move |(foul, withdrawn): &&(Foul, Option<Withdrawal>)| foul.side == side && withdrawn.is_none();
        self.entries.iter().filter(counts).map(|(foul, _)| foul)
    }

    /// How many fouls of `side` count.
    pub fn count(&self, side: Color) -> u32 {
        self.standing(side).count() as u32
    }

    /// Why `side` loses by its fouls, if it does.
    pub fn loses(&self, side: Color, procedure: &Procedure) -> Option<Reason> {
        //= 4.1.8
        //= 4.1(8)
        //= 4.1(9)
        //= 4.1(10)
        let of = |offence| self.standing(side).filter(|foul| foul.offence == offence).count() as u32;
        if of(Offence::IllegalMove) >= procedure.illegal_to_lose {
            Some(Reason::IllegalMove)
        } else if procedure.presses_to_lose.is_some_and(|limit| of(Offence::PressWithoutMove) >= limit) {
            Some(Reason::PressesWithoutMove)
        } else if self.count(side) >= procedure.fouls_to_lose {
            Some(Reason::Fouls)
        } else {
            None
        }
    }
}

/// How many fouls so many missed lines make (7.1). 1999: one for every four in a row. 2010: the same, and eight or more at
/// once are two.
pub fn fouls_for_missed_lines(lines: u32, procedure: &Procedure) -> u32 {
    //= 7.1
    procedure.lines_per_foul.map_or(0, |per_foul| match procedure.articles {
        crate::procedure::Articles::Cxa1999 => lines / per_foul,
        crate::procedure::Articles::Cxa2010 => (lines / per_foul).min(2),
    })
}
