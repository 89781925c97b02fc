//! A venue with scripted boards that replay real games, for working on the pages and for their browser tests.
//!
//! ```text
//! cargo run -p venue --example hall -- mqtt://127.0.0.1:1883 127.0.0.1:8080 6 1500 200
//! ```
//!
//! The arguments: the broker, the address to serve, the number of boards, milliseconds from ply to ply on each board,
//! and after how many plies a game ends. Prints the address that it serves. With
//! `LUOZI_ACCOUNTS` naming a file there is an arbiter console; `LUOZI_SETUP_CODE` is its code for the first account.
//! `LUOZI_DELAY` makes the public see games later, as `luozi venue --delay` does; `LUOZI_STANDINGS` is where the standings are.

#[path = "../tests/desk/mod.rs"]
mod desk;

use std::error::Error;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use desk::{Desk, Publication, game};
use rumqttc::{AsyncClient, Event, LastWill, Packet, QoS};
use tokio::net::TcpListener;
use tokio::sync::watch;
use transport::Brokers;
use venue::{Config, Delays};
use xiangqi::Move;

const NAMES: [&str; 12] = ["梅", "兰", "竹", "菊", "松", "柏", "桂", "莲", "Anh", "Ben", "Cao", "Duy"];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [broker, address, boards, pace_ms, plies] = &args[..] else {
        return Err("expected: BROKER ADDRESS BOARDS PACE_MS PLIES".into());
    };
    let brokers = Brokers::new(vec![broker.parse()?], None)?;
    let (pace, plies) = (Duration::from_millis(pace_ms.parse()?), plies.parse()?);
    for number in 0..boards.parse()? {
        tokio::spawn(play(brokers.clone(), number, pace, plies));
    }
    let accounts = std::env::var_os("LUOZI_ACCOUNTS").map(Into::into);
    let setup_code = std::env::var("LUOZI_SETUP_CODE").ok();
    let delay = std::env::var("LUOZI_DELAY").ok().map(|text| text.parse()).transpose()?;
    let standings = std::env::var("LUOZI_STANDINGS").ok().map(|text| text.parse()).transpose()?;
    let listener = TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    let stop = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    let config =
        Config { accounts, setup_code, delays: Delays::new(delay), standings, ..Config::new(brokers) };
    Ok(venue::run(listener, config, stop).await?)
}

/// One board, which replays a game and then stands still. After a broken link it says again where it is.
async fn play(brokers: Brokers, number: usize, pace: Duration, plies: usize) {
    let board = format!("board-{}", number + 1);
    let mut desk = Desk::new(&board);
    let (red, black) = (NAMES[number * 2 % NAMES.len()], NAMES[(number * 2 + 1) % NAMES.len()]);
    desk.set_utc(now_ms());
    desk.begin(&format!("game-{}", number + 1), &(number + 1).to_string(), red, black);

    let mut options = brokers.options(&board);
    let will = desk.status(false);
    options.set_last_will(LastWill::new(will.topic, will.payload, QoS::AtLeastOnce, true));
    let (client, mut events) = AsyncClient::new(options, 64);
    let (linked, mut links) = watch::channel(0);
    tokio::spawn(async move {
        loop {
            match events.poll().await {
                Ok(Event::Incoming(Packet::ConnAck(_))) => linked.send_modify(|count| *count += 1),
                Ok(_) => {}
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    });

    let moves: Vec<Move> = game(number % 20).into_iter().take(plies).collect();
    let mut waiting = moves.iter();
    let mut steps = tokio::time::interval(pace);
    loop {
        let news = tokio::select! {
            changed = links.changed() => match changed {
                Ok(()) => vec![desk.status(true), desk.again()],
                Err(_) => return,
            },
            _ = steps.tick() => {
                desk.set_utc(now_ms());
                step(&mut desk, waiting.as_slice().first().copied(), &mut waiting)
            }
        };
        for Publication { topic, retained, payload } in news {
            // A full queue means a broken link, after which everything is said again.
            let _ = client.try_publish(topic, QoS::AtLeastOnce, retained, payload);
        }
    }
}

// A move is first seen and then, one step later, committed; a quarter of the steps go to the hand in the air.
fn step(desk: &mut Desk, next: Option<Move>, waiting: &mut std::slice::Iter<'_, Move>) -> Vec<Publication> {
    let snapshot = desk.snapshot.as_ref().expect("a desk starts with a game");
    match next {
        Some(mv) if snapshot.plies.len() % 4 == 3 && snapshot.provisional.is_none() => {
            desk.provisional(Some(mv)).to_vec()
        }
        Some(mv) => {
            waiting.next();
            desk.play(mv)
        }
        None if snapshot.result.is_none() => desk.resign().to_vec(),
        None => Vec::new(),
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
