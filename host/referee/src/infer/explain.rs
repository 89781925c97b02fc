//! Every way to read what hands have done as one more move.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{Bitboard, Color, Illegality, Move, Role, Square, can_stand};

use super::Evidence;
use super::basis::Basis;
use super::goal::Goals;
use super::history::{History, PUSHED_US, Reading};
use super::weigh::{self, Cost};
use crate::hands::{Contact, Landing, Lift, OVERLAP_US, are_neighbours};

/// A reed that was away for less is not even a flick, in microseconds.
pub(crate) const FLICK_US: u64 = 2_500;
/// No hand carries a piece to another point faster, in microseconds.
const FASTEST_CARRY_US: u64 = 40_000;

/// Two reeds notice one piece: each time that they do so for so much longer costs one more, in microseconds.
const OVERLAP_COSTS_US: u64 = 10_000;

/// A piece that is off its point for longer may well be on it, under a reed that does not close, in microseconds.
const LONG_AWAY_US: u64 = 3_000_000;
/// A piece that nobody can have put down, and that stands for longer, may be none, in microseconds.
const LONG_THERE_US: u64 = 900_000;
/// The most reeds that a history believes to be stuck.
const MOST_DULL: u32 = 3;

/// Collects readings of one history.
pub(crate) struct Explanation<'a> {
    pub(super) history: &'a History,
    pub(super) evidence: &'a Evidence<'a>,
    pub readings: Vec<Reading>,
}

impl<'a> Explanation<'a> {
    pub(crate) fn new(history: &'a History, evidence: &'a Evidence<'a>) -> Explanation<'a> {
        Explanation { history, evidence, readings: Vec::new() }
    }

    /// What hands do in an ordinary game.
    pub(crate) fn ordinary(&mut self) {
        let mover = self.history.turn();
        let own = |lift: &&Lift| self.history.color_at(lift.square) == Some(mover);
        for lift in self.history.hands.lifted.iter().filter(own) {
            let goals = Goals::of(self.history, lift.square);
            self.quiet_moves(lift, &goals);
            self.captures(lift, &goals);
            self.onto_dull(lift, &goals);
        }
        self.leaving_dull();
    }

    /// What happens once in many games: moves that break the rules, pieces that no reed notices, reeds that stick.
    pub(crate) fn rare(&mut self, pressed: Option<Color>) {
        let mover = self.history.turn();
        for lift in &self.history.hands.lifted {
            if self.history.color_at(lift.square) == Some(mover) {
                self.silent_moves(lift);
            }
            self.illegal_moves(lift, pressed);
        }
        self.taken_back();
        self.leaving_stuck(pressed.is_some());
        self.between_dull();
        if pressed == Some(mover) && !self.history.is_aloft(mover) {
            self.unnoticed();
        }
    }

    /// Points whose reeds may have stuck at the level that they show.
    pub(crate) fn faults(&self) -> Vec<Square> {
        let history = self.history;
        if history.broken().count() >= MOST_DULL {
            return Vec::new();
        }
        let age = |at: Uptime| self.evidence.now.us_since(at);
        let away = history.hands.aloft().filter(|lift| age(lift.at) >= LONG_AWAY_US);
        let there = history.hands.landed.iter().filter(|landing| {
            let put = Color::ALL.into_iter().any(|color| history.reached_by(color, landing.square));
            !put && age(landing.at) >= LONG_THERE_US
        });
        away.map(|lift| lift.square).chain(there.map(|landing| landing.square)).collect()
    }

    fn push(&mut self, mv: Move, basis: Basis, cost: Cost, settled: Uptime) {
        let side = self.history.turn();
        self.readings.push(Reading { mv, side, illegal: None, basis, cost, settled });
    }

    /// The reading of a move of the mover that is legal, or 自杀.
    fn push_checked(&mut self, mv: Move, basis: Basis, cost: Cost, settled: Uptime) {
        if self.history.is_legal(mv) {
            return self.push(mv, basis, cost, settled);
        }
        let side = self.history.turn();
        if let Some(why) = self.history.illegality(mv, side)
            && why.is_suicide()
        {
            let cost = cost + weigh::SUICIDE;
            self.readings.push(Reading { mv, side, illegal: Some(why), basis, cost, settled });
        }
    }

    fn quiet_moves(&mut self, lift: &Lift, goals: &Goals<'_>) {
        for landing in &self.history.hands.landed {
            let settled = landing.at.max(lift.at);
            // Two reeds may notice one piece for a moment; what stood there long before is another.
            let before = lift.at.us_since(landing.at) > OVERLAP_US && !lift.silent;
            let upset = if lift.knocked && self.evidence.upset { weigh::UPSET_AND_MOVED } else { 0 };
            let cost =
                upset + self.surprise(goals, landing.square) + if before { weigh::STOOD_BEFORE } else { 0 };
            self.push_checked(Move::new(lift.square, landing.square), Basis::Stood, cost, settled);
        }
    }

    fn captures(&mut self, lift: &Lift, goals: &Goals<'_>) {
        let history = self.history;
        let enemy = history.position.board().by_color(!history.turn());
        let mut accounted = Bitboard::EMPTY;
        for contact in &history.hands.contacts {
            let replaced = contact.is_filled_by(lift) && contact.away_us >= FLICK_US;
            if !enemy.contains(contact.square) || !replaced {
                continue;
            }
            accounted.insert(contact.square);
            let cost = replaced_cost(contact, lift) + self.surprise(goals, contact.square);
            let basis = if contact.is_brief() { Basis::Pushed } else { Basis::Replaced };
            let settled = contact.closed.max(lift.at);
            self.push_checked(Move::new(lift.square, contact.square), basis, cost, settled);
        }
        if lift.silent {
            return;
        }
        for mv in history.legal.into_iter().filter(|mv| mv.from == lift.square && enemy.contains(mv.to)) {
            let seen = accounted.contains(mv.to) || history.hands.lift_of(mv.to).is_some();
            if !seen && self.believes(mv.to) {
                // Whoever has a piece in the hand when its victim arrives hardly pushes that off so soon.
                let arrived =
                    history.plies.last().is_some_and(|ply| ply.mv.to == mv.to && ply.settled > lift.at);
                let cost = self.evidence.habits.unseen_capture()
                    + goals.cost(mv.to)
                    + if arrived { weigh::CAPTURED_ON_ARRIVAL } else { 0 };
                self.push(mv, Basis::Unseen, cost, self.evidence.now);
            }
        }
    }

    /// What a move that was seen tells of those before it that were not: whoever captures where he was captured does what is
    /// expected.
    fn surprise(&self, goals: &Goals<'_>, to: Square) -> Cost {
        if self.history.plies.is_empty() { 0 } else { goals.surprise(to) }
    }

    fn believes(&self, square: Square) -> bool {
        !self.history.dull.contains(square) && self.evidence.believes(square)
    }

    /// Points whose reeds tell nothing.
    fn dull(&self) -> Bitboard {
        self.history.dull | self.evidence.unreliable
    }

    fn onto_dull(&mut self, lift: &Lift, goals: &Goals<'_>) {
        for to in self.dull() {
            let mv = Move::new(lift.square, to);
            if self.history.is_legal(mv) {
                self.push(mv, Basis::Stuck, weigh::DULL + goals.cost(to), lift.at);
            }
        }
    }

    fn leaving_dull(&mut self) {
        let own = self.history.position.board().by_color(self.history.turn());
        for from in self.dull() & own {
            self.leaving_unseen(from, weigh::DULL, true);
        }
    }

    /// Moves from one reed that tells nothing to another: all that is noticed of them is the press, or the reply.
    fn between_dull(&mut self) {
        let history = self.history;
        let dull = self.dull();
        let unnoticed = |mv: &Move| dull.contains(mv.from) && dull.contains(mv.to);
        for mv in history.legal.into_iter().filter(unnoticed) {
            self.push(mv, Basis::Stuck, 2 * weigh::DULL, self.evidence.changed.max(history.since));
        }
    }

    /// Who pressed and was seen to do nothing may have moved from or to a reed that is known to be broken, and the other is, too.
    fn unnoticed(&mut self) {
        let (history, evidence, dull) = (self.history, self.evidence, self.dull());
        let settled = evidence.changed.max(history.since);
        let bare = |mv: &Move| !evidence.closed.contains(mv.to) || dull.contains(mv.to);
        for mv in history.legal.into_iter().filter(|mv| bare(mv) || history.color_at(mv.to).is_some()) {
            let cost = match (dull.contains(mv.from), dull.contains(mv.to)) {
                (true, false) if !bare(&mv) => evidence.habits.unseen_capture(),
                (true, false) => evidence.habits.silent(),
                (false, true) if evidence.opened.contains(mv.from) => weigh::STUCK + weigh::HAS_OPENED,
                (false, true) => weigh::STUCK,
                _ => continue,
            };
            self.push(mv, Basis::Stuck, cost + weigh::DULL, settled);
        }
    }

    /// Moves of a piece that nobody saw leave.
    fn leaving_unseen(&mut self, from: Square, cost: Cost, captures: bool) {
        for landing in &self.history.hands.landed {
            let mv = Move::new(from, landing.square);
            if self.history.is_legal(mv) {
                self.push(mv, Basis::Stuck, cost, landing.at);
            }
        }
        let history = self.history;
        for contact in history.hands.contacts.iter().filter(|c| captures && c.away_us >= PUSHED_US) {
            let mv = Move::new(from, contact.square);
            if history.is_legal(mv) {
                let cost = cost + if contact.is_brief() { weigh::PUSHED_UNHEARD } else { 5 };
                self.push(mv, Basis::Stuck, cost, contact.closed);
            }
        }
    }

    /// The reed under a piece is stuck closed: the piece arrives and nothing has left.
    fn leaving_stuck(&mut self, pressed: bool) {
        let own = self.history.position.board().by_color(self.history.turn());
        let candidates = own & self.evidence.closed & !self.dull();
        for from in candidates {
            let worked = if self.evidence.opened.contains(from) { weigh::HAS_OPENED } else { 0 };
            let second = if self.dull().is_empty() { 0 } else { weigh::SECOND_FAULT };
            let cost = weigh::STUCK + worked + second;
            self.leaving_unseen(from, cost.saturating_sub(self.explained_by_stuck(from)), pressed);
        }
    }

    /// What it has cost that the piece of that point came there by a capture that no reed showed: a reed that is stuck explains it.
    fn explained_by_stuck(&self, square: Square) -> Cost {
        let last = self.history.plies.iter().rev().find(|ply| ply.mv.to == square);
        let unseen = last.is_some_and(|ply| ply.basis == Basis::Unseen);
        if unseen { self.evidence.habits.unseen_capture() } else { 0 }
    }

    fn silent_moves(&mut self, lift: &Lift) {
        let history = self.history;
        let goals = Goals::of(history, lift.square);
        for mv in history.legal.into_iter().filter(|mv| mv.from == lift.square) {
            let open = !self.evidence.closed.contains(mv.to);
            let bare = history.color_at(mv.to).is_none() || history.hands.lift_of(mv.to).is_some();
            if open && bare && self.believes(mv.to) {
                let cost = self.silent_cost(mv.to) + goals.cost(mv.to);
                self.push(mv, Basis::Silent, cost, lift.at);
            }
        }
    }

    /// A reed that does not notice one piece notices the next no more.
    fn silent_cost(&self, to: Square) -> Cost {
        let died = self.evidence.worked.contains(to) && !self.history.missed.contains(to);
        match self.history.is_silent(to) || self.history.missed.contains(to) {
            false => self.evidence.habits.silent(),
            true if died => weigh::SILENT_TWICE,
            true => weigh::SILENT_AGAIN,
        }
    }

    fn illegal_moves(&mut self, lift: &Lift, pressed: Option<Color>) {
        let history = self.history;
        if lift.silent {
            return;
        }
        // What stood there long before is another piece.
        let may_be = |landing: &&Landing| lift.at.us_since(landing.at) <= OVERLAP_US;
        for landing in history.hands.landed.iter().filter(may_be) {
            self.illegal(
                Move::new(lift.square, landing.square),
                Basis::Stood,
                landing.at.max(lift.at),
                pressed,
            );
        }
        for contact in &history.hands.contacts {
            if contact.is_filled_by(lift) && !contact.is_brief() && contact.square != lift.square {
                let mv = Move::new(lift.square, contact.square);
                self.illegal(mv, Basis::Replaced, contact.closed.max(lift.at), pressed);
            }
        }
    }

    fn illegal(&mut self, mv: Move, basis: Basis, settled: Uptime, pressed: Option<Color>) {
        let history = self.history;
        let Some(piece) = history.position.piece_at(mv.from) else { return };
        if history.takes_back(mv, self.evidence) {
            return;
        }
        // A king outside its palace tells a result, or nothing; nobody plays so.
        if piece.role == Role::King && !can_stand(piece, mv.to) {
            return;
        }
        let (turn, captured) = (history.turn(), history.color_at(mv.to));
        if history.position.board().king_of(!piece.color) == Some(mv.to) {
            return;
        }
        let (side, illegal, cost) = if piece.color == turn {
            match history.illegality(mv, turn) {
                None => return,
                Some(why) if why.is_suicide() => return,
                Some(why @ Illegality::OwnPiece) if self.is_swapped(mv) => (turn, why, weigh::OWN_CAPTURED),
                Some(why @ Illegality::OwnPiece) => (turn, why, weigh::ABSURD),
                Some(why) => (turn, why, weigh::WRONG_MOVEMENT),
            }
        } else if pressed == Some(turn) {
            (turn, Illegality::NotYours, weigh::OUT_OF_TURN + 5)
        } else if history.reaches(mv.from, mv.to) && captured != Some(piece.color) {
            (piece.color, Illegality::NotYours, weigh::OUT_OF_TURN)
        } else {
            (piece.color, Illegality::NotYours, weigh::ABSURD)
        };
        self.readings.push(Reading { mv, side, illegal: Some(illegal), basis, cost, settled });
    }

    /// Whether both pieces of that move were in the hands before something stood on its target.
    fn is_swapped(&self, mv: Move) -> bool {
        let hands = &self.history.hands;
        hands.contact_of(mv.to).zip(hands.lift_of(mv.from)).is_some_and(|(taken, lift)| taken.spans(lift))
    }
}

fn replaced_cost(contact: &Contact, lift: &Lift) -> Cost {
    let how = if !contact.is_brief() {
        0
    } else if contact.away_us >= PUSHED_US {
        weigh::PUSHED
    } else {
        weigh::FLICKED
    };
    let hasty = contact.closed.us_since(lift.at) < FASTEST_CARRY_US;
    let hasty = if hasty && !are_neighbours(lift.square, contact.square) { 15 } else { 0 };
    let overlap = if contact.is_brief() { lift.at.us_since(contact.closed) / OVERLAP_COSTS_US } else { 0 };
    how + hasty
        + (overlap as Cost).min(weigh::OVERLAPS)
        + if contact.is_brief() && contact.shaken { weigh::SHAKEN } else { 0 }
}
