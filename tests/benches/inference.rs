//! How long inference takes: for one change of hands that do anything, and for an hour of blitz.
//!
//! `cargo bench -p tests --bench inference`. Exits 1 if 99 of 100 changes take a millisecond or more, or if the hour takes
//! more than a second.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use referee::{Config, Input, Observer};
use sense::{Debounce, Frame, Uptime};
use tests::Dice;
use trace::Sensed;
use twin::{GameRecord, Played, Style};
use xiangqi::{Bitboard, Color, Position, Square};

const CHANGES: usize = 10_000;
const HOUR_US: u64 = 3_600_000_000;

/// The time that each change takes, least first, while hands lift and set at random; at most `aloft` pieces are in the air.
fn changes(aloft: u32, presses: bool) -> Vec<Duration> {
    let start = Position::initial();
    let config = Config { clock: true, ..Config::default() };
    let mut observer = Observer::new(config, Debounce::default(), start);
    let mut closed = start.board().occupied();
    observer.frame(Uptime::ZERO, Frame::new(closed));
    let mut dice = Dice::new(1);
    let mut now_ms = 0;
    let mut took = Vec::with_capacity(CHANGES);
    while took.len() < CHANGES {
        now_ms += 40 + dice.below(300) as u64;
        if presses && dice.once_in(20) {
            let side = if dice.once_in(2) { Color::Red } else { Color::Black };
            observer.input(Uptime::from_ms(now_ms), Input::Press(side));
            now_ms += 20;
        }
        let square = Square::new(dice.below(Square::COUNT)).expect("one of ninety");
        let standing = closed.count();
        let possible = if closed.contains(square) { standing + aloft > 32 } else { standing < 32 };
        if !possible {
            continue;
        }
        closed ^= Bitboard::of(square);
        let begin = Instant::now();
        observer.frame(Uptime::from_ms(now_ms), Frame::new(closed));
        observer.advance(Uptime::from_ms(now_ms + 20));
        while observer.poll_event().is_some() {}
        took.push(begin.elapsed());
    }
    took.sort_unstable();
    took
}

/// How long a game takes that is read from a frame every millisecond.
fn frame_by_frame(played: &Played) -> Duration {
    let config = Config::of_header(None, played.header.clock.as_deref()).expect("a good header");
    let start = Position::standing(played.header.start).expect("a position");
    let begin = Instant::now();
    let mut observer = Observer::new(config, Debounce::default(), start);
    let (mut shown, mut ms) = (None, 0);
    for observation in &played.observations {
        while let Some(frame) = shown.filter(|_| (ms + 1) * 1000 < observation.at.as_us()) {
            ms += 1;
            observer.frame(Uptime::from_ms(ms), frame);
        }
        match observation.sensed {
            Sensed::Closed(frame) => {
                shown = Some(frame);
                observer.frame(observation.at, frame);
                ms = ms.max(observation.at.as_us() / 1000);
            }
            Sensed::Press(side) => observer.input(observation.at, Input::Press(side)),
            _ => {}
        }
        while observer.poll_event().is_some() {}
    }
    begin.elapsed()
}

fn main() -> ExitCode {
    let mut well = true;
    for (aloft, presses) in [(1, false), (1, true), (4, true), (32, false), (32, true)] {
        let took = changes(aloft, presses);
        let at = |percent: usize| took[(took.len() - 1) * percent / 100];
        let (half, most, all) = (at(50), at(99), at(100));
        println!("{aloft:2} aloft, presses {presses:5}: half {half:?}, 99 % {most:?}, all {all:?}");
        well &= aloft < 32 || most < Duration::from_millis(1);
    }
    let (mut played_us, mut took, mut games) = (0, Duration::ZERO, 0);
    for (seed, record) in (0..).zip(GameRecord::shipped().iter().cycle()) {
        if played_us >= HOUR_US {
            break;
        }
        let played = record.game.play(Style::Blitz, seed);
        played_us += played.observations.last().map_or(0, |last| last.at.as_us());
        took += frame_by_frame(&played);
        games += 1;
    }
    println!("an hour of blitz, {games} games, a frame every millisecond: {took:?}");
    if well && took < Duration::from_secs(1) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
