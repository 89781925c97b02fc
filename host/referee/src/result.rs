//! The end of a game: score, reason, signatures, and corrections that keep what they correct (article 10.1).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use xiangqi::law::edition::Numbering;
use xiangqi::{ByColor, Color};

use crate::By;

/// Who won. The result is a statement of its own, never inferred from what stands on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Score {
    /// 红胜.
    #[serde(rename = "1-0")]
    RedWins,
    /// 黑胜.
    #[serde(rename = "0-1")]
    BlackWins,
    /// 和.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// 双方弃权, or both punished.
    #[serde(rename = "0-0")]
    BothLose,
}

impl Score {
    /// The game is lost by `side`.
    pub const fn lost_by(side: Color) -> Score {
        match side {
            Color::Red => Score::BlackWins,
            Color::Black => Score::RedWins,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `0-0`.
    pub const fn text(self) -> &'static str {
        match self {
            Score::RedWins => "1-0",
            Score::BlackWins => "0-1",
            Score::Draw => "1/2-1/2",
            Score::BothLose => "0-0",
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The text was none of the four scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseScoreError;

impl fmt::Display for ParseScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 1-0, 0-1, 1/2-1/2 or 0-0")
    }
}

impl core::error::Error for ParseScoreError {}

impl FromStr for Score {
    type Err = ParseScoreError;

    fn from_str(text: &str) -> Result<Score, ParseScoreError> {
        let all = [Score::RedWins, Score::BlackWins, Score::Draw, Score::BothLose];
        all.into_iter().find(|score| score.text() == text).ok_or(ParseScoreError)
    }
}

/// Why a game ended, or could be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// 将死.
    Checkmate,
    /// 困毙.
    Stalemate,
    /// The kings were left facing.
    KingsFacing,
    /// 自杀.
    Suicide,
    /// 超时.
    Flag,
    /// 迟到, beyond the limit.
    Late,
    /// Both beyond the limit (双方弃权).
    BothLate,
    /// A move against the rules of movement.
    IllegalMove,
    /// Pressed the clock without a move, too often.
    PressesWithoutMove,
    /// 单方长将.
    PerpetualCheck,
    /// 应变不变: did not vary when it had to.
    NotVaried,
    /// Too many fouls.
    Fouls,
    /// A second false claim of the natural limit in one stretch.
    FalseClaims,
    /// 认输.
    Resignation,
    /// Refused the rules, or broke discipline gravely.
    //= 4.1.10
    Conduct,
    /// Neither side can win.
    NoWinPossible,
    /// 提和, and agreed.
    Agreement,
    /// 不变作和.
    Repetition,
    /// 自然限着.
    NaturalLimit,
    /// Won or lost without play.
    //= 21.4 exception: nobody sits at the board; the hall enters the result, marked as not played
    Forfeit,
    /// The arbiter's decision, whose reason is with the order.
    Arbiter,
}

impl Reason {
    /// The article under which a game ends so.
    pub const fn article(self, numbering: Numbering) -> &'static str {
        let (of_1999, of_2010) = match self {
            Reason::Checkmate => ("4.1.1", "4.1(1)"),
            Reason::KingsFacing => ("4.1.2", "4.1(3)"),
            Reason::Stalemate => ("4.1.3", "4.1(2)"),
            Reason::Suicide => ("4.1.6", "4.1(3)"),
            Reason::Flag => ("4.1.4", "4.1(6)"),
            Reason::Late => ("4.1.5", "4.1(7)"),
            Reason::BothLate => ("21.3", "21.3"),
            Reason::IllegalMove => ("4.1.6", "4.1(8)"),
            Reason::PressesWithoutMove => ("9.1.8", "4.1(9)"),
            Reason::PerpetualCheck => ("24.1", "4.1(4)"),
            Reason::NotVaried => ("4.1.7", "4.1(5)"),
            Reason::Fouls => ("4.1.8", "4.1(10)"),
            Reason::FalseClaims => ("9.1.4", "4.1(11)"),
            Reason::Resignation => ("4.1.9", "4.1(12)"),
            Reason::Conduct => ("4.1.10", "4.1(13)"),
            Reason::NoWinPossible => ("4.2.1", "4.2(2)"),
            Reason::Agreement => ("4.2.2", "4.2(1)"),
            Reason::Repetition => ("4.2.3", "4.2(3)"),
            Reason::NaturalLimit => ("4.2.4", "4.2(4)"),
            Reason::Forfeit => ("21.4", "21.4"),
            Reason::Arbiter => ("17.4", "17.4"),
        };
        numbering.article(of_1999, of_2010)
    }

    /// Whether a game can end with that score for this reason.
    pub const fn leads_to(self, score: Score) -> bool {
        use Reason::{BothLate, Checkmate, KingsFacing, Resignation, Stalemate, Suicide};
        match (self, score) {
            (Reason::Arbiter, _) => true,
            (BothLate, score) => matches!(score, Score::BothLose),
            // Of two only one stands mated, and one resigns to the other.
            (Checkmate | Stalemate | KingsFacing | Suicide | Resignation, Score::BothLose) => false,
            (_, score) => self.is_draw() == matches!(score, Score::Draw),
        }
    }

    /// Whether the game ends with no winner for this reason.
    pub const fn is_draw(self) -> bool {
        matches!(self, Reason::NoWinPossible | Reason::Agreement | Reason::Repetition | Reason::NaturalLimit)
    }
}

/// A result as it was declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// The number of this result in the game, from 1.
    pub result: u32,
    /// Who won.
    pub score: Score,
    /// Why.
    pub reason: Reason,
    /// The article, as the edition in force numbers it.
    pub article: String,
    /// The plies that had been committed.
    pub plies: u32,
    /// Who declared it: the board for what stands on it, a player who resigned or agreed, or the arbiter.
    pub by: By,
    /// The result that this one corrects; it stays in the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects: Option<u32>,
    /// In the arbiter's words, where there are any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The time that each side has used in the whole game, where there is a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<UsedTime>,
}

/// The time that both sides have used in a game. An event plan may rank players by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UsedTime {
    /// What Red has used, in microseconds.
    pub red_us: u64,
    /// What Black has used.
    pub black_us: u64,
}

impl GameResult {
    /// A result as the board, a player or an arbiter says it; [`Results::declare`] gives it its number.
    pub fn new(score: Score, reason: Reason, numbering: Numbering, by: By) -> GameResult {
        let (article, note) = (String::from(reason.article(numbering)), String::new());
        GameResult { result: 1, score, reason, article, plies: 0, by, corrects: None, note, used: None }
    }
}

/// Every result that a game has had, and who signed the one in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    declared: Vec<GameResult>,
    open: bool,
    players: ByColor<bool>,
    arbiter: Option<String>,
}

impl Results {
    /// A game that has not ended.
    pub fn new() -> Results {
        Results { open: true, ..Results::default() }
    }

    /// The result in force.
    pub fn current(&self) -> Option<&GameResult> {
        if self.open { None } else { self.declared.last() }
    }

    /// Every result that was ever declared, first to last.
    pub fn history(&self) -> &[GameResult] {
        &self.declared
    }

    /// Declares `result`; what was in force before, or before the game was reopened, is kept and named by it.
    /// Signatures are for one result: a new one is unsigned.
    pub fn declare(&mut self, mut result: GameResult) -> &GameResult {
        result.result = self.declared.len() as u32 + 1;
        result.corrects = self.declared.last().map(|before| before.result);
        self.declared.push(result);
        self.open = false;
        self.players = ByColor::default();
        self.arbiter = None;
        self.declared.last().expect("one was pushed")
    }

    /// Play goes on; the result that was in force stays in the history.
    pub fn reopen(&mut self) -> Option<&GameResult> {
        if core::mem::replace(&mut self.open, true) {
            return None;
        }
        (self.players, self.arbiter) = (ByColor::default(), None);
        self.declared.last()
    }

    /// `who` signs the result in force; its number, unless there is none or it is signed by him already.
    pub fn sign(&mut self, who: &By) -> Option<u32> {
        //= 10.1
        let number = self.current()?.result;
        let new = match who {
            By::Board => false,
            By::Red => !core::mem::replace(&mut self.players.red, true),
            By::Black => !core::mem::replace(&mut self.players.black, true),
            By::Arbiter(name) => {
                let first = self.arbiter.is_none();
                self.arbiter.get_or_insert_with(|| name.clone());
                first
            }
        };
        new.then_some(number)
    }

    /// Takes a signature off the result in force; its number, if there was one.
    pub fn withdraw_signature(&mut self, who: &By) -> Option<u32> {
        let number = self.current()?.result;
        let had = match who {
            By::Board => false,
            By::Red => core::mem::take(&mut self.players.red),
            By::Black => core::mem::take(&mut self.players.black),
            By::Arbiter(name) => self.arbiter.take_if(|signed| signed == name).is_some(),
        };
        had.then_some(number)
    }

    /// Who has signed the result in force.
    pub fn signatures(&self) -> Vec<By> {
        let red = self.players.red.then_some(By::Red);
        let black = self.players.black.then_some(By::Black);
        [red, black, self.arbiter.clone().map(By::Arbiter)].into_iter().flatten().collect()
    }

    /// Whether both players and an arbiter have signed the result in force: the end of the game (10.1).
    pub fn is_signed_off(&self) -> bool {
        !self.open && self.players.red && self.players.black && self.arbiter.is_some()
    }
}
