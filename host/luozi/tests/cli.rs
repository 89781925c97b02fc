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
    check_refusal(&["simulate", "--out", "x", "--count", "0"], b"", "--count");
    check_refusal(&["simulate", "--out", "/dev/null/x"], b"", "/dev/null/x");
    check_refusal(&["simulate", "--out", "x", "--style", "angry"], b"", "expected a style: clean, slides");
    check_refusal(&["notate", "no-such-file"], b"", "no-such-file");
}

#[test]
fn traces_that_tell_no_whole_story_are_refused() {
    let folder = scratch("traces");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("a file");
    let header = r#"{"format":"luozi-trace","version":1,"start":"FEN","scan_hz":1000}"#;
    let good = header.replace("FEN", xiangqi::fen::INITIAL);
    let start = r#"{"us":0,"closed":"3fe00415540000aaa0801ff"}"#;
    let check = |name: &str, text: String, says: &str| {
        write(name, &text);
        check_refusal(&["replay", "--json", &path(name)], b"", &format!("{}: {says}", path(name)));
    };
    check("cut", format!("{good}\n{start}\n{{\"us\":100,\"clo"), "line 3: cut off");
    check("cut-header", good[..40].to_owned(), "line 1: not the header of a trace");
    check("empty", String::new(), "line 1: empty");
    check("back", format!("{good}\n{{\"us\":9,\"press\":\"red\"}}\n{start}\n"), "line 3: goes back in time");
    check("far", format!("{good}\n{{\"us\":18446744073709551615,\"press\":\"red\"}}\n"), "line 2: ");
    check("no-kings", format!("{}\n{start}\n", header.replace("FEN", "9/9/9/9/9/9/9/9/9/9 w")), "line 1: ");
    check_refusal(&["replay", &path("missing")], b"", "missing");
    check_refusal(&["replay", folder.to_str().expect("UTF-8")], b"", "directory");
    // The longest jump that a trace can make takes no time.
    let last = r#"{"us":9007199254740991,"press":"red"}"#;
    for clock in ["", r#","clock":"1m+5x30s""#, r#","clock":"60m""#] {
        let header = good.replace(r#","scan_hz""#, &format!(r#"{clock},"scan_hz""#));
        write("jump", &format!("{header}\n{start}\n{last}\n"));
        let output = luozi(&["replay", "--json", &path("jump")], b"");
        assert_eq!(output.status.code(), Some(0), "{clock}: {}", text(&output.stderr));
    }
}

/// An event's file rules a board's games and their replays, and the games' headers say so.
#[test]
fn an_events_values_reach_games_and_replays() {
    let folder = scratch("event-rules");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("a file");
    write("event.toml", "natural_limit_rounds = 1\npresses_without_move_to_lose = 0\n");
    let carried = "cxa-2010 presses_without_move_to_lose=0 natural_limit_rounds=1";

    // A round: cannon h2e2, horse h9g7. Each side lifts, puts down and presses.
    let trace = |name: &str, rules: &str| {
        let mut closed: u128 = 0x3fe_0041_5540_000a_aa08_01ff;
        let start = xiangqi::fen::INITIAL;
        let mut lines = vec![
            format!(
                r#"{{"format":"luozi-trace","version":1,"start":"{start}","scan_hz":1000,"clock":"10m"{rules}}}"#
            ),
            format!(r#"{{"us":0,"closed":"{closed:023x}"}}"#),
        ];
        for (us, from, to, side) in [(5_000_000, 25, 22, "red"), (9_000_000, 88, 69, "black")] {
            for (us, point) in [(us, from), (us + 900_000, to)] {
                closed ^= 1 << point;
                lines.push(format!(r#"{{"us":{us},"closed":"{closed:023x}"}}"#));
            }
            lines.push(format!(r#"{{"us":{},"press":"{side}"}}"#, us + 2_000_000));
        }
        write(name, &(lines.join("\n") + "\n"));
    };
    trace("plain", "");
    trace("ruled", &format!(r#","rules":"{carried}""#));
    let limited = |args: &[&str]| {
        let output = luozi(&[&["replay", "--json"], args].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(r#"["h2e2","h9g7"]"#), "{}", text(&output.stdout));
        text(&output.stdout).contains("natural_limit")
    };
    assert!(!limited(&[&path("plain")]));
    assert!(limited(&[&path("plain"), "--rules", &path("event.toml")]));
    assert!(!limited(&[&path("plain"), "--rules", "cxa-1999"]));
    assert!(limited(&[&path("ruled")]));
    assert!(!limited(&[&path("ruled"), "--rules", "cxa-2010"]));

    let data = path("data");
    let playing = ["board", "--simulated", "--no-broker", "--speed", "1000", "--games", "1", "--data", &data];
    let output = luozi(&[&playing[..], &["--rules", &path("event.toml")]].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let journal = written(&data);
    assert!(journal.contains(&format!(r#""rules":"{carried}""#)), "{}", journal.len());
    assert!(journal.contains("natural_limit\""), "the limit of one round was reached");
    let output = luozi(&["journal", "verify", &data], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));

    write("bad.toml", "natural_limit = 40\n");
    check_refusal(&["replay", &path("plain"), "--rules", &path("bad.toml")], b"", "bad.toml, line 1");
    check_refusal(&["board", "--simulated", "--rules", &path("bad.toml")], b"", "bad.toml, line 1");
    check_refusal(&["board", "--simulated", "--rules", "fide"], b"", "cxa-1999");
}

/// All that a board has written.
fn written(data: &str) -> String {
    let files = std::fs::read_dir(data).expect("the data").map(|entry| entry.expect("an entry").path());
    let segments = files.filter(|path| path.extension().is_some_and(|ending| ending == "ndjson"));
    segments.map(|path| std::fs::read_to_string(path).expect("a segment")).collect()
}

/// How late a player may be stands in the header of each game, beside what else the event sets.
#[test]
fn a_boards_late_limit_reaches_the_headers_of_its_games() {
    let folder = scratch("late-limit");
    let header_says = |name: &str, options: &[&str], rules: &str| {
        let data = folder.join(name).to_str().expect("UTF-8").to_owned();
        let playing =
            ["board", "--simulated", "--no-broker", "--speed", "1000", "--games", "1", "--data", &data];
        let output = luozi(&[&playing[..], options].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{options:?}: {}", text(&output.stderr));
        let journal = written(&data);
        assert!(journal.contains(&format!(r#""rules":"{rules}""#)), "{options:?}: no header says {rules}");
    };
    header_says("none", &[], "cxa-2010");
    header_says("limit", &["--late-limit", "15m"], "cxa-2010 late_limit_seconds=900");
    let event = "cxa-1999 natural_limit_rounds=40 late_limit_seconds=600";
    header_says("line", &["--rules", event], event);
    let longer = "cxa-1999 natural_limit_rounds=40 late_limit_seconds=5400";
    header_says("both", &["--rules", event, "--late-limit", "1h30m"], longer);

    let refuses = |options: &[&str], says: &str| {
        check_refusal(&[&["board", "--simulated", "--no-broker"], options].concat(), b"", says);
        check_refusal(&[&["demo"], options].concat(), b"", says);
    };
    refuses(&["--late-limit", "15"], "character 3: expected a unit after the number: h, m or s");
    refuses(&["--late-limit", "0s"], "expected a time from 1 second to 24 hours");
    refuses(&["--late-limit", "25h"], "expected a time from 1 second to 24 hours");
    refuses(&["--late-limit", "15m+30s"], "character 4: expected the end");
    refuses(&["--rules", "cxa-2010 late_limit=900"], "late_limit=900");
    refuses(&["--rules", "cxa-2010 late_limit_seconds=90000"], "expected at most 86400");
    refuses(&["--rules", "cxa-2010 cycles_to_claim=0"], "cycles_to_claim");
    refuses(&["--rules", "cxa-2010 draw_offers=ahead:0"], "draw_offers");
    let without_clock = ["board", "--simulated", "--no-broker", "--style", "no-clock", "--late-limit", "15m"];
    check_refusal(&without_clock, b"", "expected --clock");
    check_refusal(&["board", "--no-broker", "--late-limit", "15m"], b"", "expected --clock");
}

#[test]
fn an_empty_journal_verifies_nothing() {
    let folder = scratch("empty-journal");
    let file = folder.join("journal-000000000000.ndjson");
    std::fs::write(&file, "").expect("a file");
    for journal in [&file, &folder] {
        let journal = journal.to_str().expect("UTF-8");
        let output = luozi(&["journal", "verify", journal], b"");
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).contains("no records"), "{}", text(&output.stdout));
        let output = luozi(&["journal", "verify", "--json", journal], b"");
        let verdict: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&verdict["ok"], &verdict["records"]), (&false.into(), &0.into()));
    }
    check_refusal(&["journal", "verify", folder.join("none").to_str().expect("UTF-8")], b"", "none");
}

#[test]
fn a_board_or_a_venue_that_cannot_be_set_up_says_why() {
    let folder = scratch("set-up");
    let data = folder.join("data");
    let data = data.to_str().expect("UTF-8");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let nobody = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let (broker, says) = (format!("mqtt://127.0.0.1:{nobody}"), nobody.to_string());
    check_refusal(&["board", "--simulated", "--broker", &broker, "--data", data], b"", &says);
    assert!(!std::path::Path::new(data).exists(), "nothing half-written");
    check_refusal(&["venue", "--broker", &broker], b"", &says);
    check_refusal(&["venue", "--broker", "http://x"], b"", "http://x");
    check_refusal(
        &["venue", "--listen", "127.0.0.1:0", "--broker-listen", &format!("127.0.0.1:{port}")],
        b"",
        &port.to_string(),
    );
    check_refusal(&["demo", "--port", &port.to_string()], b"", &port.to_string());
    check_refusal(&["demo", "--port", "0", "--data", "/dev/null/x"], b"", "/dev/null/x");
    let board = ["board", "--simulated", "--no-broker"];
    check_refusal(&[&board[..], &["--data", "/dev/null/x"]].concat(), b"", "/dev/null/x");
    check_refusal(&[&board[..], &["--data", data, "--id", "a/b"]].concat(), b"", "a/b");
    check_refusal(&[&board[..], &["--data", data, "--speed", "0"]].concat(), b"", "--speed");
}

#[test]
fn every_command_has_help() {
    for args in [
        &["--help"][..],
        &["perft", "--help"],
        &["fen", "--help"],
        &["notate", "--help"],
        &["simulate", "--help"],
        &["--version"],
    ] {
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

/// The answers of `notate` to lines of one position, and the exit code.
fn notate(flags: &[&str], fen: &str, key: &str, texts: &[&str]) -> (Vec<Value>, Option<i32>) {
    let line = |text: &&str| serde_json::json!({"fen": fen, key: text}).to_string() + "\n";
    let input: String = texts.iter().map(line).collect();
    let output = luozi(&[&["notate", "-", "--json"], flags].concat(), input.as_bytes());
    let rows = text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (rows, output.status.code())
}

#[test]
fn notate_writes_and_reads() {
    let start = xiangqi::fen::INITIAL;
    let (rows, code) = notate(&[], start, "move_iccs", &["H2-E2", "h2e2"]);
    assert_eq!(code, Some(0));
    assert_eq!(rows[0], rows[1]);
    for (key, expected) in [
        ("iccs", "H2-E2"),
        ("ucci", "h2e2"),
        ("chinese", "炮二平五"),
        ("wxf", "C2=5"),
        ("short_1999", "炮25"),
        ("short_2010", "炮二五"),
    ] {
        assert_eq!(rows[0][key], expected);
    }
    let (rows, code) = notate(&["--parse"], start, "text", &["炮二平五", "C2.5", "炮25", "炮24"]);
    assert_eq!(code, Some(0));
    assert!(rows[..3].iter().all(|row| row["move"] == "h2e2"));
    assert_eq!(rows[3]["error"], "ambiguous");
    assert_eq!(rows[3]["candidates"], serde_json::json!(["h2f2", "h2h6"]));
}

#[test]
fn notate_answers_what_is_wrong_and_goes_on() {
    let start = xiangqi::fen::INITIAL;
    let (rows, code) = notate(&["--parse"], start, "text", &["hello", "炮二进九", "h0h9", "炮二平五"]);
    assert_eq!(code, Some(1));
    let errors: Vec<&Value> = rows.iter().map(|row| &row["error"]).collect();
    assert_eq!(
        errors,
        ["unreadable", "no_such_move", "illegal"]
            .map(Value::from)
            .iter()
            .chain([&Value::Null])
            .collect::<Vec<_>>()
    );
    let (rows, code) = notate(&[], "9/9 w", "move_iccs", &["h2e2"]);
    assert_eq!((rows[0]["error"].as_str(), code), (Some("bad_fen"), Some(1)));
    let (rows, _) = notate(&[], "4k4/9/9/9/9/4C4/9/9/9/4K4 w", "move_iccs", &["e4d4", "e4d5"]);
    assert_eq!(
        (rows[0]["chinese"].as_str(), rows[0]["illegal"].as_str()),
        (Some("炮五平六"), Some("kings_facing"))
    );
    assert_eq!(rows[1]["error"], "illegal");
}

/// The answers of `judge` to lines of JSON, and the exit code.
fn judge(lines: &[Value]) -> (Vec<Value>, Option<i32>) {
    let input: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    let output = luozi(&["judge", "-", "--rules", "cxa-2020", "--json"], input.as_bytes());
    let rows = text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (rows, output.status.code())
}

const CHECKS: &str = "3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0 1";

#[test]
fn judge_labels_every_move_and_names_the_side() {
    let cycle = ["e2d2", "d9e9", "d2e2", "e9d9"];
    let quiet = ["f0f1", "d9d8", "f1f0", "d8d9"];
    // A long prefix, ended by a capture: the verdict stands and no move is left without a label.
    let prefix = quiet.iter().cycle().take(44).chain(&["e2e5", "d9d8", "e5e2", "d8d9"]);
    let long: Vec<&str> = prefix.chain(&cycle).copied().collect();
    let (rows, code) = judge(&[
        serde_json::json!({"id": 7, "fen": CHECKS, "moves": cycle}),
        serde_json::json!({"id": "quiet", "fen": CHECKS, "moves": ["f0f1"]}),
        serde_json::json!({"fen": CHECKS.replacen("/9/9/9/9/9/9/", "/9/9/9/4p4/9/9/", 1), "moves": long}),
    ]);
    assert_eq!(code, Some(0));
    assert_eq!((&rows[0]["id"], &rows[0]["verdict"]), (&Value::from(7), &Value::from("red_loses")));
    assert_eq!((&rows[0]["red"], &rows[0]["black"]), (&Value::from("长将"), &Value::from("闲")));
    let labels: Vec<&str> =
        rows[0]["plies"].as_array().unwrap().iter().map(|ply| ply["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["将", "闲", "将", "闲"]);
    assert_eq!((&rows[1]["verdict"], &rows[1]["cycle"]), (&Value::from("none"), &Value::Null));
    let plies = rows[2]["plies"].as_array().unwrap();
    assert!(plies.len() == long.len() && plies.iter().all(|ply| ply["label"].is_string()));
    assert_eq!((&rows[2]["verdict"], &rows[2]["cycle"]), (&rows[0]["verdict"], &serde_json::json!([49, 52])));
}

/// What cannot be judged is answered with what and where; the other lines go on.
#[test]
fn judge_answers_what_is_wrong_and_goes_on() {
    let line = |fen: &str, moves: &[&str]| serde_json::json!({"id": fen, "fen": fen, "moves": moves});
    let (rows, code) = judge(&[
        line(CHECKS, &["e2d2", "d9d8"]),
        line(CHECKS, &["e2d2", "hello"]),
        line(CHECKS, &[]),
        line("9/9 w", &["e2d2"]),
        line("3k5/9/9/9/9/9/9/9/9/3K5 w", &["d0d1"]),
        line(CHECKS, &["e2d2", "d9e9", "d2e2", "e9d9"]),
    ]);
    assert_eq!((rows.len(), code), (6, Some(1)));
    let says = ["move 2, d9d8, is not legal", "move 2, \"hello\"", "no moves", "rank_count", "kings_facing"];
    for (row, says) in rows.iter().zip(says) {
        let error = row["error"].as_str().unwrap_or_else(|| panic!("{row}"));
        assert!(error.contains(says), "{error}");
        assert!(row["verdict"].is_null() && row["id"].is_string(), "{row}");
    }
    assert_eq!(rows[5]["verdict"], "red_loses");
    check_refusal(&["judge", "-", "--rules", "fide"], b"", "cxa-1999");
    check_refusal(&["judge", "-", "--rules", "no-such.toml"], b"", "no-such.toml");
}

/// A line that is no object of the kind is answered as well, the others go on, and the exit code is 2.
#[test]
fn unreadable_lines_are_answered_and_the_others_go_on() {
    let check = |args: &[&str], good: &str, expected: &str| {
        let input = format!("\n{{\"id\":\"x\",\"fen\":1}}\n{good}\nnot JSON\n{good}\n");
        let output = luozi(args, input.as_bytes());
        let rows: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!((rows.len(), output.status.code()), (4, Some(2)), "{args:?}");
        assert_eq!((&rows[0]["line"], &rows[2]["line"]), (&Value::from(2), &Value::from(4)));
        assert!(rows[0]["error"].is_string() && rows[2]["error"].is_string());
        assert!(rows[1]["error"].is_null() && rows[1] == rows[3]);
        let stderr = text(&output.stderr);
        assert!(stderr.contains("standard input, line 2") && stderr.contains(expected), "{stderr}");
        assert_eq!(stderr.lines().count(), 1);
    };
    let cycle = serde_json::json!({"fen": CHECKS, "moves": ["e2d2", "d9e9", "d2e2", "e9d9"]}).to_string();
    check(&["judge", "-", "--json"], &cycle, r#"{"id":…,"fen":…,"moves":[…]}"#);
    let start = xiangqi::fen::INITIAL;
    let named = serde_json::json!({"fen": start, "move_iccs": "h2e2"}).to_string();
    check(&["notate", "-", "--json"], &named, r#"{"fen":…,"move_iccs":…}"#);
    let said = serde_json::json!({"fen": start, "text": "炮二平五"}).to_string();
    check(&["notate", "-", "--parse", "--json"], &said, r#"{"fen":…,"text":…}"#);
}

/// An event's file chooses the repetition rules, and each language its words.
#[test]
fn judge_reads_an_event_and_speaks_three_languages() {
    let folder = scratch("judge");
    let write = |name: &str, contents: &str| {
        std::fs::write(folder.join(name), contents).expect("a file");
        folder.join(name).to_str().expect("UTF-8").to_owned()
    };
    let line = serde_json::json!({"fen": CHECKS, "moves": ["e2d2", "d9e9", "d2e2", "e9d9"]}).to_string();
    let event = write("event.toml", "edition = \"cxa-2010\"\nrepetition = \"wxf-2018\"\n");
    let output = luozi(&["judge", "-", "--rules", &event, "--json"], line.as_bytes());
    let row: Value = serde_json::from_str(text(&output.stdout)).expect("JSON");
    assert_eq!((&row["verdict"], &row["articles"][0]), (&Value::from("red_loses"), &Value::from("3.1")));
    check_refusal(&["judge", "-", "--rules", &write("bad.toml", "\n\ndraws = 1\n")], b"", "bad.toml, line 3");
    for (lang, says) in [("zh", "红方作负"), ("zh-hant", "紅方作負"), ("en", "Red loses")] {
        let output = luozi(&["judge", "-", "--lang", lang], line.as_bytes());
        assert!(text(&output.stdout).contains(says), "{}", text(&output.stdout));
    }
}

#[test]
fn simulate_writes_the_same_traces_for_the_same_seed() {
    let folder = std::env::temp_dir().join(format!("luozi-simulate-{}", std::process::id()));
    let mut written = Vec::new();
    for out in ["a", "b"] {
        let out = folder.join(out);
        let output = luozi(&["simulate", "--count", "2", "--plain", "--out", out.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let lines: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 2);
        for line in lines {
            written.push(std::fs::read(line["trace"].as_str().unwrap()).expect("the trace is there"));
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(written[..2], written[2..]);
    assert!(written[0].starts_with(b"{\"format\":\"luozi-trace\""));
}

/// A file of its own for a test that writes.
fn scratch(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("convert").join(name);
    // It may not be there yet.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn records_are_converted_by_content_and_ending() {
    let folder = scratch("by-ending");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("pasted"), "1. 炮二平五 马8进7 2. 马二进三 (2. 车一进一 车9平8) 车9平8 {出车}")
        .expect("a file");
    let formats = ["pgn", "xqf", "cbr", "cbf", "ubb", "json"];
    let mut source = path("pasted");
    for ending in formats {
        let target = path(&format!("game.{ending}"));
        let output = luozi(&["convert", &source, &target], b"");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{source} to {target}");
        source = target;
    }
    let output = luozi(&["convert", &source, "--info", "--json"], b"");
    let info: Value =
        serde_json::from_str(text(&output.stdout).lines().next().expect("a line")).expect("JSON");
    assert_eq!(info["plies"], 4);
    assert_eq!(info["nodes"], 6);
    assert_eq!(info["branch_points"], 1);
    assert_eq!(info["comments"], 1);
    assert_eq!(info["legal_nodes"], 6);
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let folder = scratch("losses");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let game = "[Red \"一二三四五六七八九十\"]\n\n1. 炮二平五 (1. 马二进三) 马8进7 *";
    std::fs::write(path("a.pgn"), game).expect("a file");
    let output = luozi(&["convert", &path("a.pgn"), &path("a.wxf")], b"");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("1 variation dropped"), "{}", text(&output.stderr));
    let output = luozi(&["convert", &path("a.pgn"), &path("a.xqf")], b"");
    assert!(text(&output.stderr).contains("Red cut to 14 bytes"), "{}", text(&output.stderr));
}

#[test]
fn files_that_are_no_records_are_refused() {
    let folder = scratch("refused");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("noise"), [0xfe; 100]).expect("a file");
    std::fs::write(path("good.pgn"), "1. 炮二平五 *").expect("a file");
    check_refusal(&["convert", &path("noise"), &path("x.pgn")], b"", "noise");
    check_refusal(&["convert", &path("missing.pgn"), &path("x.pgn")], b"", "missing.pgn");
    check_refusal(&["convert", &path("good.pgn"), &path("x.doc")], b"", "--to");
    check_refusal(&["convert", &path("good.pgn"), &path("x.cbl")], b"", "only read");
    check_refusal(&["convert", &path("good.pgn")], b"", "OUT");
}

/// A game that the format cannot hold at all is told and costs no other.
#[test]
fn a_game_that_does_not_fit_costs_no_other() {
    let folder = scratch("misfit");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let many_rooks = "{\"start\":\"4k4/9/9/9/9/9/9/9/RRR6/4K4 w\",\"moves\":[\"a1a2\"]}\n";
    let good = "{\"moves\":[\"h2e2\"]}\n";
    std::fs::write(path("in.json"), format!("{good}{many_rooks}{good}")).expect("a file");
    for (name, second) in [("out.ubb", "out.ubb"), ("out.xqf", "out-2.xqf")] {
        let output = luozi(&["convert", &path("in.json"), &path(name)], b"");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("game 2: ") && told.contains("1 of the games"), "{told}");
        let info = luozi(&["convert", &path(second), "--info", "--json"], b"");
        let games = if name == second { 2 } else { 1 };
        assert_eq!(String::from_utf8_lossy(&info.stdout).lines().count(), games, "{name}");
    }
}

#[test]
fn a_folder_is_converted_with_a_summary() {
    let folder = scratch("batch");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    std::fs::create_dir(path("in")).expect("a folder");
    for number in 0..30 {
        std::fs::write(path(&format!("in/{number}.pgn")), "1. 炮二平五 马8进7 (1... 炮8平5) 1-0")
            .expect("a file");
    }
    std::fs::write(path("in/noise"), [0xfe; 100]).expect("a file");
    let output = luozi(&["convert", &path("in"), &path("out"), "--to", "wxf", "--json"], b"");
    assert_eq!(output.status.code(), Some(2), "one file is no record");
    let last = text(&output.stdout).lines().last().expect("a summary");
    let summary: Value = serde_json::from_str(last).expect("JSON");
    let summary = &summary["summary"];
    assert_eq!((summary["files"].as_u64(), summary["failed"].as_u64()), (Some(31), Some(1)));
    assert_eq!((summary["games"].as_u64(), summary["losses"]["variations"].as_u64()), (Some(30), Some(30)));
    assert!(std::path::Path::new(&path("out/7.wxf")).exists());
}

/// Writes files of one game each and gives a function from a name to its path in a folder of its own.
fn folder_with(name: &str, files: &[(&str, &str)]) -> impl Fn(&str) -> String {
    let folder = scratch(name);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    move |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned()
}

/// Every file below a folder, by name.
fn below(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(folder)];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).expect("below").display().to_string()),
            }
        }
    }
    found.sort();
    found
}

const GAME: &str = "1. 炮二平五 马8进7 1-0";
const TWO_GAMES: &str = "1. 炮二平五 1-0\n1. 马二进三 马8进7 0-1";

#[test]
fn no_two_games_meet_in_one_file() {
    let files = [
        ("a/x.pgn", GAME),
        ("b/x.pgn", GAME),
        ("b/x.txt", GAME),
        ("two.pgn", TWO_GAMES),
        ("two-2.pgn", GAME),
    ];
    let path = folder_with("meeting", &files);
    let check = |inputs: &[&str], to: &str, expected: &[&str]| {
        let out = path("out");
        // It is not there the first time.
        let _ = std::fs::remove_dir_all(&out);
        let inputs: Vec<String> = inputs.iter().map(|name| path(name)).collect();
        let mut args = vec!["convert"];
        args.extend(inputs.iter().map(String::as_str));
        args.extend([&*out, "--to", to]);
        let output = luozi(&args, b"");
        assert_eq!(output.status.code(), Some(0), "{inputs:?}: {}", text(&output.stderr));
        let found = below(&out);
        assert_eq!(found, expected);
    };
    check(&["a", "b"], "xqf", &["a/x.pgn.xqf", "b/x.pgn.xqf", "x.txt.xqf"]);
    check(&["b"], "xqf", &["x.pgn.xqf", "x.txt.xqf"]);
    check(&["a"], "xqf", &["x.xqf"]);
    check(&["a", "a"], "xqf", &["x.pgn-2.xqf", "x.pgn.xqf"]);
    check(&["a/x.pgn", "b/x.pgn"], "json", &["a/x.pgn.json", "b/x.pgn.json"]);
    check(&["two.pgn", "two-2.pgn"], "xqf", &["two-2.xqf", "two-3.xqf", "two.xqf"]);
}

#[test]
fn where_games_go_is_what_the_name_says() {
    let path =
        folder_with("names", &[("game.pgn", GAME), ("two.pgn", TWO_GAMES), ("in/a.pgn", GAME), ("old", "")]);
    let check = |args: &[&str], expected: &[&str]| {
        let output = luozi(&[&["convert"], args].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        for name in expected {
            let found = std::fs::metadata(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(found.is_file() && found.len() > 0, "{name}");
        }
    };
    check(&[&path("game.pgn"), &path("game.doc"), "--to", "xqf"], &["game.doc"]);
    check(&[&path("game.pgn"), &path("bare"), "--to", "xqf"], &["bare"]);
    check(&[&path("game.pgn"), &path("old"), "--to", "xqf"], &["old"]);
    check(&[&path("two.pgn"), &path("two.xqf")], &["two.xqf", "two-2.xqf"]);
    check(&[&path("two.pgn"), &path("folder/"), "--to", "xqf"], &["folder/two.xqf", "folder/two-2.xqf"]);
    check(&[&path("in"), &path("out"), "--to", "pgn"], &["out/a.pgn"]);
    check(&[&path("in"), &path("all.doc"), "--to", "pgn"], &["all.doc"]);
}

#[test]
fn one_output_at_a_time_on_stdout() {
    let path = folder_with("stdout", &[("game.pgn", GAME), ("two.pgn", TWO_GAMES), ("empty/x/.keep", "")]);
    std::fs::remove_file(path("empty/x/.keep")).expect("it was written");
    let xqf = luozi(&["convert", &path("game.pgn"), "-", "--to", "xqf"], b"");
    assert!(xqf.status.success() && xqf.stdout.starts_with(b"XQ\x0a"));
    let piped = luozi(&["convert", "-", "-", "--to", "wxf"], &xqf.stdout);
    assert!(text(&piped.stdout).contains("C2=5"), "{}", text(&piped.stderr));
    check_refusal(&["convert", &path("two.pgn"), "-", "--to", "xqf"], b"", "2 games, and xqf holds one");
    check_refusal(
        &["convert", &path("game.pgn"), &path("two.pgn"), "-", "--to", "xqf"],
        b"",
        "name a folder",
    );
    check_refusal(&["convert", &path("game.pgn"), "-", "--to", "pgn", "--json"], b"", "standard output");
    check_refusal(&["convert", &path("empty"), "-", "--to", "pgn"], b"", &path("empty"));
}

/// What is cut off, damaged or odd is said, with its place, whatever comes out.
#[test]
fn damage_is_said_with_its_place() {
    let path = folder_with(
        "damage",
        &[
            ("cut.wxf", "FORMAT WXF\nSTART{\n1. C2.5 H8+7"),
            ("cut.ubb", "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"),
            ("odd.ubb", "[DhtmlXQ][DhtmlXQ_movelist]77479\u{0}99[/DhtmlXQ_movelist][/DhtmlXQ]"),
            ("cut.json", "{\"start\":\"4k4/"),
            ("cut.cbf", "<?xml version=\"1.0\"?><ChineseChessRecord><Head>"),
            ("cut.xqf", "XQ\u{a}\u{0}\u{0}"),
        ],
    );
    for (name, says) in
        [("cut.json", "line 1: json:"), ("cut.cbf", "line 1: cbf:"), ("cut.xqf", "byte 5: xqf:")]
    {
        check_refusal(&["convert", &path(name), &path("out.pgn")], b"", says);
    }
    for (name, says) in
        [("cut.wxf", "}END"), ("cut.ubb", "[/DhtmlXQ]"), ("odd.ubb", "movelist: 9\\u{0}99 is no move")]
    {
        let output = luozi(&["convert", &path(name), &path("out.pgn")], b"");
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert!(text(&output.stderr).contains(says), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stderr).chars().all(|c| c == '\n' || !c.is_control()), "{name}");
    }
}

/// Gigabytes of zeros in a small file: refused before they are all there.
#[test]
fn a_packed_bomb_is_refused() {
    let path = folder_with("bomb", &[]);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0u8; 1 << 20];
    for _ in 0..200 {
        packed.write_all(&zeros).expect("memory");
    }
    std::fs::write(path("bomb.gz"), packed.finish().expect("memory")).expect("a file");
    check_refusal(&["convert", &path("bomb.gz"), "--info"], b"", "gzip: ");
}

#[test]
fn passwords_of_brokers_are_kept_as_sums() {
    let folder = scratch("passwords");
    let path = folder.join("users");
    let file = path.to_str().expect("UTF-8");
    let read = || std::fs::read_to_string(file).expect("UTF-8");
    let set = |name: &str, password: &str| {
        let output = luozi(&["broker-password", file, name], password.as_bytes());
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), ""), "{}", text(&output.stderr));
    };
    set("b1", "one two\n");
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&path.metadata().expect("a file").permissions()) & 0o777,
        0o600
    );
    let first = read();
    assert!(first.starts_with("b1:$7$") && !first.contains("one two"), "{first}");
    std::fs::write(&path, format!("# 大厅\nvenue:in the clear\n{first}")).expect("writable");
    let drawn = luozi(&["broker-password", file, "b2", "--new"], b"");
    assert!(text(&drawn.stdout).trim().len() >= 32, "{drawn:?}");
    set("b1", "three");
    let lines = read();
    let names: Vec<&str> = lines.lines().map(|line| line.split(':').next().expect("a name")).collect();
    assert_eq!(names, ["# 大厅", "venue", "b2", "b1"]);
    assert!(!lines.contains(first.trim()) && !lines.contains(text(&drawn.stdout).trim()), "{lines}");
    check_refusal(&["broker-password", file, "b 3"], b"x\n", "expected a name");
    check_refusal(&["broker-password", file, "b3"], b"\n", "expected a name");
    check_refusal(&["broker-password", "/dev/null/x", "b3"], b"x\n", "/dev/null/x");
    std::fs::write(&path, "b1:$7$broken\n").expect("writable");
    check_refusal(&["broker-password", file, "b3"], b"x\n", "line 1: expected NAME:SUM");
    assert_eq!(read(), "b1:$7$broken\n");
}
