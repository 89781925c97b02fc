//! What each move of the cycle does: 将, 杀, 捉 or something harmless.

use alloc::vec::Vec;

use super::budget::Budget;
use super::chase::Chase;
use super::mate::Mates;
use super::material::PawnScale;
use super::threat::{Means, Search, Threat};
use crate::{Bitboard, Move, Position, Role, attacks};

/// What a move is called (articles 28.1–28.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// 闲: nothing of the others.
    Idle,
    /// 跟: keeps an eye on a protected piece.
    //= 28.8 exception: the figures of the books call it 闲, and no verdict rests on it
    Follow,
    /// 拦: stands in a piece's way.
    Block,
    /// 献: offers itself.
    Offer,
    /// 兑: offers an exchange of equals.
    Exchange,
    /// 捉: threatens to win material.
    Chase,
    /// 杀: threatens mate by checks.
    Kill,
    /// 将: gives check.
    Check,
}

impl Label {
    /// The Chinese term.
    pub const fn term(self) -> &'static str {
        match self {
            Label::Check => "将",
            Label::Kill => "杀",
            Label::Chase => "捉",
            Label::Exchange => "兑",
            Label::Offer => "献",
            Label::Block => "拦",
            Label::Follow => "跟",
            Label::Idle => "闲",
        }
    }
}

/// A move with what it does and how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub played: Move,
    /// What it is called.
    pub label: Label,
    /// Where the pieces stand that it checks or chases.
    pub targets: Bitboard,
    /// The mating line behind a 杀.
    pub mate: Vec<Move>,
    /// The captures behind a 捉, the new ones.
    pub threats: Vec<Threat>,
    /// Where the pieces stand that could be won, and could be before the move as well: no 捉 (29.2).
    pub standing: Bitboard,
    /// Where the pieces stand that only a pawn newly attacks: 捉 when both sides attack throughout (27.2), else nothing.
    pub by_pawn: Bitboard,
    /// Whether it chases only together with other pieces, or only a piece that has too few roots.
    pub joint: bool,
    /// False when a search hit its bound.
    pub certain: bool,
}

impl Ply {
    /// A move that does nothing so far.
    pub fn idle(played: Move) -> Ply {
        Ply {
            played,
            label: Label::Idle,
            targets: Bitboard::EMPTY,
            mate: Vec::new(),
            threats: Vec::new(),
            standing: Bitboard::EMPTY,
            by_pawn: Bitboard::EMPTY,
            joint: false,
            certain: true,
        }
    }
}

/// What the labels depend on beside the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How pawns weigh.
    pub pawns: PawnScale,
    /// Whether a piece that moves while it takes part in a standing joint chase chases still (2020); else that is 闲
    /// (1999, detail 6). The figures of 2020 also tell 拦 from 闲.
    pub joint: bool,
}

/// How much work the label of one move is worth: checks tried in search of mate, and positions in search of material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    kill: u32,
    chase: u32,
}

impl Effort {
    /// For the moves that a verdict rests on.
    pub const FULL: Effort = Effort { kill: 2_000, chase: 60_000 };
    /// For what was played before the cycle of a long game.
    pub const BRIEF: Effort = Effort { kill: 100, chase: 1_500 };
}

/// Labels the moves of one line.
pub struct Labeller {
    reading: Reading,
    mates: Mates,
}

impl Labeller {
    /// For that reading of the rules.
    pub fn new(reading: Reading) -> Labeller {
        Labeller { reading, mates: Mates::default() }
    }

    /// Labels one legal move from `before`; `earlier` is the position before the other side's last move.
    pub fn label(&mut self, earlier: Option<&Position>, before: &Position, m: Move, effort: Effort) -> Ply {
        let mover = before.turn();
        let after = before.play_unchecked(m);
        let mut ply = Ply::idle(m);
        //= 28.1
        if after.in_check() {
            ply.label = Label::Check;
            ply.targets = Bitboard::of(after.king_of(!mover));
            return ply;
        }
        // A king that answers a check threatens nothing on purpose (2020, 26.1.3).
        if before.board().role_at(m.from) == Some(Role::King) && before.in_check() {
            return ply;
        }
        let threatening = after.with_turn(mover);
        //= 27.4
        if !self.kills(&threatening, &mut ply, effort) {
            let mut budget = Budget::of(effort.chase);
            let search = Search { scale: self.reading.pawns, budget: &mut budget };
            Chase::new(search, earlier, before, m, &threatening).describe(self.reading, &mut ply);
            ply.certain &= !budget.was_cut();
        }
        if ply.label == Label::Chase && self.defends_only(before, &after, m, &ply, effort) {
            ply.label = Label::Idle;
        }
        if self.reading.joint && ply.label == Label::Idle && self.blocks(before, m, effort) {
            ply.label = Label::Block;
        }
        ply
    }

    /// 杀: there is a mate by checks. One that begins with the capture of a rook, horse or cannon is called by that
    /// capture: to take the piece is what the move threatens in the first place.
    fn kills(&mut self, threatening: &Position, ply: &mut Ply, effort: Effort) -> bool {
        //= 28.2
        let found = self.mates.by_checks(threatening, effort.kill);
        let Some(line) = &found.line else {
            ply.certain = found.certain;
            return false;
        };
        let captured = threatening.board().role_at(line[0].to);
        if matches!(captured, Some(Role::Rook | Role::Horse | Role::Cannon)) {
            return false;
        }
        ply.label = Label::Kill;
        ply.mate = line.clone();
        true
    }

    /// The mate that the other side threatens before the move, if it does.
    fn menace(&mut self, before: &Position, effort: Effort) -> Option<&Vec<Move>> {
        if before.in_check() {
            return None;
        }
        self.mates.by_checks(&before.with_turn(!before.turn()), effort.kill).line.as_ref()
    }

    /// Whether the move does nothing but hold a point against mate, with an attack on advisors or elephants by the way.
    fn defends_only(
        &mut self,
        before: &Position,
        after: &Position,
        m: Move,
        ply: &Ply,
        effort: Effort,
    ) -> bool {
        //= 27.3
        let guards = after.board().by_role(Role::Advisor) | after.board().by_role(Role::Elephant);
        (ply.targets & !guards).is_empty()
            && ply.threats.iter().all(|t| t.means == Means::Capture && t.first.from == m.to)
            && self.menace(before, effort).is_some()
            && self.mates.by_checks(after, effort.kill).line.is_none()
    }

    /// 拦: the move stands in the way of the piece that was about to begin a mate.
    fn blocks(&mut self, before: &Position, m: Move, effort: Effort) -> bool {
        //= 28.7
        self.menace(before, effort)
            .is_some_and(|line| attacks::between(line[0].from, line[0].to).contains(m.to))
    }
}
