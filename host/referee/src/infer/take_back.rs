//! A move that its player takes back after it stands in the record: the piece goes where it came from, and another move follows.
//!
//! The record names the ply that stands no more and keeps it. Whoever corrects an illegal move does as he must (5.8); who takes
//! back one that stood does what 5.7 forbids, and the board still shows the position before it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{Bitboard, Move, Position, Square};

use super::basis::Basis;
use super::explain::Explanation;
use super::history::{History, Ply, Reading};
use super::weigh::{self, Cost};
use super::{Evidence, Inference};
use crate::event::IncidentKind;
use crate::hands::{Contact, Hands, Lift};
use crate::{Event, Happening};

/// What stood on a point for longer was put there, in microseconds.
const STOOD_US: u64 = 400_000;

/// The last move of the record, and what stood before it.
#[derive(Clone, Debug)]
pub(crate) struct Last {
    pub before: Position,
    pub ply: Ply,
}

impl Last {
    /// The move that takes it back.
    fn back(&self) -> Move {
        Move::new(self.ply.mv.to, self.ply.mv.from)
    }

    /// When its piece was taken up again, if it was; a piece that it captured may have come back to the point since.
    fn taken_up(&self, history: &History) -> Option<Uptime> {
        let to = self.ply.mv.to;
        if let Some(lift) = history.hands.lift_of(to) {
            return (!lift.silent).then_some(lift.at);
        }
        let captured = self.before.board().color_at(to).is_some();
        let returned = history.hands.contact_of(to).filter(|contact| captured && !contact.is_brief());
        returned.map(|contact| contact.opened)
    }

    /// How unlikely it is that it is taken back, with as much else going on. A reply that has begun is rather one.
    fn cost(&self, history: &History) -> Cost {
        let hands = &history.hands;
        let aloft = hands.aloft().filter(|lift| lift.square != self.ply.mv.to).count() as Cost;
        if self.ply.illegal.is_some() {
            return weigh::CORRECTED_ILLEGAL + weigh::ANOTHER_IN_HAND * aloft;
        }
        let landed = hands.landed.iter().filter(|landing| landing.square != self.ply.mv.from).count();
        let passed = hands.passed.iter().filter(|passage| passage.stood_us >= STOOD_US).count();
        let touched = hands
            .contacts
            .iter()
            .any(|contact| !contact.is_brief() && history.color_at(contact.square) == Some(!self.ply.side));
        weigh::TAKEN_BACK
            + weigh::ANOTHER_IN_HAND * (aloft + Cost::from(touched))
            + weigh::OVERTAKEN * (landed + passed) as Cost
    }
}

impl History {
    /// Whether that move would bring the last one of the record back where it came from.
    pub(super) fn takes_back(&self, mv: Move, evidence: &Evidence<'_>) -> bool {
        evidence.last.filter(|_| self.plies.is_empty()).is_some_and(|last| last.back() == mv)
    }

    /// The history in which the last move of the record has been taken back.
    pub(super) fn take_back(&self, reading: &Reading, last: &Last) -> History {
        let Reading { mv, side, settled, .. } = *reading;
        let path = self.path + reading.cost;
        let mut plies = self.plies.clone();
        plies.push(Arc::new(Ply {
            mv,
            side,
            illegal: None,
            basis: reading.basis,
            answers: self.pressed[!side],
            turned: settled,
            begin: settled,
            left: settled,
            held: None,
            settled,
            contacts: Vec::new(),
            walked: Bitboard::EMPTY,
            reach: Bitboard::EMPTY,
            prey: Bitboard::EMPTY,
            pressed_early: false,
            cost: reading.cost,
        }));
        let mut back = self.standing(last.before, self.line_after(mv, side));
        (back.path, back.told, back.plies) = (path, path, plies);
        back.hands = self.hands_before(last, settled);
        // What is touched on the way back is touched after it.
        back.since = last.taken_up(self).map_or(settled, |at| at.min(settled));
        back.early_press = None;
        back
    }

    /// What hands have done since the position before the last move: its piece is back on its point, or in the hand.
    fn hands_before(&self, last: &Last, settled: Uptime) -> Hands {
        let Move { from, to } = last.ply.mv;
        let mut hands = self.hands.clone();
        let up = self.hands.lift_of(to).map(|lift| lift.at);
        let landed = self.hands.landed.iter().find(|landing| landing.square == from).map(|l| l.at);
        let opened = last.taken_up(self).map_or(settled, |at| at.min(settled));
        hands.forget(to);
        hands.forget(from);
        hands.contacts.retain(|contact| contact.square != to);
        if let Some(closed) = landed {
            // It counts as touched (5.8), and is no foul where it cannot move.
            let away_us = closed.us_since(opened);
            let knocked = !last.before.legal_moves().iter().any(|mv| mv.from == from);
            let (again, shaken) = (opened, false);
            hands.touch(Contact { square: from, opened, again, closed, away_us, knocked, shaken });
        } else {
            hands.lifted.push(Lift { square: from, at: opened, silent: false, knocked: false });
        }
        // What it had captured is put back by hand, and is not touched by that.
        if let Some(at) = up.filter(|_| last.before.board().color_at(to).is_some()) {
            hands.lifted.push(Lift { square: to, at, silent: false, knocked: true });
        }
        hands
    }
}

impl Explanation<'_> {
    /// The last move of the record has been taken back: its piece stands where it came from, or, after an illegal one, where it
    /// could have gone instead.
    pub(super) fn taken_back(&mut self) {
        let history = self.history;
        let Some(last) = self.evidence.last.filter(|_| history.plies.is_empty()) else { return };
        let Some(up) = last.taken_up(history) else { return };
        let from = last.ply.mv.from;
        let own = |to: Square| last.before.is_legal(Move::new(from, to));
        let put = |to: Square| to == from || (last.ply.illegal.is_some() && own(to));
        let landed = history.hands.landed.iter().filter(|landing| landing.at >= up && put(landing.square));
        let Some(settled) = landed.map(|landing| landing.at).min() else { return };
        let (mv, side) = (last.back(), last.ply.side);
        let basis = Basis::TakenBack;
        self.readings.push(Reading { mv, side, illegal: None, basis, cost: last.cost(history), settled });
    }
}

impl Inference {
    /// The last move of the record is taken back: a new record says so.
    pub(super) fn settle_taken_back(&mut self, now: Uptime, ply: &Ply) {
        //= 5.7
        //= 5.8
        let Some(last) = self.last.take() else { return };
        self.moves.pop();
        self.position = last.before;
        let number = self.moves.len() as u32 + 1;
        self.out.push_back(Event::new(now, Happening::TakenBack { ply: number, side: ply.side }));
        // Where nobody presses, silence may have taken a move as made too early.
        if last.ply.illegal.is_none() && self.evidence(now).clock() {
            let squares = alloc::vec![ply.mv.from, ply.mv.to];
            let note = "a move that stood was taken back";
            self.incident(now, IncidentKind::OutOfTurn, Some(ply.side), "5.7", squares, note);
        }
    }
}
