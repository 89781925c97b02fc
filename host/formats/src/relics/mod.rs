//! Records of playing sites and programs that are gone. They hold one main line and are only read.
//!
//! | format | from | what it is |
//! |---|---|---|
//! | MXQ | 弈天 (movesky.net) | texts with a length byte each, moves as `7C-4C` |
//! | CHE | QQ | numbers in ASCII, ten for each move |
//! | CHN | 联众 (ourgame.com) | entries of 36 bytes from byte 522 on |
//! | CCM | 17pk.com | entries of nine bytes after a count |

mod ccm;
mod che;
mod chn;
mod mxq;

pub(crate) use ccm::{is as is_ccm, read as read_ccm};
pub(crate) use che::{is as is_che, read as read_che};
pub(crate) use chn::{is as is_chn, read as read_chn};
pub(crate) use mxq::{is as is_mxq, read as read_mxq};

use xiangqi::{File, Move, Rank, Square};

use crate::Ply;

/// A move of four numbers: file and rank from Red's side, twice.
fn ply(from_file: u8, from_rank: u8, to_file: u8, to_rank: u8) -> Ply {
    let square =
        |file: u8, rank: u8| Some(Square::at(File::new(usize::from(file))?, Rank::new(usize::from(rank))?));
    match (square(from_file, from_rank), square(to_file, to_rank)) {
        (Some(from), Some(to)) => Ply::Move(Move::new(from, to)),
        _ => Ply::Unread(format!("{from_file},{from_rank}-{to_file},{to_rank}").into()),
    }
}
