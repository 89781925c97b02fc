//! Every way out of a venue whose event is delayed: every route, every public topic. Each answers byte for byte what it
//! answers at a venue that was never told what is too young; so nothing of it is in packed files either. And those who have
//! signed in see everything at once.

mod afternoon;
mod desk;
mod peers;
mod visitors;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use afternoon::{Afternoon, afternoon, holds_no_secret};
use desk::Publication;
use peers::{Hall, Mosquitto, PATIENCE, Publisher};
use rumqttc::{AsyncClient, Event, Packet, QoS};
use serde_json::Value;
use tokio::time::timeout;
use transport::Brokers;
use venue::{Config, Delays, Route, route_list};
use visitors::{Accounts, Browser};

/// Collects what anybody can read over MQTT, until `enough`.
async fn read_public(
    brokers: &Brokers,
    enough: impl Fn(&BTreeSet<String>) -> bool,
) -> Vec<(String, Vec<u8>)> {
    let mut options = brokers.options("public");
    options.set_max_packet_size(1 << 20, 1 << 20);
    let (client, mut events) = AsyncClient::new(options, 64);
    client.subscribe("luozi/v1/public/#", QoS::AtLeastOnce).await.unwrap();
    let mut topics = BTreeSet::new();
    let mut all = Vec::new();
    while !enough(&topics) {
        let event = timeout(PATIENCE, events.poll()).await.expect("the feed is published").unwrap();
        if let Event::Incoming(Packet::Publish(publish)) = event {
            topics.insert(publish.topic.clone());
            all.push((publish.topic, publish.payload.to_vec()));
        }
    }
    // What else there is comes soon; a leak that comes later is what the laws of the delay line exclude.
    while let Ok(Ok(event)) = timeout(Duration::from_millis(300), events.poll()).await {
        if let Event::Incoming(Packet::Publish(publish)) = event {
            all.push((publish.topic, publish.payload.to_vec()));
        }
    }
    all
}

/// The first event of a stream: the whole state.
async fn stream_of(hall: &Hall, path: &str, headers: &str) -> Vec<u8> {
    let (kind, data) = hall.events_at(path, headers).await.next().await.expect("the whole state");
    format!("{kind} {data}").into_bytes()
}

/// Numbers in an answer that tell nothing of a game: when it was given, and after how many changes.
fn timeless(bytes: &[u8]) -> String {
    // Bytes that are no text stay apart: each is a letter of its own.
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    ["\"now_utc_ms\":", "\"revision\":"].into_iter().fold(text, |text, key| {
        let mut parts = text.split(key);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |told, part| told + key + part.trim_start_matches(|c: char| c.is_ascii_digit()))
    })
}

/// Asks every route, for the old game and the young one, looks at every byte of every answer, and holds it against the
/// answer of a venue that knows nothing young.
async fn walk(hall: &Hall, ignorant: &Hall, secrets: &[String]) {
    let mut walked = 0;
    for (path, route) in route_list() {
        let formats: &[&str] =
            if path.contains("{format}") { &["pgn", "xqf", "cbr", "dhtmlxq"] } else { &[""] };
        for (id, format) in
            ["g1", "g-young"].iter().flat_map(|id| formats.iter().map(move |format| (id, format)))
        {
            let path = path.replace("{id}", id).replace("{format}", format);
            let bytes = answer_of(hall, &path, id, route).await;
            walked += 1;
            let expected = timeless(&answer_of(ignorant, &path, id, route).await);
            assert!(timeless(&bytes) == expected, "{path}: {}", String::from_utf8_lossy(&bytes));
            if path == "/api/v1/openapi.json" {
                // It is the same whatever is played.
                assert!(bytes.starts_with(include_bytes!("../openapi.json")));
                continue;
            }
            // An answer about a game that is not there may repeat its name.
            let secrets: Vec<String> =
                secrets.iter().filter(|secret| !path.contains(*secret)).cloned().collect();
            holds_no_secret(&secrets, &bytes, &path);
        }
    }
    assert_eq!(walked, 2 * (route_list().len() + 3), "every route twice, and one of them in four formats");
    for path in ["/", "/round", "/arbiter", "/icon.svg", "/nowhere"] {
        let (head, body) = hall.download(path).await;
        holds_no_secret(secrets, &[head.as_bytes(), &body].concat(), path);
    }
}

/// All bytes that a route answers to somebody who has not signed in.
async fn answer_of(hall: &Hall, path: &str, id: &str, route: Route) -> Vec<u8> {
    if path == "/api/v1/events" {
        let mut all = stream_of(hall, path, "").await;
        all.extend(stream_of(hall, &format!("{path}?game={id}"), "").await);
        return all;
    }
    let (head, body) = hall.download(path).await;
    if route == Route::Arbiters {
        let outside = [" 401 ", " 403 ", " 405 "].iter().any(|status| head.contains(status));
        assert!(outside, "{path}: {head}");
    }
    let head: Vec<&str> = head.lines().filter(|line| !line.starts_with("date: ")).collect();
    [body, head.join("\n").into_bytes()].concat()
}

/// A venue that is delayed and publishes, and a board that speaks to it.
async fn delayed(
    mosquitto: &Mosquitto,
    accounts: &Accounts,
    publications: Vec<Publication>,
    old_seq: u64,
) -> (Hall, Publisher) {
    let config = Config {
        accounts: Some(accounts.0.clone()),
        delays: Delays::new(["15m".parse().unwrap()]),
        feed: true,
        ..Config::new(peers::brokers(&mosquitto.url()))
    };
    let hall = Hall::run(config).await;
    // What is published before the venue listens it never hears.
    hall.events("").await.until(|_, data| data["relay"] == "connected").await;
    let board = mosquitto.publisher("boards").await;
    board.send(publications).await;
    // What is old enough is there.
    let mut viewer = hall.events("?game=g1").await;
    let is_old = |game: &Value| game["ply_count"] == 8 && game["seq"] == old_seq;
    viewer.until(|_, data| is_old(&data["game"]) || is_old(&data["games"][0])).await;
    (hall, board)
}

#[tokio::test]
async fn no_way_out_is_early() {
    let Some(mosquitto) = Mosquitto::start("ways") else { return };
    let accounts = Accounts::new("ways", &[("裁判", "table_arbiter")]);
    let Some(other) = Mosquitto::start("ways-ignorant") else { return };
    let Afternoon { publications, old, old_seq, mut secrets, live_plies } = afternoon();
    let (hall, _boards) = delayed(&mosquitto, &accounts, publications, old_seq).await;
    let (ignorant, _others) = delayed(&other, &accounts, old, old_seq).await;
    let mut arbiter = Browser::new(&hall);
    assert_eq!(arbiter.sign_in("裁判").await, 200);
    // The arbiter sees that everything has arrived.
    let live = loop {
        let boards = arbiter.get("boards").await.json();
        if boards.as_array().unwrap().len() == 2 && !boards[0]["game"]["result"].is_null() {
            break boards;
        }
    };
    assert_eq!(live[0]["game"]["ply_count"], live_plies);
    assert_eq!(live[0]["game"]["behind"], Value::Null);
    let seq = live[0]["game"]["seq"].as_u64().unwrap();
    secrets.push(format!("\"seq\":{seq},"));

    walk(&hall, &ignorant, &secrets).await;

    // What is old enough is in every format, and says how late it is.
    let (_, pgn) = hall.download("/api/v1/games/g1/record/pgn").await;
    assert_eq!(
        formats::read(&pgn, &formats::ReadOptions::default()).unwrap().games[0].tree.main_line().count(),
        8
    );
    let game = hall.get("/api/v1/games/g1").await.json();
    assert_eq!(game["behind"], serde_json::json!({"seconds": 900, "plies": 0}));
    assert_eq!(hall.get("/api/v1/games/g-young").await.status(), 404);

    // Over MQTT: four topics of the one game, and nothing young.
    let [public, expected] = [&mosquitto, &other].map(|broker| peers::brokers(&broker.url()));
    let public = read_public(&public, |topics| topics.len() == 4).await;
    for (topic, payload) in &public {
        assert!(topic.starts_with("luozi/v1/public/game/g1/"), "{topic}");
        holds_no_secret(&secrets, payload, topic);
    }
    let expected = read_public(&expected, |topics| topics.len() == 4).await;
    let last = |all: Vec<(String, Vec<u8>)>| all.into_iter().collect::<BTreeMap<_, _>>();
    assert_eq!(last(public), last(expected));

    // Those who have signed in see everything at once.
    let cookie = format!("Cookie: {}\r\n", arbiter.cookie);
    let seen = stream_of(&hall, "/api/v1/arbiter/events", &cookie).await;
    let seen = String::from_utf8(seen).unwrap();
    assert!(seen.contains("g-young") && seen.contains("resignation"), "{seen}");
    hall.close().await;
    ignorant.close().await;
}
