//! The way of a piece from its point to the next: over which points it may pass.

use xiangqi::{Bitboard, Move, Square};

use super::weigh::{self, Cost};

/// How unlikely it is that a piece passed over those points on that move.
pub(super) fn detour_cost(passed: Bitboard, mv: Move) -> Cost {
    passed.map(|square| detour(square, mv)).sum::<Cost>().min(2 * weigh::ASTRAY)
}

/// How unlikely it is that something passed over that point on that move.
pub(super) fn detour(square: Square, mv: Move) -> Cost {
    let within = |a: usize, b: usize, x: usize| (a.min(b)..=a.max(b)).contains(&x);
    let on_its_way = within(mv.from.file().index(), mv.to.file().index(), square.file().index())
        && within(mv.from.rank().index(), mv.to.rank().index(), square.rank().index());
    let near = |a: usize, b: usize| a.abs_diff(b) <= 1;
    // A captured piece that is pushed off its point may come over the next one.
    let beside = near(mv.to.file().index(), square.file().index())
        && near(mv.to.rank().index(), square.rank().index());
    let close = |a: usize, b: usize, x: usize| within(a.min(b).saturating_sub(1), a.max(b) + 1, x);
    // Whoever sets out goes towards his goal.
    let ahead = along(mv, mv.from, square);
    let by_the_way = ahead
        && close(mv.from.file().index(), mv.to.file().index(), square.file().index())
        && close(mv.from.rank().index(), mv.to.rank().index(), square.rank().index());
    if on_its_way {
        0
    } else if beside {
        weigh::BESIDE
    } else if by_the_way {
        weigh::DETOUR
    } else {
        weigh::ASTRAY
    }
}

/// Whether that point lies beyond the goal of that move, as seen from where it began.
pub(super) fn goes_beyond(mv: Move, square: Square) -> bool {
    along(mv, mv.to, square)
}

/// Whether who goes from one of those points to the other goes the way of that move rather than back.
fn along(mv: Move, from: Square, to: Square) -> bool {
    let step = |a: usize, b: usize| b as i32 - a as i32;
    let files = |a: Square, b: Square| step(a.file().index(), b.file().index());
    let ranks = |a: Square, b: Square| step(a.rank().index(), b.rank().index());
    files(mv.from, mv.to) * files(from, to) + ranks(mv.from, mv.to) * ranks(from, to) > 0
}
