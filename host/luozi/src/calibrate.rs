//! `luozi calibrate`: measures the reeds of a board and writes its profile.

use std::fmt::Write as _;
use std::path::PathBuf;

use calibration::{BoardProfile, Calibration, NeedsRepair, Operation};
use xiangqi::{Bitboard, Square};

use crate::guide::{self, BenchArgs};
use crate::outcome::{Answer, Failure, Outcome};
use crate::wired_board::{Wired, WiredArgs};

/// Measure the reeds of this board and write its profile: put a piece on every point as it asks for it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Enter says that a piece was put and nothing was sensed; q ends it.\n\
    Exit status: 0 the profile was written, 1 the board needs repair first, 2 the board cannot be read.")]
pub struct Args {
    #[command(flatten)]
    wired: WiredArgs,
    #[command(flatten)]
    bench: BenchArgs,
    /// Where the new profile is written; may be the file given as --profile
    #[arg(long, value_name = "BOARD.toml")]
    out: PathBuf,
    /// What was measured at each point, one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Runs until all points were measured, or somebody ends it.
pub fn run(args: &Args) -> Outcome {
    let wired = args.wired.read()?;
    let mut calibration = Calibration::new();
    guide::lead(&mut calibration, &wired, &args.bench)?;
    if args.json {
        print!("{}", json(&calibration));
    }
    match calibration.profile(&wired.profile) {
        Ok(profile) => {
            std::fs::write(&args.out, format!("{}{}", profile.to_toml(), measured(&calibration)))
                .map_err(|e| Failure::new(format_args!("--out {}: {e}", args.out.display())))?;
            eprintln!("{}", summary(&profile));
            Ok(Answer::Yes)
        }
        Err(NeedsRepair(faults)) => {
            eprintln!("{}", refusal(&wired, &calibration, &faults));
            Ok(Answer::No)
        }
    }
}

fn names(points: impl IntoIterator<Item = Square>) -> String {
    let names: Vec<String> = points.into_iter().map(|square| square.to_string()).collect();
    names.join(" ")
}

fn summary(profile: &BoardProfile) -> String {
    let masked = match profile.masked.is_empty() {
        true => "no point is masked".to_owned(),
        false => format!("masked: {}", names(profile.masked.iter().copied())),
    };
    format!("a point is settled after {} us; {masked}", profile.settle_us)
}

/// Why there is no profile.
fn refusal(wired: &Wired, calibration: &Calibration, faults: &[calibration::Fault]) -> String {
    let mut text = "no profile was written; the board needs a hand first:".to_owned();
    for fault in faults {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{fault}: {}", fault.explain(&wired.map, wired.profile.variant));
    }
    let untested = calibration.diagnosis().untested;
    if untested != Bitboard::EMPTY {
        let _ = write!(text, "\nnot tried: {}", names(untested));
    }
    text
}

/// The slowest reeds as comments of the profile: one that gets slower from year to year is wearing out.
fn measured(calibration: &Calibration) -> String {
    let mut points: Vec<(u64, u64, Square)> = Square::all()
        .map(|square| (calibration.reed(square), square))
        .map(|(reed, square)| (reed.pause_us(), reed.bounce_us(), square))
        .collect();
    points.sort_unstable_by(|a, b| b.cmp(a));
    let mut text = "\n# Measured: the five slowest reeds.\n".to_owned();
    for (pause, bounce, square) in points.into_iter().take(5) {
        let _ = writeln!(text, "# {square}: bounces up to {bounce} us, pauses {pause} us within a bounce");
    }
    text
}

fn json(calibration: &Calibration) -> String {
    let operations = |all: &[Operation]| {
        let each = all.iter().map(|operation| {
            serde_json::json!({ "bounce_us": operation.bounce_us, "pause_us": operation.pause_us })
        });
        each.collect::<Vec<_>>()
    };
    let mut text = String::new();
    for square in Square::all() {
        let reed = calibration.reed(square);
        let line = serde_json::json!({
            "point": square.to_string(),
            "closing": operations(&reed.closing),
            "opening": operations(&reed.opening),
        });
        let _ = writeln!(text, "{line}");
    }
    text
}
