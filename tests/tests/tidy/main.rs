//! What the house rules ask of every file, and that every article of the rules is enforced and tested.

mod functions;
mod rules;
mod scenarios;
mod sources;

use sources::Source;

const LONGEST_FILE: usize = 800;
const LONGEST_FUNCTION: usize = 70;

/// Every folder that may stand at the top; ARCHITECTURE.md says what each owns.
const TOP_FOLDERS: [&str; 6] = ["calibration", "docs", "firmware", "hardware", "host", "tests"];

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 6] = ["util", "utils", "common", "misc", "helper", "helpers"];

/// Fails with every complaint in a line of its own.
fn check(complaints: impl IntoIterator<Item = String>) {
    let complaints: Vec<String> = complaints.into_iter().collect();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn top_level_folders_are_those_of_the_architecture() {
    let unknown = |source: &Source| {
        let (top, _) = source.name.split_once('/')?;
        (!TOP_FOLDERS.contains(&top) && !top.starts_with('.')).then(|| top.to_owned())
    };
    let mut folders: Vec<String> = sources::all().iter().filter_map(unknown).collect();
    folders.dedup();
    check(folders.into_iter().map(|folder| format!("{folder}/: not a folder of ARCHITECTURE.md")));
}

#[test]
fn names_say_what_is_inside() {
    let complaint = |source: &Source| {
        let says_nothing = |part: &str| {
            let stem = part.split('.').next().unwrap_or(part);
            let numbered =
                |word| stem.strip_prefix(word).is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
            EMPTY_NAMES.contains(&stem) || numbered("phase") || numbered("step") || numbered("part")
        };
        source.name.split('/').any(says_nothing).then(|| format!("{}: the name says nothing", source.name))
    };
    check(sources::all().iter().filter_map(complaint));
}

#[test]
fn files_are_short() {
    let code = |source: &&Source| source.is_any(&["rs", "ts", "tsx", "svelte"]);
    let complaint = |source: &Source| {
        let lines = source.text.lines().count();
        (lines > LONGEST_FILE).then(|| format!("{}: {lines} lines, at most {LONGEST_FILE}", source.name))
    };
    check(sources::all().iter().filter(code).filter_map(complaint));
}

#[test]
fn functions_are_short() {
    let complaints = |source: &Source| -> Vec<String> {
        functions::of_rust(&source.text)
            .filter(|function| function.lines > LONGEST_FUNCTION)
            .map(|function| format!("{}:{}: {}", source.name, function.at, function))
            .collect()
    };
    check(sources::all().iter().filter(|source| source.is_any(&["rs"])).flat_map(complaints));
}

/// A path of somebody's machine helps nobody else.
#[test]
fn no_path_of_one_machine() {
    let homes = ["work", "farm", "root", "home"].map(|folder| format!("/{folder}/"));
    let names_a_machine = |line: &str| {
        homes.iter().any(|home| {
            line.match_indices(home.as_str()).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|c| !c.is_alphanumeric() && !"/._-~}".contains(c))
            })
        })
    };
    let complaints = |source: &Source| -> Vec<String> {
        let lines = (1..).zip(source.text.lines()).filter(|(_, line)| names_a_machine(line));
        lines.map(|(number, line)| format!("{}:{number}: {}", source.name, line.trim())).collect()
    };
    check(sources::all().iter().flat_map(complaints));
}

/// Versions and reasons of dependencies stand in the root manifest and nowhere else.
#[test]
fn dependencies_are_named_once() {
    let all = sources::all();
    let manifests = all.iter().filter(|source| source.name.ends_with("Cargo.toml"));
    check(manifests.flat_map(|source| {
        let is_root = source.name == "Cargo.toml";
        let mut section = "";
        let mut complaints = Vec::new();
        for (number, line) in (1..).zip(source.text.lines()) {
            if line.starts_with('[') {
                section = line.trim_matches(['[', ']']);
            }
            if !section.ends_with("dependencies") || !line.contains('=') || line.starts_with('#') {
                continue;
            }
            let fault = if is_root {
                (!line.contains("path =") && !line.contains('#')).then_some("say why it was chosen")
            } else {
                (!line.contains("workspace = true")).then_some("its version belongs in the root manifest")
            };
            complaints.extend(fault.map(|fault| format!("{}:{number}: {line}: {fault}", source.name)));
        }
        complaints
    }));
}

#[test]
fn every_article_is_enforced_and_tested() {
    let (rules, complaints) = rules::Rules::read();
    check(complaints.into_iter().chain(rules.gaps()));
}

#[test]
fn every_complaint_and_touched_piece_has_its_scenario() {
    check(scenarios::complaints());
}

/// `RULES_INDEX=write cargo test -p tests --test tidy` brings it up to date.
#[test]
fn the_index_of_the_rules_is_current() {
    let (rules, _) = rules::Rules::read();
    let index = rules.index();
    let path = tests::repository().join(rules::INDEX);
    if std::env::var("RULES_INDEX").is_ok_and(|what| what == "write") {
        std::fs::write(&path, index).expect("the index can be written");
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let hint = "run RULES_INDEX=write cargo test -p tests --test tidy";
    assert!(written == index, "{} is not what the marks in the code say; {hint}", rules::INDEX);
}
