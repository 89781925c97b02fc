//! `luozi judge`: adjudicates repeated positions (棋例).

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xiangqi::law::edition::{Edition, EditionName};
use xiangqi::law::repetition::{self, Explanation, Judgement, Language, Means};
use xiangqi::{Bitboard, Color, Move, Position};

use crate::json_lines;
use crate::outcome::{Answer, Outcome};

/// Adjudicate repeated positions: who checks, kills or chases, and who must vary.
///
/// Exits with 1 if a line cannot be judged: no position, no moves, an illegal move. The other lines are answered.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// JSON lines {"id", "fen", "moves"}, the moves running through the cycle at least once; - is standard input
    file: PathBuf,
    /// The edition of the rules: cxa-1999, cxa-2010, cxa-2020 or wxf-2018
    #[arg(long, default_value = "cxa-2010", value_name = "EDITION")]
    rules: EditionName,
    /// One JSON object a line instead of an explanation
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
struct Line {
    /// Whatever the asker calls the line; it is given back.
    #[serde(default)]
    id: serde_json::Value,
    fen: String,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct Judged<'a> {
    id: &'a serde_json::Value,
    verdict: &'static str,
    red: &'static str,
    black: &'static str,
    plies: Vec<Ply>,
    articles: &'a [&'static str],
    certain: bool,
    /// The cycle's first and last ply, from 1; nothing if no position has recurred.
    cycle: Option<[usize; 2]>,
}

#[derive(Serialize)]
struct Ply {
    #[serde(rename = "move")]
    mv: Move,
    label: &'static str,
    targets: Vec<String>,
    /// The moves of the mate that a 杀 threatens.
    #[serde(skip_serializing_if = "<[Move]>::is_empty")]
    mate: Vec<Move>,
    /// The captures that a 捉 threatens.
    #[serde(skip_serializing_if = "<[Threat]>::is_empty")]
    threats: Vec<Threat>,
    /// Whether several pieces chase together, or a piece with too few roots.
    joint: bool,
    certain: bool,
}

#[derive(Serialize)]
struct Threat {
    first: Move,
    targets: Vec<String>,
    means: &'static str,
}

#[derive(Serialize)]
struct Fault<'a> {
    id: &'a serde_json::Value,
    error: String,
}

/// Answers every line of the file with one line, or with an explanation.
pub fn run(args: &Args) -> Outcome {
    let mut out = BufWriter::new(io::stdout().lock());
    let rules = Edition::new(args.rules).repetition;
    let mut all_well = true;
    for line in json_lines::read(&args.file, r#"{"id":…,"fen":…,"moves":[…]}"#)? {
        let line: Line = line?;
        let read = read(&line).and_then(|(start, moves)| {
            let judgement = repetition::judge(&start, &moves, rules).map_err(|e| e.to_string())?;
            Ok((start, judgement))
        });
        all_well &= read.is_ok();
        match (read, args.json) {
            (Ok((_, judgement)), true) => serde_json::to_writer(&mut out, &answer(&line.id, &judgement))?,
            (Err(error), true) => serde_json::to_writer(&mut out, &Fault { id: &line.id, error })?,
            (Ok((start, judgement)), false) => {
                for language in [Language::Chinese, Language::English] {
                    let said = Explanation { judgement: &judgement, start: &start, language };
                    write!(out, "{}\n{said}", name(&line.id))?;
                }
            }
            (Err(error), false) => write!(out, "{}: {error}", name(&line.id))?,
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(Answer::from_bool(all_well))
}

fn name(id: &serde_json::Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

fn read(line: &Line) -> Result<(Position, Vec<Move>), String> {
    let start = line.fen.parse().map_err(|e| format!("{}: {e}", line.fen))?;
    let number =
        |(i, text): (usize, &String)| text.parse().map_err(|e| format!("move {}, {text:?}: {e}", i + 1));
    Ok((start, line.moves.iter().enumerate().map(number).collect::<Result<_, String>>()?))
}

fn answer<'a>(id: &'a serde_json::Value, judgement: &'a Judgement) -> Judged<'a> {
    Judged {
        id,
        verdict: judgement.verdict.as_str(),
        red: judgement.classes[Color::Red].term(),
        black: judgement.classes[Color::Black].term(),
        plies: judgement.plies.iter().map(ply).collect(),
        articles: &judgement.articles,
        certain: judgement.certain,
        cycle: judgement.span.clone().map(|span| [span.start + 1, span.end]),
    }
}

fn ply(ply: &repetition::Ply) -> Ply {
    let threat = |threat: &repetition::Threat| Threat {
        first: threat.first,
        targets: squares(threat.targets),
        means: match threat.means {
            Means::Capture => "capture",
            Means::Exchange => "exchange",
            Means::Checks => "checks",
        },
    };
    Ply {
        mv: ply.played,
        label: ply.label.term(),
        targets: squares(ply.targets),
        mate: ply.mate.clone(),
        threats: ply.threats.iter().map(threat).collect(),
        joint: ply.joint,
        certain: ply.certain,
    }
}

fn squares(set: Bitboard) -> Vec<String> {
    set.map(|square| square.to_string()).collect()
}
