//! A game as viewers get it: the board's snapshot with everything that they would otherwise have to compute.

use referee::public::Behind;
use referee::{ClockFace, GameResult, Phase, Ply, Provisional, Reason, Score, Snapshot};
use serde::Serialize;
use xiangqi::notation::{self, Script};
use xiangqi::{Move, Position, Setup};

/// One committed move in every notation that pages offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlyView {
    /// Such as `h2e2`.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The thinking time, in milliseconds.
    pub used_ms: Option<u64>,
    /// What Red had left afterwards, in milliseconds.
    pub red_ms: Option<u64>,
    /// What Black had left afterwards, in milliseconds.
    pub black_ms: Option<u64>,
    /// Such as 炮二平五.
    pub hans: String,
    /// The same in traditional characters.
    pub hant: String,
    /// Such as `C2=5`.
    pub wxf: String,
    /// Such as `H2-E2`.
    pub iccs: String,
    /// Whether it gives check.
    pub check: bool,
}

/// How a game ended, as far as spectators need to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Who won.
    pub score: Score,
    /// Why.
    pub reason: Reason,
    /// The article that it rests on; empty where none was named.
    pub article: String,
}

impl Outcome {
    pub(crate) fn of(result: &GameResult) -> Outcome {
        Outcome { score: result.score, reason: result.reason, article: result.article.clone() }
    }
}

/// A game without its moves: what a wall of boards needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The game's id.
    pub id: String,
    /// The board's id.
    pub board: String,
    /// Whether the board is connected.
    pub online: bool,
    /// Whether this is the game that is on the board now.
    pub current: bool,
    /// The last record of the board's journal that this contains.
    pub seq: u64,
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// The event's name.
    pub event: String,
    /// The round, as the event writes it.
    pub round: String,
    /// The table, as the event writes it.
    pub table: String,
    /// The position from which the game started.
    pub start_fen: String,
    /// The position after the last committed move.
    pub fen: String,
    /// How many moves are committed.
    pub ply_count: usize,
    /// The last of them.
    pub last: Option<PlyView>,
    /// A move that hands have made and that is not committed.
    pub provisional: Option<Provisional>,
    /// Both clocks.
    pub clock: Option<ClockFace>,
    /// How the game ended.
    pub result: Option<Outcome>,
    /// Where the game is in its course.
    pub phase: Phase,
    /// How far this is behind the board; nothing where it is not.
    pub behind: Option<Behind>,
}

/// A game with its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameView {
    /// All but the moves.
    #[serde(flatten)]
    pub summary: Summary,
    /// The committed moves.
    pub plies: Vec<PlyView>,
}

impl GameView {
    /// Plays a snapshot through. Whether its board is connected and shows it is the replica's knowledge, and false here.
    pub fn of(snapshot: &Snapshot) -> GameView {
        let mut setup = snapshot.start;
        let mut plies = Vec::with_capacity(snapshot.plies.len());
        for played in &snapshot.plies {
            let before = standing(setup);
            setup = after(setup, played.mv);
            plies.push(PlyView::of(before.as_ref(), played, standing(setup).as_ref()));
        }
        let summary = Summary {
            id: snapshot.game.clone(),
            board: snapshot.board.clone(),
            online: false,
            current: false,
            seq: snapshot.seq,
            red: snapshot.red.clone(),
            black: snapshot.black.clone(),
            event: snapshot.event.clone(),
            round: snapshot.round.clone(),
            table: snapshot.table.clone(),
            start_fen: snapshot.start.to_string(),
            fen: snapshot.fen.to_string(),
            ply_count: plies.len(),
            last: plies.last().cloned(),
            provisional: snapshot.provisional,
            clock: snapshot.clock,
            result: snapshot.result.as_ref().map(Outcome::of),
            phase: snapshot.phase,
            behind: None,
        };
        GameView { summary, plies }
    }

    /// Whether two states of a game differ in nothing that a viewer sees.
    pub fn shows_the_same(&self, other: &GameView) -> bool {
        let summary = Summary { seq: other.summary.seq, ..self.summary.clone() };
        summary == other.summary && self.plies == other.plies
    }

    /// How many moves from the start are the same in both.
    pub fn common_plies(&self, other: &GameView) -> usize {
        self.plies.iter().zip(&other.plies).take_while(|(a, b)| a == b).count()
    }
}

impl PlyView {
    // A move out of a position that is none (a king is missing, say) still has its coordinates.
    fn of(before: Option<&Position>, played: &Ply, after: Option<&Position>) -> PlyView {
        let mv = played.mv;
        let iccs = notation::iccs(mv);
        let written = |write: &dyn Fn(&Position) -> String| before.map_or_else(|| iccs.clone(), write);
        PlyView {
            mv,
            used_ms: played.used_ms,
            red_ms: played.red_ms,
            black_ms: played.black_ms,
            hans: written(&|position| notation::chinese(position, mv, Script::Simplified)),
            hant: written(&|position| notation::chinese(position, mv, Script::Traditional)),
            wxf: written(&|position| notation::wxf(position, mv)),
            check: after.is_some_and(Position::in_check),
            iccs,
        }
    }
}

/// The position of a setup, also of one that legal play could not reach: an illegal move that nobody noticed stands
/// (article 5.8).
fn standing(setup: Setup) -> Option<Position> {
    Position::standing(setup).ok()
}

/// What stands after a move: only the pieces and the turn, which are all that notation needs.
fn after(mut setup: Setup, mv: Move) -> Setup {
    setup.board.relocate(mv.from, mv.to);
    setup.turn = !setup.turn;
    setup
}
