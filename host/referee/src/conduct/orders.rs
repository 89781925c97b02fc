//! Carrying out the arbiter's orders.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::law::natural_limit::QuietStretch;
use xiangqi::{ByColor, Color, Move, Position};

use super::Conduct;
use super::undo::{Done, Footprint};
use crate::clock::{Clock, ClockEvent, ClockRefusal};
use crate::command::{By, Command, Order, Refusal};
use crate::event::{Due, Happening};
use crate::foul::{Foul, Offence, Withdrawal, fouls_for_missed_lines};
use crate::result::{GameResult, Reason, Score};

/// What an order is to the board: an order about moves is carried out by whoever knows them.
/// It is given every position of the game, the one that stands last, and every move; with [`Command::Undo`], those that are
/// to stand again.
pub type BoardHands<'a> = dyn FnMut(&Command, &[Position], &[Move]) -> Result<(), Refusal> + 'a;

impl Conduct {
    /// Carries out an order and tells that it has, or says why not. `hands` is asked to carry out what concerns the moves ([`Command::AcceptMove`],
    /// [`Command::TakeBack`], [`Command::Choose`], [`Command::SetPosition`]) once everything else allows it.
    ///
    /// After an order that was carried out, and once what `hands` made known has been told ([`Conduct::moved`]), call
    /// [`Conduct::order_is_done`].
    pub fn order(&mut self, now: Uptime, order: Order, hands: &mut BoardHands<'_>) -> bool {
        self.advance(now);
        let by = By::Arbiter(order.name.clone());
        let Order { name, reason, command } = &order;
        let before = Footprint::of(self);
        let told = self.events.len();
        let carried_out = match self.why_not(&order) {
            Some(why) => Err(why),
            None => match command {
                Command::Undo { undo } => self.undo(now, *undo, &by, reason, hands),
                _ => self.carry_out(now, name, reason, command, hands),
            },
        };
        match carried_out {
            Ok(()) => {
                let number = self.done.len() as u32 + 1;
                self.done.push(Done::new(before, Footprint::of(self)));
                // The order stands before what it caused.
                let event = crate::Event::new(now, Happening::Ordered { order: number, what: order });
                self.events.insert(told, event);
                true
            }
            Err(why) => {
                let request = String::from(command.name());
                self.refuse(now, by, &request, why);
                false
            }
        }
    }

    /// What followed at once from the last order belongs to it, for its undoing.
    pub fn order_is_done(&mut self) {
        let after = Footprint::of(self);
        if let Some(done) = self.done.last_mut() {
            done.settle(after);
        }
    }

    /// Whether that order ends the game if it is carried out.
    pub fn would_end(&self, order: &Order) -> bool {
        let ends = match order.command {
            Command::Declare { .. } | Command::Resign { .. } | Command::RuleClaim { .. } => true,
            Command::Draw { side } => self.offers.standing() == Some(side.other()),
            _ => false,
        };
        ends && self.why_not(order).is_none()
    }

    fn why_not(&self, order: &Order) -> Option<Refusal> {
        if order.name.trim().is_empty() {
            return Some(Refusal::NoName);
        }
        if matches!(order.command, Command::Unknown { .. }) {
            return Some(Refusal::Unknown);
        }
        if order.command.needs_reason() && order.reason.trim().is_empty() {
            return Some(Refusal::NoReason);
        }
        let after_the_end = matches!(
            order.command,
            Command::Declare { .. }
                | Command::Reopen
                | Command::Sign { .. }
                | Command::Warn { .. }
                | Command::Still
                | Command::AddFoul { .. }
                | Command::WithdrawFoul { .. }
                | Command::Undo { .. }
        );
        (self.is_over() && !after_the_end).then_some(Refusal::GameOver)
    }

    fn carry_out(
        &mut self,
        now: Uptime,
        name: &str,
        reason: &str,
        command: &Command,
        hands: &mut BoardHands<'_>,
    ) -> Result<(), Refusal> {
        let by = || By::Arbiter(name.to_string());
        match *command {
            Command::AddFoul { side, offence } => {
                self.foul(now, side, offence, by(), reason.to_string());
            }
            Command::MissedLines { side, lines } => {
                //= 7.1
                let fouls = fouls_for_missed_lines(lines, &self.edition);
                if fouls == 0 {
                    return Err(Refusal::NoFoul);
                }
                // Fouls beyond those that lose the game say no more; where none do, nobody counts a book of them.
                let most = if self.edition.fouls_to_lose > 0 { self.edition.fouls_to_lose } else { 100 };
                for _ in 0..fouls.min(most) {
                    self.foul(now, side, Offence::MissedLines, by(), reason.to_string());
                }
            }
            Command::WithdrawFoul { foul } => self.withdraw_foul(now, foul, by(), reason)?,
            Command::Warn { .. } | Command::Still => {}
            // What is said to the arbiter is said in the right moment: he sees to it.
            Command::Draw { side } => self.say_draw(now, side, true)?,
            Command::DeclineDraw { side } => self.decline_draw(now, side)?,
            Command::Resign { side } => self.resign(now, side)?,
            Command::Claim { side, claim } => self.make_claim(now, side, claim)?,
            Command::RuleClaim { ruling, within } => {
                self.rule_claim(now, name, reason, ruling, within)?;
            }
            Command::Declare { score, ending } => {
                if !ending.leads_to(score) {
                    return Err(Refusal::ScoreMismatch);
                }
                let result = GameResult::new(score, ending, self.numbering(), by());
                self.declare(now, GameResult { note: reason.to_string(), ..result });
            }
            Command::Reopen => self.reopen(now)?,
            Command::Sign { side } => self.sign(now, side.map_or_else(by, By::from))?,
            _ => self.carry_out_on_clock_or_board(now, command, hands)?,
        }
        Ok(())
    }

    fn carry_out_on_clock_or_board(
        &mut self,
        now: Uptime,
        command: &Command,
        hands: &mut BoardHands<'_>,
    ) -> Result<(), Refusal> {
        match *command {
            Command::Start => {
                self.on_clock(|clock| clock.start(now))?;
                self.attendance.begin(now);
            }
            Command::Pause => self.on_clock(|clock| clock.pause(now))?,
            Command::Resume { .. } if self.claim.is_some() => return Err(Refusal::ClaimWaits),
            Command::Resume { side } => self.on_clock(|clock| clock.resume(now, side))?,
            Command::SetClock { side, left_ms } => {
                self.on_clock(|clock| clock.set(now, side, left_ms.saturating_mul(1000)))?;
                self.forget_flag(now, side);
            }
            Command::Charge { side, charge_ms } => {
                self.on_clock(|clock| clock.charge(now, side, charge_ms.saturating_mul(1000)))?;
            }
            Command::Absent { side } => {
                if self.attendance.has_begun() {
                    return Err(ClockRefusal::AlreadyStarted.into());
                }
                self.attendance.miss(side);
                self.tell(now, Happening::Absent { side });
            }
            Command::Arrived { side } => self.arrive(now, side)?,
            Command::AcceptMove { ply } => self.accept_move(now, ply)?,
            Command::Choose { .. } => hands(command, &self.history, &self.played)?,
            Command::TakeBack { ply } => {
                if ply == 0 || ply > self.plies() {
                    return Err(Refusal::NoSuchPly);
                }
                hands(command, &self.history, &self.played)?;
                self.take_back(now, ply);
            }
            Command::SetPosition { ref fen } => {
                hands(command, &self.history, &self.played)?;
                self.set_position(now, fen);
            }
            _ => return Err(Refusal::CannotUndo),
        }
        Ok(())
    }

    fn on_clock(
        &mut self,
        act: impl FnOnce(&mut Clock) -> Result<Vec<ClockEvent>, ClockRefusal>,
    ) -> Result<(), Refusal> {
        let events = act(self.clock.as_mut().ok_or(Refusal::NoClock)?)?;
        self.tell_clock(events);
        Ok(())
    }

    /// A flag that the arbiter has raised is no reason to end the game any more.
    pub(super) fn forget_flag(&mut self, now: Uptime, side: Color) {
        if self.clock.as_ref().is_some_and(|clock| clock.face(side).flagged().is_none()) {
            self.lift_dues(now, |due| due.ending == Reason::Flag && due.score == Score::lost_by(side));
        }
    }

    fn arrive(&mut self, now: Uptime, side: Color) -> Result<(), Refusal> {
        //= 21.2
        //= 21.3
        let used_us = self.clock.as_ref().map_or(0, |clock| clock.face(side).account().used_us);
        let arrival = self.attendance.arrive(now, side, used_us).ok_or(Refusal::NotAbsent)?;
        self.tell(now, Happening::Arrived { side, late_us: arrival.late_us });
        if arrival.owed_us > 0 {
            self.on_clock(|clock| clock.charge(now, side, arrival.owed_us))?;
        }
        Ok(())
    }

    pub(super) fn withdraw_foul(
        &mut self,
        now: Uptime,
        foul: u32,
        by: By,
        reason: &str,
    ) -> Result<(), Refusal> {
        let withdrawal = Withdrawal { by: by.clone(), reason: reason.to_string(), at_us: now.as_us() };
        let Foul { side, offence, ply, .. } =
            *self.fouls.withdraw(foul, withdrawal).ok_or(Refusal::NoSuchFoul)?;
        self.tell(now, Happening::FoulWithdrawn { foul, by, reason: reason.to_string() });
        let loses = self.fouls.loses(side, &self.edition);
        // Where one illegal move loses at once, the board enters no foul for it; the arbiter may have.
        let counts_illegal_moves = self.edition.illegal_moves_to_lose > 1;
        let entered = offence == Offence::IllegalMove && !self.irregular.contains(&ply);
        let by_fouls = |due: &Due| match due.ending {
            Reason::Fouls | Reason::PressesWithoutMove => true,
            Reason::IllegalMove => counts_illegal_moves || (entered && due.ply == ply),
            _ => false,
        };
        self.lift_dues(now, |due| {
            due.score == Score::lost_by(side) && by_fouls(due) && !loses.contains(&due.ending)
        });
        Ok(())
    }

    /// An irregular move stands, so nobody loses for it any more.
    fn accept_move(&mut self, now: Uptime, ply: u32) -> Result<(), Refusal> {
        if !self.irregular.contains(&ply) {
            return Err(Refusal::NoSuchPly);
        }
        self.irregular.retain(|irregular| *irregular != ply);
        self.lift_dues(now, |due| due.ply == ply && is_for_a_move(due.ending));
        Ok(())
    }

    fn take_back(&mut self, now: Uptime, ply: u32) {
        self.take_away(now, ply as usize - 1);
        self.times = ByColor::default();
        let turn = self.position().turn();
        if let Some(clock) = &mut self.clock
            && let Ok(events) = clock.pause_for(now, turn)
        {
            self.tell_clock(events);
        }
        self.irregular.retain(|irregular| *irregular < ply);
        self.lift_dues(now, |due| {
            (is_for_a_move(due.ending) && due.ply >= ply) || (is_for_what_stands(due.ending) && due.ply > ply)
        });
        self.lift_duty(now);
        self.recount();
    }

    /// `side` has taken back its last ply by hand. What is due for it stays due: that is for the arbiter. A press with which the
    /// opponent gave the clock back ended no ply.
    pub(crate) fn taken_back(&mut self, now: Uptime, ply: u32, side: Color) {
        //= 5.8
        self.take_away(now, ply as usize - 1);
        if self.times[!side].pop_front().is_some()
            && let Some(clock) = &mut self.clock
        {
            let events = clock.retract(now, !side);
            self.tell_clock(events);
        }
        self.stands = None;
        self.lift_dues(now, |due| is_for_what_stands(due.ending) && due.ply > ply);
        self.lift_duty(now);
        self.recount();
    }

    /// Takes away every ply but the first `kept`, with what each had earned.
    pub(super) fn take_away(&mut self, now: Uptime, kept: usize) {
        while self.movers.len() > kept {
            self.history.pop();
            self.played.pop();
            if let (Some(side), Some(clock)) = (self.movers.pop(), self.clock.as_mut()) {
                let events = clock.retract(now, side);
                self.tell_clock(events);
            }
        }
    }

    /// Counts the natural limit again from the positions.
    pub(super) fn recount(&mut self) {
        self.stretch = QuietStretch::default();
        for (ply, &side) in self.movers.iter().enumerate() {
            let (before, after) = (&self.history[ply], &self.history[ply + 1]);
            let (captures, checks) = super::captures_and_checks(before, after, side);
            self.stretch.add(side, captures, checks);
        }
        self.limit_said &= Color::ALL.iter().any(|side| self.stretch.count(*side, &self.edition).holds());
    }

    fn set_position(&mut self, now: Uptime, position: &Position) {
        self.lift_duty(now);
        self.times = ByColor::default();
        if let Some(stands) = self.history.last_mut() {
            *stands = *position;
        }
        self.recount();
        self.lift_dues(now, |due| is_for_what_stands(due.ending) && due.ending != Reason::NotVaried);
        let turn = position.turn();
        if let Some(clock) = &mut self.clock
            && let Ok(events) = clock.pause_for(now, turn)
        {
            self.tell_clock(events);
        }
    }

    pub(super) fn reopen(&mut self, now: Uptime) -> Result<(), Refusal> {
        let result = self.results.reopen().ok_or(Refusal::NotOver)?.result;
        self.tell(now, Happening::Reopened { result });
        if self.clock.is_some() {
            self.on_clock(|clock| clock.reopen(now))?;
        }
        // What the result had settled is open again; flags and fouls are looked at anew.
        let counted = |ending| match ending {
            Reason::Flag | Reason::Fouls | Reason::PressesWithoutMove => true,
            Reason::IllegalMove => self.edition.illegal_moves_to_lose > 1,
            _ => false,
        };
        let settled = core::mem::take(&mut self.settled_dues).into_iter();
        for due in settled.filter(|due| !counted(due.ending)).collect::<Vec<_>>() {
            self.make_due(now, due);
        }
        for (_, side) in self.clock.as_ref().map(Clock::flags).unwrap_or_default() {
            self.due(now, Score::lost_by(side), Reason::Flag, String::new());
        }
        for side in Color::ALL {
            for reason in self.fouls.loses(side, &self.edition) {
                self.due(now, Score::lost_by(side), reason, String::new());
            }
        }
        Ok(())
    }

    /// `by` signs the result in force.
    pub fn sign(&mut self, now: Uptime, by: By) -> Result<(), Refusal> {
        //= 10.1
        if !self.is_over() {
            return Err(Refusal::NotOver);
        }
        let result = self.results.sign(&by).ok_or(Refusal::Signed)?;
        let complete = self.results.is_signed_off();
        self.tell(now, Happening::Signed { result, by, complete });
        Ok(())
    }
}

/// Whether a game ends for this reason because of what was played.
pub(super) const fn is_for_a_move(ending: Reason) -> bool {
    matches!(ending, Reason::IllegalMove | Reason::Suicide | Reason::KingsFacing)
}

/// Whether a game ends for this reason because of what the last move led to. It is due in the ply that follows.
const fn is_for_what_stands(ending: Reason) -> bool {
    matches!(ending, Reason::Checkmate | Reason::Stalemate | Reason::NoWinPossible | Reason::NotVaried)
}
