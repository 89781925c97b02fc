//! The API is what `openapi.json` says: every documented answer is fetched and compared, key by key.

mod desk;
mod peers;

use desk::{Desk, game};
use peers::{Hall, Mosquitto};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../openapi.json");

fn document() -> Value {
    serde_json::from_str(DOCUMENT).unwrap()
}

/// Where a value differs from its schema. Knows the few words of JSON Schema that the document uses, and is stricter than
/// JSON Schema in one thing: a key that is not documented is a difference.
fn differences(schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let document = document();
    if let Some(name) = schema["$ref"].as_str() {
        let found = document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name}"));
        return differences(found, value, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let tries: Vec<_> = any.iter().map(|schema| differences(schema, value, at)).collect();
        return if tries.iter().any(Vec::is_empty) { Vec::new() } else { tries.concat() };
    }
    if schema["allOf"].is_array() {
        return differences(&merged(&document, schema), value, at);
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    if !types.iter().any(|kind| is(value, kind.as_str().unwrap_or_default())) {
        return vec![format!("{at}: {value} is no {types:?}")];
    }
    if schema["enum"].as_array().is_some_and(|allowed| !allowed.contains(value)) {
        return vec![format!("{at}: {value} is not among {}", schema["enum"])];
    }
    match value {
        Value::Object(fields) => {
            let known = schema["properties"].as_object().unwrap();
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let missing =
                required.filter(|key| !fields.contains_key(*key)).map(|key| format!("{at}.{key} is missing"));
            let each = fields.iter().flat_map(|(key, field)| match known.get(key) {
                Some(schema) => differences(schema, field, &format!("{at}.{key}")),
                None => vec![format!("{at}.{key} is not documented")],
            });
            missing.chain(each).collect()
        }
        Value::Array(items) => {
            items.iter().flat_map(|item| differences(&schema["items"], item, &format!("{at}[]"))).collect()
        }
        _ => Vec::new(),
    }
}

/// The parts of an `allOf` as one object.
fn merged(document: &Value, schema: &Value) -> Value {
    let mut whole = serde_json::json!({"type": "object", "properties": {}, "required": []});
    for part in schema["allOf"].as_array().unwrap() {
        let part = part["$ref"]
            .as_str()
            .map_or(part, |name| document.pointer(name.trim_start_matches('#')).unwrap());
        for (key, field) in part["properties"].as_object().unwrap() {
            whole["properties"][key] = field.clone();
        }
        let required = part["required"].as_array().unwrap().clone();
        whole["required"].as_array_mut().unwrap().extend(required);
    }
    whole
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn check(name: &str, value: &Value) {
    let schema = serde_json::json!({ "$ref": format!("#/components/schemas/{name}") });
    assert_eq!(differences(&schema, value, name), Vec::<String>::new());
}

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
    assert_eq!(hall.get("/api/v1/openapi.json").await.json(), document());
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
