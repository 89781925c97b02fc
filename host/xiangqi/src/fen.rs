//! Forsyth–Edwards notation of xiangqi: `<board> <side> - - <plies since a capture> <round>`.
//!
//! Ten ranks from Black's home row down, files a to i; capitals are Red. The side is `w` (Red) or `b`. The four
//! fields after the side may be left out and default to `- - 0 1`.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::{Board, Color, File, Piece, Rank, Setup, Square};

/// The FEN of the position from which games start.
//= 1.3
pub const INITIAL: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// One reason why a text is not a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenError {
    /// There is no text.
    Empty,
    /// The board does not have ten ranks; this many were found.
    RankCount(usize),
    /// The rank does not have nine files; this many were found.
    FileCount(Rank, usize),
    /// A character of the board is no piece and no digit 1–9.
    BadPiece(Rank, char),
    /// Two digits stand side by side, as `45` for `9`: either a digit is wrong or a piece was lost between.
    AdjacentDigits(Rank),
    /// The side to move is not given. A position is not known without it.
    SideMissing,
    /// The side to move is neither `w` nor `b`.
    BadSide,
    /// A field that must be `-` is not (field 3 or 4).
    NotDash(usize),
    /// A counter is not a number of at most six digits (field 5 or 6).
    BadCounter(usize),
    /// More than six fields.
    TooManyFields,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FenError::Empty => f.write_str("empty"),
            FenError::RankCount(n) => write!(f, "rank_count_{n}_expected_10"),
            FenError::FileCount(rank, n) => write!(f, "file_count_{n}_expected_9_rank_{}", rank.index()),
            FenError::BadPiece(rank, c) => {
                write!(f, "bad_piece_{}_rank_{}", c.escape_default(), rank.index())
            }
            FenError::AdjacentDigits(rank) => write!(f, "adjacent_digits_rank_{}", rank.index()),
            FenError::SideMissing => f.write_str("side_to_move_missing"),
            FenError::BadSide => f.write_str("side_to_move_not_w_or_b"),
            FenError::NotDash(field) => write!(f, "field_{field}_not_dash"),
            FenError::BadCounter(field) => write!(f, "field_{field}_not_a_counter"),
            FenError::TooManyFields => f.write_str("too_many_fields"),
        }
    }
}

/// Every reason why a text is not a FEN, in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenErrors(pub Vec<FenError>);

impl fmt::Display for FenErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for FenErrors {}

/// Reads the board field, noting every fault in `errors`.
fn read_board(text: &str, errors: &mut Vec<FenError>) -> Board {
    let mut board = Board::EMPTY;
    let count = text.split('/').count();
    if count != 10 {
        errors.push(FenError::RankCount(count));
    }
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut file = 0;
        let mut after_digit = false;
        for c in row.chars() {
            if let Some(gap) = c.to_digit(10).filter(|gap| *gap > 0) {
                if after_digit {
                    errors.push(FenError::AdjacentDigits(rank));
                }
                file += gap as usize;
                after_digit = true;
                continue;
            }
            after_digit = false;
            match (Piece::from_letter(c), File::new(file)) {
                (Some(piece), Some(at)) => board.put(Square::at(at, rank), piece),
                (Some(_), None) => {}
                (None, _) => errors.push(FenError::BadPiece(rank, c)),
            }
            file += 1;
        }
        if file != 9 {
            errors.push(FenError::FileCount(rank, file));
        }
    }
    board
}

fn read_counter(text: Option<&str>, field: usize, default: u32, errors: &mut Vec<FenError>) -> u32 {
    let Some(text) = text else { return default };
    let well_formed = text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(n) if well_formed => n,
        _ => {
            errors.push(FenError::BadCounter(field));
            default
        }
    }
}

impl FromStr for Setup {
    type Err = FenErrors;

    fn from_str(text: &str) -> Result<Setup, FenErrors> {
        let mut errors = Vec::new();
        let mut fields = text.split_ascii_whitespace();
        let Some(board) = fields.next() else { return Err(FenErrors(alloc::vec![FenError::Empty])) };
        let board = read_board(board, &mut errors);
        let turn = match fields.next() {
            Some("w") => Color::Red,
            Some("b") => Color::Black,
            other => {
                errors.push(if other.is_none() { FenError::SideMissing } else { FenError::BadSide });
                Color::Red
            }
        };
        for field in [3, 4] {
            if fields.next().is_some_and(|text| text != "-") {
                errors.push(FenError::NotDash(field));
            }
        }
        let quiet_plies = read_counter(fields.next(), 5, 0, &mut errors);
        // Some programs write round 0; rounds count from 1.
        let round = read_counter(fields.next(), 6, 1, &mut errors).max(1);
        if fields.next().is_some() {
            errors.push(FenError::TooManyFields);
        }
        if errors.is_empty() { Ok(Setup { board, turn, quiet_plies, round }) } else { Err(FenErrors(errors)) }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                if let Some(piece) = self.piece_at(Square::at(file, rank)) {
                    if gap > 0 {
                        write!(f, "{gap}")?;
                    }
                    gap = 0;
                    write!(f, "{}", piece.letter())?;
                } else {
                    gap += 1;
                }
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank != Rank::R0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.turn {
            Color::Red => 'w',
            Color::Black => 'b',
        };
        write!(f, "{} {side} - - {} {}", self.board, self.quiet_plies, self.round)
    }
}
