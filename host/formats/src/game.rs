//! One record, whichever format it came from.

use std::fmt;

use xiangqi::{Board, Color, Move, Setup};

use crate::{Headers, Ply, Tree};

/// How the record says that the game ended. It is never inferred from the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Not said, or not over.
    #[default]
    Unknown,
    /// 红胜
    RedWins,
    /// 黑胜
    BlackWins,
    /// 和棋
    Draw,
    /// The record holds several games or lines with results of their own (CCBridge's 多种结果).
    Several,
}

impl Outcome {
    /// The result as PGN writes it.
    pub const fn pgn(self) -> &'static str {
        match self {
            Outcome::Unknown | Outcome::Several => "*",
            Outcome::RedWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }

    /// The result in Chinese.
    pub const fn chinese(self) -> &'static str {
        match self {
            Outcome::Unknown => "未知",
            Outcome::RedWins => "红胜",
            Outcome::BlackWins => "黑胜",
            Outcome::Draw => "和棋",
            Outcome::Several => "多种",
        }
    }

    /// Reads a result as records write it: `1-0`, `红胜`, `和局`, `red_wins` and their like.
    pub fn read(text: &str) -> Option<Outcome> {
        let text = text.trim().trim_end_matches(['。', '.']);
        Some(match text {
            "1-0" | "1:0" | "2-0" | "红胜" | "紅勝" | "红先胜" | "紅先勝" | "先胜" | "先勝" | "胜" => {
                Outcome::RedWins
            }
            "0-1" | "0:1" | "0-2" | "黑胜" | "黑勝" | "红先负" | "紅先負" | "先负" | "先負" | "负" => {
                Outcome::BlackWins
            }
            "1/2-1/2" | "1/2" | "1-1" | "0.5-0.5" | "½-½" | "和棋" | "和局" | "和" | "红先和" | "紅先和"
            | "先和" => Outcome::Draw,
            "*" | "未知" | "未定" | "unknown" => Outcome::Unknown,
            "多种" => Outcome::Several,
            _ => return None,
        })
    }

    /// `red`, `black`, `draw`, `several` or `unknown`, as our JSON writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Unknown => "unknown",
            Outcome::RedWins => "red",
            Outcome::BlackWins => "black",
            Outcome::Draw => "draw",
            Outcome::Several => "several",
        }
    }

    /// The outcome of a [`Outcome::name`].
    pub fn named(name: &str) -> Option<Outcome> {
        let all = [Outcome::Unknown, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw, Outcome::Several];
        all.into_iter().find(|outcome| outcome.name() == name)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A game, a study or a problem: where it starts, what was played, what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Who, where, when.
    pub headers: Headers,
    /// The position before the first ply. Records hold impossible ones too.
    pub start: Setup,
    /// How it ended.
    pub outcome: Outcome,
    /// The plies.
    pub tree: Tree,
}

impl Game {
    /// A game from the usual start, without a ply.
    pub fn new() -> Game {
        Game::from_start(Setup::initial())
    }

    /// A game from any position.
    pub fn from_start(start: Setup) -> Game {
        Game { headers: Headers::new(), start, outcome: Outcome::Unknown, tree: Tree::new() }
    }

    /// Whether it starts as games do.
    pub fn starts_usually(&self) -> bool {
        self.start == Setup::initial()
    }

    /// Gives the first move to the side whose piece makes it. Header fields about the side to move are wrong often
    /// enough that the piece is the better witness.
    pub fn trust_first_piece(&mut self) {
        let first = self.tree.root().first_child().and_then(|id| self.tree.node(id).ply());
        if let Some(color) = first.and_then(Ply::as_move).and_then(|m| mover(&self.start.board, m)) {
            self.start.turn = color;
        }
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

fn mover(board: &Board, m: Move) -> Option<Color> {
    board.color_at(m.from)
}
