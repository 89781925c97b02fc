//! `luozi journal`: checks the chain and the signatures of a journal, writes it out, or reads its evidence again.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use boardd::{BadRecord, FoundGame, RecordFault, check_segment, segment_seq};
use referee::checkpoint::Signatures;
use referee::relay::PublicKey;
use referee::{Chain, Line};
use serde::Serialize;

use crate::kept_files::{BadFile, FileFault, KeptFiles};
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
    /// Read the evidence again with today's referee, and compare with the recorded events; exit status 1 if they differ
    Replay(Replay),
    /// Check, and write the records to standard output: all, or one game's
    Export(Export),
}

/// Which journal to check.
#[derive(Debug, clap::Args)]
struct Verify {
    /// A journal's directory, or one of its files
    #[arg(value_name = "FILE|DIR")]
    journal: PathBuf,
    /// The board's public key, as its status says it: signatures by any other are bad, and there must be one
    #[arg(long, value_name = "HEX")]
    key: Option<PublicKey>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Which journal to read again.
#[derive(Debug, clap::Args)]
struct Replay {
    /// A journal's directory, or one of its files
    #[arg(value_name = "FILE|DIR")]
    journal: PathBuf,
    /// Only this game
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// One JSON object a game instead of text
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
    signatures: u64,
    /// Lines after the last signature.
    unsigned: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// Pictures that are not as they were taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stills: Vec<BadFile>,
    /// Where damaged records are that a board has set aside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<String>,
    /// Those of these files that are not as they were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bad_set_aside: Vec<BadFile>,
}

/// What is wrong with an empty journal.
const NO_RECORDS: &str = "no records; expected at least one";

/// Checks or writes.
pub fn run(args: &Args) -> Outcome {
    match &args.action {
        Action::Verify(args) => verify(args),
        Action::Replay(args) => replay(args),
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

/// What checking every line gave.
struct Checked {
    records: u64,
    end: Result<Option<Chain>, BadRecord>,
    signatures: Signatures,
    kept: KeptFiles,
}

/// Checks every line, and every signature.
fn check_signed(args: &Verify) -> Result<Checked, Failure> {
    let files = files(&args.journal)?;
    let mut signatures = Signatures::by(args.key.as_ref());
    let mut foreign = None;
    let mut kept = KeptFiles::default();
    let mut count = |_: &str, line: Line| {
        kept.note(&line.record);
        if let Err(fault) = signatures.note(&line.record) {
            foreign.get_or_insert((line.seq, fault));
        }
    };
    let (records, mut end) = check(&files, args.journal.is_dir(), &mut count)?;
    // A signature that comes before the first bad record is itself the first.
    if let Some((seq, fault)) = foreign {
        let (file, line) = place(&files, seq)?;
        end = Err(BadRecord { file, line, offset: 0, seq, fault: RecordFault::Signature(fault) });
    }
    Ok(Checked { records, end, signatures, kept })
}

fn verify(args: &Verify) -> Outcome {
    let Checked { records, end: checked, signatures, kept } = check_signed(args)?;
    // One file may have been sent without the others.
    let is_whole = args.journal.is_dir();
    let stills = if is_whole { kept.bad_stills(&args.journal) } else { Vec::new() };
    let bad_set_aside = if is_whole { kept.bad_set_aside(&args.journal) } else { Vec::new() };
    let is_changed = |files: &[BadFile]| files.iter().any(|file| file.fault == FileFault::Changed);
    // What is wrong with a journal whose every line is good.
    let lacks = match records {
        0 => Some(NO_RECORDS),
        _ if args.key.is_some() && signatures.count == 0 => Some(NOT_SIGNED),
        _ if is_changed(&bad_set_aside) => Some(SET_ASIDE_CHANGED),
        _ => is_changed(&stills).then_some(STILL_CHANGED),
    };
    let ok = checked.is_ok() && lacks.is_none();
    let mut out = io::stdout().lock();
    let Signatures { key, count, unsigned: after, .. } = signatures;
    if args.json {
        let mut verdict = Verdict {
            ok,
            records,
            hash: None,
            file: None,
            line: None,
            seq: None,
            reason: lacks.map(str::to_owned),
            signatures: count,
            unsigned: after,
            key: key.filter(|_| count > 0),
            stills,
            set_aside: kept.set_aside().map(|(file, _)| file.to_owned()).collect(),
            bad_set_aside,
        };
        match checked {
            Ok(end) => verdict.hash = end.map(|end| end.hash().to_string()),
            Err(bad) => {
                verdict.reason = Some(bad.fault.to_string());
                (verdict.file, verdict.line, verdict.seq) = (Some(bad.file), Some(bad.line), Some(bad.seq));
            }
        }
        serde_json::to_writer(&mut out, &verdict)?;
        writeln!(out)?;
        return Ok(Answer::from_bool(ok));
    }
    match checked {
        Ok(Some(end)) if ok => writeln!(out, "ok: {records} records, the last with hash {}", end.hash())?,
        Ok(_) => writeln!(out, "bad: {}: {}", args.journal.display(), lacks.unwrap_or(NO_RECORDS))?,
        Err(bad) => writeln!(out, "bad: {bad}; {} records before it are good", records.min(bad.seq))?,
    }
    if let Some(key) = key.filter(|_| ok && count > 0) {
        writeln!(out, "{count} signatures by {key}, {after} records after the last")?;
    }
    for (file, is_empty) in kept.set_aside() {
        let holds = if is_empty {
            "is empty, for records that a broker has had and the disk has lost"
        } else {
            "holds records that were damaged and were set aside"
        };
        writeln!(out, "{file}: {holds}")?;
    }
    say_bad(&mut out, "this picture is", &stills)?;
    say_bad(&mut out, "what was set aside is", &bad_set_aside)?;
    Ok(Answer::from_bool(ok))
}

fn say_bad(out: &mut impl Write, what: &str, files: &[BadFile]) -> io::Result<()> {
    for BadFile { file, fault } in files {
        let word = if *fault == FileFault::Missing { "missing" } else { "changed" };
        writeln!(out, "{file}: {what} {word}")?;
    }
    Ok(())
}

const NOT_SIGNED: &str = "no record is signed by that key";
const SET_ASIDE_CHANGED: &str = "records that were set aside are other than were kept";
const STILL_CHANGED: &str = "a picture is another than was taken";

/// The file and the line in it of a record.
fn place(files: &[PathBuf], seq: u64) -> Result<(String, u64), Failure> {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let firsts = files.iter().map(|file| (segment_seq(&name(file)).unwrap_or(0), name(file)));
    let holds = firsts.filter(|(first, _)| *first <= seq).max();
    let (first, file) = holds.ok_or(Failure::new(format_args!("no file holds record {seq}")))?;
    Ok((file, seq - first + 1))
}

/// What reading the evidence of a game again gave.
#[derive(Serialize)]
struct Reading<'a> {
    game: &'a str,
    ok: bool,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<&'a referee::Event>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<&'a referee::Event>,
}

fn replay(args: &Replay) -> Outcome {
    let files = files(&args.journal)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut going, mut games) = (None, Vec::new());
    let mut take = |_: &str, line: Line| games.extend(FoundGame::follow(&mut going, "", line));
    let (_, checked) = check(&files, args.journal.is_dir(), &mut take)?;
    games.extend(going);
    games.retain(|game| args.game.as_ref().is_none_or(|wanted| *wanted == game.header.game));
    if let (Some(wanted), []) = (&args.game, &games[..]) {
        return Err(Failure::new(format_args!("{}: there is no game {wanted}", args.journal.display())));
    }
    let mut all_same = true;
    for game in &games {
        let resumed = boardd::resume(game);
        all_same &= resumed.is_ok();
        let (id, plies) = (&game.header.game, game.snapshot.plies.len());
        match (&resumed, args.json) {
            (Ok(_), true) => {
                let ok = true;
                let reading = Reading { game: id, ok, plies, seq: None, recorded: None, read: None };
                serde_json::to_writer(&mut out, &reading)?;
                writeln!(out)?;
            }
            (Err(differs), true) => {
                let (seq, recorded, read) = (differs.seq, &differs.recorded, differs.read.as_ref());
                let reading =
                    Reading { game: id, ok: false, plies, seq: Some(seq), recorded: Some(recorded), read };
                serde_json::to_writer(&mut out, &reading)?;
                writeln!(out)?;
            }
            (Ok(_), false) => writeln!(out, "{id}: the same, {plies} plies")?,
            (Err(differs), false) => writeln!(out, "{id}: differs at {differs}")?,
        }
    }
    out.flush()?;
    match checked {
        Ok(_) => Ok(Answer::from_bool(all_same)),
        Err(bad) => {
            eprintln!("luozi: {bad}");
            Ok(Answer::No)
        }
    }
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
