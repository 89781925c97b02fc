//! Plays many real games on the twin and compares what a replay tells with what was played.
//!
//! `cargo run --release -p tests --example long_run -- [--games N] [--style NAME]… [--seed N] [--file GAMES.jsonl[.gz]]`
//!
//! Without `--style` every style plays its share. Without `--file` the collection beside the repository is taken, or
//! the shipped games where there is none. Exits 1 if a move was told that was not played.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use replay::{Incident, Report};
use tests::{Verdict, beside, compare_incidents, kind_name, replayed};
use twin::{Expected, GameRecord, Played, Style};

/// What to play.
struct Run {
    games: usize,
    styles: Vec<Style>,
    seed: u64,
    file: Option<PathBuf>,
    trace: Option<PathBuf>,
}

impl Run {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Run, String> {
        let mut run = Run { games: 500, styles: Vec::new(), seed: 1, file: None, trace: None };
        while let Some(name) = args.next() {
            let value = args.next().ok_or(format!("{name}: expected a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{name} {value}: expected a number"));
            match name.as_str() {
                "--games" => run.games = number()? as usize,
                "--seed" => run.seed = number()?,
                "--style" => run.styles.push(value.parse().map_err(|e| format!("--style {value}: {e}"))?),
                "--file" => run.file = Some(value.into()),
                "--traces-of-wrong" => run.trace = Some(value.into()),
                _ => {
                    return Err(format!(
                        "{name}: expected --games, --style, --seed, --file, --traces-of-wrong"
                    ));
                }
            }
        }
        if run.styles.is_empty() {
            run.styles = Style::ALL.to_vec();
        }
        Ok(run)
    }

    fn records(&self) -> Result<Vec<GameRecord>, String> {
        let Some(file) = self.file.clone().or_else(|| beside("data/games/games.jsonl.gz")) else {
            return Ok(GameRecord::shipped());
        };
        let text = read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        GameRecord::read_all(&text).map_err(|e| format!("{}: {e}", file.display()))
    }
}

fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    let mut opened = File::open(file)?;
    if file.extension().is_some_and(|ending| ending == "gz") {
        flate2::read::MultiGzDecoder::new(opened).read_to_string(&mut text)?;
    } else {
        opened.read_to_string(&mut text)?;
    }
    Ok(text)
}

/// The sums of one style.
#[derive(Clone, Default)]
struct Sum {
    games: usize,
    whole: usize,
    wrong: usize,
    played: usize,
    told: usize,
    missed: usize,
    /// How often each kind of incident was reported that nobody expected.
    extra: BTreeMap<String, usize>,
}

impl Sum {
    fn add(&mut self, verdict: Verdict, missed: &[Expected], extra: &[Incident]) {
        self.games += 1;
        self.played += verdict.played;
        self.told += verdict.told;
        self.whole += usize::from(verdict.is_whole());
        self.wrong += usize::from(verdict.wrong.is_some());
        self.missed += missed.len();
        for incident in extra {
            *self.extra.entry(kind_name(incident)).or_default() += 1;
        }
    }

    fn print(&self, style: Style) {
        let share = 100.0 * self.told as f64 / self.played.max(1) as f64;
        let Sum { games, whole, wrong, played, missed, .. } = self;
        let extra: Vec<String> = self.extra.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let extra = extra.join(", ");
        println!("{style:12} {games:6} {whole:6} {wrong:6} {played:7} {share:9.3}% {missed:7}  {extra}");
    }
}

fn main() -> ExitCode {
    match Run::parse(std::env::args().skip(1)).and_then(|run| play(&run)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Plays the run, prints a table, and returns how many games have a wrong move.
fn play(run: &Run) -> Result<usize, String> {
    let records = run.records()?;
    let mut sums = vec![Sum::default(); run.styles.len()];
    for index in 0..run.games {
        progress(index, run.games);
        let which = index % run.styles.len();
        let style = run.styles[which];
        // Far from each other in the collection, so that a short run sees different openings.
        let record = &records[(index * 997) % records.len()];
        let seed = run.seed.wrapping_mul(1_000_003).wrapping_add(index as u64);
        let played = record.game.play(style, seed);
        let report = replayed(&played);
        let verdict = Verdict::of(&report, &played);
        let (missed, extra) = compare_incidents(&report, &played);
        sums[which].add(verdict, &missed, &extra);
        let name = format!("{style}-{}-{seed}", record.id);
        if explain(&name, &report, &played, verdict, &missed)
            && let Some(folder) = &run.trace
        {
            save(folder, &format!("{name}.ndjson"), &played).map_err(|e| e.to_string())?;
        }
    }
    progress(run.games, run.games);
    println!("style         games  whole  wrong   plies       told  missed  not expected");
    for (style, sum) in run.styles.iter().zip(&sums) {
        sum.print(*style);
    }
    Ok(sums.iter().map(|sum| sum.wrong).sum())
}

/// Says what is wrong or missing in a game, and returns whether anything is.
fn explain(name: &str, report: &Report, played: &Played, verdict: Verdict, missed: &[Expected]) -> bool {
    let short = (verdict.told < verdict.played).then_some(verdict.told);
    if let Some(at) = verdict.wrong.or(short) {
        let said = if verdict.wrong.is_some() { "wrong" } else { "missing" };
        let (read, truth) = (report.moves.get(at), played.truth.moves.get(at));
        eprintln!("\r{name}: ply {} {said}: read {read:?}, played {truth:?}", at + 1);
    }
    for Expected { ply, side, kind, square } in missed {
        eprintln!("\r{name}: ply {ply}: not reported: {kind} {side} {square:?}");
    }
    verdict.wrong.or(short).is_some() || !missed.is_empty()
}

fn save(folder: &Path, name: &str, played: &Played) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut writer =
        trace::Writer::new(io::BufWriter::new(File::create(folder.join(name))?), &played.header)?;
    for observation in &played.observations {
        writer.write(observation)?;
    }
    writer.finish().map(drop)
}

fn progress(done: usize, of: usize) {
    if io::stderr().is_terminal() {
        let bar = 40 * done / of.max(1);
        eprint!("\r[{:40}] {done} of {of} games", "#".repeat(bar));
        if done == of {
            eprintln!();
        }
        let _ = io::stderr().flush();
    }
}
