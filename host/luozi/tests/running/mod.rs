//! The binary while it runs, a real broker, and somebody who follows a board's records.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use referee::relay::{Refill, Topic};
use referee::{Chain, Happening, Line, Record};
use rumqttc::{Client, Event, MqttOptions, Packet, QoS, SubscribeReasonCode};
use xiangqi::Move;

/// How long anything may take before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Asks again and again until there is an answer.
pub fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = found() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A running process that ends with its test.
pub struct Running(pub Child);

impl Running {
    pub fn luozi(arguments: &[&str]) -> Running {
        let child = Command::new(env!("CARGO_BIN_EXE_luozi"))
            .args(arguments)
            .env("RUST_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary runs");
        Running(child)
    }

    /// Logs everything, to a file.
    pub fn logging(arguments: &[&str], log: &str) -> Running {
        let log = fs::File::create(log).expect("a writable directory");
        let child = Command::new(env!("CARGO_BIN_EXE_luozi"))
            .args(arguments)
            .env("RUST_LOG", "trace")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the binary runs");
        Running(child)
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.0.kill().expect("it can be killed");
        self.0.wait().expect("it has ended");
    }

    pub fn has_ended(&mut self) -> Option<i32> {
        self.0.try_wait().expect("a child").map(|status| status.code().unwrap_or(-1))
    }

    pub fn ends(mut self) -> i32 {
        until("the end of the process", || self.has_ended())
    }

    /// Ctrl-C.
    pub fn interrupt(&self) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address").port()
}

/// Ports that were free a moment ago, each another: they are held until all are found.
pub fn free_ports<const N: usize>() -> [u16; N] {
    let held: [TcpListener; N] =
        std::array::from_fn(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    held.map(|listener| listener.local_addr().expect("an address").port())
}

/// Debian's mosquitto on a port of its own. It keeps nothing when it is killed.
pub struct Mosquitto {
    pub port: u16,
    config: PathBuf,
    process: Running,
}

impl Mosquitto {
    /// `None`, with a printed line, where it is not installed.
    pub fn start(directory: &Path) -> Option<Mosquitto> {
        let port = free_port();
        let config = directory.join("mosquitto.conf");
        let text = format!("listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n");
        fs::write(&config, text).expect("a writable directory");
        let Some(process) = Mosquitto::spawn(&config) else {
            println!("skipped: mosquitto is not installed (apt-get install mosquitto)");
            return None;
        };
        let mosquitto = Mosquitto { port, config, process };
        mosquitto.is_up();
        Some(mosquitto)
    }

    fn spawn(config: &Path) -> Option<Running> {
        // Debian puts it where only root looks.
        ["mosquitto", "/usr/sbin/mosquitto"].iter().find_map(|program| {
            let mut command = Command::new(program);
            let quiet = command.arg("-c").arg(config).stdout(Stdio::null()).stderr(Stdio::null());
            quiet.spawn().ok().map(Running)
        })
    }

    fn is_up(&self) {
        let address = ("127.0.0.1", self.port);
        until("mosquitto", || TcpStream::connect(address).ok());
    }

    pub fn url(&self) -> String {
        format!("mqtt://127.0.0.1:{}", self.port)
    }

    /// Kills it, does something, and starts it again.
    pub fn away_during(self, meanwhile: impl FnOnce()) -> Mosquitto {
        let Mosquitto { port, config, process } = self;
        process.kill();
        meanwhile();
        let process = Mosquitto::spawn(&config).expect("it was there before");
        let mosquitto = Mosquitto { port, config, process };
        mosquitto.is_up();
        mosquitto
    }

    /// Kills it and, after `away`, starts it again.
    pub fn restart(self, away: Duration) -> Mosquitto {
        self.away_during(|| thread::sleep(away))
    }
}

/// Somebody who follows a board's records, and asks for what is missing.
#[derive(Clone)]
pub struct Follower {
    seen: Arc<Mutex<Seen>>,
}

/// What a follower has.
#[derive(Default)]
pub struct Seen {
    /// Line by place: whatever comes twice must be the same.
    pub lines: BTreeMap<u64, String>,
    /// Lines that came twice, which is allowed.
    pub repeated: u64,
    /// The last retained snapshot of each game.
    pub snapshots: BTreeMap<String, String>,
    /// Every status, in order.
    pub statuses: Vec<String>,
}

impl Follower {
    /// Follows `board` at the broker on that port, across any number of its restarts.
    pub fn start(board: &str, port: u16) -> Follower {
        Follower::of_cluster(board, &[port])
    }

    /// Follows `board` at a cluster whose nodes listen on those ports.
    pub fn of_cluster(board: &str, ports: &[u16]) -> Follower {
        Follower::of(board, "#", ports)
    }

    /// Follows what `board` says of itself, and not its records.
    pub fn of_status(board: &str, port: u16) -> Follower {
        Follower::of(board, "status", &[port])
    }

    fn of(board: &str, topics: &'static str, ports: &[u16]) -> Follower {
        let follower = Follower { seen: Arc::default() };
        let (seen, board, ports) = (Arc::clone(&follower.seen), board.to_owned(), ports.to_vec());
        thread::spawn(move || follow(&seen, &board, topics, &ports));
        follower
    }

    pub fn look<T>(&self, at: impl FnOnce(&Seen) -> T) -> T {
        at(&self.seen.lock().expect("no follower panics"))
    }

    /// The first lines without a gap.
    pub fn prefix(&self) -> Vec<String> {
        self.look(|seen| (0..).map_while(|seq: u64| seen.lines.get(&seq).cloned()).collect())
    }
}

fn follow(seen: &Mutex<Seen>, board: &str, topics: &str, ports: &[u16]) {
    // The test that watches has ended when nobody else holds what was seen; the process ends then too.
    for port in ports.iter().copied().cycle() {
        let mut options = MqttOptions::new(format!("follower-{port}"), "127.0.0.1", port);
        options.set_keep_alive(Duration::from_secs(5));
        options.set_max_packet_size(1 << 20, 1 << 20);
        let (client, mut connection) = Client::new(options, 64);
        for event in connection.iter() {
            match event {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    client
                        .try_subscribe(format!("luozi/v1/board/{board}/{topics}"), QoS::AtLeastOnce)
                        .expect("queued");
                }
                // A cluster without a quorum refuses; the next node may be better off.
                Ok(Event::Incoming(Packet::SubAck(ack)))
                    if ack.return_codes.contains(&SubscribeReasonCode::Failure) =>
                {
                    break;
                }
                // Whatever was missed is asked for.
                Ok(Event::Incoming(Packet::SubAck(_))) => ask(&client, seen, board),
                Ok(Event::Incoming(Packet::Publish(publish))) => {
                    let payload = String::from_utf8(publish.payload.to_vec()).expect("UTF-8");
                    note(seen, &publish.topic, payload);
                }
                Ok(Event::Incoming(Packet::PingResp)) => ask(&client, seen, board),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        thread::sleep(Duration::from_millis(100));
    }
}

fn ask(client: &Client, seen: &Mutex<Seen>, board: &str) {
    let from = {
        let seen = seen.lock().expect("no follower panics");
        (0..).find(|seq| !seen.lines.contains_key(seq)).unwrap_or(0)
    };
    let request = Refill { v: Refill::VERSION, from, to: u64::MAX };
    let payload = serde_json::to_vec(&request).expect("JSON");
    let _ = client.try_publish(Topic::Refill { board }.to_string(), QoS::AtLeastOnce, false, payload);
}

fn note(seen: &Mutex<Seen>, topic: &str, payload: String) {
    let mut seen = seen.lock().expect("no follower panics");
    match Topic::parse(topic) {
        Some(Topic::Record { .. }) => {
            let line: Line = serde_json::from_str(&payload).expect("a record");
            if let Some(before) = seen.lines.insert(line.seq, payload.clone()) {
                assert_eq!(before, payload, "a repeated line is the same");
                seen.repeated += 1;
            }
        }
        Some(Topic::Snapshot { game, .. }) => drop(seen.snapshots.insert(game.to_owned(), payload)),
        Some(Topic::Status { .. }) => seen.statuses.push(payload),
        Some(Topic::Refill { .. } | Topic::Order { .. } | Topic::Answer { .. }) | None => {}
    }
}

/// The lines of a journal's directory, checked.
pub fn journal(directory: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .map(|entries| entries.map(|entry| entry.expect("an entry").path()).collect())
        .unwrap_or_default();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "ndjson"));
    files.sort();
    files
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(file).expect("UTF-8");
            text.split_inclusive('\n')
                // A line that is being written has no end yet.
                .filter_map(|line| line.strip_suffix('\n').map(str::to_owned))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The moves of the last game among lines, as they stand at the end, with a check of the chain.
pub fn moves(lines: &[String]) -> Vec<Move> {
    let mut chain = Chain::START;
    for text in lines {
        let line: Line = serde_json::from_str(text).expect("a record");
        chain.follow(text, &line).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    }
    moves_of(lines)
}

/// The moves of the last game among lines, as they stand at the end.
pub fn moves_of(lines: &[String]) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for text in lines {
        let line: Line = serde_json::from_str(text).expect("a record");
        match &line.record {
            Record::Game(_) => moves.clear(),
            Record::Event(event) => match &event.what {
                Happening::Moved(moved) => {
                    moves.truncate(moved.ply as usize - 1);
                    moves.push(moved.mv);
                }
                Happening::Resolved { ply, moves: resolved, .. } => {
                    moves.truncate(*ply as usize - 1);
                    moves.extend(resolved);
                }
                Happening::TakenBack { ply, .. } => moves.truncate(*ply as usize - 1),
                _ => {}
            },
            _ => {}
        }
    }
    moves
}

/// The body of a page, if somebody answers.
pub fn get(address: SocketAddr, path: &str) -> Option<String> {
    let mut socket = TcpStream::connect(address).ok()?;
    write!(socket, "GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 200").then(|| body.to_owned())
}
