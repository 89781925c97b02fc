//! The API is what `openapi.json` says: every documented answer is fetched and compared, key by key.

mod desk;
mod document;
mod peers;
mod visitors;

use desk::{Desk, game};
use document::{check, document, methods};
use peers::{Hall, Mosquitto};
use venue::route_list;
use visitors::{Accounts, Browser, PASSWORD};

#[tokio::test]
async fn answers_are_what_the_document_says() {
    let Some(broker) = Mosquitto::start("openapi") else { return };
    let hall = Hall::open(&broker.url()).await;
    let mut all = hall.events("").await;
    let mut one = hall.events("?game=g1").await;
    let board = broker.publisher("b1").await;
    let mut desk = Desk::new("b1");
    board.send([desk.status(true)]).await;
    board.send(desk.begin("g1", "4", "甲", "乙")).await;
    for &mv in game(0).iter().take(5) {
        board.send(desk.provisional(Some(mv))).await;
        board.send(desk.play(mv)).await;
    }
    board.send(desk.resign()).await;
    for stream in [&mut all, &mut one] {
        stream
            .until(|kind, data| {
                let schema = match kind {
                    "state" => "State",
                    "game" => "Change",
                    "gone" => "Gone",
                    "beat" => "Beat",
                    other => panic!("the event {other} is not documented"),
                };
                check(schema, data);
                !data["game"]["result"].is_null()
            })
            .await;
    }
    check("State", &hall.get("/api/v1/games").await.json());
    check("Game", &hall.get("/api/v1/games/g1").await.json());
    check("Sheet", &hall.get("/api/v1/games/g1/sheet").await.json());
    check("Health", &hall.get("/healthz").await.json());
    for path in
        ["/api/v1/games/none", "/api/v1/games/none/record/pgn", "/api/v1/games/g1/record/doc", "/api/v1/none"]
    {
        let answer = hall.get(path).await;
        assert_eq!(answer.status(), 404, "{path}");
        check("Problem", &answer.json());
    }
    assert_eq!(&hall.get("/api/v1/openapi.json").await.json(), document());
    hall.close().await;
}

#[tokio::test]
async fn a_game_can_be_downloaded_and_read_again() {
    let Some(broker) = Mosquitto::start("download") else { return };
    let hall = Hall::open(&broker.url()).await;
    let board = broker.publisher("b1").await;
    let mut viewer = hall.events("").await;
    let mut desk = Desk::new("b1");
    board.send(desk.begin("g1", "4", "甲", "乙")).await;
    let moves: Vec<_> = game(0).into_iter().take(30).collect();
    for &mv in &moves {
        board.send(desk.play(mv)).await;
    }
    board.send(desk.resign()).await;
    viewer.until(|_, data| !data["game"]["result"].is_null()).await;
    for format in ["pgn", "xqf", "cbr", "dhtmlxq"] {
        let (head, bytes) = hall.download(&format!("/api/v1/games/g1/record/{format}")).await;
        assert!(head.contains(&format!("filename=\"g1.{format}\"")), "{head}");
        let reading = formats::read(&bytes, &formats::ReadOptions::default()).unwrap();
        let tree = &reading.games[0].tree;
        let read: Vec<_> = tree.main_line().filter_map(|id| tree.node(id).ply()?.as_move()).collect();
        assert_eq!(read, moves, "{format}");
        assert_eq!(reading.games[0].headers.text(&formats::Tag::Red), "甲", "{format}");
        assert_eq!(reading.games[0].outcome, formats::Outcome::BlackWins, "{format}");
    }
    hall.close().await;
}

/// Neither has the document what is not there, nor is there what the document has not.
#[tokio::test]
async fn every_address_and_method_is_documented() {
    let accounts = Accounts::new("documented", &[("主办", "organiser")]);
    let hall = Hall::with_console("mqtt://127.0.0.1:9", &accounts.0, None).await;
    let routes = route_list().into_iter().map(|(path, _)| path);
    let of_api = routes.filter(|path| path.starts_with("/api/") || *path == "/healthz");
    let mut there: Vec<&str> = of_api.collect();
    let document = document();
    let mut documented: Vec<&str> =
        document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    there.sort_unstable();
    documented.sort_unstable();
    assert_eq!(there, documented);
    for path in there.into_iter().filter(|path| !path.ends_with("/events")) {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let address = path.replace("{id}", "x").replace("{format}", "pgn");
            let request = format!(
                "{method} {address} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            );
            let taken = !hall.exchange(&request).await.0.starts_with("HTTP/1.1 405");
            assert_eq!(taken, methods(path).iter().any(|one| one == method), "{method} {path}");
        }
    }
    hall.close().await;
}

/// What the console asks, of a game with everything that it can show.
#[tokio::test]
async fn the_console_is_answered_as_documented() {
    let Some(broker) = Mosquitto::start("openapi-console") else { return };
    let accounts = Accounts::new("openapi-console", &[("主办", "organiser")]);
    let hall = Hall::with_console(&broker.url(), &accounts.0, None).await;
    let mut browser = Browser::new(&hall);
    check("Standing", &browser.get("session").await.json());
    assert_eq!(browser.sign_in("主办").await, 200);
    check("Standing", &browser.get("session").await.json());
    let new = serde_json::json!({ "name": "裁判", "role": "table_arbiter", "password": PASSWORD });
    check("Account", &browser.post("accounts", new).await.json());
    check("Accounts", &browser.get("accounts").await.json());

    let mut viewer = hall.events("").await;
    viewer.until(|_, data| data["relay"] == "connected").await;
    let board = broker.publisher("b1").await;
    let mut desk = Desk::new("b1");
    board.send([desk.status(true)]).await;
    board.send(desk.begin("g1", "4", "甲", "乙")).await;
    // Out and back three times, so that the laws have a cycle to speak of.
    for mv in ["h0g2", "h9g7", "g2h0", "g7h9"].iter().cycle().take(12) {
        board.send(desk.play(mv.parse().unwrap())).await;
    }
    board.send(desk.incident("touch_not_moved", "5.1")).await;
    let foul = serde_json::json!({
        "foul": 1, "side": "black", "offence": "conduct", "article": "9.1.8", "ply": 13, "at_us": 1,
        "by": {"arbiter": "裁判"},
    });
    for event in [
        serde_json::json!({"event": "ordered", "order": 1, "name": "裁判", "reason": "说话", "command": "add_foul",
            "side": "black", "offence": "conduct"}),
        merged(&serde_json::json!({"event": "foul"}), &foul),
        serde_json::json!({"event": "claim", "side": "red", "claim": "repetition", "holds": true, "note": "3"}),
        serde_json::json!({"event": "called", "side": "red"}),
        serde_json::json!({"event": "refused", "by": "red", "request": "draw", "why": "game_over"}),
    ] {
        board.send(desk.write(&merged(&serde_json::json!({"kind": "event", "us": 1}), &event))).await;
    }
    let boards = loop {
        let boards = browser.get("boards").await.json();
        if !boards[0]["called"].is_null() {
            break boards;
        }
    };
    check("Boards", &boards);
    assert!(!boards[0]["claim"].is_null() && boards[0]["fouls"].as_array().unwrap().len() == 1, "{boards}");
    check("Lines", &browser.get("boards/b1/journal").await.json());
    check("Weighing", &browser.get("boards/b1/readings").await.json());
    let laws = browser.get("boards/b1/laws").await.json();
    check("Laws", &laws);
    assert!(!laws["repetition"].is_null(), "{laws}");
    let audit = loop {
        let audit = browser.get("audit").await.json();
        if audit.as_array().unwrap().len() == 2 {
            break audit;
        }
    };
    check("Audit", &audit);
    assert_eq!(audit[1]["game"], "g1", "an order can be undone from here");
    check("Links", &hall.get("/api/v1/links").await.json());
    check("Standing", &browser.post("logout", serde_json::json!({})).await.json());
    hall.close().await;
}

fn merged(first: &serde_json::Value, second: &serde_json::Value) -> serde_json::Value {
    let mut whole = first.clone();
    whole.as_object_mut().unwrap().extend(second.as_object().unwrap().clone());
    whole
}
