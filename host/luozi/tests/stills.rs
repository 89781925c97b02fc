//! Stills that an arbiter orders of a board: programs that take one, fail, write rubbish or hang, while play goes on.

mod running;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use referee::{Digest, Line, Record, Still, StillOutcome};
use running::{Mosquitto, Running, journal, moves, until};
use serde_json::Value;

/// A board whose camera is a script.
struct Hall {
    directory: tempfile::TempDir,
    mosquitto: Mosquitto,
}

fn luozi(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_luozi")).args(arguments).env_remove("RUST_LOG").output();
    let output = output.expect("the binary runs");
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).expect("UTF-8"))
}

impl Hall {
    fn open() -> Option<Hall> {
        let directory = tempfile::tempdir().expect("a directory");
        let mosquitto = Mosquitto::start(directory.path())?;
        let hall = Hall { directory, mosquitto };
        let (code, list) = luozi(&["arbiter", "new-key", "li", "Li Wei", &hall.path("li.key")]);
        assert_eq!(code, 0, "{list}");
        fs::write(hall.file("arbiters.toml"), list).expect("a writable directory");
        Some(hall)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.file(name).to_str().expect("UTF-8").to_owned()
    }

    /// What the camera does from now on; `$1` is the file that it is to write.
    fn camera(&self, script: &str) {
        // Put in place whole: the board may run it at any time.
        let new = self.file("camera.new");
        fs::write(&new, format!("#!/bin/sh\n{script}\n")).expect("a writable directory");
        fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).expect("our own file");
        fs::rename(new, self.file("camera.sh")).expect("our own file");
    }

    fn board(&self, profile: &str) -> Running {
        fs::write(self.file("board.toml"), profile).expect("a writable directory");
        let (url, data, arbiters) = (self.mosquitto.url(), self.path("b1"), self.path("arbiters.toml"));
        let profile = self.path("board.toml");
        let play = ["board", "--simulated", "--speed", "5", "--seed", "5", "--profile", &profile];
        let board = Running::luozi(
            &[&play[..], &["--broker", &url, "--data", &data, "--arbiters", &arbiters]].concat(),
        );
        until("a game that goes", || (moves(&self.lines()).len() >= 2).then_some(()));
        // It is refused, and says that the board listens.
        until("a board that listens", || (self.order(&["decline-draw", "red"]).0 == 1).then_some(()));
        board
    }

    fn lines(&self) -> Vec<String> {
        journal(&self.file("b1"))
    }

    fn order(&self, arguments: &[&str]) -> (i32, String) {
        let (url, key) = (self.mosquitto.url(), self.path("li.key"));
        let to = ["arbiter", "--json", "--board", "b1", "--broker", &url, "--key", &key];
        luozi(&[&to[..], arguments].concat())
    }

    fn answer(&self, arguments: &[&str], code: i32) -> Value {
        let (found, stdout) = self.order(arguments);
        assert_eq!(found, code, "{arguments:?}: {stdout}");
        serde_json::from_str(&stdout).expect("a JSON object")
    }

    /// What the journal says of stills.
    fn stills(&self) -> Vec<Still> {
        let records =
            self.lines().into_iter().map(|text| serde_json::from_str::<Line>(&text).expect("a line").record);
        records
            .filter_map(|record| if let Record::Still(still) = record { Some(*still) } else { None })
            .collect()
    }

    /// Orders a still, and what came of it.
    fn still(&self) -> Still {
        let before = self.stills().len();
        let answer = self.answer(&["still", "--reason", "what stands on e4"], 0);
        let still = until("what came of it", || self.stills().get(before).cloned());
        assert_eq!(answer["order"], still.order, "{still:?}");
        assert_eq!((still.name.as_str(), answer["game"].as_str()), ("Li Wei", Some(still.game.as_str())));
        assert!(still.us >= still.ordered_us, "{still:?}");
        still
    }

    fn fails(&self, script: &str, expected: &str) {
        self.camera(script);
        let StillOutcome::Failed { why } = self.still().outcome else { panic!("{script}: a picture") };
        assert!(why.ends_with(expected), "{script}: {why}");
    }

    fn verify(&self) -> (i32, String) {
        luozi(&["journal", "verify", &self.path("b1")])
    }
}

/// A picture as short as they come; nobody looks at more than how it begins.
const PICTURE: &[u8] = b"\xff\xd8\xff\xe0 a board\xff\xd9";

#[test]
fn stills_are_taken_while_play_goes_on() {
    let Some(hall) = Hall::open() else { return };
    fs::write(hall.file("picture.jpg"), PICTURE).expect("a writable directory");
    let (camera, picture) = (hall.path("camera.sh"), hall.path("picture.jpg"));
    let profile = format!("board = \"b1\"\n[camera]\ncommand = [{camera:?}, \"{{file}}\"]\n");
    let board = hall.board(&profile);

    hall.camera(&format!("cp {picture} \"$1\""));
    let still = hall.still();
    let StillOutcome::Taken { file, bytes, sha256 } = &still.outcome else { panic!("{still:?}") };
    assert_eq!((*bytes, *sha256), (PICTURE.len() as u64, Digest::of(PICTURE)));
    assert_eq!(fs::read(hall.file("b1").join(file)).expect("the picture"), PICTURE);
    assert!(still.plies >= 2, "{still:?}");

    hall.fails(
        "echo starting >&2; echo 'no cameras available' >&2; exit 255",
        "exit status: 255: no cameras available",
    );
    hall.fails("echo rubbish > \"$1\"", "what it wrote is no JPEG and no PNG");
    hall.fails("exit 0", "it wrote no picture");
    hall.fails("dd if=/dev/zero of=\"$1\" bs=1M count=9 2>/dev/null", "it wrote more than 8 MiB");

    // One that hangs, with a child of its own, is ended after ten seconds; meanwhile the game and its orders go on.
    hall.camera(&format!("echo $$ > {}; sleep 1000 & wait", hall.path("pid")));
    let before = (hall.stills().len(), moves(&hall.lines()).len());
    hall.answer(&["still"], 0);
    let busy = hall.answer(&["still"], 1);
    assert_eq!((&busy["why"], &busy["seq"]), (&"camera_busy".into(), &Value::Null), "{busy}");
    hall.answer(&["warn", "red", "--reason", "talk"], 0);
    until("the next move", || (moves(&hall.lines()).len() > before.1).then_some(()));
    assert_eq!(hall.stills().len(), before.0, "it hangs still");
    let hung = until("the end of it", || hall.stills().get(before.0).cloned());
    let StillOutcome::Failed { why } = &hung.outcome else { panic!("{hung:?}") };
    assert!(why.ends_with("no picture in 10 s"), "{why}");
    let group = fs::read_to_string(hall.file("pid")).expect("it ran");
    let group = format!("-{}", group.trim());
    until("the end of its child", || {
        let alive = Command::new("kill").args(["-0", "--", &group]).output().expect("kill");
        (!alive.status.success()).then_some(())
    });

    // A board that stops says what became of the still; one that is killed says it when it is back.
    hall.camera("exec sleep 20");
    hall.answer(&["still"], 0);
    board.interrupt();
    assert_eq!(board.ends(), 0);
    let stopped = hall.stills().pop().expect("a still");
    assert!(matches!(&stopped.outcome, StillOutcome::Failed { why } if why.contains("the board stopped")));
    let board = hall.board(&profile);
    hall.answer(&["still"], 0);
    let killed = hall.stills().len();
    board.kill();
    let board = hall.board(&profile);
    let back = until("what came of it", || hall.stills().get(killed).cloned());
    assert!(matches!(&back.outcome, StillOutcome::Failed { why } if why.contains("the board stopped")));
    board.interrupt();
    assert_eq!(board.ends(), 0);

    verify_names_bad_pictures(&hall, file);
}

fn verify_names_bad_pictures(hall: &Hall, file: &str) {
    let kept = hall.file("b1").join(file);
    assert_eq!(hall.verify().0, 0);
    fs::write(&kept, b"\xff\xd8\xff another board").expect("a writable directory");
    let (code, told) = hall.verify();
    assert_eq!((code, told.contains(&format!("{file}: this picture is changed"))), (1, true), "{told}");
    fs::remove_file(&kept).expect("our own file");
    let (code, told) = hall.verify();
    assert_eq!((code, told.contains(&format!("{file}: this picture is missing"))), (0, true), "{told}");
    assert_eq!(
        luozi(&["journal", "replay", &hall.path("b1")]).0,
        0,
        "pictures are no evidence of the referee's"
    );
}

/// A board without a camera refuses, and the journal holds nothing of it.
#[test]
fn without_a_camera_the_order_is_refused() {
    let Some(hall) = Hall::open() else { return };
    let _board = hall.board("board = \"b1\"\n");
    let refused = hall.answer(&["still", "--reason", "what stands on e4"], 1);
    assert_eq!((&refused["why"], &refused["seq"]), (&"no_camera".into(), &Value::Null), "{refused}");
    assert!(!hall.lines().iter().any(|line| line.contains("\"still\"")));
}

/// A command that cannot name the file is refused before a game is at stake.
#[test]
fn a_command_without_its_file_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let profile = directory.path().join("board.toml");
    fs::write(&profile, "board = \"b1\"\n[camera]\ncommand = [\"rpicam-still\"]\n")
        .expect("a writable directory");
    let profile = profile.to_str().expect("UTF-8");
    let output = Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(["board", "--simulated", "--no-broker", "--profile", profile])
        .output()
        .expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("[camera] command: expected a program and its arguments, {file} among them"),
        "{told}"
    );
}
