//! What we write, read by somebody else: the PyPI package `cchess`.
//!
//! The test installs it once into a virtual environment in the target folder. Where there is no Python, or no way to
//! install, it says so and passes. `LUOZI_CCHESS_PYTHON` names an interpreter that has the package already.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use formats::{Format, Game, NodeId, Outcome, Ply, Style, Tag, WriteOptions};
use serde_json::Value;
use xiangqi::notation::{Script, chinese};
use xiangqi::{Move, Position, Role};

const PACKAGE: &str = "cchess==1.25.5";

/// A Python with the package.
fn python() -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("LUOZI_CCHESS_PYTHON") {
        return Some(python.into());
    }
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cchess");
    let python = venv.join("bin/python");
    let has_package = |python: &Path| runs(Command::new(python).args(["-c", "import cchess"]));
    if has_package(&python) {
        return Some(python);
    }
    let made = runs(Command::new("python3").arg("-m").arg("venv").arg(&venv))
        && runs(Command::new(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]));
    if made && has_package(&python) {
        return Some(python);
    }
    println!("skipped: no Python with {PACKAGE}");
    None
}

fn runs(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Games that legal moves chosen by a fixed rule lead through, with variations.
fn games() -> Vec<Game> {
    (0..40u64).map(a_game).collect()
}

fn a_game(seed: u64) -> Game {
    let mut game = Game::new();
    game.headers.set(Tag::Red, "胡荣华");
    game.headers.set(Tag::Black, "徐天红");
    game.headers.set(Tag::Event, "全国象棋个人赛");
    game.outcome = Outcome::RedWins;
    let mut random = seed * 7919 + 1;
    let mut choose = |among: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % among
    };
    let mut position = Position::initial();
    let mut line = vec![(NodeId::ROOT, position)];
    for ply in 0..60 {
        // cchess takes 后卒 for another pawn, and wants 前 or 后 for elephants and advisors, where the notation has none.
        let guards = |m: &Move| {
            matches!(position.board().role_at(m.from), Some(Role::Elephant | Role::Advisor))
                || chinese(&position, *m, Script::Simplified).starts_with(['前', '中', '后', '二', '三'])
        };
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(|m| !guards(m)).collect();
        if moves.is_empty() {
            break;
        }
        let m = moves[choose(moves.len())];
        position = position.play_unchecked(m);
        let parent = line.last().expect("the root at least").0;
        line.push((game.tree.add(parent, Ply::Move(m)), position));
        if ply % 13 == 12 {
            let (parent, before) = line[choose(line.len() - 1)];
            let taken: Vec<Move> =
                game.tree.children(parent).filter_map(|id| game.tree.node(id).ply()?.as_move()).collect();
            let moves = before.legal_moves();
            if let Some(m) = moves.into_iter().find(|m| !taken.contains(m)) {
                game.tree.add(parent, Ply::Move(m));
            }
        }
    }
    game
}

/// Every line from the start to its end.
fn lines(game: &Game) -> BTreeSet<Vec<String>> {
    let tree = &game.tree;
    let ends = tree.preorder().filter(|id| tree.node(*id).first_child().is_none());
    let line = |end: NodeId| {
        let up = std::iter::successors(Some(end), |id| tree.node(*id).parent());
        let mut line: Vec<String> =
            up.filter_map(|id| Some(tree.node(id).ply()?.as_move()?.to_string())).collect();
        line.reverse();
        line
    };
    ends.map(line).collect()
}

fn read_by_cchess(python: &Path, files: &[PathBuf]) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/read_with_cchess.py");
    let output =
        Command::new(python).arg(script).args(files).env("PYTHONUTF8", "1").output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn write_all(games: &[Game], format: Format, options: &WriteOptions) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{format}-{:?}", options.style));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |(number, game): (usize, &Game)| {
        let path = folder.join(format!("{number}.{}", format.ending()));
        let written = formats::write(std::slice::from_ref(game), format, options).expect("written");
        std::fs::write(&path, written.bytes).expect("a file");
        path
    };
    games.iter().enumerate().map(write).collect()
}

fn found_lines(found: &Value) -> BTreeSet<Vec<String>> {
    let lines = found["lines"].as_array().into_iter().flatten();
    let moves = |line: &Value| {
        line.as_array().into_iter().flatten().map(|m| m.as_str().unwrap_or("").to_owned()).collect()
    };
    lines.map(moves).collect()
}

#[test]
fn cchess_reads_our_xqf_with_all_variations() {
    let Some(python) = python() else { return };
    let games = games();
    let files = write_all(&games, Format::Xqf, &WriteOptions::default());
    let found = read_by_cchess(&python, &files);
    assert_eq!(found.len(), games.len());
    for (game, found) in games.iter().zip(&found) {
        assert_eq!(found_lines(found), lines(game));
        assert_eq!(found["info"]["red"], "胡荣华");
        assert_eq!(found["info"]["result"], "1-0");
    }
}

/// Its reader of PGN knows no variations and no comments; the main line is what it can confirm.
#[test]
fn cchess_reads_our_pgn_in_chinese_and_iccs() {
    let Some(python) = python() else { return };
    let games: Vec<Game> =
        games().into_iter().map(|game| Game { tree: game.tree.without_variations(), ..game }).collect();
    for style in [Style::Chinese, Style::Iccs] {
        let files = write_all(&games, Format::Pgn, &WriteOptions { style, ..WriteOptions::default() });
        for (game, found) in games.iter().zip(read_by_cchess(&python, &files)) {
            assert_eq!(found_lines(&found), lines(game), "{style:?}");
            assert_eq!(found["info"]["red"], "胡荣华");
        }
    }
}
