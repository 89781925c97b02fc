//! `luozi self-test`: walks the ninety points of a board and says which wire to look at.

use std::fmt::Write as _;
use std::path::PathBuf;

use calibration::{Diagnosis, SelfTest, Task};
use sense::{Matrix, Orientation, ReedMatrix, Uptime};
use twin::{Bench, WiringFault};
use xiangqi::Bitboard;

use crate::outcome::{Answer, Failure, Outcome};
use crate::wired_board::{Wired, WiredArgs};

/// Check the wiring and the reeds of this board: put a piece on every point as it asks for it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Enter says that a piece was put and nothing was sensed; q ends the test with what was found.\n\
    Exit status: 0 all points are good, 1 something is wrong, 2 the board cannot be read."
)]
pub struct Args {
    #[command(flatten)]
    wired: WiredArgs,
    /// Test a simulated board with simulated hands
    #[arg(long)]
    simulated: bool,
    /// What is wrong with the simulated board, as open:e4 or rows-bridged:3,4; may be repeated
    #[arg(long, value_name = "FAULT", requires = "simulated")]
    fault: Vec<WiringFault>,
    /// Throws the bounces of the simulated reeds
    #[arg(long, default_value_t = 1, requires = "simulated")]
    seed: u64,
    /// Where the report is written [default: standard output]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs until all points were walked, or somebody ends it.
pub fn run(args: &Args) -> Outcome {
    let wired = args.wired.read()?;
    let mut test = SelfTest::new(wired.profile.debounce());
    if args.simulated {
        walk_simulated(&mut test, args);
    } else {
        walk(&mut test, &wired)?;
    }
    let diagnosis = test.diagnosis();
    let report = if args.json { json(&wired, &test, &diagnosis) } else { text(&wired, &test, &diagnosis) };
    match &args.report {
        Some(path) => std::fs::write(path, report)
            .map_err(|e| Failure::new(format_args!("--report {}: {e}", path.display())))?,
        None => std::io::Write::write_all(&mut std::io::stdout(), report.as_bytes())?,
    }
    Ok(Answer::from_bool(diagnosis.faults.is_empty() && diagnosis.untested.is_empty()))
}

/// From scan to scan.
const PERIOD_US: u64 = 1_000;
/// Simulated hands wait so long for an answer before they say that there is none.
const PATIENCE_US: u64 = 1_000_000;

/// Simulated hands do what they are asked, on a board whose pins are the twin's.
fn walk_simulated(test: &mut SelfTest, args: &Args) {
    let bench = Bench::new(args.fault.clone(), args.seed);
    let mut matrix =
        Matrix::new(bench.rows(), bench.columns(), bench.delay(), 20_000, Orientation::RedAtRowZero);
    let mut asked = None;
    let mut asked_at = Uptime::ZERO;
    while test.task() != Task::Done {
        if asked != Some(test.task()) {
            asked = Some(test.task());
            asked_at = bench.now();
            match test.task() {
                Task::Clear => bench.cover(Bitboard::EMPTY),
                Task::Put(square) => bench.cover(bench.covered().with(square)),
                Task::Done => {}
            }
        }
        bench.wait_until(bench.now().plus_us(PERIOD_US));
        let now = bench.now();
        let Ok(frame) = matrix.scan();
        test.sample(now, frame);
        if asked == Some(test.task()) && now.us_since(asked_at) > PATIENCE_US {
            test.confirm();
        }
    }
}

#[cfg(not(feature = "rpi"))]
fn walk(_: &mut SelfTest, _: &Wired) -> Result<(), Failure> {
    Err(Failure::new("this luozi was built without the pins of a Raspberry Pi; expected --simulated"))
}

/// Somebody does what he is asked on the terminal.
#[cfg(feature = "rpi")]
fn walk(test: &mut SelfTest, wired: &Wired) -> Result<(), Failure> {
    use boardd::Clock;
    let mut reeds = boardd::rpi::reeds(&wired.profile, &wired.map).map_err(Failure::new)?;
    let mut clock = boardd::rpi::Monotonic::default();
    let (say, said) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if say.send(line).is_err() {
                return;
            }
        }
    });
    let mut asked = None;
    let mut failures = 0;
    while test.task() != Task::Done {
        if asked != Some(test.task()) {
            asked = Some(test.task());
            match test.task() {
                Task::Clear => eprintln!("Take every piece off."),
                Task::Put(square) => eprintln!("Put a piece on {square}."),
                Task::Done => {}
            }
        }
        let at = clock.now_us() + PERIOD_US;
        clock.wait_until_us(at);
        match reeds.scan() {
            Ok(frame) => {
                failures = 0;
                test.sample(Uptime::from_us(clock.now_us()), frame);
            }
            Err(error) => {
                failures += 1;
                // A second of nothing is no glitch.
                if failures > 1_000 {
                    return Err(Failure::new(format_args!("the reeds cannot be read: {error}")));
                }
            }
        }
        match said.try_recv().as_deref() {
            Ok("q") => return Ok(()),
            Ok(_) => test.confirm(),
            Err(_) => {}
        }
    }
    Ok(())
}

fn text(wired: &Wired, test: &SelfTest, diagnosis: &Diagnosis) -> String {
    let profile = &wired.profile;
    let mut text = format!("self-test of {}, {:?} variant\n", profile.board, profile.variant);
    let tested = 90 - diagnosis.untested.count();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{tested} points walked, {} good", diagnosis.good.count());
    let slowest = slowest_us(test);
    let _ = writeln!(text, "longest bounce {slowest} us; a point is settled after {} us", profile.settle_us);
    for fault in &diagnosis.faults {
        let _ = writeln!(text, "{fault}\n    {}", fault.explain(&wired.map, profile.variant));
    }
    text
}

fn json(wired: &Wired, test: &SelfTest, diagnosis: &Diagnosis) -> String {
    let fault = |fault: &calibration::Fault| {
        let look = fault.explain(&wired.map, wired.profile.variant);
        serde_json::json!({ "fault": fault.to_string(), "look": look })
    };
    let names = |points: Bitboard| points.map(|square| square.to_string()).collect::<Vec<_>>();
    let report = serde_json::json!({
        "board": wired.profile.board,
        "variant": wired.profile.variant,
        "good": diagnosis.good.count(),
        "untested": names(diagnosis.untested),
        "longest_bounce_us": slowest_us(test),
        "faults": diagnosis.faults.iter().map(fault).collect::<Vec<_>>(),
    });
    format!("{report}\n")
}

fn slowest_us(test: &SelfTest) -> u64 {
    test.found().answers.iter().flatten().map(|answer| answer.settling_us).max().unwrap_or(0)
}
