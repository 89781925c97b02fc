//! Positions, counts and verdicts from outside: published perft values, two engines' answers, the rules.
//! The files live beside the repository (`../shared/data/rules`); the rows kept in `tests/data` are a selection.

use std::path::Path;

use serde_json::Value;
use xiangqi::{Color, Illegality, Move, Position, Setup};

/// The rows of a data file: the whole file where it stands beside the repository, else the selection we carry.
fn rows(name: &str) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let whole = root.join("../../../shared/data/rules").join(name);
    let path = if whole.exists() { whole } else { root.join("tests/data").join(name) };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("{key} in {row}"))
}

#[test]
fn perft_counts_are_those_published() {
    //= 1.3 test
    //= 2.2 test
    //= 2.3 test
    // The start position, from chessprogramming.org; its deeper counts are for the bench.
    for (depth, nodes) in [(1, 44), (2, 1_920), (3, 79_666), (4, 3_290_240)] {
        assert_eq!(Position::initial().perft(depth), nodes);
    }
    for row in rows("perft.jsonl") {
        let position: Position = text(&row, "fen").parse().expect("a position");
        let (depth, nodes) = (row["depth"].as_u64().unwrap(), row["nodes"].as_u64().unwrap());
        // The two counts of a billion and more are for the benches.
        if nodes > 200_000_000 {
            continue;
        }
        assert_eq!(position.perft(depth as u32), nodes, "depth {depth} of {position}");
    }
}

#[test]
fn suicides_are_told_from_legal_moves() {
    for row in rows("suicide.jsonl") {
        let position: Position = text(&row, "fen").parse().expect("a position");
        assert_eq!(position.in_check(), row["in_check"].as_bool().unwrap(), "{position}");
        let mut legal: Vec<String> = position.legal_moves().into_iter().map(|m| m.to_string()).collect();
        legal.sort();
        let expected: Vec<&str> =
            row["legal"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert_eq!(legal, expected, "{position}");
        let suicides = row["suicidal"].as_array().unwrap();
        assert_eq!(position.movements().len(), legal.len() + suicides.len(), "{position}");
        for suicide in suicides {
            let m: Move = text(suicide, "move").parse().unwrap();
            let why = position.illegality(m).unwrap_or_else(|| panic!("{m} is 自杀 in {position}"));
            assert!(why.is_suicide());
            assert_eq!(
                why.name(),
                text(suicide, "kind").replace("flying_general", "kings_facing"),
                "{m} in {position}"
            );
        }
    }
}

/// Whether our verdict on a FEN is what it should be. Where Fairy-Stockfish and Pikafish agree the answer is theirs, but
/// for the cases that the rules decide.
#[test]
fn fen_verdicts_follow_the_rules() {
    //= 1.2 test
    for row in rows("fen_validity.jsonl") {
        let peers = (row["pyffish_ok"].as_bool().unwrap(), text(&row, "pikafish").starts_with("accept"));
        let expected = match (text(&row, "case"), peers) {
            // Both sides' rules of movement (2.2) keep a pawn before the river on its file: two cannot share one.
            ("two uncrossed pawns same file", _) => false,
            // The counters say nothing about the position; programs leave them out and we supply `- - 0 1`.
            ("no counters", _) => true,
            (_, (fairy, pika)) => fairy && pika,
        };
        let verdict = text(&row, "fen").parse::<Position>();
        assert_eq!(verdict.is_ok(), expected, "{}: {verdict:?}", text(&row, "case"));
    }
}

#[test]
fn every_fen_reads_back() {
    for row in rows("perft.jsonl") {
        let setup: Setup = text(&row, "fen").parse().expect("a FEN");
        assert_eq!(setup.to_string().parse::<Setup>().unwrap(), setup);
        assert_eq!(setup.mirrored().mirrored(), setup);
        assert_eq!(setup.flipped().flipped(), setup);
    }
}

/// The rules treat left and right, and the two sides, alike.
#[test]
fn mirrored_and_flipped_positions_have_as_many_moves() {
    for row in rows("perft.jsonl").iter().filter(|row| row["depth"] == 2) {
        let position: Position = text(row, "fen").parse().expect("a position");
        let mirrored = Position::new(position.setup().mirrored()).expect("the mirror keeps the rules");
        let flipped = Position::new(position.setup().flipped()).expect("colours are alike");
        assert_eq!(mirrored.perft(2), position.perft(2));
        assert_eq!(flipped.perft(2), position.perft(2));
    }
}

/// The quick looks for checks and captures find what playing every move finds, also where a side moves twice in a row.
#[test]
fn checks_and_captures_are_those_among_the_legal_moves() {
    let check = |position: Position| {
        let tried: Vec<Move> =
            position.legal_moves().into_iter().filter(|m| position.play_unchecked(*m).in_check()).collect();
        assert_eq!(position.checking_moves().to_vec(), tried, "{position}");
        let captures: Vec<Move> =
            position.legal_moves().into_iter().filter(|m| position.captured_by(*m).is_some()).collect();
        assert_eq!(position.legal_captures().to_vec(), captures, "{position}");
    };
    for row in rows("perft.jsonl").iter().filter(|row| row["depth"] == 2).step_by(3) {
        let position: Position = text(row, "fen").parse().expect("a position");
        for m in &position.legal_moves() {
            let after = position.play_unchecked(m);
            check(after);
            if !after.in_check() {
                check(after.with_turn(position.turn()));
            }
        }
    }
}

#[test]
fn the_sides_alternate_and_red_begins() {
    //= 2.1 test
    let start = Position::initial();
    let (red, black): (Move, Move) = ("h2e2".parse().unwrap(), "h9g7".parse().unwrap());
    assert_eq!(start.play(black), Err(Illegality::NotYours));
    let after = start.play(red).expect("Red begins");
    assert_eq!(after.play(Move::new(red.to, red.from)), Err(Illegality::NotYours));
    assert_eq!(after.play(black).expect("then Black").turn(), Color::Red);
}
