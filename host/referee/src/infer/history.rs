//! One history: a line of play since the last settled move that explains what was sensed.

use alloc::sync::Arc;
use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{Bitboard, ByColor, Color, Illegality, Move, MoveList, Position, Square};

use super::basis::Basis;
use super::press::EarlyPress;
use super::way::{detour, detour_cost};
use super::weigh::{self, Cost};
use super::{Evidence, weigh::Habits};
use crate::hands::{Contact, Hands, Landing, Lift, OVERLAP_US, Passage, are_neighbours};

/// What stands on a point for longer does not pass over it, in microseconds.
const LONG_PASS_US: u64 = 400_000;

/// A captured piece that is pushed off bares its reed for so long, in microseconds.
pub(crate) const PUSHED_US: u64 = 5_000;

/// Two reeds notice a piece that is pushed from one point to the next for no longer, in microseconds.
const PUSHED_OVER_US: u64 = 100_000;

/// Hands that overtake each other do so by no more than this, in microseconds.
const AHEAD_US: u64 = 150_000;

/// Who replies to a move before it stands does not wait for it longer, in microseconds.
const PATIENCE_US: u64 = 1_000_000;

/// A piece that stops for no longer is on its way, in microseconds.
pub(super) const PASSING_US: u64 = 250_000;

/// A piece that rests on its way does so for no longer, in microseconds.
const RESTS_US: u64 = 1_500_000;

/// A piece that a hand lets go of stands for longer than this, in microseconds.
const FLEETING_US: u64 = 60_000;

/// A gesture takes no longer, in microseconds.
const MOMENT_US: u64 = 2_000_000;

/// What was lifted so long before was not lifted in haste, in microseconds.
const LONG_AHEAD_US: u64 = 500_000;

/// A move of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ply {
    pub mv: Move,
    pub side: Color,
    pub illegal: Option<Illegality>,
    pub basis: Basis,
    /// When the other side had pressed last.
    pub answers: Uptime,
    /// When its first piece was touched.
    pub begin: Uptime,
    /// When its own piece left its point.
    pub left: Uptime,
    /// When its piece stood.
    pub settled: Uptime,
    /// What else was touched while it was played.
    pub contacts: Vec<Contact>,
    /// Where its piece could have gone.
    pub reach: Bitboard,
    /// What its piece could have captured.
    pub prey: Bitboard,
    /// Its player had pressed before it was done.
    pub pressed_early: bool,
    /// How unlikely it is.
    pub cost: Cost,
}

/// A way to read what hands have done as one more move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub mv: Move,
    pub side: Color,
    pub illegal: Option<Illegality>,
    pub basis: Basis,
    pub cost: Cost,
    pub settled: Uptime,
}

/// What reeds told of a piece where it stood before it was moved, and where it was moved to.
struct Noticed {
    /// As in [`History`].
    dull: Bitboard,
    missed: Bitboard,
    /// What it costs that no reed noticed it.
    silence: Cost,
}

/// A line of play, what hands have done since, and how unlikely all that is.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// What happened for good.
    pub path: Cost,
    /// As much of it as belongs to the plies.
    pub told: Cost,
    pub plies: Vec<Arc<Ply>>,
    /// A digest of all plies since the first history, by which lines of play are told apart.
    line: u64,
    /// The position after the plies.
    pub position: Position,
    /// Its legal moves; none when a king is gone.
    pub legal: MoveList,
    pub hands: Hands,
    /// Points whose reeds this history does not believe.
    pub dull: Bitboard,
    /// Points whose reeds have worked and did not notice the last piece that stood there.
    pub missed: Bitboard,
    /// When the last ply stood.
    pub since: Uptime,
    /// Sides whose last move was not followed by their press yet.
    pub unpressed: ByColor<bool>,
    /// When each side pressed last.
    pub pressed: ByColor<Uptime>,
    /// The mover pressed and has not finished his move.
    pub early_press: Option<EarlyPress>,
    /// The mover pressed though nothing was moved.
    pub idle_press: Option<(Uptime, Color)>,
}

impl History {
    pub(crate) fn new(position: Position) -> History {
        History {
            path: 0,
            told: 0,
            plies: Vec::new(),
            line: 0,
            legal: legal_moves(&position),
            position,
            hands: Hands::default(),
            dull: Bitboard::EMPTY,
            missed: Bitboard::EMPTY,
            since: Uptime::ZERO,
            unpressed: ByColor::default(),
            pressed: ByColor::default(),
            early_press: None,
            idle_press: None,
        }
    }

    pub(crate) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The first move that is not settled.
    pub(crate) fn first(&self) -> Option<Move> {
        self.plies.first().map(|ply| ply.mv)
    }

    fn stands(&self, square: Square) -> bool {
        self.position.board().occupied().contains(square)
    }

    pub(crate) fn color_at(&self, square: Square) -> Option<Color> {
        self.position.board().color_at(square)
    }

    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        self.legal.contains(&mv)
    }

    /// Whether two histories tell the same moves with the same beliefs.
    pub(crate) fn tells_the_same(&self, other: &History) -> bool {
        self.line == other.line && self.dull == other.dull
    }

    /// Whether this history tells what `parent` would tell after that move.
    pub(crate) fn tells_of(&self, parent: &History, reading: &Reading) -> bool {
        self.line == parent.line_after(reading.mv, reading.side)
            && self.dull & !Bitboard::of(reading.mv.from) == parent.dull & !Bitboard::of(reading.mv.from)
    }

    /// The digest of the line with one more move.
    fn line_after(&self, mv: Move, side: Color) -> u64 {
        let word = (mv.from.index() * Square::COUNT + mv.to.index()) * 2 + side.index() + 1;
        // A step of splitmix64.
        let mixed = (self.line ^ word as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Whether the last ply was not seen to be finished, nor pressed.
    pub(crate) fn is_guessing(&self) -> bool {
        self.plies.last().is_some_and(|last| last.basis.is_guess() && self.unpressed[last.side])
    }

    /// Where the piece of that point can go.
    fn reach_of(&self, from: Square) -> Bitboard {
        self.legal.into_iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect()
    }

    /// How unlikely it is that a reed drops out just when its piece could have been captured, and another was.
    pub(crate) fn coincidence(&self, square: Square, at: Uptime, habits: &Habits) -> Cost {
        let guessed = self.plies.last().filter(|ply| !ply.basis.is_plain() && self.unpressed[ply.side]);
        let missed = guessed.filter(|ply| ply.prey.contains(square) && ply.mv.to != square);
        missed.map_or(0, |ply| habits.dropout(square, at.us_since(ply.left)))
    }

    /// A reed changed.
    pub(crate) fn sense(&mut self, square: Square, closed: bool, at: Uptime, habits: &Habits) {
        let overdue = self.overdue(at, false);
        if let Some(early) = &mut self.early_press {
            early.cost += overdue;
            self.path += overdue;
        }
        if closed
            && let Some(lift) = self.hands.lift_of(square).filter(|lift| !lift.silent)
            && at.us_since(lift.at) < Contact::BRIEF_US
        {
            self.path += self.coincidence(square, at, habits);
        }
        self.missed.remove(square);
        if self.dull.contains(square) {
            self.dull.remove(square);
            self.path += weigh::UNSTUCK;
        }
        if !closed {
            self.path += self.apparition(square, at);
            let stood = self.hands.landed.iter().find(|landing| landing.square == square && !landing.unheard);
            self.path += stood.map_or(0, |landing| habits.stood_and_went_on(at.us_since(landing.at)));
        } else if let Some(lift) = self.hands.lift_of(square).filter(|lift| lift.silent) {
            // It is noticed now; that it was not for so long stays.
            self.path += self.silence_of(lift, weigh::NEVER_NUDGED);
        }
        self.hands.sense(square, closed, at, self.stands(square));
        if self.hands.mismatches() == 0
            && let Some(early) = self.early_press.take()
        {
            self.idle_press.get_or_insert((early.at, self.turn()));
        }
    }

    /// How unlikely it is that something comes off an empty point to which no piece had been brought.
    fn apparition(&self, square: Square, now: Uptime) -> Cost {
        let unheard = self.hands.landed.iter().find(|landing| landing.square == square && landing.unheard);
        let Some(landing) = unheard else { return 0 };
        // Nobody hears a piece leave a reed that is stuck; it may rest on its way.
        let rests = now.us_since(landing.at) < RESTS_US;
        if rests && self.dull.into_iter().any(|from| self.stands(from) && self.reaches(from, square)) {
            return 0;
        }
        if now.us_since(landing.at) >= LONG_PASS_US {
            return self.unexplained(landing);
        }
        // It may be the piece that was moved last and not seen to arrive, on its way.
        let guessed = self.plies.last().filter(|ply| ply.basis.is_guess() && self.unpressed[ply.side]);
        guessed.map_or(0, |ply| detour(square, ply.mv))
    }

    /// How unlikely it is that something stands there that nobody can have put down. It is less likely where the piece that
    /// was moved last could have been put just then, and was not seen to arrive elsewhere; a piece that it pushed off may
    /// lie beside it.
    fn unexplained(&self, landing: &Landing) -> Cost {
        let rather = |ply: &Arc<Ply>| {
            let seen = ply.basis.is_plain();
            // Where it stood before its player pressed it stands rather than beside another point.
            let silent = ply.basis == Basis::Silent && landing.at < self.pressed[ply.side];
            let then = landing.at >= ply.left && (silent || landing.at.us_since(ply.left) < MOMENT_US);
            let beside = are_neighbours(ply.mv.to, landing.square);
            let there = silent || (ply.reach.contains(landing.square) && !beside);
            !seen && then && there
        };
        weigh::UNEXPLAINED + if self.plies.iter().any(rather) { weigh::COINCIDENCE } else { 0 }
    }

    /// That reed is not to be believed from now on.
    pub(crate) fn disbelieve(&mut self, square: Square) {
        self.hands.forget(square);
    }

    /// The history in which that reed is stuck at the level that it shows.
    pub(crate) fn doubt(&self, square: Square) -> History {
        let mut doubting = self.clone();
        doubting.hands.forget(square);
        doubting.dull.insert(square);
        doubting.path += weigh::STUCK_NOW + self.chance_of_fault(square);
        doubting
    }

    /// The history in which the piece that this side moved last, and has taken up again, stands on its point where no reed
    /// notices it: who presses has set it down.
    pub(crate) fn set_down_unnoticed(&self, side: Color, habits: &Habits) -> Option<History> {
        let last = self.plies.last().filter(|last| last.side == side && self.unpressed[side])?;
        let lift = self.hands.lift_of(last.mv.to).filter(|lift| !lift.silent)?;
        let cost = match lift.at.us_since(last.settled) {
            ..FLEETING_US => return None,
            // It was rather on its way.
            FLEETING_US..PASSING_US => weigh::SET_DOWN_IN_PASSING,
            PASSING_US.. => 0,
        };
        let mut set_down = self.clone();
        set_down.hands.forget(last.mv.to);
        set_down.dull.insert(last.mv.to);
        set_down.path += habits.silent() + weigh::never_nudged(false, false) + cost;
        Some(set_down)
    }

    /// How unlikely it is that the reed of that point has stuck in just the moment in which a piece that could have been what
    /// it shows was in a hand, or while one that could have come there had not been seen to arrive.
    fn chance_of_fault(&self, square: Square) -> Cost {
        let lifted = self.hands.lift_of(square).map(|lift| lift.at);
        let landed = self.hands.landed.iter().find(|landing| landing.square == square).map(|l| l.at);
        let chance = |(ago, ply): (usize, &Arc<Ply>)| {
            let left = ply.mv.to == square
                && lifted.is_some_and(|at| at >= ply.settled && at.us_since(ply.settled) < MOMENT_US);
            // Of a piece that was seen to stand nobody waits for where it comes down.
            let seen = ply.basis.is_plain();
            let came = landed.filter(|at| !seen && ply.reach.contains(square) && *at >= ply.left);
            match came {
                Some(at) if at.us_since(ply.left) < MOMENT_US => weigh::ARRIVAL,
                Some(_) if ago < 2 || self.is_silent(ply.mv.to) => weigh::LATE_ARRIVAL,
                _ if left => weigh::COINCIDENCE,
                _ => 0,
            }
        };
        self.plies.iter().rev().enumerate().map(chance).max().unwrap_or(0)
    }

    /// A side pressed its button.
    pub(crate) fn press(&mut self, side: Color, at: Uptime) {
        self.hands.struck = Some(at);
        self.pressed[side] = at;
        if side != self.turn() {
            if self.unpressed[side] {
                self.path += self.suspicion() + self.pressed_in_passing();
            }
            if !core::mem::take(&mut self.unpressed[side]) {
                // Where the mover pressed too early, the other clock runs, and its press tells of a move.
                let runs = self.early_press.is_some();
                self.path += if runs { weigh::PRESS_OF_NOTHING } else { weigh::PRESS_AGAIN };
            } else if self.last_is_aloft() {
                self.path += weigh::PRESS_AND_TAKEN;
            } else if self.is_aloft(side) {
                // The reply may have begun with the piece that it captures.
                self.path += 2 * weigh::EARLY_REPLY;
            }
            // What the mover touched before the press was in his own time, after his move.
            let own = self.position.board().by_color(side);
            self.hands.contacts.retain(|contact| !own.contains(contact.square));
            return;
        }
        let aloft = self.is_aloft(side);
        let late = core::mem::take(&mut self.unpressed[side]);
        if late && !aloft && self.hands.landed.is_empty() {
            // The reply came first; that the press was forgotten has been charged then. Who has touched a piece of his own
            // since rather presses because of that.
            let own = |c: &Contact| !c.is_brief() && self.color_at(c.square) == Some(side);
            if self.hands.contacts.iter().any(own) {
                self.path += weigh::PRESS_AGAIN;
            } else {
                self.path = self.path.saturating_sub(weigh::FORGOTTEN_PRESS - weigh::PRESS_LATE);
            }
            return;
        }
        if aloft || !self.hands.landed.is_empty() {
            let cost = if aloft { weigh::PRESS_EARLY } else { weigh::PRESS_IN_AIR };
            self.path += cost;
            self.early_press = Some(EarlyPress { at, cost });
        } else {
            self.path += weigh::PRESS_OF_NOTHING;
            self.idle_press.get_or_insert((at, side));
        }
    }

    /// How unlikely it is that a piece was touched between a capture that nobody saw and its press: rather it was captured.
    fn suspicion(&self) -> Cost {
        let touched = |contact: &Contact| !contact.is_brief() && self.is_suspicious(contact.square);
        if self.hands.contacts.iter().any(touched) { weigh::RATHER_CAPTURED } else { 0 }
    }

    /// Whether the piece of that point is rather what was captured, if it is touched now: another capture was hardly seen,
    /// and not pressed.
    fn is_suspicious(&self, square: Square) -> bool {
        self.plies.last().filter(|last| self.unpressed[last.side]).is_some_and(|last| match last.basis {
            Basis::Unseen | Basis::Silent | Basis::Stuck => self.color_at(square) == Some(self.turn()),
            Basis::Pushed => last.prey.contains(square) && last.mv.to != square,
            Basis::Stood | Basis::Replaced => false,
        })
    }

    /// Whether the piece of that point is believed to stand there unnoticed.
    pub(crate) fn is_silent(&self, square: Square) -> bool {
        self.hands.lift_of(square).is_some_and(|lift| lift.silent)
    }

    /// Whether the piece that was moved last is off its point again.
    fn last_is_aloft(&self) -> bool {
        let moved = self.plies.last().and_then(|ply| self.hands.lift_of(ply.mv.to));
        moved.is_some_and(|lift| !lift.silent)
    }

    /// Whether what stands there may be the piece that was moved last, before its player pressed: he corrects himself.
    fn is_corrected(&self, to: Square) -> bool {
        let unpressed = |last: &&Arc<Ply>| self.unpressed[last.side] && self.last_is_aloft();
        self.plies.last().filter(unpressed).is_some_and(|last| self.reaches(last.mv.to, to))
    }

    /// Whether a piece of that side is off its point.
    pub(crate) fn is_aloft(&self, side: Color) -> bool {
        self.hands.lifted.iter().any(|lift| !lift.silent && self.color_at(lift.square) == Some(side))
    }

    /// Which reeds the history in which that move has been made does not believe, and what it costs that a piece was not
    /// noticed where it stood. A piece that is not noticed where it stands now is marked in `hands`.
    fn notice(&self, reading: &Reading, evidence: &Evidence<'_>, hands: &mut Hands) -> Noticed {
        let mv = reading.mv;
        let (mut dull, mut missed) = (self.dull, self.missed);
        let mut silence = 0;
        if self.is_silent(mv.from) {
            let worked = evidence.worked.contains(mv.from);
            // A reed that has worked rather missed a piece beside its point; twice, it has died.
            let again = missed.contains(mv.from);
            if !again {
                silence = weigh::never_nudged(worked, self.knows_broken(evidence));
            }
            let suspects = if worked && !again { &mut missed } else { &mut dull };
            suspects.insert(mv.from);
        }
        let believed = |dull: Bitboard, square| !dull.contains(square) && evidence.believes(square);
        if evidence.closed.contains(mv.from) && believed(dull, mv.from) {
            dull.insert(mv.from);
        }
        let unnoticed = !evidence.closed.contains(mv.to) && believed(dull, mv.to);
        if unnoticed && self.is_silent(mv.to) {
            // It noticed neither piece.
            dull.insert(mv.to);
        } else if unnoticed {
            hands.lifted.push(Lift { square: mv.to, at: reading.settled, silent: true, knocked: false });
        }
        Noticed { dull, missed, silence }
    }

    /// The history in which that move has been made.
    pub(crate) fn follow(&self, reading: &Reading, evidence: &Evidence<'_>) -> History {
        let Reading { mv, side, .. } = *reading;
        let position = self.position.with_turn(side).play_unchecked(mv);
        let mut hands = self.hands.clone();
        let left = self.hands.lift_of(mv.from).map_or(reading.settled, |lift| lift.at);
        let taken = self.hands.contact_of(mv.to);
        let begin = taken.map_or(left, |taken| taken.again.min(left)).min(reading.settled);
        hands.forget(mv.from);
        hands.forget(mv.to);
        let (ours, theirs): (Vec<_>, _) =
            hands.contacts.drain(..).partition(|contact| contact.again < reading.settled);
        hands.contacts = theirs;
        let Noticed { dull, missed, silence } = self.notice(reading, evidence, &mut hands);
        hands.lose_sound(|from, to| position.moves_so(Move::new(from, to)));
        let passed = hands.passed_since(left);
        // Where nobody presses, a piece that rested has rather been moved.
        let rested = |passage: &Passage| passage.stood_us >= LONG_PASS_US;
        let paused = !evidence.clock() && hands.passages_since(left).any(rested);
        hands.passed.clear();
        let mut unpressed = self.unpressed;
        // What was seen to be done by then was pressed, though it be understood only now.
        let pressed = reading.basis.is_seen() && self.pressed[side] > reading.settled;
        unpressed[side] = self.early_press.is_none() && !pressed;
        let refund = self.early_press.map_or(0, |early| early.refund());
        // What was touched is a matter of its own: it makes the move no less credible.
        let touched = contacts_cost(self, &ours, Some(reading), evidence.habits);
        let reach = self.reach_of(mv.from);
        let prey = reach & self.position.board().by_color(!self.turn());
        // What stood there before the piece left its point may have been touched only.
        let doubtful = !reading.basis.is_plain() || taken.is_some_and(|taken| taken.closed < left);
        let chance = if doubtful { chance_cost(&hands, prey, left, evidence.habits) } else { 0 };
        let extra = touched
            + chance
            + self.haste(reading, left, &hands, evidence)
            + if reading.basis.is_guess() { detour_cost(passed, mv) } else { 0 }
            + if reading.basis == Basis::Unseen && paused { weigh::PAUSED } else { 0 };
        let path = self.path.saturating_sub(refund) + reading.cost + extra + silence;
        let mut plies = self.plies.clone();
        plies.push(Arc::new(Ply {
            mv,
            side,
            illegal: reading.illegal,
            basis: reading.basis,
            answers: self.pressed[!side],
            begin,
            left,
            settled: reading.settled,
            contacts: ours,
            reach,
            prey,
            pressed_early: self.early_press.is_some(),
            cost: path.saturating_sub(self.told + touched),
        }));
        History {
            path,
            told: path,
            plies,
            line: self.line_after(mv, side),
            legal: legal_moves(&position),
            position,
            hands,
            dull,
            missed,
            since: reading.settled,
            unpressed,
            pressed: self.pressed,
            early_press: None,
            idle_press: self.idle_press,
        }
    }

    /// How unlikely it is that the move was made while other pieces were off their points. What the board shows passes; that
    /// it was so when the move was made stays.
    fn haste(&self, reading: &Reading, left: Uptime, rest: &Hands, evidence: &Evidence<'_>) -> Cost {
        let mut cost = 0;
        for lift in rest.lifted.iter().filter(|lift| !lift.silent && lift.square != reading.mv.to) {
            let own = self.color_at(lift.square) == Some(reading.side);
            let ahead = left.us_since(lift.at);
            cost += match (own, ahead) {
                // Whoever moves a piece has put down the others.
                (true, LONG_AHEAD_US..) => weigh::FORGOTTEN_IN_HAND,
                (true, _) => weigh::ANOTHER_IN_HAND,
                // The reply may begin early; hardly before the move itself.
                (false, LONG_AHEAD_US..) => weigh::ANOTHER_IN_HAND,
                (false, AHEAD_US..) => weigh::REPLY_AHEAD,
                (false, 1..) => 2 * weigh::EARLY_REPLY,
                (false, 0) if lift.at >= reading.settled => 0,
                (false, 0) if reading.settled.us_since(lift.at) >= PATIENCE_US => weigh::REPLY_AHEAD,
                (false, 0) => weigh::EARLY_REPLY,
            };
        }
        // What was seen to be done by then was not overtaken, though it be understood only now.
        // Nobody knows when a piece was set down unnoticed; in two seconds it was.
        let known = match reading.basis {
            Basis::Silent if evidence.clock() => Some(reading.settled.plus_us(MOMENT_US)),
            basis => basis.is_seen().then_some(reading.settled),
        };
        let overtook = |landing: &&Landing| known.is_none_or(|known| landing.at < known);
        for landing in rest.landed.iter().filter(overtook) {
            let replied = self.reached_by(!reading.side, landing.square) && landing.at < left;
            cost += match (replied, left.us_since(landing.at)) {
                (true, LONG_AHEAD_US..) => weigh::REPLY_LONG_BEFORE,
                (true, _) => weigh::REPLY_FIRST,
                (false, _) => weigh::OVERTAKEN_BRIEFLY,
            };
        }
        let overtaken = |last: &Arc<Ply>| last.left.us_since(reading.settled) >= LONG_AHEAD_US;
        if reading.basis == Basis::Stuck && self.plies.last().is_some_and(overtaken) {
            cost += weigh::REPLY_LONG_BEFORE;
        }
        if let Some(last) = self.plies.last()
            && last.mv.to != reading.mv.to
            && self.hands.lift_of(last.mv.to).is_some_and(|lift| !lift.silent)
        {
            cost += weigh::NOT_DONE;
        }
        if evidence.clock() && self.unpressed[!reading.side] {
            cost += weigh::FORGOTTEN_PRESS;
        }
        cost + self.passing(reading.mv, left)
    }

    /// How unlikely it is that the opponent replied to that piece where it stood only just before it leaves.
    fn passing(&self, mv: Move, left: Uptime) -> Cost {
        if self.is_silent(mv.from) {
            return 0;
        }
        let own = self.plies.iter().rev().skip(1).find(|ply| ply.side == self.turn());
        match own.filter(|ply| ply.mv.to == mv.from).map(|ply| left.us_since(ply.settled)) {
            Some(..FLEETING_US) => weigh::REPLIED_IN_MOTION,
            Some(FLEETING_US..PASSING_US) => weigh::REPLIED_IN_PASSING,
            _ => 0,
        }
    }

    /// How unlikely the board is that is seen now, if this is the whole history. It goes when the board changes.
    pub(crate) fn state(&self, evidence: &Evidence<'_>) -> Cost {
        self.mess(evidence)
            + self.silence(evidence)
            + self.stillness(evidence)
            + self.contact_state(evidence)
            + self.overdue(evidence.now, evidence.ended)
            + self.answered(evidence.now)
    }

    fn contact_state(&self, evidence: &Evidence<'_>) -> Cost {
        let touched = contacts_cost(self, &self.hands.contacts, None, evidence.habits);
        touched + if self.is_overtaken_by_capture() { weigh::OVERTAKEN } else { 0 }
    }

    /// The waiting side's piece is in the air and a piece of the mover was touched since: that is a capture.
    fn is_overtaken_by_capture(&self) -> bool {
        let mover = self.turn();
        self.hands.lifted.iter().filter(|lift| self.color_at(lift.square) == Some(!mover)).any(|lift| {
            self.hands.contacts.iter().any(|contact| {
                !contact.is_brief()
                    && contact.closed > lift.at
                    && self.color_at(contact.square) == Some(mover)
                    && self.reaches(lift.square, contact.square)
            })
        })
    }

    /// How far the pieces are from where they should be.
    pub(crate) fn mess(&self, evidence: &Evidence<'_>) -> Cost {
        let mover = self.turn();
        let aloft = |color: Color| {
            let lifted = self.hands.lifted.iter().filter(|lift| !lift.silent);
            lifted.filter(|lift| self.color_at(lift.square) == Some(color)).count() as Cost
        };
        let (own, enemy) = (aloft(mover), aloft(!mover));
        let mut cost = weigh::TWO_OWN * own.saturating_sub(1);
        if self.last_is_aloft() {
            cost += weigh::TAKEN_UP_AGAIN;
        }
        cost +=
            [0, 5, 15].get(enemy as usize).copied().unwrap_or(15 + weigh::TWO_OWN * enemy.saturating_sub(2));
        let mut placed = 0;
        for landing in &self.hands.landed {
            let own_way = self.put_by(mover, landing);
            let on_its_way = own > 0 && evidence.is_moving() && self.heard_by(mover, landing);
            if placed < own.max(1) && own_way {
                placed += 1;
            } else if own_way && on_its_way {
                // Two reeds notice a piece that is pushed from one to the other.
                cost += weigh::PASSING;
            } else if self.is_corrected(landing.square) {
                cost += weigh::CORRECTED;
            } else if self.put_by(!mover, landing) {
                cost += weigh::OVERTAKEN;
            } else if on_its_way || evidence.now.us_since(landing.at) < PASSING_US {
                cost += weigh::PASSING;
            } else {
                cost += self.unexplained(landing);
            }
        }
        cost
    }

    /// Pieces of that side that are off their points and were so when that one came to stand: what stood before somebody took
    /// up a piece is another.
    fn off_when(&self, color: Color, landing: &Landing) -> impl Iterator<Item = &Lift> {
        let before = landing.at.plus_us(OVERLAP_US);
        let lifted = self.hands.lifted.iter().filter(move |lift| self.color_at(lift.square) == Some(color));
        lifted.filter(move |lift| lift.silent || lift.at <= before)
    }

    /// Whether a piece of that side could have been set down there then.
    fn put_by(&self, color: Color, landing: &Landing) -> bool {
        self.off_when(color, landing).any(|lift| self.position.range(lift.square).contains(landing.square))
    }

    /// Whether a piece of that side could have passed there then.
    fn heard_by(&self, color: Color, landing: &Landing) -> bool {
        self.off_when(color, landing).any(|lift| !lift.silent)
    }

    /// Whether a piece of that side that is off its point could have been set down there.
    pub(crate) fn reached_by(&self, color: Color, to: Square) -> bool {
        let mut lifted = self.hands.lifted.iter().filter(|lift| self.color_at(lift.square) == Some(color));
        lifted.any(|lift| self.reaches(lift.square, to))
    }

    /// Whether the piece of that point moves so, 自杀 included.
    pub(crate) fn reaches(&self, from: Square, to: Square) -> bool {
        self.position.moves_so(Move::new(from, to))
    }

    /// Why that side may not make that move if it were to move.
    pub(crate) fn illegality(&self, mv: Move, side: Color) -> Option<Illegality> {
        if self.position.board().king_of(side).is_none() {
            return Some(Illegality::Movement);
        }
        self.position.with_turn(side).illegality(mv)
    }

    /// Pieces that are believed to stand unnoticed: the longer nobody nudges them, the less likely.
    fn silence(&self, evidence: &Evidence<'_>) -> Cost {
        let silent = self.hands.lifted.iter().filter(|lift| lift.silent);
        let second = self.knows_broken(evidence);
        let most = |lift: &Lift| weigh::never_nudged(evidence.worked.contains(lift.square), second);
        silent.map(|lift| self.silence_of(lift, most(lift))).sum()
    }

    /// Whether a reed is known to be broken.
    fn knows_broken(&self, evidence: &Evidence<'_>) -> bool {
        !(self.dull | evidence.unreliable).is_empty()
    }

    /// A piece beside its point is pushed onto it soon, if its reed works; in the long run it costs `most`. Of a reed that missed
    /// the last piece too time tells nothing.
    fn silence_of(&self, lift: &Lift, most: Cost) -> Cost {
        if self.missed.contains(lift.square) {
            return 0;
        }
        let after = self.plies.iter().filter(|ply| ply.begin > lift.at).count() as Cost;
        (weigh::NOT_NUDGED * after).min(most)
    }

    /// A move that could be finished has stood still: by and by it is.
    fn stillness(&self, evidence: &Evidence<'_>) -> Cost {
        let mover = self.turn();
        let own = |lift: &&Lift| !lift.silent && self.color_at(lift.square) == Some(mover);
        let quiet = evidence.quiet_us();
        let still = evidence.now.us_since(evidence.changed);
        let overtaken = self.hands.landed.iter().any(|landing| self.reached_by(!mover, landing.square));
        if overtaken && still >= quiet {
            return weigh::STILL_HELD;
        }
        let Some(lift) = self.hands.lifted.iter().find(own) else { return 0 };
        let stood = self.hands.landed.iter().any(|landing| self.reaches(lift.square, landing.square));
        if stood {
            return if still >= quiet && !evidence.may_go_on(self) { weigh::STILL_HELD } else { 0 };
        }
        let replaced = self.hands.contacts.iter().any(|contact| {
            contact.is_filled_by(lift)
                && contact.away_us >= PUSHED_US
                && self.color_at(contact.square) == Some(!mover)
                && self.reaches(lift.square, contact.square)
        });
        if replaced && still >= 2 * quiet { weigh::STILL_HELD } else { 0 }
    }
}

fn legal_moves(position: &Position) -> MoveList {
    let board = position.board();
    let kings = Color::ALL.into_iter().all(|color| board.king_of(color).is_some());
    if kings { position.legal_moves() } else { MoveList::new() }
}

/// How unlikely it is that pieces dropped out by chance, while one that could have captured them was in the hand.
fn chance_cost(hands: &Hands, prey: Bitboard, left: Uptime, habits: &Habits) -> Cost {
    let by_chance = |c: &&Contact| c.is_brief() && !c.shaken && c.closed > left && prey.contains(c.square);
    hands.contacts.iter().filter(by_chance).map(|c| habits.dropout(c.square, c.closed.us_since(left))).sum()
}

/// How unlikely it is that those points were touched beside the move that is read.
fn contacts_cost(before: &History, contacts: &[Contact], reading: Option<&Reading>, habits: &Habits) -> Cost {
    let mv = reading.map(|reading| reading.mv);
    let mover = mv.and_then(|mv| before.color_at(mv.from)).unwrap_or(before.turn());
    let in_hand = match mv {
        Some(mv) => before.hands.lift_of(mv.from),
        None => {
            let lifted = before.hands.lifted.iter();
            lifted.filter(|lift| before.color_at(lift.square) == Some(mover)).min_by_key(|lift| lift.at)
        }
    };
    let in_hand_since = in_hand.map(|lift| lift.at);
    // A reed that dropped out tells something only where the piece in the hand could have made a capture.
    let could_capture = |square| in_hand.is_some_and(|lift| before.reaches(lift.square, square));
    // A piece that was touched just after a capture nobody saw has rather been captured itself.
    let suspicious = |square| before.is_suspicious(square);
    let costs =
        contacts.iter().filter(|c| mv.is_none_or(|mv| c.square != mv.from && c.square != mv.to)).map(|c| {
            if c.is_brief() && c.shaken {
                0
            } else if c.is_brief() {
                let window_us = in_hand_since.map_or(0, |since| c.closed.us_since(since));
                if could_capture(c.square) { habits.dropout(c.square, window_us) } else { 0 }
            } else if let Some(reading) = reading.filter(|r| r.basis.is_guess() || r.illegal.is_some())
                && in_hand.is_some_and(|lift| c.spans(lift))
            {
                if reading.basis == Basis::Silent {
                    weigh::SWAPPED_FOR_SILENCE
                } else {
                    weigh::RATHER_SWAPPED
                }
            } else if before.color_at(c.square) == Some(mover) {
                match mv {
                    _ if suspicious(c.square) => weigh::RATHER_CAPTURED,
                    Some(_) => weigh::TOUCHED_NOT_MOVED,
                    None if c.again < before.since => weigh::RATHER_CAPTURED,
                    None => weigh::HESITATION,
                }
            } else if in_hand.is_some_and(|l| c.is_pushed_over(l, PUSHED_OVER_US) && could_capture(c.square))
            {
                // No hand lets one piece go and takes the next up at the same moment.
                weigh::RATHER_CAPTURED
            } else if in_hand_since.is_some_and(|since| c.closed > since) {
                let silent = reading.is_some_and(|reading| reading.basis == Basis::Silent);
                if silent { weigh::SWAPPED_FOR_SILENCE } else { weigh::TOUCHED_WITH_PIECE_IN_HAND }
            } else {
                weigh::TOUCHED_ENEMY
            }
        });
    costs.sum::<Cost>().min(weigh::SWAPPED_FOR_SILENCE)
}
