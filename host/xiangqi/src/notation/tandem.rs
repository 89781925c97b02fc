//! Pieces of one role and side that share a file, and so need more than the file to be told apart.

use crate::{Board, File, Piece, Square};

/// Where a piece stands among those of its role and side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tandem {
    /// How many stand on its file.
    pub size: usize,
    /// How many of those stand in front of it.
    pub index: usize,
    /// How many files hold two or more. Only pawns can have two such files.
    pub files: usize,
    /// How many tandem pieces come before it when the files are counted from the owner's right hand, each from front
    /// to back.
    pub overall: usize,
}

impl Tandem {
    pub(super) fn of(board: &Board, piece: Piece, square: Square) -> Tandem {
        let alike = board.by_piece(piece.color, piece.role);
        let forward = |s: Square| s.rank().from_home_of(piece.color);
        let file = square.file();
        let mut tandem = Tandem::default();
        for other in File::ALL {
            let size = alike.filter(|s| s.file() == other).count();
            if size >= 2 {
                tandem.files += 1;
                if other.number_for(piece.color) < file.number_for(piece.color) {
                    tandem.overall += size;
                }
            }
            if other == file {
                tandem.size = size;
            }
        }
        tandem.index = alike.filter(|s| s.file() == file && forward(*s) > forward(square)).count();
        tandem.overall += tandem.index;
        tandem
    }
}
