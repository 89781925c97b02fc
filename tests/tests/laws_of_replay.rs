//! Laws of reading evidence: the same twice, a prefix when cut, unchanged by glitches, bounded whatever hands do.

use std::io::Cursor;

use proptest::prelude::*;
use referee::{Config, Happening, IncidentKind, Input, Observer};
use replay::{Replay, Report};
use sense::{Debounce, Frame, Uptime};
use tests::Dice;
use trace::Observation;
use twin::{GameRecord, Played, Style};
use xiangqi::{Bitboard, Color, Move, Position, Square};

/// The most readings that one change may cost, and the most that may be held: so many for each of the 64 histories.
const WORK: u64 = 64 * 32;
const HELD: usize = 64 * 128;

fn played(index: usize, style: Style, seed: u64) -> Played {
    let records = GameRecord::shipped();
    records[index % records.len()].game.play(style, seed)
}

fn report(played: &Played, lines: usize) -> Report {
    let mut replay = Replay::new(&played.header).expect("the twin writes good headers");
    played.observations[..lines].iter().for_each(|observation: &Observation| replay.observe(observation));
    replay.end("twin")
}

#[test]
fn a_replay_is_the_same_twice_and_as_a_file() {
    for (index, style) in Style::ALL.into_iter().enumerate() {
        let game = played(index, style, 40 + index as u64);
        let mut writer = trace::Writer::new(Vec::new(), &game.header).unwrap();
        game.observations.iter().for_each(|observation| writer.write(observation).unwrap());
        let bytes = writer.finish().unwrap();
        let read = trace::Reader::new(Cursor::new(bytes)).and_then(|reader| replay::replay("twin", reader));
        assert_eq!(report(&game, game.observations.len()), read.unwrap(), "{style}");
    }
}

/// What the hands did, by a board's own count of time: moves, and incidents with their moment after the first reading.
fn told(game: &Played, first: u64) -> (Vec<Move>, Vec<(u64, String)>) {
    let config = Config::of_header(None, game.header.clock.as_deref()).expect("the twin writes good headers");
    let start = Position::standing(game.header.start).expect("a position");
    let mut observer = Observer::new(config, Debounce::default(), start);
    let mut incidents = Vec::new();
    for observation in &game.observations {
        let at = observation.at.plus_us(first);
        match observation.sensed {
            trace::Sensed::Closed(frame) => observer.frame(at, frame),
            trace::Sensed::Press(side) => observer.input(at, Input::Press(side)),
            _ => {}
        }
        while let Some(event) = observer.poll_event() {
            if let Happening::Incident(incident) = event.what {
                incidents.push((event.us - first, format!("{incident:?}")));
            }
        }
    }
    (observer.referee().moves().to_vec(), incidents)
}

/// A board counts its time since it was switched on, a trace since it began: both tell the same.
#[test]
fn a_game_that_begins_late_tells_the_same() {
    for (index, style) in Style::ALL.into_iter().enumerate() {
        for seed in 0..12 {
            let game = played(index, style, seed);
            assert_eq!(told(&game, 0), told(&game, 5_000_000_000), "{style}, seed {seed}");
        }
    }
}

/// Presses that are read up to 4 ms before the reed that their move closed last, as a board that is scanned slowly reads them.
fn press_as_it_lands(game: &Played, dice: &mut Dice) -> Vec<Observation> {
    let (mut closed, mut landed) = (Bitboard::FULL, Uptime::ZERO);
    let mut moved: Vec<Observation> = Vec::new();
    for observation in &game.observations {
        let mut observation = observation.clone();
        match observation.sensed {
            trace::Sensed::Closed(frame) => {
                if !(frame.closed & !closed).is_empty() {
                    landed = observation.at;
                }
                closed = frame.closed;
            }
            trace::Sensed::Press(_) => {
                let early = landed.as_us().saturating_sub(dice.below(4_000) as u64);
                observation.at = Uptime::from_us(early);
            }
            _ => {}
        }
        moved.push(observation);
    }
    moved.sort_by_key(|observation| observation.at);
    moved
}

#[test]
fn a_press_that_is_read_before_the_reed_changes_no_move() {
    for style in [Style::Clean, Style::Slides, Style::Blitz] {
        let mut dice = Dice::new(7);
        let (mut plies, mut told) = (0, 0);
        for seed in 0..24 {
            let game = played(seed as usize, style, seed);
            let mut replay = Replay::new(&game.header).expect("the twin writes good headers");
            press_as_it_lands(&game, &mut dice).iter().for_each(|observation| replay.observe(observation));
            let moves = replay.end("early").moves;
            assert!(game.truth.moves.starts_with(&moves), "{style}, seed {seed}: {moves:?}");
            plies += game.truth.moves.len();
            told += moves.len();
        }
        assert!(told * 100 >= plies * 98, "{style}: {told} of {plies} plies");
    }
}

/// A recorder that writes what differs from the start, and nothing before that, tells the same.
#[test]
fn a_first_reading_that_is_not_written_is_not_missed() {
    for (index, style) in Style::ALL.into_iter().enumerate() {
        for seed in 0..6 {
            let mut game = played(index + seed, style, seed as u64);
            let whole = report(&game, game.observations.len());
            let start = Position::standing(game.header.start).expect("a position").board().occupied();
            let first = game.observations.remove(0);
            if first.sensed == trace::Sensed::Closed(Frame::new(start)) {
                assert_eq!(whole, report(&game, game.observations.len()), "{style}, seed {seed}");
            }
        }
    }
}

/// A board that shows something else than the start from its first reading on: said once, with the points, and when it is
/// put right.
#[test]
fn a_start_that_is_not_there_is_said() {
    let check = |changed: &[&str], then: &[(u64, &[&str])], expected: &[(u64, IncidentKind, usize)]| {
        let header = trace::Header::new(*Position::initial().setup(), 1000);
        let mut replay = Replay::new(&header).expect("a good header");
        let mut closed = Position::initial().board().occupied();
        for (at, squares) in [(0, changed)].iter().chain(then) {
            squares.iter().for_each(|square| closed ^= Bitboard::of(square.parse().expect("a square")));
            let sensed = trace::Sensed::Closed(Frame::new(closed));
            replay.observe(&Observation { at: Uptime::from_ms(*at), sensed });
        }
        let report = replay.end("start");
        let said: Vec<_> = report.incidents.iter().map(|i| (i.us / 1000, i.kind, i.squares.len())).collect();
        assert_eq!(said, expected, "{changed:?}, {then:?}");
        assert_eq!(report.moves, [], "{changed:?}");
    };
    let (displaced, restored) = (IncidentKind::Displaced, IncidentKind::Restored);
    check(&[], &[], &[]);
    check(&["a0"], &[], &[(20_000, displaced, 1)]);
    check(&["a0", "e5"], &[], &[(5_000, displaced, 2)]);
    check(&["a0", "e5", "d5"], &[], &[(5_000, displaced, 3)]);
    check(&["a0", "e5", "d5", "c5"], &[], &[(20_000, displaced, 4)]);
    check(&["a0", "e5"], &[(9_000, &["a0", "e5"])], &[(5_000, displaced, 2), (9_005, restored, 0)]);
    check(&["a0", "e5"], &[(2_000, &["a0", "e5"])], &[]);
    // An arbiter's table: nothing stands on it yet, and then everything does.
    let rows = |ranks: [&str; 2]| -> Vec<String> {
        ranks.iter().flat_map(|rank| ('a'..='i').map(move |file| format!("{file}{rank}"))).collect()
    };
    let rows = rows(["0", "9"]);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&rows, &[(15_000, &rows)], &[]);
    check(&rows, &[], &[(20_000, displaced, 18)]);
}

/// Hands that lift and set pieces at random, a press thrown in here and there; at most `aloft` pieces are off the board.
/// Tells the most work that one change caused, and the most that was held at once.
fn go_mad(aloft: u32, changes: u64) -> (u64, usize) {
    let start = Position::initial();
    let config = Config { clock: true, ..Config::default() };
    let mut observer = Observer::new(config, Debounce::default(), start);
    let mut closed = start.board().occupied();
    observer.frame(Uptime::ZERO, Frame::new(closed));
    let mut dice = Dice::new(1);
    let (mut most, mut held) = (0, 0);
    for change in 1..changes {
        let now = Uptime::from_ms(change * 20 + dice.below(10) as u64);
        if dice.below(50) == 0 {
            let side = if dice.below(2) == 0 { Color::Red } else { Color::Black };
            observer.input(now, Input::Press(side));
        }
        let square = Square::new(dice.below(90)).expect("one of ninety");
        let crowded = closed.count() >= 32 && !closed.contains(square);
        let bare = closed.count() + aloft <= 32 && closed.contains(square);
        let before = observer.referee().work();
        if !crowded && !bare {
            closed ^= Bitboard::of(square);
            observer.frame(now, Frame::new(closed));
        }
        let readings = observer.referee().readings(now);
        assert!(!readings.is_empty() && readings.len() <= 64, "{} histories", readings.len());
        most = most.max(observer.referee().work() - before);
        held = held.max(observer.referee().held());
        while observer.poll_event().is_some() {}
    }
    (most, held)
}

/// Time is measured by `cargo bench -p tests --bench inference`; this is the work that takes it.
#[test]
fn hands_that_go_mad_are_followed_at_bounded_cost() {
    for (aloft, changes) in [(32, 10_000), (1, 2_000), (4, 2_000)] {
        let (work, held) = go_mad(aloft, changes);
        assert!(work <= WORK, "{aloft} pieces off: {work} readings for one change");
        assert!(held <= HELD, "{aloft} pieces off: {held} things held");
    }
}

/// Four hundred plies hold no more than forty: what is settled is forgotten.
#[test]
fn a_long_game_holds_no_more_than_a_short_one() {
    let to_and_fro = ["h0g2", "h9g7", "g2h0", "g7h9"].map(|mv| mv.parse::<Move>().expect("a move"));
    let moves: Vec<Move> = to_and_fro.into_iter().cycle().take(400).collect();
    let game = twin::Game::new(Position::initial(), moves).expect("legal moves").play(Style::Slides, 5);
    let config = Config::of_header(None, game.header.clock.as_deref()).expect("the twin writes good headers");
    let mut observer = Observer::new(config, Debounce::default(), Position::initial());
    let (mut early, mut late) = (0, 0);
    for observation in &game.observations {
        match observation.sensed {
            trace::Sensed::Closed(frame) => observer.frame(observation.at, frame),
            trace::Sensed::Press(side) => observer.input(observation.at, Input::Press(side)),
            _ => {}
        }
        while observer.poll_event().is_some() {}
        let held = observer.referee().held();
        let most = if observer.referee().moves().len() < 40 { &mut early } else { &mut late };
        *most = held.max(*most);
    }
    assert!(observer.referee().moves().len() >= 399, "{} plies", observer.referee().moves().len());
    assert!(late <= 2 * early, "{early} things at first, {late} later");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A trace cut anywhere tells a prefix of what the whole trace tells.
    #[test]
    fn a_cut_trace_tells_a_prefix(style in 0usize..8, index in 0usize..60, seed in 0u64..1000, cut in 0.0f64..1.0) {
        let game = played(index, Style::ALL[style], seed);
        let lines = (game.observations.len() as f64 * cut) as usize;
        let whole: Vec<Move> = report(&game, game.observations.len()).moves;
        let part: Vec<Move> = report(&game, lines).moves;
        prop_assert!(whole.starts_with(&part), "{}: {:?} then {:?}", Style::ALL[style], part.last(), whole.get(part.len() - 1));
    }

    /// Glitches of single samples delay at most; they never change a committed move.
    #[test]
    fn noise_changes_no_committed_move(index in 0usize..60, seed in 0u64..1000, glitches in prop::collection::vec((0.0f64..1.0, 0usize..90), 1..60)) {
        let mut game = played(index, Style::Clean, seed);
        let truth = game.truth.moves.clone();
        let mut at: Vec<(usize, usize)> = glitches.iter().map(|(place, square)| ((game.observations.len() as f64 * place) as usize, *square)).collect();
        at.sort_unstable_by(|a, b| b.cmp(a));
        for (line, square) in at {
            glitch(&mut game.observations, line, square);
        }
        let moves = report(&game, game.observations.len()).moves;
        prop_assert!(truth.starts_with(&moves), "{:?} instead of {:?}", moves.iter().zip(&truth).find(|(a, b)| a != b), truth.len());
    }
}

/// One reed reads the opposite for a millisecond after that line.
fn glitch(observations: &mut Vec<Observation>, line: usize, square: usize) {
    let trace::Sensed::Closed(frame) = observations[line].sensed else { return };
    let begin = observations[line].at.plus_us(1_000);
    let end = begin.plus_us(1_000);
    if observations.get(line + 1).is_some_and(|next| next.at <= end) {
        return;
    }
    let flipped = Frame::new(frame.closed ^ Bitboard::of(Square::new(square).expect("one of ninety")));
    let seen = |at, frame| Observation { at, sensed: trace::Sensed::Closed(frame) };
    observations.splice(line + 1..line + 1, [seen(begin, flipped), seen(end, frame)]);
}
