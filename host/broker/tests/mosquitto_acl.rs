//! The access rules that we give for mosquitto, in a real mosquitto: a board writes its own topics only, the public reads
//! the public feed only, nobody gets in with a wrong password.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rumqttc::{Client, Connection, Event, MqttOptions, Packet, QoS};

const PATIENCE: Duration = Duration::from_secs(20);

/// Mosquitto with our rules, a password `secret` for each user, and an `admin` who sees and says everything.
struct Mosquitto {
    port: u16,
    child: Child,
    directory: PathBuf,
}

impl Mosquitto {
    /// `None`, with a printed line, where it is not installed.
    fn start() -> Option<Mosquitto> {
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        let directory = std::env::temp_dir().join(format!("luozi-acl-{}-{port}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory");
        let path = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mosquitto");
        let rules = fs::read_to_string(docs.join("acl")).expect("our rules");
        fs::write(path("acl"), format!("{rules}\nuser admin\ntopic readwrite #\n")).expect("writable");
        for user in ["board-1", "board-2", "venue", "admin"] {
            let mut made = Command::new("mosquitto_passwd");
            let first = !Path::new(&path("passwords")).exists();
            made.args(if first { &["-c", "-b"][..] } else { &["-b"] }).args([
                &path("passwords"),
                user,
                "secret",
            ]);
            if !made.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
                println!("skipped: mosquitto is not installed (apt-get install mosquitto)");
                return None;
            }
        }
        // Our configuration, with this test's places.
        let config = fs::read_to_string(docs.join("mosquitto.conf")).expect("our configuration");
        let config = config
            .replace("/etc/mosquitto/passwords", &path("passwords"))
            .replace("/etc/mosquitto/acl", &path("acl"))
            .replace("persistence true", "persistence false")
            .replace("listener 1883", &format!("listener {port} 127.0.0.1\nuser root"));
        fs::write(path("mosquitto.conf"), config).expect("writable");
        let child = ["mosquitto", "/usr/sbin/mosquitto"].iter().find_map(|program| {
            let mut command = Command::new(program);
            let quiet = command.args(["-c", &path("mosquitto.conf")]).stdout(Stdio::null());
            quiet.stderr(Stdio::null()).spawn().ok()
        });
        let Some(child) = child else {
            println!("skipped: mosquitto is not installed (apt-get install mosquitto)");
            return None;
        };
        let deadline = Instant::now() + PATIENCE;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "mosquitto does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Mosquitto { port, child, directory })
    }

    fn client(&self, id: &str, login: Option<(&str, &str)>) -> (Client, Connection) {
        let mut options = MqttOptions::new(id, "127.0.0.1", self.port);
        options.set_keep_alive(Duration::from_secs(5));
        if let Some((user, password)) = login {
            options.set_credentials(user, password);
        }
        Client::new(options, 64)
    }

    /// Subscribes to everything.
    fn listener(&self, id: &str, login: Option<(&str, &str)>) -> Connection {
        let (client, mut connection) = self.client(id, login);
        client.subscribe("#", QoS::AtLeastOnce).expect("queued");
        wait(&mut connection, |packet| matches!(packet, Packet::SubAck(_)).then_some(()));
        // The connection ends when its client is dropped.
        std::mem::forget(client);
        connection
    }

    /// Publishes to each topic, and waits until the broker has answered for all.
    fn publish(&self, id: &str, login: Option<(&str, &str)>, topics: &[&str]) {
        let (client, mut connection) = self.client(id, login);
        for topic in topics {
            client.publish(*topic, QoS::AtLeastOnce, false, "x").expect("queued");
        }
        let mut answers = 0;
        wait(&mut connection, |packet| {
            answers += usize::from(matches!(packet, Packet::PubAck(_)));
            (answers == topics.len()).then_some(())
        });
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn wait<T>(connection: &mut Connection, mut found: impl FnMut(&Packet) -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match connection.recv_timeout(left).expect("an answer in time").expect("the connection holds") {
            Event::Incoming(packet) => {
                if let Some(answer) = found(&packet) {
                    return answer;
                }
            }
            Event::Outgoing(_) => {}
        }
    }
}

/// What arrives until `last` does.
fn arrived(connection: &mut Connection, last: &str) -> BTreeSet<String> {
    let mut topics = BTreeSet::new();
    wait(connection, |packet| {
        let Packet::Publish(publish) = packet else { return None };
        topics.insert(publish.topic.clone());
        (publish.topic == last).then_some(())
    });
    topics
}

const EVERYTHING: [&str; 7] = [
    "luozi/v1/board/board-1/status",
    "luozi/v1/board/board-1/record",
    "luozi/v1/board/board-1/game/g1/snapshot",
    "luozi/v1/board/board-1/refill",
    "luozi/v1/board/board-2/record",
    "luozi/v1/public/game/g1",
    "elsewhere",
];

fn set(topics: &[&str]) -> BTreeSet<String> {
    topics.iter().map(|topic| (*topic).to_owned()).collect()
}

#[test]
fn a_real_mosquitto_holds_our_rules() {
    let Some(mosquitto) = Mosquitto::start() else { return };
    let secret = |user: &'static str| Some((user, "secret"));
    // What each may write, as the admin sees it. The admin's own last word ends each list.
    for (login, may) in [
        (secret("board-1"), &EVERYTHING[..3]),
        (secret("board-2"), &EVERYTHING[4..5]),
        (secret("venue"), &[EVERYTHING[3], EVERYTHING[5]][..]),
        (None, &[]),
    ] {
        let mut admin = mosquitto.listener("listener", secret("admin"));
        mosquitto.publish("writer", login, &EVERYTHING);
        mosquitto.publish("admin", secret("admin"), &["last"]);
        let mut expected = set(may);
        expected.insert("last".to_owned());
        assert_eq!(arrived(&mut admin, "last"), expected, "{login:?} writes");
    }
    // What each may read of all that the admin says; what it may read ends the list.
    for (login, may) in [
        (secret("board-1"), &EVERYTHING[3..4]),
        (secret("venue"), &EVERYTHING[..5]),
        (None, &EVERYTHING[5..6]),
    ] {
        let mut reader = mosquitto.listener("reader", login);
        let last = may.last().expect("everybody may read something");
        let others: Vec<&str> = EVERYTHING.iter().filter(|topic| topic != &last).copied().collect();
        mosquitto.publish("admin", secret("admin"), &[&others[..], &[last]].concat());
        assert_eq!(arrived(&mut reader, last), set(may), "{login:?} reads");
    }
}

#[test]
fn a_wrong_password_is_refused() {
    let Some(mosquitto) = Mosquitto::start() else { return };
    for login in [("board-1", "wrong"), ("nobody", "secret")] {
        let (_client, mut connection) = mosquitto.client("intruder", Some(login));
        let answer = connection.recv_timeout(PATIENCE).expect("an answer in time");
        assert!(answer.is_err(), "{login:?}: {answer:?}");
    }
}
