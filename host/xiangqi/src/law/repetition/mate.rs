//! Mate by an unbroken series of checks (连将杀): what makes a move 杀.

use alloc::vec::Vec;

use super::budget::Budget;
use crate::{Move, MoveList, Position};

/// The longest series of checks that is followed: no figure of the books needs more.
pub const LONGEST: u32 = 9;

/// The shortest series of checks by which the side to move mates, its own moves and one defence between each pair of
/// them. Every defence has been tried; `None` when there is no such mate within the bounds.
pub fn by_checks(position: &Position, budget: &mut Budget) -> Option<Vec<Move>> {
    for depth in 1..=LONGEST {
        let mut line = Vec::new();
        let mut cut = false;
        if mates(position, depth, budget, &mut line, &mut cut) {
            line.reverse();
            return Some(line);
        }
        // No line was cut short by the depth: longer series do not exist.
        if !cut || budget.is_spent() {
            return None;
        }
    }
    None
}

/// Whether some check leads to mate within `depth` checks; the line is left in reverse.
fn mates(position: &Position, depth: u32, budget: &mut Budget, line: &mut Vec<Move>, cut: &mut bool) -> bool {
    let mut checks: Vec<(usize, Move, Position, MoveList)> = Vec::new();
    for m in &position.checking_moves() {
        if !budget.spend() {
            return false;
        }
        let after = position.play_unchecked(m);
        if depth == 1 {
            if !after.has_legal_move() {
                line.push(m);
                return true;
            }
            *cut = true;
            continue;
        }
        let answers = after.legal_moves();
        if answers.is_empty() {
            line.push(m);
            return true;
        }
        checks.push((answers.len(), m, after, answers));
    }
    checks.sort_by_key(|(answers, m, ..)| (*answers, *m));
    for (_, m, after, answers) in checks {
        if holds_against_all(&after, &answers, depth - 1, budget, line, cut) {
            line.push(m);
            return true;
        }
        if budget.is_spent() {
            return false;
        }
    }
    false
}

/// Whether every answer to the check runs into mate; the line follows the answer that holds longest in the order tried.
fn holds_against_all(
    after: &Position,
    answers: &MoveList,
    depth: u32,
    budget: &mut Budget,
    line: &mut Vec<Move>,
    cut: &mut bool,
) -> bool {
    let kept = line.len();
    let mut longest: Vec<Move> = Vec::new();
    for answer in answers {
        let mut rest = Vec::new();
        if !mates(&after.play_unchecked(answer), depth, budget, &mut rest, cut) {
            line.truncate(kept);
            return false;
        }
        if rest.len() >= longest.len() {
            rest.push(answer);
            longest = rest;
        }
    }
    line.extend(longest);
    true
}

/// Whether the side to move can mate with a single move.
pub fn at_once(position: &Position) -> Option<Move> {
    position.checking_moves().into_iter().find(|m| !position.play_unchecked(*m).has_legal_move())
}
