//! An arbiter's orders from a terminal to a board and into its journal.

mod running;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use referee::relay::{SignedOrder, Topic};
use referee::{By, Happening, Line, Record, Refusal};
use rumqttc::{Client, Event, MqttOptions, Packet, QoS};
use running::{Mosquitto, PATIENCE, Running, free_port, journal, moves, until};
use serde_json::Value;

/// A board that plays, its broker, and the keys of two arbiters and a hall.
struct Hall {
    directory: tempfile::TempDir,
    mosquitto: Mosquitto,
}

const KEYS: [(&str, &str, bool); 3] =
    [("li", "Li Wei", false), ("hall", "hall", true), ("nobody", "Li Wei", false)];

impl Hall {
    fn open() -> Option<Hall> {
        let directory = tempfile::tempdir().expect("a directory");
        let mosquitto = Mosquitto::start(directory.path())?;
        let hall = Hall { directory, mosquitto };
        let mut list = String::from("# who may order what\n");
        for (key, name, for_others) in KEYS {
            let file = hall.path(&format!("{key}.key"));
            let more: &[&str] = if for_others { &["--for-others"] } else { &[] };
            let output = luozi(&[&["arbiter", "new-key", key, name, &file], more].concat());
            assert_eq!(output.0, 0, "{output:?}");
            // The third key is known to nobody.
            list += if key == "nobody" { "" } else { &output.1 };
        }
        fs::write(hall.directory.path().join("arbiters.toml"), list).expect("a writable directory");
        Some(hall)
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    fn board(&self) -> Running {
        let (url, data, arbiters) = (self.mosquitto.url(), self.path("b1"), self.path("arbiters.toml"));
        let arguments = ["board", "--simulated", "--id", "b1", "--speed", "5", "--seed", "5"];
        Running::logging(
            &[&arguments[..], &["--broker", &url, "--data", &data, "--arbiters", &arbiters]].concat(),
            &self.path("b1.log"),
        )
    }

    /// An order that is refused, for that reason; one line of the board's log names the order, its kind and the reason.
    fn refused(&self, key: &str, arguments: &[&str], why: &str) -> Value {
        let answer = self.answer(key, arguments, 1);
        check(&answer, &[("outcome", "refused".into()), ("why", why.into())]);
        let (id, text) = (answer["id"].as_str().expect("an id"), answer["text"].as_str().expect("a text"));
        let log = fs::read_to_string(self.path("b1.log")).expect("a log");
        let says = [format!("order=\"{id}\""), format!("kind=\"{}\"", arguments[0]), text.to_owned()];
        let lines = log.lines().filter(|line| line.contains(" WARN ") && line.contains(&says[0]));
        let lines: Vec<&str> = lines.collect();
        assert!(lines.len() == 1 && says.iter().all(|say| lines[0].contains(say)), "{says:?}: {lines:?}");
        answer
    }

    fn lines(&self) -> Vec<String> {
        journal(Path::new(&self.path("b1")))
    }

    /// Exit code, standard output, standard error.
    fn order(&self, key: &str, arguments: &[&str]) -> (i32, String, String) {
        let (url, key) = (self.mosquitto.url(), self.path(&format!("{key}.key")));
        luozi(&[&["arbiter", "--board", "b1", "--broker", &url, "--key", &key], arguments].concat())
    }

    fn answer(&self, key: &str, arguments: &[&str], code: i32) -> Value {
        let (found, stdout, stderr) = self.order(key, &[arguments, &["--json"]].concat());
        assert_eq!(found, code, "{arguments:?}: {stdout}{stderr}");
        serde_json::from_str(&stdout).expect("a JSON object")
    }

    /// Orders over the wire in the journal, and every event that says what became of one.
    fn recorded(&self) -> (Vec<String>, Vec<Happening>) {
        let (mut ids, mut said) = (Vec::new(), Vec::new());
        for text in self.lines() {
            match serde_json::from_str::<Line>(&text).expect("a line").record {
                Record::Order { id, signed: Some(_), .. } => ids.push(id),
                Record::Event(event) => said.push(event.what),
                _ => {}
            }
        }
        said.retain(|what| {
            matches!(what, Happening::Ordered { .. } | Happening::Refused { by: By::Arbiter(_), .. })
        });
        (ids, said)
    }
}

fn luozi(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn check(answer: &Value, expected: &[(&str, Value)]) {
    for (key, value) in expected {
        assert_eq!(&answer[key], value, "{key} of {answer}");
    }
}

/// What is ordered is carried out once, stands in the journal with name and reason, and can be undone; who may not order
/// it is told so, and leaves nothing in the journal. A killed board remembers.
#[test]
fn orders_are_carried_out_once_and_answered() {
    let Some(hall) = Hall::open() else { return };
    let board = hall.board();
    until("a game that goes", || (moves(&hall.lines()).len() >= 2).then_some(()));

    let pause = ["pause", "--reason", "noise in the hall", "--id", "o-1"];
    let first = hall.answer("li", &pause, 0);
    check(&first, &[("outcome", "applied".into()), ("order", 1.into()), ("id", "o-1".into())]);
    check(&first["what"], &[("name", "Li Wei".into()), ("reason", "noise in the hall".into())]);
    assert_eq!(hall.answer("li", &pause, 0), first, "an order that comes twice is answered twice");

    let refused = hall.refused("li", &["pause", "--reason", "again"], "clock_paused");
    assert!(refused["seq"].is_u64(), "what the referee refuses is recorded: {refused}");
    hall.refused("li", &["warn", "red"], "no_reason");
    let for_others = ["warn", "red", "--reason", "talk", "--name", "Wang Min"];
    check(&hall.refused("li", &for_others, "other_name"), &[("seq", Value::Null)]);
    check(&hall.answer("hall", &for_others, 0)["what"], &[("name", "Wang Min".into())]);
    hall.refused("nobody", &["resume"], "unknown_key");
    hall.refused("li", &["resume", "--game", "another"], "other_game");
    hall.refused("li", &["still"], "no_camera");

    board.kill();
    let board = hall.board();
    let again =
        until("the board that is back", || match hall.order("li", &[&pause[..], &["--json"]].concat()) {
            (0, stdout, _) => Some(stdout),
            _ => None,
        });
    assert_eq!(serde_json::from_str::<Value>(&again).expect("JSON"), first, "a killed board remembers");
    let undone = hall.answer("li", &["undo", "1", "--reason", "it is quiet"], 0);
    check(&undone, &[("order", 3.into())]);
    let (code, stdout, _) = hall.order("li", &["sign"]);
    assert_eq!((code, stdout.starts_with("refused (not_over): ")), (1, true), "{stdout}");

    let (ids, said) = hall.recorded();
    assert_eq!(ids.iter().filter(|id| *id == "o-1").count(), 1, "{ids:?}");
    assert_eq!(ids.len(), said.len(), "{ids:?} {said:?}");
    let ordered = said.iter().filter(|what| matches!(what, Happening::Ordered { .. })).count();
    assert_eq!(ordered, 3, "{said:?}");
    board.interrupt();
    assert_eq!(board.ends(), 0);
    let mut changed = fs::read_to_string(hall.path("li.key")).expect("a key");
    changed.truncate(changed.len() - 10);
    fs::write(hall.path("torn.key"), changed).expect("a writable directory");
    let (code, _, stderr) = hall.order("torn", &["resume"]);
    assert_eq!((code, stderr.lines().count(), stderr.contains("torn.key")), (2, 1, true), "{stderr}");
}

/// An order of a later version, rightly signed: the board refuses it in the open, with its number in the journal, and the record
/// keeps what was signed.
#[test]
fn an_order_that_the_board_does_not_know_is_recorded_and_refused() {
    let Some(hall) = Hall::open() else { return };
    let board = hall.board();
    until("a game that goes", || (moves(&hall.lines()).len() >= 2).then_some(()));
    let records =
        || hall.lines().into_iter().map(|text| serde_json::from_str::<Line>(&text).expect("a line"));
    let game = records().find_map(|line| match line.record {
        Record::Game(header) => Some(header.game),
        _ => None,
    });
    let game = game.expect("a game has begun");
    let wire = Wire::connect(hall.mosquitto.port, "b1");
    let key = venue::OrderKey::read(Path::new(&hall.path("li.key"))).expect("a key");
    let give = |id: &str, order: &str| {
        let body = format!(r#"{{"id":"{id}","board":"b1","game":"{game}","order":{order}}}"#);
        let signed = SignedOrder::sign(&key.key, &key.secret, body);
        wire.send(&signed);
        (wire.answer(id), signed)
    };
    let unknown = [
        ("n-1", r#"{"name":"Li Wei","reason":"new rules","command":"swap_sides"}"#, "swap_sides"),
        (
            "n-2",
            r#"{"name":"Li Wei","reason":"seen","command":"add_foul","side":"red","offence":"9.1.99"}"#,
            r#"add_foul offence="9.1.99" side="red""#,
        ),
    ];
    for (id, order, request) in unknown {
        let (answer, signed) = give(id, order);
        check(&answer, &[("outcome", "refused".into()), ("why", "unknown".into())]);
        let seq = answer["seq"].as_u64().expect("a line of the journal");
        let lines: Vec<Line> =
            until("the line", || Some(records().collect::<Vec<_>>()).filter(|l| l.len() as u64 > seq));
        let Record::Event(event) = &lines[seq as usize].record else { panic!("{:?}", lines[seq as usize]) };
        let expected = Happening::Refused {
            by: By::Arbiter("Li Wei".into()),
            request: request.into(),
            why: Refusal::Unknown,
        };
        assert_eq!(event.what, expected);
        let kept = lines.iter().any(|line| {
            matches!(&line.record, Record::Order { id: of, signed: Some(kept), .. } if of == id && **kept == signed)
        });
        assert!(kept, "{id}: the order as it was signed stands in the journal");
    }
    // The next order that it knows is carried out as the first.
    let (answer, _) = give("n-3", r#"{"name":"Li Wei","reason":"noise","command":"pause"}"#);
    check(&answer, &[("outcome", "applied".into()), ("order", 1.into())]);
    board.interrupt();
    assert_eq!(board.ends(), 0);
    let (code, stdout, _) = luozi(&["journal", "verify", &hall.path("b1")]);
    assert_eq!(code, 0, "{stdout}");
}

/// Somebody at the broker who sends a board what he likes.
struct Wire {
    board: &'static str,
    client: Client,
    answers: Arc<Mutex<Vec<Value>>>,
}

impl Wire {
    fn connect(port: u16, board: &'static str) -> Wire {
        let (client, mut connection) = Client::new(MqttOptions::new("wire", "127.0.0.1", port), 16);
        client.subscribe(Topic::Answer { board }.to_string(), QoS::AtLeastOnce).expect("queued");
        let answers: Arc<Mutex<Vec<Value>>> = Arc::default();
        let heard = Arc::clone(&answers);
        let (tell, subscribed) = mpsc::channel();
        thread::spawn(move || {
            for event in connection.iter() {
                match event {
                    Ok(Event::Incoming(Packet::SubAck(_))) => drop(tell.send(())),
                    Ok(Event::Incoming(Packet::Publish(answer))) => {
                        let answer = serde_json::from_slice(&answer.payload).expect("JSON");
                        heard.lock().expect("nobody panics").push(answer);
                    }
                    Ok(_) => {}
                    Err(_) => return,
                }
            }
        });
        subscribed.recv_timeout(PATIENCE).expect("a broker that answers");
        Wire { board, client, answers }
    }

    fn send(&self, order: &SignedOrder) {
        let topic = Topic::Order { board: self.board }.to_string();
        let payload = serde_json::to_vec(order).expect("JSON");
        self.client.publish(topic, QoS::AtLeastOnce, false, payload).expect("queued");
    }

    fn answer(&self, id: &str) -> Value {
        until("an answer", || {
            self.answers.lock().expect("nobody panics").iter().find(|answer| answer["id"] == id).cloned()
        })
    }
}

/// Nobody answers: exit 2, and one line that says what is missing.
#[test]
fn silence_is_exit_2() {
    let Some(hall) = Hall::open() else { return };
    let check = |arguments: &[&str], says: &str| {
        let (code, stdout, stderr) = hall.order("li", arguments);
        assert_eq!((code, stdout.as_str(), stderr.lines().count()), (2, "", 1), "{stderr}");
        assert!(stderr.contains(says), "{stderr}");
    };
    check(&["start", "--wait", "1"], "no board \"b1\" is known to the broker");
    check(&["start", "--board", "b/1"], "--board \"b/1\": expected 1 to 64 letters");
    check(&["start", "--id", "ä"], "--id \"ä\": expected 1 to 64 letters");
    check(&["start", "--wait", "0"], "--wait");
    let nobody = format!("mqtt://127.0.0.1:{}", free_port());
    check(&["start", "--wait", "1", "--broker", &nobody], "broker mqtt://127.0.0.1:");
    let (code, _, stderr) = luozi(&["arbiter", "new-key", "li", "Li Wei", &hall.path("li.key")]);
    assert_eq!((code, stderr.contains("li.key")), (2, true), "a key is never overwritten: {stderr}");
}
