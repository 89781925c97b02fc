//! The thirty-two pieces of a set in the order that several formats share.

use xiangqi::{Board, Piece, Square};

use crate::WriteError;

/// Red's pieces, then Black's; each from its left hand, then cannons and pawns.
pub(crate) const PIECES: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// Where each piece of the set stands.
pub(crate) fn arrange(board: &Board) -> Result<[Option<Square>; 32], WriteError> {
    let mut places = [None; 32];
    for (square, piece) in board.pieces() {
        let is_free = |(place, letter): (&Option<Square>, &u8)| {
            place.is_none() && Piece::from_letter(char::from(*letter)) == Some(piece)
        };
        let Some(free) = places.iter().zip(PIECES).position(is_free) else {
            let problem = format!("the format holds one set of pieces; there are more {}", piece.letter());
            return Err(WriteError(problem));
        };
        places[free] = Some(square);
    }
    Ok(places)
}
