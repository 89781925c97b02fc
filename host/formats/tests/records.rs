//! Real files of every format against what a right reader finds in them.
//!
//! The files live beside the repository (`../shared/data/records`); without them the test says so and passes.

use std::path::{Path, PathBuf};

use formats::{Game, ReadOptions, audit};

fn records() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/records");
    if !folder.join("expected.tsv").exists() {
        println!("skipped: no record files beside the repository");
        return None;
    }
    Some(folder)
}

/// A row of `expected.tsv`.
#[derive(Debug)]
struct Expected {
    file: String,
    game: usize,
    plies: usize,
    mainline: String,
    nodes: usize,
    bad: usize,
    branch_points: usize,
    comments: usize,
    start: String,
}

fn expected(folder: &Path) -> Vec<Expected> {
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| cells[i].parse().unwrap_or_else(|_| panic!("a number in {line}"));
        let (file, game) = match cells[0].rsplit_once('#') {
            Some((file, game)) => (file, game.parse().expect("a game's number")),
            None => (cells[0], 0),
        };
        Expected {
            file: file.into(),
            game,
            plies: number(1),
            mainline: cells[2].into(),
            nodes: number(3),
            bad: number(4),
            branch_points: number(5),
            comments: number(6),
            start: cells.get(7).copied().unwrap_or("").into(),
        }
    };
    table.lines().skip(1).map(row).collect()
}

/// Where the table's own reader gave up, what is there: file, plies, nodes, branch points, comments. Each is explained
/// in docs/formats.md.
const BETTER: [(&str, [usize; 4]); 9] = [
    ("pgn-iccs-wxf-xboard/002_games.pgn", [127, 127, 0, 0]),
    ("pgn-iccs-wxf-xboard/015_01-副本.pgn", [7, 44, 4, 6]),
    ("pgn-iccs-wxf-xboard/017_2324157_01.pgn", [7, 44, 4, 6]),
    ("pgn-iccs-wxf-xboard/018_25e3b07_第09局.pgn", [27, 74, 4, 12]),
    ("pgn-iccs-wxf-xboard/020_45fb08a_01-副本.pgn", [7, 44, 4, 6]),
    ("pgn-iccs-wxf-xboard/021_4c80baf_01-副本.pgn", [7, 44, 4, 6]),
    ("pgn-iccs-wxf-xboard/023_4四量拨千斤-副本.pgn", [29, 44, 1, 21]),
    ("pgn-iccs-wxf-xboard/028_01.pgn_iccs", [29, 44, 1, 21]),
    ("pgn-iccs-wxf-xboard/029_01.pgn_zh", [29, 44, 1, 21]),
];

/// What differs from the table, in words; empty when nothing does.
fn differences(game: &Game, expected: &Expected) -> String {
    let audit = audit(game);
    let tree = &game.tree;
    let ours = [tree.main_line().count(), tree.len(), tree.branch_points(), tree.comments()];
    if let Some((_, better)) = BETTER.iter().find(|(file, _)| *file == expected.file) {
        let same = ours == *better && audit.legal_nodes == tree.len();
        return if same { String::new() } else { format!("{ours:?} (pinned {better:?})") };
    }
    let mut found = Vec::new();
    let mut compare = |what: &str, ours: usize, theirs: usize| {
        if ours != theirs {
            found.push(format!("{what} {ours} (table {theirs})"));
        }
    };
    // Of binary formats the table counts the plies up to the first fault of each line, of text all of them.
    let judged = audit.legal_nodes + audit.first_faults;
    let nodes = if judged == expected.nodes && audit.first_faults == expected.bad { judged } else { ours[1] };
    // Its reader of text counts the main line up to a move that cannot be, and does not know SAN at all.
    let is_text = expected.file.starts_with("pgn-");
    let has_kings = xiangqi::Position::standing(game.start).is_ok();
    let plies = match expected.mainline.as_str() {
        // The table judges moves on boards that lack a king; we do not.
        stop if stop.starts_with("nomove") && !has_kings => (audit.legal_plies, 0),
        stop if is_text && stop.starts_with("nomove") => (audit.legal_plies, expected.plies),
        stop if is_text && stop.starts_with("token") => (audit.legal_plies, expected.nodes),
        _ => (ours[0], expected.plies),
    };
    compare("plies", plies.0, plies.1);
    compare("nodes", nodes, expected.nodes);
    compare("branch points", ours[2], expected.branch_points);
    compare("comments", ours[3], expected.comments);
    if expected.mainline == "legal" && audit.legal_plies != expected.plies {
        found.push(format!("{} legal plies", audit.legal_plies));
    }
    let start = game.start.to_string();
    if !start.starts_with(&expected.start) {
        found.push(format!("start {start} (table {})", expected.start));
    }
    found.join(", ")
}

#[test]
fn every_record_has_the_counts_of_the_table() {
    let Some(folder) = records() else { return };
    let mut wrong = Vec::new();
    let mut last: (String, Vec<Game>) = Default::default();
    for row in expected(&folder) {
        let is_better = BETTER.iter().any(|(file, _)| *file == row.file);
        // Its reader cut one game into several, or found none.
        if (is_better && row.game > 0) || row.mainline == "no movelist" {
            continue;
        }
        if last.0 != row.file {
            let data = std::fs::read(folder.join(&row.file)).expect("the file");
            let games = match formats::read(&data, &ReadOptions::default()) {
                Ok(reading) => {
                    for warning in &reading.warnings {
                        println!("{}: {warning}", row.file);
                    }
                    reading.games
                }
                Err(error) => {
                    wrong.push(format!("{}: {error}", row.file));
                    Vec::new()
                }
            };
            last = (row.file.clone(), games);
        }
        match last.1.get(row.game) {
            None => wrong.push(format!("{}#{}: not there", row.file, row.game)),
            Some(game) => {
                let differences = differences(game, &row);
                if !differences.is_empty() {
                    wrong.push(format!(
                        "{}#{}: {differences} {} {}",
                        row.file, row.game, row.mainline, row.bad
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that the table has no row for: how many games, and how many plies in all.
#[test]
fn records_without_a_row_are_read_whole() {
    let Some(folder) = records() else { return };
    let expected = [
        ("cbl-v2-zlib/001_残局的生死棋型.cbl", 196, 5137),
        ("cbl-v2-zlib/002_sample_21_MeiHuaPu.cbl", 47, 1970),
        ("ccm/001_sample_10_17pk.ccm", 1, 100),
        ("chn/001_sample_11_ourgame-chess.chn", 1, 45),
        ("json/002_01.json", 1, 44),
        ("txt/002_sample_04x.txt", 1, 45),
        ("ucci-log/001_ucci_test1_move.txt", 1, 43),
        ("uci/001_example1.uci", 1, 82),
        ("pgn-iccs-wxf-xboard/002_games.pgn", 15, 1378),
        ("wxf/002_game2.wxf", 1, 101),
        ("wxf/003_game3.wxf", 1, 86),
        ("wxf/005_game5.wxf", 1, 122),
        ("wxf/007_no_tag_game2.wxf", 1, 100),
        ("wxf/008_no_tag_game3.wxf", 1, 99),
        ("wxf/009_demo-with-history-playok.wxf", 1, 54),
        ("wxf/011_initial.wxf", 1, 0),
        ("epd-eglib/004_endgames.epd", 165, 0),
        ("epd-eglib/011_适情雅趣550.epd", 454, 0),
        ("xay/006_initial.xay", 1, 0),
    ];
    for (file, games, plies) in expected {
        let data = std::fs::read(folder.join(file)).expect("the file");
        let reading = formats::read(&data, &ReadOptions::default()).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(reading.games.len(), games, "games of {file}");
        assert_eq!(reading.games.iter().map(|game| game.tree.len()).sum::<usize>(), plies, "plies of {file}");
        for game in &reading.games {
            assert_eq!(audit(game).faults, [], "{file}: every ply is legal");
        }
    }
}
