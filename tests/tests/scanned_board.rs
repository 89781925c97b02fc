//! The daemon records a whole game from pins: the shipped scan loop, buttons and matrix over the twin.

use std::fs;

use boardd::{
    Arbiters, Buttons, Clock, Config, FileDisk, Label, ScannedBoard, Sensing, Source, observation_of, run,
    segments, usual_header,
};
use referee::{GameHeader, Record};
use sense::{Matrix, Orientation, ReedMatrix, SerialMatrix, Uptime};
use tokio::sync::watch;
use trace::{Observation, Sensed};
use twin::{ButtonPin, GameRecord, PinBoard, Played, Style};
use xiangqi::{Bitboard, Color};

const SETTLE_NS: u32 = 20_000;

/// Time on the table; it passes when the scan loop waits.
struct TableClock(PinBoard);

impl Clock for TableClock {
    fn now_us(&self) -> u64 {
        self.0.now().as_us()
    }

    fn wait_until_us(&mut self, at: u64) {
        self.0.wait_until(Uptime::from_us(at));
    }
}

/// A source that ends when the trace has ended.
struct Until<S>(S, Uptime);

impl<S: Source> Source for Until<S> {
    fn start(&mut self, now: Uptime, going_on: Option<boardd::GoingOn>) {
        self.0.start(now, going_on);
    }

    fn next(&mut self, deadline: Option<Uptime>) -> Sensing {
        match self.0.next(deadline) {
            Sensing::Quiet(now) if now > self.1 => Sensing::Ended,
            sensing => sensing,
        }
    }
}

fn header() -> GameHeader {
    usual_header("table-7", Some("60m".to_owned()))
}

fn buttons(board: &PinBoard) -> Buttons<ButtonPin> {
    let press = |side| (Label::Press(side), board.button(Sensed::Press(side)));
    Buttons::new(Color::ALL.map(press))
}

/// What the journal of a daemon holds that scans that matrix until the game is over.
fn recorded<M>(played: &Played, wire: impl FnOnce(&PinBoard) -> M) -> Vec<Record>
where
    M: ReedMatrix<Error: std::fmt::Debug> + Send + 'static,
{
    let board = PinBoard::new(played);
    let end = played.observations.last().unwrap().at.plus_us(5_000_000);
    let clock = TableClock(board.clone());
    let source = ScannedBoard::new(wire(&board), buttons(&board), clock, Bitboard::EMPTY, header());
    let folder = tempfile::tempdir().unwrap();
    let disk = FileDisk::open(folder.path()).unwrap();
    let config = Config {
        board: "table-7".to_owned(),
        broker: None,
        arbiters: Arbiters::default(),
        boot: String::new(),
    };
    let (_stop, stopped) = watch::channel(false);
    run(disk.clone(), Until(source, end), &config, stopped).unwrap();
    let mut records = Vec::new();
    for segment in segments(&disk).unwrap() {
        let text = fs::read_to_string(folder.path().join(segment)).unwrap();
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            records.push(serde_json::from_value(line["record"].clone()).unwrap());
        }
    }
    records
}

#[test]
fn a_game_is_recorded_from_the_pins_of_either_variant() {
    let records = GameRecord::shipped();
    let shortest = records.iter().min_by_key(|record| record.game.moves().len()).unwrap();
    // Three quiet seconds before the first move, so that the game begins.
    let played = (0..)
        .map(|seed| shortest.game.play(Style::Slides, seed))
        .find(|played| played.observations[1].at > Uptime::from_ms(3_500))
        .unwrap();
    let direct = recorded(&played, |board| {
        Matrix::new(board.rows(), board.columns(), board.delay(), SETTLE_NS, Orientation::RedAtRowZero)
    });
    let serial = recorded(&played, |board| {
        let (chain, load) = board.chain();
        SerialMatrix::new(chain, load, board.delay(), SETTLE_NS, Orientation::RedAtRowZero)
    });
    for records in [&direct, &serial] {
        let begun = records.iter().filter(|record| matches!(record, Record::Game(_))).count();
        assert_eq!(begun, 1);
        let seen: Vec<Observation> = records.iter().filter_map(observation_of).collect();
        let closed = |all: &[Observation]| -> Vec<(Uptime, Sensed)> {
            let readings = all.iter().filter(|o| matches!(o.sensed, Sensed::Closed(_)));
            readings.skip(1).map(|o| (o.at, o.sensed.clone())).collect()
        };
        assert_eq!(closed(&seen), closed(&played.observations));
        let presses = |all: &[Observation]| -> Vec<Sensed> {
            let presses = all.iter().filter(|o| matches!(o.sensed, Sensed::Press(_)));
            presses.map(|o| o.sensed.clone()).collect()
        };
        assert_eq!(presses(&seen), presses(&played.observations));
    }
    assert_eq!(direct.len(), serial.len());
}
