//! A board that is killed at any moment, and goes on.

mod running;

use std::fs;

use std::process::Command;
use std::thread;
use std::time::Duration;

use running::{Running, journal, moves, moves_of, until};
use twin::GameRecord;

/// Seeded, so that a failure can be looked at again; the moments are real time all the same.
fn moments(seed: u64) -> impl Iterator<Item = Duration> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis(150 + (state >> 33) % 900)
    })
}

fn verify(directory: &str) -> String {
    let verified = Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(["journal", "verify", directory])
        .output()
        .expect("the binary runs");
    let said = String::from_utf8(verified.stdout).expect("UTF-8");
    assert!(verified.status.success(), "{said}");
    said
}

/// Plays a game, or goes on with it, and gives what was logged.
fn plays(data: &str) -> String {
    let mut board = Command::new(env!("CARGO_BIN_EXE_luozi"));
    board.args(["board", "--simulated", "--no-broker", "--speed", "1000", "--games", "1", "--data", data]);
    let played = board.env("RUST_LOG", "warn").output().expect("the binary runs");
    assert_eq!(played.status.code(), Some(0));
    String::from_utf8(played.stderr).expect("UTF-8")
}

/// A byte in the middle of a journal was changed: the board says where, keeps what follows, and goes on from the last good line.
/// A last line that lost its end is cut, said, and kept.
#[test]
fn of_a_changed_journal_and_a_torn_one_the_good_part_stays() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().to_str().expect("UTF-8");
    plays(data);
    let name = "journal-000000000001.ndjson";
    let path = directory.path().join(name);
    let whole = fs::read(&path).expect("the game's segment");
    let middle = whole.len() / 2;
    let line = 1 + whole[..middle].iter().filter(|byte| **byte == b'\n').count();
    let mut changed = whole.clone();
    changed[middle] ^= 1;
    fs::write(&path, &changed).expect("a writable directory");
    let said = plays(data);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains(&format!("{name}, line {line}")) && said.contains("set aside"), "{said}");
    let kept =
        fs::read(directory.path().join(format!("damaged-{line:012}.bin"))).expect("what was set aside");
    let good = whole[..middle].iter().rposition(|byte| *byte == b'\n').expect("a line before") + 1;
    assert_eq!(kept, changed[good..]);
    assert!(fs::read(&path).expect("the game's segment").starts_with(&whole[..good]));
    verify(data);

    fs::write(&path, &whole[..whole.len() - 20]).expect("a writable directory");
    let said = plays(data);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("a torn end was cut off") && said.contains(name), "{said}");
    verify(data);
}

/// Whole lines are gone that a broker has had. No file holds them, and none is said to.
#[test]
fn of_lines_that_are_gone_it_is_said_that_they_are() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().to_str().expect("UTF-8");
    plays(data);
    let path = directory.path().join("journal-000000000001.ndjson");
    let whole = fs::read(&path).expect("the game's segment");
    let ends: Vec<usize> =
        whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    let kept = ends.len() / 2;
    fs::write(&path, &whole[..ends[kept - 1]]).expect("a writable directory");
    fs::write(directory.path().join("relay-acknowledged"), ends.len().to_string()).expect("writable");
    let said = plays(data);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("records that a broker has had are gone") && !said.contains("damaged"), "{said}");
    let said = verify(data);
    assert!(said.contains(&format!("damaged-{:012}.bin: is empty", kept + 1)), "{said}");
}

/// `kill -9` again and again: the journal verifies each time, no committed move is lost, and the game that was going on
/// is played to its end as if nothing had happened.
#[test]
fn a_killed_board_goes_on_where_it_was() {
    let records = GameRecord::shipped();
    for seed in [3, 11] {
        let directory = tempfile::tempdir().expect("a directory");
        let data = directory.path().to_str().expect("UTF-8");
        let seed_text = seed.to_string();
        let arguments = ["board", "--simulated", "--no-broker", "--speed", "100", "--games", "1"];
        let arguments = [&arguments[..], &["--seed", &seed_text, "--data", data]].concat();
        let mut committed = 0;
        let mut kills = 0;
        for moment in moments(seed).take(6) {
            let mut board = Running::luozi(&arguments);
            let before = journal(directory.path()).len();
            until("the board to write", || {
                (journal(directory.path()).len() > before || board.has_ended().is_some()).then_some(())
            });
            thread::sleep(moment);
            if board.has_ended().is_some() {
                break;
            }
            // What can be read now has been written; what the board had committed is among it.
            let stands = moves(&journal(directory.path()));
            board.kill();
            kills += 1;
            assert!(
                stands.len() >= committed,
                "seed {seed}: {} moves stand, {committed} were there",
                stands.len()
            );
            committed = stands.len();
        }
        assert!(kills >= 2, "seed {seed}: the game was over too soon");
        assert_eq!(Running::luozi(&arguments).ends(), 0);
        verify(data);
        let lines = journal(directory.path());
        let played = moves(&lines);
        let record = &records[seed as usize % records.len()];
        assert_eq!(played, record.game.moves(), "seed {seed}: {} kills", kills);
        assert_eq!(lines.iter().filter(|line| line.contains(r#""kind":"game""#)).count(), 1);
    }
}

/// Games of which some are cleared away, or set up again, when they are over: each has its moves, one result, and nothing that
/// hands do afterwards counts as play.
#[test]
fn a_finished_game_is_settled_before_the_pieces_are_cleared() {
    let records = GameRecord::shipped();
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().to_str().expect("UTF-8");
    let arguments =
        ["board", "--simulated", "--no-broker", "--speed", "1000", "--games", "12", "--seed", "0"];
    assert_eq!(Running::luozi(&[&arguments[..], &["--data", data]].concat()).ends(), 0);
    let lines = journal(directory.path());
    let begins = |line: &String| line.contains(r#""kind":"game""#);
    let mut cleared = 0;
    for (game, record) in lines[1..].chunk_by(|_, next| !begins(next)).zip(&records) {
        let over = game.iter().position(|line| line.contains(r#""event":"result""#));
        let over = over.unwrap_or_else(|| panic!("{}: no result", record.id));
        assert!(game[over].contains(&format!(r#""score":"{}""#, record.result)), "{}", game[over]);
        let incidents =
            |lines: &[String]| lines.iter().filter(|line| line.contains(r#""event":"incident""#)).count();
        assert_eq!(incidents(&game[over..]), 0, "{}", record.id);
        assert!(!game.iter().any(|line| line.contains("displaced")), "{}", record.id);
        cleared += usize::from(game[over..].iter().any(|line| line.contains(r#""kind":"closed""#)));
        let played: Vec<_> = moves_of(game);
        assert_eq!(played, record.game.moves(), "{}", record.id);
    }
    assert!(cleared > 1, "some boards are cleared");
}
