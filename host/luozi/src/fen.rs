//! `luozi fen --check`: which positions can be, and every reason why the others cannot.

use std::io::{self, BufRead, BufWriter, Write};

use serde::Serialize;
use xiangqi::{ParsePositionError, Position};

use crate::outcome::{Answer, Failure, Outcome};

/// Check positions: FENs on standard input, one a line. Exits with 1 if one of them cannot be.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Check that each is well formed and a possible position
    #[arg(long, required = true)]
    check: bool,
    /// One JSON object a line instead of text
    #[arg(long)]
    json: bool,
}

/// The verdict on one line as JSON.
#[derive(Serialize)]
struct Verdict<'a> {
    fen: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<String>>,
}

/// Answers every line of standard input with one line.
pub fn run(args: &Args) -> Outcome {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut all_ok = true;
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        let fen = line.map_err(|e| Failure::new(format_args!("standard input, line {number}: {e}")))?;
        let verdict = fen.parse::<Position>();
        all_ok &= verdict.is_ok();
        write_verdict(&mut out, args.json, &fen, &verdict)?;
    }
    out.flush()?;
    Ok(Answer::from_bool(all_ok))
}

fn write_verdict(
    out: &mut impl Write,
    json: bool,
    fen: &str,
    verdict: &Result<Position, ParsePositionError>,
) -> Result<(), Failure> {
    if json {
        let canonical = verdict.as_ref().ok().copied();
        let reasons = verdict.as_ref().err().map(ParsePositionError::reasons);
        serde_json::to_writer(&mut *out, &Verdict { fen, ok: verdict.is_ok(), canonical, reasons })?;
        writeln!(out)?;
        return Ok(());
    }
    match verdict {
        Ok(position) => writeln!(out, "ok  {position}")?,
        Err(error) => writeln!(out, "bad {}: {fen}", error.reasons().join(", "))?,
    }
    Ok(())
}
