//! The running clock: cases to the millisecond, and its laws over any sequence of inputs.

use proptest::prelude::*;
use referee::clock::{Attendance, Clock, ClockEvent, ClockKind, ClockRefusal, ClockState};
use referee::time_control::{Preset, TimeControl};
use sense::Uptime;
use xiangqi::Color::{self, Black, Red};

fn clock(text: &str) -> Clock {
    Clock::new(text.parse().unwrap(), Red)
}

fn ms(ms: u64) -> Uptime {
    Uptime::from_ms(ms)
}

/// Completes a ply and presses; gives what the mover used, in milliseconds.
fn play(clock: &mut Clock, at_ms: u64, side: Color) -> (u64, Vec<ClockEvent>) {
    let (time, mut events) = clock.complete(ms(at_ms), side);
    events.extend(clock.press(ms(at_ms), side));
    (time.spent_us / 1000, events)
}

fn left(clock: &Clock) -> (u64, u64) {
    (clock.face(Red).left_us() / 1000, clock.face(Black).left_us() / 1000)
}

fn kinds(events: &[ClockEvent]) -> Vec<ClockKind> {
    events.iter().map(|event| event.kind).collect()
}

#[test]
fn increments_are_added_for_every_move() {
    //= 6.1 test
    let mut clock = clock("60m+30s");
    clock.start(ms(1_000)).unwrap();
    assert_eq!(play(&mut clock, 11_250, Red).0, 10_250);
    assert_eq!(left(&clock), (3_600_000 - 10_250 + 30_000, 3_600_000));
    assert_eq!(play(&mut clock, 12_000, Black).0, 750);
    assert_eq!(left(&clock), (3_619_750, 3_629_250));
    assert_eq!(clock.running(), Some(Red));
}

#[test]
fn a_stage_gives_its_time_when_its_moves_are_done() {
    //= 6.2 test
    let mut clock = clock("60m/3,10m/2…");
    clock.start(ms(0)).unwrap();
    let mut now = 0;
    for _ in 0..2 {
        now += 60_000;
        play(&mut clock, now, Red);
        play(&mut clock, now, Black);
    }
    assert_eq!(clock.face(Red).moves_to_go(), Some(1));
    let (_, events) = play(&mut clock, now + 60_000, Red);
    assert_eq!(
        kinds(&events),
        [ClockKind::StageBegan { stage: 2, added_us: 600_000_000 }, ClockKind::Switched]
    );
    assert_eq!(left(&clock).0, 57 * 60_000 + 600_000);
    assert_eq!((clock.face(Red).stage(), clock.face(Red).moves_to_go()), (2, Some(2)));
    now += 60_000;
    for _ in 0..2 {
        play(&mut clock, now, Black);
        play(&mut clock, now, Red);
    }
    assert_eq!((clock.face(Red).stage(), clock.face(Red).moves_to_go()), (3, Some(2)));
}

#[test]
fn a_flag_falls_at_its_own_moment_however_late_the_clock_is_asked() {
    //= 22.1 test
    //= 22.2 test
    let mut clock = clock("1m");
    clock.start(ms(500)).unwrap();
    assert_eq!(clock.deadline(), Some(ms(60_500)));
    let events = clock.advance(ms(90_000));
    assert_eq!(events, [ClockEvent { at: ms(60_500), side: Red, kind: ClockKind::FlagFell }]);
    assert_eq!(clock.deadline(), None);
    assert_eq!(clock.flags(), [(ms(60_500), Red)]);
    assert_eq!(clock.face(Red).account().overdrawn_us, 29_500_000);
}

#[test]
fn the_last_microsecond_is_in_time_and_the_next_is_late() {
    //= 22.5 test
    for (press_us, flagged) in [(59_999_999, false), (60_000_000, true)] {
        let mut clock = clock("1m");
        clock.start(ms(0)).unwrap();
        clock.press(Uptime::from_us(press_us), Red);
        assert_eq!(clock.face(Red).flagged().is_some(), flagged);
    }
}

#[test]
fn when_both_flags_are_down_the_first_is_known() {
    //= 6.5 test
    let mut clock = clock("1m");
    clock.start(ms(0)).unwrap();
    play(&mut clock, 61_000, Red);
    clock.advance(ms(200_000));
    assert_eq!(clock.flags(), [(ms(60_000), Red), (ms(121_000), Black)]);
}

#[test]
fn byo_yomi_gives_a_period_back_whole_and_ends_with_the_last() {
    let mut clock = clock("1m,3x30s");
    clock.start(ms(0)).unwrap();
    let (spent, events) = play(&mut clock, 70_000, Red);
    assert_eq!(spent, 70_000);
    assert_eq!(kinds(&events), [ClockKind::ByoYomiBegan { periods: 3 }, ClockKind::Switched]);
    assert_eq!(events[0].at, ms(60_000));
    assert_eq!(left(&clock), (30_000, 60_000));
    play(&mut clock, 70_000, Black);
    let (_, events) = play(&mut clock, 70_000 + 65_000, Red);
    assert_eq!(
        kinds(&events),
        [ClockKind::PeriodUsedUp { periods: 2 }, ClockKind::PeriodUsedUp { periods: 1 }, ClockKind::Switched]
    );
    play(&mut clock, 135_000, Black);
    assert_eq!((left(&clock).0, clock.face(Red).periods()), (30_000, Some(1)));
    let events = clock.advance(ms(165_000));
    assert_eq!(events, [ClockEvent { at: ms(165_000), side: Red, kind: ClockKind::FlagFell }]);
}

#[test]
fn a_fixed_time_a_move_starts_afresh_every_move() {
    let mut clock = clock("1x30s");
    clock.start(ms(0)).unwrap();
    for ply in 1..=100 {
        let side = if ply % 2 == 1 { Red } else { Black };
        play(&mut clock, ply * 29_999, side);
        assert_eq!(left(&clock), (30_000, 30_000));
    }
    clock.advance(ms(100 * 29_999 + 30_000));
    assert_eq!(clock.flags().len(), 1);
}

#[test]
fn shared_time_is_drawn_by_both_and_then_each_has_its_own() {
    let mut clock = clock("shared:1m,1x30s");
    clock.start(ms(0)).unwrap();
    play(&mut clock, 20_000, Red);
    play(&mut clock, 50_000, Black);
    assert_eq!((clock.pool_us(), left(&clock)), (10_000_000, (0, 0)));
    assert_eq!(clock.deadline(), Some(ms(60_000)));
    let (_, events) = play(&mut clock, 65_000, Red);
    assert_eq!(
        kinds(&events),
        [ClockKind::PoolUsedUp, ClockKind::ByoYomiBegan { periods: 1 }, ClockKind::Switched]
    );
    let events = clock.advance(ms(95_000));
    assert_eq!(events.last().map(|e| (e.at, e.side, e.kind)), Some((ms(95_000), Black, ClockKind::FlagFell)));
}

#[test]
fn a_forgotten_press_leaves_the_movers_clock_on() {
    //= 6 test
    let mut clock = clock("10m/3,10m/3…");
    clock.start(ms(0)).unwrap();
    clock.complete(ms(5_000), Red);
    assert_eq!(clock.running(), Some(Red));
    let (reply, _) = clock.complete(ms(9_000), Black);
    assert_eq!((reply.spent_us, clock.running()), (0, Some(Red)));
    assert_eq!(play(&mut clock, 12_000, Red).0, 7_000);
    assert_eq!(left(&clock), (588_000, 600_000));
    assert_eq!((clock.face(Red).moves_to_go(), clock.face(Black).moves_to_go()), (Some(1), Some(2)));
}

#[test]
fn a_press_that_is_not_due_changes_nothing_and_is_reported() {
    let mut clock = clock("10m");
    clock.start(ms(0)).unwrap();
    let ignored = |why| vec![ClockKind::PressIgnored { why }];
    assert_eq!(kinds(&clock.press(ms(1_000), Black)), ignored(ClockRefusal::NotRunning));
    clock.pause(ms(2_000)).unwrap();
    assert_eq!(kinds(&clock.press(ms(3_000), Red)), ignored(ClockRefusal::Paused));
    clock.stop(ms(4_000));
    assert_eq!(kinds(&clock.press(ms(5_000), Red)), ignored(ClockRefusal::GameOver));
    assert_eq!(left(&clock), (598_000, 600_000));
}

#[test]
fn the_first_press_starts_the_game() {
    let mut by_black = clock("10m");
    assert_eq!(kinds(&by_black.press(ms(3_000), Black)), [ClockKind::Started]);
    assert_eq!(by_black.running(), Some(Red));
    let mut by_red = clock("10m");
    assert_eq!(play(&mut by_red, 3_000, Red).0, 0);
    assert_eq!((by_red.running(), left(&by_red)), (Some(Black), (600_000, 600_000)));
}

#[test]
fn a_charge_counts_as_time_that_passed() {
    //= 23.3 test
    let mut rich = clock("60m+30s");
    rich.start(ms(0)).unwrap();
    let events = rich.charge(ms(1_000), Red, 300_000_000).unwrap();
    assert_eq!(kinds(&events), [ClockKind::Charged { charge_us: 300_000_000 }]);
    assert_eq!((left(&rich).0, rich.face(Red).account().used_us), (3_299_000, 1_000_000));
    let mut poor = clock("5m");
    poor.start(ms(0)).unwrap();
    let events = poor.charge(ms(1_000), Red, 300_000_000).unwrap();
    assert_eq!(kinds(&events), [ClockKind::Charged { charge_us: 300_000_000 }, ClockKind::FlagFell]);
    assert_eq!(poor.flags(), [(ms(1_000), Red)]);
}

#[test]
fn the_arbiter_pauses_sets_and_resumes() {
    let mut clock = clock("10m");
    assert_eq!(clock.pause(ms(0)), Err(ClockRefusal::NotStarted));
    clock.start(ms(0)).unwrap();
    assert_eq!(clock.start(ms(0)), Err(ClockRefusal::AlreadyStarted));
    clock.pause(ms(10_000)).unwrap();
    let set = clock.set(ms(20_000), Red, 700_000_000).unwrap();
    assert_eq!(kinds(&set), [ClockKind::Set { from_us: 590_000_000, to_us: 700_000_000 }]);
    assert_eq!(clock.set(ms(20_000), Red, u64::MAX), Err(ClockRefusal::TooMuch));
    clock.resume(ms(30_000), Some(Black)).unwrap();
    clock.advance(ms(31_000));
    assert_eq!(left(&clock), (700_000, 599_000));
    assert_eq!(clock.resume(ms(31_000), None), Err(ClockRefusal::NotPaused));
}

#[test]
fn a_set_clock_raises_a_fallen_flag() {
    //= 22.4 test
    let mut clock = clock("1m");
    clock.start(ms(0)).unwrap();
    clock.advance(ms(70_000));
    clock.set(ms(70_000), Red, 60_000_000).unwrap();
    assert_eq!((clock.flags(), clock.deadline()), (vec![], Some(ms(130_000))));
}

#[test]
fn a_ply_that_is_taken_back_gives_back_what_it_earned() {
    let mut clock = clock("10m+30s/1,20m");
    clock.start(ms(0)).unwrap();
    play(&mut clock, 60_000, Red);
    assert_eq!((left(&clock).0, clock.face(Red).stage()), (540_000 + 30_000 + 1_200_000, 2));
    let events = clock.retract(ms(60_000), Red);
    assert_eq!(kinds(&events), [ClockKind::Retracted { taken_us: 1_230_000_000, short_us: 0 }]);
    assert_eq!(
        (left(&clock).0, clock.face(Red).stage(), clock.face(Red).moves_to_go()),
        (540_000, 1, Some(1))
    );
}

#[test]
fn a_restart_says_what_it_did_with_the_gap() {
    let mut running = clock("10m");
    running.start(ms(1_000_000)).unwrap();
    running.advance(ms(1_060_000));
    let mut lost = running.clone();
    let events = running.restore(ms(200), Some(1_500_000));
    assert_eq!(kinds(&events), [ClockKind::Restored { gap_us: Some(1_500_000) }]);
    assert_eq!((left(&running).0, running.running()), (538_500, Some(Red)));
    running.advance(ms(1_200));
    assert_eq!(left(&running).0, 537_500);
    assert_eq!(kinds(&lost.restore(ms(200), None)), [ClockKind::Restored { gap_us: None }]);
    assert_eq!((left(&lost).0, lost.state()), (540_000, ClockState::Paused));
}

#[test]
fn late_players_lose_time_and_beyond_the_limit_the_game() {
    //= 21.1 test
    //= 21.2 test
    //= 21.3 test
    let limit = 15 * 60;
    let mut black_late = Attendance::new(limit);
    black_late.miss(Black);
    black_late.begin(ms(0));
    let arrival = black_late.arrive(ms(300_000), Black, 240_000_000).unwrap();
    assert_eq!((arrival.late_us, arrival.owed_us), (300_000_000, 0));
    assert_eq!(black_late.deadline(), None);

    let mut both = Attendance::new(limit);
    both.miss(Red);
    both.miss(Black);
    both.begin(ms(0));
    let black = both.arrive(ms(200_000), Black, 0).unwrap();
    assert_eq!(black.owed_us, 200_000_000);
    assert_eq!(both.overdue(ms(899_999)), None);
    let (at, lost) = both.overdue(ms(900_005)).unwrap();
    assert_eq!(at, ms(900_000));
    assert!(lost.red && !lost.black);
    assert_eq!(both.overdue(ms(900_001)), None);

    let mut nobody = Attendance::new(limit);
    nobody.miss(Red);
    nobody.miss(Black);
    nobody.begin(ms(0));
    let (_, lost) = nobody.overdue(ms(900_000)).unwrap();
    assert!(lost.red && lost.black);
}

#[derive(Clone, Debug)]
enum Act {
    Wait(u64),
    Start,
    Press(Color),
    Complete(Color),
    Retract(Color),
    Pause,
    Resume(Option<Color>),
    Set(Color, u64),
    Charge(Color, u64),
    Stop,
    Reopen,
    Restore(Option<u64>),
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Red), Just(Black)]
}

fn act() -> impl Strategy<Value = Act> {
    let us = prop_oneof![0u64..2_000_000, 0u64..200_000_000, 0u64..20_000_000_000];
    prop_oneof![
        8 => us.clone().prop_map(Act::Wait),
        2 => Just(Act::Start),
        6 => color().prop_map(Act::Press),
        6 => color().prop_map(Act::Complete),
        1 => color().prop_map(Act::Retract),
        1 => Just(Act::Pause),
        2 => proptest::option::of(color()).prop_map(Act::Resume),
        1 => (color(), us.clone()).prop_map(|(side, us)| Act::Set(side, us)),
        1 => (color(), us.clone()).prop_map(|(side, us)| Act::Charge(side, us)),
        1 => Just(Act::Stop),
        1 => Just(Act::Reopen),
        1 => proptest::option::of(us).prop_map(Act::Restore),
    ]
}

/// Time that must have run on each side, kept apart from the clock by the simplest means.
#[derive(Default)]
struct Model {
    red_us: u64,
    black_us: u64,
}

impl Model {
    fn pass(&mut self, running: Option<Color>, us: u64) {
        match running {
            Some(Red) => self.red_us += us,
            Some(Black) => self.black_us += us,
            None => {}
        }
    }
}

fn conserved(clock: &Clock) -> Result<(), TestCaseError> {
    let mut shared = 0;
    for side in Color::ALL {
        let face = clock.face(side);
        let account = face.account();
        let drawn = account.used_us + account.charged_us - account.overdrawn_us - account.shared_us;
        let given = account.granted_us + account.adjusted_us;
        prop_assert_eq!(given, i128::from(face.left_us()) + i128::from(drawn), "{} {:?}", side, face);
        prop_assert_eq!(face.flagged().is_some() && face.left_us() > 0, false);
        shared += account.shared_us;
    }
    prop_assert_eq!(shared + clock.pool_us(), u64::from(clock.control().shared_s()) * 1_000_000);
    Ok(())
}

fn apply(clock: &mut Clock, now: &mut Uptime, act: &Act, model: &mut Model) -> Vec<ClockEvent> {
    match *act {
        Act::Wait(us) => {
            model.pass(clock.running(), us);
            *now = now.plus_us(us);
            clock.advance(*now)
        }
        Act::Start => clock.start(*now).unwrap_or_default(),
        Act::Press(side) => clock.press(*now, side),
        Act::Complete(side) => clock.complete(*now, side).1,
        Act::Retract(side) => clock.retract(*now, side),
        Act::Pause => clock.pause(*now).unwrap_or_default(),
        Act::Resume(side) => clock.resume(*now, side).unwrap_or_default(),
        Act::Set(side, us) => clock.set(*now, side, us).unwrap_or_default(),
        Act::Charge(side, us) => clock.charge(*now, side, us).unwrap_or_default(),
        Act::Stop => clock.stop(*now),
        Act::Reopen => clock.reopen(*now).unwrap_or_default(),
        Act::Restore(gap_us) => {
            // Half of the restarts count time anew, half go on.
            let goes_on = now.as_us().is_multiple_of(2);
            model.pass(clock.running(), gap_us.unwrap_or(0));
            *now = match gap_us {
                _ if !goes_on => Uptime::from_us(now.as_us() / 2),
                gap_us => now.plus_us(gap_us.unwrap_or(0)),
            };
            clock.restore(*now, gap_us)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// No input makes or loses time, lets both sides run, or panics.
    #[test]
    fn time_is_conserved(preset in 0..Preset::ALL.len(), acts in proptest::collection::vec(act(), 1..80)) {
        let mut clock = Clock::new(Preset::ALL[preset].control(), Red);
        let (mut now, mut model) = (Uptime::ZERO, Model::default());
        for act in &acts {
            apply(&mut clock, &mut now, act, &mut model);
            conserved(&clock)?;
            let used = (clock.face(Red).account().used_us, clock.face(Black).account().used_us);
            prop_assert_eq!(used, (model.red_us, model.black_us), "after {:?}", act);
            let later = clock.seen_at(now.plus_us(1_000));
            let moved = Color::ALL.iter().filter(|&&c| later.face(c).account() != clock.face(c).account()).count();
            prop_assert_eq!(moved, usize::from(clock.running().is_some()));
        }
    }

    /// Asking the clock often and asking it once give the same events at the same moments.
    #[test]
    fn looking_does_not_change_the_clock(
        preset in 0..Preset::ALL.len(),
        acts in proptest::collection::vec(act(), 1..40),
        steps in 1u64..9,
    ) {
        let mut once = Clock::new(Preset::ALL[preset].control(), Red);
        let mut often = once.clone();
        let (mut now, mut model) = (Uptime::ZERO, Model::default());
        for act in &acts {
            let mut seen = Vec::new();
            if let Act::Wait(us) = act {
                for step in 1..steps {
                    seen.extend(often.advance(now.plus_us(us * step / steps)));
                }
            }
            let mut same_now = now;
            let expected = apply(&mut once, &mut now, act, &mut model);
            seen.extend(apply(&mut often, &mut same_now, act, &mut Model::default()));
            prop_assert_eq!(&seen, &expected);
            prop_assert_eq!(&once, &often);
        }
    }

    /// The deadline is the very moment of the next event.
    #[test]
    fn nothing_happens_before_the_deadline(
        preset in 0..Preset::ALL.len(),
        acts in proptest::collection::vec(act(), 1..40),
    ) {
        let mut clock = Clock::new(Preset::ALL[preset].control(), Red);
        let (mut now, mut model) = (Uptime::ZERO, Model::default());
        for act in &acts {
            apply(&mut clock, &mut now, act, &mut model);
        }
        if let Some(due) = clock.deadline() {
            // With nothing left (a ply taken back, the shared time just used up) what follows is due at once.
            prop_assert!(due >= now);
            if due > now {
                prop_assert_eq!(clock.advance(Uptime::from_us(due.as_us() - 1)), vec![]);
            }
            let events = clock.advance(due);
            prop_assert!(!events.is_empty());
            prop_assert!(events.iter().all(|event| event.at == due));
        }
    }
}

/// 200 games of 100 plies with a press every 300 ms lose no press and no time.
#[test]
fn blitz_loses_no_press_and_no_time() {
    const PLIES: u64 = 100;
    for game in 0..200u64 {
        let control: TimeControl = "3m+2s".parse().unwrap();
        let mut clock = Clock::new(control, Red);
        let start = game * 977;
        clock.start(Uptime::from_us(start)).unwrap();
        for ply in 1..=PLIES {
            let now = Uptime::from_us(start + ply * 300_000);
            let side = if ply % 2 == 1 { Red } else { Black };
            // The display asks 30 times between two presses.
            for look in 1..30 {
                clock.advance(Uptime::from_us(now.as_us() - 300_000 + look * 10_000));
            }
            let (time, _) = clock.complete(now, side);
            assert_eq!(time.spent_us, 300_000);
            assert_eq!(kinds(&clock.press(now, side)), [ClockKind::Switched]);
        }
        let expected = 180_000_000 + 50 * 2_000_000 - 50 * 300_000;
        assert_eq!((clock.face(Red).left_us(), clock.face(Black).left_us()), (expected, expected));
    }
}
