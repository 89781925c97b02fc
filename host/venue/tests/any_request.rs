//! Any address, any method, any body: a clear status and a clear message, and never a fault of the venue's own.

mod desk;
mod peers;
mod visitors;

use desk::{Desk, game};
use peers::{Hall, Mosquitto};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use venue::route_list;
use visitors::{Accounts, Browser};

const REQUESTS: usize = 600;

/// What stands in an address where an id is expected.
fn id() -> impl Strategy<Value = String> {
    let odd = [
        "%FF",
        "%00",
        "..",
        "%2e%2e%2f",
        "a%2Fb",
        "%E6%A3%8B",
        "-1",
        "18446744073709551616",
        "a".repeat(300).leak(),
    ];
    prop_oneof![
        Just("g1".to_owned()),
        Just("b1".to_owned()),
        proptest::sample::select(odd.to_vec()).prop_map(str::to_owned),
        "[A-Za-z0-9._~-]{1,12}",
    ]
}

fn query() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("?at=3".to_owned()),
        Just("?after=2".to_owned()),
        "\\?[a-z]{1,6}=[A-Za-z0-9%&=+-]{0,20}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| vec(inner, 0..4).prop_map(Value::from))
}

/// Bodies that are nearly orders, nearly accounts, or nothing of the kind.
fn body() -> impl Strategy<Value = String> {
    let commands =
        ["pause", "set_clock", "declare", "choose", "undo", "take_back", "set_position", "sign", "fly"];
    let order = (proptest::sample::select(commands.to_vec()), vec((id_key(), value()), 0..5)).prop_map(
        |(command, fields)| {
            let mut order = json!({"id": "x1", "game": "g1", "reason": "r", "command": command});
            order.as_object_mut().unwrap().extend(fields);
            order.to_string()
        },
    );
    prop_oneof![order, value().prop_map(|value| value.to_string()), ".{0,40}", Just("[".repeat(5_000))]
}

fn id_key() -> impl Strategy<Value = String> {
    let keys = [
        "id", "game", "side", "ply", "left_ms", "score", "ending", "move", "fen", "undo", "name", "role",
        "password", "code",
    ];
    proptest::sample::select(keys.to_vec()).prop_map(str::to_owned)
}

#[tokio::test]
async fn every_answer_is_clear() {
    let Some(broker) = Mosquitto::start("any-request") else { return };
    let accounts = Accounts::new("any-request", &[("裁判长", "chief_arbiter")]);
    let hall = Hall::with_console(&broker.url(), &accounts.0, None).await;
    let board = broker.publisher("b1").await;
    let mut desk = Desk::new("b1");
    let mut viewer = hall.events("").await;
    viewer.until(|_, data| data["relay"] == "connected").await;
    board.send(desk.begin("g1", "4", "甲", "乙")).await;
    for &mv in game(0).iter().take(6) {
        board.send(desk.play(mv)).await;
    }
    viewer.until(|_, data| data["game"]["ply_count"] == 6).await;
    let mut browser = Browser::new(&hall);
    assert_eq!(browser.sign_in("裁判长").await, 200);

    // Signing in is rate-limited, which would answer everything after it; it has tests of its own.
    let endless =
        ["/api/v1/events", "/api/v1/arbiter/events", "/api/v1/arbiter/login", "/api/v1/arbiter/logout"];
    let paths: Vec<&str> =
        route_list().into_iter().map(|(path, _)| path).filter(|path| !endless.contains(path)).collect();
    let requests = (
        proptest::sample::select(paths),
        proptest::sample::select(vec!["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]),
        (id(), query(), body(), any::<bool>()),
    );
    let mut runner = TestRunner::deterministic();
    let mut refused = 0;
    for _ in 0..REQUESTS {
        let (path, method, (id, query, body, known)) = requests.new_tree(&mut runner).unwrap().current();
        let path = path.replace("{id}", &id).replace("{format}", if known { "pgn" } else { &id }) + &query;
        let csrf = if known { &browser.csrf } else { "forged" };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {}\r\nx-luozi-csrf: {csrf}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            hall.address,
            browser.cookie,
            body.len()
        );
        let answer = hall.request(&request).await;
        let status = answer.status();
        // This venue has no key to give orders with, which is no fault of its own.
        assert!(status < 500 || status == 503, "{request}\n{answer:?}");
        let is_page = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        if status >= 400 && !is_page {
            refused += 1;
            let problem = answer.json();
            assert_eq!(problem["status"], status, "{request}\n{answer:?}");
            assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{request}");
        }
    }
    assert!(refused > REQUESTS / 4, "{refused} of {REQUESTS} were refused");
    assert_eq!(hall.get("/healthz").await.status(), 200);
    hall.close().await;
}
