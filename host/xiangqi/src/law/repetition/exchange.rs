//! The exchange that follows a capture or a check: what a side has won when the dust settles (完整的交换过程).

use alloc::vec::Vec;

use super::budget::Budget;
use super::mate;
use super::material::{Material, PawnScale, net};
use crate::{Bitboard, ByColor, Color, Move, Position, Role, Square};

/// The value of mate.
pub const MATE: i32 = 10_000;

/// What has changed hands so far, seen from the side that threatens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What the side that threatens has captured.
    pub won: Material,
    /// What it has lost.
    pub lost: Material,
}

/// The search that settles an exchange.
pub struct Exchange<'a> {
    /// The side that threatens.
    pub side: Color,
    /// How pawns weigh.
    pub scale: PawnScale,
    /// The bound on work.
    pub budget: &'a mut Budget,
    /// Where pieces stand that the side could win anyway: taking them later proves nothing about this threat.
    pub standing: Bitboard,
    /// Captures of equal pieces that could take back: they are offered (兑), and nothing that rests on them is won.
    pub offered: Vec<Move>,
    /// The point of the first capture.
    pub focus: Option<Square>,
}

/// How far a line may still go.
#[derive(Clone, Copy)]
pub struct Reach {
    /// Plies.
    pub plies: u32,
    /// Checks that each side may still give.
    pub checks: ByColor<u32>,
}

impl Exchange<'_> {
    /// What the side has in the end, with best play of both sides from here by captures and checks; either may stop
    /// when it is not in check.
    pub fn settle(&mut self, position: &Position, tally: Tally, reach: Reach, window: (i32, i32)) -> i32 {
        let ours = position.turn() == self.side;
        let in_check = position.in_check();
        let stand = net(tally.won, tally.lost, self.scale);
        if !self.budget.spend() {
            return stand;
        }
        let (mut alpha, mut beta) = window;
        let mut best = if ours { -MATE } else { MATE };
        if !in_check {
            best = stand;
            if ours {
                alpha = alpha.max(stand)
            } else {
                beta = beta.min(stand)
            }
            if alpha >= beta {
                return best;
            }
        }
        if reach.plies == 0 {
            return if in_check && position.has_legal_move() { stand } else { best };
        }
        for (m, check) in self.candidates(position, in_check, reach) {
            let after = position.play_unchecked(m);
            let captured = if ours && !self.counts(position, m) {
                Material::NONE
            } else {
                Material::on(position.board(), m.to)
            };
            let tally = if ours {
                Tally { won: tally.won.plus(captured), ..tally }
            } else {
                Tally { lost: tally.lost.plus(captured), ..tally }
            };
            let mut reach = Reach { plies: reach.plies - 1, ..reach };
            if check {
                reach.checks[position.turn()] = reach.checks[position.turn()].saturating_sub(1);
            }
            let value = self.settle(&after, tally, reach, (alpha, beta));
            if ours {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Whether a capture of our side counts as a gain of this threat.
    fn counts(&self, position: &Position, m: Move) -> bool {
        if self.offered.contains(&m) {
            return false;
        }
        if self.focus == Some(m.to) {
            return true;
        }
        !position.board().role_at(m.from).is_some_and(attacks_freely) && !self.standing.contains(m.to)
    }

    /// The moves that matter: all when in check, else captures of material, dearest first, and checks.
    fn candidates(&self, position: &Position, in_check: bool, reach: Reach) -> Vec<(Move, bool)> {
        let board = position.board();
        let ours = position.turn() == self.side;
        let may_check = reach.checks[position.turn()] > 0;
        let checking = position.checking_moves();
        let mut moves = Vec::new();
        for m in &position.legal_moves() {
            if board.role_at(m.to) == Some(Role::King) {
                continue;
            }
            let material = Material::on(board, m.to);
            let captures = !material.is_none() && (!ours || self.counts(position, m));
            let check = checking.contains(&m);
            if in_check || captures || check && may_check {
                moves.push((material, m, check));
            }
        }
        moves.sort_by_key(|(material, m, check)| {
            (core::cmp::Reverse(net(*material, Material::NONE, self.scale)), core::cmp::Reverse(*check), *m)
        });
        moves.into_iter().map(|(_, m, check)| (m, check)).collect()
    }
}

/// Kings and pawns may attack what they like (27.1, 27.2): what only they could take is not threatened.
pub const fn attacks_freely(role: Role) -> bool {
    matches!(role, Role::King | Role::Pawn)
}

/// The legal captures of the side to move on one point, cheapest captor first.
pub fn captures_on(position: &Position, square: Square) -> Vec<Move> {
    let board = position.board();
    let mut captors: Vec<(Material, Move)> = board
        .attackers_of(square, position.turn())
        .map(|from| (Material::on(board, from), Move::new(from, square)))
        .filter(|(_, m)| position.is_legal(*m))
        .collect();
    captors.sort();
    captors.into_iter().map(|(_, m)| m).collect()
}

/// What captures and recaptures on one point bring the side that has just captured there; the other side is to move.
pub fn on_square(
    position: &Position,
    square: Square,
    tally: Tally,
    scale: PawnScale,
    barred: Bitboard,
) -> i32 {
    let mut least = net(tally.won, tally.lost, scale);
    let by_piece = !position.board().role_at(square).is_some_and(attacks_freely);
    for m in captures_on(position, square) {
        let lost = tally.lost.plus(Material::on(position.board(), square));
        let answered = position.play_unchecked(m);
        let tally = Tally { lost, ..tally };
        // A recapture that walks into mate is no root (假根). Pawns are not lent this help: their attacks are free.
        if by_piece && mate::at_once(&answered).is_some() {
            continue;
        }
        let mut best = net(tally.won, tally.lost, scale);
        for m in captures_on(&answered, square) {
            if barred.contains(m.from) {
                continue;
            }
            let won = tally.won.plus(Material::on(answered.board(), square));
            let tally = Tally { won, ..tally };
            best = best.max(on_square(&answered.play_unchecked(m), square, tally, scale, barred));
        }
        least = least.min(best);
    }
    least
}
