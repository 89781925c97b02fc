//! The daemon records a whole game from pins: the shipped scan loop, buttons and matrix over the twin.

use std::fs;

use boardd::{
    Arbiters, Buttons, Clock, Config, Displays, FileDisk, FrontPanel, Label, Lights, Output, POINT,
    ScannedBoard, Sensing, Source, observation_of, right_aligned, run, segments, usual_header,
};
use referee::{GameHeader, Record};
use sense::{Matrix, Orientation, ReedMatrix, SerialMatrix, Uptime};
use tokio::sync::watch;
use trace::{Observation, Sensed};
use twin::{ButtonPin, DisplayChain, GameRecord, LampPin, PinBoard, Played, Style};
use xiangqi::{Bitboard, ByColor, Color};

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

    fn show(&mut self, panel: &boardd::Panel) {
        self.0.show(panel);
    }

    fn has_panel(&self) -> bool {
        self.0.has_panel()
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

/// What people see of the board.
#[derive(Clone, Default)]
struct Seen {
    displays: DisplayChain,
    lamps: ByColor<LampPin>,
    attention: LampPin,
    buzzer: LampPin,
    status: LampPin,
}

impl Seen {
    fn front(&self) -> FrontPanel<DisplayChain, LampPin> {
        let Seen { displays, lamps, attention, buzzer, status } = self.clone();
        let output = |lamp| Output::new(lamp);
        let lights = Lights {
            lamps: ByColor { red: output(lamps.red), black: output(lamps.black) },
            attention: output(attention),
            buzzer: output(buzzer),
            status: output(status),
        };
        FrontPanel::new(Some(Displays::new(displays).unwrap()), Some(lights))
    }
}

/// What the journal of a daemon holds that scans that matrix until the game is over.
fn recorded<M>(played: &Played, seen: &Seen, wire: impl FnOnce(&PinBoard) -> M) -> Vec<Record>
where
    M: ReedMatrix<Error: std::fmt::Debug> + Send + 'static,
{
    let board = PinBoard::new(played);
    let end = played.observations.last().unwrap().at.plus_us(5_000_000);
    let clock = TableClock(board.clone());
    let (reeds, buttons) = (wire(&board), buttons(&board));
    let source = ScannedBoard::fitted(reeds, buttons, seen.front(), clock, Bitboard::EMPTY, header());
    let folder = tempfile::tempdir().unwrap();
    let disk = FileDisk::open(folder.path()).unwrap();
    let config = Config {
        renamed: false,
        camera: None,
        board: "table-7".to_owned(),
        brokers: None,
        arbiters: Arbiters::default(),
        boot: String::new(),
        key: None,
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
    let seen = [Seen::default(), Seen::default()];
    let direct = recorded(&played, &seen[0], |board| {
        Matrix::new(board.rows(), board.columns(), board.delay(), SETTLE_NS, Orientation::RedAtRowZero)
    });
    let serial = recorded(&played, &seen[1], |board| {
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
    seen.iter().for_each(|seen| shows_the_game(seen, &played));
}

/// The clocks ran all the time and no flag fell, and the lamps followed the presses.
fn shows_the_game(seen: &Seen, played: &Played) {
    let lit = [0, 1].map(|display| seen.displays.lit(display));
    for side in Color::ALL {
        let digits = lit[side.index()].map(|cell| cell & !POINT);
        let zero = right_aligned("0:00.0").map(|cell| cell & !POINT);
        assert!(digits[4..] != zero[4..] && digits[7] != 0, "{side} shows a time: {digits:?}");
    }
    assert_ne!(lit[0], lit[1], "the sides used different times");
    let turns = played.truth.moves.len() as u32 / 2;
    let times = ByColor { red: seen.lamps.red.times_lit(), black: seen.lamps.black.times_lit() };
    assert!(times.red.abs_diff(turns) <= 1 && times.black.abs_diff(turns) <= 1, "{times:?} of {turns}");
    assert_eq!(seen.buzzer.times_lit(), 0);
    // The status light beats once a second.
    let seconds = (played.observations.last().unwrap().at.as_us() / 1_000_000) as u32;
    assert!(seen.status.times_lit().abs_diff(seconds) <= 7, "{} beats", seen.status.times_lit());
}
