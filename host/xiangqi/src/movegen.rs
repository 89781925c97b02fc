//! All legal moves, and counting paths of them (perft).
//!
//! Most moves cannot touch the own king's safety. One look around the king finds the few points that matter: pieces
//! that shield it or screen a cannon, legs that block a horse, and empty points where a piece would become a cannon's
//! screen. Only moves from or to those points, and moves of the king, are tried out.

use crate::attacks;
use crate::{Bitboard, Color, Move, MoveList, Position, Role, Square};

/// What matters around one king before a piece of either side moves.
struct Safety {
    king: Square,
    in_check: bool,
    /// Leaving one of these may expose the king.
    leaving: Bitboard,
    /// Landing on one of these, when empty, may expose the king to a cannon.
    landing: Bitboard,
}

/// How a check can be answered by other pieces than the king; necessary, not sufficient.
struct Answers {
    /// Where they may land: on the checker, between, or on the horse's leg.
    landing: Bitboard,
    /// Which may go anywhere: a cannon's screen.
    leaving: Bitboard,
}

impl Answers {
    /// To the first of the checkers; nothing is asked when there is none.
    fn of(position: &Position, safety: &Safety) -> Answers {
        let side = position.turn();
        let checker = match safety.in_check {
            true => position.board().attackers_of(safety.king, !side).first(),
            false => None,
        };
        let Some(checker) = checker else {
            return Answers { landing: Bitboard::FULL, leaving: Bitboard::EMPTY };
        };
        let between = attacks::between(safety.king, checker);
        let mut answers = Answers { landing: between.with(checker), leaving: Bitboard::EMPTY };
        match position.board().role_at(checker) {
            Some(Role::Cannon) => answers.leaving = between & position.board().by_color(side),
            Some(Role::Horse) => {
                let jumps = attacks::horse_jumps_onto(safety.king).iter();
                answers.landing |= jumps
                    .filter(|jump| jump.to.contains(checker))
                    .fold(Bitboard::EMPTY, |legs, jump| legs | jump.over);
            }
            _ => {}
        }
        answers
    }

    /// The moves of a piece that may answer.
    #[inline]
    fn among(&self, reach: Bitboard, role: Role, from: Square) -> Bitboard {
        if role == Role::King || self.leaving.contains(from) { reach } else { reach & self.landing }
    }
}

impl Safety {
    /// Of the king of that side.
    fn of(position: &Position, side: Color) -> Safety {
        let king = position.king_of(side);
        let mut safety = Safety { king, in_check: false, leaving: Bitboard::EMPTY, landing: Bitboard::EMPTY };
        safety.look_along_lines(position, !side);
        safety.look_at_horses(position, !side);
        let pawns = position.board().by_piece(!side, Role::Pawn);
        safety.in_check |= !(attacks::pawn_onto(!side, king) & pawns).is_empty();
        safety
    }

    fn look_along_lines(&mut self, position: &Position, enemy: Color) {
        let board = position.board();
        let (rank, file) = (self.king.rank(), self.king.file());
        let sliders = board.by_piece(enemy, Role::Rook) | board.by_piece(enemy, Role::Cannon);
        let on_rank = attacks::rank_bits(board.occupied(), rank);
        if attacks::rank_bits(sliders, rank) != 0 {
            let at = file.index() as u32;
            self.look(
                position,
                enemy,
                Line { occupied: on_rank, place: at, base: self.king.index() as u32 - at, step: 1 },
            );
        }
        let enemies_on_file = board.file_of(enemy, self.king);
        if enemies_on_file != 0 {
            let on_file = board.file_occupied(self.king);
            self.look(
                position,
                enemy,
                Line { occupied: on_file, place: rank.index() as u32, base: file.index() as u32, step: 9 },
            );
        }
    }

    fn look(&mut self, position: &Position, enemy: Color, line: Line) {
        let board = position.board();
        let enemy = board.by_color(enemy);
        let rooks = enemy & board.by_role(Role::Rook);
        let cannons = enemy & board.by_role(Role::Cannon);
        // Kings face each other on files only; on a rank the enemy king cannot stand.
        let straight = rooks | (enemy & board.by_role(Role::King));
        for pieces in [line.upwards(), line.downwards()] {
            let [Some(first), second, third] = pieces else { continue };
            if straight.contains(first) {
                self.in_check = true;
            } else if cannons.contains(first) {
                self.landing |= attacks::between(self.king, first);
            }
            let Some(second) = second else { continue };
            if straight.contains(second) {
                self.leaving.insert(first);
            } else if cannons.contains(second) {
                self.in_check = true;
            }
            if third.is_some_and(|third| cannons.contains(third)) {
                self.leaving.insert(first);
                self.leaving.insert(second);
            }
        }
    }

    fn look_at_horses(&mut self, position: &Position, enemy: Color) {
        let board = position.board();
        let horses = board.by_piece(enemy, Role::Horse);
        for jump in attacks::horse_jumps_onto(self.king) {
            if (jump.to & horses).is_empty() {
                continue;
            }
            if (jump.over & board.occupied()).is_empty() {
                self.in_check = true;
            } else {
                self.leaving |= jump.over;
            }
        }
    }

    /// Whether moves of a piece from `from` to any empty or enemy point are safe without being tried out.
    #[inline]
    fn is_free(&self, from: Square) -> bool {
        !self.in_check && !self.leaving.contains(from) && from != self.king
    }
}

/// A line through the king as a small occupancy; square indices are `base + place * step`.
struct Line {
    occupied: u16,
    place: u32,
    base: u32,
    step: u32,
}

impl Line {
    fn square(&self, place: u32) -> Option<Square> {
        Square::new((self.base + place * self.step) as usize)
    }

    /// The first three pieces towards higher places.
    fn upwards(&self) -> [Option<Square>; 3] {
        let mut rest = self.occupied & (!1u16 << self.place);
        core::array::from_fn(|_| {
            let place = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            if place < 16 { self.square(place) } else { None }
        })
    }

    /// The first three pieces towards lower places.
    fn downwards(&self) -> [Option<Square>; 3] {
        let mut rest = self.occupied & ((1u16 << self.place) - 1);
        core::array::from_fn(|_| {
            if rest == 0 {
                return None;
            }
            let place = 15 - rest.leading_zeros();
            rest &= !(1 << place);
            self.square(place)
        })
    }
}

/// Whether the king of the side to move could be captured after the move.
fn leaves_king_hanging(position: &Position, m: Move) -> bool {
    let mover = position.turn();
    let mut board = *position.board();
    board.relocate(m.from, m.to);
    match (board.king_of(mover), board.king_of(!mover)) {
        (Some(king), Some(_)) => !board.attackers_of(king, !mover).is_empty(),
        _ => false,
    }
}

impl Position {
    /// All legal moves, ordered by role and then by square.
    pub fn legal_moves(&self) -> MoveList {
        self.legal_moves_to(Bitboard::FULL)
    }

    /// The legal moves that capture, in the same order.
    pub fn legal_captures(&self) -> MoveList {
        self.legal_moves_to(self.board().by_color(!self.turn()))
    }

    #[inline]
    fn legal_moves_to(&self, targets: Bitboard) -> MoveList {
        let safety = Safety::of(self, self.turn());
        let answers = Answers::of(self, &safety);
        let mut list = MoveList::new();
        self.for_each_piece(|role, from| {
            let reach = answers.among(self.reach(role, from) & targets, role, from);
            let tried = if safety.is_free(from) { reach & safety.landing } else { reach };
            for to in reach {
                let m = Move::new(from, to);
                if !tried.contains(to) || !leaves_king_hanging(self, m) {
                    list.push(m);
                }
            }
            true
        });
        list
    }

    /// Whether there is a legal move at all.
    pub fn has_legal_move(&self) -> bool {
        let safety = Safety::of(self, self.turn());
        let answers = Answers::of(self, &safety);
        let mut found = false;
        self.for_each_piece(|role, from| {
            let reach = answers.among(self.reach(role, from), role, from);
            let tried = if safety.is_free(from) { reach & safety.landing } else { reach };
            found = !(reach & !tried).is_empty()
                || tried.into_iter().any(|to| !leaves_king_hanging(self, Move::new(from, to)));
            !found
        });
        found
    }

    /// The legal moves that give check, in the order of [`Position::legal_moves`].
    pub fn checking_moves(&self) -> MoveList {
        let (own, theirs) = (Safety::of(self, self.turn()), Safety::of(self, !self.turn()));
        let answers = Answers::of(self, &own);
        let mut list = MoveList::new();
        self.for_each_piece(|role, from| {
            // A king in check already, and a cannon on its line, hold more cases than one look tells.
            let aligned = from.file() == theirs.king.file() || from.rank() == theirs.king.rank();
            let open = theirs.in_check || theirs.leaving.contains(from) || role == Role::Cannon && aligned;
            let may_check = match open {
                true => Bitboard::FULL,
                false => theirs.landing | self.board().checks_from(role, theirs.king, self.turn()),
            };
            for to in answers.among(self.reach(role, from) & may_check, role, from) {
                let m = Move::new(from, to);
                let safe = own.is_free(from) && !own.landing.contains(to);
                if (safe || !leaves_king_hanging(self, m)) && self.gives_check(m) {
                    list.push(m);
                }
            }
            true
        });
        list
    }

    /// Whether the other king could be captured after the move, by the moving side.
    fn gives_check(&self, m: Move) -> bool {
        let mut board = *self.board();
        board.relocate(m.from, m.to);
        board.king_of(!self.turn()).is_some_and(|king| !board.attackers_of(king, self.turn()).is_empty())
    }

    /// The number of legal moves, counted without listing them.
    pub fn count_legal_moves(&self) -> u64 {
        let safety = Safety::of(self, self.turn());
        let answers = Answers::of(self, &safety);
        let mut count = 0;
        self.for_each_piece(|role, from| {
            let reach = answers.among(self.reach(role, from), role, from);
            let tried = if safety.is_free(from) { reach & safety.landing } else { reach };
            count += u64::from(reach.count());
            count -= tried.filter(|to| leaves_king_hanging(self, Move::new(from, *to))).count() as u64;
            true
        });
        count
    }

    /// Moves of one role that obey the movement of article 2.2, 自杀 included.
    pub fn movements(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_piece(|role, from| {
            for to in self.reach(role, from) {
                list.push(Move::new(from, to));
            }
            true
        });
        list
    }

    /// Visits the pieces of the side to move until `visit` returns false.
    #[inline]
    fn for_each_piece(&self, mut visit: impl FnMut(Role, Square) -> bool) {
        for role in Role::ALL {
            for from in self.board().by_piece(self.turn(), role) {
                if !visit(role, from) {
                    return;
                }
            }
        }
    }

    /// Counts the paths of `depth` legal moves from here. Repetition and other rulings play no part.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal_moves(),
            _ => self.legal_moves().into_iter().map(|m| self.play_unchecked(m).perft(depth - 1)).sum(),
        }
    }

    /// [`Position::perft`] for each move of the position.
    pub fn perft_divide(&self, depth: u32) -> impl Iterator<Item = (Move, u64)> + '_ {
        let moves = if depth == 0 { MoveList::new() } else { self.legal_moves() };
        (0..moves.len()).map(move |i| (moves[i], self.play_unchecked(moves[i]).perft(depth - 1)))
    }
}
