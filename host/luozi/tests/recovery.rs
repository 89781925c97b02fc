//! A board that is killed at any moment, and goes on.

mod running;

use std::process::Command;
use std::thread;
use std::time::Duration;

use running::{Running, journal, moves, until};
use twin::GameRecord;

/// Seeded, so that a failure can be looked at again; the moments are real time all the same.
fn moments(seed: u64) -> impl Iterator<Item = Duration> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis(150 + (state >> 33) % 900)
    })
}

fn verify(directory: &str) {
    let verified = Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(["journal", "verify", directory])
        .output()
        .expect("the binary runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
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
