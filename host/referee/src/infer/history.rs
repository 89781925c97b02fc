//! One history: a line of play since the last settled move that explains what was sensed.

use alloc::sync::Arc;
use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{Bitboard, ByColor, Color, Illegality, Move, MoveList, Position, Square};

use super::basis::Basis;
use super::contacts::{chance_cost, contacts_cost};
use super::press::EarlyPress;
use super::way::{detour, detour_cost, goes_beyond};
use super::weigh::{self, Cost};
use super::{Evidence, weigh::Habits};
use crate::hands::{Contact, Hands, Landing, Lift, are_neighbours};

/// What stands on a point for longer does not pass over it, in microseconds.
const LONG_PASS_US: u64 = 400_000;

/// A captured piece that is pushed off bares its reed for so long, in microseconds.
pub(crate) const PUSHED_US: u64 = 5_000;

/// A piece that stops for no longer is on its way, in microseconds.
pub(super) const PASSING_US: u64 = 250_000;

/// A captured piece that is pushed off its point comes to the next one within so long, in microseconds.
const PUSHED_ON_US: u64 = 300_000;

/// A captured piece is taken off the board within so long, in microseconds.
const CAPTIVE_US: u64 = 6_000_000;

/// A piece that rests on its way does so for no longer, in microseconds.
const RESTS_US: u64 = 1_500_000;

/// A piece that a hand lets go of stands for longer than this, in microseconds.
pub(super) const FLEETING_US: u64 = 60_000;

/// A gesture takes no longer, in microseconds.
pub(super) const MOMENT_US: u64 = 2_000_000;

/// A move of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ply {
    pub mv: Move,
    pub side: Color,
    pub illegal: Option<Illegality>,
    pub basis: Basis,
    /// When the other side had pressed last.
    pub answers: Uptime,
    /// When the other side's hand was done: its move stood, and was pressed.
    pub turned: Uptime,
    /// When its first piece was touched.
    pub begin: Uptime,
    /// When its own piece left its point.
    pub left: Uptime,
    /// When its own piece was taken up, if a reed told.
    pub held: Option<Uptime>,
    /// When its piece stood.
    pub settled: Uptime,
    /// What else was touched while it was played.
    pub contacts: Vec<Contact>,
    /// Pieces among those that stood elsewhere, where they could have been moved to, before they were put back.
    pub walked: Bitboard,
    /// Where its piece could have gone.
    pub reach: Bitboard,
    /// What its piece could have captured.
    pub prey: Bitboard,
    /// Its player had pressed before it was done.
    pub pressed_early: bool,
    /// How unlikely it is.
    pub cost: Cost,
}

impl Ply {
    /// Whether it took a piece of the opponent, and legally.
    fn captures(&self) -> bool {
        self.prey.contains(self.mv.to)
    }
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
    /// Where the last ply captured, if it did.
    pub taken: Option<Square>,
    /// The last capture, be it settled or not.
    captor: Option<Arc<Ply>>,
    /// Points whose reeds this history does not believe.
    pub dull: Bitboard,
    /// Those of them whose pieces were shifted, or to which they were: their reeds are sound.
    pub strayed: Bitboard,
    /// Points whose reeds have worked and did not notice the last piece that stood there.
    pub missed: Bitboard,
    /// When the piece of the last ply left its point.
    left: Uptime,
    /// When the last ply stood.
    pub since: Uptime,
    /// Sides whose last move was not followed by their press yet.
    pub unpressed: ByColor<bool>,
    /// When each side pressed last.
    pub pressed: ByColor<Uptime>,
    /// When each side pressed last though its last move had been pressed.
    pub pressed_again: ByColor<Uptime>,
    /// The mover pressed and has not finished his move.
    pub early_press: Option<EarlyPress>,
    /// The mover pressed though nothing was moved.
    pub idle_press: Option<(Uptime, Color)>,
    /// A side pressed though the other was to move and a piece of its own stood where this move would bring it.
    pub overstep: Option<Move>,
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
            taken: None,
            captor: None,
            dull: Bitboard::EMPTY,
            strayed: Bitboard::EMPTY,
            missed: Bitboard::EMPTY,
            left: Uptime::ZERO,
            since: Uptime::ZERO,
            unpressed: ByColor::default(),
            pressed: ByColor::default(),
            pressed_again: ByColor::default(),
            early_press: None,
            idle_press: None,
            overstep: None,
        }
    }

    pub(crate) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The first move that is not settled.
    pub(crate) fn first(&self) -> Option<Move> {
        self.plies.first().map(|ply| ply.mv)
    }

    pub(super) fn stands(&self, square: Square) -> bool {
        self.position.board().occupied().contains(square)
    }

    pub(crate) fn color_at(&self, square: Square) -> Option<Color> {
        self.position.board().color_at(square)
    }

    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        self.legal.contains(&mv)
    }

    /// A digest of all plies since the first history, by which lines of play are told apart.
    pub(crate) const fn line(&self) -> u64 {
        self.line
    }

    /// Whether this history tells what `parent` would tell after that move.
    pub(crate) fn tells_of(&self, parent: &History, reading: &Reading) -> bool {
        self.line == parent.line_after(reading.mv, reading.side)
            && self.dull & !Bitboard::of(reading.mv.from) == parent.dull & !Bitboard::of(reading.mv.from)
    }

    /// The digest of the line with one more move.
    pub(crate) fn line_after(&self, mv: Move, side: Color) -> u64 {
        let word = (mv.from.index() * Square::COUNT + mv.to.index()) * 2 + side.index() + 1;
        // A step of splitmix64.
        let mixed = (self.line ^ word as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// What is given back of the cost of a press when its move is finished late.
    pub(super) fn refund(&self) -> Cost {
        self.early_press.map_or(0, |early| early.refund())
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
            self.path += if self.found(square) { 0 } else { weigh::UNSTUCK };
        }
        if !closed {
            self.path += self.apparition(square, at);
            let stood = self.hands.landed.iter().find(|landing| landing.square == square && !landing.unheard);
            self.path += stood.map_or(0, |landing| habits.stood_and_went_on(at.us_since(landing.at)));
        } else if let Some(lift) = self.hands.lift_of(square).filter(|lift| lift.silent) {
            // It is noticed now; that it was not for so long stays.
            self.path += self.silence_of(lift, at, weigh::NEVER_NUDGED);
        }
        let held = self.hands.lift_of(square).filter(|lift| closed && !lift.silent).map(|lift| lift.at);
        self.hands.sense(square, closed, at, self.stands(square));
        if held.is_some_and(|held| held < self.left) {
            self.was_held_over(square);
        }
        if self.hands.mismatches() == 0
            && let Some(early) = self.early_press.take()
        {
            self.idle_press.get_or_insert((early.at, self.turn()));
        }
    }

    /// That piece, which was in a hand before the one that was moved last, is put back: before the press whoever moved has touched
    /// it, after it nobody knows who.
    fn was_held_over(&mut self, square: Square) {
        let Some(contact) = self.hands.contacts.iter_mut().find(|contact| contact.square == square) else {
            return;
        };
        if let Some(last) = self.plies.last_mut().filter(|last| self.unpressed[last.side]) {
            Arc::make_mut(last).contacts.push(*contact);
        }
        contact.knocked = true;
    }

    /// Pieces that were put back, and stood meanwhile on a point to which they move.
    fn walked(&self, contacts: &[Contact]) -> Bitboard {
        let walked = |contact: &&Contact| {
            self.hands.passages_since(contact.again).any(|passage| {
                passage.came() > contact.again
                    && passage.left < contact.closed
                    && passage.stood_us >= FLEETING_US
                    && self.reaches(contact.square, passage.square)
            })
        };
        contacts.iter().filter(walked).map(|contact| contact.square).collect()
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
            return self.unexplained(landing, now);
        }
        // It may be the piece that was moved last and not seen to arrive, on its way.
        let guessed = self.plies.last().filter(|ply| ply.basis.is_guess() && self.unpressed[ply.side]);
        guessed.map_or(0, |ply| detour(square, ply.mv))
    }

    /// How unlikely it is that something stands there that nobody can have put down. It is less likely where the piece that
    /// was moved last could have been put just then, and was not seen to arrive elsewhere; a piece that it pushed off may
    /// lie beside it.
    pub(super) fn unexplained(&self, landing: &Landing, now: Uptime) -> Cost {
        if self.is_captive(landing) && now.us_since(landing.at) < CAPTIVE_US {
            return weigh::CAPTIVE;
        }
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

    /// Whether what stands there may be what was captured just then: pushed off its point by who came from the other side, or dropped,
    /// it waits to be taken off the board.
    pub(super) fn is_captive(&self, landing: &Landing) -> bool {
        self.plies.iter().chain(&self.captor).filter(|ply| ply.captures()).any(|ply| {
            let latest = if ply.basis == Basis::Unseen {
                ply.left.plus_us(MOMENT_US)
            } else {
                ply.settled.plus_us(PUSHED_ON_US)
            };
            are_neighbours(ply.mv.to, landing.square)
                && goes_beyond(ply.mv, landing.square)
                && (ply.left..latest).contains(&landing.at)
        })
    }

    /// That reed is not to be believed from now on.
    pub(crate) fn disbelieve(&mut self, square: Square) {
        self.hands.forget(square);
        // What it has just shown was no piece either.
        self.hands.passed.retain(|passage| passage.square != square);
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

    /// A side pressed its button. `last` is the last move of the record.
    pub(crate) fn press(&mut self, side: Color, at: Uptime, last: Option<&Ply>) {
        self.hands.struck = Some(at);
        let before = core::mem::replace(&mut self.pressed[side], at);
        if side != self.turn() {
            if self.unpressed[side] {
                self.path += self.suspicion() + self.pressed_in_passing();
            }
            let moved = core::mem::take(&mut self.unpressed[side]);
            if !moved {
                // Where the mover pressed too early, the other clock runs, and its press tells of a move.
                let runs = self.early_press.is_some();
                self.path += if runs { weigh::PRESS_OF_NOTHING } else { weigh::PRESS_AGAIN };
                self.path +=
                    if self.is_aloft(side) && !self.has_replied(side, at) { weigh::PRESS_BESIDES } else { 0 };
                self.path += self.pressed_astray(side);
                self.pressed_again[side] = at;
                self.press_again(side, before, last);
            } else if self.last_is_aloft() {
                self.path += weigh::PRESS_AND_TAKEN;
            } else if self.is_aloft(side) {
                // The reply may have begun with the piece that it captures.
                self.path += 2 * weigh::EARLY_REPLY;
            }
            // What the mover touched before the press was in his own time, after his move; where that is not known yet, it may have
            // been before it.
            if moved {
                let own = self.position.board().by_color(side);
                self.hands.contacts.retain(|contact| !own.contains(contact.square));
            }
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
        } else if self.latest(last).is_some_and(|last| last.illegal.is_some()) {
            // He refuses an illegal move, and gives the clock back.
            self.path += weigh::PRESS_AGAIN;
        } else {
            let back = self.plies.last().is_some_and(|last| last.basis == Basis::TakenBack);
            self.path += self.pressed_astray(side);
            self.path += weigh::PRESS_OF_NOTHING + if back { weigh::PRESSED_BACK } else { 0 };
            self.path += if self.is_aloft(!side) { weigh::PRESS_BESIDES } else { 0 };
            self.idle_press.get_or_insert((at, side));
        }
    }

    /// How unlikely it is that a piece was touched between a capture that nobody saw and its press: rather it was captured.
    fn suspicion(&self) -> Cost {
        let touched = |contact: &Contact| !contact.is_brief() && self.is_suspicious(contact.square);
        if self.hands.contacts.iter().any(touched) {
            return weigh::RATHER_CAPTURED;
        }
        // What came to stand under an own piece that was taken up meanwhile may be what nobody saw arrive.
        let guessed = self.plies.last().filter(|last| last.basis.is_guess());
        let swapped =
            |contact: &Contact| !contact.is_brief() && self.color_at(contact.square) == Some(!self.turn());
        let swapped = guessed.is_some() && self.hands.contacts.iter().any(swapped);
        if swapped { weigh::RATHER_SWAPPED } else { 0 }
    }

    /// Whether the piece of that point is rather what was captured, if it is touched now: another capture was hardly seen,
    /// and not pressed.
    pub(super) fn is_suspicious(&self, square: Square) -> bool {
        self.plies.last().filter(|last| self.unpressed[last.side]).is_some_and(|last| match last.basis {
            Basis::Unseen | Basis::Silent | Basis::Stuck => self.color_at(square) == Some(self.turn()),
            Basis::Pushed => last.prey.contains(square) && last.mv.to != square,
            Basis::Stood | Basis::Replaced | Basis::TakenBack => false,
        })
    }

    /// Whether the piece of that point is believed to stand there unnoticed.
    pub(crate) fn is_silent(&self, square: Square) -> bool {
        self.hands.lift_of(square).is_some_and(|lift| lift.silent)
    }

    /// Whether the piece that was moved last is off its point again.
    pub(super) fn last_is_aloft(&self) -> bool {
        let made = self.plies.last().filter(|ply| ply.basis != Basis::TakenBack);
        let moved = made.and_then(|ply| self.hands.lift_of(ply.mv.to));
        moved.is_some_and(|lift| !lift.silent)
    }

    /// Whether what stands there may be the piece that was moved last, before its player pressed: he corrects himself.
    pub(super) fn is_corrected(&self, to: Square) -> bool {
        let unpressed = |last: &&Arc<Ply>| self.unpressed[last.side] && self.last_is_aloft();
        self.plies.last().filter(unpressed).is_some_and(|last| self.reaches(last.mv.to, to))
    }

    /// Pieces of that side that are in a hand.
    pub(super) fn aloft(&self, side: Color) -> impl Iterator<Item = &Lift> {
        self.hands.aloft().filter(move |lift| self.color_at(lift.square) == Some(side))
    }

    /// Whether a piece of that side is in a hand.
    pub(crate) fn is_aloft(&self, side: Color) -> bool {
        self.aloft(side).next().is_some()
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

    /// How unlikely it is that what else could have been captured dropped out by chance.
    fn chance(&self, reading: &Reading, rest: &Hands, prey: Bitboard, evidence: &Evidence<'_>) -> Cost {
        let left = self.hands.lift_of(reading.mv.from).map_or(reading.settled, |lift| lift.at);
        let taken = self.hands.contact_of(reading.mv.to);
        // What stood there before the piece left its point may have been touched only.
        let doubtful = !reading.basis.is_plain() || taken.is_some_and(|taken| taken.closed < left);
        if doubtful { chance_cost(rest, prey, left, evidence.habits) } else { 0 }
    }

    /// The sides whose last move was not followed by their press once that move has been made.
    fn unpressed_after(&self, reading: &Reading) -> ByColor<bool> {
        let mut unpressed = self.unpressed;
        // What was seen to be done by then was pressed, though it be understood only now.
        let pressed = reading.basis.is_seen() && self.pressed[reading.side] > reading.settled;
        unpressed[reading.side] = self.early_press.is_none() && !pressed;
        unpressed
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
        let walked = self.walked(&ours);
        let passed = hands.passed_since(left) & !evidence.habits.haunted();
        let paused = !evidence.clock() && rested_since(&hands, left);
        hands.passed.clear();
        // What was touched is a matter of its own: it makes the move no less credible.
        let touched = contacts_cost(self, &ours, Some(reading), evidence.habits);
        let reach = self.reach_of(mv.from);
        let prey = reach & self.position.board().by_color(!self.turn());
        let chance = self.chance(reading, &hands, prey, evidence);
        let extra = touched
            + chance
            + self.haste(reading, left, &hands, evidence)
            + if reading.basis.is_guess() { detour_cost(passed, mv) } else { 0 }
            + if reading.basis == Basis::Unseen && paused { weigh::PAUSED } else { 0 };
        let path = self.path.saturating_sub(self.refund()) + reading.cost + extra + silence;
        let ply = Arc::new(Ply {
            mv,
            side,
            illegal: reading.illegal,
            basis: reading.basis,
            answers: self.pressed[!side],
            turned: self.since.max(self.pressed[!side]),
            begin,
            left,
            held: self.hands.lift_of(mv.from).filter(|lift| !lift.silent).map(|lift| lift.at),
            settled: reading.settled,
            contacts: ours,
            walked,
            reach,
            prey,
            pressed_early: self.early_press.is_some(),
            cost: path.saturating_sub(self.told + touched),
        });
        History {
            path,
            told: path,
            captor: if ply.captures() { Some(Arc::clone(&ply)) } else { self.captor.clone() },
            plies: self.plies.iter().cloned().chain([ply]).collect(),
            line: self.line_after(mv, side),
            legal: legal_moves(&position),
            position,
            hands,
            taken: self.color_at(mv.to).map(|_| mv.to),
            dull,
            strayed: self.strayed & dull,
            missed,
            left,
            since: reading.settled,
            unpressed: self.unpressed_after(reading),
            pressed: self.pressed,
            pressed_again: self.pressed_again,
            early_press: None,
            idle_press: self.idle_press,
            overstep: None,
        }
    }

    /// This history with that position in the place of its own.
    pub(super) fn standing(&self, position: Position, line: u64) -> History {
        History { line, legal: legal_moves(&position), position, taken: None, captor: None, ..self.clone() }
    }

    /// Whether that side may have made its move by then, though the other's is not done.
    pub(super) fn has_replied(&self, side: Color, by: Uptime) -> bool {
        self.hands.landed.iter().any(|landing| landing.at <= by && self.reached_by(side, landing.square))
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
}

/// Whether something rested on its way since then: where nobody presses, it has rather been moved.
fn rested_since(hands: &Hands, left: Uptime) -> bool {
    hands.passages_since(left).any(|passage| passage.stood_us >= LONG_PASS_US)
}

fn legal_moves(position: &Position) -> MoveList {
    let board = position.board();
    let kings = Color::ALL.into_iter().all(|color| board.king_of(color).is_some());
    if kings { position.legal_moves() } else { MoveList::new() }
}
