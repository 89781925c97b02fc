//! Undoing an order: by doing the opposite, as a new order.
//!
//! What an order did is what differs before and after it, at one moment: fouls, time given or taken, whether the clock
//! runs, claim, duty, dues, result, signatures, who is here, and the moves. Doing the opposite leaves everything that
//! happened since; an order about moves or the start can be undone only as long as nothing has been played since.

use alloc::boxed::Box;
use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{ByColor, Color, Move, Position};

use super::Conduct;
use super::orders::BoardHands;
use crate::claim::{Claim, DutyState, VariationDuty};
use crate::clock::{Attendance, Clock, ClockState};
use crate::command::{By, Command, Refusal};
use crate::event::{Due, Happening};
use crate::result::{GameResult, Reason, Score};

/// What an order can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    withdrawn: Vec<bool>,
    loses: ByColor<Vec<Reason>>,
    clock: Option<Box<Clock>>,
    claim: Option<Claim>,
    duty: Option<VariationDuty>,
    dues: Vec<Due>,
    result: Option<GameResult>,
    signatures: Vec<By>,
    attendance: Attendance,
    irregular: Vec<u32>,
    plies: usize,
    play: Play,
}

/// What was played, and what stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Play {
    history: Vec<Position>,
    movers: Vec<Color>,
    played: Vec<Move>,
}

impl Play {
    fn of(conduct: &Conduct) -> Play {
        Play {
            history: conduct.history.clone(),
            movers: conduct.movers.clone(),
            played: conduct.played.clone(),
        }
    }

    /// How many plies two plays begin with.
    fn in_common(&self, other: &Play) -> usize {
        let same = |ply: &usize| {
            self.played.get(*ply) == other.played.get(*ply)
                && self.history.get(*ply) == other.history.get(*ply)
        };
        (0..self.played.len().min(other.played.len())).take_while(same).count()
    }
}

impl Footprint {
    pub(super) fn of(conduct: &Conduct) -> Footprint {
        Footprint {
            withdrawn: conduct.fouls.entries().iter().map(|(_, withdrawn)| withdrawn.is_some()).collect(),
            loses: ByColor::new_with(|side| conduct.fouls.loses(side, &conduct.edition)),
            clock: conduct.clock.clone().map(Box::new),
            claim: conduct.claim.clone(),
            duty: conduct.duty.clone(),
            dues: conduct.dues.clone(),
            result: conduct.results.current().cloned(),
            signatures: conduct.results.signatures(),
            attendance: conduct.attendance,
            irregular: conduct.irregular.clone(),
            plies: conduct.played.len(),
            play: Play::of(conduct),
        }
    }

    fn state(&self) -> Option<ClockState> {
        self.clock.as_ref().map(|clock| clock.state())
    }

    fn turn(&self) -> Option<Color> {
        self.clock.as_ref().map(|clock| clock.turn())
    }

    fn left_us(&self, side: Color) -> u64 {
        self.clock.as_ref().map_or(0, |clock| clock.face(side).left_us())
    }
}

/// An order that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Done {
    before: Footprint,
    after: Footprint,
    undone: bool,
}

impl Done {
    pub(super) fn new(before: Footprint, after: Footprint) -> Done {
        Done { before, after, undone: false }
    }

    /// What followed at once from the order belongs to it. What was played is kept only where the order changed it: most
    /// orders do not, and a game is long.
    pub(super) fn settle(&mut self, after: Footprint) {
        self.after = after;
        if !self.changes_play() {
            (self.before.play, self.after.play) = Default::default();
        }
    }

    /// Whether the order let the clock begin.
    fn starts(&self) -> bool {
        self.before.state() == Some(ClockState::NotStarted) && self.after.state() == Some(ClockState::Running)
    }

    fn changes_play(&self) -> bool {
        self.before.play != self.after.play
    }
}

impl Conduct {
    /// Does the opposite of the order of that number.
    pub(super) fn undo(
        &mut self,
        now: Uptime,
        number: u32,
        by: &By,
        reason: &str,
        hands: &mut BoardHands<'_>,
    ) -> Result<(), Refusal> {
        let index = (number as usize).checked_sub(1).ok_or(Refusal::CannotUndo)?;
        let done = self.done.get(index).filter(|done| !done.undone).cloned().ok_or(Refusal::CannotUndo)?;
        self.can_undo(&done)?;
        let Done { before, after, .. } = &done;
        let left_us = ByColor::new_with(|side| {
            let back_us = i128::from(before.left_us(side)) - i128::from(after.left_us(side));
            let now_us = self.clock.as_ref().map_or(0, |clock| clock.face(side).left_us());
            (i128::from(now_us) + back_us).clamp(0, i128::from(u64::MAX)) as u64
        });
        if done.changes_play() {
            hands(&Command::Undo { undo: number }, &before.play.history, &before.play.played)?;
            self.put_back(now, &before.play);
        }
        self.undo_fouls(now, before, after, by, reason)?;
        self.irregular.extend(before.irregular.iter().filter(|ply| !after.irregular.contains(ply)));
        self.undo_claim(now, before, after);
        self.attendance.undo(&before.attendance, &after.attendance);
        for side in
            Color::ALL.into_iter().filter(|side| after.attendance.has_missed(&before.attendance, *side))
        {
            let lost = Score::lost_by(side);
            self.lift_dues(now, |due| match due.ending {
                Reason::Late => due.score == lost,
                ending => ending == Reason::BothLate,
            });
        }
        self.undo_result(now, before, after, by)?;
        self.undo_clock(now, &done, &left_us);
        self.undo_dues(now, &before.dues, &after.dues);
        self.done[index].undone = true;
        Ok(())
    }

    /// Whether the opposite of an order can still be done.
    fn can_undo(&self, done: &Done) -> Result<(), Refusal> {
        let Done { before, after, .. } = done;
        // Another result has taken its place: that one is corrected, not this.
        let result_is_another =
            before.result != after.result && self.results.current() != after.result.as_ref();
        let played_since = done.changes_play() && Play::of(self) != after.play;
        let turned = self.clock.as_ref().is_some_and(|clock| Some(clock.turn()) != after.turn());
        let started_play = done.starts() && (turned || self.played.len() != after.plies);
        if result_is_another || played_since || started_play { Err(Refusal::CannotUndo) } else { Ok(()) }
    }

    /// What was played is again as it was before an order, with what each ply had earned.
    fn put_back(&mut self, now: Uptime, before: &Play) {
        let common = before.in_common(&Play::of(self));
        self.take_away(now, common);
        let mut clocks = Vec::new();
        for &side in &before.movers[common..] {
            clocks.extend(self.complete(now, side));
        }
        let Play { history, movers, played } = before.clone();
        (self.history, self.movers, self.played) = (history, movers, played);
        self.times = ByColor::default();
        self.stands = None;
        self.recount();
        let moves = self.played[common..].to_vec();
        let fen = Box::new(*self.position());
        self.tell(now, Happening::PutBack { ply: common as u32 + 1, moves, clocks, fen });
    }

    fn undo_claim(&mut self, now: Uptime, before: &Footprint, after: &Footprint) {
        if before.claim != after.claim && self.claim == after.claim {
            self.claim.clone_from(&before.claim);
            match (&before.claim, &after.claim) {
                (Some(waits), _) => self.tell(now, Happening::Claim(waits.clone())),
                (None, Some(Claim { side, claim, .. })) => {
                    self.tell(now, Happening::ClaimLifted { side: *side, claim: *claim });
                }
                (None, None) => {}
            }
        }
        if before.duty != after.duty && self.duty == after.duty {
            self.lift_duty(now);
            self.duty.clone_from(&before.duty);
            if let Some((side, within)) = self.duty.as_ref().map(|duty| (duty.side(), duty.within())) {
                self.tell(now, Happening::Duty { side, duty: DutyState::Imposed, within });
            }
        }
    }

    fn undo_result(
        &mut self,
        now: Uptime,
        before: &Footprint,
        after: &Footprint,
        by: &By,
    ) -> Result<(), Refusal> {
        match (&before.result, &after.result) {
            (None, Some(_)) => {
                self.reopen(now)?;
                // What a side had lost by then without being due, an arbiter had dealt with.
                self.lift_dues(now, |due| {
                    let loses =
                        |side| due.score == Score::lost_by(side) && before.loses[side].contains(&due.ending);
                    Color::ALL.into_iter().any(loses) && !among(&before.dues, due)
                });
            }
            (Some(earlier), later) if later.as_ref() != Some(earlier) => {
                self.declare(now, GameResult { by: by.clone(), ..earlier.clone() });
            }
            (Some(_), Some(_)) => {
                for signed in after.signatures.iter().filter(|signed| !before.signatures.contains(signed)) {
                    if let Some(result) = self.results.withdraw_signature(signed) {
                        self.tell(now, Happening::SignatureWithdrawn { result, by: signed.clone() });
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn undo_fouls(
        &mut self,
        now: Uptime,
        before: &Footprint,
        after: &Footprint,
        by: &By,
        reason: &str,
    ) -> Result<(), Refusal> {
        for (index, &withdrawn) in after.withdrawn.iter().enumerate() {
            match before.withdrawn.get(index) {
                None if !self.fouls.entries().get(index).is_some_and(|(_, gone)| gone.is_some()) => {
                    self.withdraw_foul(now, index as u32 + 1, by.clone(), reason)?;
                }
                Some(false) if withdrawn => {
                    // An entry is never changed: the foul is entered again, and says which it was.
                    let (foul, _) = self.fouls.entries()[index].clone();
                    let side = foul.side;
                    let mut lost = self.fouls.loses(side, &self.edition);
                    lost.extend(&before.loses[side]);
                    let foul = self.fouls.enter(foul).clone();
                    self.tell(now, Happening::Foul(foul));
                    // What the side loses by without it, or lost by then, has been due: an arbiter may have dealt with it.
                    let loses = self.fouls.loses(side, &self.edition);
                    for ending in loses.into_iter().filter(|ending| !lost.contains(ending)) {
                        self.due(now, Score::lost_by(side), ending, reason.into());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What was due before an order is due again, and what it made due is not.
    fn undo_dues(&mut self, now: Uptime, before: &[Due], after: &[Due]) {
        self.lift_dues(now, |due| among(after, due) && !among(before, due));
        for due in before.iter().filter(|due| !among(after, due)) {
            self.make_due(now, due.clone());
        }
    }

    fn undo_clock(&mut self, now: Uptime, done: &Done, left_us: &ByColor<u64>) {
        let Done { before, after, .. } = done;
        let stands = self.position().turn();
        let Some(clock) = &mut self.clock else { return };
        let mut events = clock.advance(now);
        if let Some(unstarted) = before.clock.as_ref().filter(|_| done.starts()) {
            events.extend(clock.withdraw_start(now, (**unstarted).clone()));
            return self.tell_clock(events);
        }
        // Nothing, if the arbiter has let the clock go on or stopped it since.
        let again = before.state().filter(|_| after.state() == Some(clock.state()));
        let side = before.turn().filter(|_| after.turn() == Some(clock.turn())).unwrap_or(clock.turn());
        // It stops before anything is put back: who runs with nothing left begins a period at once.
        let stopped = match again {
            Some(ClockState::Paused) => clock.pause_for(now, side),
            // Whose time runs now that other moves stand, he must say.
            None if before.play != after.play && clock.turn() != stands => clock.pause_for(now, stands),
            _ => Ok(Vec::new()),
        };
        events.extend(stopped.unwrap_or_default());
        for side in Color::ALL {
            match (&before.clock, &after.clock) {
                (Some(before), Some(after))
                    if (before.face(side) != after.face(side) && before.must_be_put_back(after, side))
                        // The shared time was used up by it, so that this side's own began.
                        || (before.pool_us() > after.pool_us()
                            && clock.face(side).periods() != before.face(side).periods()) =>
                {
                    events.extend(clock.put_back(side, before, after));
                }
                _ if clock.face(side).left_us() != left_us[side] => {
                    events.extend(clock.set_again(now, side, left_us[side]).unwrap_or_default());
                }
                _ => {}
            }
        }
        if again == Some(ClockState::Running) && clock.state() == ClockState::Paused {
            events.extend(clock.resume(now, Some(side)).unwrap_or_default());
        }
        self.tell_clock(events);
    }
}

fn among(dues: &[Due], due: &Due) -> bool {
    dues.iter().any(|known| known.is_as(due))
}
