//! `luozi self-test`: walks the ninety points of a board and says which wire to look at.

use std::fmt::Write as _;
use std::path::PathBuf;

use calibration::{Diagnosis, SelfTest};
use xiangqi::Bitboard;

use crate::guide::{self, BenchArgs};
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
    #[command(flatten)]
    bench: BenchArgs,
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
    guide::lead(&mut test, &wired, &args.bench)?;
    let diagnosis = test.diagnosis();
    let report = if args.json { json(&wired, &test, &diagnosis) } else { text(&wired, &test, &diagnosis) };
    match &args.report {
        Some(path) => std::fs::write(path, report)
            .map_err(|e| Failure::new(format_args!("--report {}: {e}", path.display())))?,
        None => std::io::Write::write_all(&mut std::io::stdout(), report.as_bytes())?,
    }
    Ok(Answer::from_bool(diagnosis.faults.is_empty() && diagnosis.untested.is_empty()))
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
