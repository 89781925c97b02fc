//! `luozi self-test` finds every fault that a simulated board is given, and names the wire.

use std::process::{Command, Output};

fn self_test(faults: &[&str], seed: u32, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_luozi"));
    command.args(["self-test", "--simulated", "--json", "--seed", &seed.to_string()]).args(more);
    for fault in faults {
        command.args(["--fault", fault]);
    }
    command.output().expect("the binary runs")
}

/// What a board with those faults is said to have, for some seeds.
fn check(faults: &[&str], found: &[&str]) {
    for seed in 1..=2 {
        let output = self_test(faults, seed, &[]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
        let named: Vec<&str> = report["faults"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fault| fault["fault"].as_str().unwrap())
            .collect();
        assert_eq!(named, found, "a board with {faults:?}, seed {seed}: {report}");
        assert_eq!(output.status.code(), Some(i32::from(!found.is_empty())));
    }
}

#[test]
fn a_sound_board_has_ninety_good_points() {
    check(&[], &[]);
    let output = self_test(&[], 1, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["good"], 90);
    assert!((1..=4_000).contains(&report["longest_bounce_us"].as_u64().unwrap()), "{report}");
}

#[test]
fn single_points_are_found() {
    for at in ["a0", "e4", "i9"] {
        for fault in ["open", "closed", "chatter"] {
            let fault = format!("{fault}:{at}");
            check(&[&fault], &[&fault]);
        }
    }
    check(&["swapped:a0,b0"], &["swapped:a0,b0"]);
    check(&["swapped:c3,g8"], &["swapped:c3,g8"]);
    check(&["ghost:e4,e5"], &["ghost:e4,e5"]);
    check(&["ghost:e4,d4"], &["ghost:e4,d4"]);
}

#[test]
fn a_bridged_diode_is_found_where_it_is() {
    for at in ["a0", "c5", "e8", "i9"] {
        let fault = format!("diode:{at}");
        check(&[&fault], &[&fault]);
    }
}

#[test]
fn a_wire_is_named_once_and_not_point_by_point() {
    for fault in [
        "row-open:0",
        "row-open:7",
        "column-open:a",
        "column-open:i",
        "column-high:c",
        "rows-bridged:3,4",
        "rows-bridged:0,9",
        "columns-bridged:c,d",
        "rows-swapped:2,6",
        "columns-swapped:a,i",
    ] {
        check(&[fault], &[fault]);
    }
}

#[test]
fn several_faults_are_told_apart() {
    check(&["open:b3", "chatter:h8", "row-open:5"], &["row-open:5", "open:b3", "chatter:h8"]);
    check(&["closed:e0", "swapped:a1,a2"], &["closed:e0", "swapped:a1,a2"]);
}

#[test]
fn the_report_says_where_to_look_in_either_variant() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.txt");
    let explained = |profile: &str, fault: &str| {
        let path = folder.path().join("board.toml");
        std::fs::write(&path, profile).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_luozi"))
            .args(["self-test", "--simulated", "--fault", fault, "--profile"])
            .arg(path)
            .arg("--report")
            .arg(&report)
            .output()
            .unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        std::fs::read_to_string(&report).unwrap()
    };
    let direct = explained("board = \"a\"\nvariant = \"direct\"\n", "open:b2");
    assert!(direct.contains("row wire 2 (GPIO 4, header pin 7)"), "{direct}");
    assert!(direct.contains("column wire 1 (GPIO 21, header pin 40)"), "{direct}");
    let serial = explained("board = \"a\"\n", "open:b9");
    assert!(serial.contains("row wire 9 (74HC595 U2, output QB)"), "{serial}");
    assert!(serial.contains("column wire 1 (74HC165 U4, input B)"), "{serial}");
}

#[test]
fn a_fault_that_is_none_is_refused() {
    let output = self_test(&["open:z4"], 1, &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("open:z4") && said.contains("expected open:e4"), "{said}");
}
