//! `luozi calibrate` measures a simulated board, and the profile that it writes is what its reeds need.

use std::path::Path;
use std::process::{Command, Output};

use calibration::BoardProfile;

const BEFORE: &str = "board = \"table-4\"\nvariant = \"direct\"\nturned = true\nchatter_us = 600000\n\
    [camera]\ncorners = [[1, 2.5], [900, 3], [890, 800], [4, 799]]\nstart = [\"a 1.png\"]\n";

fn calibrate(folder: &Path, arguments: &[&str]) -> Output {
    let before = folder.join("before.toml");
    std::fs::write(&before, BEFORE).expect("writable");
    Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(["calibrate", "--simulated", "--json"])
        .args(arguments)
        .arg("--profile")
        .arg(before)
        .arg("--out")
        .arg(folder.join("board.toml"))
        .output()
        .expect("the binary runs")
}

/// The profile of a board, and the longest pause within a bounce that was measured anywhere.
fn check(arguments: &[&str]) -> (BoardProfile, u64) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let output = calibrate(folder.path(), arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.path().join("board.toml")).expect("a profile");
    let profile = BoardProfile::from_toml(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let before = BoardProfile::from_toml(BEFORE).expect("a sound profile");
    assert_eq!(
        (&profile.board, profile.variant, profile.turned, profile.chatter_us, &profile.camera),
        (&before.board, before.variant, before.turned, before.chatter_us, &before.camera)
    );
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let points: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    assert_eq!(points.len(), 90);
    let pauses = points.iter().flat_map(|point| {
        let all = ["closing", "opening"].map(|way| point[way].as_array().expect("operations").clone());
        all.concat().into_iter().map(|operation| operation["pause_us"].as_u64().expect("microseconds"))
    });
    (profile, pauses.max().unwrap_or(0))
}

#[test]
fn sound_reeds_keep_the_usual_profile() {
    let (profile, pause_us) = check(&[]);
    assert_eq!((profile.settle_us, profile.masked.len()), (5_000, 0));
    assert!((1..=3_000).contains(&pause_us), "{pause_us}");
}

#[test]
fn reeds_that_bounce_longer_get_the_time_that_they_need() {
    let mut longest = 0;
    for seed in ["1", "2", "3"] {
        let (profile, pause_us) = check(&["--bounce", "14000", "--seed", seed]);
        assert!(pause_us > 3_000, "seed {seed}: some reed pauses for {pause_us}");
        assert!((5_500..=15_000).contains(&profile.settle_us), "seed {seed}: {}", profile.settle_us);
        longest = longest.max(profile.settle_us);
    }
    assert!(longest >= 8_000, "{longest}");
}

#[test]
fn single_broken_points_are_masked() {
    let (profile, _) = check(&["--fault", "open:e4", "--fault", "chatter:h8"]);
    let masked: Vec<String> = profile.masked.iter().map(ToString::to_string).collect();
    assert_eq!(masked, ["e4", "h8"]);
}

#[test]
fn a_board_that_needs_repair_gets_no_profile() {
    let refused = |faults: &[&str], named: &str| {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let faults: Vec<&str> = faults.iter().flat_map(|fault| ["--fault", fault]).collect();
        let output = calibrate(folder.path(), &faults);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(named), "{said}");
        assert!(!folder.path().join("board.toml").exists());
    };
    refused(&["row-open:3"], "row wire 3");
    refused(&["open:a0", "open:b1", "open:c2", "open:d3", "open:e4"], "open:e4");
}
