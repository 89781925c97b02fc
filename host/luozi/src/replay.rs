//! `luozi replay`: what traces tell, read offline exactly as the daemon would have.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use replay::Report;
use trace::Reader;
use xiangqi::law::edition::Edition;

use crate::outcome::{Answer, Failure, Outcome};
use crate::rules;

/// So many traces deserve a progress bar.
const MANY: usize = 10;

/// Interpret sensor traces offline, exactly as the daemon would have. A trace that cannot be read does not stop the others.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The traces; a name that ends in .gz is gzip
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// One JSON object a trace instead of text
    #[arg(long)]
    json: bool,
    /// The rules, whatever the traces say: an edition (cxa-1999, cxa-2010, cxa-2020 or wxf-2018), or a TOML file with an
    /// event's values
    #[arg(long, value_name = "EDITION", value_parser = rules::parse)]
    rules: Option<Edition>,
}

/// Reads every trace and writes what it tells.
pub fn run(args: &Args) -> Outcome {
    let bar = if args.traces.len() >= MANY { progress(args.traces.len()) } else { ProgressBar::hidden() };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut unreadable = Vec::new();
    for path in &args.traces {
        match read(path, args.rules.as_ref()) {
            Ok(report) => write_report(&mut out, args.json, &report)?,
            Err(line) => {
                bar.suspend(|| eprintln!("luozi: {line}"));
                unreadable.push(line);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    out.flush()?;
    match &unreadable[..] {
        [] => Ok(Answer::Yes),
        [_] if args.traces.len() == 1 => Err(Failure::Said),
        lines => Err(Failure::new(format_args!(
            "{} of {} traces could not be read",
            lines.len(),
            args.traces.len()
        ))),
    }
}

fn read(path: &Path, rules: Option<&Edition>) -> Result<Report, String> {
    let name = path.display().to_string();
    let report = Reader::open(path).and_then(|reader| replay::replay_by(&name, reader, rules));
    report.map_err(|error| format!("{name}: {error}"))
}

fn write_report(out: &mut impl Write, json: bool, report: &Report) -> Result<(), Failure> {
    if json {
        serde_json::to_writer(&mut *out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(())
}

fn progress(traces: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} traces, {eta} left");
    ProgressBar::new(traces as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
