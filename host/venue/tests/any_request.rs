//! Any address, any method, any body, by anybody: an answer that the API's document has, a clear message, never a fault of the
//! venue's own, and not a byte that is not for whoever asks.

mod afternoon;
mod desk;
mod document;
mod peers;
mod visitors;

use afternoon::{Afternoon, afternoon, holds_no_secret};
use document::{check_answer, document, methods};
use peers::{Hall, Mosquitto};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use venue::{Config, Delays};
use visitors::{Accounts, Browser};

const REQUESTS: usize = 900;

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
        3 => select(vec!["g1", "b1", "b2", "g-young"]).prop_map(str::to_owned),
        1 => select(odd.to_vec()).prop_map(str::to_owned),
        1 => "[A-Za-z0-9._~-]{1,12}",
    ]
}

fn query() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        (select(vec!["at", "after", "game"]), "[0-9]{1,3}|g1|-1|%FF|")
            .prop_map(|(key, value)| format!("?{key}={value}")),
        "\\?[a-z]{1,6}=[A-Za-z0-9%&=+-]{0,20}",
    ]
}

fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| vec(inner, 0..4).prop_map(Value::from)).boxed()
}

/// What a schema allows, and now and then something else.
fn of_schema(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(name) = schema["$ref"].as_str() {
        return of_schema(document().pointer(name.trim_start_matches('#')).unwrap());
    }
    let allowed = match (schema["enum"].as_array(), schema["type"].as_str()) {
        (Some(values), _) => select(values.clone()).boxed(),
        (None, Some("integer")) => prop_oneof![0..40_u64, any::<u64>()].prop_map(Value::from).boxed(),
        (None, Some("string")) => {
            let usual = ["g1", "h2e2", "a9a8", "conduct", "checkmate", "x1", "裁判", "9/9/9/9/9/9/9/9/9/9 w"];
            prop_oneof![select(usual.to_vec()).prop_map(Value::from), ".{0,600}".prop_map(Value::from)]
                .boxed()
        }
        (None, Some("object")) => object(schema),
        _ => anything(),
    };
    prop_oneof![9 => allowed, 1 => anything()].boxed()
}

/// Each field of an object, or not; those that must be there nearly always.
fn object(schema: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let fields: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
    let each: Vec<_> = fields
        .into_iter()
        .map(|(key, field)| {
            let odds = if required.contains(&json!(key)) { 0.97 } else { 0.5 };
            proptest::option::weighted(
                odds,
                of_schema(field).prop_map({
                    let key = key.clone();
                    move |value| (key.clone(), value)
                }),
            )
        })
        .collect();
    each.prop_map(|fields| Value::Object(fields.into_iter().flatten().collect())).boxed()
}

/// Bodies that are what the document asks for, nearly so, or nothing of the kind.
fn body(path: &str) -> BoxedStrategy<String> {
    let asked =
        document()["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"].clone();
    let none = [String::new(), "[".repeat(5_000), format!("{{\"name\":\"{}\"}}", "x".repeat(20_000))];
    prop_oneof![
        8 => of_schema(&asked).prop_map(|value| value.to_string()),
        1 => select(none.to_vec()),
        1 => ".{0,40}",
    ]
    .boxed()
}

#[derive(Clone, Debug)]
struct Asked {
    path: String,
    method: &'static str,
    id: String,
    format: String,
    query: String,
    body: String,
    signed_in: bool,
    forged: bool,
}

fn asked() -> impl Strategy<Value = Asked> {
    let document = document();
    let paths: Vec<String> = document["paths"].as_object().unwrap().keys().cloned().collect();
    select(paths).prop_flat_map(|path| {
        let usual: Vec<&'static str> =
            ["GET", "POST"].into_iter().filter(|one| methods(&path).iter().any(|known| known == one)).collect();
        let method = prop_oneof![8 => select(usual), 1 => select(vec!["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])];
        let format = select(vec!["pgn", "xqf", "cbr", "dhtmlxq", "doc", ".."]).prop_map(str::to_owned);
        let who = (any::<bool>(), proptest::bool::weighted(0.1));
        (Just(path.clone()), method, id(), format, query(), body(&path), who).prop_map(
            |(path, method, id, format, query, body, (signed_in, forged))| Asked {
                path,
                method,
                id,
                format,
                query,
                body,
                signed_in,
                forged,
            },
        )
    })
}

/// What must stand in no answer at all: where the venue lives, what it keeps to itself.
fn is_discreet(bytes: &str, browser: &Browser<'_>, asked: &str) {
    let secret = browser.cookie.split('=').next_back().unwrap();
    let temp = std::env::temp_dir();
    let own = [env!("CARGO_MANIFEST_DIR"), temp.to_str().unwrap(), "$argon2", "panicked", ".rs:"];
    for leak in own.into_iter().chain([secret]) {
        assert!(!bytes.contains(leak), "{asked} gives away {leak}: {bytes}");
    }
}

async fn ask(hall: &Hall, browser: &Browser<'_>, asked: &Asked, secrets: &[String]) -> u16 {
    let Asked { path, method, id, format, query, body, signed_in, forged } = asked;
    let address = path.replace("{id}", id).replace("{format}", format) + query;
    let (cookie, csrf) = match (signed_in, forged) {
        (false, _) => ("", ""),
        (true, false) => (browser.cookie.as_str(), browser.csrf.as_str()),
        (true, true) => (browser.cookie.as_str(), "forged"),
    };
    let request = format!(
        "{method} {address} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {cookie}\r\nx-luozi-csrf: {csrf}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        hall.address,
        body.len()
    );
    let told = format!("{request:.2000}");
    if path.ends_with("/events") && *method == "GET" {
        // A stream has no end: its first event is looked at.
        let first = hall.first_of_stream(&request).await;
        if !signed_in || !path.contains("arbiter") {
            holds_no_secret(&unasked(secrets, &address), first.body.as_bytes(), &told);
        }
        if first.status() != 200 {
            check_answer(path, method, &first, &told);
        }
        return first.status();
    }
    let (head, bytes) = hall.exchange(&request).await;
    let answer =
        peers::Answer { head: head.to_ascii_lowercase(), body: String::from_utf8_lossy(&bytes).into_owned() };
    check_answer(path, method, &answer, &told);
    is_discreet(&answer.body, browser, &told);
    if (!signed_in || !path.contains("arbiter")) && path != "/api/v1/openapi.json" {
        holds_no_secret(&unasked(secrets, &format!("{address} {body}")), answer.body.as_bytes(), &told);
    }
    answer.status()
}

/// An answer may repeat what was asked.
fn unasked(secrets: &[String], asked: &str) -> Vec<String> {
    secrets.iter().filter(|secret| !asked.contains(*secret)).cloned().collect()
}

#[tokio::test]
async fn every_answer_is_documented_and_discreet() {
    let Some(broker) = Mosquitto::start("any-request") else { return };
    let accounts = Accounts::new("any-request", &[("裁判长", "chief_arbiter"), ("主办", "organiser")]);
    let delays = Delays::new(["15m".parse().unwrap()]);
    let config =
        Config { accounts: Some(accounts.0.clone()), delays, ..Config::new(peers::brokers(&broker.url())) };
    let hall = Hall::run(config).await;
    // What is published before the venue listens it never hears.
    hall.events("").await.until(|_, data| data["relay"] == "connected").await;
    let Afternoon { publications, secrets, .. } = afternoon();
    let board = broker.publisher("boards").await;
    board.send(publications).await;
    let mut viewer = hall.events("?game=g1").await;
    viewer.until(|_, data| data["game"]["ply_count"] == 8 || data["games"][0]["ply_count"] == 8).await;
    let mut browser = Browser::new(&hall);
    assert_eq!(browser.sign_in("裁判长").await, 200);
    let mut leaving = Browser::new(&hall);
    assert_eq!(leaving.sign_in("主办").await, 200);

    let mut runner = TestRunner::deterministic();
    let mut seen = std::collections::BTreeMap::<u16, usize>::new();
    let requests = asked();
    for _ in 0..REQUESTS {
        let asked = requests.new_tree(&mut runner).unwrap().current();
        // Who signs out is not who goes on asking.
        let who = if asked.path.ends_with("/logout") { &leaving } else { &browser };
        *seen.entry(ask(&hall, who, &asked, &secrets).await).or_default() += 1;
    }
    for status in [200, 400, 401, 403, 404, 405, 413, 429] {
        assert!(seen.contains_key(&status), "{status} was never answered: {seen:?}");
    }
    assert_eq!(hall.get("/healthz").await.status(), 200);
    hall.close().await;
}

/// What is no HTTP at all, or hardly: the venue says so or hangs up, and goes on.
#[tokio::test]
async fn what_is_no_request_ends_nothing() {
    let hall = Hall::open("mqtt://127.0.0.1:9").await;
    let strategy = prop_oneof![
        vec(any::<u8>(), 1..200),
        "(GET|get|G\u{e9}T|) (/|//|/%|\\*|http://x/|[ -~]{0,40}) HTTP/(1.1|9.9|)\r\n(Host: x\r\n|: \r\n|){0,3}\r\n"
            .prop_map(String::into_bytes),
        Just(format!("GET / HTTP/1.1\r\n{}\r\n\r\n", "a: b\r\n".repeat(5_000)).into_bytes()),
        Just(format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(100_000)).into_bytes()),
    ];
    let mut runner = TestRunner::deterministic();
    for _ in 0..120 {
        let bytes = strategy.new_tree(&mut runner).unwrap().current();
        let answer = hall.raw(&bytes).await;
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "{bytes:?} {answer:?}");
        assert!(
            !answer.starts_with(b"HTTP/1.1 5") || answer.starts_with(b"HTTP/1.1 505"),
            "{bytes:?} {answer:?}"
        );
    }
    assert_eq!(hall.get("/healthz").await.status(), 200);
    hall.close().await;
}
