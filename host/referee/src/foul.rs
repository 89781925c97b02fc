//! The ledger of fouls (犯规): 1999 article 9, 2010 article 8.
//!
//! Nothing is struck out: an entry that is withdrawn stays, with who withdrew it and why, and no longer counts.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use xiangqi::Color;
use xiangqi::law::edition::{Edition, Numbering};

use crate::By;
use crate::result::Reason;

/// What a foul was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offence {
    /// Disturbed the opponent in his time.
    //= 9.1.1 exception: no sensor hears it; the arbiter enters it
    Disturbance,
    /// Stopped or started the clock.
    //= 9.1.2 exception: players have no button for it; the arbiter enters what he sees
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
    //= 7.2 exception: players write on paper; the arbiter knows who may pause
    MissedLines,
    /// Pressed the clock without a move.
    PressWithoutMove,
    /// Moved against the rules, where that does not lose at once.
    IllegalMove,
    /// Broke the rules for players, not gravely: talk, leaving the seat, striking the clock.
    //= 9.1.8 exception: conduct is seen by the arbiter, who enters it
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

    /// The article that makes it a foul.
    pub const fn article(self, numbering: Numbering) -> &'static str {
        let (of_1999, of_2010) = match self {
            Offence::Disturbance => ("9.1.1", "8.1(1)"),
            Offence::ClockTampering => ("9.1.2", "8.1(2)"),
            Offence::DrawOffers => ("9.1.3", "8.1(3)"),
            Offence::FalseClaim => ("9.1.4", "8.1(4)"),
            Offence::TouchUnmovable => ("9.1.5", "8.1(5)"),
            Offence::TouchUncapturable => ("9.1.6", "8.1(5)"),
            Offence::MissedLines => ("9.1.7", "8.1(6)"),
            Offence::PressWithoutMove => ("6", "8.1(7)"),
            Offence::IllegalMove => ("4.1.6", "8.1(8)"),
            Offence::Conduct => ("9.1.8", "8.1(9)"),
        };
        numbering.article(of_1999, of_2010)
    }
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

    /// Everything that `side` loses by with its fouls.
    pub fn loses(&self, side: Color, edition: &Edition) -> Vec<Reason> {
        //= 4.1.8
        //= 4.1(8)
        //= 4.1(9)
        //= 4.1(10)
        let of = |offence| self.standing(side).filter(|foul| foul.offence == offence).count() as u32;
        let counts = [
            (Reason::IllegalMove, of(Offence::IllegalMove), edition.illegal_moves_to_lose),
            (Reason::PressesWithoutMove, of(Offence::PressWithoutMove), edition.presses_without_move_to_lose),
            (Reason::Fouls, self.count(side), edition.fouls_to_lose),
        ];
        let reached = counts.into_iter().filter(|(_, count, limit)| *limit > 0 && count >= limit);
        reached.map(|(reason, ..)| reason).collect()
    }
}

/// How many fouls so many missed lines in a row make (7.1): one for every four. In 2010 eight or more make two at once.
pub fn fouls_for_missed_lines(lines: u32, edition: &Edition) -> u32 {
    //= 7.1
    //= 9.1.7
    match (edition.missed_lines_to_foul, edition.missed_lines_to_two_fouls) {
        (0, _) => 0,
        (_, two) if two > 0 && lines >= two => 2,
        (one, two) => (lines / one).min(if two > 0 { 1 } else { u32::MAX }),
    }
}
