//! How pieces reach, from tables made at compile time.
//!
//! A line of the board is a small number: nine bits of a rank or ten of a file. One look-up with the line's occupancy
//! gives the reach of a rook or a cannon along it. Steps and jumps are look-ups by square.

use crate::{Bitboard, Color, Rank, Square};

const RANK_BITS: u128 = 0x1ff;

/// `ROOK[place][occupied]`: the points a rook reaches on a line, the first piece on either side included.
static ROOK_LINE: [[u16; 1024]; 10] = line_table(0);
/// `CANNON[place][occupied]`: the points a cannon captures on a line, the first piece behind one screen on either side.
static CANNON_LINE: [[u16; 1024]; 10] = line_table(1);
/// Ten bits of a file, spread to bit `rank * 9`.
static SPREAD: [u128; 1024] = spread_table();

/// What lies on a line seen from `place`: with no screen everything up to the first piece, else just the piece behind.
#[allow(long_running_const_eval)]
const fn line_table(screens: u32) -> [[u16; 1024]; 10] {
    let mut table = [[0u16; 1024]; 10];
    let mut place = 0;
    while place < 10 {
        let mut occupied = 0;
        while occupied < 1024 {
            let mut reach = 0u16;
            let mut seen = 0;
            let mut i = place + 1;
            while i < 10 && seen <= screens {
                if occupied >> i & 1 != 0 {
                    seen += 1;
                    if seen == screens + 1 {
                        reach |= 1 << i;
                    }
                } else if screens == 0 {
                    reach |= 1 << i;
                }
                i += 1;
            }
            seen = 0;
            i = place;
            while i > 0 && seen <= screens {
                i -= 1;
                if occupied >> i & 1 != 0 {
                    seen += 1;
                    if seen == screens + 1 {
                        reach |= 1 << i;
                    }
                } else if screens == 0 {
                    reach |= 1 << i;
                }
            }
            table[place][occupied] = reach;
            occupied += 1;
        }
        place += 1;
    }
    table
}

const fn spread_table() -> [u128; 1024] {
    let mut table = [0; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let mut rank = 0;
        while rank < 10 {
            if bits >> rank & 1 != 0 {
                table[bits] |= 1 << (rank * 9);
            }
            rank += 1;
        }
        bits += 1;
    }
    table
}

/// The points a rook reaches on a line of occupancy `occupied` from `place`.
#[inline]
pub(crate) fn rook_on_line(place: usize, occupied: u16) -> u16 {
    ROOK_LINE[place][occupied as usize & 1023]
}

/// The points a cannon captures on a line of occupancy `occupied` from `place`.
#[inline]
pub(crate) fn cannon_on_line(place: usize, occupied: u16) -> u16 {
    CANNON_LINE[place][occupied as usize & 1023]
}

/// The points behind the first piece on either side of a line of occupancy `occupied`, up to the next piece, that one
/// included: where a cannon would attack `place`.
#[inline]
pub(crate) fn behind_one_screen(place: usize, occupied: u16) -> u16 {
    let open = rook_on_line(place, occupied);
    rook_on_line(place, occupied & !open) & !open
}

/// The bits of one rank.
#[inline]
pub(crate) fn rank_bits(set: Bitboard, rank: Rank) -> u16 {
    (set.0 >> (rank.index() * 9) & RANK_BITS) as u16
}

/// Points of a rank and points of a file, as a set.
#[inline]
pub(crate) fn cross(square: Square, on_rank: u16, on_file: u16) -> Bitboard {
    let rank = (on_rank as u128 & RANK_BITS) << (square.rank().index() * 9);
    Bitboard(rank | SPREAD[on_file as usize & 1023] << square.file().index())
}

/// A jump over a point that must be empty: the horse's leg (马腿) or the elephant's eye (象眼).
#[derive(Clone, Copy)]
pub(crate) struct Jump {
    /// The point that blocks it.
    pub over: Bitboard,
    /// The points that it leads to (or, in a reversed table, comes from).
    pub to: Bitboard,
}

const NO_JUMP: Jump = Jump { over: Bitboard::EMPTY, to: Bitboard::EMPTY };
const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

static HORSE_FROM: [[Jump; 4]; 90] = horse_table(false);
static HORSE_ONTO: [[Jump; 4]; 90] = horse_table(true);
static ELEPHANT: [[Jump; 4]; 90] = elephant_table();
static ADVISOR: [Bitboard; 90] = palace_steps(&DIAGONAL);
static KING: [Bitboard; 90] = palace_steps(&ORTHOGONAL);
static PAWN_FROM: [[Bitboard; 90]; 2] = [pawn_table(Color::Red, false), pawn_table(Color::Black, false)];
static PAWN_ONTO: [[Bitboard; 90]; 2] = [pawn_table(Color::Red, true), pawn_table(Color::Black, true)];

const fn with_offset(set: Bitboard, square: Square, files: i8, ranks: i8) -> Bitboard {
    match square.offset(files, ranks) {
        Some(to) => set.with(to),
        None => set,
    }
}

/// From a horse the leg is orthogonal; seen from the target it is the diagonal neighbour.
const fn horse_table(onto: bool) -> [[Jump; 4]; 90] {
    let mut table = [[NO_JUMP; 4]; 90];
    let mut i = 0;
    while i < 90 {
        let square = Square::new(i).expect("i is below 90");
        let mut k = 0;
        while k < 4 {
            let (df, dr) = if onto { DIAGONAL[k] } else { ORTHOGONAL[k] };
            if let Some(leg) = square.offset(df, dr) {
                let mut to = Bitboard::EMPTY;
                if onto {
                    to = with_offset(to, square, 2 * df, dr);
                    to = with_offset(to, square, df, 2 * dr);
                } else {
                    to = with_offset(to, leg, if df == 0 { 1 } else { df }, if dr == 0 { 1 } else { dr });
                    to = with_offset(to, leg, if df == 0 { -1 } else { df }, if dr == 0 { -1 } else { dr });
                }
                table[i][k] = Jump { over: Bitboard::of(leg), to };
            }
            k += 1;
        }
        i += 1;
    }
    table
}

/// Elephants stay on their half: a jump from rank 4 or 5 never crosses the river.
const fn elephant_table() -> [[Jump; 4]; 90] {
    let mut table = [[NO_JUMP; 4]; 90];
    let mut i = 0;
    while i < 90 {
        let square = Square::new(i).expect("i is below 90");
        let mut k = 0;
        while k < 4 {
            let (df, dr) = DIAGONAL[k];
            if let (Some(eye), Some(to)) = (square.offset(df, dr), square.offset(2 * df, 2 * dr))
                && square.is_home_of(Color::Red) == to.is_home_of(Color::Red)
            {
                table[i][k] = Jump { over: Bitboard::of(eye), to: Bitboard::of(to) };
            }
            k += 1;
        }
        i += 1;
    }
    table
}

/// Steps that begin and end in a palace.
const fn palace_steps(steps: &[(i8, i8); 4]) -> [Bitboard; 90] {
    let mut table = [Bitboard::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        let square = Square::new(i).expect("i is below 90");
        let mut k = 0;
        while k < 4 {
            if let Some(to) = square.offset(steps[k].0, steps[k].1) {
                let red = square.in_palace_of(Color::Red) && to.in_palace_of(Color::Red);
                let black = square.in_palace_of(Color::Black) && to.in_palace_of(Color::Black);
                if red || black {
                    table[i] = table[i].with(to);
                }
            }
            k += 1;
        }
        i += 1;
    }
    table
}

const fn pawn_table(color: Color, onto: bool) -> [Bitboard; 90] {
    let forward = match color {
        Color::Red => 1,
        Color::Black => -1,
    };
    let mut table = [Bitboard::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        let square = Square::new(i).expect("i is below 90");
        let mut set = with_offset(Bitboard::EMPTY, square, 0, forward);
        if !square.is_home_of(color) {
            set = with_offset(set, square, 1, 0);
            set = with_offset(set, square, -1, 0);
        }
        if onto {
            let mut rest = set.0;
            while rest != 0 {
                table[rest.trailing_zeros() as usize].0 |= 1 << i;
                rest &= rest - 1;
            }
        } else {
            table[i] = set;
        }
        i += 1;
    }
    table
}

/// The jumps by which horses reach that square; `to` holds where they come from.
#[inline]
pub(crate) fn horse_jumps_onto(square: Square) -> &'static [Jump; 4] {
    &HORSE_ONTO[square.index()]
}

/// The points that jumps lead to when `occupied` blocks legs and eyes.
#[inline]
fn open_jumps(jumps: &[Jump; 4], occupied: Bitboard) -> Bitboard {
    jumps
        .iter()
        .filter(|jump| (jump.over & occupied).is_empty())
        .fold(Bitboard::EMPTY, |set, jump| set | jump.to)
}

/// Where a horse on `square` can go when `occupied` may block its legs.
#[inline]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    open_jumps(&HORSE_FROM[square.index()], occupied)
}

/// From where horses can reach `square` when `occupied` may block their legs.
#[inline]
pub fn horse_onto(square: Square, occupied: Bitboard) -> Bitboard {
    open_jumps(&HORSE_ONTO[square.index()], occupied)
}

/// Where an elephant on `square` can go when `occupied` may block its eyes.
#[inline]
pub fn elephant(square: Square, occupied: Bitboard) -> Bitboard {
    open_jumps(&ELEPHANT[square.index()], occupied)
}

/// Where an advisor on `square` can go.
#[inline]
pub fn advisor(square: Square) -> Bitboard {
    ADVISOR[square.index()]
}

/// Where a king on `square` can step.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Where a pawn of that side on `square` can go.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN_FROM[color.index()][square.index()]
}

/// From where pawns of that side can reach `square`.
#[inline]
pub fn pawn_onto(color: Color, square: Square) -> Bitboard {
    PAWN_ONTO[color.index()][square.index()]
}

/// The points strictly between two squares of one line; empty when they share none.
pub fn between(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let step = if low.rank() == high.rank() {
        1
    } else if low.file() == high.file() {
        9
    } else {
        return Bitboard::EMPTY;
    };
    (low.index() + step..high.index()).step_by(step).filter_map(Square::new).collect()
}
