//! `luozi see`: what a picture of a board shows.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use calibration::BoardProfile;
use serde_json::json;
use vision::{Camera, Class, Difference, Faces, Photo, PointReading, Reading};
use xiangqi::{Board, Color, Setup};

use crate::outcome::{Answer, Failure, Outcome};

/// Read the position from a picture of a board.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The profile's [camera] table says where the board lies (corners = four pixels, of a0, i0, i9 and a9) and which \
    pictures show the initial position (start = [...]), from which the faces of this set of pieces are learnt.\n\
    A picture does not show whose turn it is.\n\
    Exit status: 0 every point is told (with --expect: nothing contradicts it), 1 some are in doubt (contradict it), 2 unreadable."
)]
pub struct Args {
    /// A JPEG or PNG picture
    picture: PathBuf,
    /// The profile of the board, with its camera
    #[arg(long, value_name = "BOARD.toml")]
    profile: PathBuf,
    /// Tell only what contradicts this position: a FEN, or `start`
    #[arg(long, value_name = "FEN")]
    expect: Option<String>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Learns the faces, reads the picture, and says what it shows.
pub fn run(args: &Args) -> Outcome {
    let expected = args.expect.as_deref().map(expected).transpose()?;
    let camera = camera(&args.profile)?;
    let faces = learn(&camera, &args.profile)?;
    let reading = faces.read(&camera, &photo(&args.picture)?).map_err(|e| {
        Failure::new(format_args!("{} with {}: {e}", args.picture.display(), args.profile.display()))
    })?;
    let differences = expected.map(|board| reading.differences(&board));
    let told = if args.json {
        serde_json::to_string(&json(args, &reading, differences.as_deref()))?
    } else {
        text(&reading, differences.as_deref())
    };
    writeln!(io::stdout(), "{}", told.trim_end())?;
    Ok(Answer::from_bool(match &differences {
        Some(found) => found.is_empty(),
        None => reading.doubts().next().is_none(),
    }))
}

fn expected(fen: &str) -> Result<Board, Failure> {
    if fen == "start" {
        return Ok(Setup::initial().board);
    }
    let with_turn = if fen.contains(' ') { fen.to_owned() } else { format!("{fen} w") };
    let setup: Setup = with_turn.parse().map_err(|e| Failure::new(format_args!("--expect {fen}: {e}")))?;
    Ok(setup.board)
}

fn camera(profile: &Path) -> Result<Camera, Failure> {
    let failure = |what: &dyn std::fmt::Display| Failure::new(format_args!("{}: {what}", profile.display()));
    let text = std::fs::read_to_string(profile).map_err(|e| failure(&e))?;
    let read = BoardProfile::from_toml(&text).map_err(|e| failure(&e))?;
    let view = read.camera.and_then(|camera| camera.view());
    view.ok_or_else(|| failure(&"expected a [camera] table with corners and start"))
}

fn learn(camera: &Camera, profile: &Path) -> Result<Faces, Failure> {
    let beside = profile.parent().unwrap_or(Path::new(""));
    let paths: Vec<PathBuf> = camera.start.iter().map(|name| beside.join(name)).collect();
    let photos = paths.iter().map(|path| photo(path)).collect::<Result<Vec<_>, _>>()?;
    Faces::learn(camera, &photos).map_err(|error| {
        match error.picture().and_then(|number| paths.get(number)) {
            Some(path) => Failure::new(format_args!("{}: {error}", path.display())),
            None => Failure::new(format_args!("{}: [camera] start: {error}", profile.display())),
        }
    })
}

fn photo(path: &Path) -> Result<Photo, Failure> {
    let failure = |what: &dyn std::fmt::Display| Failure::new(format_args!("{}: {what}", path.display()));
    let bytes = std::fs::read(path).map_err(|e| failure(&e))?;
    Photo::decode(&bytes).map_err(|e| failure(&e))
}

/// The FEN of the pieces alone.
fn placement(reading: &Reading) -> String {
    let fen = Setup { board: reading.board(), turn: Color::Red, ..Setup::initial() }.to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

fn letter(class: Class) -> String {
    class.map_or_else(|| "-".to_owned(), |piece| piece.letter().to_string())
}

fn candidates(point: &PointReading) -> Vec<(String, f64)> {
    point.classes.iter().filter(|(_, p)| *p >= 0.05).map(|&(class, p)| (letter(class), rounded(p))).collect()
}

fn rounded(p: f32) -> f64 {
    (f64::from(p) * 1000.0).round() / 1000.0
}

fn json(args: &Args, reading: &Reading, differences: Option<&[Difference]>) -> serde_json::Value {
    let doubts: Vec<_> = reading
        .doubts()
        .map(|point| {
            let candidates: Vec<_> =
                candidates(point).into_iter().map(|(piece, p)| json!({"piece": piece, "p": p})).collect();
            json!({"square": point.square.to_string(), "candidates": candidates})
        })
        .collect();
    let mut told = json!({
        "picture": args.picture.display().to_string(), "placement": placement(reading),
        "certain": doubts.is_empty(), "doubts": doubts,
    });
    if let Some(differences) = differences {
        let found = differences.iter().map(|found| {
            json!({"square": found.square.to_string(), "expected": letter(found.expected), "seen": letter(found.seen), "p": rounded(found.likelihood)})
        });
        told["differences"] = found.collect();
    }
    told
}

fn text(reading: &Reading, differences: Option<&[Difference]>) -> String {
    let mut out = format!("{}\n", placement(reading));
    for point in reading.doubts() {
        let named: Vec<String> =
            candidates(point).iter().map(|(piece, p)| format!("{piece} {:.0} %", p * 100.0)).collect();
        let named = if named.is_empty() { "nothing known".to_owned() } else { named.join(", ") };
        out += &format!("{}: in doubt: {named}\n", point.square);
    }
    for found in differences.unwrap_or_default() {
        out +=
            &format!("{}: expected {}, seen {}\n", found.square, letter(found.expected), letter(found.seen));
    }
    out
}
