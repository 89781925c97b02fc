//! Offers and claims: draws offered, the natural limit counted, the duty to vary (articles 23 and 24).

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use xiangqi::law::edition::{DrawOffers as OfferRule, Edition};
use xiangqi::law::repetition::{self, judge};
use xiangqi::{ByColor, Color, Move, Position, Square};

/// What became of a press of the draw button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferOutcome {
    /// The offer stands until it is answered; it cannot be taken back (23.1).
    Made,
    /// It was against the rule of turns or numbers: a foul. It does not stand.
    Foul,
    /// An offer is made after one's own move and before pressing (23.1); this was not. It does not stand.
    NotAfterMove,
    /// The event allows no offers this early. It does not stand.
    TooEarly,
    /// This side's offer stands already.
    Standing,
    /// The opponent's offer is accepted: the game is drawn.
    Accepted,
    /// The opponent's offer is refused, by word or by a move (23.1).
    Declined,
}

/// The draw offers of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawOffers {
    standing: Option<Color>,
    last: Option<Color>,
    made: ByColor<u32>,
}

impl DrawOffers {
    /// Whose offer waits for an answer.
    pub fn standing(&self) -> Option<Color> {
        self.standing
    }

    /// How many offers each side has made.
    pub fn made(&self) -> ByColor<u32> {
        self.made
    }

    /// `side` says "draw": it answers the opponent's standing offer, or makes one. `after_move` is whether it has made
    /// its move and not pressed yet; `round` is the round being played, from 1.
    pub fn say(&mut self, side: Color, after_move: bool, round: u32, edition: &Edition) -> OfferOutcome {
        //= 23.1
        match self.standing {
            Some(offerer) if offerer == side => return OfferOutcome::Standing,
            Some(_) => {
                self.standing = None;
                return OfferOutcome::Accepted;
            }
            None => {}
        }
        if !after_move {
            return OfferOutcome::NotAfterMove;
        }
        if round < edition.draw_offers_from_round {
            return OfferOutcome::TooEarly;
        }
        let foul = match edition.draw_offers {
            //= 9.1.3
            OfferRule::Alternate => self.last == Some(side),
            //= 8.1(3)
            OfferRule::Ahead(limit) => self.made[side] + 1 >= self.made[side.other()].saturating_add(limit),
        };
        if foul {
            return OfferOutcome::Foul;
        }
        self.made[side] += 1;
        self.last = Some(side);
        self.standing = Some(side);
        OfferOutcome::Made
    }

    /// The game has ended: nothing waits for an answer. What was offered still counts if it is reopened.
    pub fn lapse(&mut self) {
        self.standing = None;
    }

    /// `side` refuses, by word or by making its move. True if there was anything to refuse.
    pub fn decline(&mut self, side: Color) -> bool {
        //= 23.1
        let refused = self.standing == Some(side.other());
        if refused {
            self.standing = None;
        }
        refused
    }
}

/// What a side claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// A draw by the natural limit (23.3).
    NaturalLimit,
    /// A ruling on a repeated position (24).
    Repetition,
    /// The opponent's time is over (22).
    Flag,
}

/// A claim that waits for the arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Who claims.
    pub side: Color,
    /// What.
    pub claim: ClaimKind,
    /// Whether the board finds it so; `None` where it cannot tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The count or the evidence, in one readable line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Of a repetition: what the rules make of the play. It is advice; the arbiter rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Box<Judged>>,
}

/// What the rules make of repeated play (棋例), as the judge says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// `red_loses`, `must_vary_black`, `draw` …
    pub verdict: String,
    /// What Red did: 长将, 长捉, 闲 …
    pub red: String,
    /// What Black did.
    pub black: String,
    /// The first ply of the cycle, from 1.
    pub first_ply: u32,
    /// The plies of the cycle; none if no position has recurred.
    pub plies: Vec<JudgedPly>,
    /// The articles that the verdict rests on.
    pub articles: Vec<String>,
    /// False when a search behind a label hit its bound.
    pub certain: bool,
}

/// What one ply of the cycle is called, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedPly {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// 将 杀 捉 兑 献 拦 跟 or 闲.
    pub label: String,
    /// What it attacks, if the label is about that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Square>,
}

impl Judged {
    /// Judges the end of a line of play that begins with `start` at ply `first_ply`, from 1. `None` where a move of it is not
    /// legal, or there is none.
    pub fn of(start: &Position, first_ply: u32, moves: &[Move], edition: &Edition) -> Option<Judged> {
        let judgement = judge(start, moves, edition.repetition).ok()?;
        let ply = |ply: &repetition::Ply| JudgedPly {
            mv: ply.played,
            label: String::from(ply.label.term()),
            targets: ply.targets.collect(),
        };
        let cycle = judgement.span.clone().unwrap_or(judgement.plies.len()..judgement.plies.len());
        Some(Judged {
            verdict: String::from(judgement.verdict.as_str()),
            red: String::from(judgement.classes.red.term()),
            black: String::from(judgement.classes.black.term()),
            first_ply: first_ply + cycle.start as u32,
            plies: judgement.plies[cycle].iter().map(ply).collect(),
            articles: judgement.articles.iter().map(|article| String::from(*article)).collect(),
            certain: judgement.certain,
        })
    }
}

/// What became of a duty to vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DutyState {
    /// The arbiter ruled that the side must vary at once (24.3).
    Imposed,
    /// The cycle was left.
    Varied,
    /// It went through the cycle once more: it loses.
    Broken,
    /// The arbiter has ruled otherwise, or other moves stand.
    Lifted,
}

/// A side must leave the cycle; going through it again loses (24.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariationDuty {
    side: Color,
    cycle: Vec<Placement>,
    ruled_at: Placement,
    /// How often the position of the ruling may come back, the last time losing.
    returns: u32,
    /// Its own moves by the last of which it must have left the cycle, where the arbiter has said so.
    within: Option<u32>,
}

/// A position as repetition knows it: what stands where, and whose turn it is.
type Placement = (xiangqi::Board, Color);

fn placement(position: &Position) -> Placement {
    (*position.board(), position.turn())
}

impl VariationDuty {
    /// `side` must vary: when the position has come back `returns` times, or within so many of its own moves, it loses.
    /// `history` is every position of the game, the one that stands last. `None` where that has not stood before.
    pub fn new(
        side: Color,
        history: &[Position],
        returns: u32,
        within: Option<u32>,
    ) -> Option<VariationDuty> {
        let (stands, before) = history.split_last()?;
        let ruled_at = placement(stands);
        let previous = before.iter().rposition(|position| placement(position) == ruled_at)?;
        let cycle = before[previous..].iter().map(placement).collect();
        Some(VariationDuty { side, cycle, ruled_at, returns, within })
    }

    /// Who must vary.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Its own moves by the last of which it must have left the cycle, where the arbiter has said so.
    pub fn within(&self) -> Option<u32> {
        self.within
    }

    /// A ply of `mover` led to `position`; what that means for the duty, if anything.
    pub fn ply(&mut self, mover: Color, position: &Position) -> Option<DutyState> {
        //= 24.3
        let here = placement(position);
        if !self.cycle.contains(&here) {
            return Some(DutyState::Varied);
        }
        if here == self.ruled_at {
            self.returns = self.returns.saturating_sub(1);
        }
        if let Some(moves) = self.within.as_mut().filter(|_| mover == self.side) {
            *moves = moves.saturating_sub(1);
        }
        (self.returns == 0 || self.within == Some(0)).then_some(DutyState::Broken)
    }
}
