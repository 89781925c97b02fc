//! `luozi journal`: checks the chain of a journal, or writes it out.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use boardd::{check_segment, segment_seq};
use referee::{Chain, Line};
use serde::Serialize;

use crate::outcome::{Answer, Failure, Outcome};

/// Check the hash chain of a journal, or write it out.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What to do with a journal.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Check every record; the first bad one is named, and the exit status is 1
    Verify(Verify),
    /// Check, and write the records to standard output: all, or one game's
    Export(Export),
}

/// Which journal to check.
#[derive(Debug, clap::Args)]
struct Verify {
    /// A journal's directory, or one of its files
    #[arg(value_name = "FILE|DIR")]
    journal: PathBuf,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What to write out.
#[derive(Debug, clap::Args)]
struct Export {
    /// A journal's directory, or one of its files
    #[arg(value_name = "FILE|DIR")]
    journal: PathBuf,
    /// Only this game's records
    #[arg(long, value_name = "ID")]
    game: Option<String>,
}

/// The verdict as JSON.
#[derive(Serialize)]
struct Verdict {
    ok: bool,
    records: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// What is wrong with an empty journal.
const NO_RECORDS: &str = "no records; expected at least one";

/// Checks or writes.
pub fn run(args: &Args) -> Outcome {
    match &args.action {
        Action::Verify(args) => verify(args),
        Action::Export(args) => export(args),
    }
}

/// The files of a journal, first to last.
fn files(journal: &Path) -> Result<Vec<PathBuf>, Failure> {
    let about = |e: io::Error| Failure::new(format_args!("{}: {e}", journal.display()));
    if !fs::metadata(journal).map_err(about)?.is_dir() {
        return Ok(vec![journal.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(journal).map_err(about)? {
        let entry = entry.map_err(about)?;
        if entry.file_name().to_str().is_some_and(|name| segment_seq(name).is_some()) {
            files.push(entry.path());
        }
    }
    if files.is_empty() {
        let expected = "expected files such as journal-000000000000.ndjson";
        return Err(Failure::new(format_args!("{}: {expected}", journal.display())));
    }
    files.sort();
    Ok(files)
}

/// Steps over every line of the files; gives how many there were, and the end of the chain or the first bad record.
fn check(
    files: &[PathBuf],
    whole: bool,
    visit: &mut impl FnMut(&str, Line),
) -> Result<(u64, Result<Option<Chain>, boardd::BadRecord>), Failure> {
    // A directory is checked from the beginning of the board's life; a file is believed in what it follows.
    let mut end = whole.then_some(Chain::START);
    let mut records = 0;
    for file in files {
        let bytes = fs::read(file).map_err(|e| Failure::new(format_args!("{}: {e}", file.display())))?;
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let mut count = |text: &str, line: Line| {
            records += 1;
            visit(text, line);
        };
        match check_segment(&name, &bytes, end, &mut count) {
            Ok(after) => end = after,
            Err(bad) => return Ok((records, Err(bad))),
        }
    }
    Ok((records, Ok(end)))
}

fn verify(args: &Verify) -> Outcome {
    let files = files(&args.journal)?;
    let (records, checked) = check(&files, args.journal.is_dir(), &mut |_, _| {})?;
    // A journal has at least the line that opened it: an empty file is no journal, or was emptied.
    let ok = checked.is_ok() && records > 0;
    let mut out = io::stdout().lock();
    if args.json {
        let verdict = match checked {
            Ok(end) => {
                let hash = end.map(|end| end.hash().to_string());
                let reason = (!ok).then(|| NO_RECORDS.to_owned());
                Verdict { ok, records, hash, file: None, line: None, seq: None, reason }
            }
            Err(bad) => Verdict {
                ok,
                records,
                hash: None,
                reason: Some(bad.fault.to_string()),
                file: Some(bad.file),
                line: Some(bad.line),
                seq: Some(bad.seq),
            },
        };
        serde_json::to_writer(&mut out, &verdict)?;
        writeln!(out)?;
    } else {
        match checked {
            Ok(Some(end)) if ok => {
                writeln!(out, "ok: {records} records, the last with hash {}", end.hash())?;
            }
            Ok(_) => writeln!(out, "bad: {}: {NO_RECORDS}", args.journal.display())?,
            Err(bad) => writeln!(out, "bad: {bad}; {records} records before it are good")?,
        }
    }
    Ok(Answer::from_bool(ok))
}

fn export(args: &Export) -> Outcome {
    let files = files(&args.journal)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = Ok(());
    let mut playing: Option<String> = None;
    let mut write = |text: &str, line: Line| {
        if let referee::Record::Game(header) = &line.record {
            playing = Some(header.game.clone());
        }
        let wanted = args.game.is_none() || args.game == playing;
        if wanted && written.is_ok() {
            written = writeln!(out, "{text}");
        }
    };
    let (_, checked) = check(&files, args.journal.is_dir(), &mut write)?;
    written?;
    out.flush()?;
    match checked {
        Ok(_) => Ok(Answer::Yes),
        Err(bad) => {
            eprintln!("luozi: {bad}");
            Ok(Answer::No)
        }
    }
}
