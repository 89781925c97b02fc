//! Where a line of play repeats itself.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{Board, Color, Move, Position};

/// A line of play: the positions after each move, the start first.
#[derive(Clone, Debug)]
pub struct Line {
    /// One more than there are moves.
    pub positions: Vec<Position>,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Line {
    /// Plays the moves; an illegal one is returned with its index and the reason.
    pub fn play(start: &Position, moves: &[Move]) -> Result<Line, (usize, crate::Illegality)> {
        let mut positions = Vec::with_capacity(moves.len() + 1);
        positions.push(*start);
        for (i, m) in moves.iter().enumerate() {
            let next = positions[i].play(*m).map_err(|why| (i, why))?;
            positions.push(next);
        }
        Ok(Line { positions, moves: moves.to_vec() })
    }

    /// The moves between the first occurrence of the last position and the last: every cycle within them is judged too.
    ///
    /// A capture, or a pawn that went forward, cannot recur; so nothing before one is looked at.
    pub fn repeated_span(&self) -> Option<Range<usize>> {
        //= 25.1
        let last = self.moves.len();
        let here = key(&self.positions[last]);
        (0..last).find(|i| key(&self.positions[*i]) == here).map(|first| first..last)
    }

    /// How many times in a row the span runs through its shortest cycle.
    pub fn rounds(&self, span: &Range<usize>) -> usize {
        let alike = |i: usize, j: usize| {
            self.moves[i] == self.moves[j] && key(&self.positions[i]) == key(&self.positions[j])
        };
        let repeats = |length: &usize| {
            span.len().is_multiple_of(*length)
                && (span.start + length..span.end).all(|i| alike(i, i - length))
        };
        (1..=span.len()).find(repeats).map_or(1, |length| span.len() / length)
    }

    /// Whether two moves of the line are the same, from the same position, after the same move.
    pub fn is_same_move(&self, a: usize, b: usize, span: Option<&Range<usize>>) -> bool {
        self.moves[a] == self.moves[b]
            && key(&self.positions[a]) == key(&self.positions[b])
            && self.earlier(a, span).map(key) == self.earlier(b, span).map(key)
    }

    /// The position before the other side's move that led to `positions[i]`; at the head of a span, the one that the
    /// cycle comes from.
    pub fn earlier(&self, i: usize, span: Option<&Range<usize>>) -> Option<&Position> {
        match span {
            Some(span) if span.start == i => self.positions.get(span.end - 1),
            _ => i.checked_sub(1).map(|i| &self.positions[i]),
        }
    }
}

/// What makes positions equal: the board and whose turn it is.
fn key(position: &Position) -> (&Board, Color) {
    (position.board(), position.turn())
}
