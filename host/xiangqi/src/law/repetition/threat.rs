//! What a side could win if it were to move: the captures behind 捉.

use alloc::vec::Vec;

use super::budget::Budget;
use super::exchange::{self, Exchange, MATE, Reach, Tally, attacks_freely, on_square};
use super::mate;
use super::material::{Material, PawnScale, net};
use crate::{Bitboard, ByColor, Color, Move, Position, Role, Square};

/// How a threat wins material (article 29.1 of 1999).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Means {
    /// It captures, and what is lost on the same point is worth less.
    Capture,
    /// It captures, and the recapture uncovers something else.
    Exchange,
    /// Checks come first.
    Checks,
}

/// A way to win material with the next move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The move that begins it.
    pub first: Move,
    /// What makes that move.
    pub by: Role,
    /// Where the pieces stand that it wins.
    pub targets: Bitboard,
    /// What it brings at least.
    pub gain: i32,
    /// How.
    pub means: Means,
    /// Whether it offers an exchange of equal pieces: each can capture the other.
    pub mutual: bool,
    /// Whether the piece that checks and the piece that captures are two.
    pub joint: bool,
}

/// The longest series of checks that is followed to a capture.
const CHECKS: u32 = 3;

/// What the other side may do after a capture that ends a series of checks without check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calm {
    /// Nothing but recapture.
    Kept,
    /// It takes elsewhere what it can; only a gain that survives that is one.
    Answered,
}

/// Searches for threats in one position.
pub struct Search<'a> {
    /// How pawns weigh.
    pub scale: PawnScale,
    /// The bound on work.
    pub budget: &'a mut Budget,
}

impl Search<'_> {
    /// Every way in which the side to move wins material.
    pub fn threats(&mut self, position: &Position) -> Vec<Threat> {
        //= 29.1
        let mut threats = self.captures(position);
        // What only pawns attack is free, so it does not stand in the way of other threats.
        let standing = threats
            .iter()
            .filter(|threat| !attacks_freely(threat.by))
            .fold(Bitboard::EMPTY, |set, threat| set | threat.targets);
        self.exchanges(position, standing, &mut threats);
        self.by_checks(position, standing, &mut threats);
        threats
    }

    /// Captures that win on their point and do not walk into mate.
    fn captures(&mut self, position: &Position) -> Vec<Threat> {
        let board = position.board();
        let mut threats = Vec::new();
        for m in &position.legal_captures() {
            let by = board.role_at(m.from).expect("a piece moves");
            //= 27.1
            //= 29.3
            if Material::on(board, m.to).is_none() || by == Role::King {
                continue;
            }
            // Pieces on offer for exchange there do not count as attackers; a win that needs them is an offer too.
            let equals = exchangeable(position, m.to);
            let alone = self.capture(position, m, equals.without(m.from));
            let (gain, mutual) = if alone > 0 {
                (alone, equals.contains(m.from))
            } else {
                (self.capture(position, m, Bitboard::EMPTY), true)
            };
            //= 29.4
            if gain > 0 && mate::at_once(&position.play_unchecked(m)).is_none() {
                let targets = Bitboard::of(m.to);
                threats.push(Threat {
                    first: m,
                    by,
                    targets,
                    gain,
                    means: Means::Capture,
                    mutual,
                    joint: false,
                });
            }
        }
        threats
    }

    /// What a capture brings on its point.
    pub fn capture(&mut self, position: &Position, m: Move, barred: Bitboard) -> i32 {
        let tally = Tally { won: Material::on(position.board(), m.to), lost: Material::NONE };
        on_square(&position.play_unchecked(m), m.to, tally, self.scale, barred)
    }

    /// What a move brings when the other side answers as it likes, on the whole board.
    pub fn whole(&mut self, position: &Position, m: Move, standing: Bitboard) -> i32 {
        let captured = Material::on(position.board(), m.to);
        let side = position.turn();
        let focus = (!captured.is_none()).then_some(m.to);
        let offered = offered(position);
        let mut exchange =
            Exchange { side, scale: self.scale, budget: self.budget, standing, offered, focus };
        let tally = Tally { won: captured, ..Tally::default() };
        exchange.settle(&position.play_unchecked(m), tally, reach(side), (-MATE, MATE))
    }

    /// Captures that win only because the recapture uncovers something.
    fn exchanges(&mut self, position: &Position, standing: Bitboard, threats: &mut Vec<Threat>) {
        let board = position.board();
        for m in &position.legal_captures() {
            let by = board.role_at(m.from).expect("a piece moves");
            if Material::on(board, m.to).is_none()
                || attacks_freely(by)
                || threats.iter().any(|threat| threat.first == m)
            {
                continue;
            }
            let won = Material::on(board, m.to);
            let after = position.play_unchecked(m);
            let mut least = i32::MAX;
            let mut targets = Bitboard::of(m.to);
            for answer in exchange::captures_on(&after, m.to) {
                let tally = Tally { won, lost: Material::on(after.board(), m.to) };
                let (gain, wins, _) =
                    self.best_capture(&after.play_unchecked(answer), standing, tally, Calm::Kept);
                least = least.min(gain);
                targets |= wins;
            }
            if least > 0 && least < i32::MAX {
                let gain = self.whole(position, m, standing);
                if gain > 0 {
                    let mutual = exchangeable(position, m.to).contains(m.from);
                    threats.push(Threat {
                        first: m,
                        by,
                        targets,
                        gain,
                        means: Means::Exchange,
                        mutual,
                        joint: false,
                    });
                }
            }
        }
    }

    /// The best capture of the side to move, those on `but` left out, and what it takes.
    fn best_capture(
        &mut self,
        position: &Position,
        but: Bitboard,
        tally: Tally,
        calm: Calm,
    ) -> (i32, Bitboard, Option<Square>) {
        let board = position.board();
        let mut best = (net(tally.won, tally.lost, self.scale), Bitboard::EMPTY, None);
        for m in &position.legal_captures() {
            let by = board.role_at(m.from).expect("a piece moves");
            let won = Material::on(board, m.to);
            if but.contains(m.to) || won.is_none() || attacks_freely(by) || !self.budget.spend() {
                continue;
            }
            let tally = Tally { won: tally.won.plus(won), ..tally };
            let after = position.play_unchecked(m);
            let mut gain = on_square(&after, m.to, tally, self.scale, Bitboard::EMPTY);
            if calm == Calm::Answered && gain > best.0 && !after.in_check() {
                gain -= self.best_capture(&after, Bitboard::of(m.to), Tally::default(), Calm::Kept).0;
            }
            if gain > best.0 {
                best = (gain, Bitboard::of(m.to), Some(m.from));
            }
        }
        best
    }

    /// Checks that lead to a capture whatever the defence.
    fn by_checks(&mut self, position: &Position, standing: Bitboard, threats: &mut Vec<Threat>) {
        let board = position.board();
        for m in &position.checking_moves() {
            if threats.iter().any(|threat| threat.first == m) {
                continue;
            }
            let after = position.play_unchecked(m);
            let by = board.role_at(m.from).expect("a piece moves");
            let tally = Tally { won: gained(position, m), lost: Material::NONE };
            for depth in 1..=CHECKS {
                let (gain, targets, joint) = self.after_check(&after, depth, standing, tally, m.to);
                if gain > 0 && gain < MATE {
                    threats.push(Threat {
                        first: m,
                        by,
                        targets,
                        gain,
                        means: Means::Checks,
                        mutual: false,
                        joint,
                    });
                    break;
                }
            }
        }
    }

    /// What the side that has just given check gets against the best defence, what it takes, and whether with another
    /// piece than the one on `lead` that checked.
    fn after_check(
        &mut self,
        position: &Position,
        depth: u32,
        standing: Bitboard,
        tally: Tally,
        lead: Square,
    ) -> (i32, Bitboard, bool) {
        let mut least = MATE;
        let mut targets = Bitboard::EMPTY;
        let mut joint = false;
        for answer in &position.legal_moves() {
            if !self.budget.spend() {
                return (0, Bitboard::EMPTY, false);
            }
            let next = position.play_unchecked(answer);
            let lost = tally.lost.plus(Material::on(position.board(), answer.to));
            let (gain, wins, by_another) =
                self.go_on(&next, depth - 1, moved(standing, answer), Tally { lost, ..tally }, lead);
            least = least.min(gain);
            targets |= moved_back(wins, answer);
            joint |= by_another;
            if least <= 0 {
                return (least, Bitboard::EMPTY, false);
            }
        }
        (least, targets, joint)
    }

    /// What the side to move gets by capturing or by another check.
    fn go_on(
        &mut self,
        position: &Position,
        depth: u32,
        standing: Bitboard,
        tally: Tally,
        lead: Square,
    ) -> (i32, Bitboard, bool) {
        if !position.has_legal_move() {
            return (-MATE, Bitboard::EMPTY, false);
        }
        let (gain, targets, captor) = self.best_capture(position, standing, tally, Calm::Answered);
        let mut best = (gain, targets, captor.is_some_and(|captor| captor != lead));
        if best.0 > 0 || depth == 0 {
            return best;
        }
        for m in &position.checking_moves() {
            if !self.budget.spend() {
                break;
            }
            let after = position.play_unchecked(m);
            let tally = Tally { won: tally.won.plus(gained(position, m)), ..tally };
            let (gain, targets, joint) = self.after_check(&after, depth, standing, tally, m.to);
            if gain > best.0 {
                best = (gain, targets, joint || m.from != lead);
            }
        }
        best
    }
}

/// What a checking move takes by the way; what kings and pawns take is not counted (27.1, 27.2).
fn gained(position: &Position, m: Move) -> Material {
    let by = position.board().role_at(m.from);
    if by.is_some_and(attacks_freely) { Material::NONE } else { Material::on(position.board(), m.to) }
}

/// Plies, own checks, their checks.
const REACH: (u32, u32, u32) = (8, 3, 2);

fn reach(side: Color) -> Reach {
    let mut checks = ByColor { red: REACH.2, black: REACH.2 };
    checks[side] = REACH.1;
    Reach { plies: REACH.0, checks }
}

/// The pieces of the side to move that could exchange themselves for the equal piece on `target`: each could capture the
/// other.
pub fn exchangeable(position: &Position, target: Square) -> Bitboard {
    let Some(role) = position.board().role_at(target) else { return Bitboard::EMPTY };
    let theirs = position.with_turn(!position.turn());
    position
        .board()
        .attackers_of(target, position.turn())
        .filter(|from| position.board().role_at(*from) == Some(role))
        .filter(|from| theirs.is_legal(Move::new(target, *from)))
        .collect()
}

/// The captures by which pieces of the side to move would exchange themselves for equal ones.
fn offered(position: &Position) -> Vec<Move> {
    let pairs = |target| exchangeable(position, target).map(move |from| Move::new(from, target));
    position.board().by_color(!position.turn()).flat_map(pairs).collect()
}

/// A set of pieces followed through a move of one of them.
fn moved(set: Bitboard, m: Move) -> Bitboard {
    let set = set.without(m.to);
    if set.contains(m.from) { set.without(m.from).with(m.to) } else { set }
}

/// The set before the move.
fn moved_back(set: Bitboard, m: Move) -> Bitboard {
    if set.contains(m.to) { set.without(m.to).with(m.from) } else { set }
}
