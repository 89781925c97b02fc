//! A disk that is full while a game goes on: the board plays on, the arbiters see it, and when there is room again everything
//! is written and sent.

mod running;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use running::{Follower, Mosquitto, Running, free_port, journal, moves, until};
use serde_json::Value;

/// A board whose files cannot grow beyond so many bytes, as on a disk that is full.
fn board_with_room_for(bytes: u64, arguments: &[&str]) -> Running {
    let limited = format!("trap '' XFSZ; ulimit -S -f {}; exec \"$@\"", bytes / 512);
    let mut command = Command::new("sh");
    command.args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_luozi")]).args(arguments);
    let quiet =
        command.env("RUST_LOG", "error").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Running(quiet.spawn().expect("a shell"))
}

fn can_make_room() -> bool {
    let is_there = Command::new("prlimit").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        println!("skipped: prlimit is not installed (apt-get install util-linux)");
    }
    is_there
}

/// There is room again.
fn make_room(board: &Running) -> bool {
    let id = board.0.id().to_string();
    Command::new("prlimit")
        .args(["--pid", &id, "--fsize=unlimited:"])
        .status()
        .is_ok_and(|status| status.success())
}

/// A request of an arbiter's browser: what comes back with 200.
fn exchange(pages: u16, head: &str, body: &str) -> Option<String> {
    let mut socket = TcpStream::connect(("127.0.0.1", pages)).ok()?;
    let length = body.len();
    write!(socket, "{head}Host: hall\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").ok()?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).ok()?;
    answer.starts_with("HTTP/1.1 2").then_some(answer)
}

/// The arbiter console of a hall server, to which somebody has signed in.
struct Console {
    pages: u16,
    cookie: String,
    _venue: Running,
}

impl Console {
    fn open(directory: &Path, broker: &str) -> Console {
        let path = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
        let pages = free_port();
        let listen = format!("127.0.0.1:{pages}");
        let arguments =
            ["venue", "--listen", &listen, "--broker", broker, "--accounts", &path("accounts.json")];
        let venue = Running::logging(&arguments, &path("venue.log"));
        let code = until("the code of the first account", || {
            let log = fs::read_to_string(path("venue.log")).ok()?;
            Some(log.split("enter the code ").nth(1)?.get(..10)?.to_owned())
        });
        let body = format!(r#"{{"code":"{code}","name":"li","password":"the password of an arbiter"}}"#);
        let head = "POST /api/v1/arbiter/setup HTTP/1.1\r\nContent-Type: application/json\r\n";
        let answer = until("the console", || exchange(pages, head, &body));
        let cookie = answer.split("set-cookie: ").nth(1).and_then(|rest| rest.split(';').next());
        Console { pages, cookie: cookie.expect("a cookie").to_owned(), _venue: venue }
    }

    /// The board as the console shows it.
    fn board(&self, id: &str) -> Option<Value> {
        let head = format!("GET /api/v1/arbiter/boards HTTP/1.1\r\nCookie: {}\r\n", self.cookie);
        let answer = exchange(self.pages, &head, "")?;
        let boards: Value = serde_json::from_str(answer.split_once("\r\n\r\n")?.1).expect("JSON");
        boards.as_array()?.iter().find(|board| board["board"] == id).cloned()
    }

    fn waits_for(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        until(what, || self.board("b1").filter(&is))
    }
}

#[test]
fn a_full_disk_is_an_alarm_and_no_end() {
    let directory = tempfile::tempdir().expect("a directory");
    let Some(mosquitto) = Mosquitto::start(directory.path()) else { return };
    if !can_make_room() {
        return;
    }
    let (url, data) = (mosquitto.url(), directory.path().join("b1"));
    let console = Console::open(directory.path(), &url);
    let follower = Follower::start("b1", mosquitto.port);
    let arguments = ["board", "--simulated", "--id", "b1", "--speed", "40", "--games", "1", "--seed", "5"];
    let data_text = data.to_str().expect("UTF-8");
    let arguments = [&arguments[..], &["--broker", &url, "--data", data_text]].concat();
    let board = board_with_room_for(24 * 1024, &arguments);
    console.waits_for("a board that plays", |board| board["game"]["ply_count"].as_u64() >= Some(2));

    let failing = console.waits_for("the alarm", |board| board["alarm"].is_string());
    let why = failing["alarm"].as_str().expect("a text");
    assert!(why.starts_with("the journal cannot be written: "), "{why}");
    assert_eq!(failing["online"], true, "{failing}");
    let written = journal(&data).len();
    until("the lines that were written", || (follower.prefix().len() >= written).then_some(()));
    let shown = follower.prefix().len();
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(
        (journal(&data).len(), follower.prefix().len()),
        (written, shown),
        "nothing is sent that is not on disk"
    );

    assert!(make_room(&board), "a limit of our own can be lifted");
    console.waits_for("the end of the alarm", |board| board["alarm"].is_null());
    assert_eq!(board.ends(), 0);
    let lines = journal(&data);
    until("every line", || (follower.prefix().len() == lines.len()).then_some(()));
    assert_eq!(follower.prefix(), lines);
    let records = twin::GameRecord::shipped();
    assert_eq!(moves(&lines), records[5].game.moves(), "what was played meanwhile is there");
    assert!(!lines.iter().any(|line| line.contains(r#""kind":"left_out""#)), "there was room for all of it");
}

/// A damaged journal, and no room for what is to be set aside: the board starts, and all of it waits until there is.
#[test]
fn a_full_disk_with_a_damaged_journal_is_no_reason_not_to_start() {
    if !can_make_room() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path();
    let run = |speed| {
        let data = data.to_str().expect("UTF-8").to_owned();
        let arguments =
            ["board", "--simulated", "--no-broker", "--speed", speed, "--games", "1", "--seed", "5"];
        [arguments.map(str::to_owned).to_vec(), vec!["--data".to_owned(), data]].concat()
    };
    let arguments = run("1000");
    assert_eq!(Running::luozi(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).ends(), 0);
    let path = data.join("journal-000000000001.ndjson");
    let mut damaged = fs::read(&path).expect("the game's file");
    let at = damaged.len() / 2;
    damaged[at] ^= 1;
    fs::write(&path, &damaged).expect("writable");
    let begins = damaged[..at].iter().rposition(|byte| *byte == b'\n').expect("a line before") + 1;

    let arguments = run("40");
    let board = board_with_room_for(4096, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let beginning = |name: &str| -> Option<std::path::PathBuf> {
        let files = fs::read_dir(data).expect("a folder").map(|entry| entry.expect("an entry").path());
        files
            .into_iter()
            .find(|file| file.file_name().is_some_and(|is| is.to_string_lossy().starts_with(name)))
    };
    until("a try to set it aside", || beginning("damaged-"));
    assert_eq!(fs::read(&path).expect("the game's file"), damaged, "nothing is lost meanwhile");
    assert!(make_room(&board), "a limit of our own can be lifted");
    assert_eq!(board.ends(), 0);
    let kept = beginning("damaged-").expect("what was set aside");
    assert_eq!(kept.extension().and_then(|end| end.to_str()), Some("bin"));
    assert_eq!(fs::read(kept).expect("readable"), damaged[begins..]);
    let records = twin::GameRecord::shipped();
    assert_eq!(moves(&journal(data)), records[5].game.moves(), "what was played meanwhile is there");
}
