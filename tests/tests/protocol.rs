//! The AsyncAPI file against the code: every topic and every key of what a board really publishes is documented, and
//! nothing that is documented is missing.

use std::collections::BTreeSet;

use boardd::{Journal, Outbox, Table};
use referee::public::{Behind, Part, PublicClock, PublicGame, PublicPosition, PublicResult, PublicTopic};
use referee::relay::{Alarm, OrderBody, Refill, SecretKey, SignedOrder, Status, Topic};
use referee::{Command, GameHeader, Order, Reason, Record, Score, Snapshot};
use serde_json::Value;
use tests::{SimDisk, repository};
use twin::{Game, GameRecord, Style};

fn document() -> Value {
    let text = std::fs::read_to_string(repository().join("docs/asyncapi.json")).expect("the document");
    serde_json::from_str(&text).expect("JSON")
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            let found = document.pointer(reference.trim_start_matches('#'));
            resolve(document, found.unwrap_or_else(|| panic!("{reference} leads nowhere")))
        }
        None => schema,
    }
}

/// What is wrong with a value, by the part of JSON Schema that the document uses.
fn check(document: &Value, schema: &Value, value: &Value, at: &str) {
    let schema = resolve(document, schema);
    if let Some(constant) = schema.get("const") {
        assert_eq!(constant, value, "{at}");
    }
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at}: {value} is none of {allowed:?}");
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    assert!(types.is_empty() || types.contains(&is), "{at}: {value} is no {types:?}");
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        values.iter().for_each(|value| check(document, items, value, &format!("{at}[]")));
    }
    let (Some(object), Some(properties)) = (value.as_object(), schema["properties"].as_object()) else {
        return;
    };
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(object.contains_key(key), "{at}: {key} is missing");
    }
    for (key, value) in object {
        match properties.get(key) {
            Some(schema) => check(document, schema, value, &format!("{at}.{key}")),
            None => assert!(schema["additionalProperties"] == true, "{at}: {key} is not documented"),
        }
    }
}

/// An order as it comes over the wire.
fn signed_order(id: &str, game: &str, order: Order) -> (SignedOrder, OrderBody) {
    let body = OrderBody { id: id.into(), board: "b1".into(), game: game.into(), order };
    let text = serde_json::to_string(&body).expect("JSON");
    (SignedOrder::sign("a", &SecretKey::from_bytes(&[7; 32]), text), body)
}

/// All that a board publishes during a short game with a clock and a result.
fn publications() -> Vec<(String, String)> {
    let record = &GameRecord::shipped()[1];
    let moves = record.game.moves().iter().take(8).copied().collect();
    let game = Game::new(*record.game.start(), moves).expect("the first moves of a legal game");
    let played = game.play(Style::Clean, 4);
    let header = GameHeader {
        clock: Some("60m".into()),
        red: "红方".into(),
        black: "黑方".into(),
        ..GameHeader::new(record.id.clone(), *game.start(), "cxa-2010")
    };
    let disk = SimDisk::new();
    let (mut journal, _) = Journal::open(disk.clone(), "b1").expect("a healthy disk");
    let mut outbox = Outbox::new("b1", disk, 0, None);
    outbox.connected(0);
    let mut table = Table::new(&header);
    let mut published = Vec::new();
    let asked = std::cell::Cell::new(None);
    let mut publish = |records: &[Record]| {
        journal.commit(1, records).expect("a healthy disk");
        if let Some(order) = asked.take() {
            outbox.expect_answer(order);
        }
        while let Some(publication) = outbox.poll(journal.end().next_seq()).expect("a healthy disk") {
            outbox.acknowledge(publication.token);
            published.push((publication.topic, publication.payload));
        }
    };
    publish(&[Record::Game(Box::new(header))]);
    for observation in &played.observations {
        table.take(observation);
        let records: Vec<Record> = std::iter::from_fn(|| table.poll_record()).collect();
        publish(&records);
    }
    let command = Command::Declare { score: Score::RedWins, ending: Reason::Resignation };
    let order = Order { name: "A".into(), reason: "said so".into(), command };
    let at = played.observations.last().expect("a game").at.plus_us(1);
    let refused = Order { reason: String::new(), ..order.clone() };
    for (id, order) in [("o-1", refused), ("o-2", order)] {
        let (signed, body) = signed_order(id, &record.id, order);
        asked.set(Some(id));
        table.signed_order(at, &signed, &body).expect("an order for this game");
        let records: Vec<Record> = std::iter::from_fn(|| table.poll_record()).collect();
        publish(&records);
    }
    published
}

#[test]
fn what_a_board_publishes_is_documented() {
    let document = document();
    let mut seen = BTreeSet::new();
    let mut phases = BTreeSet::new();
    let mut outcomes = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for (topic, payload) in publications() {
        let channel = match Topic::parse(&topic).expect("one of our topics") {
            Topic::Status { .. } => "status",
            Topic::Record { .. } => "record",
            Topic::Snapshot { .. } => "snapshot",
            Topic::Answer { .. } => "answer",
            Topic::Refill { .. } | Topic::Order { .. } => panic!("{topic} is for others to write"),
        };
        seen.insert(channel);
        let channel = &document["channels"][channel];
        let message = channel["messages"].as_object().expect("messages").values().next().expect("one");
        let schema = &resolve(&document, message)["payload"];
        let value: Value = serde_json::from_str(&payload).expect("JSON");
        check(&document, schema, &value, &topic);
        outcomes.extend(value["outcome"].as_str().map(str::to_owned));
        phases.extend(value["phase"].as_str().map(str::to_owned));
        kinds.extend(value["record"]["kind"].as_str().map(str::to_owned));
    }
    assert_eq!(seen, BTreeSet::from(["status", "record", "snapshot", "answer"]));
    assert_eq!(outcomes, BTreeSet::from(["applied".to_owned(), "refused".to_owned()]));
    assert!(phases.contains("playing") && phases.contains("over"), "{phases:?}");
    assert!(
        ["game", "closed", "press", "order", "event"].iter().all(|kind| kinds.contains(*kind)),
        "{kinds:?}"
    );
    let refill = serde_json::to_value(Refill { v: Refill::VERSION, from: 1, to: 2 }).expect("JSON");
    check(&document, &document["components"]["schemas"]["refill"], &refill, "refill");
    let command = Command::SetClock { side: xiangqi::Color::Red, left_ms: 1 };
    let order = Order { name: "A".into(), reason: "because".into(), command };
    let (signed, body) = signed_order("o-1", "g", order);
    let wire = serde_json::to_value(&signed).expect("JSON");
    check(&document, &document["components"]["schemas"]["signedOrder"], &wire, "order");
    let body = serde_json::to_value(&body).expect("JSON");
    check(&document, &document["components"]["schemas"]["orderBody"], &body, "order body");
}

/// Every alarm that a board can raise: documented, and as words beside.
#[test]
fn alarms_are_documented() {
    let document = document();
    let (file, detail) = (String::from("f"), String::from("why"));
    let all = [
        Alarm::DiskFull,
        Alarm::DiskReadOnly,
        Alarm::DiskFailed { detail: detail.clone() },
        Alarm::JournalMoved { file: file.clone() },
        Alarm::JournalBegunAnew { file: file.clone() },
        Alarm::JournalUnreadable { detail },
        Alarm::JournalDamaged { file: file.clone(), line: 1 },
        Alarm::JournalSetAside { file, seq: 2 },
        Alarm::JournalLinesGone { seq: 3 },
        Alarm::IdTaken { client: "b1".into() },
    ];
    let mut outbox = Outbox::new("b1", SimDisk::new(), 0, None);
    outbox.connected(0);
    outbox.poll(0).expect("a healthy disk").expect("the status");
    outbox.set_alarms(all.to_vec(), 1);
    let status = outbox.poll(0).expect("a healthy disk").expect("the status").payload;
    let value: Value = serde_json::from_str(&status).expect("JSON");
    check(&document, &document["components"]["schemas"]["status"], &value, "status");
    let said: BTreeSet<&str> =
        value["alarms"].as_array().expect("alarms").iter().filter_map(|one| one["code"].as_str()).collect();
    let codes = &document["components"]["schemas"]["alarm"]["properties"]["code"]["enum"];
    let documented: BTreeSet<&str> =
        codes.as_array().expect("codes").iter().filter_map(Value::as_str).collect();
    assert_eq!(said, documented);
    let words = value["alarm"].as_str().expect("words");
    assert!(all.iter().all(|alarm| words.contains(&alarm.to_string())), "{words}");
    let page = std::fs::read_to_string(repository().join("docs/mqtt.md")).expect("the page");
    assert!(documented.iter().all(|code| page.contains(&format!("`{code}`"))), "docs/mqtt.md lists all");
    // What a newer board says is taken for what it is: something that has words only.
    let newer = r#"{"v":1,"board":"b1","online":true,"game":null,"us":1,"alarm":"?","alarms":[{"code":"new","x":[]}]}"#;
    assert_eq!(serde_json::from_str::<Status>(newer).expect("a status").alarms, [Alarm::Unknown]);
}

/// What the public is told of each state of that game.
#[test]
fn what_the_public_is_told_is_documented() {
    let document = document();
    let mut scores = BTreeSet::new();
    for (topic, payload) in publications() {
        let Some(Topic::Snapshot { .. }) = Topic::parse(&topic) else { continue };
        let snapshot: Snapshot = serde_json::from_str(&payload).expect("a snapshot");
        let behind = snapshot.seq.is_multiple_of(2).then_some(Behind { seconds: 900, plies: 0 });
        let parts = [
            ("publicGame", serde_json::to_value(PublicGame::of(&snapshot, behind))),
            ("publicPosition", serde_json::to_value(PublicPosition::of(&snapshot))),
            ("publicClock", serde_json::to_value(PublicClock::of(&snapshot))),
            ("publicResult", serde_json::to_value(PublicResult::of(&snapshot))),
        ];
        for (name, value) in parts {
            let value = value.expect("JSON");
            check(&document, &document["components"]["schemas"][name], &value, name);
            scores.extend(value["score"].as_str().map(str::to_owned));
        }
    }
    assert_eq!(scores, BTreeSet::from(["1-0".to_owned()]));
}

#[test]
fn addresses_are_our_topics() {
    let channels = document();
    let topics = [
        ("status", Topic::Status { board: "b" }),
        ("record", Topic::Record { board: "b" }),
        ("snapshot", Topic::Snapshot { board: "b", game: "g" }),
        ("refill", Topic::Refill { board: "b" }),
        ("order", Topic::Order { board: "b" }),
        ("answer", Topic::Answer { board: "b" }),
    ];
    let public = Part::ALL.map(|part| {
        let topic = PublicTopic { game: "g", part }.to_string();
        let name = topic.rsplit('/').next().expect("a last level").to_owned();
        (format!("public{}{}", name[..1].to_uppercase(), &name[1..]), topic)
    });
    let topics = topics.map(|(name, topic)| (name.to_owned(), topic.to_string()));
    let topics: Vec<(String, String)> = topics.into_iter().chain(public).collect();
    assert_eq!(channels["channels"].as_object().expect("channels").len(), topics.len());
    let page = std::fs::read_to_string(repository().join("docs/mqtt.md")).expect("the page");
    for (name, topic) in topics {
        let address = channels["channels"][&name]["address"].as_str().expect("an address");
        assert_eq!(address.replace("{board}", "b").replace("{game}", "g"), topic);
        let in_page = address.replace("{board}", "<board>").replace("{game}", "<game>");
        assert!(page.contains(&format!("`{in_page}`")), "docs/mqtt.md does not name {in_page}");
    }
}

/// The kinds that the document lists are those that the code can write: each reads back as itself.
#[test]
fn kinds_are_those_of_the_code() {
    let document = document();
    let kinds = document["components"]["schemas"]["record"]["properties"]["kind"]["enum"].clone();
    for kind in kinds.as_array().expect("kinds") {
        let text = format!(r#"{{"kind":{kind}}}"#);
        let known = serde_json::from_str::<Record>(&text).map_or(true, |record| record != Record::Unknown);
        assert!(known, "{kind} is documented and unknown");
    }
}
