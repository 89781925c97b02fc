//! What a board answers to an order.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::Order;

/// What became of an order. An order that comes again is answered again, with what became of it the first time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The version of this format.
    pub v: u32,
    /// The board.
    pub board: String,
    /// The order's id.
    pub id: String,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Answer {
    /// The version of this format.
    pub const VERSION: u32 = 1;
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It was carried out, and stands in the journal.
    Applied {
        /// The game.
        game: String,
        /// The line of the journal that says so.
        seq: u64,
        /// The order's number in the game, by which it can be undone.
        order: u32,
        /// What was carried out.
        what: Box<Order>,
    },
    /// It was not carried out.
    Refused {
        /// The line of the journal that says so; none if the order did not get as far as the game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
        /// Why, as a word for programs.
        why: String,
        /// Why, as a sentence for people.
        text: String,
    },
}

/// Why an order did not get as far as the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    /// The board does not know the key.
    UnknownKey,
    /// The signature is not that of the key.
    BadSignature,
    /// The key's owner gave an order in another name.
    OtherName,
    /// The order is for another board.
    OtherBoard,
    /// The order is for another game than the one at the board.
    OtherGame,
    /// There is no game at the board.
    NoGame,
    /// What was signed is no order.
    Unreadable,
    /// A still was ordered of a board that has no camera.
    NoCamera,
    /// A still was ordered while another is taken.
    CameraBusy,
    /// So many orders wait, or were given in this game, that the board takes no more.
    TooMany,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::UnknownKey => "this board does not know that key",
            Rejection::BadSignature => "the signature is not that of the key",
            Rejection::OtherName => "that key does not give orders in that name",
            Rejection::OtherBoard => "the order is for another board",
            Rejection::OtherGame => "the order is for another game than the one at this board",
            Rejection::NoGame => "there is no game at this board",
            Rejection::Unreadable => "what was signed is no order that this board knows",
            Rejection::NoCamera => "this board has no camera",
            Rejection::CameraBusy => "a still is being taken; ask again when it is done",
            Rejection::TooMany => "the board takes no more orders now",
        })
    }
}

impl core::error::Error for Rejection {}
