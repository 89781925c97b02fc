//! Chases as the World Xiangqi Federation counts them (2018): one piece attacked again and again.
//!
//! Only captures with the very next move count, by pieces other than kings and pawns, of a piece that nothing can
//! recapture, or of a rook by a horse or a cannon. Threats of mate and captures after a check are no chase.

use alloc::vec::Vec;
use core::ops::Range;

use super::label::{Label, Ply};
use super::material::Material;
use super::span::Line;
use super::threat::{Means, Threat, exchangeable};
use crate::{Bitboard, Color, Move, Position, Role, Square};

/// Labels one move: 将, or 捉 with the pieces that it newly attacks.
pub fn label(before: &Position, m: Move) -> Ply {
    let mover = before.turn();
    let after = before.play_unchecked(m);
    let mut ply = Ply::idle(m);
    if after.in_check() {
        ply.label = Label::Check;
    }
    let threatening = after.with_turn(mover);
    for mut threat in attacks(&threatening) {
        let back = |square: Square| if square == m.to { m.from } else { square };
        let then = Move::new(back(threat.first.from), threat.first.to);
        // A root that must first parry a check is a root all the same.
        let fresh =
            if ply.label == Label::Check { !can_capture(before, then) } else { !is_attack(before, then) };
        if fresh {
            threat.joint = !is_direct(before, &threatening, then, threat.first);
            ply.targets |= threat.targets;
            ply.threats.push(threat);
        }
    }
    if !ply.threats.is_empty() && ply.label != Label::Check {
        ply.label = Label::Chase;
    }
    ply
}

/// Every attack of the side to move.
fn attacks(position: &Position) -> Vec<Threat> {
    let board = position.board();
    let captures = position.legal_captures();
    captures
        .into_iter()
        .filter(|m| is_attack(position, *m))
        .map(|m| Threat {
            first: m,
            by: board.role_at(m.from).expect("a piece moves"),
            targets: Bitboard::of(m.to),
            gain: 1,
            means: Means::Capture,
            mutual: false,
            joint: false,
        })
        .collect()
}

/// Whether the move just played made a new attack: it brings the captor there or opens its way, takes a root, or pins
/// one. To change the screens of a root makes a weaker chase.
fn is_direct(before: &Position, now: &Position, then: Move, first: Move) -> bool {
    if !can_capture(before, then) {
        return true;
    }
    let roots = super::exchange::captures_on(&before.play_unchecked(then), then.to);
    let after = now.play_unchecked(first);
    roots.is_empty()
        || roots.iter().any(|root| after.movements().contains(root))
        || roots.iter().all(|root| after.piece_at(root.from) != before.piece_at(root.from))
}

/// Whether the rook on `target` may not move because a horse would then give check.
fn is_pinned_by_horse(position: &Position, target: Square) -> bool {
    let board = position.board();
    let Some(piece) = board.piece_at(target).filter(|piece| piece.role == Role::Rook) else { return false };
    let mut without = *board;
    without.take(target);
    let king = position.king_of(piece.color);
    let horses = board.by_piece(!piece.color, Role::Horse);
    !(without.attackers_of(king, !piece.color) & horses & !board.attackers_of(king, !piece.color)).is_empty()
}

/// Whether a move captures by the movement of its piece. A check to the own king does not unmake it.
fn can_capture(position: &Position, m: Move) -> bool {
    let board = position.board();
    board.color_at(m.from) == Some(position.turn())
        && board.color_at(m.to) == Some(!position.turn())
        && if position.in_check() { position.movements().contains(&m) } else { position.is_legal(m) }
}

/// Whether a move would capture a piece that may not be chased. A check to the own king does not unmake an attack.
fn is_attack(position: &Position, m: Move) -> bool {
    let board = position.board();
    let (Some(piece), Some(target)) = (board.piece_at(m.from), board.piece_at(m.to)) else { return false };
    if piece.color != position.turn()
        || target.color == piece.color
        || matches!(piece.role, Role::King | Role::Pawn)
        || Material::on(board, m.to).is_none()
        || exchangeable(position, m.to).contains(m.from)
    {
        return false;
    }
    if !can_capture(position, m) {
        return false;
    }
    let strong = match piece.role {
        Role::Horse | Role::Cannon => target.role == Role::Rook,
        Role::Advisor | Role::Elephant => matches!(target.role, Role::Rook | Role::Horse | Role::Cannon),
        _ => false,
    };
    strong || super::exchange::captures_on(&position.play_unchecked(m), m.to).is_empty()
}

/// How grave the chase of one and the same piece is that a side keeps up through a span of the line, whose moves `plies`
/// are; 0 if there is none.
pub fn gravity(line: &Line, span: &Range<usize>, plies: &[Ply], side: Color) -> u32 {
    let throughout = |counts: &dyn Fn(usize, &Threat) -> bool| {
        let mut chased = Bitboard::FULL;
        for i in span.clone().filter(|i| line.positions[*i].turn() == side) {
            let threats = plies[i - span.start].threats.iter().filter(|threat| counts(i, threat));
            let mut targets = threats.fold(Bitboard::EMPTY, |set, threat| set | threat.targets);
            // Follow each target back to where it stood at the head of the span.
            for m in line.moves[span.start..=i].iter().rev() {
                let moved = targets.contains(m.to);
                targets.remove(m.to);
                targets.remove(m.from);
                if moved {
                    targets.insert(m.from);
                }
            }
            chased &= targets;
        }
        !chased.is_empty()
    };
    if throughout(&|i, threat| is_pinned_by_horse(&line.positions[i + 1], threat.first.to)) {
        3
    } else if throughout(&|_, threat| !threat.joint) {
        2
    } else {
        u32::from(throughout(&|_, _| true))
    }
}
