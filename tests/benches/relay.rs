//! How long from a press to the disk and to a subscriber: through the shipped daemon (press, referee, journal on disk, MQTT),
//! beside the floor of the same machine in the same run: a bare append and sync, then a bare publish.
//!
//! `cargo bench -p tests --bench relay -- [boards …]`; without numbers 1 and 100. One press a second on each board. Needs
//! mosquitto.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use boardd::{Arbiters, Config, Disk, FileDisk, GoingOn, Sensing, Source};
use referee::{GameHeader, Line, Record};
use rumqttc::{AsyncClient, Client, Event, MqttOptions, Packet, QoS};
use sense::Uptime;
use tokio::sync::watch;
use trace::{Observation, Sensed};
use transport::Brokers;
use xiangqi::{Color, Position};

/// How long each measurement takes, after a second of warming up.
const MEASURE: Duration = Duration::from_secs(20);
const EVERY: Duration = Duration::from_secs(1);

/// Microseconds on the one clock of this process.
fn now_us(origin: Instant) -> u64 {
    u64::try_from(origin.elapsed().as_micros()).unwrap_or(u64::MAX)
}

struct Mosquitto {
    port: u16,
    child: Child,
}

impl Mosquitto {
    fn start(directory: &Path) -> Option<Mosquitto> {
        let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let config = directory.join("mosquitto.conf");
        let limits = "max_queued_messages 0\nmax_inflight_messages 1000\nset_tcp_nodelay true";
        fs::write(&config, format!("listener {port} 127.0.0.1\nallow_anonymous true\n{limits}\n")).ok()?;
        let child = ["mosquitto", "/usr/sbin/mosquitto"].iter().find_map(|program| {
            let mut command = Command::new(program);
            command.arg("-c").arg(&config).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
        })?;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            thread::sleep(Duration::from_millis(20));
        }
        Some(Mosquitto { port, child })
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Collects how old each press is when it arrives.
fn subscribe(port: u16, topic: &'static str, origin: Instant, ages: Ages) {
    // An id of its own: with the id of an earlier subscriber, the two would throw each other out for ever.
    let mut options = MqttOptions::new(format!("subscriber-{}", now_us(origin)), "127.0.0.1", port);
    options.set_max_packet_size(1 << 20, 1 << 20);
    let (client, mut connection) = Client::new(options, 64);
    client.subscribe(topic, QoS::AtLeastOnce).expect("queued");
    thread::spawn(move || {
        let _client = client;
        for event in connection.iter() {
            let Ok(Event::Incoming(Packet::Publish(publish))) = event else { continue };
            let arrived = now_us(origin);
            let pressed = match serde_json::from_slice::<Line>(&publish.payload) {
                Ok(line) => match line.record {
                    Record::Press { us, .. } => us,
                    _ => continue,
                },
                Err(_) => match String::from_utf8_lossy(&publish.payload).trim().parse() {
                    Ok(us) => us,
                    Err(_) => continue,
                },
            };
            ages.lock().expect("nobody panics").push((pressed, arrived.saturating_sub(pressed)));
        }
    });
}

/// When each press happened, and how old it was then, in microseconds.
type Ages = Arc<Mutex<Vec<(u64, u64)>>>;

/// A disk that notes how old each press is when it has been synced.
#[derive(Clone)]
struct TimedDisk {
    disk: FileDisk,
    origin: Instant,
    /// Presses that were appended and not synced.
    appended: Arc<Mutex<Vec<u64>>>,
    ages: Ages,
}

impl Disk for TimedDisk {
    fn list(&self) -> io::Result<Vec<String>> {
        self.disk.list()
    }

    fn len(&self, name: &str) -> io::Result<u64> {
        self.disk.len(name)
    }

    fn read_at(&self, name: &str, at: u64, max: usize) -> io::Result<Vec<u8>> {
        self.disk.read_at(name, at, max)
    }

    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let lines = bytes.split(|byte| *byte == b'\n');
        let presses = lines.filter_map(|line| match serde_json::from_slice::<Line>(line).ok()?.record {
            Record::Press { us, .. } => Some(us),
            _ => None,
        });
        self.appended.lock().expect("nobody panics").extend(presses);
        self.disk.append(name, bytes)
    }

    fn sync(&self, name: &str) -> io::Result<()> {
        self.disk.sync(name)?;
        let now = now_us(self.origin);
        let synced = self.appended.lock().expect("nobody panics").split_off(0);
        let ages = synced.into_iter().map(|us| (us, now.saturating_sub(us)));
        self.ages.lock().expect("nobody panics").extend(ages);
        Ok(())
    }

    fn is_in_place(&self, name: &str) -> io::Result<()> {
        self.disk.is_in_place(name)
    }

    fn put_back(&self, name: &str, len: u64) -> io::Result<()> {
        self.disk.put_back(name, len)
    }

    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        self.disk.truncate(name, len)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.disk.remove(name)
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.disk.replace(name, bytes)
    }
}

/// A board on which somebody presses once a second.
struct Presses {
    origin: Instant,
    next: Instant,
    begun: bool,
}

impl Source for Presses {
    fn start(&mut self, _: Uptime, _: Option<GoingOn>) {}

    fn next(&mut self, _: Option<Uptime>) -> Sensing {
        let now = Uptime::from_us(now_us(self.origin));
        if !std::mem::replace(&mut self.begun, true) {
            return Sensing::Game(Box::new(GameHeader {
                us: now.as_us(),
                ..GameHeader::new("bench", Position::initial(), "cxa-2010")
            }));
        }
        if let Some(wait) = self.next.checked_duration_since(Instant::now()) {
            thread::sleep(wait.min(Duration::from_millis(50)));
            return Sensing::Quiet(Uptime::from_us(now_us(self.origin)));
        }
        self.next += EVERY;
        let at = Uptime::from_us(now_us(self.origin));
        Sensing::Observed(Observation { at, sensed: Sensed::Press(Color::Red) })
    }
}

/// Each board's first press, spread over a second as in a hall.
fn first(board: u32, boards: u32) -> Instant {
    Instant::now() + EVERY + EVERY * board / boards
}

/// Until a subscriber has it, and until it is on disk.
fn shipped(boards: u32, port: u16, directory: &Path, origin: Instant) -> [Vec<u64>; 2] {
    let (ages, on_disk) = (Ages::default(), Ages::default());
    subscribe(port, "luozi/v1/board/+/record", origin, Arc::clone(&ages));
    let (stop, stopped) = watch::channel(false);
    let daemons: Vec<_> = (0..boards)
        .map(|number| {
            let board = format!("b{number}");
            let disk = FileDisk::open(&directory.join(&board)).expect("a directory");
            let (appended, ages) = (Arc::default(), Arc::clone(&on_disk));
            let disk = TimedDisk { disk, origin, appended, ages };
            let brokers = Some(Brokers::plain("127.0.0.1", port));
            let config = Config {
                board,
                renamed: false,
                camera: None,
                brokers,
                arbiters: Arbiters::default(),
                boot: String::new(),
                key: None,
            };
            let source = Presses { origin, next: first(number, boards), begun: false };
            let stopped = stopped.clone();
            thread::spawn(move || boardd::run(disk, source, &config, stopped).expect("it runs"))
        })
        .collect();
    let ages = measure(origin, [&ages, &on_disk]);
    stop.send_replace(true);
    daemons.into_iter().for_each(|daemon| daemon.join().expect("it ends"));
    ages
}

/// The floor: every board appends a line of the same length to its own file, syncs, and publishes through a client of its
/// own.
fn floor(boards: u32, port: u16, directory: &Path, origin: Instant) -> Vec<u64> {
    let ages = Ages::default();
    subscribe(port, "floor/+", origin, Arc::clone(&ages));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    let (stop, stopped) = watch::channel(false);
    let writers: Vec<_> = (0..boards)
        .map(|number| {
            let mut options = MqttOptions::new(format!("floor-{number}"), "127.0.0.1", port);
            options.set_keep_alive(Duration::from_secs(5));
            let (client, mut events) = AsyncClient::new(options, 64);
            runtime.spawn(async move { while events.poll().await.is_ok() {} });
            let mut file = File::create(directory.join(format!("floor-{number}"))).expect("a file");
            let mut next = first(number, boards);
            let stopped = stopped.clone();
            thread::spawn(move || {
                while !*stopped.borrow() {
                    thread::sleep(next.saturating_duration_since(Instant::now()));
                    next += EVERY;
                    let us = now_us(origin);
                    let line = format!("{us:<260}\n");
                    file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).expect("a disk");
                    client
                        .try_publish(format!("floor/{number}"), QoS::AtLeastOnce, false, line)
                        .expect("room");
                }
            })
        })
        .collect();
    let [ages] = measure(origin, [&ages]);
    stop.send_replace(true);
    writers.into_iter().for_each(|writer| writer.join().expect("it ends"));
    ages
}

/// The ages of what was pressed during the measurement, sorted.
fn measure<const N: usize>(origin: Instant, all: [&Ages; N]) -> [Vec<u64>; N] {
    thread::sleep(3 * EVERY);
    let from = now_us(origin);
    thread::sleep(MEASURE);
    let to = now_us(origin);
    thread::sleep(2 * EVERY);
    all.map(|ages| {
        let ages = ages.lock().expect("nobody panics");
        let during = ages.iter().filter(|(pressed, _)| (from..to).contains(pressed));
        let mut ages: Vec<u64> = during.map(|(_, age)| *age).collect();
        ages.sort_unstable();
        ages
    })
}

fn percentile(sorted: &[u64], percent: usize) -> f64 {
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).map_or(f64::NAN, |us| *us as f64 / 1000.0)
}

fn both(sorted: &[u64]) -> String {
    format!("{:.1} / {:.1}", percentile(sorted, 50), percentile(sorted, 99))
}

fn main() {
    let mut boards: Vec<u32> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    if boards.is_empty() {
        boards = vec![1, 100];
    }
    let directory = tempfile::tempdir().expect("a directory");
    let Some(mosquitto) = Mosquitto::start(directory.path()) else {
        println!("skipped: mosquitto is not installed (apt-get install mosquitto)");
        return;
    };
    let origin = Instant::now();
    println!("load before: {}", fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    println!("| boards | presses | floor p50/p99 ms | on disk p50/p99 ms | board p50/p99 ms | p99 ratio |");
    println!("|---|---|---|---|---|---|");
    let mut all_arrived = true;
    for boards in boards {
        let own = directory.path().join(boards.to_string());
        fs::create_dir_all(&own).expect("a directory");
        let floor = floor(boards, mosquitto.port, &own, origin);
        let [board, on_disk] = shipped(boards, mosquitto.port, &own, origin);
        let expected = boards as usize * 20;
        println!(
            "| {boards} | {} of {expected} | {} | {} | {} | {:.2} |",
            board.len(),
            both(&floor),
            both(&on_disk),
            both(&board),
            percentile(&board, 99) / percentile(&floor, 99)
        );
        // Those of the last moments may still be on their way.
        all_arrived &= board.len() >= expected * 9 / 10;
    }
    assert!(all_arrived, "presses are missing: this machine is too slow for so many boards");
}
