//! The tables of scenarios: every scenario of an article or a complaint stands there, and what stands there exists.

use std::fs;

use tests::repository;

const FOLDER: &str = "tests/scenarios";
/// Complaints about sensing and about correcting, by letter and numbers.
const COMPLAINTS: [(char, std::ops::RangeInclusive<u32>); 2] = [('A', 1..=31), ('B', 32..=39)];

pub fn complaints() -> Vec<String> {
    let table =
        fs::read_to_string(repository().join(FOLDER).join("README.md")).expect("the tables are there");
    let mut complaints = dead_links(&table);
    complaints.extend(unlisted_files(&table));
    for (letter, numbers) in COMPLAINTS {
        let listed = listed(&table, letter);
        let missing = numbers.filter(|number| !listed.contains(number));
        complaints.extend(missing.map(|number| format!("complaint {letter}{number} stands in no row")));
    }
    complaints
}

fn dead_links(table: &str) -> Vec<String> {
    let links = table.split("](<").skip(1).filter_map(|rest| rest.split_once(">)")).map(|(link, _)| link);
    let files =
        table.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs") || word.ends_with(".mjs"));
    let missing =
        |path: String| (!repository().join(&path).exists()).then(|| format!("{path}: no such file"));
    let links = links.map(|link| format!("{FOLDER}/{link}"));
    links.chain(files.map(str::to_owned)).filter_map(missing).collect()
}

fn unlisted_files(table: &str) -> Vec<String> {
    let entries = fs::read_dir(repository().join(FOLDER)).expect("the folder can be read");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let about = |name: &String| name.starts_with("5.") || name.starts_with(['A', 'B']);
    let unlisted = names.filter(about).filter(|name| !table.contains(&format!("<{name}>")));
    unlisted.map(|name| format!("{FOLDER}/{name} stands in no table")).collect()
}

/// The numbers of that letter in the first column.
fn listed(table: &str, letter: char) -> Vec<u32> {
    let rows =
        table.lines().filter_map(|line| line.strip_prefix("| ")).filter_map(|row| row.split(" | ").next());
    let words = rows.flat_map(|row| row.split([' ', ',']));
    words.filter_map(|word| word.strip_prefix(letter)?.parse().ok()).collect()
}
