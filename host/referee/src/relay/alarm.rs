//! What a board says is wrong with itself.

use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

/// Something that is wrong with a board. It plays on.
///
/// On the wire a word in `code` and what belongs to it beside, so that a page can say it in its reader's language; as a
/// text it is a sentence for logs and for readers that know no codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Alarm {
    /// The journal cannot be written, because the disk is full.
    DiskFull,
    /// The journal cannot be written, because the disk has become read-only.
    DiskReadOnly,
    /// The journal cannot be written for another reason.
    DiskFailed {
        /// What the machine says.
        detail: String,
    },
    /// The journal's folder, or the file that is being written, is not in its place.
    JournalMoved {
        /// The file, without its folder.
        file: String,
    },
    /// The journal's folder had gone and was made anew, with the running game; what was before is not in it.
    JournalBegunAnew {
        /// The file with which it begins now.
        file: String,
    },
    /// The journal cannot be read, so that what is on disk is not published.
    JournalUnreadable {
        /// What the machine says.
        detail: String,
    },
    /// Records of an earlier game are damaged or gone. They are left as they are.
    JournalDamaged {
        /// The file that holds the first bad record.
        file: String,
        /// The line in the file, from 1.
        line: u64,
    },
    /// Records of the running game were damaged: they and those after them were set aside, and the game goes on from the last
    /// good one.
    JournalSetAside {
        /// The file that keeps them.
        file: String,
        /// The place of the first of them.
        seq: u64,
    },
    /// Records of the running game that a broker has had are not on the disk any more: the game goes on from the last that is.
    JournalLinesGone {
        /// The place of the first of them.
        seq: u64,
    },
    /// The broker closes each connection at once, as it does when another client has the same id. A guess: brokers do not
    /// say it.
    IdTaken {
        /// The id.
        client: String,
    },
    /// Something that this version has no words for. Never said by this version.
    #[serde(other)]
    Unknown,
}

impl fmt::Display for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Alarm::DiskFull => f.write_str("the journal cannot be written: the disk is full"),
            Alarm::DiskReadOnly => f.write_str("the journal cannot be written: the disk is read-only"),
            Alarm::DiskFailed { detail } => write!(f, "the journal cannot be written: {detail}"),
            Alarm::JournalMoved { file } => {
                write!(f, "the journal cannot be written: {file} or its folder is not in its place")
            }
            Alarm::JournalBegunAnew { file } => {
                write!(f, "the journal's folder had gone; it was made anew and begins with {file}")
            }
            Alarm::JournalUnreadable { detail } => {
                write!(f, "the journal cannot be read and is not published: {detail}")
            }
            Alarm::JournalDamaged { file, line } => {
                write!(f, "records of an earlier game are damaged or gone, from {file}, line {line}")
            }
            Alarm::JournalSetAside { file, seq } => {
                write!(
                    f,
                    "the journal was damaged from record {seq} on: that part is set aside in {file}, and the game goes on \
                     from the record before; compare its moves and clocks with the board"
                )
            }
            Alarm::JournalLinesGone { seq } => {
                write!(
                    f,
                    "the disk has lost the journal from record {seq} on, which had been sent: the game goes on from the record \
                     before; compare its moves and clocks with the board"
                )
            }
            Alarm::IdTaken { client } => {
                write!(f, "another client is connected as {client}: two boards with one id?")
            }
            Alarm::Unknown => f.write_str("something that this version has no words for"),
        }
    }
}
