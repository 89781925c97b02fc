//! What a frame costs, in instructions counted by callgrind: the same on every machine, whatever else it does. From the
//! reading to the record; the accesses to the pins themselves are not in it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::env;
use std::process::Command;

use boardd::{Buttons, ScannedBoard, Sensing, Source, Table, usual_header};
use embedded_hal_mock::eh1::digital::Mock;
use sense::{Frame, ReedMatrix, Uptime};
use tests::Impatient;
use xiangqi::{Bitboard, Position, Square};

/// What a counted process has to do.
const WORK: &str = "LUOZI_COUNTED_FRAMES";

/// Reeds that say what they are told; the last reading stands.
struct Told(VecDeque<Frame>);

impl ReedMatrix for Told {
    type Error = Infallible;

    fn scan(&mut self) -> Result<Frame, Infallible> {
        let last = *self.0.front().expect("a reading");
        if self.0.len() > 1 {
            self.0.pop_front();
        }
        Ok(last)
    }
}

/// A board that is scanned so many times after its game has begun. A changing board has one piece lifted or put back
/// every twenty scans: nobody is quicker.
fn scan(scans: u64, changing: bool) {
    let stands = Position::initial().board().occupied();
    let lifted = stands & !Bitboard::of("b0".parse::<Square>().unwrap());
    let begins = 3_100;
    let mut frames: VecDeque<Frame> = VecDeque::new();
    if changing {
        let frame = |scan: u64| Frame::new(if (scan / 20).is_multiple_of(2) { stands } else { lifted });
        frames.extend((0..begins).map(|_| Frame::new(stands)));
        frames.extend((0..scans).map(frame));
    }
    frames.push_back(Frame::new(stands));
    let buttons = Buttons::<Mock>::new([]);
    let mut board = ScannedBoard::new(
        Told(frames),
        buttons,
        Impatient::default(),
        Bitboard::EMPTY,
        usual_header("a", None),
    );
    board.start(Uptime::ZERO, None);
    let mut table = None;
    let end = Uptime::from_ms(begins + scans);
    loop {
        let now = match board.next(table.as_ref().and_then(Table::deadline)) {
            Sensing::Game(header) => {
                table = Some(Table::new(&header));
                continue;
            }
            Sensing::Observed(observation) => {
                if let Some(table) = &mut table {
                    table.take(&observation);
                }
                observation.at
            }
            Sensing::Quiet(now) => {
                if let Some(table) = &mut table {
                    table.advance(now);
                }
                now
            }
            Sensing::Order(..) | Sensing::Ended => return,
        };
        while table.as_mut().is_some_and(|table| table.poll_record().is_some()) {}
        if now >= end {
            assert!(table.is_some(), "the game began");
            return;
        }
    }
}

/// The work of a process that is counted; in other runs there is none.
#[test]
fn counted_work() {
    let Ok(work) = env::var(WORK) else { return };
    let (kind, scans) = work.split_once(':').expect("a kind and a number");
    scan(scans.parse().expect("a number"), kind == "changing");
}

/// Instructions of this test binary while it scans, as callgrind counts them.
fn instructions(kind: &str, scans: u64) -> Option<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().expect("this binary"))
        .args(["--exact", "counted_work", "--test-threads=1"])
        .env(WORK, format!("{kind}:{scans}"))
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let counted = said.lines().find_map(|line| line.split_once("Collected : "))?;
    Some(counted.1.trim().parse().expect("a number of instructions"))
}

fn per_scan(kind: &str, few: u64, many: u64) -> Option<f64> {
    Some((instructions(kind, many)? - instructions(kind, few)?) / (many - few) as f64)
}

#[test]
fn a_frame_costs_no_more_than_is_allowed() {
    let Some(still) = per_scan("still", 4_000, 24_000) else {
        println!("skipped: valgrind is not installed (apt-get install valgrind)");
        return;
    };
    let changing = per_scan("changing", 4_000, 8_000).expect("valgrind ran a moment ago");
    // One scan in twenty has a change; the rest are still.
    let changed = (changing - still) * 20.0 + still;
    println!("unchanged frame {still:.0} instructions, changed frame {changed:.0}");
    // Limits against regression: docs/performance.md has what was measured.
    assert!(still < 1_000.0, "an unchanged frame costs {still:.0} instructions");
    assert!(changed < 20_000.0, "a changed frame costs {changed:.0} instructions");
}
