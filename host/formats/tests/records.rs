//! Real files of every format against what a right reader finds in them.
//!
//! The files live beside the repository (`../shared/data/records`); without them the test says so and passes.

use std::path::{Path, PathBuf};

use formats::{Game, ReadOptions, audit};

/// The folders whose formats are read.
const READ: [&str; 11] =
    ["pgn-", "xqf/", "cbr/", "cbl/", "cbr-", "cbf/", "dhtmlxq/", "mxq/", "che/", "chn/", "ccm/"];

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

/// What differs from the table, in words; empty when nothing does.
fn differences(game: &Game, expected: &Expected) -> String {
    let audit = audit(game);
    let tree = &game.tree;
    let mut found = Vec::new();
    let mut compare = |what: &str, ours: usize, theirs: usize| {
        if ours != theirs {
            found.push(format!("{what} {ours} (table {theirs})"));
        }
    };
    // Of binary formats the table counts the plies up to the first fault of each line, of text all of them.
    let judged = audit.legal_nodes + audit.first_faults;
    let nodes =
        if judged == expected.nodes && audit.first_faults == expected.bad { judged } else { tree.len() };
    compare("plies", tree.main_line().count(), expected.plies);
    compare("nodes", nodes, expected.nodes);
    compare("branch points", tree.branch_points(), expected.branch_points);
    compare("comments", tree.comments(), expected.comments);
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
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut last: (String, Vec<Game>) = Default::default();
    for row in expected(&folder) {
        if !row.file.starts_with(&only) || !READ.iter().any(|folder| row.file.starts_with(folder)) {
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
