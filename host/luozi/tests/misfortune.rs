//! What befalls a board in a hall while it plays: its folder is renamed or removed, its journal is damaged while it is off, another
//! board has its id. It plays on, says so, and its record is whole in the end.

mod running;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use referee::relay::{Alarm, Status};
use running::{Follower, Mosquitto, Running, journal, moves, until};

/// A hall with a broker, in which `b1` plays.
struct Hall {
    directory: tempfile::TempDir,
    broker: Mosquitto,
    follower: Follower,
}

impl Hall {
    fn open(follow: fn(&str, u16) -> Follower) -> Option<Hall> {
        let directory = tempfile::tempdir().expect("a directory");
        let broker = Mosquitto::start(directory.path())?;
        let follower = follow("b1", broker.port);
        Some(Hall { directory, broker, follower })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A board that plays a game of its own, and logs to `<data>.log`.
    fn board(&self, data: &str, speed: &str) -> Running {
        self.games(data, speed, "1")
    }

    fn games(&self, data: &str, speed: &str, games: &str) -> Running {
        let (data, log) = (self.path(data), self.path(&format!("{data}.log")));
        let arguments = ["board", "--simulated", "--id", "b1", "--games", games, "--seed", "5"];
        let (url, data) = (self.broker.url(), data.to_str().expect("UTF-8"));
        let more = ["--speed", speed, "--broker", &url, "--data", data];
        Running::logging(&[&arguments[..], &more].concat(), log.to_str().expect("UTF-8"))
    }

    /// The lines of a board's log at that level.
    fn log(&self, data: &str, level: &str) -> Vec<String> {
        let log = fs::read_to_string(self.path(&format!("{data}.log"))).expect("a log");
        let of_level = |line: &&str| line.split_whitespace().nth(1) == Some(level);
        log.lines().filter(of_level).map(str::to_owned).collect()
    }

    /// What the last status says is wrong.
    fn alarms(&self) -> Option<Vec<Alarm>> {
        let last = self.follower.look(|seen| seen.statuses.last().cloned())?;
        let status: Status = serde_json::from_str(&last).expect("a status");
        Some(status.alarms).filter(|_| status.online)
    }

    fn waits_for(&self, what: &str, is: impl Fn(&[Alarm]) -> bool) -> Vec<Alarm> {
        until(what, || self.alarms().filter(|alarms| is(alarms)))
    }

    fn waits_for_lines(&self, lines: usize) {
        until("a board that plays", || (self.follower.prefix().len() >= lines).then_some(()));
    }

    /// The whole journal is with the follower, and what was played is in it.
    fn all_is_there(&self, data: &Path) {
        let lines = journal(data);
        until("every line", || (self.follower.prefix().len() == lines.len()).then_some(()));
        assert_eq!(self.follower.prefix(), lines);
        let records = twin::GameRecord::shipped();
        assert_eq!(moves(&lines), records[5].game.moves(), "what was played meanwhile is there");
    }
}

/// What `luozi journal verify` says of a journal, with the key that is in its folder or was.
fn verify(data: &Path) -> (bool, String) {
    let verify = Command::new(env!("CARGO_BIN_EXE_luozi")).args(["journal", "verify"]).arg(data).output();
    let verify = verify.expect("the binary runs");
    (verify.status.success(), String::from_utf8(verify.stdout).expect("UTF-8"))
}

fn is_moved(alarms: &[Alarm]) -> bool {
    alarms.iter().any(|alarm| matches!(alarm, Alarm::JournalMoved { .. }))
}

#[test]
fn a_folder_that_is_renamed_and_comes_back() {
    let Some(hall) = Hall::open(Follower::start) else { return };
    let (data, away) = (hall.path("b1"), hall.path("elsewhere"));
    let board = hall.board("b1", "20");
    hall.waits_for_lines(20);
    fs::rename(&data, &away).expect("a folder");
    hall.waits_for("the alarm", is_moved);
    let (written, shown) = (journal(&away).len(), hall.follower.prefix().len());
    assert!(shown <= written, "{shown} lines are shown of {written}");
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(hall.follower.prefix().len(), shown, "nothing is sent that is not in its place");
    assert!(!data.exists(), "nothing stands in the way of the folder");
    fs::rename(&away, &data).expect("a folder");
    hall.waits_for("the end of the alarm", <[Alarm]>::is_empty);
    assert_eq!(board.ends(), 0);
    hall.all_is_there(&data);
    assert!(verify(&data).0, "{:?}", verify(&data));
    assert_eq!(hall.log("b1", "ERROR").len(), 1, "{:?}", hall.log("b1", "ERROR"));
}

/// The lines of a time without a broker are to be sent from a folder that is away. It is one thing that is wrong, told once.
#[test]
fn a_folder_that_is_away_is_told_once() {
    let Some(mut hall) = Hall::open(Follower::start) else { return };
    let (data, away) = (hall.path("b1"), hall.path("elsewhere"));
    let board = hall.board("b1", "20");
    hall.waits_for_lines(10);
    hall.broker = hall.broker.away_during(|| {
        let before = journal(&data).len();
        until("lines that nobody has", || (journal(&data).len() > before + 20).then_some(()));
        fs::rename(&data, &away).expect("a folder");
    });
    hall.waits_for("the alarm", is_moved);
    std::thread::sleep(Duration::from_secs(3));
    assert!(matches!(hall.alarms().as_deref(), Some([Alarm::JournalMoved { .. }])), "{:?}", hall.alarms());
    fs::rename(&away, &data).expect("a folder");
    hall.waits_for("the end of the alarm", <[Alarm]>::is_empty);
    assert_eq!(board.ends(), 0);
    hall.all_is_there(&data);
    assert_eq!(hall.log("b1", "ERROR").len(), 1, "{:#?}", hall.log("b1", "ERROR"));
}

#[test]
fn a_folder_that_does_not_come_back() {
    let Some(hall) = Hall::open(Follower::start) else { return };
    let data = hall.path("b1");
    let board = hall.board("b1", "10");
    hall.waits_for_lines(20);
    let key = fs::read_to_string(data.join("board.key")).expect("a key");
    fs::remove_dir_all(&data).expect("a folder");
    hall.waits_for("the alarm", is_moved);
    until("the new folder", || data.exists().then_some(()));
    hall.waits_for("the end of the alarm", |alarms| !is_moved(alarms));
    assert!(
        matches!(hall.alarms().as_deref(), Some([Alarm::JournalBegunAnew { .. }])),
        "{:?}",
        hall.alarms()
    );
    assert_eq!(board.ends(), 0);
    // The game is whole in a file that verifies by itself; with the lines before it the whole journal does.
    let file = fs::read_dir(&data).expect("a folder").map(|entry| entry.expect("an entry").path());
    let file =
        file.filter(|file| boardd::segment_seq(&file.file_name().unwrap().to_string_lossy()).is_some());
    let [file] = &file.collect::<Vec<_>>()[..] else { panic!("one file") };
    assert!(verify(file).0, "{:?}", verify(file));
    assert!(!verify(&data).0, "the lines before the game are missed");
    assert_eq!(fs::read_to_string(data.join("board.key")).expect("a key"), key);
    let lines = journal(&data);
    until("every line", || hall.follower.prefix().ends_with(&lines).then_some(()));
    let before = hall.follower.prefix().len() - lines.len();
    let whole: String = hall.follower.prefix()[..before].iter().map(|line| format!("{line}\n")).collect();
    fs::write(data.join(boardd::segment_name(0)), whole).expect("writable");
    assert!(verify(&data).0, "{:?}", verify(&data));
    hall.all_is_there(&data);
}

#[test]
fn a_board_that_stops_while_its_folder_is_away() {
    let Some(hall) = Hall::open(Follower::start) else { return };
    let (data, away) = (hall.path("b1"), hall.path("elsewhere"));
    let board = hall.board("b1", "10");
    hall.waits_for_lines(20);
    fs::rename(&data, &away).expect("a folder");
    hall.waits_for("the alarm", is_moved);
    let written = journal(&away).len();
    // Longer than a board that stops tries a disk.
    std::thread::sleep(Duration::from_secs(4));
    board.interrupt();
    assert_eq!(board.ends(), 0);
    // What is in the new folder goes behind what is in the old one, and the game's file is there twice.
    let lines = journal(&data);
    assert!(lines.len() > written, "{} of more than {written} lines", lines.len());
    for file in fs::read_dir(&data).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if boardd::segment_seq(&file.file_name().unwrap().to_string_lossy()).is_some() {
            fs::copy(&file, away.join(file.file_name().unwrap())).expect("writable");
        }
    }
    assert!(verify(&away).0, "{:?}", verify(&away));
    until("every line", || (hall.follower.prefix() == journal(&away)).then_some(()));
    let errors = hall.log("b1", "ERROR");
    assert!(!errors.iter().any(|line| line.contains("stopped with")), "{errors:#?}");
}

#[test]
fn a_damaged_journal_is_no_reason_to_stop() {
    let Some(hall) = Hall::open(Follower::of_status) else { return };
    let data = hall.path("b1");
    let board = hall.board("b1", "40");
    until("a game", || (journal(&data).len() >= 60).then_some(()));
    board.kill();
    let file = fs::read_dir(&data).expect("a folder").map(|entry| entry.expect("an entry").path());
    let file =
        file.filter(|file| file.extension().is_some_and(|end| end == "ndjson")).max().expect("a segment");
    let mut bytes = fs::read(&file).expect("lines");
    let at = bytes.len() * 2 / 3;
    bytes[at..at + 40].fill(0);
    fs::write(&file, &bytes).expect("writable");
    let (good, said) = verify(&data);
    assert!(!good && said.contains("are good"), "{said}");

    let again = hall.board("b1", "40");
    let alarms = hall.waits_for("the alarm", |alarms| !alarms.is_empty());
    let [Alarm::JournalSetAside { file: kept, .. }] = &alarms[..] else { panic!("{alarms:?}") };
    let kept_in = data.join(kept);
    let kept = fs::read(&kept_in).expect("what was set aside");
    assert!(bytes.ends_with(&kept) && kept.len() > bytes.len() / 4, "{} of {}", kept.len(), bytes.len());
    assert_eq!(again.ends(), 0);
    assert!(verify(&data).0, "{:?}", verify(&data));
    let lines = journal(&data);
    assert!(lines.iter().any(|line| line.contains(r#""kind":"set_aside""#)), "the journal says it");
    let (_, said) = verify(&data);
    assert!(said.contains(": holds records that were damaged and were set aside"), "{said}");
    fs::write(&kept_in, "other").expect("writable");
    assert!(!verify(&data).0, "what was set aside is evidence");
}

/// The broker is away while a game ends, and the file of that game cannot be read when the broker is back.
#[test]
fn a_journal_that_cannot_be_read_is_no_outage() {
    let Some(mut hall) = Hall::open(Follower::start) else { return };
    let (data, elsewhere) = (hall.path("b1"), hall.path("elsewhere"));
    let board = hall.games("b1", "60", "3");
    let segments = || {
        let entries = fs::read_dir(&data).into_iter().flatten().map(|entry| entry.expect("an entry").path());
        let mut all: Vec<PathBuf> =
            entries.filter(|file| file.extension().is_some_and(|ending| ending == "ndjson")).collect();
        all.sort();
        all
    };
    hall.waits_for_lines(10);
    let first = segments().pop().expect("the game's file");
    hall.broker = hall.broker.away_during(|| {
        until("the next game", || (segments().len() > 2).then_some(()));
        fs::rename(&first, &elsewhere).expect("a file");
    });
    hall.waits_for("the alarm", |alarms| matches!(alarms, [Alarm::JournalUnreadable { .. }]));
    let before = hall.follower.prefix().len();
    std::thread::sleep(Duration::from_secs(3));
    hall.waits_for("a board that is connected", |alarms| !alarms.is_empty());
    fs::rename(&elsewhere, &first).expect("a file");
    hall.waits_for("the end of the alarm", <[Alarm]>::is_empty);
    assert_eq!(board.ends(), 0);
    let lines = journal(&data);
    until("every line", || (hall.follower.prefix().len() == lines.len()).then_some(()));
    assert!(hall.follower.prefix() == lines && lines.len() > before);
    let told = hall.log("b1", "WARN").into_iter().filter(|line| line.contains("no broker")).count();
    assert_eq!(told, 1, "{:#?}", hall.log("b1", "WARN"));
    assert_eq!(hall.log("b1", "ERROR").len(), 1, "{:#?}", hall.log("b1", "ERROR"));
}

/// Takes some seconds, because a connection is steady after ten.
#[test]
fn two_boards_with_one_id_are_told_so() {
    let Some(hall) = Hall::open(Follower::of_status) else { return };
    let one = hall.board("one", "2");
    hall.waits_for("a board", <[Alarm]>::is_empty);
    let two = hall.board("two", "2");
    let is_taken = |alarms: &[Alarm]| alarms == [Alarm::IdTaken { client: "b1".into() }];
    hall.waits_for("the alarm", is_taken);
    std::thread::sleep(Duration::from_secs(6));
    for data in ["one", "two"] {
        let said = hall.log(data, "ERROR");
        assert_eq!(said.len(), 1, "{said:#?}");
        assert!(said[0].contains("another client is connected as b1: two boards with one id?"), "{said:?}");
        let warned = hall.log(data, "WARN");
        assert!(warned.len() <= 3, "{warned:#?}");
    }
    let statuses = hall.follower.look(|seen| seen.statuses.len());
    std::thread::sleep(Duration::from_secs(6));
    let more = hall.follower.look(|seen| seen.statuses.len()) - statuses;
    assert!(more < 40, "{more} statuses in six seconds");
    two.kill();
    hall.waits_for("the end of the alarm", <[Alarm]>::is_empty);
    drop(one);
}
