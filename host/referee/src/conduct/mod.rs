//! The conduct of one game under tournament rules: clock, fouls, offers, claims, results, orders.
//!
//! It is told what was played and pressed and ordered, and says what follows. It never looks at reeds, and it never changes
//! what was played: an order about moves is handed back to the caller ([`Conduct::order`]).
//!
//! # What ends a game, and who says so
//! The board declares what nobody can dispute: a committed 将死 or 困毙, a resignation, an agreed draw. Everything else
//! that the rules attach to an event (a fallen flag, a third foul, an illegal move) it reports as [`Due`]; an arbiter
//! declares it, or does not, and until then the record goes on. So a flag that falls in the moment of mate, or a clock
//! that was set wrongly, costs nobody a game by itself (22.4, 22.5).

mod claims;
mod orders;
mod undo;

use alloc::collections::VecDeque;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::law::edition::{Edition, Numbering};
use xiangqi::law::natural_limit::QuietStretch;
use xiangqi::{ByColor, Color, Move, Position};

use crate::claim::{Claim, DrawOffers, VariationDuty};
use crate::clock::{Attendance, Clock, ClockEvent, ClockKind, ClockState, PlyTime};
use crate::command::{By, Refusal};
use crate::event::{Due, Event, Happening, Incident, IncidentKind};
use crate::foul::{Foul, FoulLedger, Offence};
use crate::result::{GameResult, Reason, Results, Score, UsedTime};

pub use orders::BoardHands;
use orders::is_for_a_move;
use undo::Done;

/// A press that may yet turn out to have ended nothing.
#[derive(Clone, Debug)]
struct Pressed {
    side: Color,
    before: Clock,
    after: Clock,
}

/// The conduct of one game.
#[derive(Clone, Debug)]
pub struct Conduct {
    edition: Edition,
    clock: Option<Clock>,
    pressed: Option<Pressed>,
    /// Whether a side's last press was on a clock that the arbiter had stopped.
    pressed_paused: ByColor<bool>,
    times: ByColor<VecDeque<PlyTime>>,
    stands: Option<Color>,
    attendance: Attendance,
    fouls: FoulLedger,
    offers: DrawOffers,
    stretch: QuietStretch,
    false_claims: ByColor<u32>,
    limit_said: bool,
    cycle_said: bool,
    claim: Option<Claim>,
    duty: Option<VariationDuty>,
    dues: Vec<Due>,
    /// What was due when the result in force was declared.
    settled_dues: Vec<Due>,
    results: Results,
    history: Vec<Position>,
    movers: Vec<Color>,
    played: Vec<Move>,
    /// Plies that were played against the rules.
    irregular: Vec<u32>,
    settled: Uptime,
    done: Vec<Done>,
    events: VecDeque<Event>,
}

impl Conduct {
    /// A game that begins with `start`, played with `clock` or without, under `edition`.
    pub fn new(edition: Edition, clock: Option<Clock>, start: Position) -> Conduct {
        Conduct {
            attendance: Attendance::new(edition.late_limit_seconds),
            edition,
            clock,
            pressed: None,
            pressed_paused: ByColor::default(),
            times: ByColor::default(),
            stands: None,
            fouls: FoulLedger::default(),
            offers: DrawOffers::default(),
            stretch: QuietStretch::default(),
            false_claims: ByColor::default(),
            limit_said: false,
            cycle_said: false,
            claim: None,
            duty: None,
            dues: Vec::new(),
            settled_dues: Vec::new(),
            results: Results::new(),
            history: alloc::vec![start],
            movers: Vec::new(),
            played: Vec::new(),
            irregular: Vec::new(),
            settled: Uptime::ZERO,
            done: Vec::new(),
            events: VecDeque::new(),
        }
    }

    /// How the game is conducted.
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    fn numbering(&self) -> Numbering {
        self.edition.name.numbering()
    }

    /// The clock, if there is one.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// The fouls.
    pub fn fouls(&self) -> &FoulLedger {
        &self.fouls
    }

    /// The draw offers.
    pub fn offers(&self) -> &DrawOffers {
        &self.offers
    }

    /// The claim that waits for the arbiter.
    pub fn claim(&self) -> Option<&Claim> {
        self.claim.as_ref()
    }

    /// Who must vary (24.3), and within how many moves where the arbiter has said so.
    pub fn duty(&self) -> Option<(Color, Option<u32>)> {
        self.duty.as_ref().map(|duty| (duty.side(), duty.within()))
    }

    /// What the rules would end the game for and nobody has decided yet, first to last.
    pub fn dues(&self) -> &[Due] {
        &self.dues
    }

    /// The results and their signatures.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Whether there is a result in force.
    pub fn is_over(&self) -> bool {
        self.results.current().is_some()
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// When something is due if nobody does anything.
    pub fn deadline(&self) -> Option<Uptime> {
        let clock = self.clock.as_ref().and_then(Clock::deadline);
        let late = if self.is_over() { None } else { self.attendance.deadline() };
        [clock, late].into_iter().flatten().min()
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: Uptime) {
        if let Some(clock) = &mut self.clock {
            let events = clock.advance(now);
            self.tell_clock(events);
        }
        if self.is_over() {
            return;
        }
        if let Some((at, missing)) = self.attendance.overdue(now) {
            //= 4.1.5
            //= 21.3
            match (missing.red, missing.black) {
                (true, true) => self.due(at, Score::BothLose, Reason::BothLate, String::new()),
                (true, false) => self.due(at, Score::BlackWins, Reason::Late, String::new()),
                _ => self.due(at, Score::RedWins, Reason::Late, String::new()),
            }
        }
    }

    /// `side`'s move `mv`, which has stood since `settled`, is committed and led to `position`. Gives the times of the ply: those
    /// of its press, or of this moment where nobody pressed.
    pub fn moved(
        &mut self,
        now: Uptime,
        settled: Uptime,
        side: Color,
        mv: Move,
        position: Position,
    ) -> Option<PlyTime> {
        let (captures, checks) = captures_and_checks(self.position(), &position, side);
        let pressed = self.times[side].pop_front();
        // Committed before its press: the press that comes ends this ply and no other.
        self.stands = pressed.is_none().then_some(side);
        let time = pressed.or_else(|| self.complete(now, side));
        self.history.push(position);
        self.movers.push(side);
        self.played.push(mv);
        self.settled = settled;
        self.stretch.add(side, captures, checks);
        if captures {
            self.limit_said = false;
            self.false_claims = ByColor::default();
        }
        if !self.is_over() {
            //= 23.1
            if self.offers.decline(side) {
                self.tell(now, Happening::Offer { side, offer: crate::claim::OfferOutcome::Declined });
            }
            self.keep_duty(now, side);
            self.watch_limits(now);
        }
        time
    }

    fn complete(&mut self, now: Uptime, side: Color) -> Option<PlyTime> {
        let (time, events) = self.clock.as_mut()?.complete(now, side);
        self.tell_clock(events);
        Some(time)
    }

    /// A player pressed the clock. The clock switches at once: whether there was a move may be known only later, see
    /// [`Conduct::pressed_nothing`].
    pub fn press(&mut self, now: Uptime, side: Color) {
        let Some(clock) = &self.clock else { return };
        let before = clock.seen_at(now);
        let starts = before.state() == ClockState::NotStarted;
        self.pressed_paused[side] = before.state() == ClockState::Paused;
        let ends_known_ply = self.stands.take_if(|stands| *stands == side).is_some();
        if before.turn() == side && (starts || before.running().is_some()) && !ends_known_ply {
            let time = self.complete(now, side);
            self.times[side].extend(time);
        }
        if starts {
            self.attendance.begin(now);
        }
        let Some(clock) = &mut self.clock else { return };
        let events = clock.press(now, side);
        let after = clock.clone();
        self.pressed = (after.turn() != before.turn()).then_some(Pressed { side, before, after });
        self.tell_clock(events);
    }

    /// It has turned out that `side` pressed the clock without a move.
    ///
    /// The clock may be pressed only after a move (6), so this was no press: if nothing has happened to the clock since, the
    /// side's own time has been running all along. The edition may count it as a foul.
    fn pressed_nothing(&mut self, now: Uptime, side: Color) {
        //= 6
        //= 8.1(7)
        if let (Some(pressed), Some(clock)) = (self.pressed.take(), &mut self.clock)
            && pressed.side == side
            && pressed.after.seen_at(now) == clock.seen_at(now)
        {
            *clock = pressed.before;
            if clock.state() == ClockState::NotStarted {
                self.attendance.unbegin();
            }
            let mut events = clock.advance(now);
            events.push(ClockEvent { at: now, side, kind: ClockKind::PressRevoked });
            self.times[side].pop_back();
            self.tell_clock(events);
            self.forget_flag(now, side.other());
        }
        if self.edition.presses_without_move_to_lose > 0 {
            self.foul(now, side, Offence::PressWithoutMove, By::Board, String::new());
        }
    }

    /// Something that the hands did, or that stands on the board. What the edition attaches to it is entered, due or
    /// declared.
    pub fn incident(&mut self, now: Uptime, incident: &Incident) {
        let Some(side) = incident.side.filter(|_| !self.is_over()) else { return };
        if matches!(
            incident.kind,
            IncidentKind::IllegalMove | IncidentKind::Suicide | IncidentKind::OutOfTurn
        ) {
            self.irregular.push(incident.ply);
        }
        match incident.kind {
            IncidentKind::PressWithoutMove => self.pressed_nothing(now, side),
            //= 9.1.5
            IncidentKind::TouchUnmovable => {
                self.foul(now, side, Offence::TouchUnmovable, By::Board, String::new())
            }
            //= 9.1.6
            IncidentKind::TouchUncapturable => {
                self.foul(now, side, Offence::TouchUncapturable, By::Board, String::new());
            }
            //= 4.1.6
            //= 8.1(8)
            IncidentKind::IllegalMove if self.edition.illegal_moves_to_lose > 1 => {
                self.foul(now, side, Offence::IllegalMove, By::Board, incident.note.clone());
            }
            IncidentKind::IllegalMove => {
                let facing = incident.article == Reason::KingsFacing.article(Numbering::Of1999);
                let reason = if facing { Reason::KingsFacing } else { Reason::IllegalMove };
                self.due_for(now, incident.ply, Score::lost_by(side), reason, incident.note.clone());
            }
            //= 4.1(3)
            IncidentKind::Suicide => {
                let score = Score::lost_by(side);
                self.due_for(now, incident.ply, score, Reason::Suicide, incident.note.clone());
            }
            IncidentKind::Checkmate => self.ended(now, side, Reason::Checkmate),
            IncidentKind::Stalemate => self.ended(now, side, Reason::Stalemate),
            _ => {}
        }
    }

    /// Whether `side` pressed a clock that the arbiter had stopped. The clock has refused that press; it is none without a move.
    pub(crate) fn pressed_paused(&self, side: Color) -> bool {
        self.pressed_paused[side]
    }

    /// The article that a press without a move is against.
    pub(crate) fn press_article(&self) -> &'static str {
        Offence::PressWithoutMove.article(self.numbering())
    }

    /// `loser` is mated or has no move.
    fn ended(&mut self, now: Uptime, loser: Color, reason: Reason) {
        //= 4.1.1
        //= 4.1.3
        //= 22.5
        let score = Score::lost_by(loser);
        if self.flag_of(loser.other()).is_some_and(|fell| fell <= self.settled) {
            // The winner's time was over before his move stood; a flag that fell after it changes nothing.
            self.due(now, score, reason, String::from("the winner's flag fell before the move stood"));
        } else if self
            .dues
            .iter()
            .any(|due| is_for_a_move(due.ending) && due.score == Score::lost_by(loser.other()))
        {
            //= 4.1(3)
            //= 4.1(8)
            self.due(now, score, reason, String::from("the winner had made a move against the rules"));
        } else {
            self.declare(now, GameResult::new(score, reason, self.numbering(), By::Board));
        }
    }

    /// When `side`'s flag fell, if it is down.
    fn flag_of(&self, side: Color) -> Option<Uptime> {
        self.clock.as_ref().and_then(|clock| clock.face(side).flagged())
    }

    /// The players say how the game ends. A flag that had fallen before, against whoever gains by it, leaves that to the
    /// arbiter.
    fn agreed(&mut self, now: Uptime, score: Score, reason: Reason, by: By) {
        //= 22.5
        let gains = |side: &Color| score != Score::lost_by(*side);
        let flag = Color::ALL.into_iter().filter(gains).find(|side| self.flag_of(*side).is_some());
        match flag {
            Some(side) => self.due(now, score, reason, alloc::format!("{side}'s flag fell before")),
            None => self.declare(now, GameResult::new(score, reason, self.numbering(), by)),
        }
    }

    /// The position after the committed moves.
    pub fn position(&self) -> &Position {
        &self.history[self.history.len() - 1]
    }

    /// Plies that are committed.
    pub fn plies(&self) -> u32 {
        self.history.len() as u32 - 1
    }

    /// The board's process is back; see [`Clock::restore`].
    pub fn restore(&mut self, now: Uptime, gap_us: Option<u64>) {
        if let Some(clock) = &mut self.clock {
            let events = clock.restore(now, gap_us);
            self.tell_clock(events);
        }
    }

    /// Puts a result in force and stops the clock.
    fn declare(&mut self, now: Uptime, mut result: GameResult) {
        result.plies = self.plies();
        //= 10.1
        result.used = self.clock.as_ref().map(|clock| {
            let clock = clock.seen_at(now);
            let used_us = |side| clock.face(side).account().used_us;
            UsedTime { red_us: used_us(Color::Red), black_us: used_us(Color::Black) }
        });
        let result = self.results.declare(result).clone();
        self.tell(now, Happening::Result(result));
        self.settled_dues.append(&mut self.dues);
        self.claim = None;
        self.offers.lapse();
        if let Some(clock) = &mut self.clock {
            let events = clock.stop(now);
            self.tell_clock(events);
        }
    }

    /// Enters a foul and says what follows from it.
    fn foul(&mut self, now: Uptime, side: Color, offence: Offence, by: By, note: String) {
        //= 9.2
        let foul = Foul {
            foul: 0,
            side,
            offence,
            article: offence.article(self.numbering()).to_string(),
            ply: self.plies() + 1,
            at_us: now.as_us(),
            by,
            note,
        };
        let foul = self.fouls.enter(foul).clone();
        self.tell(now, Happening::Foul(foul));
        for reason in self.fouls.loses(side, &self.edition) {
            self.due(now, Score::lost_by(side), reason, String::new());
        }
    }

    /// The rules would end the game now. Said once for each reason and score until it is decided.
    fn due(&mut self, now: Uptime, score: Score, ending: Reason, note: String) {
        self.due_for(now, self.plies() + 1, score, ending, note);
    }

    /// As [`Conduct::due`], for what was done in that ply.
    fn due_for(&mut self, now: Uptime, ply: u32, score: Score, ending: Reason, note: String) {
        let article = ending.article(self.numbering()).to_string();
        self.make_due(now, Due { score, ending, article, ply, note });
    }

    /// A game that has ended ends by nothing else.
    fn make_due(&mut self, now: Uptime, due: Due) {
        if !self.is_over() && !self.dues.iter().any(|known| known.is_as(&due)) {
            self.dues.push(due.clone());
            self.tell(now, Happening::Due(due));
        }
    }

    /// What is due no longer is told.
    fn lift_dues(&mut self, now: Uptime, lifted: impl Fn(&Due) -> bool) {
        let (gone, kept) = core::mem::take(&mut self.dues).into_iter().partition(|due| lifted(due));
        self.dues = kept;
        let gone: Vec<Due> = gone;
        for Due { score, ending, .. } in gone {
            self.tell(now, Happening::DueLifted { score, ending });
        }
    }

    fn tell_clock(&mut self, events: Vec<ClockEvent>) {
        let Some(shows) = self.clock.as_ref().map(Clock::shows) else { return };
        for ClockEvent { at, side, kind } in events {
            self.events.push_back(Event::new(at, Happening::Clock { side, what: kind, shows }));
            if kind == ClockKind::FlagFell {
                //= 4.1.4
                //= 4.1(6)
                let article = Reason::Flag.article(self.numbering());
                self.report(at, IncidentKind::Flag, Some(side), article, String::new());
                let first = self.clock.as_ref().and_then(|clock| clock.flags().first().copied());
                let note = match first {
                    //= 6.5
                    Some((_, other)) if other != side => alloc::format!("{other}'s flag fell first"),
                    _ => String::new(),
                };
                self.due(at, Score::lost_by(side), Reason::Flag, note);
            }
        }
    }

    fn report(&mut self, at: Uptime, kind: IncidentKind, side: Option<Color>, article: &str, note: String) {
        let ply = self.plies() + 1;
        let incident = Incident { kind, ply, side, article: article.to_string(), squares: Vec::new(), note };
        self.tell(at, Happening::Incident(incident));
    }

    fn refuse(&mut self, now: Uptime, by: By, request: &str, why: Refusal) {
        self.tell(now, Happening::Refused { by, request: request.to_string(), why });
    }

    fn tell(&mut self, at: Uptime, what: Happening) {
        self.events.push_back(Event::new(at, what));
    }
}

/// Whether the ply from `before` to `after` took something, and whether it checks the other side.
fn captures_and_checks(before: &Position, after: &Position, mover: Color) -> (bool, bool) {
    let captures = after.board().occupied() != before.board().occupied()
        && after.board().pieces().count() < before.board().pieces().count();
    let kings = Color::ALL.iter().all(|side| after.board().king_of(*side).is_some());
    (captures, kings && after.turn() != mover && after.in_check())
}
