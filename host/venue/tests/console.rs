//! The arbiter console: who gets in, who does not, and what those inside see.

mod desk;
mod peers;
mod visitors;

use desk::Desk;
use peers::{Hall, Mosquitto};
use serde_json::json;
use visitors::{Accounts, Browser, PASSWORD};

const NO_BROKER: &str = "mqtt://127.0.0.1:9";
#[tokio::test]
async fn nobody_gets_in_without_an_account() {
    let accounts = Accounts::new("nobody", &[("裁判", "table_arbiter")]);
    let hall = Hall::with_console(NO_BROKER, &accounts.0, None).await;
    let browser = Browser::new(&hall);
    assert_eq!(browser.get("session").await.json(), json!({ "state": "signed_out" }));
    for path in ["boards", "boards/b1/journal", "accounts"] {
        assert_eq!(browser.get(path).await.status(), 401, "{path}");
    }
    for path in ["logout", "accounts"] {
        assert_eq!(browser.post(path, json!({})).await.status(), 401, "{path}");
    }
    for (name, password) in
        [("裁判", "a wrong password"), ("nobody", PASSWORD), ("", ""), ("裁判", &"x".repeat(5_000))]
    {
        let answer = browser.post("login", json!({ "name": name, "password": password })).await;
        assert_eq!((answer.status(), answer.header("set-cookie")), (401, None), "{name:?}");
    }
    for body in
        ["", "{", "[]", "{\"name\":\"a\"}", "{\"name\":\"a\",\"password\":\"b\",\"role\":\"organiser\"}"]
    {
        assert_eq!(browser.send("POST", "login", body, "").await.status(), 400, "{body}");
    }
    let large = json!({ "name": "a", "password": "x".repeat(100_000) });
    assert!((400..500).contains(&browser.post("login", large).await.status()));
    hall.close().await;
}

#[tokio::test]
async fn a_session_begins_and_ends() {
    let accounts = Accounts::new("session", &[("裁判", "table_arbiter")]);
    let hall = Hall::with_console(NO_BROKER, &accounts.0, None).await;
    let mut browser = Browser::new(&hall);
    assert_eq!(browser.sign_in("裁判").await, 200);
    let session = browser.get("session").await.json();
    assert_eq!((&session["name"], &session["role"]), (&"裁判".into(), &"table_arbiter".into()));
    assert_eq!(browser.get("boards").await.json(), json!([]));
    assert_eq!(browser.get("boards/b1/journal").await.status(), 404);
    assert_eq!(browser.get("accounts").await.status(), 403, "a table arbiter is no organiser");
    assert_eq!(browser.post("logout", json!({})).await.status(), 200);
    assert_eq!(browser.get("boards").await.status(), 401);
    hall.close().await;
}

#[tokio::test]
async fn forged_requests_are_refused() {
    let accounts = Accounts::new("forged", &[("主办", "organiser")]);
    let hall = Hall::with_console(NO_BROKER, &accounts.0, None).await;
    let mut browser = Browser::new(&hall);
    browser.sign_in("主办").await;
    let new = json!({ "name": "x", "role": "organiser", "password": PASSWORD }).to_string();
    let elsewhere = "Origin: http://elsewhere.example\r\n";
    assert_eq!(browser.send("POST", "accounts", &new, elsewhere).await.status(), 403, "another site");
    assert_eq!(browser.send("POST", "login", "{}", elsewhere).await.status(), 403, "another site");
    let token = std::mem::replace(&mut browser.csrf, "0".repeat(64));
    assert_eq!(browser.post("accounts", serde_json::from_str(&new).unwrap()).await.status(), 403, "no token");
    browser.csrf = token;
    let own = format!("Origin: http://{}\r\n", hall.address);
    assert_eq!(browser.send("POST", "accounts", &new, &own).await.status(), 200);
    hall.close().await;
}

#[tokio::test]
async fn passwords_cannot_be_tried_by_the_thousand() {
    let accounts = Accounts::new("thousand", &[("裁判", "table_arbiter")]);
    let hall = Hall::with_console(NO_BROKER, &accounts.0, None).await;
    let mut browser = Browser::new(&hall);
    let mut statuses = Vec::new();
    for attempt in 0..12 {
        let guess = json!({ "name": "裁判", "password": format!("guess {attempt}") });
        statuses.push(browser.post("login", guess).await.status());
    }
    assert_eq!(statuses[0], 401);
    assert_eq!(statuses[11], 429);
    assert_eq!(browser.sign_in("裁判").await, 429, "not even with the right one, for a minute");
    hall.close().await;
}

#[tokio::test]
async fn many_guesses_at_once_are_no_more_than_one_after_another() {
    const AT_ONCE: usize = 40;
    let accounts = Accounts::new("at-once", &[("裁判", "table_arbiter")]);
    let hall = Hall::with_console(NO_BROKER, &accounts.0, None).await;
    let browser = Browser::new(&hall);
    let guess =
        |number| browser.post("login", json!({ "name": "裁判", "password": format!("guess {number}") }));
    let answers = futures_util::future::join_all((0..AT_ONCE).map(guess)).await;
    let weighed = answers.iter().filter(|answer| answer.status() == 401).count();
    let refused = answers.iter().filter(|answer| answer.status() == 429).count();
    assert_eq!((weighed, refused), (8, AT_ONCE - 8));
    hall.close().await;
}

#[tokio::test]
async fn the_first_account_needs_the_printed_code() {
    let accounts = Accounts::new("first", &[]);
    let hall = Hall::with_console(NO_BROKER, &accounts.0, Some("0123456789")).await;
    let mut browser = Browser::new(&hall);
    assert_eq!(browser.get("session").await.json(), json!({ "state": "setup" }));
    let first = |code: &str, password: &str| json!({ "code": code, "name": "主办", "password": password });
    assert_eq!(browser.enter("setup", first("wrong", PASSWORD)).await, 403);
    assert_eq!(browser.enter("setup", first("0123456789", "short")).await, 400);
    assert_eq!(browser.enter("setup", first("0123456789", PASSWORD)).await, 200);
    assert_eq!(browser.enter("setup", first("0123456789", PASSWORD)).await, 409, "only once");
    let add = |name: &str| json!({ "name": name, "role": "chief_arbiter", "password": PASSWORD });
    assert_eq!(browser.post("accounts", add("裁判长")).await.status(), 200);
    assert_eq!(browser.post("accounts", add("裁判长")).await.status(), 409, "the name is taken");
    assert_eq!(browser.post("accounts", add("")).await.status(), 400);
    hall.close().await;

    let text = std::fs::read_to_string(&accounts.0).unwrap();
    assert!(!text.contains(PASSWORD) && text.contains("$argon2id$"), "{text}");
    let hall = Hall::with_console(NO_BROKER, &accounts.0, Some("0123456789")).await;
    let mut browser = Browser::new(&hall);
    assert_eq!(browser.sign_in("裁判长").await, 200, "accounts outlive the venue");
    hall.close().await;
}

#[tokio::test]
async fn a_venue_without_accounts_has_no_console() {
    let hall = Hall::open(NO_BROKER).await;
    let browser = Browser::new(&hall);
    assert_eq!(browser.get("session").await.status(), 404);
    assert_eq!(browser.post("login", json!({ "name": "a", "password": "b" })).await.status(), 404);
    hall.close().await;
}

#[tokio::test]
async fn an_arbiter_sees_what_needs_attention_and_its_evidence() {
    let Some(broker) = Mosquitto::start("evidence") else { return };
    let accounts = Accounts::new("evidence", &[("裁判", "table_arbiter")]);
    let hall = Hall::with_console(&broker.url(), &accounts.0, None).await;
    let mut browser = Browser::new(&hall);
    browser.sign_in("裁判").await;
    let board = broker.publisher("b1").await;
    let mut viewer = hall.events("").await;
    viewer.until(|_, data| data["relay"] == "connected").await;
    let mut desk = Desk::new("b1");
    let mut sent = desk.begin("g1", "17", "甲", "乙").to_vec();
    sent.extend(desk.play("h2e2".parse().unwrap()));
    sent.extend(desk.evidence());
    sent.extend(desk.incident("touch_not_moved", "5.1"));
    sent.extend(desk.play("h9g7".parse().unwrap()));
    let lines: Vec<_> = sent.iter().filter(|one| !one.retained).map(|one| one.payload.clone()).collect();
    board.send([desk.status(true)]).await;
    board.send(sent).await;
    viewer.until(|_, data| data["game"]["ply_count"] == 2 && data["game"]["clock"]["running"] == "red").await;

    let boards = browser.get("boards").await.json();
    assert_eq!(boards[0]["game"]["table"], "17");
    assert_eq!(boards[0]["attention"][0]["incident"], "touch_not_moved");
    assert_eq!(boards[0]["attention"][0]["article"], "5.1");
    assert_eq!((&boards[0]["journal"], &boards[0]["missing"]), (&json!([0, lines.len() - 1]), &json!(0)));

    let journal = browser.get("boards/b1/journal").await;
    assert_eq!(journal.body, format!("{{\"lines\":[{}]}}", lines.join(",")), "byte for byte");
    let later = browser.get("boards/b1/journal?after=2").await.json();
    assert_eq!(later["lines"][0]["seq"], 3);
    assert_eq!(browser.get("boards/b1/journal?after=x").await.status(), 400);
    assert!(
        hall.get("/api/v1/games/g1").await.json().get("attention").is_none(),
        "spectators see none of it"
    );
    hall.close().await;
}
