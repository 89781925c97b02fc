//! Records of real games, for the twin to play.

use std::fmt;

use serde::Deserialize;
use xiangqi::{ByColor, Move, Position};

use crate::Game;

/// A real game with its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The id in its collection.
    pub id: String,
    /// The result as recorded: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The players' names, where the collection has them.
    pub names: ByColor<Option<String>>,
    /// The game.
    pub game: Game,
}

/// What is wrong with a line of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for RecordError {}

#[derive(Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    result: String,
    #[serde(default)]
    red: Option<String>,
    #[serde(default)]
    black: Option<String>,
    start_fen: Position,
    moves: Vec<Move>,
}

impl GameRecord {
    /// Reads a collection: a JSON object a line with `id`, `start_fen` and `moves`, and perhaps `result`, `red` and
    /// `black`.
    pub fn read_all(text: &str) -> Result<Vec<GameRecord>, RecordError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| GameRecord::read(line).map_err(|why| RecordError { line: index + 1, why }))
            .collect()
    }

    fn read(line: &str) -> Result<GameRecord, String> {
        let Line { id, result, red, black, start_fen, moves } =
            serde_json::from_str(line).map_err(|e| e.to_string())?;
        let named = |name: Option<String>| name.filter(|name| !name.trim().is_empty());
        let names = ByColor { red: named(red), black: named(black) };
        let game = Game::new(start_fen, moves)
            .map_err(|(mv, why)| format!("{mv} is not a legal move there: {why}"))?;
        Ok(GameRecord { id, result, names, game })
    }

    /// Sixty real tournament games, from the Chinese-Chess-Practical-Dataset (CC BY 4.0).
    pub fn shipped() -> Vec<GameRecord> {
        GameRecord::read_all(include_str!("../../../tests/data/games.jsonl"))
            .expect("the shipped games are legal")
    }
}
