//! One side of the clock.

use alloc::vec::Vec;

use sense::Uptime;

use super::ClockKind;
use crate::time_control::{SECOND_US, Schedule};

/// Where all the time of one side came from and went, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Account {
    /// Given by the control: stages, increments, periods; less what was given back with a period or a ply.
    pub granted_us: i128,
    /// Given or taken by the arbiter.
    pub adjusted_us: i128,
    /// Time that passed while this side ran; an event plan ranks players by it.
    pub used_us: u64,
    /// Time that was charged without having passed.
    pub charged_us: u64,
    /// What of `used_us` and `charged_us` came out of the time that both sides share.
    pub shared_us: u64,
    /// What of `used_us` and `charged_us` came after the flag.
    pub overdrawn_us: u64,
}

/// What one completed ply changed, so that it can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Earned {
    stage: u32,
    moves_in_stage: u16,
    granted_us: u64,
}

/// One side of the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    left_us: u64,
    stage: u32,
    moves_in_stage: u16,
    quota: Option<u16>,
    periods: Option<u16>,
    flagged: Option<Uptime>,
    ply_us: u64,
    plies: Vec<Earned>,
    account: Account,
}

impl Face {
    pub(super) fn new(schedule: &Schedule, pooled: bool) -> Face {
        let mut face = Face {
            left_us: 0,
            stage: 0,
            moves_in_stage: 0,
            quota: None,
            periods: None,
            flagged: None,
            ply_us: 0,
            plies: Vec::new(),
            account: Account::default(),
        };
        if face.begin_stage(schedule, 0).is_none() && !pooled {
            face.begin_byo_yomi(schedule);
        }
        face
    }

    /// What is left: of the main time, or of the running period. 0 when the flag is down.
    pub fn left_us(&self) -> u64 {
        self.left_us
    }

    /// The running stage, counted from 1.
    pub fn stage(&self) -> u32 {
        self.stage + 1
    }

    /// Moves to complete before the time of this stage is over; `None` where the moves are not counted.
    pub fn moves_to_go(&self) -> Option<u16> {
        self.quota.map(|quota| quota - self.moves_in_stage)
    }

    /// Byo-yomi periods left, the running one included; `None` while main time is left.
    pub fn periods(&self) -> Option<u16> {
        self.periods
    }

    /// When the flag fell, if it is down.
    pub fn flagged(&self) -> Option<Uptime> {
        self.flagged
    }

    /// Plies that this side has completed.
    pub fn plies(&self) -> usize {
        self.plies.len()
    }

    /// Where the time came from and went.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Time until something happens by itself.
    pub(super) fn countdown_us(&self) -> Option<u64> {
        self.flagged.is_none().then_some(self.left_us)
    }

    /// Lets `passed_us` pass from `from` on; what was due is pushed with its moment.
    pub(super) fn run(
        &mut self,
        schedule: &Schedule,
        pool_us: &mut u64,
        from: Uptime,
        passed_us: u64,
        due: &mut Vec<(Uptime, ClockKind)>,
    ) {
        self.account.used_us += passed_us;
        self.ply_us += passed_us;
        self.draw(schedule, pool_us, from, passed_us, due);
    }

    /// As [`Face::run`], for time that has not passed.
    pub(super) fn charge(
        &mut self,
        schedule: &Schedule,
        pool_us: &mut u64,
        at: Uptime,
        charge_us: u64,
        due: &mut Vec<(Uptime, ClockKind)>,
    ) {
        self.account.charged_us += charge_us;
        let first = due.len();
        self.draw(schedule, pool_us, at, charge_us, due);
        if self.flagged.is_some() && due[first..].iter().any(|(_, kind)| *kind == ClockKind::FlagFell) {
            self.flagged = Some(at);
        }
    }

    fn draw(
        &mut self,
        schedule: &Schedule,
        pool_us: &mut u64,
        from: Uptime,
        mut rest_us: u64,
        due: &mut Vec<(Uptime, ClockKind)>,
    ) {
        let mut at = from;
        if *pool_us > 0 {
            let taken = rest_us.min(*pool_us);
            *pool_us -= taken;
            self.account.shared_us += taken;
            rest_us -= taken;
            at = at.plus_us(taken);
            if *pool_us > 0 {
                return;
            }
            due.push((at, ClockKind::PoolUsedUp));
        }
        // Each turn of this loop ends a period, so there are at most as many as periods are left.
        while self.flagged.is_none() {
            let taken = rest_us.min(self.left_us);
            self.left_us -= taken;
            rest_us -= taken;
            at = at.plus_us(taken);
            if self.left_us > 0 {
                return;
            }
            let kind = self.run_out(schedule, at);
            due.push((at, kind));
        }
        self.account.overdrawn_us += rest_us;
    }

    /// Nothing is left: the next period, or the flag.
    fn run_out(&mut self, schedule: &Schedule, at: Uptime) -> ClockKind {
        //= 22.1
        //= 22.2
        match (self.periods, schedule.byo_yomi()) {
            (None, Some(_)) if self.quota.is_none() => {
                self.begin_byo_yomi(schedule);
                ClockKind::ByoYomiBegan { periods: self.periods.unwrap_or(0) }
            }
            (Some(periods), Some(byo_yomi)) if periods > 1 => {
                self.periods = Some(periods - 1);
                self.grant(u64::from(byo_yomi.time_s) * SECOND_US);
                ClockKind::PeriodUsedUp { periods: periods - 1 }
            }
            _ => {
                self.flagged = Some(at);
                ClockKind::FlagFell
            }
        }
    }

    fn grant(&mut self, us: u64) {
        self.left_us = self.left_us.saturating_add(us);
        self.account.granted_us += i128::from(us);
    }

    fn begin_byo_yomi(&mut self, schedule: &Schedule) {
        if let Some(byo_yomi) = schedule.byo_yomi() {
            self.periods = Some(byo_yomi.periods);
            self.grant(u64::from(byo_yomi.time_s) * SECOND_US);
        }
    }

    /// Begins that stage, or the last one again, and says what it added; `None` when there is no such stage.
    fn begin_stage(&mut self, schedule: &Schedule, stage: u32) -> Option<u64> {
        let begun = schedule.stage(stage);
        self.stage = stage;
        self.moves_in_stage = 0;
        self.quota = begun.and_then(|stage| stage.moves);
        let added_us = u64::from(begun?.time_s) * SECOND_US;
        self.grant(added_us);
        Some(added_us)
    }

    /// Takes the time of the ply that ends now.
    pub(super) fn take_ply(&mut self) -> u64 {
        core::mem::take(&mut self.ply_us)
    }

    /// Counts a ply and credits what it earns. After the flag it is counted and earns nothing.
    pub(super) fn complete(&mut self, schedule: &Schedule, pooled: bool) -> Option<ClockKind> {
        let before = self.account.granted_us;
        let (stage, moves_in_stage) = (self.stage, self.moves_in_stage);
        let kind = if pooled || self.flagged.is_some() { None } else { self.earn(schedule) };
        let granted_us = (self.account.granted_us - before) as u64;
        self.plies.push(Earned { stage, moves_in_stage, granted_us });
        kind
    }

    fn earn(&mut self, schedule: &Schedule) -> Option<ClockKind> {
        if let (Some(_), Some(byo_yomi)) = (self.periods, schedule.byo_yomi()) {
            let whole_us = u64::from(byo_yomi.time_s) * SECOND_US;
            self.grant(whole_us.saturating_sub(self.left_us));
            return None;
        }
        let running = schedule.stage(self.stage)?;
        self.grant(u64::from(running.increment_s) * SECOND_US);
        self.moves_in_stage += 1;
        if self.moves_to_go() != Some(0) {
            return None;
        }
        let stage = self.stage + 1;
        let added_us = self.begin_stage(schedule, stage)?;
        Some(ClockKind::StageBegan { stage: stage + 1, added_us })
    }

    /// Undoes the count and the credit of the last ply.
    pub(super) fn retract(&mut self, schedule: &Schedule) -> Option<ClockKind> {
        let earned = self.plies.pop()?;
        let taken_us = earned.granted_us.min(self.left_us);
        self.left_us -= taken_us;
        self.account.granted_us -= i128::from(taken_us);
        if self.periods.is_none() {
            self.stage = earned.stage;
            self.moves_in_stage = earned.moves_in_stage;
            self.quota = schedule.stage(earned.stage).and_then(|stage| stage.moves);
        }
        Some(ClockKind::Retracted { taken_us, short_us: earned.granted_us - taken_us })
    }

    /// Sets what is left, and says what follows when that is nothing. As long as time is shared, nothing does.
    pub(super) fn set(
        &mut self,
        schedule: &Schedule,
        left_us: u64,
        pooled: bool,
        at: Uptime,
    ) -> Option<ClockKind> {
        self.account.adjusted_us += i128::from(left_us) - i128::from(self.left_us);
        self.left_us = left_us;
        if left_us > 0 {
            self.flagged = None;
            return None;
        }
        (!pooled && self.flagged.is_none()).then(|| self.run_out(schedule, at))
    }

    /// Is again as `before`, with that shared time, less `since_us` that have passed. The account says what it was given.
    pub(super) fn put_back(
        &mut self,
        schedule: &Schedule,
        before: &Face,
        pool_us: &mut u64,
        since_us: u64,
        now: Uptime,
    ) {
        let mut then = before.clone();
        if since_us > 0 {
            then.draw(schedule, pool_us, now, since_us, &mut Vec::new());
        }
        if self.plies.len() > before.plies.len()
            && let (Some(_), Some(byo_yomi), None) = (then.periods, schedule.byo_yomi(), then.flagged)
        {
            then.left_us = u64::from(byo_yomi.time_s) * SECOND_US;
        }
        (self.left_us, self.periods, self.flagged) = (then.left_us, then.periods, then.flagged);
        let account = &mut self.account;
        account.shared_us = then.account.shared_us;
        let drawn = account.used_us + account.charged_us - account.overdrawn_us - account.shared_us;
        account.adjusted_us = i128::from(self.left_us) + i128::from(drawn) - account.granted_us;
    }

    /// Moves a remembered moment to a new origin of time.
    pub(super) fn rebase(&mut self, old: Uptime, new: Uptime) {
        self.flagged = self.flagged.map(|at| Uptime::from_us(new.as_us().saturating_sub(old.us_since(at))));
    }
}
