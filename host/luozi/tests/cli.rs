//! The command line as other programs rely on it: exit codes, one line on stderr, JSON on stdout.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn luozi(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(args)
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // A command that fails before it reads closes the pipe; that is its right.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("the binary ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Bad use: exit 2, nothing on stdout, one line on stderr that holds `says`.
fn check_refusal(args: &[&str], input: &[u8], says: &str) {
    let output = luozi(args, input);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    assert!(stderr.contains(says), "{args:?}: {stderr}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
}

#[test]
fn bad_use_is_one_line_and_exit_2() {
    check_refusal(&[], b"", "requires a subcommand");
    check_refusal(&["castle"], b"", "castle");
    check_refusal(&["perft"], b"", "--depth");
    check_refusal(&["perft", "--depth", "x"], b"", "--depth");
    check_refusal(&["perft", "--depth", "1", "--fen", "9/9 w"], b"", "rank_count_2_expected_10");
    check_refusal(&["perft", "--depth", "1", "--fen", "9/9/9/9/9/9/9/9/9/9 w"], b"", "king_missing_red");
    check_refusal(&["fen"], b"", "--check");
    check_refusal(&["fen", "--check", "--json"], b"\xff\n", "line 1");
}

#[test]
fn every_command_has_help() {
    for args in [&["--help"][..], &["perft", "--help"], &["fen", "--help"], &["--version"]] {
        let output = luozi(args, b"");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn perft_counts() {
    let output = luozi(&["perft", "--fen", xiangqi::fen::INITIAL, "--depth", "3"], b"");
    assert_eq!(text(&output.stdout), "79666\n");
    let output = luozi(&["perft", "--depth", "2", "--divide"], b"");
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!((lines.len(), lines[44]), (45, "1920"));
    assert!(lines.iter().any(|line| line.starts_with("h2e2: ")));
    let output = luozi(&["perft", "--depth", "2", "--divide", "--json"], b"");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["nodes"], 1920);
    let sum: u64 =
        report["divide"].as_array().unwrap().iter().map(|branch| branch["nodes"].as_u64().unwrap()).sum();
    assert_eq!(sum, 1920);
}

#[test]
fn fen_check_answers_every_line() {
    let good = xiangqi::fen::INITIAL;
    let short = good.split(" -").next().unwrap();
    let bad = good.replace('k', "1");
    let output = luozi(&["fen", "--check", "--json"], format!("{short}\n{bad}\n\n").as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let rows: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows[0], serde_json::json!({"fen": short, "ok": true, "canonical": good}));
    assert_eq!(rows[1], serde_json::json!({"fen": bad, "ok": false, "reasons": ["king_missing_black"]}));
    assert_eq!(rows[2], serde_json::json!({"fen": "", "ok": false, "reasons": ["empty"]}));
    assert_eq!(luozi(&["fen", "--check", "--json"], good.as_bytes()).status.code(), Some(0));
}
