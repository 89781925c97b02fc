//! What the public sees is never early and never stuck, whatever the network, restarts and clocks do.

mod desk;

use desk::{Desk, Publication, game};
use proptest::prelude::*;
use referee::Snapshot;
use venue::{DelayLine, Delays, Moment, Published, Replica};

/// When the simulated day begins, in milliseconds of UTC.
const MORNING: u64 = 1_700_000_000_000;
const DELAY_MS: u64 = 900_000;

/// What happens next.
#[derive(Clone, Debug)]
enum Step {
    /// Time passes, in seconds, and a move is made.
    Move(u64),
    /// Time passes.
    Wait(u64),
    /// The board says that it is there.
    Status,
    /// The venue is started anew: it sees what is retained, and lines come again when it asks.
    Restart,
    /// The next messages are lost.
    Lose(usize),
    /// The game is resigned, and goes on by order of an arbiter.
    Reopen,
    /// The game is resigned and another begins.
    Next,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..400u64).prop_map(Step::Move),
        2 => (0..2_000u64).prop_map(Step::Wait),
        2 => Just(Step::Status),
        1 => Just(Step::Restart),
        1 => (1..6usize).prop_map(Step::Lose),
        1 => Just(Step::Reopen),
        1 => Just(Step::Next),
    ]
}

/// A venue, and since when it runs.
struct Venue {
    live: Replica,
    line: DelayLine,
    started_ms: u64,
}

impl Venue {
    fn new(delays: &Delays, started_ms: u64) -> Venue {
        Venue { live: Replica::new(), line: DelayLine::new(delays.clone()), started_ms }
    }

    fn moment(&self, now_ms: u64) -> Moment {
        Moment { up_ms: now_ms - self.started_ms, utc_ms: MORNING + now_ms }
    }

    fn deliver(&mut self, now_ms: u64, publication: &Publication, retained: bool) {
        let (topic, payload) = (&*publication.topic, publication.payload.as_bytes());
        self.live.apply(topic, payload).unwrap();
        let published = Published { topic, payload, retained };
        self.line.take(self.moment(now_ms), published, &self.live).unwrap();
    }

    fn advance(&mut self, now_ms: u64) {
        self.line.advance(self.moment(now_ms), &self.live);
    }

    fn wanted(&self) -> Vec<(String, u64, u64)> {
        self.line.wanted(&self.live)
    }

    /// What the public sees of every game.
    fn shows(&self) -> Vec<Snapshot> {
        let public = self.line.public();
        public.games().map(|game| public.snapshot(&game.summary.id).unwrap().clone()).collect()
    }
}

/// A board, a venue that has faults, one that has none, and the truth.
struct World {
    desk: Desk,
    delays: Delays,
    venue: Venue,
    ran_on: Venue,
    /// Milliseconds since the morning.
    now_ms: u64,
    /// How wrong the board's wall clock is, in milliseconds.
    error_ms: i64,
    published: Vec<Publication>,
    games: u32,
    moves: usize,
    lose: usize,
    /// When each state was: game, its plies and whether it was over.
    truth: Vec<(u64, String, usize, bool)>,
}

impl World {
    fn new(delays: &str, error_ms: i64) -> World {
        let delays = Delays::new([delays.parse().unwrap()]);
        let mut world = World {
            desk: Desk::new("b1"),
            venue: Venue::new(&delays, 0),
            ran_on: Venue::new(&delays, 0),
            delays,
            now_ms: 0,
            error_ms,
            published: Vec::new(),
            games: 0,
            moves: 0,
            lose: 0,
            truth: Vec::new(),
        };
        world.begin();
        world
    }

    /// Sets the board's clocks. It has been up for an hour, and never goes back.
    fn wind(&mut self) {
        self.desk.set_utc((MORNING + self.now_ms).saturating_add_signed(self.error_ms));
        self.desk.set_us((3_600_000 + self.now_ms) * 1000);
    }

    fn begin(&mut self) {
        (self.games, self.moves) = (self.games + 1, 0);
        self.wind();
        let game = format!("g{}", self.games);
        let begun = self.desk.begin(&game, "1", "甲", "乙");
        self.publish(begun);
    }

    fn publish(&mut self, all: impl IntoIterator<Item = Publication>) {
        for publication in all {
            self.published.push(publication.clone());
            self.ran_on.deliver(self.now_ms, &publication, false);
            if self.lose > 0 {
                self.lose -= 1;
            } else {
                self.venue.deliver(self.now_ms, &publication, false);
            }
        }
        let snapshot = self.desk.snapshot.as_ref().unwrap();
        let over = snapshot.result.is_some();
        self.truth.push((self.now_ms, snapshot.game.clone(), snapshot.plies.len(), over));
    }

    fn pass(&mut self, seconds: u64) {
        // In steps, as the venue looks again and again.
        for _ in 0..4 {
            self.now_ms += seconds * 250;
            self.wind();
            self.venue.advance(self.now_ms);
            self.ran_on.advance(self.now_ms);
            self.refill();
        }
    }

    /// The board answers what the venue asks.
    fn refill(&mut self) {
        for (_, from, to) in self.venue.wanted() {
            let status = self.desk.status(true);
            self.publish([status]);
            let lines: Vec<_> = self.published.iter().filter(|one| !one.retained).cloned().collect();
            for line in lines {
                let seq = serde_json::from_str::<serde_json::Value>(&line.payload).unwrap()["seq"].as_u64();
                if seq.is_some_and(|seq| (from..to).contains(&seq)) {
                    self.venue.deliver(self.now_ms, &line, false);
                }
            }
        }
    }

    fn restart(&mut self) {
        self.venue = Venue::new(&self.delays, self.now_ms);
        self.subscribe();
    }

    fn subscribe(&mut self) {
        // The last of each retained topic.
        let mut retained: Vec<Publication> = Vec::new();
        for publication in self.published.iter().filter(|one| one.retained) {
            retained.retain(|other| other.topic != publication.topic);
            retained.push(publication.clone());
        }
        for publication in &retained {
            self.venue.deliver(self.now_ms, publication, true);
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Move(seconds) => {
                self.pass(*seconds);
                let moves = game(3);
                if let Some(&mv) = moves.get(self.moves) {
                    self.moves += 1;
                    let seen = self.desk.provisional(Some(mv));
                    self.publish(seen);
                    let played = self.desk.play(mv);
                    self.publish(played);
                }
            }
            Step::Wait(seconds) => self.pass(*seconds),
            Step::Status => {
                let status = self.desk.status(true);
                self.publish([status]);
            }
            Step::Restart => self.restart(),
            Step::Reopen => {
                if self.desk.snapshot.as_ref().unwrap().result.is_none() {
                    let resigned = self.desk.resign();
                    self.publish(resigned);
                }
                let reopened = self.desk.reopen();
                self.publish(reopened);
            }
            Step::Lose(count) => self.lose = *count,
            Step::Next => {
                let resigned = self.desk.resign();
                self.publish(resigned);
                self.begin();
            }
        }
    }

    /// Nothing that the public sees is younger than the delay.
    fn nothing_is_early(&self) {
        let delay_ms = self.delays.of("").ms;
        for view in self.venue.line.public().games() {
            let summary = &view.summary;
            let over = summary.result.is_some();
            let seen = summary.ply_count + usize::from(summary.provisional.is_some());
            let since = self.truth.iter().find(|(_, game, plies, was_over)| {
                // A provisional move is there a little before its ply.
                *game == summary.id && *plies >= seen && *was_over >= over
            });
            let (at, ..) = since.expect("what is seen has happened");
            assert!(at + delay_ms <= self.now_ms, "{} shows {seen} plies, {over}", summary.id);
            if let Some(clock) = summary.clock.filter(|_| self.error_ms == 0) {
                assert!(clock.at_utc_ms <= MORNING + self.now_ms, "the clock is of the future");
            }
        }
    }

    /// A venue that had faults, and has what it asks for, shows the public what one shows that had none.
    fn faults_do_not_show(&mut self) {
        // A board that is ahead is known to be by who has heard it write alone.
        if self.lose > 0 || self.error_ms > 0 {
            return;
        }
        self.subscribe();
        let status = self.desk.status(true);
        self.publish([status]);
        self.refill();
        let (shown, expected) = (self.venue.shows(), self.ran_on.shows());
        for (shown, expected) in shown.iter().zip(&expected) {
            assert!(shown.shows_the_same(expected), "shown: {shown:#?}\nwithout faults: {expected:#?}");
        }
        assert_eq!(shown.len(), expected.len());
    }

    fn nothing_is_stuck(&mut self) {
        self.lose = 0;
        self.subscribe();
        let status = self.desk.status(true);
        self.publish([status]);
        let delay_s = self.delays.of("").ms / 1000;
        self.pass(delay_s + 4);
        self.pass(delay_s + 4);
        if self.desk.snapshot.as_ref().unwrap().result.is_none() {
            let resigned = self.desk.resign();
            self.publish(resigned);
            self.pass(delay_s + 4);
        }
        for live in self.venue.live.games() {
            let public = self.venue.line.public().game(&live.summary.id).expect("the game");
            assert_eq!(public.plies, live.plies);
            assert_eq!(public.summary.result, live.summary.result);
            assert_eq!(public.summary.current, live.summary.current);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn never_early_never_stuck_and_faults_do_not_show(
        delay in prop_oneof![4 => Just("15m"), 1 => Just("2plies"), 1 => Just("15m+2plies")],
        steps in prop::collection::vec(step(), 1..60),
        // Right, without a battery for years, a time zone ahead, an hour behind.
        error_ms in prop_oneof![
            Just(0i64), Just(-1_600_000_000_000), Just(8 * 3_600_000), Just(-3_600_000)
        ],
    ) {
        let mut world = World::new(delay, error_ms);
        for step in &steps {
            world.take(step);
            world.nothing_is_early();
            world.faults_do_not_show();
        }
        world.nothing_is_stuck();
    }
}

/// The clock that the public sees goes on from when its move is shown.
#[test]
fn the_clock_is_late_with_the_moves() {
    let mut world = World::new("15m", 0);
    world.take(&Step::Move(60));
    let played = world.now_ms;
    world.pass(DELAY_MS / 1000);
    let view = world.venue.line.public().game("g1").expect("it is old enough");
    assert_eq!(view.summary.ply_count, 1);
    let clock = view.summary.clock.expect("a clock");
    assert_eq!(clock.at_utc_ms, MORNING + played + DELAY_MS);
    assert!(clock.running.is_some());
}

/// By plies, each is shown when enough others have been played, and all when the game is over.
#[test]
fn plies_wait_for_plies() {
    let mut world = World::new("2plies", 0);
    let shown = |world: &World| world.venue.line.public().game("g1").map(|view| view.summary.ply_count);
    assert_eq!(shown(&world), Some(0));
    for (played, expected) in [(1, 0), (2, 0), (3, 1), (4, 2)] {
        world.take(&Step::Move(1));
        assert_eq!(shown(&world), Some(expected), "after {played} plies");
        let summary = &world.venue.line.public().game("g1").unwrap().summary;
        assert!(summary.clock.is_none_or(|clock| clock.running.is_none()), "it stands still");
        assert_eq!(summary.behind.map(|behind| behind.plies), Some(2));
    }
    world.take(&Step::Status);
    world.take(&Step::Restart);
    world.refill();
    assert_eq!(shown(&world), Some(2), "after a restart");
    world.take(&Step::Next);
    assert_eq!(shown(&world), Some(4), "it is over");
}

/// A venue that starts when a game is long over shows it at once, and one in play up to where it may be known.
#[test]
fn a_restart_goes_on_where_it_was() {
    let mut world = World::new("15m", 0);
    (0..20).for_each(|_| world.take(&Step::Move(60)));
    let before = world.venue.line.public().game("g1").unwrap().summary.ply_count;
    assert_eq!(before, 20 - 15);
    let status = world.desk.status(true);
    world.publish([status]);
    world.restart();
    world.refill();
    assert_eq!(world.venue.line.public().game("g1").unwrap().summary.ply_count, before);
}

/// A venue that has only the end of one game, and all of the next, shows the next.
#[test]
fn a_game_does_not_wait_behind_the_middle_of_another() {
    let (mut desk, moves) = (Desk::new("b1"), game(0));
    let _ = desk.begin("g1", "1", "甲", "乙");
    let mut all = desk.play(moves[0]);
    all.extend(desk.begin("g2", "1", "甲", "乙"));
    moves.iter().take(4).for_each(|mv| all.extend(desk.play(*mv)));
    let mut live = Replica::new();
    let mut line = DelayLine::new(Delays::new(["2plies".parse().unwrap()]));
    let now = Moment { up_ms: 1, utc_ms: MORNING };
    for Publication { topic, payload, .. } in all.iter().filter(|one| !one.retained) {
        live.apply(topic, payload.as_bytes()).unwrap();
        let published = Published { topic, payload: payload.as_bytes(), retained: false };
        line.take(now, published, &live).unwrap();
    }
    assert_eq!(live.game("g2").map(|view| view.summary.ply_count), Some(4));
    assert_eq!(line.public().game("g2").map(|view| view.summary.ply_count), Some(2));
}

/// A result that is withdrawn before the time is over reveals no ply. One that stood for so long has, and goes when the time is
/// over; no ply comes of that, and what has been shown stays.
#[test]
fn a_withdrawn_result_does_not_stay() {
    for (stood, at_once, later) in [(30, (2, false), [3, 4, 5]), (90, (4, true), [4, 4, 5])] {
        let mut world = World::new("60s+2plies", 0);
        let shown = |world: &World| {
            let summary = &world.venue.line.public().game("g1").unwrap().summary;
            (summary.ply_count, summary.result.is_some())
        };
        (0..4).for_each(|_| world.take(&Step::Move(1)));
        let resigned = world.desk.resign();
        world.publish(resigned);
        world.pass(stood);
        let reopened = world.desk.reopen();
        world.publish(reopened);
        world.pass(30);
        assert_eq!(shown(&world), at_once, "the result, in its time, stood {stood} s");
        world.pass(30);
        assert_eq!(shown(&world), (at_once.0, false), "withdrawn, in its time");
        world.take(&Step::Status);
        world.take(&Step::Restart);
        world.refill();
        assert_eq!(shown(&world), (at_once.0, false), "after a restart");
        for (played, expected) in (5..).zip(later) {
            world.take(&Step::Move(1));
            world.pass(60);
            assert_eq!(shown(&world), (expected, false), "after {played} plies, stood {stood} s");
        }
    }
}

/// Where lines are missing a snapshot withdraws the result.
#[test]
fn a_snapshot_withdraws_a_result() {
    let (mut desk, moves) = (Desk::new("b1"), game(0));
    let mut venue = Venue::new(&Delays::new(["2plies".parse().unwrap()]), 0);
    let mut take = |publications: &[Publication], shown: (usize, bool)| {
        publications.iter().for_each(|one| venue.deliver(1, one, false));
        let summary = &venue.line.public().game("g1").unwrap().summary;
        assert_eq!((summary.ply_count, summary.result.is_some()), shown);
    };
    take(&desk.begin("g1", "1", "甲", "乙"), (0, false));
    take(&[desk.play(moves[0]), desk.resign().to_vec()].concat(), (1, true));
    let [_lost, snapshot] = desk.reopen();
    take(&[snapshot], (1, false));
    let played = desk.play(moves[1]);
    take(&played[1..], (1, false));
}

/// A spare board has taken another one's name and begun a new journal. A venue that is started then finds a game with higher
/// lines than the one that is played, which waits for its plies all the same.
#[test]
fn a_spare_board_is_not_early_after_a_restart() {
    let (mut desk, mut spare, moves) = (Desk::new("b1"), Desk::new("b1"), game(0));
    desk.set_us(90_000_000_000);
    let _ = desk.begin("g1", "1", "甲", "乙");
    moves.iter().take(10).for_each(|mv| drop(desk.play(*mv)));
    spare.set_us(1_000_000);
    let _ = spare.begin("g2", "1", "甲", "乙");
    moves.iter().take(4).for_each(|mv| drop(spare.play(*mv)));
    let kept = [spare.status(true), spare.again(), desk.again()];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
        let mut venue = Venue::new(&Delays::new(["2plies".parse().unwrap()]), 0);
        order.iter().for_each(|one| venue.deliver(1, &kept[*one], true));
        assert_eq!(venue.line.public().game("g2").map(|view| view.summary.ply_count), None, "{order:?}");
        assert_eq!(venue.live.game("g2").map(|view| view.summary.ply_count), Some(4));
    }
}
