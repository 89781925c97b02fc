//! How a game ends by what stands on the board: 将死, 困毙, 自杀, and positions that nobody can win.

use super::edition::{Edition, Numbering};
use crate::{Board, Color, Ending, Illegality, Move, Position, Role, can_stand};

/// A game lost on the board, and by which article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loss {
    /// Who loses.
    pub loser: Color,
    /// How.
    pub cause: LossCause,
    /// The article, as the edition numbers it.
    pub article: &'static str,
}

/// How a game is lost on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LossCause {
    /// 将死: in check, and no legal move.
    Checkmate,
    /// 困毙: not in check, and no legal move.
    Stalemate,
    /// The loser left the kings facing each other on an open file.
    KingsFacing,
    /// 自杀: the loser left his king in check, or exposed it.
    Suicide,
    /// The loser made a move that the piece cannot make, or moved out of turn, or moved nothing.
    IllegalMove,
}

/// The side to move has lost if it has no legal move.
pub fn on_board(position: &Position, edition: &Edition) -> Option<Loss> {
    let numbering = edition.name.numbering();
    let (cause, article) = match position.ending()? {
        //= 3.1
        //= 3.2 (2010)
        //= 4.1.1
        Ending::Checkmate => (LossCause::Checkmate, numbering.article("4.1.1", "4.1(1)")),
        //= 3.2 (1999)
        //= 3.3 (2010)
        //= 4.1.3
        Ending::Stalemate => (LossCause::Stalemate, numbering.article("4.1.3", "4.1(2)")),
    };
    Some(Loss { loser: position.turn(), cause, article })
}

/// What a move that was played against the rules means: a loss if the edition lets it lose at once, else `None`; then it
/// is a foul and is taken back. `offences` is how many such moves the side has made in this game, this one included.
///
/// 自杀 always loses at once. `None` for a legal move, too.
pub fn by_illegal_move(position: &Position, m: Move, offences: u32, edition: &Edition) -> Option<Loss> {
    let numbering = edition.name.numbering();
    let (cause, article) = match (position.illegality(m)?, numbering) {
        //= 4.1.2
        (Illegality::KingsFacing, Numbering::Of1999) => (LossCause::KingsFacing, "4.1.2"),
        //= 3.4
        //= 4.1(3)
        (Illegality::KingsFacing, Numbering::Of2010) => (LossCause::KingsFacing, "4.1(3)"),
        (Illegality::StillInCheck | Illegality::ExposedToCheck, _) => {
            (LossCause::Suicide, numbering.article("4.1.6", "4.1(3)"))
        }
        //= 4.1.6
        //= 5.8(3) exception: the arbiter takes the move back at the board and watches which piece moves instead
        //= 4.1(8)
        _ if offences >= edition.illegal_moves_to_lose => {
            (LossCause::IllegalMove, numbering.article("4.1.6", "4.1(8)"))
        }
        _ => return None,
    };
    Some(Loss { loser: position.turn(), cause, article })
}

/// What can be said of 双方均无取胜可能的简单局势 (neither side can win, a simple position).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winnable {
    /// No sequence of legal moves, however helpful, ends the game: it is a draw.
    ByNeither,
    /// A won game is possible, perhaps only by blunders. Whether the position counts as drawn is for the arbiter.
    ArbiterDecides,
}

/// Whether anybody can still win.
///
/// A draw is certain where no position with the same pieces or fewer has a side without a legal move. `tests/ending.rs`
/// goes through all of them. That is so with, besides the kings,
///
/// - advisors and elephants only: none of them ever reaches a king or takes a square from it;
/// - one cannon without advisors on its side, against any elephants;
/// - one cannon alone on its side, against at most one advisor and any elephants;
/// - one cannon alone on each side.
///
/// With one advisor more the cannon has the screen for a mate, if the defender helps.
///
/// Pieces on points that they cannot reach (after an illegal move that stands) make nothing certain.
pub fn winnable(position: &Position) -> Winnable {
    //= 4.2.1
    let board = position.board();
    let strays = board.pieces().any(|(square, piece)| !can_stand(piece, square));
    let certain = !strays
        && match Color::ALL.map(|color| Force::of(board, color)) {
            [Some(red), Some(black)] => red.cannot_beat(black) && black.cannot_beat(red),
            _ => false,
        };
    if certain { Winnable::ByNeither } else { Winnable::ArbiterDecides }
}

/// A side that has at most one cannon besides its king's guards.
#[derive(Clone, Copy)]
struct Force {
    cannons: u32,
    advisors: u32,
    elephants: u32,
}

impl Force {
    fn of(board: &Board, color: Color) -> Option<Force> {
        let count = |role| board.by_piece(color, role).count();
        let attackers = count(Role::Rook) + count(Role::Horse) + count(Role::Pawn) + count(Role::Cannon);
        let cannons = count(Role::Cannon);
        (attackers == cannons && cannons <= 1).then(|| Force {
            cannons,
            advisors: count(Role::Advisor),
            elephants: count(Role::Elephant),
        })
    }

    fn is_bare(self) -> bool {
        self.advisors == 0 && self.elephants == 0
    }

    fn cannot_beat(self, other: Force) -> bool {
        match (self.cannons, other.cannons) {
            (0, _) => true,
            (_, 0) => {
                self.advisors == 0 && (other.advisors == 0 || (other.advisors == 1 && self.elephants == 0))
            }
            _ => self.is_bare() && other.is_bare(),
        }
    }
}
