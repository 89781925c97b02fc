//! Reading and writing one file, and many at once.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use formats::{Game, Loss, ReadOptions, WriteOptions};
use serde_json::{Value, json};

use super::files::{Input, Output, Plan, is_standard, numbered};
use super::{info, shown};
use crate::outcome::Failure;

/// What is done with each file.
#[derive(Debug)]
pub struct Job {
    /// How files are read.
    pub read: ReadOptions,
    /// How games are written.
    pub write: WriteOptions,
    /// Whether games are looked at only.
    pub info: bool,
    /// Whether openings are named.
    pub opening: bool,
}

/// What came of a file.
#[derive(Debug, Default)]
pub struct Report {
    /// The file.
    pub path: PathBuf,
    /// Why it could not be converted.
    pub failure: Option<String>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// The games in it that could not be read, or that the format to write cannot hold at all.
    pub lost: Vec<String>,
    /// What could not be written, by game.
    pub losses: Vec<(usize, Loss)>,
    /// The games that were read.
    pub games: usize,
    /// The plies that were read, variations included.
    pub plies: usize,
    /// The format that was found.
    pub format: Option<&'static str>,
    /// The files that were written.
    pub written: Vec<PathBuf>,
    /// What goes into the one file for all.
    pub bytes: Vec<u8>,
    /// What the games hold.
    pub infos: Vec<Value>,
}

impl Report {
    /// What goes to stderr. Where there are many files their losses are only counted.
    pub fn complaints(&self, many: bool) -> Vec<String> {
        let path = self.path.display();
        let failure = self.failure.iter().filter(|_| many).map(String::clone);
        let warnings = self.warnings.iter().map(|warning| format!("{path}: {warning}"));
        let lost = self.lost.iter().map(|lost| format!("{path}: {lost}; this game is left out"));
        let losses = self.losses.iter().map(|(game, loss)| match self.games {
            1 => format!("{path}: {loss}"),
            _ => format!("{path}: game {}: {loss}", game + 1),
        });
        let losses = losses.filter(|_| !many);
        failure.chain(lost).chain(warnings).chain(losses).collect()
    }

    /// What goes to stdout.
    pub fn lines(&self, info: bool, json: bool) -> Vec<String> {
        match (info, json) {
            (true, true) if self.failure.is_some() => vec![self.json().to_string()],
            (true, true) => self.infos.iter().map(Value::to_string).collect(),
            (true, false) => self.infos.iter().map(info::text).collect(),
            (false, true) => vec![self.json().to_string()],
            (false, false) => Vec::new(),
        }
    }

    fn json(&self) -> Value {
        let losses = self.losses.iter().map(|(game, loss)| json!({"game": game, "loss": loss.to_string()}));
        json!({
            "file": shown(&self.path),
            "format": self.format,
            "games": self.games,
            "nodes": self.plies,
            "written": self.written.iter().map(|path| shown(path)).collect::<Vec<_>>(),
            "losses": losses.collect::<Vec<_>>(),
            "warnings": self.warnings,
            "lost": self.lost,
            "error": self.failure,
        })
    }
}

/// How many reports may wait for their turn to be printed; workers stop at that.
const WAITING: usize = 256;

impl Job {
    /// Converts all files, several at a time, and hands their reports over in the order of the plan.
    pub fn run_all(
        &self,
        plan: &Plan,
        mut done: impl FnMut(Report) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let workers = thread::available_parallelism().map_or(1, usize::from).min(plan.inputs.len());
        let next = AtomicUsize::new(0);
        let (sender, reports) = mpsc::sync_channel::<(usize, Report)>(WAITING);
        let reports = Mutex::new(reports);
        thread::scope(|scope| {
            for _ in 0..workers {
                let sender = sender.clone();
                let next = &next;
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(input) = plan.inputs.get(number) else { break };
                        // The receiver goes away when nobody reads the output any more.
                        if sender.send((number, self.run(input, plan))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let reports = reports.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            let mut early = std::collections::BTreeMap::new();
            let mut turn = 0;
            for (number, report) in reports {
                early.insert(number, report);
                while let Some(report) = early.remove(&turn) {
                    turn += 1;
                    done(report)?;
                }
            }
            Ok(())
        })
    }

    fn run(&self, input: &Input, plan: &Plan) -> Report {
        let mut report = Report { path: input.path.clone(), ..Report::default() };
        if let Err(problem) = self.convert(input, plan, &mut report) {
            report.failure = Some(format!("{}: {problem}", input.path.display()));
        }
        report
    }

    fn convert(&self, input: &Input, plan: &Plan, report: &mut Report) -> Result<(), String> {
        let data = read_file(&input.path)?;
        let mut reading = formats::read(&data, &self.read).map_err(|error| error.to_string())?;
        if self.opening {
            reading.games.iter_mut().for_each(formats::name_opening);
        }
        report.format = Some(reading.format.name());
        report.games = reading.games.len();
        report.plies = reading.games.iter().map(|game| game.tree.len()).sum();
        report.warnings = reading.warnings.iter().map(ToString::to_string).collect();
        report.lost = reading.lost.iter().map(ToString::to_string).collect();
        if self.info {
            report.infos = info::of(&input.path, &reading);
        }
        match &plan.output {
            Output::None => Ok(()),
            _ if reading.games.is_empty() => Err("there is no game in the file".into()),
            Output::One(format) if report.games > 1 => Err(format!(
                "{} games, and {format} holds one; name a file or a folder instead of -",
                report.games
            )),
            Output::File(_, format) | Output::One(format) => {
                report.bytes = self.together(reading.games, *format, report)?;
                Ok(())
            }
            Output::Numbered(path, format) => self.numbered(&reading.games, path, *format, |_| false, report),
            Output::Folder(folder, format) => {
                let path = folder.join(&input.relative);
                if let Some(parent) = path.parent() {
                    std::fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
                }
                if !format.holds_many() {
                    let is_taken = |path: &Path| {
                        path.strip_prefix(folder).is_ok_and(|relative| plan.targets.contains(relative))
                    };
                    return self.numbered(&reading.games, &path, *format, is_taken, report);
                }
                let bytes = self.together(reading.games, *format, report)?;
                save(&path, &bytes, report)
            }
        }
    }

    /// All games as one file. Those that the format cannot hold at all are left out and told, unless there is no other.
    fn together(
        &self,
        mut games: Vec<Game>,
        format: formats::Format,
        report: &mut Report,
    ) -> Result<Vec<u8>, String> {
        let mut numbers: Vec<usize> = (0..games.len()).collect();
        let mut written = formats::write(&games, format, &self.write);
        if written.is_err() && games.len() > 1 {
            let mut number = 0;
            numbers.clear();
            games.retain(|game| {
                let alone = formats::write(std::slice::from_ref(game), format, &self.write);
                match &alone {
                    Ok(_) => numbers.push(number),
                    Err(error) => report.lost.push(format!("game {}: {error}", number + 1)),
                }
                number += 1;
                alone.is_ok()
            });
            written = formats::write(&games, format, &self.write);
        }
        let written = written.map_err(|error| match report.lost.pop() {
            Some(lost) if games.is_empty() => lost,
            _ => error.to_string(),
        })?;
        report.losses = written.losses.into_iter().map(|(game, loss)| (numbers[game], loss)).collect();
        Ok(written.bytes)
    }

    /// Writes each game into a file of its own: `name.xqf`, `name-2.xqf`, …, without the names that are taken.
    fn numbered(
        &self,
        games: &[Game],
        path: &Path,
        format: formats::Format,
        is_taken: impl Fn(&Path) -> bool,
        report: &mut Report,
    ) -> Result<(), String> {
        let others = (2..).map(|number| numbered(path, number)).filter(|path| !is_taken(path));
        let mut paths = std::iter::once(path.to_owned()).chain(others);
        for (number, game) in games.iter().enumerate() {
            let written = match formats::write(std::slice::from_ref(game), format, &self.write) {
                Ok(written) => written,
                Err(error) if games.len() == 1 => return Err(format!("game 1: {error}")),
                Err(error) => {
                    report.lost.push(format!("game {}: {error}", number + 1));
                    continue;
                }
            };
            report.losses.extend(written.losses.into_iter().map(|(_, loss)| (number, loss)));
            save(&paths.next().unwrap_or_default(), &written.bytes, report)?;
        }
        Ok(())
    }
}

/// A file of more bytes than this is no record, or many that are better read one by one.
const LARGEST: u64 = 256 << 20;

/// A file, or standard input.
fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let mut data = Vec::new();
    let read = match is_standard(path) {
        true => io::stdin().lock().take(LARGEST + 1).read_to_end(&mut data),
        false => File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut data)),
    };
    read.map_err(|error| error.to_string())?;
    match data.len() as u64 > LARGEST {
        true => Err(format!("larger than {} MiB; split it first", LARGEST >> 20)),
        false => Ok(data),
    }
}

fn save(path: &Path, bytes: &[u8], report: &mut Report) -> Result<(), String> {
    crate::whole_file::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    report.written.push(path.to_owned());
    Ok(())
}
