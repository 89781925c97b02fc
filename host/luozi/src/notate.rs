//! `luozi notate`: moves in every notation, and back.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xiangqi::notation::{self, Dialect, ReadError, Script};
use xiangqi::{Illegality, Move, Position, Setup};

use crate::json_lines::{self, BadLine};
use crate::outcome::{Answer, Failure, Outcome};

/// Write moves in every notation, or read them from any.
///
/// Exits with 1 if a line holds no position or names no legal move, with 2 if one is no such object; the other lines are
/// answered. A text that names several moves is answered with them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// JSON lines {"fen", "move_iccs"}, with --parse {"fen", "text"}; - is standard input
    file: PathBuf,
    /// Read texts in Chinese (full or short), WXF, ICCS or UCCI
    #[arg(long)]
    parse: bool,
    /// How coordinates count ranks: iccs (and UCCI) from 0, uci from 1; a rank 10 is read either way
    #[arg(long, value_enum, default_value_t = Coordinates::Iccs, requires = "parse")]
    dialect: Coordinates,
    /// One JSON object a line instead of text
    #[arg(long)]
    json: bool,
}

/// What `h3e3` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Coordinates {
    Iccs,
    Uci,
}

impl Coordinates {
    const fn dialect(self) -> Dialect {
        match self {
            Coordinates::Iccs => Dialect::Iccs,
            Coordinates::Uci => Dialect::Uci,
        }
    }

    const fn other(self) -> Dialect {
        match self {
            Coordinates::Iccs => Dialect::Uci,
            Coordinates::Uci => Dialect::Iccs,
        }
    }
}

#[derive(Deserialize)]
struct MoveLine {
    fen: String,
    move_iccs: String,
}

#[derive(Deserialize)]
struct TextLine {
    fen: String,
    text: String,
}

/// A move in every notation.
#[derive(Serialize)]
struct Names {
    iccs: String,
    ucci: Move,
    uci: String,
    chinese: String,
    chinese_traditional: String,
    wxf: String,
    wxf_signed: String,
    short_1999: String,
    short_2010: String,
    /// Why the move is 自杀 (article 3.4), if it is. It has its names all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    illegal: Option<&'static str>,
}

/// Which move a text names.
#[derive(Serialize)]
struct Found {
    #[serde(rename = "move")]
    mv: Move,
    /// The legal move that the coordinates would name if they counted ranks the other way.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_dialect: Option<Move>,
}

/// Why a line has no answer.
#[derive(Serialize)]
struct Fault {
    /// One word for programs.
    error: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<Move>,
    /// The legal move that the coordinates would name if they counted ranks the other way.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_dialect: Option<Move>,
    /// The line, from 1, where it is no such object at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The same for people.
    detail: String,
}

impl Fault {
    fn new(error: &'static str, detail: String) -> Fault {
        Fault { error, candidates: Vec::new(), other_dialect: None, line: None, detail }
    }
}

/// Answers every line of the file with one line.
pub fn run(args: &Args) -> Outcome {
    let out = io::stdout().lock();
    let mut out = Answers { out, json: args.json, all_well: true, unreadable: None, more: 0 };
    if args.parse {
        for line in json_lines::read(&args.file, r#"{"fen":…,"text":…}"#)? {
            out.write(line?, |line| find(line, args.dialect), |found: &Found| found.mv.to_string())?;
        }
    } else {
        for line in json_lines::read(&args.file, r#"{"fen":…,"move_iccs":…}"#)? {
            out.write(line?, name, Names::line)?;
        }
    }
    json_lines::unreadable(out.unreadable, out.more)?;
    Ok(Answer::from_bool(out.all_well))
}

struct Answers<W> {
    out: W,
    json: bool,
    all_well: bool,
    /// The first line that was no such object, and how many more there were.
    unreadable: Option<String>,
    more: usize,
}

impl<W: Write> Answers<W> {
    fn write<L, T: Serialize>(
        &mut self,
        line: Result<L, BadLine>,
        answer: impl Fn(&L) -> Result<T, Fault>,
        text: impl Fn(&T) -> String,
    ) -> Result<(), Failure> {
        let answer = match line {
            Ok(line) => answer(&line),
            Err(BadLine { number, error, .. }) => {
                self.more += usize::from(self.unreadable.is_some());
                self.unreadable.get_or_insert_with(|| error.clone());
                Err(Fault { line: Some(number), ..Fault::new("bad_line", error) })
            }
        };
        // What is ambiguous in a short form is no fault of whoever wrote it.
        self.all_well &= answer.as_ref().err().is_none_or(|fault| fault.error == "ambiguous");
        match (answer, self.json) {
            (Ok(answer), true) => serde_json::to_writer(&mut self.out, &answer)?,
            (Err(fault), true) => serde_json::to_writer(&mut self.out, &fault)?,
            (Ok(answer), false) => write!(self.out, "{}", text(&answer))?,
            (Err(fault), false) => write!(self.out, "{}: {}", fault.error, fault.detail)?,
        }
        writeln!(self.out)?;
        // Whoever asks through a pipe waits for the answer before the next question.
        Ok(self.out.flush()?)
    }
}

impl Names {
    fn line(&self) -> String {
        let Names { iccs, ucci, chinese, wxf, short_1999, short_2010, .. } = self;
        let illegal = self.illegal.map(|why| format!("  illegal: {why}")).unwrap_or_default();
        format!("{chinese}  {short_2010}  {short_1999}  {wxf}  {iccs}  {ucci}{illegal}")
    }
}

/// A position as it stands, even if legal play could not lead there: moves have names all the same.
fn position(fen: &str) -> Result<Position, Fault> {
    let fault = |detail| Fault::new("bad_fen", detail);
    let setup: Setup = fen.parse().map_err(|e| fault(format!("{fen}: {e}")))?;
    Position::standing(setup).map_err(|e| fault(format!("{fen}: {e}")))
}

fn name(line: &MoveLine) -> Result<Names, Fault> {
    let position = position(&line.fen)?;
    let fault = |error, why| Fault::new(error, format!("{:?} in {position}: {why}", line.move_iccs));
    let m = notation::parse_iccs(&line.move_iccs)
        .ok_or_else(|| fault("unreadable", "expected a move such as H2-E2 or h2e2"))?;
    let illegal = match position.illegality(m) {
        Some(why) if !why.is_suicide() => return Err(fault("illegal", why.name())),
        why => why.map(Illegality::name),
    };
    Ok(Names {
        iccs: notation::iccs(m),
        ucci: m,
        uci: notation::uci(m),
        chinese: notation::chinese(&position, m, Script::Simplified),
        chinese_traditional: notation::chinese(&position, m, Script::Traditional),
        wxf: notation::wxf(&position, m),
        wxf_signed: notation::wxf_signed(&position, m),
        short_1999: notation::short_1999(&position, m, Script::Simplified),
        short_2010: notation::short_2010(&position, m, Script::Simplified),
        illegal,
    })
}

fn find(line: &TextLine, ranks: Coordinates) -> Result<Found, Fault> {
    let position = position(&line.fen)?;
    let read = notation::read_as(&position, &line.text, ranks.dialect());
    let otherwise = notation::read_as(&position, &line.text, ranks.other()).ok();
    let other_dialect = otherwise.filter(|other| read.as_ref() != Ok(other));
    read.map(|mv| Found { mv, other_dialect }).map_err(|error| {
        let mut detail = format!("{:?} in {position}: {error}", line.text);
        if let Some(other) = other_dialect {
            detail += &format!("; with ranks counted the other way it is {other} (--dialect)");
        }
        let (error, candidates) = match error {
            ReadError::Unreadable => ("unreadable", Vec::new()),
            ReadError::Ambiguous(moves) => ("ambiguous", moves),
            ReadError::Illegal(m, _) => ("illegal", vec![m]),
            ReadError::NoSuchMove => ("no_such_move", Vec::new()),
        };
        Fault { candidates, other_dialect, ..Fault::new(error, detail) }
    })
}
