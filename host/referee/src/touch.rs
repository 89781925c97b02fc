//! Touch-move: what a player owed for the pieces that he touched (articles 5.1–5.6), and what his move says of it.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{ByColor, Color, Illegality, Move, Position, Square};

use crate::Config;
use crate::event::IncidentKind;
use crate::hands::Contact;
use crate::infer::Ply;

/// Two touches nearer to each other were made at once (5.5), in microseconds: no hand goes from one piece to the next so fast, and
/// two pieces that are taken up together do not leave their reeds together.
const AT_ONCE_US: u64 = 150_000;

/// So soon after the opponent's hand was at the board, it may have been at it again, in microseconds.
const JUST_TURNED_US: u64 = 800_000;

/// What the rules say of a move and the touches before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub kind: IncidentKind,
    /// Whose it is, where the evidence does not fit the other side as well.
    pub side: Option<Color>,
    pub article: &'static str,
    pub squares: Vec<Square>,
    pub note: &'static str,
}

/// What a player must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// Capture the second with the first.
    CaptureWith(Square, Square),
    /// Capture that piece with any.
    Capture(Square),
    /// Move that piece.
    Move(Square),
}

/// One touched piece.
#[derive(Clone, Copy)]
struct Touch {
    square: Square,
    at: Uptime,
    until: Uptime,
}

impl Touch {
    /// Whether both pieces were off their points at some moment.
    fn overlaps(&self, other: &Touch) -> bool {
        self.at < other.until && other.at < self.until
    }
}

/// All rulings on a move. `before` is the position in which it was made; what a side touched after it had `announced` was
/// straightening.
pub(crate) fn rulings(
    before: &Position,
    ply: &Ply,
    config: &Config,
    announced: &ByColor<Option<Uptime>>,
) -> Vec<Ruling> {
    let mut rulings = Vec::new();
    if let Some(why) = ply.illegal {
        rulings.push(illegal(before, ply, why, config));
    }
    if before.turn() != ply.side {
        return rulings;
    }
    let ledger = Ledger::new(before, ply, config, announced);
    rulings.extend(ledger.adjusted());
    rulings.extend(ledger.fouls());
    rulings.extend(ledger.breach());
    rulings
}

fn illegal(before: &Position, ply: &Ply, why: Illegality, config: &Config) -> Ruling {
    let number = |of_1999, of_2010| config.edition.name.numbering().article(of_1999, of_2010);
    let own = before.board().color_at(ply.mv.from) == Some(ply.side);
    let (kind, article, note) = match why {
        Illegality::NotYours if own => (IncidentKind::OutOfTurn, "2.1", "the other side was to move"),
        Illegality::KingsFacing if number("1999", "") == "1999" => {
            (IncidentKind::IllegalMove, "4.1.2", "the kings face each other")
        }
        Illegality::StillInCheck | Illegality::ExposedToCheck if number("1999", "") == "1999" => {
            (IncidentKind::IllegalMove, "4.1.6", "the own king can be captured")
        }
        Illegality::KingsFacing => (IncidentKind::Suicide, "3.4", "the kings face each other"),
        Illegality::StillInCheck => (IncidentKind::Suicide, "3.4", "in check, and the check was not met"),
        Illegality::ExposedToCheck => (IncidentKind::Suicide, "3.4", "the own king can be captured"),
        Illegality::NotYours => {
            (IncidentKind::IllegalMove, number("4.1.6", "4.1(8)"), "the opponent's piece was moved")
        }
        Illegality::OwnPiece => {
            (IncidentKind::IllegalMove, number("4.1.6", "4.1(8)"), "an own piece was captured")
        }
        Illegality::NoPiece | Illegality::Movement => {
            (IncidentKind::IllegalMove, number("4.1.6", "4.1(8)"), "the piece does not move so")
        }
    };
    Ruling { kind, side: Some(ply.side), article, squares: alloc::vec![ply.mv.from, ply.mv.to], note }
}

/// The touches of one turn.
struct Ledger<'a> {
    before: &'a Position,
    ply: &'a Ply,
    config: &'a Config,
    /// Own pieces that the player touched, in order. The one that he moved is among them if another was touched after he had
    /// taken it up, or was still in his hand then.
    own: Vec<Touch>,
    /// Enemy pieces that he touched, in order, what he captured included.
    enemy: Vec<Touch>,
    /// Enemy pieces that their owner straightened (5.6).
    straightened: Vec<Touch>,
    /// Enemy pieces that either of them may have touched.
    doubtful: Vec<Touch>,
}

impl<'a> Ledger<'a> {
    fn new(
        before: &'a Position,
        ply: &'a Ply,
        config: &'a Config,
        announced: &ByColor<Option<Uptime>>,
    ) -> Ledger<'a> {
        let excused = |by: Color, at: Uptime| announced[by].is_some_and(|announced| announced <= at);
        let counts = |contact: &&Contact| {
            contact.away_us >= config.nudge_us && !contact.knocked && !excused(ply.side, contact.opened)
        };
        let mut touches: Vec<Touch> = Vec::new();
        for Contact { square, opened, closed, .. } in ply.contacts.iter().filter(counts).copied() {
            match touches.iter_mut().find(|touch| touch.square == square) {
                Some(touch) => touch.until = closed,
                None => touches.push(Touch { square, at: opened, until: closed }),
            }
        }
        touches.sort_by_key(|touch| touch.at);
        let is_of = |touch: &Touch, color| before.board().color_at(touch.square) == Some(color);
        // An own piece that was captured has not been put back.
        let own = |touch: &&Touch| is_of(touch, ply.side) && touch.square != ply.mv.to;
        // Who has not pressed yet has his own pieces in his own hand. His announcement is for them only (5.6).
        let enemy = |touch: &&Touch| {
            is_of(touch, !ply.side) && touch.at >= ply.answers && !excused(!ply.side, touch.at)
        };
        let mut own: Vec<Touch> = touches.iter().filter(own).copied().collect();
        let enemy: Vec<Touch> = touches.iter().filter(enemy).copied().collect();
        if let Some(at) = ply.held {
            let held = Touch { square: ply.mv.from, at, until: ply.settled };
            let mut others = own.iter().chain(&enemy).filter(|touch| touch.square != ply.mv.to);
            if others.any(|touch| touch.until > at) {
                own.push(held);
                own.sort_by_key(|touch| touch.at);
            }
        }
        let mut ledger =
            Ledger { before, ply, config, own, enemy, straightened: Vec::new(), doubtful: Vec::new() };
        ledger.part();
        ledger
    }

    /// Parts the enemy pieces that the player touched from those that their owner did. No reed tells whose hand it was; in his own
    /// time it is taken for the player's unless something speaks for the other's.
    fn part(&mut self) {
        let (before, ply) = (self.before, self.ply);
        let captured = |touch: &Touch| touch.square == ply.mv.to;
        // Who has an own piece in the hand at the same time means to capture.
        let own = &self.own;
        let means = |touch: &Touch| captured(touch) || own.iter().any(|own| own.overlaps(touch));
        // Who moves a piece to where it may go, and back, is its owner.
        let walked = |touch: &Touch| ply.walked.contains(touch.square) && !captured(touch);
        let began = ply.turned > Uptime::ZERO;
        let soon = |touch: &Touch| began && touch.at.us_since(ply.turned) < JUST_TURNED_US;
        let capturable = |touch: &Touch| before.legal_moves().iter().any(|mv| mv.to == touch.square);
        let enemy = core::mem::take(&mut self.enemy);
        let (walked, enemy): (Vec<Touch>, Vec<Touch>) = enemy.into_iter().partition(walked);
        let (soon, enemy): (Vec<Touch>, Vec<Touch>) =
            enemy.into_iter().partition(|touch| soon(touch) && !means(touch));
        (self.straightened, self.doubtful) = (walked, soon);
        // Nobody who means to play touches several pieces of which he can capture none; of others it may be either.
        if enemy.len() < 2 || enemy.iter().any(means) {
            self.enemy = enemy;
        } else if enemy.iter().any(capturable) {
            self.doubtful.extend(enemy);
        } else {
            self.straightened.extend(enemy);
        }
    }

    fn ruling(
        &self,
        kind: IncidentKind,
        article: &'static str,
        square: Square,
        note: &'static str,
    ) -> Ruling {
        Ruling { kind, side: Some(self.ply.side), article, squares: alloc::vec![square], note }
    }

    fn can_move(&self, square: Square) -> bool {
        self.before.legal_moves().iter().any(|mv| mv.from == square)
    }

    fn can_be_captured(&self, square: Square) -> bool {
        self.before.legal_moves().iter().any(|mv| mv.to == square)
    }

    fn can_capture(&self, own: Square, enemy: Square) -> bool {
        self.before.is_legal(Move::new(own, enemy))
    }

    /// 5.6: pieces straightened in the opponent's time without a word, or perhaps.
    fn adjusted(&self) -> Vec<Ruling> {
        //= 5.6
        let kind = IncidentKind::AdjustUnannounced;
        let ruling = |touches: &[Touch], side, note| {
            let squares: Vec<Square> = touches.iter().map(|touch| touch.square).collect();
            (!squares.is_empty()).then_some(Ruling { kind, side, article: "5.6", squares, note })
        };
        let owner = Some(!self.ply.side);
        let straightened =
            ruling(&self.straightened, owner, "pieces were straightened in the opponent's time");
        let doubtful =
            ruling(&self.doubtful, None, "straightened in the opponent's time, or touched by the opponent");
        straightened.into_iter().chain(doubtful).collect()
    }

    /// Touched pieces that cannot move, or that nothing can capture: fouls in themselves.
    fn fouls(&self) -> Vec<Ruling> {
        // That the moved piece cannot move so has been said.
        let others = self.own.iter().filter(|touch| touch.square != self.ply.mv.from);
        let unmovable = others.filter(|touch| !self.can_move(touch.square)).map(|touch| {
            let article = self.config.edition.name.numbering().article("9.1.5", "8.1(5)");
            self.ruling(
                IncidentKind::TouchUnmovable,
                article,
                touch.square,
                "the touched piece has no legal move",
            )
        });
        let uncapturable =
            self.enemy.iter().filter(|touch| !self.can_be_captured(touch.square)).map(|touch| {
                let article = self.config.edition.name.numbering().article("9.1.6", "8.1(5)");
                self.ruling(
                    IncidentKind::TouchUncapturable,
                    article,
                    touch.square,
                    "nothing can capture the touched piece",
                )
            });
        unmovable.chain(uncapturable).collect()
    }

    /// The duty that was not met, if there was one.
    fn breach(&self) -> Option<Ruling> {
        let (duty, article) = self.duty()?;
        let Move { from, to } = self.ply.mv;
        let capture = |square| {
            self.ruling(
                IncidentKind::TouchNotCaptured,
                article,
                square,
                "the touched piece could be captured",
            )
        };
        let own = |square| {
            self.ruling(IncidentKind::TouchNotMoved, article, square, "the touched piece could be moved")
        };
        match duty {
            Duty::CaptureWith(_, enemy) | Duty::Capture(enemy) if to != enemy => Some(capture(enemy)),
            Duty::CaptureWith(with, _) if from != with => Some(own(with)),
            Duty::Move(square) if from != square => Some(own(square)),
            _ => None,
        }
    }

    /// What the player owed before this move, with its article.
    fn duty(&self) -> Option<(Duty, &'static str)> {
        // A piece that cannot move or be captured leaves the duty to the next one that was touched.
        let bound = |touches: &[Touch], binds: &dyn Fn(Square) -> bool| {
            touches.iter().find(|touch| binds(touch.square)).or(touches.first()).copied()
        };
        let enemy = bound(&self.enemy, &|square| self.can_be_captured(square));
        let own = bound(&self.own, &|square| self.can_move(square));
        match (own, enemy) {
            (None, None) => None,
            //= 5.1
            (Some(own), None) => self.can_move(own.square).then_some((Duty::Move(own.square), "5.1")),
            //= 5.2
            (None, Some(enemy)) => {
                self.can_be_captured(enemy.square).then_some((Duty::Capture(enemy.square), "5.2"))
            }
            (Some(own), Some(enemy)) => self.duty_of_both(own, enemy),
        }
    }

    /// 5.3 to 5.5: the order of the touches decides the order of the duties.
    fn duty_of_both(&self, own: Touch, enemy: Touch) -> Option<(Duty, &'static str)> {
        let at_once = own.at.us_since(enemy.at).max(enemy.at.us_since(own.at)) < AT_ONCE_US;

        let own_first = !at_once && own.at < enemy.at;
        let article = match (at_once, own_first) {
            //= 5.5
            (true, _) => "5.5",
            //= 5.3
            (false, true) => "5.3",
            //= 5.4
            (false, false) => "5.4",
        };
        if self.can_capture(own.square, enemy.square) {
            return Some((Duty::CaptureWith(own.square, enemy.square), article));
        }
        let moved = self.can_move(own.square).then_some(Duty::Move(own.square));
        let captured = self.can_be_captured(enemy.square).then_some(Duty::Capture(enemy.square));
        let duty = if own_first { moved.or(captured) } else { captured.or(moved) };
        Some((duty?, article))
    }
}
