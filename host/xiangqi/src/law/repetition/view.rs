//! From which side a line is looked at. Left and right, and the two sides, are alike before the law; a search that tries
//! moves in some order and stops at a bound is not. So a line and its mirror images are looked at as one and the same.

use alloc::vec::Vec;

use super::label::Ply;
use super::span::Line;
use super::threat::Threat;
use super::{Judgement, Verdict};
use crate::{Bitboard, Board, ByColor, Color, Move, Position, Square};

/// Looks at the board with left and right exchanged, from the other side, both or neither. Applied twice it changes
/// nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    mirrored: bool,
    flipped: bool,
}

impl View {
    /// The view in which these positions look the same as their mirror images do in theirs.
    pub fn of(positions: &[Position]) -> View {
        let all = [(false, false), (true, false), (false, true), (true, true)];
        let all = all.map(|(mirrored, flipped)| View { mirrored, flipped });
        let seen = |view: &View| {
            let mut digests: Vec<u64> = positions.iter().map(|p| view.board(p.board()).digest()).collect();
            digests.sort_unstable();
            digests
        };
        all.into_iter().min_by_key(seen).unwrap_or_default()
    }

    fn board(self, board: &Board) -> Board {
        let board = if self.mirrored { board.mirrored() } else { *board };
        if self.flipped { board.flipped() } else { board }
    }

    fn position(self, position: &Position) -> Position {
        let position = if self.mirrored { position.mirrored() } else { *position };
        if self.flipped { position.flipped() } else { position }
    }

    fn square(self, square: Square) -> Square {
        let square = if self.mirrored { square.mirrored() } else { square };
        if self.flipped { square.rotated() } else { square }
    }

    fn squares(self, squares: Bitboard) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set.with(self.square(square)))
    }

    fn played(self, m: Move) -> Move {
        Move { from: self.square(m.from), to: self.square(m.to) }
    }

    fn side(self, side: Color) -> Color {
        if self.flipped { !side } else { side }
    }

    /// The line as it is looked at.
    pub fn line(self, line: &Line) -> Line {
        Line {
            positions: line.positions.iter().map(|position| self.position(position)).collect(),
            moves: line.moves.iter().map(|m| self.played(*m)).collect(),
        }
    }

    /// What is found, of the line as it was played.
    pub fn judgement(self, found: Judgement) -> Judgement {
        Judgement {
            verdict: match found.verdict {
                Verdict::Loses(side) => Verdict::Loses(self.side(side)),
                Verdict::MustVary(side) => Verdict::MustVary(self.side(side)),
                Verdict::Draw | Verdict::None => found.verdict,
            },
            classes: ByColor::new_with(|side| found.classes[self.side(side)]),
            plies: found.plies.into_iter().map(|ply| self.ply(ply)).collect(),
            ..found
        }
    }

    fn ply(self, ply: Ply) -> Ply {
        let threat = |threat: Threat| Threat {
            first: self.played(threat.first),
            targets: self.squares(threat.targets),
            ..threat
        };
        Ply {
            played: self.played(ply.played),
            targets: self.squares(ply.targets),
            mate: ply.mate.into_iter().map(|m| self.played(m)).collect(),
            threats: ply.threats.into_iter().map(threat).collect(),
            standing: self.squares(ply.standing),
            by_pawn: self.squares(ply.by_pawn),
            ..ply
        }
    }
}
