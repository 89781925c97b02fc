//! Judges a file of figures and prints where verdicts or labels differ from what the books say, with boards.
//!
//! `cargo run --release -p xiangqi --example judge_report -- repetition.jsonl [text in the id or ruleset]`

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use xiangqi::law::edition::RepetitionRules;
use xiangqi::law::repetition::{Explanation, Judgement, Language, judge};
use xiangqi::{File, Move, Position, Rank, Square};

fn print_board(position: &Position) {
    for rank in Rank::ALL.into_iter().rev() {
        print!("    {} ", rank.index());
        for file in File::ALL {
            print!(" {}", position.piece_at(Square::at(file, rank)).map_or('.', |piece| piece.letter()));
        }
        println!();
    }
    println!("       a b c d e f g h i");
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or("")
}

fn verdict_matches(judgement: &Judgement, expected: &str) -> bool {
    let ours = judgement.verdict.as_str();
    let federation = |side: &str| (format!("{side}_loses"), format!("must_vary_{side}"));
    expected == ours
        || ["red", "black"].iter().any(|side| {
            let (loses, varies) = federation(side);
            expected == loses && ours == varies
        })
}

fn labels_matching(judgement: &Judgement, row: &Value) -> (usize, usize, String) {
    let (mut right, mut all, mut wrong) = (0, 0, String::new());
    let expected = row["classification"]["per_ply"].as_array().into_iter().flatten();
    for (ply, label) in judgement.plies.iter().zip(expected) {
        let Some(label) = label.as_str() else { continue };
        all += 1;
        if ply.label.term() == label {
            right += 1;
        } else {
            wrong += &format!(" {}:{}≠{label}", ply.played, ply.label.term());
        }
    }
    (right, all, wrong)
}

#[derive(Default)]
struct Score {
    lines: usize,
    verdicts: usize,
    plies: usize,
    labels: usize,
    slowest: Duration,
    uncertain: usize,
}

/// Which of two halves a line belongs to, by a hash of its board that left and right and the books share.
fn half(row: &Value) -> usize {
    let hash = text(row, "fen")
        .bytes()
        .fold(0xcbf29ce484222325u64, |h, b| (h ^ b as u64).wrapping_mul(0x100000001b3));
    (hash >> 32) as usize & 1
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file of figures");
    let only = arguments.next().unwrap_or_default();
    let rows = std::fs::read_to_string(path).expect("a readable file");
    let mut rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    rows.sort_by_key(|row| text(row, "id").to_owned());
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for row in
        rows.iter().filter(|row| text(row, "id").contains(&only) || text(row, "ruleset").contains(&only))
    {
        let rules = match text(row, "ruleset") {
            "CXA-2020" => RepetitionRules::Cxa2020,
            "CXA-1999" => RepetitionRules::Cxa1999,
            _ => RepetitionRules::Wxf2018,
        };
        let Ok(start) = text(row, "fen").parse::<Position>() else {
            println!("## {} no position: {}", text(row, "id"), text(row, "fen"));
            continue;
        };
        let moves = row["moves"].as_array().expect("moves");
        let moves: Vec<Move> = moves.iter().map(|m| m.as_str().unwrap().parse().unwrap()).collect();
        let begun = Instant::now();
        let judgement = judge(&start, &moves, rules).expect("a legal line");
        let took = begun.elapsed();
        let verdict = verdict_matches(&judgement, text(row, "verdict"));
        let (right, all, wrong) = labels_matching(&judgement, row);
        for group in
            [text(row, "ruleset").to_owned(), format!("half {} of {}", half(row), text(row, "ruleset"))]
        {
            let score = scores.entry(group).or_default();
            score.lines += 1;
            score.verdicts += usize::from(verdict);
            score.plies += all;
            score.labels += right;
            score.slowest = score.slowest.max(took);
            score.uncertain += usize::from(!judgement.certain);
        }
        if !verdict || !wrong.is_empty() {
            println!(
                "## {} expected {} got {}{wrong}",
                text(row, "id"),
                text(row, "verdict"),
                judgement.verdict.as_str()
            );
            println!("   {} | {}", text(row, "figure"), text(row, "fen"));
            print!("{}", Explanation { judgement: &judgement, start: &start, language: Language::English });
            print_board(&start);
        }
    }
    for (group, score) in scores {
        println!(
            "{group}: verdicts {}/{}, labels {}/{}, uncertain {}, slowest {:?}",
            score.verdicts, score.lines, score.labels, score.plies, score.uncertain, score.slowest
        );
    }
}
