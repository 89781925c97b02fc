//! Undoing an order: by doing the opposite, as a new order.
//!
//! What an order did is what differs before and after it, at one moment: fouls, time given or taken, whether the clock
//! runs, claim, duty, result. Doing the opposite leaves everything that happened since.

use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::{ByColor, Color};

use super::Conduct;
use crate::claim::{Claim, VariationDuty};
use crate::clock::{Clock, ClockState};
use crate::command::{By, Command, Refusal};
use crate::event::Happening;
use crate::result::GameResult;

/// What an order can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    withdrawn: Vec<bool>,
    adjusted_us: ByColor<i128>,
    state: Option<ClockState>,
    claim: Option<Claim>,
    duty: Option<VariationDuty>,
    result: Option<GameResult>,
}

impl Footprint {
    pub(super) fn of(conduct: &Conduct) -> Footprint {
        // What the arbiter gave, less what he charged; time that passes is in neither.
        let adjusted = |clock: &Clock, side| {
            let account = clock.face(side).account();
            account.adjusted_us - i128::from(account.charged_us)
        };
        let clock = conduct.clock.as_ref();
        Footprint {
            withdrawn: conduct.fouls.entries().iter().map(|(_, withdrawn)| withdrawn.is_some()).collect(),
            adjusted_us: ByColor::new_with(|side| clock.map_or(0, |clock| adjusted(clock, side))),
            state: clock.map(Clock::state),
            claim: conduct.claim.clone(),
            duty: conduct.duty.clone(),
            result: conduct.results.current().cloned(),
        }
    }
}

/// An order that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Done {
    before: Footprint,
    after: Footprint,
    undone: bool,
    reversible: bool,
}

impl Done {
    pub(super) fn new(command: &Command, before: Footprint, after: Footprint) -> Done {
        // What was played is not kept twice: moves are put right by SetPosition and TakeBack, not by undoing those.
        let reversible = !matches!(
            command,
            Command::Start
                | Command::Absent { .. }
                | Command::Arrived { .. }
                | Command::AcceptMove { .. }
                | Command::TakeBack { .. }
                | Command::Choose { .. }
                | Command::SetPosition { .. }
                | Command::Sign { .. }
        );
        Done { before, after, undone: false, reversible }
    }
}

impl Conduct {
    /// Does the opposite of the order of that number.
    pub(super) fn undo(&mut self, now: Uptime, number: u32, by: &By, reason: &str) -> Result<(), Refusal> {
        let index = (number as usize).checked_sub(1).ok_or(Refusal::CannotUndo)?;
        let done = self.done.get(index).filter(|done| done.reversible && !done.undone).cloned();
        let Done { before, after, .. } = done.ok_or(Refusal::CannotUndo)?;
        if before.result != after.result && self.results.current() != after.result.as_ref() {
            // Another result has taken its place: that one is corrected, not this.
            return Err(Refusal::CannotUndo);
        }
        self.undo_fouls(now, &before, &after, by, reason)?;
        if before.claim != after.claim {
            self.claim = before.claim;
        }
        if before.duty != after.duty {
            self.duty = before.duty;
        }
        match (before.result, after.result) {
            (None, Some(_)) => self.reopen(now)?,
            (Some(earlier), later) if later.as_ref() != Some(&earlier) => {
                self.declare(now, GameResult { by: by.clone(), ..earlier });
            }
            _ => {}
        }
        self.undo_clock(now, &before.adjusted_us, &after.adjusted_us, before.state, after.state);
        self.done[index].undone = true;
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
                    let foul = self.fouls.enter(foul).clone();
                    let (side, loses) = (foul.side, self.fouls.loses(foul.side, &self.edition));
                    self.tell(now, Happening::Foul(foul));
                    if let Some(ending) = loses {
                        self.due(now, crate::Score::lost_by(side), ending, reason.into());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn undo_clock(
        &mut self,
        now: Uptime,
        before: &ByColor<i128>,
        after: &ByColor<i128>,
        state_before: Option<ClockState>,
        state_after: Option<ClockState>,
    ) {
        let Some(clock) = &mut self.clock else { return };
        let mut events = clock.advance(now);
        for side in Color::ALL {
            let back_us = before[side] - after[side];
            let left_us =
                (i128::from(clock.face(side).left_us()) + back_us).clamp(0, i128::from(u64::MAX)) as u64;
            if back_us != 0 {
                events.extend(clock.set(now, side, left_us).unwrap_or_default());
            }
        }
        if state_after == Some(clock.state()) {
            let run = match (state_before, state_after) {
                (Some(ClockState::Running), Some(ClockState::Paused)) => clock.resume(now, None),
                (Some(ClockState::Paused), Some(ClockState::Running)) => clock.pause(now),
                _ => Ok(Vec::new()),
            };
            events.extend(run.unwrap_or_default());
        }
        self.tell_clock(events);
    }
}
