//! Mate by an unbroken series of checks (连将杀): what makes a move 杀.

use alloc::vec::Vec;

use super::budget::Budget;
use crate::{Board, Color, Move, MoveList, Position};

/// The longest series of checks that is followed: no figure of the books needs more.
const LONGEST: u32 = 9;

/// The searches of one line of play. The same question comes back: a threat of mate that one move makes is what the next
/// may parry, and a cycle returns to its positions.
#[derive(Debug, Default)]
pub struct Mates {
    answered: Vec<(Board, Color, u32, Found)>,
}

/// What a search for mate found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The shortest series of checks that mates, own moves and one defence between each pair of them.
    pub line: Option<Vec<Move>>,
    /// False when there may be one that the search did not reach.
    pub certain: bool,
}

impl Mates {
    /// How the side to move mates by checks alone, every defence tried, within `work` checks tried.
    pub fn by_checks(&mut self, position: &Position, work: u32) -> &Found {
        let is_here = |(board, turn, worked, found): &(Board, Color, u32, Found)| {
            *turn == position.turn() && board == position.board() && (found.certain || *worked >= work)
        };
        let known = self.answered.iter().position(is_here).unwrap_or_else(|| {
            let mut budget = Budget::of(work);
            let line = by_checks(position, &mut budget);
            let certain = line.is_some() || !budget.was_cut();
            self.answered.push((*position.board(), position.turn(), work, Found { line, certain }));
            self.answered.len() - 1
        });
        &self.answered[known].3
    }
}

fn by_checks(position: &Position, budget: &mut Budget) -> Option<Vec<Move>> {
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
