//! 棋例: what repeated moves are and who must vary (articles 24–29).
//!
//! [`judge`] finds the span in which play repeats itself, labels every move (将 杀 捉 兑 献 拦 跟 闲), says what each side
//! did over the whole span, and looks the verdict up. The labels rest on bounded searches; where one hits its bound, the
//! judgement is not certain and the arbiter decides, with the evidence before him.
//!
//! ```
//! use xiangqi::law::edition::RepetitionRules;
//! use xiangqi::law::repetition::{Verdict, judge};
//! use xiangqi::{Color, Move, Position};
//!
//! // The rook checks at every move.
//! let start: Position = "3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0 1".parse()?;
//! let moves: Vec<Move> = ["e2d2", "d9e9", "d2e2", "e9d9"].iter().map(|m| m.parse()).collect::<Result<_, _>>()?;
//! let judgement = judge(&start, &moves, RepetitionRules::Cxa1999)?;
//! assert_eq!(judgement.verdict, Verdict::Loses(Color::Red));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod budget;
mod chase;
mod class;
mod exchange;
mod explain;
mod federation;
mod label;
mod mate;
mod material;
mod script;
mod span;
mod threat;
mod verdict;
mod view;

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

pub use class::Class;
pub use explain::{Explanation, Language};
pub use label::{Label, Ply};
pub use material::{Material, PawnScale};
pub use threat::{Means, Threat};
pub use verdict::{Verdict, verdict};

use crate::law::edition::RepetitionRules;
use crate::{ByColor, Color, Illegality, Move, Position};
use label::{Effort, Labeller, Reading};
use span::Line;
use view::View;

/// What the rules make of a line of play that ends in a repeated position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Who must vary.
    pub verdict: Verdict,
    /// Which moves the cycle consists of, as indices; from the first occurrence of the last position to the last.
    pub span: Option<Range<usize>>,
    /// How many times in a row the span runs through one and the same cycle; 1 also where it does not, or there is none.
    pub rounds: usize,
    /// What each side did over the span. Moves that recur in it count once, so it does not matter how often they do.
    pub classes: ByColor<Class>,
    /// The moves, each with its label and evidence. Those far before the cycle are looked at briefly.
    pub plies: Vec<Ply>,
    /// The articles that the verdict rests on.
    pub articles: Vec<&'static str>,
    /// False when a search behind a label hit its bound.
    pub certain: bool,
}

impl Judgement {
    /// The cycle as it was played last, as indices of moves.
    pub fn cycle(&self) -> Option<Range<usize>> {
        self.span.clone().map(|span| span.end - span.len() / self.rounds..span.end)
    }
}

/// Why a line cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeError {
    /// There are no moves.
    NoMoves,
    /// A move of the line is not legal.
    IllegalMove {
        /// Which one, from 1.
        ply: usize,
        /// The move.
        played: Move,
        /// Why it is not legal.
        why: Illegality,
    },
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::NoMoves => f.write_str("no moves: expected a line that runs through a cycle"),
            JudgeError::IllegalMove { ply, played, why } => {
                write!(f, "move {ply}, {played}, is not legal: {why}")
            }
        }
    }
}

impl core::error::Error for JudgeError {}

/// Judges a line of play by the repetition rules of an edition.
pub fn judge(start: &Position, moves: &[Move], rules: RepetitionRules) -> Result<Judgement, JudgeError> {
    if moves.is_empty() {
        return Err(JudgeError::NoMoves);
    }
    let line = Line::play(start, moves).map_err(|(i, why)| JudgeError::IllegalMove {
        ply: i + 1,
        played: moves[i],
        why,
    })?;
    let repeated = line.repeated_span();
    let decisive = repeated.as_ref().map_or(moves.len().saturating_sub(2 * ROUNDS), |span| span.start);
    let view = View::of(&line.positions[decisive..]);
    Ok(view.judgement(judge_line(&view.line(&line), repeated, decisive, rules)))
}

/// Judges a line that repeats itself in that span, or nowhere. The verdict rests on what comes from `decisive` on.
fn judge_line(
    line: &Line,
    repeated: Option<Range<usize>>,
    decisive: usize,
    rules: RepetitionRules,
) -> Judgement {
    let in_full = if line.moves.len() <= FIGURE { 0 } else { decisive };
    let mut plies = label_plies(line, in_full, repeated.as_ref(), rules);
    let Some(span) = repeated.or_else(|| nine_rounds(line, &plies, rules)) else {
        let certain = plies[decisive..].iter().all(|ply| ply.certain);
        let (verdict, classes, articles) = (Verdict::None, ByColor::default(), Vec::new());
        return Judgement { verdict, span: None, rounds: 1, classes, plies, articles, certain };
    };
    let classes = match rules {
        RepetitionRules::Cxa2020 => summed(line, &plies, &span),
        RepetitionRules::Cxa1999 => {
            for side in Color::ALL {
                promote_pawns(line, &mut plies, &span, side);
            }
            summed(line, &plies, &span)
        }
        RepetitionRules::Wxf2018 => {
            let gravity =
                ByColor::new_with(|side| federation::gravity(line, &span, &plies[span.clone()], side));
            for side in Color::ALL {
                settle_chases(line, &mut plies, &span, side, gravity[side] > 0);
            }
            let mut classes = summed(line, &plies, &span);
            for side in Color::ALL {
                classes[side].gravity = gravity[side];
            }
            classes
        }
    };
    // What the whole cycle made of a move holds for the same move before it.
    for i in 0..span.start {
        if let Some(again) = span.clone().find(|j| line.is_same_move(i, *j, Some(&span))) {
            plies[i] = plies[again].clone();
        }
    }
    let (verdict, article) = verdict(classes, rules);
    let certain = plies[span.clone()].iter().all(|ply| ply.certain);
    let mut articles = alloc::vec![article];
    if let (Verdict::Loses(_), RepetitionRules::Cxa1999) = (verdict, rules) {
        articles.push("24.1");
    }
    let rounds = line.rounds(&span);
    Judgement { verdict, span: Some(span), rounds, classes, plies, articles, certain }
}

/// A line of at most so many moves is looked at in full, as figures in books are; of a longer game only the cycle.
const FIGURE: usize = 40;

/// Labels the moves, those from `in_full` on with all care. What recurs within the line is looked at once.
fn label_plies(line: &Line, in_full: usize, span: Option<&Range<usize>>, rules: RepetitionRules) -> Vec<Ply> {
    let mut labeller = match rules {
        RepetitionRules::Wxf2018 => None,
        RepetitionRules::Cxa1999 => {
            Some(Labeller::new(Reading { pawns: PawnScale::Incomparable, joint: false }))
        }
        RepetitionRules::Cxa2020 => Some(Labeller::new(Reading { pawns: PawnScale::Floating, joint: true })),
    };
    let mut plies: Vec<Ply> = Vec::new();
    for (i, m) in line.moves.iter().enumerate() {
        let (alike, effort) = if i < in_full { (0..i, Effort::BRIEF) } else { (in_full..i, Effort::FULL) };
        let known = alike.clone().find(|j| line.is_same_move(*j, i, span));
        let ply = known.map(|j| plies[j].clone()).unwrap_or_else(|| match &mut labeller {
            Some(labeller) => labeller.label(line.earlier(i, span), &line.positions[i], *m, effort),
            None => federation::label(&line.positions[i], *m),
        });
        plies.push(ply);
    }
    plies
}

/// What the sides did in the cycle; what recurs in it counts once.
fn summed(line: &Line, plies: &[Ply], cycle: &Range<usize>) -> ByColor<Class> {
    let mut classes = ByColor::<Class>::default();
    for i in cycle.clone() {
        if !(cycle.start..i).any(|j| line.is_same_move(j, i, Some(cycle))) {
            classes[line.positions[i].turn()].add(plies[i].label, plies[i].joint);
        }
    }
    classes
}

/// 27.2: a pawn's attacks are chases when both sides attack throughout.
fn promote_pawns(line: &Line, plies: &mut [Ply], cycle: &Range<usize>, side: Color) {
    if !summed(line, plies, cycle)[!side].is_forbidden() {
        return;
    }
    let own = || cycle.clone().filter(|i| line.positions[*i].turn() == side);
    let attacks = |ply: &Ply| ply.label >= Label::Chase || !ply.by_pawn.is_empty();
    if !own().all(|i| attacks(&plies[i])) {
        return;
    }
    for i in own() {
        if plies[i].label < Label::Chase {
            plies[i].label = Label::Chase;
            plies[i].targets = plies[i].by_pawn;
        }
    }
}

/// The federation forbids only the chase of one and the same piece, and a check may be one move of it; chases by turns
/// are allowed.
fn settle_chases(line: &Line, plies: &mut [Ply], cycle: &Range<usize>, side: Color, same: bool) {
    let own = || cycle.clone().filter(|i| line.positions[*i].turn() == side);
    if own().all(|i| plies[i].label == Label::Check) {
        return;
    }
    for i in own() {
        match plies[i].label {
            Label::Check if same => plies[i].label = Label::Chase,
            Label::Chase if !same => plies[i].label = Label::Idle,
            _ => {}
        }
    }
}

/// The rounds after which unbroken attacks must end even if no position recurs (2020).
const ROUNDS: usize = 9;

/// The last nine rounds, when no position has recurred in them but one side attacked at every move (2020).
fn nine_rounds(line: &Line, plies: &[Ply], rules: RepetitionRules) -> Option<Range<usize>> {
    if rules != RepetitionRules::Cxa2020 {
        return None;
    }
    let rounds = plies.len().checked_sub(2 * ROUNDS)?..plies.len();
    let classes = summed(line, plies, &rounds);
    let forbidden = classes.red.is_forbidden() || classes.black.is_forbidden();
    forbidden.then_some(rounds)
}
