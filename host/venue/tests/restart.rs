//! A venue that is killed and started from nothing, while the public is late and still at an earlier game than the boards:
//! pages, files and public topics show at each moment what they show at a venue that has run on.

mod desk;
mod peers;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use desk::{Desk, Publication, game};
use peers::{Hall, Mosquitto, PATIENCE};
use rumqttc::{AsyncClient, Event, Packet, QoS};
use serde_json::Value;
use transport::Brokers;
use venue::{Config, Delays};

const DELAY_MS: u64 = 900_000;
/// How long the board had been up when the first game began.
const UP_MS: u64 = 7_200_000;
/// From one move to the next.
const STEP_MS: u64 = 250;
/// Moves of the first game that the public sees when the test begins, and those that it sees later; moves of the second.
const MOVES: (usize, usize, usize) = (30, 12, 30);

fn now_ms() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// Two games at one board, of which the first is over and the public is in its middle; and when each ply of both was played.
struct Board {
    published: Vec<Publication>,
    plies: BTreeMap<(String, usize), u64>,
    /// When its uptime was nought.
    booted_ms: u64,
}

impl Board {
    fn new() -> Board {
        let began_ms = now_ms() - DELAY_MS - MOVES.0 as u64 * STEP_MS;
        let mut board = Board { published: Vec::new(), plies: BTreeMap::new(), booted_ms: began_ms - UP_MS };
        let (mut desk, mut at) = (Desk::new("b1"), began_ms);
        for (id, which, moves) in [("g1", 0, MOVES.0 + MOVES.1), ("g2", 1, MOVES.2)] {
            board.wind(&mut desk, at);
            board.published.extend(desk.begin(id, "1", "红", "黑"));
            board.plies.insert((id.to_owned(), 0), at);
            for (ply, &mv) in game(which).iter().take(moves).enumerate() {
                at += STEP_MS;
                board.wind(&mut desk, at);
                board.published.extend(desk.play(mv));
                board.plies.insert((id.to_owned(), ply + 1), at);
            }
            if id == "g1" {
                board.published.extend(desk.resign());
            }
            at += STEP_MS;
        }
        board.wind(&mut desk, now_ms());
        board.published.push(desk.status(true));
        board
    }

    fn wind(&self, desk: &mut Desk, at_ms: u64) {
        desk.set_utc(at_ms);
        desk.set_us((at_ms - self.booted_ms) * 1000);
    }

    /// The board's uptime now, and the lines that were asked for.
    fn answer(&self, topic: &str, payload: &[u8]) -> Vec<Publication> {
        if topic != "luozi/v1/board/b1/refill" {
            return Vec::new();
        }
        let asked: Value = serde_json::from_slice(payload).unwrap();
        let mut status = self.published.last().unwrap().clone();
        let mut says: Value = serde_json::from_str(&status.payload).unwrap();
        says["us"] = ((now_ms() - self.booted_ms) * 1000).into();
        status.payload = says.to_string();
        let lines = self.published.iter().filter(|one| {
            !one.retained && {
                let seq = &serde_json::from_str::<Value>(&one.payload).unwrap()["seq"];
                (asked["from"].as_u64()..asked["to"].as_u64()).contains(&seq.as_u64())
            }
        });
        std::iter::once(status).chain(lines.cloned()).collect()
    }

    /// How far the public may be: moves of both games, one after the other.
    fn may_show(&self) -> usize {
        let by = now_ms() - DELAY_MS;
        self.plies.values().filter(|at| **at <= by).count()
    }
}

/// What everybody may read of both games, and how far it is: as [`Board::may_show`] counts.
struct Shown {
    far: usize,
    bytes: Vec<Vec<u8>>,
}

/// Reads a venue's answers; `None` where they changed while they were read, or there is nothing.
async fn look(hall: &Hall) -> Option<Shown> {
    let games = || async { hall.get("/api/v1/games").await.json()["games"].clone() };
    let before = games().await;
    let mut bytes = Vec::new();
    for game in before.as_array()? {
        let id = game["id"].as_str().unwrap();
        for path in ["record/pgn", "record/xqf", "sheet"] {
            bytes.push(hall.download(&format!("/api/v1/games/{id}/{path}")).await.1);
        }
        let mut plies = hall.get(&format!("/api/v1/games/{id}")).await.json();
        plies["online"] = Value::Null;
        plies["seq"] = Value::Null;
        bytes.push(plies.to_string().into_bytes());
    }
    let far = |games: &Value| {
        let plies = games.as_array().unwrap().iter().map(|game| game["ply_count"].as_u64().unwrap());
        plies.map(|plies| plies as usize + 1).sum::<usize>()
    };
    (far(&before) > 0 && before == games().await).then(|| Shown { far: far(&before), bytes })
}

/// Collects what is said on the public topics, with the topics' game and part.
async fn listen(brokers: Brokers, heard: Arc<Mutex<Vec<(String, Value)>>>) {
    let (client, mut events) = AsyncClient::new(brokers.options("public"), 64);
    client.subscribe("luozi/v1/public/#", QoS::AtLeastOnce).await.unwrap();
    while let Ok(event) = events.poll().await {
        if let Event::Incoming(Packet::Publish(publish)) = event {
            let payload = serde_json::from_slice(&publish.payload).unwrap_or(Value::Null);
            heard.lock().unwrap().push((publish.topic, payload));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_does_not_show() {
    let Some(mosquitto) = Mosquitto::start("restart") else { return };
    let brokers = peers::brokers(&mosquitto.url());
    let config =
        |feed| Config { delays: Delays::new(["15m".parse().unwrap()]), feed, ..Config::new(brokers.clone()) };
    let ran_on = Hall::run(config(false)).await;
    let (mut hall, mut runtime) = Hall::run_alone(config(true));
    ran_on.events("").await.until(|_, data| data["relay"] == "connected").await;
    hall.events("").await.until(|_, data| data["relay"] == "connected").await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listening = tokio::spawn(listen(brokers.clone(), Arc::clone(&heard)));

    let board = Arc::new(Board::new());
    let answering = Arc::clone(&board);
    let publisher =
        mosquitto.publisher_that("b1", move |topic, payload| answering.answer(topic, payload)).await;
    publisher.send(board.published.clone()).await;

    let begun = Instant::now();
    let (mut expected, mut shown) = (BTreeMap::new(), BTreeMap::new());
    let mut restarts = [1_000, 2_500, 4_000].map(Duration::from_millis).into_iter().peekable();
    let all = MOVES.0 + MOVES.1 + 1 + 8;
    let mut least = 0;
    while least < all {
        assert!(begun.elapsed() < PATIENCE, "the public gets on: {least} of {all}");
        if restarts.next_if(|at| begun.elapsed() >= *at).is_some() {
            runtime.shutdown_background();
            drop(hall);
            (hall, runtime) = Hall::run_alone(config(true));
            let restarted = Instant::now();
            while look(&hall).await.is_none() {
                assert!(restarted.elapsed() < Duration::from_secs(5), "the game is there again");
            }
            println!("the game was there again after {:?}", restarted.elapsed());
        }
        let Some(before) = look(&ran_on).await else { continue };
        least = least.max(before.far);
        if let Some(now) = look(&hall).await {
            assert!(now.far <= board.may_show(), "{} of {}", now.far, board.may_show());
            // The two look for what is old enough every tenth of a second, not at once.
            assert!(now.far + 2 >= before.far, "{} were public, {} are", before.far, now.far);
            shown.insert(now.far, now.bytes);
        }
        expected.insert(before.far, before.bytes);
    }
    let compared: Vec<usize> = shown.keys().filter(|far| expected.contains_key(far)).copied().collect();
    for far in &compared {
        assert_eq!(shown[far], expected[far], "after {far}");
    }
    assert!(compared.len() > 5 && compared.iter().any(|far| *far > MOVES.0 + MOVES.1 + 1), "{compared:?}");

    // Over MQTT, too, nothing is withdrawn and nothing goes back.
    let heard = std::mem::take(&mut *heard.lock().unwrap());
    let mut latest: BTreeMap<String, u64> = BTreeMap::new();
    for (topic, payload) in heard {
        let seq = payload["seq"].as_u64().unwrap_or_else(|| panic!("{topic} is withdrawn"));
        let known = latest.entry(topic.clone()).or_default();
        assert!(seq >= *known, "{topic} goes back from {known} to {seq}");
        *known = seq;
    }
    assert_eq!(latest.len(), 8, "four topics of two games: {latest:?}");
    listening.abort();
    runtime.shutdown_background();
    ran_on.close().await;
}
