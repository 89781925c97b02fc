//! Judges every repetition of real games, at every ply where a position recurs, and prints what was found.
//!
//! `cargo run --release -p xiangqi --example judge_games -- games.jsonl [edition]`, a game a line with its moves `h2e2`.
//! Times are those that the processor spent, where Linux tells them, so that a busy machine does not matter.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use xiangqi::law::edition::{Edition, EditionName};
use xiangqi::law::repetition::{Explanation, Language, judge};
use xiangqi::{Move, Position};

fn moves_of(game: &Value) -> Vec<Move> {
    let texts: Vec<&str> = match &game["moves"] {
        Value::String(text) => text.split_whitespace().collect(),
        list => list.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    };
    texts.into_iter().map_while(|text| text.parse().ok()).collect()
}

/// The time that this thread has had the processor.
fn processor_time(begun: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.as_deref().and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

fn main() {
    let start_of_run = Instant::now();
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file of games");
    let edition: EditionName =
        arguments.next().map_or(Ok(EditionName::Cxa2020), |name| name.parse()).expect("an edition");
    let rules = Edition::new(edition).repetition;
    let games = std::fs::read_to_string(path).expect("a readable file");
    let mut times: Vec<Duration> = Vec::new();
    let mut found: HashMap<String, usize> = HashMap::new();
    for (number, line) in games.lines().enumerate() {
        let game: Value = serde_json::from_str(line).expect("a JSON line");
        let (start, moves) = (Position::initial(), moves_of(&game));
        let mut position = start;
        let mut seen = vec![(*position.board(), position.turn())];
        let mut last = None;
        for (i, m) in moves.iter().enumerate() {
            let Ok(next) = position.play(*m) else { break };
            position = next;
            let here = (*position.board(), position.turn());
            if seen.contains(&here) {
                let begun = processor_time(start_of_run);
                let judgement = judge(&start, &moves[..=i], rules).expect("a legal line");
                times.push(processor_time(start_of_run) - begun);
                last = Some((i, judgement));
            }
            seen.push(here);
        }
        if let Some((i, judgement)) = last {
            let key = format!(
                "{} 红{} 黑{}{}",
                judgement.verdict.as_str(),
                judgement.classes.red.term(),
                judgement.classes.black.term(),
                if judgement.certain { "" } else { " (uncertain)" }
            );
            println!("game {number}, ply {}: {key}", i + 1);
            let count = found.entry(key).or_default();
            *count += 1;
            if *count <= 2 {
                println!(
                    "{position}\n{}",
                    Explanation { judgement: &judgement, start: &start, language: Language::Chinese }
                );
            }
        }
    }
    times.sort();
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(key, count)| (std::cmp::Reverse(*count), key.clone()));
    for (key, count) in found {
        println!("{count:>5} {key}");
    }
    if let Some(worst) = times.last() {
        println!("{} answers, p99 {:?}, worst {worst:?}", times.len(), times[times.len() * 99 / 100]);
    }
}
