//! The venue as others see it: over HTTP, behind a real broker.

mod desk;
mod peers;

use desk::{Desk, game};
use peers::{Hall, Mosquitto};

/// A broker that nobody runs: the port belongs to a listener that never answers.
const NO_BROKER: &str = "mqtt://127.0.0.1:9";

#[tokio::test]
async fn addresses_that_do_not_exist_say_so() {
    let hall = Hall::open(NO_BROKER).await;
    let cases = [
        ("GET", "/api/v1/games/none", 404),
        ("GET", "/api/v1/games/%FF", 400),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v2/games", 404),
        ("POST", "/api/v1/games", 405),
        ("DELETE", "/api/v1/games/g1", 405),
        ("GET", "/api/v1/events?game=%FF&game=1", 400),
        ("POST", "/", 405),
        ("GET", "/../Cargo.toml", 404),
        ("GET", "/assets/../../Cargo.toml", 404),
        ("GET", "/%2e%2e/Cargo.toml", 404),
    ];
    for (method, path, status) in cases {
        let request = format!("{method} {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n");
        let answer = hall.request(&request).await;
        assert_eq!(answer.status(), status, "{method} {path}: {answer:?}");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{method} {path}");
        assert_eq!(answer.json()["status"], status, "{method} {path}");
    }
    hall.close().await;
}

#[tokio::test]
async fn pages_of_games_that_cannot_be_are_pages() {
    let hall = Hall::open(NO_BROKER).await;
    for path in ["/game/none", "/game/%FF", "/game/%FF/sheet", "/embed/%FF"] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n");
        let answer = hall.request(&request).await;
        assert_eq!(answer.status(), 404, "{path}: {answer:?}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
    }
    hall.close().await;
}

#[tokio::test]
async fn problems_speak_the_language_that_is_asked_for() {
    let hall = Hall::open(NO_BROKER).await;
    for (accepted, language, detail) in [
        ("zh-CN,zh;q=0.9", "zh-Hans", "没有这一局棋。"),
        ("zh-TW", "zh-Hant", "沒有這一局棋。"),
        ("de", "en", "There is no game with this id."),
    ] {
        let answer = hall
            .request(&format!(
                "GET /api/v1/games/none HTTP/1.1\r\nHost: hall\r\nAccept-Language: {accepted}\r\nConnection: close\r\n\r\n"
            ))
            .await;
        let problem = answer.json();
        assert_eq!((&problem["code"], &problem["detail"]), (&"no_game".into(), &detail.into()), "{accepted}");
        assert_eq!(answer.header("content-language"), Some(&*language.to_lowercase()), "{answer:?}");
        assert_eq!(
            answer.header("vary").map(|vary| vary.contains("accept-language")),
            Some(true),
            "{answer:?}"
        );
        assert!(answer.header("content-security-policy").is_some(), "{answer:?}");
    }
    hall.close().await;
}

#[tokio::test]
async fn pages_are_there_and_closed_to_the_outside() {
    let hall = Hall::open(NO_BROKER).await;
    for (path, status) in [("/", 200), ("/round", 200), ("/game/none", 404), ("/embed/none", 404)] {
        let answer = hall.get(path).await;
        assert_eq!(answer.status(), status, "{path}");
        assert!(answer.header("content-type").unwrap().starts_with("text/html"), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert_eq!(policy.contains("frame-ancestors *"), path.starts_with("/embed"), "{path}: {policy}");
    }
    let lost = "GET /nowhere HTTP/1.1\r\nHost: hall\r\nAccept: text/html\r\nConnection: close\r\n\r\n";
    let answer = hall.request(lost).await;
    assert_eq!((answer.status(), answer.header("content-type")), (404, Some("text/html; charset=utf-8")));
    hall.close().await;
}

#[tokio::test]
async fn without_a_broker_it_says_that_it_waits() {
    let hall = Hall::open(NO_BROKER).await;
    let health = hall.get("/healthz").await.json();
    assert_eq!((&health["status"], &health["relay"]), (&"ok".into(), &"lost".into()));
    let mut viewer = hall.events("").await;
    let (kind, state) = viewer.next().await.unwrap();
    assert_eq!(
        (kind.as_str(), &state["relay"], &state["games"]),
        ("state", &"lost".into(), &serde_json::json!([]))
    );
    hall.close().await;
    assert!(viewer.next().await.is_none(), "open streams end with the venue");
}

#[tokio::test]
async fn what_a_board_publishes_reaches_a_viewer() {
    let Some(broker) = Mosquitto::start("viewer") else { return };
    let board = broker.publisher("b1").await;
    let mut desk = Desk::new("b1");
    board.send([desk.status(true)]).await;
    board.send(desk.begin("g1", "4", "甲", "乙")).await;

    let hall = Hall::open(&broker.url()).await;
    let mut wall = hall.events("").await;
    let mut page = hall.events("?game=g1").await;
    wall.until(|_, data| data["game"]["id"] == "g1" || data["games"][0]["id"] == "g1").await;

    for &mv in game(0).iter().take(8) {
        board.send(desk.play(mv)).await;
    }
    let last =
        wall.until(|_, data| data["game"]["ply_count"] == 8 && data["game"]["last"]["used_ms"] == 4000).await;
    assert_eq!(last["game"]["last"]["hans"], "炮2平3");
    assert!(last.get("plies").is_none(), "the wall gets no moves");

    // Whatever the page was sent, applied as the pages do, ends with the eight moves.
    let mut moves: Vec<serde_json::Value> = Vec::new();
    page.until(|kind, data| {
        kind == "game" && data["game"]["seq"] == last["game"]["seq"] && data["plies"].is_array()
    })
    .await;
    let whole = hall.get("/api/v1/games/g1").await.json();
    moves.extend(whole["plies"].as_array().unwrap().clone());
    let expected: Vec<_> = game(0).iter().take(8).map(ToString::to_string).collect();
    assert_eq!(moves.iter().map(|ply| ply["move"].as_str().unwrap()).collect::<Vec<_>>(), expected);

    let all = hall.get("/api/v1/games").await;
    assert_eq!(all.header("content-type"), Some("application/json"));
    assert_eq!(all.json()["games"][0]["table"], "4");
    hall.close().await;
}

#[tokio::test]
async fn a_broken_broker_costs_nothing() {
    let Some(mut broker) = Mosquitto::start("broken") else { return };
    let hall = Hall::open(&broker.url()).await;
    let mut viewer = hall.events("").await;
    let moves = game(1);
    let mut desk = Desk::new("b1");
    {
        let board = broker.publisher("b1").await;
        board.send(desk.begin("g1", "4", "甲", "乙")).await;
        board.send([desk.status(true)]).await;
        for &mv in &moves[..5] {
            board.send(desk.play(mv)).await;
        }
        viewer.until(|_, data| data["game"]["ply_count"] == 5).await;
    }
    broker.kill();
    viewer.until(|kind, data| kind == "beat" && data["relay"] == "lost").await;
    // The game goes on; nobody hears of these moves until the broker is back and the board says where it is.
    for &mv in &moves[5..20] {
        desk.play(mv);
    }
    broker.restart();
    viewer.until(|kind, data| kind == "beat" && data["relay"] == "connected").await;
    let board = broker.publisher("b1").await;
    board.send(desk.evidence()).await;
    let caught_up = viewer.until(|_, data| data["game"]["ply_count"] == 20).await;
    assert_eq!(caught_up["game"]["last"]["move"], moves[19].to_string());
    let whole = hall.get("/api/v1/games/g1").await.json();
    let played: Vec<_> =
        whole["plies"].as_array().unwrap().iter().map(|ply| ply["move"].as_str().unwrap()).collect();
    assert_eq!(played, moves[..20].iter().map(ToString::to_string).collect::<Vec<_>>());
    hall.close().await;
}

#[tokio::test]
async fn a_slow_viewer_is_sent_the_whole_state_again() {
    let Some(broker) = Mosquitto::start("slow") else { return };
    let hall = Hall::open(&broker.url()).await;
    let board = broker.publisher("b1").await;
    let mut viewer = hall.events("").await;
    viewer.until(|kind, data| data["relay"] == "connected" && (kind == "beat" || kind == "state")).await;
    // Every change carries the long name: more than the sockets hold, and more changes than the ring.
    const CHANGES: usize = 4_000;
    let mut desk = Desk::new("b1");
    board.send(desk.begin("g1", "4", &"甲".repeat(4_000), "乙")).await;
    for round in 0..CHANGES {
        let mv = ["h0g2", "b0c2"][round % 2].parse().unwrap();
        let [record, _] = desk.provisional(Some(mv));
        board.send([record]).await;
    }
    let [record, _] = desk.provisional(None);
    board.send([record]).await;
    let last_seq = desk.snapshot.as_ref().unwrap().seq;
    while hall.get("/api/v1/games").await.json()["games"][0]["seq"] != last_seq {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }

    let (mut events, mut states) = (0, 0);
    loop {
        let (kind, data) = viewer.next().await.expect("the stream goes on");
        events += 1;
        states += usize::from(kind == "state");
        let game = if kind == "state" { &data["games"][0] } else { &data["game"] };
        if game["seq"] == last_seq {
            break;
        }
    }
    assert!(states > 0 && events < CHANGES, "{events} events, {states} whole states");
    hall.close().await;
}
