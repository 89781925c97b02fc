//! The two-sided clock of one game (articles 6, 21, 22), exact to the microsecond.
//!
//! The clock reads no time: every method is handed `now`. Whatever was due before `now` (a stage, a byo-yomi period, a
//! flag) is reported with the moment at which it was due, however late the clock is asked. `now` never goes back: an
//! earlier one counts as the latest seen.
//!
//! One side runs or none. Three things move it and they are apart: a ply that is **completed** ([`Clock::complete`]:
//! counted, credited with its increment, its time taken for the record), a **press** ([`Clock::press`]: the other side
//! runs), and the arbiter. So a forgotten press leaves the mover's clock on (article 6: the arbiter does not remind), and
//! his moves are counted all the same.
//!
//! For either side, at every moment:
//!
//! > granted + adjusted = left + drawn − shared, where drawn = used + charged − overdrawn
//!
//! The tests hold it over arbitrary sequences, so time is never given or taken silently.

mod attendance;
mod event;
mod face;

use alloc::vec::Vec;

use sense::Uptime;
use serde::{Deserialize, Serialize};
use xiangqi::{ByColor, Color};

use crate::time_control::{SECOND_US, TimeControl};

pub use attendance::{Arrival, Attendance};
pub use event::{ClockEvent, ClockKind, ClockRefusal, ClockShows, PlyTime};
pub use face::{Account, Face};

/// What a clock is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockState {
    /// The game has not begun.
    NotStarted,
    /// The side whose turn it is on the clock is using time.
    Running,
    /// The arbiter has stopped both sides.
    Paused,
    /// The game is over.
    Stopped,
}

/// The clock of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    faces: ByColor<Face>,
    pool_us: u64,
    state: ClockState,
    turn: Color,
    at: Uptime,
}

impl Clock {
    /// A clock that shows the full time of `control` and waits; `first` has the first move.
    pub fn new(control: TimeControl, first: Color) -> Clock {
        let pool_us = u64::from(control.shared_s()) * SECOND_US;
        let faces = ByColor::new_with(|side| Face::new(control.side(side), pool_us > 0));
        Clock { control, faces, pool_us, state: ClockState::NotStarted, turn: first, at: Uptime::ZERO }
    }

    /// The control that is played.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// What the clock is doing.
    pub fn state(&self) -> ClockState {
        self.state
    }

    /// The side whose time is running, if one is.
    pub fn running(&self) -> Option<Color> {
        (self.state == ClockState::Running).then_some(self.turn)
    }

    /// The side that runs, or would run if the clock were started or resumed.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// What `side`'s half shows, as of the latest moment that the clock has been told.
    pub fn face(&self, side: Color) -> &Face {
        &self.faces[side]
    }

    /// What remains of the time that both sides share, in microseconds.
    pub fn pool_us(&self) -> u64 {
        self.pool_us
    }

    /// The latest moment that the clock has been told.
    pub fn at(&self) -> Uptime {
        self.at
    }

    /// This clock as it will stand at `now` if nobody does anything; for displays.
    pub fn seen_at(&self, now: Uptime) -> Clock {
        let mut clock = self.clone();
        clock.advance(now);
        clock
    }

    /// What both displays show, as of the latest moment that the clock has been told.
    pub fn shows(&self) -> ClockShows {
        ClockShows {
            state: self.state,
            running: self.running(),
            red_left_us: self.faces.red.left_us(),
            black_left_us: self.faces.black.left_us(),
            shared_us: self.pool_us,
        }
    }

    /// When the clock next changes by itself: a period, a shared time or the flag.
    pub fn deadline(&self) -> Option<Uptime> {
        let side = self.running()?;
        let left_us = if self.pool_us > 0 { self.pool_us } else { self.faces[side].countdown_us()? };
        Some(self.at.plus_us(left_us))
    }

    /// The sides whose flag has fallen, the first to fall first.
    ///
    /// "First to run out loses" (1999 6.5): where both are down, the order decides.
    pub fn flags(&self) -> Vec<(Uptime, Color)> {
        let mut down: Vec<_> =
            Color::ALL.iter().filter_map(|&side| Some((self.faces[side].flagged()?, side))).collect();
        down.sort_by_key(|(at, _)| *at);
        down
    }

    /// Lets time pass until `now`.
    pub fn advance(&mut self, now: Uptime) -> Vec<ClockEvent> {
        let mut events = Vec::new();
        self.run_to(now, &mut events);
        events
    }

    fn run_to(&mut self, now: Uptime, events: &mut Vec<ClockEvent>) {
        let now = now.max(self.at);
        if self.state == ClockState::Running {
            let schedule = self.control.side(self.turn);
            let passed_us = now.us_since(self.at);
            let mut due = Vec::new();
            self.faces[self.turn].run(schedule, &mut self.pool_us, self.at, passed_us, &mut due);
            events.extend(due.into_iter().map(|(at, kind)| ClockEvent { at, side: self.turn, kind }));
        }
        self.at = now;
    }

    /// The arbiter starts the game, or the first press does: the side with the first move runs.
    pub fn start(&mut self, now: Uptime) -> Result<Vec<ClockEvent>, ClockRefusal> {
        if self.state != ClockState::NotStarted {
            return Err(ClockRefusal::AlreadyStarted);
        }
        let mut events = self.advance(now);
        self.state = ClockState::Running;
        self.note(self.turn, ClockKind::Started, &mut events);
        Ok(events)
    }

    /// The start was a mistake, and nothing has been played since: this clock is again what it was `before`.
    pub fn withdraw_start(&mut self, now: Uptime, before: Clock) -> Vec<ClockEvent> {
        let mut events = self.advance(now);
        *self = Clock { at: self.at, ..before };
        self.note(self.turn, ClockKind::StartWithdrawn, &mut events);
        events
    }

    /// `side` has completed a ply at `now`: it is counted, credited and timed. The clock does not switch.
    pub fn complete(&mut self, now: Uptime, side: Color) -> (PlyTime, Vec<ClockEvent>) {
        let mut events = self.advance(now);
        let schedule = self.control.side(side);
        let spent_us = self.faces[side].take_ply();
        if let Some(kind) = self.faces[side].complete(schedule, self.pool_us > 0) {
            self.note(side, kind, &mut events);
        }
        let time = PlyTime {
            spent_us,
            used_us: self.faces[side].account().used_us,
            red_left_us: self.faces.red.left_us(),
            black_left_us: self.faces.black.left_us(),
            shared_us: self.pool_us,
        };
        (time, events)
    }

    /// Takes back the count and the credit of `side`'s latest ply; the time that it used stays used.
    pub fn retract(&mut self, now: Uptime, side: Color) -> Vec<ClockEvent> {
        let mut events = self.advance(now);
        if let Some(kind) = self.faces[side].retract(self.control.side(side)) {
            self.note(side, kind, &mut events);
        }
        events
    }

    /// `side` presses its button. On the side that runs, the other side runs from now on; before the start it starts
    /// the game, with the other side to use time; anything else is reported and changes nothing.
    pub fn press(&mut self, now: Uptime, side: Color) -> Vec<ClockEvent> {
        let mut events = self.advance(now);
        let why = match self.state {
            ClockState::NotStarted => None,
            ClockState::Running if side == self.turn => None,
            ClockState::Running => Some(ClockRefusal::NotRunning),
            ClockState::Paused => Some(ClockRefusal::Paused),
            ClockState::Stopped => Some(ClockRefusal::GameOver),
        };
        if let Some(why) = why {
            self.note(side, ClockKind::PressIgnored { why }, &mut events);
            return events;
        }
        self.turn = side.other();
        let kind =
            if self.state == ClockState::NotStarted { ClockKind::Started } else { ClockKind::Switched };
        self.state = ClockState::Running;
        self.note(self.turn, kind, &mut events);
        events
    }

    /// The arbiter stops both sides.
    pub fn pause(&mut self, now: Uptime) -> Result<Vec<ClockEvent>, ClockRefusal> {
        let mut events = self.advance(now);
        match self.state {
            ClockState::Running => {}
            ClockState::NotStarted => return Err(ClockRefusal::NotStarted),
            ClockState::Paused => return Err(ClockRefusal::Paused),
            ClockState::Stopped => return Err(ClockRefusal::GameOver),
        }
        self.state = ClockState::Paused;
        self.note(self.turn, ClockKind::Paused, &mut events);
        Ok(events)
    }

    /// As [`Clock::pause`], and `side` is the one to run when play goes on: after moves were taken back or a position was
    /// set.
    pub fn pause_for(&mut self, now: Uptime, side: Color) -> Result<Vec<ClockEvent>, ClockRefusal> {
        let mut events = if self.state == ClockState::Paused { self.advance(now) } else { self.pause(now)? };
        if self.turn != side {
            self.turn = side;
            self.note(side, ClockKind::Paused, &mut events);
        }
        Ok(events)
    }

    /// The arbiter lets `side` run (the side that ran before, if none is named). Where the shared time is used up and its own
    /// has not begun, it begins.
    pub fn resume(&mut self, now: Uptime, side: Option<Color>) -> Result<Vec<ClockEvent>, ClockRefusal> {
        match self.state {
            ClockState::Paused => {}
            ClockState::NotStarted => return Err(ClockRefusal::NotStarted),
            ClockState::Running => return Err(ClockRefusal::NotPaused),
            ClockState::Stopped => return Err(ClockRefusal::GameOver),
        }
        let mut events = self.advance(now);
        self.turn = side.unwrap_or(self.turn);
        self.state = ClockState::Running;
        self.note(self.turn, ClockKind::Resumed, &mut events);
        self.run_to(now, &mut events);
        Ok(events)
    }

    /// The arbiter sets what `side` has left; a fallen flag is raised if that is anything. If it is nothing, what follows does: a
    /// period, or the flag falls. Allowed at any time but after the end.
    pub fn set(&mut self, now: Uptime, side: Color, left_us: u64) -> Result<Vec<ClockEvent>, ClockRefusal> {
        //= 22.4
        if left_us > MAX_LEFT_US && self.state != ClockState::Stopped {
            return Err(ClockRefusal::TooMuch);
        }
        self.set_again(now, side, left_us)
    }

    /// As [`Clock::set`], to what `side` would have without an order that is undone: increments may have brought it beyond what
    /// an arbiter can set.
    pub fn set_again(
        &mut self,
        now: Uptime,
        side: Color,
        left_us: u64,
    ) -> Result<Vec<ClockEvent>, ClockRefusal> {
        if self.state == ClockState::Stopped {
            return Err(ClockRefusal::GameOver);
        }
        let mut events = self.advance(now);
        let from_us = self.faces[side].left_us();
        let ran_out = self.faces[side].set(self.control.side(side), left_us, self.pool_us > 0, self.at);
        self.note(side, ClockKind::Set { from_us, to_us: left_us }, &mut events);
        if let Some(kind) = ran_out {
            self.note(side, kind, &mut events);
        }
        Ok(events)
    }

    /// `side` has again what it had on the clock `before` an order that is undone, less what it has used since the clock was as
    /// it was `after` it, as of the latest moment that the clock has been told. For an order that cost periods or shared time: for any other [`Clock::set`] is enough.
    pub fn put_back(&mut self, side: Color, before: &Clock, after: &Clock) -> Vec<ClockEvent> {
        let mut events = Vec::new();
        let since_us = self.faces[side].account().used_us - after.faces[side].account().used_us;
        let shared_us = |clock: &Clock, side: Color| clock.faces[side].account().shared_us;
        let all_us = u64::from(self.control.shared_s()) * SECOND_US;
        let mut pool_us = all_us.saturating_sub(shared_us(before, side) + shared_us(self, side.other()));
        let was_down = self.faces[side].flagged().is_some();
        let schedule = self.control.side(side);
        self.faces[side].put_back(schedule, &before.faces[side], &mut pool_us, since_us, self.at);
        self.pool_us = pool_us;
        let face = &self.faces[side];
        let kind =
            ClockKind::PutBack { left_us: face.left_us(), periods: face.periods(), shared_us: pool_us };
        self.note(side, kind, &mut events);
        if !was_down && self.faces[side].flagged().is_some() {
            self.note(side, ClockKind::FlagFell, &mut events);
        }
        events
    }

    /// Whether [`Clock::set`] cannot bring back what `side` has on this clock from what it has on `later`: periods and shared
    /// time, the moment at which its flag fell, or that its own time has not begun.
    pub fn must_be_put_back(&self, later: &Clock, side: Color) -> bool {
        let of = |clock: &Clock| (clock.faces[side].periods(), clock.faces[side].account().shared_us);
        let face = &self.faces[side];
        of(self) != of(later) || face.left_us() == 0
    }

    /// Counts `charge_us` on `side`'s clock as if it had passed: the five minutes of a false claim (23.3), lateness (21.3).
    /// It may cost periods and the game.
    pub fn charge(
        &mut self,
        now: Uptime,
        side: Color,
        charge_us: u64,
    ) -> Result<Vec<ClockEvent>, ClockRefusal> {
        //= 23.3
        if self.state == ClockState::Stopped {
            return Err(ClockRefusal::GameOver);
        }
        if charge_us > MAX_LEFT_US {
            return Err(ClockRefusal::TooMuch);
        }
        let mut events = self.advance(now);
        self.note(side, ClockKind::Charged { charge_us }, &mut events);
        let mut due = Vec::new();
        self.faces[side].charge(self.control.side(side), &mut self.pool_us, self.at, charge_us, &mut due);
        let at = self.at;
        events.extend(due.into_iter().map(|(_, kind)| ClockEvent { at, side, kind }));
        Ok(events)
    }

    /// The game is over: nothing runs any more.
    pub fn stop(&mut self, now: Uptime) -> Vec<ClockEvent> {
        let mut events = self.advance(now);
        if self.state != ClockState::Stopped {
            self.state = ClockState::Stopped;
            self.note(self.turn, ClockKind::Stopped, &mut events);
        }
        events
    }

    /// A result was withdrawn: the clock waits, paused, for the arbiter to set and resume it.
    pub fn reopen(&mut self, now: Uptime) -> Result<Vec<ClockEvent>, ClockRefusal> {
        if self.state != ClockState::Stopped {
            return Err(ClockRefusal::NotOver);
        }
        let mut events = self.advance(now);
        self.state = ClockState::Paused;
        self.note(self.turn, ClockKind::Paused, &mut events);
        Ok(events)
    }

    /// The board's process is back, at `now`. Where the machine's own clock measured the gap, a running side has used it;
    /// where nothing could (power was lost), the clock stands, paused, as it was last seen. Either is an event that says so.
    ///
    /// The count of time may go on from before; then the gap is what lies between. Or it begins anew, with a `now` before
    /// the latest moment that the clock was told; then the gap is `gap_us`.
    pub fn restore(&mut self, now: Uptime, gap_us: Option<u64>) -> Vec<ClockEvent> {
        let mut events = Vec::new();
        let anew = now < self.at;
        match gap_us {
            Some(_) if !anew => self.run_to(now, &mut events),
            Some(us) => self.run_to(self.at.plus_us(us), &mut events),
            None if self.state == ClockState::Running => self.state = ClockState::Paused,
            None => {}
        }
        if anew {
            let back = self.at;
            for event in &mut events {
                event.at = Uptime::from_us(now.as_us().saturating_sub(back.us_since(event.at)));
            }
            for face in [&mut self.faces.red, &mut self.faces.black] {
                face.rebase(back, now);
            }
        }
        self.at = now;
        self.note(self.turn, ClockKind::Restored { gap_us }, &mut events);
        events
    }

    fn note(&self, side: Color, kind: ClockKind, events: &mut Vec<ClockEvent>) {
        events.push(ClockEvent { at: self.at, side, kind });
    }
}

/// The most that the arbiter can set, or charge at once: 99 hours 59 minutes 59 seconds, what a display can show.
pub const MAX_LEFT_US: u64 = (100 * 3600 - 1) * SECOND_US;
