//! What the referee says happened. Every event carries the moment it speaks of.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use sense::Uptime;
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Illegality, Move, Position, Square};

use crate::claim::{Claim, ClaimKind, DutyState, OfferOutcome};
use crate::clock::{ClockKind, ClockShows, PlyTime};
use crate::command::{By, Order, Refusal};
use crate::foul::Foul;
use crate::result::{GameResult, Reason, Score};

/// Something that happened in a game, with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it became certain, in microseconds since the start of the board.
    pub us: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: Happening,
}

impl Event {
    /// An event at that time.
    pub const fn new(at: Uptime, what: Happening) -> Event {
        Event { us: at.as_us(), what }
    }
}

/// What happened. New kinds may be added; readers ignore kinds that they do not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Happening {
    /// The best reading of what stands on the board now, not committed. `None` takes the last one back.
    Provisional {
        /// The ply it would be, from 1.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        mv: Option<Move>,
    },
    /// A move is committed: it stands in the record.
    Moved(Moved),
    /// Several moves explain what was sensed for that ply.
    Ambiguous {
        /// The ply, from 1.
        ply: u32,
        /// The moves that explain it.
        candidates: Vec<Move>,
    },
    /// Plies that were ambiguous are settled. It rewrites nothing: it names the plies and what they were.
    Resolved {
        /// The first ply that it settles, from 1.
        ply: u32,
        /// The moves from that ply on.
        moves: Vec<Move>,
        /// What settled it.
        by: Resolution,
        /// The clock after each of them, where there is one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clocks: Vec<PlyTime>,
    },
    /// Something that an arbiter may want to see.
    Incident(Incident),
    /// Something happened to the clock.
    Clock {
        /// Whose time it concerns; for a switch, the side that runs from now on.
        side: Color,
        /// What it was.
        #[serde(flatten)]
        what: ClockKind,
        /// What the clock shows then.
        shows: ClockShows,
    },
    /// A foul was entered.
    Foul(Foul),
    /// A foul was taken back; its entry stays and no longer counts.
    FoulWithdrawn {
        /// Its number.
        foul: u32,
        /// Who took it back.
        by: By,
        /// Why.
        reason: String,
    },
    /// A player said "draw", or refused one.
    Offer {
        /// Who.
        side: Color,
        /// What became of it.
        offer: OfferOutcome,
    },
    /// A claim waits for the arbiter; the clocks are stopped.
    Claim(Claim),
    /// A claim waits no longer: the order that made it was undone. A ruling and a result settle it, and this is not said then.
    ClaimLifted {
        /// Who had claimed.
        side: Color,
        /// What.
        claim: ClaimKind,
    },
    /// A duty to vary was imposed, met, broken or lifted.
    Duty {
        /// Whose duty.
        side: Color,
        /// Its state.
        duty: DutyState,
        /// When it is imposed: its own moves by the last of which the side must have varied; the cycle once more, where the
        /// arbiter has named no number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<u32>,
    },
    /// The rules would end the game now; an arbiter declares it, or not.
    Due(Due),
    /// What was due is so no longer: an arbiter has ruled, or an order was undone. A result settles everything that is due,
    /// and this is not said then.
    DueLifted {
        /// How the game would have ended.
        score: Score,
        /// Why.
        ending: Reason,
    },
    /// A result was declared. One that corrects another names it.
    Result(GameResult),
    /// Play goes on though there was a result, which stays in the record.
    Reopened {
        /// The number of that result.
        result: u32,
    },
    /// A result was signed (10.1).
    Signed {
        /// The number of the result.
        result: u32,
        /// Who signed.
        by: By,
        /// Whether everybody has: both players and an arbiter.
        complete: bool,
    },
    /// The order to take a signature was undone.
    SignatureWithdrawn {
        /// The number of the result.
        result: u32,
        /// Whose.
        by: By,
    },
    /// An order about the moves was undone: what it changed is as it was.
    PutBack {
        /// The first ply that differs, from 1.
        ply: u32,
        /// The moves that stand again from there on.
        moves: Vec<Move>,
        /// The clock after each of them, where there is one: a credit that was taken back is given again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clocks: Vec<PlyTime>,
        /// The position that stands.
        fen: Box<Position>,
    },
    /// A player has taken his last move back by hand. The ply is named and stays in the record; it stands no more.
    TakenBack {
        /// The ply, from 1: the next one that is played takes its number.
        ply: u32,
        /// Who took it back.
        side: Color,
    },
    /// A player is missing at the start of the round.
    Absent {
        /// Which.
        side: Color,
    },
    /// A late player has sat down.
    Arrived {
        /// Which.
        side: Color,
        /// How late.
        late_us: u64,
    },
    /// A player calls the arbiter.
    Called {
        /// Which, where the panel tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Color>,
    },
    /// An order of the arbiter was carried out.
    Ordered {
        /// Its number in the game, from 1.
        order: u32,
        /// The order.
        #[serde(flatten)]
        what: Order,
    },
    /// An order, a button or a claim was refused.
    Refused {
        /// Who asked.
        by: By,
        /// What for.
        request: String,
        /// Why not.
        why: Refusal,
    },
}

/// The rules would end the game now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// How.
    pub score: Score,
    /// Why.
    pub ending: Reason,
    /// The article, as the edition in force numbers it.
    pub article: String,
    /// The ply in which it was done, or that was being played, from 1.
    #[serde(default)]
    pub ply: u32,
    /// The evidence, in one readable line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Due {
    /// Whether two say that the game ends alike: that is said once.
    pub fn is_as(&self, other: &Due) -> bool {
        (self.score, self.ending) == (other.score, other.ending)
    }
}

/// A committed move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// The ply, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Why it was not legal, when it was not; it stands in the record until the arbiter rules.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "illegality_text")]
    pub illegal: Option<Illegality>,
    /// When the first piece of the move was lifted, in microseconds.
    pub begin_us: u64,
    /// When the last piece of the move stood, in microseconds.
    pub settled_us: u64,
    /// The clock after it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<PlyTime>,
}

/// What settles an ambiguity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Only one history allows what was played later.
    #[default]
    Later,
    /// A picture of the board.
    Camera,
    /// The arbiter chose.
    Arbiter,
}

/// Something that an arbiter may want to see, with its article and its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// What it is. Its key is `incident`, because a record's own key is `kind`.
    #[serde(rename = "incident")]
    pub kind: IncidentKind,
    /// The ply that was being played, from 1.
    pub ply: u32,
    /// Whose it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Color>,
    /// The article, as the edition in force numbers it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub article: String,
    /// The points concerned.
    #[serde(default)]
    pub squares: Vec<Square>,
    /// The evidence and the reason, in one readable line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// The kinds of incidents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncidentKind {
    /// Own piece lifted and put back, then another piece moved though the first had a legal move (5.1).
    TouchNotMoved,
    /// A touched enemy piece could be captured as the order of 5.3 and 5.4 demands, and was not (5.2–5.5).
    TouchNotCaptured,
    /// Touched an own piece that has no legal move (9.1.5).
    TouchUnmovable,
    /// Touched an enemy piece that nothing can capture (9.1.6).
    TouchUncapturable,
    /// Pieces lifted and put back in the opponent's time without announcing it (5.6).
    AdjustUnannounced,
    /// A move that the piece cannot make (4.1.6).
    IllegalMove,
    /// 自杀: kings left facing, or the own king left in check (3.4).
    Suicide,
    /// The side not to move moved (2.1).
    OutOfTurn,
    /// The clock was pressed before any move was completed.
    PressWithoutMove,
    /// The pieces no longer match any line of play (5.8, 5.9).
    Displaced,
    /// The pieces match again.
    Restored,
    /// A reed is stuck open, stuck closed or chatters; play goes on with it masked.
    SensorFault,
    /// Several moves explain what was sensed.
    Ambiguous,
    /// 将死 (3.2).
    Checkmate,
    /// 困毙 (3.3).
    Stalemate,
    /// Time ran out (4.1.4).
    Flag,
    /// A position has been repeated so that a claim or a ruling is due (24).
    Repetition,
    /// The natural limit of moves without a capture is reached (23).
    NaturalLimit,
}

/// [`Illegality`] by its name.
mod illegality_text {
    use super::Illegality;
    use alloc::string::String;
    use serde::{Deserialize, Deserializer, Serializer, de};

    const ALL: [Illegality; 7] = [
        Illegality::NoPiece,
        Illegality::NotYours,
        Illegality::OwnPiece,
        Illegality::Movement,
        Illegality::KingsFacing,
        Illegality::StillInCheck,
        Illegality::ExposedToCheck,
    ];

    pub fn serialize<S: Serializer>(why: &Option<Illegality>, serializer: S) -> Result<S::Ok, S::Error> {
        match why {
            Some(why) => serializer.serialize_some(why.name()),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Illegality>, D::Error> {
        let Some(name) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let found = ALL.into_iter().find(|why| why.name() == name);
        found.map(Some).ok_or_else(|| de::Error::custom(alloc::format!("unknown illegality {name:?}")))
    }
}
