//! CBR, one game of CCBridge (象棋桥), and CBL, its libraries.
//!
//! A record is a header of fixed fields in UTF-16LE, a board of ninety bytes and a stream of moves. A library is a
//! header, an index and records on boundaries of 4096 bytes. Numbers are little-endian. What lies between the fields
//! is uninitialised memory and is ignored. The oldest layout (kind 1) has its board 256 bytes earlier and writes
//! squares in half-bytes.

mod early;
mod library;
mod read;
mod write;

use crate::Tag;

pub(crate) use early::{is_early_library, read_early_library};
pub(crate) use library::{is_library, read_library};
pub(crate) use read::{is, read};
pub(crate) use write::write;

const MAGIC: &[u8; 16] = b"CCBridge Record\0";

/// Offset and width of each text of a record.
const TEXTS: [(usize, usize, Tag); 25] = [
    (180, 128, Tag::Title),
    (308, 256, Tag::Category),
    (564, 64, Tag::Source),
    (628, 64, Tag::EventClass),
    (692, 64, Tag::Event),
    (756, 64, Tag::Round),
    (820, 32, Tag::Group),
    (852, 32, Tag::Table),
    (884, 64, Tag::Date),
    (948, 64, Tag::Site),
    (1012, 64, Tag::TimeControl),
    (1076, 64, Tag::Red),
    (1140, 64, Tag::RedTeam),
    (1204, 64, Tag::RedTime),
    (1268, 32, Tag::RedElo),
    (1300, 64, Tag::Black),
    (1364, 64, Tag::BlackTeam),
    (1428, 64, Tag::BlackTime),
    (1492, 32, Tag::BlackElo),
    (1524, 64, Tag::Referee),
    (1588, 64, Tag::Recorder),
    (1652, 64, Tag::Annotator),
    (1780, 64, Tag::Author),
    (1908, 40, Tag::Created),
    (1972, 40, Tag::Modified),
];

/// How the game ended, in words.
const TERMINATION: (usize, usize) = (2080, 32);

/// Where things are in a record.
struct Layout {
    result: usize,
    first_side: usize,
    board: usize,
    moves: usize,
}

/// Kinds 2 and 3.
const NOW: Layout = Layout { result: 2076, first_side: 2112, board: 2120, moves: 2214 };

/// Kind 1. Its texts, but for the title, and its result are not known.
const THEN: Layout = Layout { result: 0, first_side: 0, board: 1864, moves: 1958 };

/// The title of kind 1.
const OLD_TITLE: (usize, usize) = (52, 128);

/// This line ends here.
const ENDS: u8 = 1;
/// An alternative to this ply comes later.
const BRANCHES: u8 = 2;
/// A comment follows.
const COMMENT: u8 = 4;

/// Roles by the low half of a byte of the board.
const ROLES: &[u8; 8] = b" RNBAKCP";
