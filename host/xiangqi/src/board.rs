//! Which piece stands where; nothing about turns or rules.

use crate::attacks;
use crate::{Bitboard, Color, Piece, Role, Square};

/// A placement of pieces on the ninety intersections, however impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    by_color: [Bitboard; 2],
    by_role: [Bitboard; 7],
    /// Each side's pieces on each file, ten bits from rank 0: kept beside the sets because gathering them is slow.
    files: [[u16; 9]; 2],
}

impl Board {
    /// Nothing stands anywhere.
    pub const EMPTY: Board =
        Board { by_color: [Bitboard::EMPTY; 2], by_role: [Bitboard::EMPTY; 7], files: [[0; 9]; 2] };

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The pieces of one side.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The pieces of one role, of both sides.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// The pieces of one role and side.
    #[inline]
    pub fn by_piece(&self, color: Color, role: Role) -> Bitboard {
        self.by_color(color) & self.by_role(role)
    }

    /// Where that side's king stands; the lowest square if there are several.
    #[inline]
    pub fn king_of(&self, color: Color) -> Option<Square> {
        self.by_piece(color, Role::King).first()
    }

    /// Whose piece stands there.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.by_color(*color).contains(square))
    }

    /// What stands there.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|role| self.by_role(*role).contains(square))
    }

    /// Which piece stands there.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece { color: self.color_at(square)?, role: self.role_at(square)? })
    }

    /// Puts a piece there, in place of what stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.take(square);
        self.by_color[piece.color.index()].insert(square);
        self.by_role[piece.role.index()].insert(square);
        self.files[piece.color.index()][square.file().index()] |= 1 << square.rank().index();
    }

    /// Takes away what stands there.
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.by_color[piece.color.index()].remove(square);
        self.by_role[piece.role.index()].remove(square);
        self.files[piece.color.index()][square.file().index()] &= !(1 << square.rank().index());
        Some(piece)
    }

    /// Moves what stands on one square to another and returns what was captured there. Nothing happens from an empty
    /// square.
    pub fn relocate(&mut self, from: Square, to: Square) -> Option<Piece> {
        let color = self.color_at(from)?;
        if from == to {
            return None;
        }
        let captured = self.take(to);
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.by_color[color.index()] ^= both;
        if let Some(set) = self.by_role.iter_mut().find(|set| set.contains(from)) {
            *set ^= both;
        }
        let files = &mut self.files[color.index()];
        files[from.file().index()] &= !(1 << from.rank().index());
        files[to.file().index()] |= 1 << to.rank().index();
        captured
    }

    /// All pieces with their squares, a0 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// A number that tells boards apart, for look-ups that compare the boards as well.
    pub(crate) fn digest(&self) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.by_role.iter().chain(&self.by_color).fold(0, |hash: u64, set| {
            let folded = (set.0 >> 45) as u64 ^ (set.0 as u64).rotate_left(32);
            (hash.rotate_left(23) ^ folded).wrapping_mul(ODD)
        })
    }

    /// The board seen in a mirror (files exchanged).
    pub fn mirrored(&self) -> Board {
        self.mapped(|square, piece| (square.mirrored(), piece))
    }

    /// The board turned half round with the colours exchanged: what the other side sees.
    pub fn flipped(&self) -> Board {
        self.mapped(|square, piece| (square.rotated(), Piece { color: !piece.color, ..piece }))
    }

    fn mapped(&self, map: impl Fn(Square, Piece) -> (Square, Piece)) -> Board {
        let mut board = Board::EMPTY;
        for (square, piece) in self.pieces() {
            let (square, piece) = map(square, piece);
            board.put(square, piece);
        }
        board
    }

    /// That side's pieces on the file of `square`, ten bits from rank 0.
    #[inline]
    pub(crate) fn file_of(&self, color: Color, square: Square) -> u16 {
        self.files[color.index()][square.file().index()]
    }

    /// All pieces on the file of `square`, ten bits from rank 0.
    #[inline]
    pub(crate) fn file_occupied(&self, square: Square) -> u16 {
        let file = square.file().index();
        self.files[0][file] | self.files[1][file]
    }

    /// The points that a piece of that role and side would attack or defend from `square`: where it could capture
    /// whatever stood there. A king attacks along the open file as well, because facing kings capture each other.
    pub fn attacks_from(&self, piece: Piece, square: Square) -> Bitboard {
        let occupied = self.occupied();
        match piece.role {
            Role::King => attacks::king(square) | self.faced_from(square, !piece.color),
            Role::Advisor => attacks::advisor(square),
            Role::Elephant => attacks::elephant(square, occupied),
            Role::Horse => attacks::horse(square, occupied),
            Role::Rook => self.along_lines(square, attacks::rook_on_line),
            Role::Cannon => self.along_lines(square, attacks::cannon_on_line),
            Role::Pawn => attacks::pawn(piece.color, square),
        }
    }

    /// The king of side `of`, when it stands on the open file of `square`.
    fn faced_from(&self, square: Square, of: Color) -> Bitboard {
        let on_file = attacks::rook_on_line(square.rank().index(), self.file_occupied(square));
        attacks::cross(square, 0, on_file) & self.by_piece(of, Role::King)
    }

    /// The pieces of side `by` that could capture on `square` if an enemy piece stood there; its king among them when
    /// it steps there, and when the enemy king on `square` would face it (article 2.2).
    pub fn attackers_of(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let open = self.along_lines(square, attacks::rook_on_line);
        let screened = self.along_lines(square, attacks::cannon_on_line);
        let facing = match self.role_at(square) {
            Some(Role::King) if self.by_color(!by).contains(square) => self.faced_from(square, by),
            _ => Bitboard::EMPTY,
        };
        let reach = (open & self.by_role(Role::Rook))
            | (screened & self.by_role(Role::Cannon))
            | (attacks::horse_onto(square, occupied) & self.by_role(Role::Horse))
            | (attacks::pawn_onto(by, square) & self.by_role(Role::Pawn))
            | (attacks::advisor(square) & self.by_role(Role::Advisor))
            | (attacks::elephant(square, occupied) & self.by_role(Role::Elephant))
            | (attacks::king(square) & self.by_role(Role::King));
        reach & self.by_color(by) | facing
    }

    /// From where a piece of that role and side attacks the enemy king on `king`.
    pub(crate) fn checks_from(&self, role: Role, king: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        match role {
            Role::Rook => self.along_lines(king, attacks::rook_on_line),
            Role::Cannon => self.along_lines(king, attacks::behind_one_screen),
            Role::Horse => attacks::horse_onto(king, occupied),
            Role::Pawn => attacks::pawn_onto(by, king),
            Role::King | Role::Advisor | Role::Elephant => Bitboard::EMPTY,
        }
    }

    /// What a look along the rank and the file of `square` finds; `on_line` maps a place and an occupancy to points.
    #[inline]
    pub(crate) fn along_lines(&self, square: Square, on_line: impl Fn(usize, u16) -> u16) -> Bitboard {
        let on_rank = attacks::rank_bits(self.occupied(), square.rank());
        attacks::cross(
            square,
            on_line(square.file().index(), on_rank),
            on_line(square.rank().index(), self.file_occupied(square)),
        )
    }
}
