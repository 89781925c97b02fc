//! `luozi notate`: moves in every notation, and back.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xiangqi::notation::{self, ReadError, Script};
use xiangqi::{Illegality, Move, Position, Setup};

use crate::json_lines;
use crate::outcome::{Answer, Failure, Outcome};

/// Write moves in every notation, or read them from any.
///
/// Exits with 1 if a line holds no position or names no legal move; a text that names several is answered with the moves.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// JSON lines {"fen", "move_iccs"}, with --parse {"fen", "text"}; - is standard input
    file: PathBuf,
    /// Read texts in Chinese (full or short), WXF, ICCS or UCCI
    #[arg(long)]
    parse: bool,
    /// One JSON object a line instead of text
    #[arg(long)]
    json: bool,
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
}

/// Why a line has no answer.
#[derive(Serialize)]
struct Fault {
    /// One word for programs.
    error: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<Move>,
    /// The same for people.
    detail: String,
}

/// Answers every line of the file with one line.
pub fn run(args: &Args) -> Outcome {
    let mut out = Answers { out: BufWriter::new(io::stdout().lock()), json: args.json, all_well: true };
    if args.parse {
        for line in json_lines::read(&args.file, r#"{"fen":…,"text":…}"#)? {
            out.write(find(&line?), |found: &Found| found.mv.to_string())?;
        }
    } else {
        for line in json_lines::read(&args.file, r#"{"fen":…,"move_iccs":…}"#)? {
            out.write(name(&line?), Names::line)?;
        }
    }
    out.out.flush()?;
    Ok(Answer::from_bool(out.all_well))
}

struct Answers<W> {
    out: W,
    json: bool,
    all_well: bool,
}

impl<W: Write> Answers<W> {
    fn write<T: Serialize>(
        &mut self,
        answer: Result<T, Fault>,
        line: impl Fn(&T) -> String,
    ) -> Result<(), Failure> {
        // What is ambiguous in a short form is no fault of whoever wrote it.
        self.all_well &= answer.as_ref().err().is_none_or(|fault| fault.error == "ambiguous");
        match (answer, self.json) {
            (Ok(answer), true) => serde_json::to_writer(&mut self.out, &answer)?,
            (Err(fault), true) => serde_json::to_writer(&mut self.out, &fault)?,
            (Ok(answer), false) => write!(self.out, "{}", line(&answer))?,
            (Err(fault), false) => write!(self.out, "{}: {}", fault.error, fault.detail)?,
        }
        Ok(writeln!(self.out)?)
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
    let fault = |detail| Fault { error: "bad_fen", candidates: Vec::new(), detail };
    let setup: Setup = fen.parse().map_err(|e| fault(format!("{fen}: {e}")))?;
    Position::standing(setup).map_err(|e| fault(format!("{fen}: {e}")))
}

fn name(line: &MoveLine) -> Result<Names, Fault> {
    let position = position(&line.fen)?;
    let fault = |error, why| Fault {
        error,
        candidates: Vec::new(),
        detail: format!("{:?} in {position}: {why}", line.move_iccs),
    };
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

fn find(line: &TextLine) -> Result<Found, Fault> {
    let position = position(&line.fen)?;
    notation::read(&position, &line.text).map(|mv| Found { mv }).map_err(|error| {
        let detail = format!("{:?} in {position}: {error}", line.text);
        let (error, candidates) = match error {
            ReadError::Unreadable => ("unreadable", Vec::new()),
            ReadError::Ambiguous(moves) => ("ambiguous", moves),
            ReadError::Illegal(m, _) => ("illegal", vec![m]),
            ReadError::NoSuchMove => ("no_such_move", Vec::new()),
        };
        Fault { error, candidates, detail }
    })
}
