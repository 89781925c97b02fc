//! Mate by an unbroken series of checks (连将杀): what makes a move 杀.

use alloc::collections::BTreeMap;
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
    let mut search = Search { budget, refuted: BTreeMap::new() };
    for depth in 1..=LONGEST {
        let mut line = Vec::new();
        match search.mates(position, depth, &mut line) {
            Outcome::Mate => {
                line.reverse();
                return Some(line);
            }
            Outcome::Deeper if !search.budget.is_spent() => {}
            // No line was cut short by the depth: longer series do not exist.
            _ => return None,
        }
    }
    None
}

/// What is known of a position in which the side that checks is to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The checks run out.
    Nothing,
    /// No mate so far; longer series have not been tried.
    Deeper,
    /// Mate.
    Mate,
}

/// One search for mate. Different orders of the same checks meet in the same positions, which are searched once.
struct Search<'a> {
    budget: &'a mut Budget,
    /// By digest of the board: the board, how many checks did not mate from it, and whether more might.
    refuted: BTreeMap<u64, (Board, u32, Outcome)>,
}

impl Search<'_> {
    /// Whether some check leads to mate within `depth` checks; the line is left in reverse.
    fn mates(&mut self, position: &Position, depth: u32, line: &mut Vec<Move>) -> Outcome {
        let digest = position.board().digest();
        if let Some((board, tried, outcome)) = self.refuted.get(&digest)
            && (*tried >= depth || *outcome == Outcome::Nothing)
            && board == position.board()
        {
            return *outcome;
        }
        let outcome = self.tries(position, depth, line);
        if outcome != Outcome::Mate && !self.budget.is_spent() {
            self.refuted.insert(digest, (*position.board(), depth, outcome));
        }
        outcome
    }

    fn tries(&mut self, position: &Position, depth: u32, line: &mut Vec<Move>) -> Outcome {
        let mut checks: Vec<(usize, Move, Position, MoveList)> = Vec::new();
        let checking = position.checking_moves();
        for m in &checking {
            if !self.budget.spend() {
                return Outcome::Deeper;
            }
            let after = position.play_unchecked(m);
            if !after.has_legal_move() {
                line.push(m);
                return Outcome::Mate;
            }
            if depth > 1 {
                let answers = after.legal_moves();
                checks.push((answers.len(), m, after, answers));
            }
        }
        if depth == 1 {
            return if checking.is_empty() { Outcome::Nothing } else { Outcome::Deeper };
        }
        checks.sort_by_key(|(answers, m, ..)| (*answers, *m));
        let mut best = Outcome::Nothing;
        for (_, m, after, answers) in checks {
            best = best.max(self.holds_against_all(&after, &answers, depth - 1, line));
            if best == Outcome::Mate {
                line.push(m);
                return best;
            }
            if self.budget.is_spent() {
                return Outcome::Deeper;
            }
        }
        best
    }

    /// Whether every answer to the check runs into mate; the line follows the answer that holds longest in the order
    /// tried.
    fn holds_against_all(
        &mut self,
        after: &Position,
        answers: &MoveList,
        depth: u32,
        line: &mut Vec<Move>,
    ) -> Outcome {
        let mut longest: Vec<Move> = Vec::new();
        for answer in answers {
            let mut rest = Vec::new();
            let outcome = self.mates(&after.play_unchecked(answer), depth, &mut rest);
            if outcome != Outcome::Mate {
                return outcome;
            }
            if rest.len() >= longest.len() {
                rest.push(answer);
                longest = rest;
            }
        }
        line.extend(longest);
        Outcome::Mate
    }
}

/// Whether the side to move can mate with a single move.
pub fn at_once(position: &Position) -> Option<Move> {
    position.checking_moves().into_iter().find(|m| !position.play_unchecked(*m).has_legal_move())
}
