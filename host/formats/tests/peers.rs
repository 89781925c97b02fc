//! What we write, read by somebody else: the PyPI package `cchess`.
//!
//! The test installs it once into a virtual environment in the target folder. Where there is no Python, or no way to
//! install, it says so and passes. `LUOZI_CCHESS_PYTHON` names an interpreter that has the package already.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use formats::{Format, Game, NodeId, Outcome, Ply, ReadOptions, Style, Tag, WriteOptions};
use serde_json::Value;
use xiangqi::notation::{Script, chinese};
use xiangqi::{Color, Move, Position, Role, Square};

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

/// Games that legal moves chosen by a fixed rule lead through, with variations. Whatever move the laws allow can come.
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
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Advisors, elephants and pawns more often than they come by chance: it is their names that readers stumble on.
        let told_apart: Vec<Move> = moves.iter().copied().filter(|m| is_told_apart(&position, *m)).collect();
        let m = match told_apart.is_empty() || ply % 3 == 0 {
            true => moves[choose(moves.len())],
            false => told_apart[choose(told_apart.len())],
        };
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

fn is_told_apart(position: &Position, m: Move) -> bool {
    matches!(position.board().role_at(m.from), Some(Role::Advisor | Role::Elephant | Role::Pawn))
}

/// Real games beside the repository, from the Chinese-Chess-Practical-Dataset (CC BY 4.0).
fn real_games() -> Vec<Game> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/games/games.jsonl.gz");
    let Ok(packed) = std::fs::read(file) else {
        println!("skipped: no games beside the repository");
        return Vec::new();
    };
    let mut games = formats::read(&packed, &ReadOptions::default()).expect("JSON lines").games;
    games.truncate(60);
    games
}

/// How many of a piece's own kind stand where the reader of cchess looks for the one that is meant.
fn twins(position: &Position, m: Move, on_file: bool) -> Vec<Square> {
    let piece = position.piece_at(m.from);
    let is_twin =
        |square: &Square| position.piece_at(*square) == piece && (!on_file || square.file() == m.from.file());
    Square::all().filter(is_twin).collect()
}

/// Where cchess 1.25.5 stops, or takes another piece, in Chinese notation. Of two advisors or elephants on a file it
/// tries only the one nearer to Red. Of pawns that share a file it takes those of the whole board, by file and rank: the
/// last of them for 前, the second for 中, the first for 后, for Black from the other end; and it knows no 二兵, 前三.
fn stumbles(position: &Position, m: Move, style: Style) -> bool {
    let Some(piece) = position.piece_at(m.from) else { return false };
    let on_file = twins(position, m, true);
    if on_file.len() < 2 {
        return false;
    }
    match piece.role {
        Role::Advisor | Role::Elephant if style == Style::ChineseSelected => false,
        Role::Advisor | Role::Elephant => on_file.iter().any(|other| other.rank() < m.from.rank()),
        Role::Pawn => {
            let mut all = twins(position, m, false);
            all.sort_by_key(|square| (square.file(), square.rank()));
            if piece.color == Color::Black {
                all.reverse();
            }
            let name = chinese(position, m, Script::Simplified);
            let taken = match name.chars().next() {
                Some('前') => all.last(),
                Some('中') => all.get(1),
                Some('后') => all.first(),
                _ => None,
            };
            let names_the_piece = name.chars().nth(1).is_some_and(|c| "兵卒".contains(c));
            !names_the_piece || taken != Some(&m.from)
        }
        _ => false,
    }
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

/// Its reader of PGN knows no variations and no comments; the main line is what it can confirm. In ICCS it confirms
/// every ply of every game.
#[test]
fn cchess_reads_our_pgn_in_iccs() {
    let Some(python) = python() else { return };
    for (game, found) in read_back(&python, Style::Iccs) {
        assert_eq!(found_lines(&found), lines(&game));
        assert_eq!(found["info"]["red"].as_str().unwrap_or(""), game.headers.text(&Tag::Red));
    }
}

/// In Chinese it confirms every ply up to the first that its reader cannot tell, and that is always one of those which
/// [`stumbles`] names; with 前 and 后 before advisors and elephants only pawns are left.
#[test]
fn cchess_reads_our_pgn_in_chinese_as_far_as_it_can() {
    let Some(python) = python() else { return };
    for style in [Style::Chinese, Style::ChineseSelected] {
        let (mut whole, mut all) = (0, 0);
        for (game, found) in read_back(&python, style) {
            let main: Vec<String> = lines(&game).into_iter().next().unwrap_or_default();
            let known = main.len().min(plies_before_a_stumble(&game, style));
            let read = found_lines(&found).into_iter().next().unwrap_or_default();
            assert!(read.len() >= known, "{style:?}: {} of {known} plies of {main:?}", read.len());
            assert_eq!(read[..known], main[..known], "{style:?}");
            assert_eq!(read == main, known == main.len(), "{style:?}: {main:?}");
            all += 1;
            whole += usize::from(read == main);
        }
        println!("{style:?}: {whole} of {all} games whole");
    }
}

/// The main lines of all games, each with what cchess found in the file.
fn read_back(python: &Path, style: Style) -> Vec<(Game, Value)> {
    let main = |game: Game| Game { tree: game.tree.without_variations(), ..game };
    let games: Vec<Game> = games().into_iter().chain(real_games()).map(main).collect();
    let files = write_all(&games, Format::Pgn, &WriteOptions { style, ..WriteOptions::default() });
    let found = read_by_cchess(python, &files);
    assert_eq!(found.len(), games.len());
    games.into_iter().zip(found).collect()
}

fn plies_before_a_stumble(game: &Game, style: Style) -> usize {
    let mut position = Position::standing(game.start).expect("a start that the laws know");
    let moves = game.tree.main_line().filter_map(|id| game.tree.node(id).ply()?.as_move());
    let told = moves.take_while(|m| {
        let stumbles = stumbles(&position, *m, style);
        position = position.play_unchecked(*m);
        !stumbles
    });
    told.count()
}
