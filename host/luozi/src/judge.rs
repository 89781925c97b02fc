//! `luozi judge`: adjudicates repeated positions (棋例).

use std::io::{self, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xiangqi::law::edition::Edition;
use xiangqi::law::repetition::{self, Explanation, Judgement, Language, Means};
use xiangqi::{Bitboard, Color, Move, Position};

use crate::json_lines::{self, BadLine};
use crate::outcome::{Answer, Failure, Outcome};
use crate::rules;

/// Adjudicate repeated positions: who checks, kills or chases, and who must vary.
///
/// Exits with 1 if a line cannot be judged: no position, no moves, an illegal move; with 2 if a line is no such object.
/// The other lines are answered, each as soon as it is read.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// JSON lines {"id", "fen", "moves"}, the moves running through the cycle at least once; - is standard input
    file: PathBuf,
    /// The edition of the rules: cxa-1999, cxa-2010, cxa-2020 or wxf-2018, or a TOML file with an event's values
    #[arg(long, default_value = "cxa-2010", value_name = "EDITION", value_parser = rules::parse)]
    rules: Edition,
    /// One JSON object a line instead of an explanation
    #[arg(long)]
    json: bool,
    /// The language of the explanation [default: Chinese and English]
    #[arg(long, value_enum, conflicts_with = "json")]
    lang: Option<Tongue>,
}

/// The languages of an explanation, by their tags.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Tongue {
    /// 简体中文
    Zh,
    /// 繁體中文
    ZhHant,
    /// English
    En,
}

impl Tongue {
    const fn language(self) -> Language {
        match self {
            Tongue::Zh => Language::Chinese,
            Tongue::ZhHant => Language::Traditional,
            Tongue::En => Language::English,
        }
    }
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
    /// First and last ply, from 1, of what is judged; nothing if no position has recurred.
    cycle: Option<[usize; 2]>,
    /// How many times in a row these plies run through one and the same cycle.
    rounds: usize,
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
    /// The line, from 1, where it is no such object at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    error: &'a str,
}

/// Answers every line of the file with one line, or with an explanation.
pub fn run(args: &Args) -> Outcome {
    let mut out = io::stdout().lock();
    let mut all_well = true;
    let (mut unreadable, mut more) = (None, 0);
    for line in json_lines::read::<Line>(&args.file, r#"{"id":…,"fen":…,"moves":[…]}"#)? {
        match line? {
            Ok(line) => all_well &= judge(&mut out, args, &line)?,
            Err(BadLine { number, id, error }) => {
                write_fault(&mut out, args, &Fault { id: &id, line: Some(number), error: &error })?;
                more += usize::from(unreadable.is_some());
                unreadable.get_or_insert(error);
            }
        }
        // Whoever asks through a pipe waits for the answer before the next question.
        out.flush()?;
    }
    json_lines::unreadable(unreadable, more)?;
    Ok(Answer::from_bool(all_well))
}

/// Answers one line; false if it cannot be judged.
fn judge(out: &mut impl Write, args: &Args, line: &Line) -> Result<bool, Failure> {
    let judged = read(line).and_then(|(start, moves)| {
        let judgement = repetition::judge(&start, &moves, args.rules.repetition);
        Ok((start, judgement.map_err(|e| e.to_string())?))
    });
    match &judged {
        Ok((_, judgement)) if args.json => {
            serde_json::to_writer(&mut *out, &answer(&line.id, judgement))?;
            writeln!(out)?;
        }
        Ok((start, judgement)) => {
            writeln!(out, "{}", name(&line.id))?;
            let languages = args
                .lang
                .map_or_else(|| vec![Language::Chinese, Language::English], |tongue| vec![tongue.language()]);
            for language in languages {
                write!(out, "{}", Explanation { judgement, start, language })?;
            }
            writeln!(out)?;
        }
        Err(error) => write_fault(out, args, &Fault { id: &line.id, line: None, error })?,
    }
    Ok(judged.is_ok())
}

fn write_fault(out: &mut impl Write, args: &Args, fault: &Fault<'_>) -> Result<(), Failure> {
    if args.json {
        serde_json::to_writer(&mut *out, fault)?;
    } else {
        write!(out, "{}: {}", name(fault.id), fault.error)?;
    }
    Ok(writeln!(out)?)
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
        rounds: judgement.rounds,
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
