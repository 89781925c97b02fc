//! What a trace told.

use referee::IncidentKind;
use serde::Serialize;
use xiangqi::{Color, Move, Square};

/// The interpretation of one trace, as `luozi replay --json` writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The trace.
    pub trace: String,
    /// The FEN from which the game started.
    pub start: String,
    /// The moves that stand at the end, an illegal one that was not taken back included.
    pub moves: Vec<Move>,
    /// The FEN after them.
    pub final_fen: String,
    /// The score, where one was declared.
    pub result: Option<String>,
    /// The ply, after the last move, for which several moves still explain what was sensed.
    pub unresolved: Vec<Unresolved>,
    /// What an arbiter may want to see, in time order.
    pub incidents: Vec<Incident>,
    /// What of the header was not understood and left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A ply for which several moves explain what was sensed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unresolved {
    /// The ply, from 1.
    pub ply: u32,
    /// The moves that explain it.
    pub candidates: Vec<Move>,
}

/// An incident with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incident {
    /// When it became certain, in microseconds since the start of the trace.
    pub us: u64,
    /// The ply that was being played, from 1.
    pub ply: u32,
    /// Whose it is; `None` where nobody's.
    pub side: Option<Color>,
    /// What it is.
    pub kind: IncidentKind,
    /// The article, as the edition in force numbers it; empty where there is none.
    pub article: String,
    /// The points concerned.
    pub squares: Vec<Square>,
    /// The reason, in one line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Incident {
    pub(crate) fn new(us: u64, incident: referee::Incident) -> Incident {
        let referee::Incident { kind, ply, side, article, squares, note } = incident;
        Incident { us, ply, side, kind, article, squares, note }
    }
}
