//! A checked position: both kings are there, every piece can stand where it stands.

use alloc::vec::Vec;
use core::fmt;

use crate::attacks;
use crate::{Bitboard, Board, Color, Flaw, Move, Piece, Role, Setup, Square};

/// A position that a game can have: a [`Setup`] without flaws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    setup: Setup,
}

/// Every reason why a setup is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError(pub Vec<Flaw>);

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, flaw) in self.0.iter().enumerate() {
            write!(f, "{}{flaw}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for PositionError {}

/// Why a move may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Illegality {
    /// No piece stands on the origin.
    NoPiece,
    /// The piece belongs to the side that is not to move (article 2.1).
    NotYours,
    /// The target holds a piece of the mover's own side.
    OwnPiece,
    /// The piece does not move so (article 2.2).
    Movement,
    /// 自杀: the kings would face each other (articles 2.2 and 3.4).
    KingsFacing,
    /// 自杀: the king was in check and would still be (article 3.4).
    StillInCheck,
    /// 自杀: the move exposes the own king to check (article 3.4).
    ExposedToCheck,
}

impl Illegality {
    /// Whether the piece moves as it may, but its king could be captured (自杀, article 3.4).
    pub const fn is_suicide(self) -> bool {
        matches!(self, Illegality::KingsFacing | Illegality::StillInCheck | Illegality::ExposedToCheck)
    }

    /// The word that records use.
    pub const fn name(self) -> &'static str {
        match self {
            Illegality::NoPiece => "no_piece",
            Illegality::NotYours => "not_yours",
            Illegality::OwnPiece => "own_piece",
            Illegality::Movement => "movement",
            Illegality::KingsFacing => "kings_facing",
            Illegality::StillInCheck => "left_in_check",
            Illegality::ExposedToCheck => "exposed_to_check",
        }
    }
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl core::error::Error for Illegality {}

/// How a game is over on the board for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// 将死: in check with no legal move (article 3.2).
    Checkmate,
    /// 困毙: no legal move, though not in check; a loss too (article 3.3).
    Stalemate,
}

impl Position {
    /// The position from which games start.
    pub fn initial() -> Position {
        Position { setup: Setup::initial() }
    }

    /// Checks a setup.
    pub fn new(setup: Setup) -> Result<Position, PositionError> {
        let flaws = setup.flaws();
        if flaws.is_empty() { Ok(Position { setup }) } else { Err(PositionError(flaws)) }
    }

    /// Takes a setup that stands on the board although legal play could not lead there: an illegal move that nobody
    /// noticed in time stands (article 5.8). What remains required is one king a side and no more pieces than a set
    /// holds.
    pub fn standing(setup: Setup) -> Result<Position, PositionError> {
        let mut flaws = setup.flaws();
        flaws.retain(|flaw| matches!(flaw, Flaw::KingMissing(_) | Flaw::TooMany(..)));
        if flaws.is_empty() { Ok(Position { setup }) } else { Err(PositionError(flaws)) }
    }

    /// The same position with left and right exchanged.
    pub fn mirrored(&self) -> Position {
        Position { setup: self.setup.mirrored() }
    }

    /// The same position with the colours exchanged and the board turned half round.
    pub fn flipped(&self) -> Position {
        Position { setup: self.setup.flipped() }
    }

    /// The setup behind the position.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Which piece stands where.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.setup.board
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.setup.turn
    }

    /// Which piece stands there.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board().piece_at(square)
    }

    /// Where that side's king stands.
    #[inline]
    pub fn king_of(&self, color: Color) -> Square {
        self.board().king_of(color).expect("a position holds both kings")
    }

    /// The pieces that give check to that side's king; a facing king is one.
    pub fn checkers_of(&self, color: Color) -> Bitboard {
        self.board().attackers_of(self.king_of(color), !color)
    }

    /// Whether the side to move is in check (被将).
    pub fn in_check(&self) -> bool {
        //= 3.1
        !self.checkers_of(self.turn()).is_empty()
    }

    /// The other side to move, all else equal. For analysis of threats; the result may have the side that is not to
    /// move in check.
    pub fn with_turn(&self, turn: Color) -> Position {
        Position { setup: Setup { turn, ..self.setup } }
    }

    /// The piece that a move captures.
    pub fn captured_by(&self, m: Move) -> Option<Piece> {
        self.piece_at(m.to)
    }

    /// Why a move may not be played; `None` if it is legal.
    pub fn illegality(&self, m: Move) -> Option<Illegality> {
        let Some(piece) = self.piece_at(m.from) else { return Some(Illegality::NoPiece) };
        //= 2.1
        if piece.color != self.turn() {
            return Some(Illegality::NotYours);
        }
        if self.board().color_at(m.to) == Some(piece.color) {
            return Some(Illegality::OwnPiece);
        }
        if !self.reach(piece.role, m.from).contains(m.to) {
            return Some(Illegality::Movement);
        }
        self.suicide(m)
    }

    /// Why a move that the piece can make is 自杀 (article 3.4), if it is.
    fn suicide(&self, m: Move) -> Option<Illegality> {
        let after = self.play_unchecked(m);
        let mover = self.turn();
        // Capturing the king ends the game before the own king matters.
        let enemy = after.board().king_of(!mover)?;
        let king = after.king_of(mover);
        let attackers = after.board().attackers_of(king, !mover);
        if attackers.is_empty() {
            None
        } else if attackers.contains(enemy) {
            Some(Illegality::KingsFacing)
        } else if self.in_check() {
            Some(Illegality::StillInCheck)
        } else {
            Some(Illegality::ExposedToCheck)
        }
    }

    /// Whether the piece that stands there moves so, whosever it is and whatever becomes of the kings.
    pub fn moves_so(&self, m: Move) -> bool {
        self.range(m.from).contains(m.to)
    }

    /// Where the piece that stands there moves, whosever it is and whatever becomes of the kings; nowhere if none stands there.
    pub fn range(&self, from: Square) -> Bitboard {
        let Some(piece) = self.piece_at(from) else { return Bitboard::EMPTY };
        self.with_turn(piece.color).reach(piece.role, from)
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, m: Move) -> bool {
        self.illegality(m).is_none()
    }

    /// Plays a legal move.
    pub fn play(&self, m: Move) -> Result<Position, Illegality> {
        match self.illegality(m) {
            None => Ok(self.play_unchecked(m)),
            Some(why) => Err(why),
        }
    }

    /// Moves whatever stands on the origin and gives the turn to the other side, legal or not. The caller answers for
    /// the kings: capturing one leaves a position whose [`Position::king_of`] panics for that side.
    #[inline]
    pub fn play_unchecked(&self, m: Move) -> Position {
        let mut setup = self.setup;
        let captured = setup.board.relocate(m.from, m.to);
        setup.quiet_plies = if captured.is_some() { 0 } else { setup.quiet_plies.saturating_add(1) };
        if setup.turn == Color::Black {
            setup.round = setup.round.saturating_add(1);
        }
        setup.turn = !setup.turn;
        Position { setup }
    }

    /// Where a piece of the side to move can go by its movement alone (articles 2.2), own pieces excluded.
    #[inline]
    pub(crate) fn reach(&self, role: Role, from: Square) -> Bitboard {
        //= 2.2
        //= 2.3
        let board = self.board();
        let occupied = board.occupied();
        let own = board.by_color(self.turn());
        match role {
            Role::King => attacks::king(from) & !own,
            Role::Advisor => attacks::advisor(from) & !own,
            Role::Elephant => attacks::elephant(from, occupied) & !own,
            Role::Horse => attacks::horse(from, occupied) & !own,
            Role::Pawn => attacks::pawn(self.turn(), from) & !own,
            Role::Rook => board.along_lines(from, attacks::rook_on_line) & !own,
            Role::Cannon => {
                let moves = board.along_lines(from, attacks::rook_on_line) & !occupied;
                let captures = board.along_lines(from, attacks::cannon_on_line);
                moves | (captures & !own)
            }
        }
    }

    /// How the game is over on the board, if it is.
    pub fn ending(&self) -> Option<Ending> {
        if self.has_legal_move() {
            None
        } else if self.in_check() {
            Some(Ending::Checkmate)
        } else {
            Some(Ending::Stalemate)
        }
    }
}

impl TryFrom<Setup> for Position {
    type Error = PositionError;
    fn try_from(setup: Setup) -> Result<Position, PositionError> {
        Position::new(setup)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup.fmt(f)
    }
}

/// Why a text is not a position: it is no FEN, or the FEN is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsePositionError {
    /// The text is no FEN.
    Fen(crate::fen::FenErrors),
    /// The FEN describes no position of a game.
    Position(PositionError),
}

impl ParsePositionError {
    /// Every reason, as words that records and `luozi fen --check` print.
    pub fn reasons(&self) -> Vec<alloc::string::String> {
        use alloc::string::ToString;
        match self {
            ParsePositionError::Fen(errors) => errors.0.iter().map(ToString::to_string).collect(),
            ParsePositionError::Position(error) => error.0.iter().map(ToString::to_string).collect(),
        }
    }
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePositionError::Fen(errors) => write!(f, "not a FEN: {errors}"),
            ParsePositionError::Position(error) => write!(f, "not a possible position: {error}"),
        }
    }
}

impl core::error::Error for ParsePositionError {}

impl core::str::FromStr for Position {
    type Err = ParsePositionError;
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let setup: Setup = text.parse().map_err(ParsePositionError::Fen)?;
        Position::new(setup).map_err(ParsePositionError::Position)
    }
}
