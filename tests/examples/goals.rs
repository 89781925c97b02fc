//! Fits how often players choose each kind of goal of the piece that they move: the weights of `referee`'s `infer/goal.rs`.
//!
//! `cargo run --release -p tests --example goals`. Reads the collection beside the repository, or the shipped games where there
//! is none. The kinds are told apart here as they are there; the likelihood of the moves played is greatest at the printed
//! weights, each goal weighed against all other goals of its piece.

use std::fs::File;
use std::io::Read;

use tests::beside;
use twin::GameRecord;
use xiangqi::{Move, Position, Square};

/// The kinds of goals, in the order of their numbers. The weight of a quiet move out of reach is 1.
const KINDS: [&str; 5] = ["retakes", "takes", "takes what is defended", "goes", "goes into attack"];
const GOES: usize = 3;
/// The fit has come to rest long before.
const ROUNDS: usize = 300;

/// One move: how many goals of each kind its piece had, and which kind was chosen.
struct Choice {
    goals: [u16; KINDS.len()],
    chosen: usize,
}

fn kind(position: &Position, taken: Option<Square>, mv: Move) -> usize {
    let captures = position.board().color_at(mv.to).is_some();
    let after = position.play_unchecked(mv);
    let attacked = !after.board().attackers_of(mv.to, after.turn()).is_empty();
    match (captures, attacked) {
        (true, _) if taken == Some(mv.to) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, false) => GOES,
        (false, true) => 4,
    }
}

fn choices(record: &GameRecord) -> Vec<Choice> {
    let (mut position, mut taken) = (*record.game.start(), None);
    let mut choices = Vec::new();
    for mv in record.game.moves() {
        let mut goals = [0; KINDS.len()];
        for own in position.legal_moves().into_iter().filter(|own| own.from == mv.from) {
            goals[kind(&position, taken, own)] += 1;
        }
        choices.push(Choice { goals, chosen: kind(&position, taken, *mv) });
        taken = position.board().color_at(mv.to).map(|_| mv.to);
        position = position.play_unchecked(*mv);
    }
    choices
}

/// The weights at which the choices are likeliest, by iterative scaling.
fn fitted(choices: &[Choice]) -> [f64; KINDS.len()] {
    let mut weights = [1.0; KINDS.len()];
    let mut chosen = [0.0; KINDS.len()];
    for choice in choices {
        chosen[choice.chosen] += 1.0;
    }
    for _ in 0..ROUNDS {
        let mut expected = [0.0; KINDS.len()];
        for Choice { goals, .. } in choices {
            let all: f64 = weights.iter().zip(goals).map(|(weight, count)| weight * f64::from(*count)).sum();
            for (sum, count) in expected.iter_mut().zip(goals) {
                *sum += f64::from(*count) / all;
            }
        }
        for ((weight, chosen), expected) in weights.iter_mut().zip(chosen).zip(expected) {
            *weight = chosen / expected;
        }
        let unit = weights[GOES];
        weights.iter_mut().for_each(|weight| *weight /= unit);
    }
    weights
}

fn records() -> Vec<GameRecord> {
    let Some(file) = beside("data/games/games.jsonl.gz") else { return GameRecord::shipped() };
    let mut text = String::new();
    let opened = File::open(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    flate2::read::MultiGzDecoder::new(opened)
        .read_to_string(&mut text)
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    GameRecord::read_all(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn main() {
    let records = records();
    let choices: Vec<Choice> = records.iter().flat_map(choices).collect();
    println!("{} moves of {} games", choices.len(), records.len());
    for (kind, weight) in KINDS.iter().zip(fitted(&choices)) {
        println!("{kind:24} {weight:8.3}");
    }
}
