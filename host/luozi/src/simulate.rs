//! `luozi simulate`: plays real games, or a scenario, on the digital twin and writes what a board would sense as traces.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use twin::{GameRecord, Played, Scenario, Style};
use xiangqi::Move;

use crate::outcome::{Answer, Failure, Outcome};

/// Play games on the digital twin and write what a board would sense as traces.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Prints a JSON object a trace: its file, style, seed, and the moves that were really played."
)]
pub struct Args {
    /// Games to play: JSON lines with id, start_fen and moves; .gz is gzip [default: sixty real games]
    #[arg(long, value_name = "FILE", conflicts_with = "scenario")]
    games: Option<PathBuf>,
    /// A scenario to play instead of games
    #[arg(long, value_name = "FILE", conflicts_with_all = ["style", "count"])]
    scenario: Option<PathBuf>,
    /// Styles of hands and reeds, in turn [default: all eight]
    #[arg(long, value_name = "STYLE")]
    style: Vec<Style>,
    /// How many traces
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Seed of the first trace; each next one has the next seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for the traces
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write plain text instead of gzip
    #[arg(long)]
    plain: bool,
}

/// A written trace.
#[derive(Serialize)]
struct Line<'a> {
    trace: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    style: Option<&'a str>,
    seed: u64,
    moves: &'a [Move],
}

/// Plays and writes.
pub fn run(args: &Args) -> Outcome {
    fs::create_dir_all(&args.out).map_err(|e| about(&args.out, e))?;
    if let Some(file) = &args.scenario {
        let text = read(file)?;
        let scenario: Scenario = text.parse().map_err(|e| about(file, e))?;
        let played = scenario.play(args.seed).map_err(|e| about(file, e))?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        write(args, &format!("{stem}-{}", args.seed), &played, None, args.seed)?;
        return Ok(Answer::Yes);
    }
    let records = match &args.games {
        Some(file) => GameRecord::read_all(&read(file)?).map_err(|e| about(file, e))?,
        None => GameRecord::shipped(),
    };
    if records.is_empty() {
        return Err(Failure::new("--games: expected at least one game"));
    }
    let styles = if args.style.is_empty() { &Style::ALL[..] } else { &args.style };
    for index in 0..args.count {
        let record = &records[index as usize % records.len()];
        let style = styles[index as usize % styles.len()];
        let seed = args.seed.wrapping_add(index);
        let mut played = record.game.play(style, seed);
        played.header.game = Some(record.id.clone());
        write(args, &format!("{style}-{}-{seed}", record.id), &played, Some(style.name()), seed)?;
    }
    Ok(Answer::Yes)
}

fn about(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::new(format_args!("{}: {error}", path.display()))
}

fn read(file: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let mut opened = File::open(file).map_err(|e| about(file, e))?;
    let read = if file.extension().is_some_and(|ending| ending == "gz") {
        MultiGzDecoder::new(opened).read_to_string(&mut text)
    } else {
        opened.read_to_string(&mut text)
    };
    read.map_err(|e| about(file, e))?;
    Ok(text)
}

/// Writes a trace beside its place and moves it there when it is whole.
fn write(args: &Args, name: &str, played: &Played, style: Option<&str>, seed: u64) -> Result<(), Failure> {
    let ending = if args.plain { "ndjson" } else { "ndjson.gz" };
    let path = args.out.join(format!("{name}.{ending}"));
    let partial = args.out.join(format!("{name}.partial"));
    let written = || -> io::Result<()> {
        let file = BufWriter::new(File::create(&partial)?);
        if args.plain {
            lines(file, played)?;
        } else {
            lines(GzEncoder::new(file, Compression::default()), played)?.finish()?.flush()?;
        }
        fs::rename(&partial, &path)
    };
    written().map_err(|e| about(&path, e))?;
    let line = Line { trace: path.display().to_string(), style, seed, moves: &played.truth.moves };
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &line)?;
    writeln!(out)?;
    Ok(())
}

fn lines<W: Write>(out: W, played: &Played) -> io::Result<W> {
    let mut writer = trace::Writer::new(out, &played.header)?;
    for observation in &played.observations {
        writer.write(observation)?;
    }
    writer.finish()
}
