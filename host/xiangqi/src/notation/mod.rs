//! Moves as people and programs write them.
//!
//! | notation | 炮二平五 on the first move | function |
//! |---|---|---|
//! | Chinese, full (article 7.5) | 炮二平五 | [`chinese`] |
//! | Chinese, pawns numbered across files | as above but for pawns: 三兵平六 | [`chinese_numbered`] |
//! | Chinese, short, 1999 | 炮25 | [`short_1999`] |
//! | Chinese, short, 2010 | 炮二五 | [`short_2010`] |
//! | WXF | C2=5 | [`wxf`], [`wxf_signed`] |
//! | ICCS | H2-E2 | [`iccs`], [`parse_iccs`] |
//! | UCCI | h2e2 | [`Move`]'s own text |
//! | UCI, ranks from 1 | h3e3 | [`uci`], [`parse_uci`] |
//!
//! All but the two short forms name exactly one legal move. The short forms drop 进, 退 and 平, and with them more than
//! a third of all moves: 炮24 on the first move is 炮二平四 as well as 炮二进四.
//!
//! [`read`] accepts every one of them. UCI looks like UCCI and means other squares, so unless a rank 10 gives it away it must
//! be asked for: [`read_as`] with [`Dialect::Uci`].
//!
//! ```
//! use xiangqi::{Position, notation};
//!
//! let start = Position::initial();
//! let opening = notation::read(&start, "炮二平五")?;
//! assert_eq!(opening, "h2e2".parse()?);
//! assert_eq!(notation::wxf(&start, opening), "C2=5");
//! assert_eq!(notation::read(&start, "砲２平５")?, opening);
//! assert!(matches!(notation::read(&start, "炮24"), Err(notation::ReadError::Ambiguous(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chinese;
mod coordinates;
mod read;
mod tandem;
mod wxf;

pub use chinese::{character, chinese, chinese_numbered, short_1999, short_2010};
pub use coordinates::{iccs, parse_iccs, parse_uci, uci};
pub use read::{Dialect, ReadError, read, read_as, read_movement};
pub use wxf::{wxf, wxf_signed};

use crate::{Move, Piece, Position, Role};

/// Which Chinese characters are written. Both are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Script {
    /// 车马炮进后, as in mainland China.
    #[default]
    Simplified,
    /// 車馬炮進後, as in Taiwan and Hong Kong.
    Traditional,
}

/// Which way a piece goes, seen by its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// 进
    Forward,
    /// 退
    Back,
    /// 平
    Across,
}

/// The end of a move's name: 进五, 退一, 平四.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    direction: Direction,
    /// The target's file, or the number of ranks when a king, rook, cannon or pawn stays on its file.
    number: u8,
}

impl Step {
    fn of(piece: Piece, m: Move) -> Step {
        let (from, to) = (m.from.rank().from_home_of(piece.color), m.to.rank().from_home_of(piece.color));
        let direction = match to.cmp(&from) {
            core::cmp::Ordering::Greater => Direction::Forward,
            core::cmp::Ordering::Less => Direction::Back,
            core::cmp::Ordering::Equal => Direction::Across,
        };
        let names_file = direction == Direction::Across
            || matches!(piece.role, Role::Advisor | Role::Elephant | Role::Horse);
        let number = if names_file { m.to.file().number_for(piece.color) } else { to.abs_diff(from) };
        Step { direction, number }
    }
}

/// The piece whose movement (article 2.2) leads from one square to the other. Other moves have no name.
fn mover(position: &Position, m: Move) -> Option<Piece> {
    let piece = position.piece_at(m.from)?;
    position.with_turn(piece.color).reach(piece.role, m.from).contains(m.to).then_some(piece)
}
