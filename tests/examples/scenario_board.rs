//! A board whose hands perform a scenario, once, in real time: for browser tests that need one particular incident.
//!
//! ```text
//! cargo run -p tests --example scenario_board -- SCENARIO BOARD BROKER_PORT ARBITERS DATA
//! ```
//!
//! The arguments: the scenario's file, the board's id, the port of the broker on this machine, the list of those whose orders
//! are carried out, and a folder for the journal. When the hands have done, the board goes on listening to orders.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use boardd::{Arbiters, Config, FileDisk, GoingOn, Sensing, Source};
use referee::GameHeader;
use sense::Uptime;
use tokio::sync::watch;
use trace::Observation;
use transport::Brokers;
use twin::Scenario;

/// The longest that the daemon is kept waiting.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

struct Hands {
    header: Option<Box<GameHeader>>,
    observations: std::vec::IntoIter<Observation>,
    began: Instant,
    start: Uptime,
}

impl Hands {
    fn now(&self) -> Uptime {
        self.start.plus_us(u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX))
    }
}

impl Source for Hands {
    fn start(&mut self, now: Uptime, _: Option<GoingOn>) {
        (self.start, self.began) = (now, Instant::now());
    }

    fn next(&mut self, deadline: Option<Uptime>) -> Sensing {
        if let Some(mut header) = self.header.take() {
            header.us = self.start.as_us();
            return Sensing::Game(header);
        }
        let start = self.start;
        let due = self.observations.as_slice().first().map(|next| start.plus_us(next.at.as_us()));
        let until = [due, deadline].into_iter().flatten().min();
        let wait = until.map_or(LONGEST_WAIT, |until| Duration::from_micros(until.us_since(self.now())));
        std::thread::sleep(wait.min(LONGEST_WAIT));
        let now = self.now();
        match due.filter(|due| *due <= now) {
            Some(at) => match self.observations.next() {
                Some(Observation { sensed, .. }) => Sensing::Observed(Observation { at, sensed }),
                None => Sensing::Quiet(now),
            },
            None => Sensing::Quiet(now),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [scenario, board, port, arbiters, data] = &args[..] else {
        return Err("expected: SCENARIO BOARD BROKER_PORT ARBITERS DATA".into());
    };
    let scenario: Scenario = fs::read_to_string(scenario)?.parse()?;
    let played = scenario.play(1)?;
    let header = GameHeader {
        clock: played.header.clock.clone(),
        red: "甲".to_owned(),
        black: "乙".to_owned(),
        event: "试验赛".to_owned(),
        round: "1".to_owned(),
        table: board.clone(),
        ..GameHeader::new(
            format!("{board}-game"),
            played.header.start.to_string().parse()?,
            played.header.rules.clone().unwrap_or_else(|| "cxa-2010".to_owned()),
        )
    };
    let config = Config {
        renamed: false,
        camera: None,
        board: board.clone(),
        brokers: Some(Brokers::plain("127.0.0.1", port.parse()?)),
        arbiters: Arbiters::parse(&fs::read_to_string(arbiters)?)?,
        boot: String::new(),
        key: None,
    };
    let hands = Hands {
        header: Some(Box::new(header)),
        observations: played.observations.into_iter(),
        began: Instant::now(),
        start: Uptime::ZERO,
    };
    let disk = FileDisk::open(Path::new(data))?;
    // Whoever started the board ends it by a signal; a journal survives that.
    let (_stop, stopped) = watch::channel(false);
    Ok(boardd::run(disk, hands, &config, stopped)?)
}
