//! Every scenario holds on several boards and with several pairs of hands.

use std::fs;
use std::path::{Path, PathBuf};

use referee::IncidentKind;
use replay::{Incident, Report};
use tests::{replayed, repository};
use twin::{Expectation, Scenario};
use xiangqi::{Color, Move, Square};

const SEEDS: u64 = 6;

#[test]
fn the_referee_says_what_scenarios_expect() {
    let files = scenarios("tests/scenarios");
    assert!(!files.is_empty());
    let failures: Vec<String> = files.iter().filter_map(|file| check(file)).collect();
    assert!(failures.is_empty(), "{} of {} scenarios:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// What the referee does not say on every board yet stands apart, so that nobody takes it for kept. A scenario that holds
/// moves up one folder.
#[test]
fn open_scenarios_are_really_open() {
    for file in scenarios("tests/scenarios/open") {
        assert!(check(&file).is_some(), "{} holds now: move it up", file.display());
    }
}

fn scenarios(folder: &str) -> Vec<PathBuf> {
    let folder = repository().join(folder);
    // There is no folder of what is not said yet when everything is.
    let entries = fs::read_dir(&folder).into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    files
}

/// What does not hold in that scenario, for the first seed where anything does not.
fn check(file: &Path) -> Option<String> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let text = fs::read_to_string(file).unwrap();
    let scenario: Scenario = match text.parse() {
        Ok(scenario) => scenario,
        Err(error) => return Some(format!("{name}: {error}")),
    };
    for seed in 0..SEEDS {
        let played = match scenario.play(seed) {
            Ok(played) => played,
            Err(error) => return Some(format!("{name}: {error}")),
        };
        let report = replayed(&played);
        for expectation in &scenario.expectations {
            if let Err(why) = holds(expectation, &report) {
                let line = expectation.line;
                return Some(format!("{name}, line {line}, seed {seed}: {why}\n  {}", said(&report)));
            }
        }
    }
    None
}

fn said(report: &Report) -> String {
    let incidents: Vec<String> = report
        .incidents
        .iter()
        .map(|i| format!("{:?} {:?} {:?} {:?}", i.kind, i.side, i.article, i.squares))
        .collect();
    format!("said: moves {:?}; unresolved {:?}; incidents {incidents:?}", report.moves, report.unresolved)
}

fn holds(expectation: &Expectation, report: &Report) -> Result<(), String> {
    let words: Vec<&str> = expectation.words.iter().map(String::as_str).collect();
    let ok = match words.as_slice() {
        ["moves", moves @ ..] => {
            let moves: Vec<Move> = moves.iter().map(|word| parsed(word)).collect::<Result<_, _>>()?;
            moves == report.moves
        }
        ["no", "incidents"] => report.incidents.is_empty(),
        ["no", kind] => {
            let kind = kind_of(kind)?;
            report.incidents.iter().all(|incident| incident.kind != kind)
        }
        ["incident", kind, details @ ..] => !such(report, kind, details)?.is_empty(),
        ["once", kind, details @ ..] => {
            such(report, kind, details)?.len() == 1 && such(report, kind, &[])?.len() == 1
        }
        ["by", seconds, kind, details @ ..] => {
            let seconds: f64 = parsed(seconds)?;
            such(report, kind, details)?.iter().any(|incident| incident.us as f64 <= seconds * 1e6)
        }
        ["unresolved", ply, moves @ ..] => {
            let ply: u32 = parsed(ply)?;
            let mut moves: Vec<Move> = moves.iter().map(|word| parsed(word)).collect::<Result<_, _>>()?;
            moves.sort_unstable();
            report.unresolved.iter().any(|unresolved| {
                let mut candidates = unresolved.candidates.clone();
                candidates.sort_unstable();
                unresolved.ply == ply && candidates == moves
            })
        }
        _ => return Err(format!("nobody knows what is expected by {words:?}")),
    };
    if ok { Ok(()) } else { Err(format!("expected {}", expectation.words.join(" "))) }
}

/// The incidents of that kind, and of that side, article and points.
fn such<'a>(report: &'a Report, kind: &str, details: &[&str]) -> Result<Vec<&'a Incident>, String> {
    let kind = kind_of(kind)?;
    let mut found = Vec::new();
    for incident in report.incidents.iter().filter(|incident| incident.kind == kind) {
        if has(incident, details)? {
            found.push(incident);
        }
    }
    Ok(found)
}

/// Whether an incident is of that side, article and points.
fn has(incident: &Incident, details: &[&str]) -> Result<bool, String> {
    for word in details {
        let holds = if *word == "nobody" {
            incident.side.is_none()
        } else if let Ok(side) = word.parse::<Color>() {
            incident.side == Some(side)
        } else if let Ok(square) = word.parse::<Square>() {
            incident.squares.contains(&square)
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            incident.article == *word
        } else {
            return Err(format!("{word:?} is no side, nobody, article or point"));
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

fn kind_of(word: &str) -> Result<IncidentKind, String> {
    serde_json::from_str(&format!("{word:?}")).map_err(|e| e.to_string())
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(word: &str) -> Result<T, String> {
    word.parse().map_err(|e| format!("{word:?}: {e}"))
}
