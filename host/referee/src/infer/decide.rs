//! What is certain, what is only the best reading, and what an arbiter should look at.

use alloc::vec::Vec;
use core::cmp::Reverse;

use sense::Uptime;
use xiangqi::{Bitboard, ByColor, Color, Ending, Move, Square};

use super::Inference;
use super::basis::Basis;
use super::history::{History, PASSING_US, Ply};
use super::start::Start;
use super::take_back::Last;
use super::weigh::{self, CERTAIN, Cost, DISAGREES, INCREDIBLE};
use crate::event::{IncidentKind, Moved, Resolution};
use crate::hands::Contact;
use crate::{Event, Happening, Input, Refusal, touch};

/// A press of nothing is said when nothing has come of it for so long, in microseconds.
const IDLE_PRESS_US: u64 = 500_000;
/// Several moves that explain the board for so long are said to be ambiguous, in microseconds.
const AMBIGUOUS_US: u64 = 1_000_000;
/// The evidence has ended when nothing has followed for so long, in microseconds.
const END_US: u64 = 20_000_000;
/// A reply that has stood for so long is one, in microseconds.
pub(super) const REPLY_STANDS_US: u64 = 400_000;

/// What has been said, so that it is said once.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    provisional: Option<Move>,
    ambiguous: Vec<Move>,
    by: Resolution,
    /// The points that were named as displaced, until they match.
    pub(super) displaced: Option<Vec<Square>>,
    pub(super) start: Start,
    pub(super) faulty: Bitboard,
}

impl Said {
    pub(super) const fn provisional(&self) -> Option<Move> {
        self.provisional
    }

    pub(super) fn idle_press_due(&self, histories: &[History]) -> Option<Uptime> {
        histories.first()?.idle_press.map(|(at, _)| at.plus_us(IDLE_PRESS_US))
    }
}

impl Inference {
    /// The arbiter says which move was played.
    pub(crate) fn choose(&mut self, now: Uptime, ply: u32, mv: Move) -> Result<(), Refusal> {
        if ply != self.moves.len() as u32 + 1 {
            return Err(Refusal::NoSuchPly);
        }
        let chosen =
            self.histories.iter().filter_map(|history| history.plies.first()).find(|first| first.mv == mv);
        let chosen = chosen.map(|first| Ply::clone(first)).ok_or(Refusal::NotAReading)?;
        self.said.by = Resolution::Arbiter;
        self.settle(now, chosen);
        self.said.by = Resolution::Later;
        self.decide(now);
        Ok(())
    }

    /// What the arbiter chose after this moment was a mistake: what has been sensed `since` is read as if he had not. What is
    /// said of it is said now, and what waits for him is said again.
    pub(crate) fn read_again(&mut self, now: Uptime, since: Vec<(Uptime, Input)>) {
        (self.said.provisional, self.said.ambiguous) = (None, Vec::new());
        for (at, input) in since {
            self.handle(at, input);
        }
        self.advance(now);
        for event in &mut self.out {
            event.us = event.us.max(now.as_us());
        }
    }

    /// Settles what is certain, then says what has changed.
    pub(super) fn decide(&mut self, now: Uptime) {
        if self.over {
            return;
        }
        self.begun |= !self.disorder && self.histories[0].hands.mismatches() == 0;
        self.withheld = false;
        if self.disorder {
            return self.say_disorder(now);
        }
        let mut costs = self.costs(now);
        while let Some(ply) = self.certain(now, &costs) {
            // A reed that opened just now may have dropped out: what its piece tells comes back in a moment.
            if now.us_since(self.bared) < Contact::BRIEF_US {
                self.withheld = true;
                break;
            }
            self.settle(now, ply);
            if self.over {
                self.histories.truncate(1);
                return;
            }
            costs = self.costs(now);
        }
        let Some(best) = self.best(&costs) else { return };
        // The best history is kept first: what asks for it need not look for it.
        self.histories.swap(0, best);
        costs.swap(0, best);
        self.say_provisional(now);
        self.say_ambiguous(now, &costs);
        self.say_start(now);
        self.say_displaced(now);
        self.say_idle_press(now, &costs);
        self.say_overstep(now, &costs);
    }

    /// Nothing on the board is play: which history was the best remains.
    fn say_disorder(&mut self, now: Uptime) {
        self.say_start(now);
        self.say_displaced(now);
        if self.histories[0].idle_press.is_some() {
            let costs = self.costs(now);
            self.say_idle_press(now, &costs);
        }
    }

    fn costs(&self, now: Uptime) -> Vec<Cost> {
        let evidence = self.evidence(now);
        self.histories.iter().map(|history| history.path + history.state(&evidence)).collect()
    }

    /// The least unlikely history; of equals the one that tells more.
    fn best(&self, costs: &[Cost]) -> Option<usize> {
        (0..costs.len()).min_by_key(|i| (costs[*i], Reverse(self.histories[*i].plies.len()), *i))
    }

    /// The first move of the best history, when no other history that could be true lacks it.
    fn certain(&self, now: Uptime, costs: &[Cost]) -> Option<Ply> {
        let best = self.best(costs)?;
        let first = self.histories[best].plies.first()?;
        let plies = self.histories[best].plies.len() as Cost;
        let lost = self.histories[best].told > weigh::LOST + weigh::LOST_BY_PLY * plies;
        if lost || first.cost > INCREDIBLE {
            return None;
        }
        let agrees = self.histories[best].mess(&self.evidence(now)) <= weigh::SETTLED;
        let rival = |history: &History| !history.plies.first().is_some_and(|ply| same(ply, first));
        let rivals = self.histories.iter().zip(costs).filter(|(history, _)| rival(history));
        let mut least: Vec<(Option<(Move, Color)>, Cost)> = Vec::new();
        for (history, cost) in rivals {
            let what = history.plies.first().map(|ply| (ply.mv, ply.side));
            match least.iter_mut().find(|(told, _)| *told == what) {
                Some((_, known)) => *known = (*known).min(*cost),
                None => least.push((what, *cost)),
            }
        }
        // Many unlikely moves together may be likely enough.
        let doubt: u64 = least.iter().map(|(_, cost)| weigh::share(*cost - costs[best])).sum();
        let alone = doubt <= weigh::share(weigh::ALL_OTHERS)
            && self.unfollowed.iter().all(|unfollowed| *unfollowed == Some(first.mv));
        (agrees && alone && self.is_sealed(now, &self.histories[best])).then(|| Ply::clone(first))
    }

    /// Whether something tells that the first move is done: its press, a reply, or silence. Likelihood alone does not.
    fn is_sealed(&self, now: Uptime, history: &History) -> bool {
        let Some(first) = history.plies.first() else { return false };
        let quiet = self.evidence(now).quiet_us() * if first.basis == Basis::Stood { 1 } else { 2 };
        let replied = history
            .plies
            .get(1)
            .is_some_and(|reply| history.plies.len() > 2 || now.us_since(reply.settled) >= REPLY_STANDS_US);
        // What came down after a press may be another piece, or go on.
        if first.basis == Basis::TakenBack {
            // Nobody presses for that; the move that follows tells of it.
            return replied || now.us_since(self.changed) >= quiet;
        }
        let stood = !first.pressed_early || now.us_since(first.settled) >= PASSING_US;
        // A piece that nobody saw arrive may stand beside its point and be pushed onto it before the reply.
        let pressed = first.basis != Basis::Unseen && !history.unpressed[first.side];
        replied || (stood && pressed) || now.us_since(self.changed) >= quiet
    }

    /// A move is settled: it goes into the record, and the rules are asked about it.
    fn settle(&mut self, now: Uptime, ply: Ply) {
        //= 5.7
        self.histories.retain(|history| history.plies.first().is_some_and(|first| same(first, &ply)));
        let least = self.histories.iter().map(|history| history.path).min().unwrap_or(0);
        for history in &mut self.histories {
            history.plies.remove(0);
            history.path -= least;
            history.told = history.told.saturating_sub(least);
        }
        self.unfollowed.clear();
        if ply.basis == Basis::TakenBack {
            self.said.provisional = None;
            self.said.ambiguous.clear();
            return self.settle_taken_back(now, &ply);
        }
        let before = self.position;
        self.learn(&ply);
        let number = self.moves.len() as u32 + 1;
        let (mv, side) = (ply.mv, ply.side);
        let moved = Moved {
            ply: number,
            side,
            mv,
            illegal: ply.illegal,
            begin_us: ply.begin.as_us(),
            settled_us: ply.settled.as_us(),
            clock: None,
        };
        let settled = if core::mem::take(&mut self.said.ambiguous).is_empty() {
            Happening::Moved(moved)
        } else {
            Happening::Resolved {
                ply: number,
                moves: alloc::vec![mv],
                by: Resolution::Later,
                clocks: Vec::new(),
            }
        };
        self.said.provisional = None;
        self.out.push_back(Event::new(now, settled));
        let announced = ByColor::new_with(|side| self.adjust[side].take_if(|at| *at <= ply.settled));
        for ruling in touch::rulings(&before, &ply, &self.config, &announced) {
            self.incident(now, ruling.kind, ruling.side, ruling.article, ruling.squares, ruling.note);
        }
        self.position = before.with_turn(side).play_unchecked(mv);
        self.moves.push(mv);
        let lawful = ply.illegal.is_none();
        self.last = Some(Last { before, ply });
        self.report_stuck(now);
        self.look_at_ending(now, lawful);
    }

    /// What the move shows of hands.
    fn learn(&mut self, ply: &Ply) {
        if self.position.board().color_at(ply.mv.to).is_some() {
            self.habits.captured(ply.basis);
        }
        self.habits.stood(ply.basis != Basis::Silent);
        if !self.config.clock {
            self.habits.played_without_press(self.config.quiet_us / 5 * 3);
        }
        self.habits.moved(ply.mv);
    }

    /// Names the reeds that the best history does not believe, when every history that does is clearly worse.
    fn report_stuck(&mut self, now: Uptime) {
        let costs = self.costs(now);
        let Some(best) = self.best(&costs) else { return };
        let believed = self.histories.iter().zip(&costs).filter(|(_, cost)| **cost < costs[best] + DISAGREES);
        let doubted = believed.fold(Bitboard::FULL, |all, (history, _)| all & history.broken());
        // What was displaced is missing or too many; its reed may well be sound.
        for square in (doubted | self.unreliable) & !self.displaced() {
            let note =
                if self.closed.contains(square) { "the reed stays closed" } else { "the reed stays open" };
            self.report_fault(now, square, note);
        }
    }

    /// Nobody is mated by a move that was against the rules: that is for the arbiter, and play may go on.
    fn look_at_ending(&mut self, now: Uptime, lawful: bool) {
        let board = self.position.board();
        if Color::ALL.into_iter().any(|color| board.king_of(color).is_none()) {
            self.over = true;
            return;
        }
        let Some(ending) = self.position.ending().filter(|_| lawful) else { return };
        self.over = true;
        let loser = self.position.turn();
        let king = alloc::vec![self.position.king_of(loser)];
        let (kind, article, note) = match ending {
            Ending::Checkmate => (IncidentKind::Checkmate, "3.1", "in check without a legal move"),
            Ending::Stalemate => (IncidentKind::Stalemate, "3.2", "without a legal move"),
        };
        self.incident(now, kind, Some(loser), article, king, note);
    }

    fn say_provisional(&mut self, now: Uptime) {
        let mv = self.histories[0].plies.first().map(|ply| ply.mv);
        if mv != self.said.provisional {
            self.said.provisional = mv;
            let ply = self.moves.len() as u32 + 1;
            self.out.push_back(Event::new(now, Happening::Provisional { ply, mv }));
        }
    }

    fn say_ambiguous(&mut self, now: Uptime, costs: &[Cost]) {
        let last = self.ended && now.us_since(self.changed) >= END_US;
        // At the end a legal move is named even when it is unlikely; a move that nobody may make only when it is likely.
        let within = |history: &History| match history.plies.first() {
            Some(first) if last && first.illegal.is_none() => 2 * CERTAIN,
            _ => CERTAIN,
        };
        let possible = || self.histories.iter().zip(costs).filter(|(h, cost)| **cost < costs[0] + within(h));
        let unplayed = possible().any(|(history, _)| history.plies.is_empty());
        let stands = self.histories[0].plies.first().is_some_and(|first| {
            self.histories[0].plies.len() > 2 || now.us_since(first.settled.max(self.changed)) >= AMBIGUOUS_US
        });
        let says = if last { self.is_left_open(now) } else { stands && !unplayed };
        if self.disorder || !says {
            return;
        }
        let mut candidates: Vec<Move> = possible().filter_map(|(h, _)| Some(h.plies.first()?.mv)).collect();
        candidates.sort_by_key(|mv| (mv.from, mv.to));
        candidates.dedup();
        if candidates.len() < if last { 1 } else { 2 } || candidates == self.said.ambiguous {
            return;
        }
        if self.said.ambiguous.is_empty() {
            let mut squares: Vec<Square> = candidates.iter().flat_map(|mv| [mv.from, mv.to]).collect();
            squares.sort();
            squares.dedup();
            let side = possible().find_map(|(history, _)| Some(history.plies.first()?.side));
            self.incident(now, IncidentKind::Ambiguous, side, "", squares, "several moves explain the board");
        }
        self.said.ambiguous.clone_from(&candidates);
        let ply = self.moves.len() as u32 + 1;
        self.out.push_back(Event::new(now, Happening::Ambiguous { ply, candidates }));
    }

    /// Whether the evidence ended after a move was made, or may have been, that is not certain.
    fn is_left_open(&self, now: Uptime) -> bool {
        let best = &self.histories[0];
        let clock = self.evidence(now).clock();
        // A move that stands and was not pressed is not finished.
        !best.plies.is_empty() || best.early_press.is_some() || (!clock && best.hands.mismatches() > 0)
    }

    /// A side has made a move out of turn, pressed, and put the piece back.
    fn say_overstep(&mut self, now: Uptime, costs: &[Cost]) {
        //= 2.1
        let best = &self.histories[0];
        let Some(mv) = best.overstep.filter(|_| best.hands.mismatches() == 0) else { return };
        let side = best.color_at(mv.from);
        let rivals = self.histories.iter().zip(costs).filter(|(_, cost)| **cost < costs[0] + DISAGREES);
        let disputed = rivals.filter(|(history, _)| history.overstep != Some(mv)).count() > 0;
        for history in &mut self.histories {
            history.overstep = None;
        }
        if !disputed {
            let note = "the other side was to move; the piece was put back";
            self.incident(now, IncidentKind::OutOfTurn, side, "2.1", alloc::vec![mv.from, mv.to], note);
        }
    }

    fn say_idle_press(&mut self, now: Uptime, costs: &[Cost]) {
        let Some((at, side)) = self.histories[0].idle_press else { return };
        let disputed = self
            .histories
            .iter()
            .zip(costs)
            .any(|(h, c)| h.idle_press.is_none() && *c < costs[0] + DISAGREES);
        if now.us_since(at) < IDLE_PRESS_US {
            return;
        }
        for history in &mut self.histories {
            history.idle_press = None;
        }
        if !disputed {
            let note = "the clock was pressed and no move had been completed";
            self.incident(now, IncidentKind::PressWithoutMove, Some(side), "8.1(7)", Vec::new(), note);
        }
    }
}

fn same(a: &Ply, b: &Ply) -> bool {
    a.mv == b.mv && a.side == b.side
}
