//! `luozi convert`: game records between formats, one file or thousands; or what they hold (`--info`).

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use formats::{Format, ReadOptions, Style, WriteOptions};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use serde_json::{Value, json};
use xiangqi::notation::Script;

use crate::outcome::{Answer, Failure, Outcome};

mod files;
mod info;
mod job;
mod totals;

use files::Plan;
use job::{Job, Report};
use totals::Totals;

/// Convert game records: PGN, XQF, CBR, CBL, CBF, DhtmlXQ, WXF, JSON, and what people paste.
///
/// The format of IN is found by its content, that of OUT by its ending or --to. IN can be a folder; OUT is then a
/// folder, too, or one file for all games. What OUT cannot hold is said on stderr.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files or folders to read, and where to write (`-` is standard output)
    #[arg(required = true, value_name = "IN… OUT")]
    paths: Vec<PathBuf>,
    /// Tell what the files hold instead of writing: plies, nodes, branch points, comments of each game
    #[arg(long)]
    info: bool,
    /// The format to write, if OUT's ending does not say
    #[arg(long, value_name = "FORMAT", value_parser = written_format)]
    to: Option<Format>,
    /// The characters of Chinese moves: simplified or traditional
    #[arg(long, default_value = "simplified", value_parser = script)]
    script: Script,
    /// How PGN names moves: chinese, chinese-selected (前仕退五 where the rule says 仕六退五), wxf or iccs. The PyPI
    /// package cchess reads iccs whole, chinese-selected but for pawns that share a file, and nothing of wxf or
    /// traditional script
    #[arg(long, default_value = "chinese", value_parser = style)]
    notation: Style,
    /// The encoding of the files that are read, such as gb18030, big5 or windows-1258
    #[arg(long, value_name = "LABEL", value_parser = encoding)]
    encoding: Option<&'static encoding_rs::Encoding>,
    /// Fill in the opening's code (ECCO) and name where a game has none
    #[arg(long)]
    opening: bool,
    /// One JSON object a file (with --info: a game) on stdout, then a summary
    #[arg(long)]
    json: bool,
}

fn written_format(name: &str) -> Result<Format, String> {
    let written = || Format::all().filter(|format| format.is_written());
    let names = || written().map(Format::name).collect::<Vec<_>>().join(", ");
    written()
        .find(|format| format.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("expected one of {}", names()))
}

fn script(name: &str) -> Result<Script, String> {
    match name {
        "simplified" => Ok(Script::Simplified),
        "traditional" => Ok(Script::Traditional),
        _ => Err("expected simplified or traditional".into()),
    }
}

fn style(name: &str) -> Result<Style, String> {
    match name {
        "chinese" => Ok(Style::Chinese),
        "chinese-selected" => Ok(Style::ChineseSelected),
        "wxf" => Ok(Style::Wxf),
        "iccs" => Ok(Style::Iccs),
        _ => Err("expected chinese, chinese-selected, wxf or iccs".into()),
    }
}

fn encoding(label: &str) -> Result<&'static encoding_rs::Encoding, String> {
    let found = encoding_rs::Encoding::for_label(label.as_bytes());
    found.ok_or_else(|| "expected an encoding's label, such as gb18030, big5 or utf-8".into())
}

/// Reads, writes and tells.
pub fn run(args: &Args) -> Outcome {
    let plan = plan(args)?;
    let job = Job {
        read: ReadOptions { encoding: args.encoding },
        write: WriteOptions { style: args.notation, script: args.script },
        info: args.info,
        opening: args.opening,
    };
    let started = Instant::now();
    let many = plan.inputs.len() > 1;
    let bar = progress(plan.inputs.len());
    let mut totals = Totals::default();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut whole = Vec::new();
    let mut complaints = 0;
    job.run_all(&plan, |report| {
        bar.inc(1);
        totals.add(&report);
        for line in report.complaints(many) {
            complaints += 1;
            match complaints {
                ..=MOST_COMPLAINTS => bar.suspend(|| eprintln!("luozi: {line}")),
                _ if many && complaints == MOST_COMPLAINTS + 1 => {
                    bar.suspend(|| eprintln!("luozi: further ones are only counted; --json tells them all"));
                }
                _ if many => {}
                _ => eprintln!("luozi: {line}"),
            }
        }
        for line in report.lines(args.info, args.json) {
            writeln!(out, "{line}")?;
        }
        whole.extend(report.bytes);
        Ok(())
    })?;
    bar.finish_and_clear();
    if let Some(single) = plan.single_output() {
        write_whole(single, &whole, &mut out)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    if args.json && (many || !args.info) {
        writeln!(out, "{}", json!({"summary": totals.json(seconds)}))?;
    }
    out.flush()?;
    if many {
        eprintln!("luozi: {}", totals.text(seconds));
    }
    match totals.failed {
        0 if totals.lost == 0 => Ok(Answer::Yes),
        0 => Err(Failure::new(format_args!(
            "{} of the games could not be converted; the others were",
            totals.lost
        ))),
        1 if !many => Err(Failure::new(totals.first_failure.unwrap_or_default())),
        failed => {
            Err(Failure::new(format_args!("{failed} of {} files could not be converted", totals.files)))
        }
    }
}

fn plan(args: &Args) -> Result<Plan, Failure> {
    if args.info {
        return Plan::to_look_at(&args.paths);
    }
    match args.paths.split_last() {
        Some((output, _)) if args.json && files::is_standard(output) => Err(Failure::new(
            "--json reports on standard output, where - puts the games; name a file for them",
        )),
        Some((output, inputs @ [_, ..])) => Plan::to_write(inputs, output, args.to),
        _ => Err(Failure::new("expected IN and OUT (or --info to look only; try --help)")),
    }
}

fn write_whole(path: &Path, bytes: &[u8], out: &mut impl Write) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return Ok(out.write_all(bytes)?);
    }
    if bytes.is_empty() {
        // Every file failed; nothing is better than an empty record.
        return Ok(());
    }
    crate::whole_file::write(path, bytes)
        .map_err(|error| Failure::new(format_args!("{}: {error}", path.display())))
}

/// In a run over many files, so many failures and warnings are shown.
const MOST_COMPLAINTS: usize = 50;

/// A bar on a terminal, for more than one file.
fn progress(files: usize) -> ProgressBar {
    if files < 2 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files  {rate} files/s  {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // The bar has nowhere to report that its line could not be put together.
        let _ = write!(out, "{:.0}", state.per_sec());
    };
    ProgressBar::new(files as u64).with_style(style.with_key("rate", rate))
}

/// A path as our output shows it.
fn shown(path: &Path) -> Value {
    path.display().to_string().into()
}
