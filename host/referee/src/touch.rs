//! Touch-move: what a player owed for the pieces that he touched (articles 5.1–5.6), and what his move says of it.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{Color, Illegality, Move, Position, Square};

use crate::Config;
use crate::event::IncidentKind;
use crate::hands::Contact;
use crate::infer::Ply;

/// Two touches nearer to each other were made at once (5.5), in microseconds.
const AT_ONCE_US: u64 = 50_000;

/// What the rules say of a move and the touches before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub kind: IncidentKind,
    pub side: Color,
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
}

/// All rulings on a move. `before` is the position in which it was made; touches after `announced` were straightening.
pub(crate) fn rulings(
    before: &Position,
    ply: &Ply,
    config: &Config,
    announced: Option<Uptime>,
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
    Ruling { kind, side: ply.side, article, squares: alloc::vec![ply.mv.from, ply.mv.to], note }
}

/// The touches of one turn.
struct Ledger<'a> {
    before: &'a Position,
    ply: &'a Ply,
    config: &'a Config,
    /// Own and enemy pieces that were taken up and put back, in order.
    own: Vec<Touch>,
    enemy: Vec<Touch>,
    /// Several enemy pieces that nobody captured: their owner straightened them (5.6).
    adjusted: bool,
}

impl<'a> Ledger<'a> {
    fn new(before: &'a Position, ply: &'a Ply, config: &'a Config, announced: Option<Uptime>) -> Ledger<'a> {
        let counts = |contact: &&Contact| {
            contact.away_us >= config.nudge_us
                && !contact.knocked
                && announced.is_none_or(|at| contact.opened < at)
        };
        let mut touches: Vec<Touch> = ply
            .contacts
            .iter()
            .filter(counts)
            .map(|contact| Touch { square: contact.square, at: contact.opened })
            .collect();
        touches.sort_by_key(|touch| touch.at);
        let of = |color: Color| {
            let mine = touches.iter().filter(|touch| before.board().color_at(touch.square) == Some(color));
            mine.copied().collect::<Vec<Touch>>()
        };
        let (own, mut enemy) = (of(ply.side), of(!ply.side));
        // Who has not pressed yet has his own pieces in his own hand.
        enemy.retain(|touch| touch.at >= ply.answers);
        let adjusted = enemy.len() > 1 && !enemy.iter().any(|touch| touch.square == ply.mv.to);
        Ledger { before, ply, config, own, enemy, adjusted }
    }

    fn ruling(
        &self,
        kind: IncidentKind,
        article: &'static str,
        square: Square,
        note: &'static str,
    ) -> Ruling {
        Ruling { kind, side: self.ply.side, article, squares: alloc::vec![square], note }
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

    /// 5.6: pieces straightened in the opponent's time without a word.
    fn adjusted(&self) -> Option<Ruling> {
        //= 5.6
        let squares = self.enemy.iter().map(|touch| touch.square).collect();
        let (kind, side) = (IncidentKind::AdjustUnannounced, !self.ply.side);
        let note = "pieces were straightened in the opponent's time";
        self.adjusted.then_some(Ruling { kind, side, article: "5.6", squares, note })
    }

    /// Touched pieces that cannot move, or that nothing can capture: fouls in themselves.
    fn fouls(&self) -> Vec<Ruling> {
        let unmovable = self.own.iter().filter(|touch| !self.can_move(touch.square)).map(|touch| {
            let article = self.config.edition.name.numbering().article("9.1.5", "8.1(5)");
            self.ruling(
                IncidentKind::TouchUnmovable,
                article,
                touch.square,
                "the touched piece has no legal move",
            )
        });
        let enemy = self.enemy.iter().filter(|_| !self.adjusted);
        let uncapturable = enemy.filter(|touch| !self.can_be_captured(touch.square)).map(|touch| {
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
        let enemy = bound(&self.enemy, &|square| self.can_be_captured(square)).filter(|_| !self.adjusted);
        let own = bound(&self.own, &|square| self.can_move(square));
        // A piece in the hand while another is touched is touched before it.
        let held = Touch { square: self.ply.mv.from, at: self.ply.left };
        let held = enemy.is_some_and(|enemy| held.at < enemy.at).then_some(held);
        let own = match (own, held) {
            (Some(own), Some(held)) if own.at <= held.at => Some(own),
            (own, held) => held.or(own),
        };
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
