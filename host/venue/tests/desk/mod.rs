//! A board's desk, as far as the venue sees it: it writes lines of a journal and folds them into snapshots, with the
//! code that real boards use.

#![allow(dead_code, reason = "each test file uses a part of it")]

use referee::relay::{Status, Topic};
use referee::{Chain, Line, Provisional, Record, Snapshot};
use serde_json::{Value, json};
use xiangqi::{Move, Position};

/// One publication.
#[derive(Clone, Debug)]
pub struct Publication {
    pub topic: String,
    pub retained: bool,
    pub payload: String,
}

/// A board and its current game.
pub struct Desk {
    board: String,
    chain: Chain,
    pub snapshot: Option<Snapshot>,
    ply: u32,
    utc_ms: u64,
    /// The board's uptime, where a test tells it.
    us: Option<u64>,
}

impl Desk {
    pub fn new(board: &str) -> Desk {
        Desk {
            board: board.to_owned(),
            chain: Chain::START,
            snapshot: None,
            ply: 0,
            utc_ms: 1_700_000_000_000,
            us: None,
        }
    }

    /// The wall clock of the lines that follow.
    pub fn set_utc(&mut self, utc_ms: u64) {
        self.utc_ms = utc_ms;
    }

    /// The board's uptime, in microseconds, at the lines that follow.
    pub fn set_us(&mut self, us: u64) {
        self.us = Some(us);
    }

    pub fn status(&self, online: bool) -> Publication {
        let game = self.snapshot.as_ref().map(|snapshot| snapshot.game.clone());
        let status = Status { game, us: self.us.unwrap_or(1), ..Status::new(&self.board, online) };
        let topic = Topic::Status { board: &self.board }.to_string();
        Publication { topic, retained: true, payload: serde_json::to_string(&status).unwrap() }
    }

    /// The record of the line, and the snapshot after it.
    pub fn write(&mut self, record: &Value) -> [Publication; 2] {
        let mut record = record.clone();
        if let Some(us) = self.us {
            record["us"] = us.into();
        }
        let text = self.chain.seal(self.utc_ms, &record.to_string());
        let line: Line = serde_json::from_str(&text).unwrap();
        let snapshot = match (&line.record, self.snapshot.take()) {
            (Record::Unknown, _) => panic!("{record} is no record"),
            (Record::Game(header), _) => Snapshot::begin(&self.board, line.seq, line.utc_ms, header),
            (_, Some(mut snapshot)) => {
                snapshot.apply(&line);
                snapshot
            }
            (_, None) => panic!("a desk starts with a game"),
        };
        let record_topic = Topic::Record { board: &self.board }.to_string();
        let snapshot_topic = Topic::Snapshot { board: &self.board, game: &snapshot.game }.to_string();
        let payload = serde_json::to_string(&snapshot).unwrap();
        self.snapshot = Some(snapshot);
        [
            Publication { topic: record_topic, retained: false, payload: text },
            Publication { topic: snapshot_topic, retained: true, payload },
        ]
    }

    pub fn begin(&mut self, game: &str, table: &str, red: &str, black: &str) -> [Publication; 2] {
        self.ply = 0;
        self.write(&json!({
            "kind": "game", "game": game, "us": 0, "start": Position::initial().to_string(), "rules": "2020",
            "red": red, "black": black, "event": "试验赛", "round": "3", "table": table,
        }))
    }

    /// A committed move, and then the clocks after it.
    pub fn play(&mut self, mv: Move) -> Vec<Publication> {
        self.ply += 1;
        let (side, other) = if self.ply % 2 == 1 { ("red", "black") } else { ("black", "red") };
        let us = u64::from(self.ply) * 4_000_000;
        let used = |plies: u32| u64::from(plies) * 4_000_000;
        let (red_left_us, black_left_us) =
            (1_200_000_000 - used(self.ply.div_ceil(2)), 1_200_000_000 - used(self.ply / 2));
        let mut all = self
            .write(&json!({
                "kind": "event", "us": us, "event": "moved", "ply": self.ply, "side": side, "move": mv,
                "begin_us": us, "settled_us": us,
                "clock": {
                    "spent_us": used(1), "used_us": used(self.ply.div_ceil(2)),
                    "red_left_us": red_left_us, "black_left_us": black_left_us,
                },
            }))
            .to_vec();
        all.extend(self.write(&json!({
            "kind": "event", "us": us, "event": "clock", "side": other, "clock": "switched",
            "shows": {
                "state": "running", "running": other, "red_left_us": red_left_us, "black_left_us": black_left_us,
            },
        })));
        assert_eq!(self.snapshot.as_ref().unwrap().clock.unwrap().red_ms, red_left_us / 1000);
        all
    }

    pub fn provisional(&mut self, mv: Option<Move>) -> [Publication; 2] {
        let ply = self.ply + 1;
        let written =
            self.write(&json!({"kind": "event", "us": 1, "event": "provisional", "ply": ply, "move": mv}));
        assert_eq!(self.snapshot.as_ref().unwrap().provisional, mv.map(|mv| Provisional { mv }));
        written
    }

    /// The last snapshot once more, as a board sends it after a broken link.
    pub fn again(&self) -> Publication {
        let snapshot = self.snapshot.as_ref().expect("a desk starts with a game");
        let topic = Topic::Snapshot { board: &self.board, game: &snapshot.game }.to_string();
        Publication { topic, retained: true, payload: serde_json::to_string(snapshot).unwrap() }
    }

    pub fn incident(&mut self, kind: &str, article: &str) -> [Publication; 2] {
        let ply = self.ply + 1;
        self.write(&json!({
            "kind": "event", "us": 1, "event": "incident", "incident": kind, "ply": ply, "side": "black",
            "article": article, "squares": ["b9"], "note": "",
        }))
    }

    pub fn evidence(&mut self) -> [Publication; 2] {
        self.write(&json!({"kind": "press", "us": 1, "side": "red"}))
    }

    pub fn resign(&mut self) -> [Publication; 2] {
        let result = json!({
            "result": 1, "score": "0-1", "reason": "resignation", "article": "4.1.9", "plies": self.ply, "by": "red",
        });
        let mut event = json!({"kind": "event", "us": 1, "event": "result"});
        event.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
        let written = self.write(&event);
        assert!(self.snapshot.as_ref().unwrap().result.is_some());
        written
    }

    /// An arbiter has ordered that the game goes on.
    pub fn reopen(&mut self) -> [Publication; 2] {
        let written = self.write(&json!({"kind": "event", "us": 1, "event": "reopened", "result": 1}));
        assert!(self.snapshot.as_ref().unwrap().result.is_none());
        written
    }
}

/// The moves of a real game (Chinese-Chess-Practical-Dataset, CC BY 4.0).
pub fn game(number: usize) -> Vec<Move> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../xiangqi/tests/data/games.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let line: serde_json::Value = serde_json::from_str(text.lines().nth(number).unwrap()).unwrap();
    line["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().parse().unwrap()).collect()
}
