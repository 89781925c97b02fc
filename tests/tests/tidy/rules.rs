//! The articles of `host/xiangqi/RULES.md` and the marks in the code that enforce and test them.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::sources::{self, Source};

const RULES: &str = "host/xiangqi/RULES.md";
pub const INDEX: &str = "host/xiangqi/RULES-INDEX.md";

/// A row of RULES.md.
struct Article {
    /// Its number in 1999 and in 2010.
    numbers: [Option<String>; 2],
    /// Not enforced yet.
    open: bool,
    enforced: BTreeSet<String>,
    tested: BTreeSet<String>,
    exceptions: BTreeSet<String>,
}

/// `//= 5.3`, `//= 3.2 test (2010)`, `//= 5.10 exception: why`.
#[derive(Debug, PartialEq, Eq)]
struct Mark<'a> {
    number: &'a str,
    /// The column that the year names.
    edition: Option<usize>,
    says: Says<'a>,
}

#[derive(Debug, PartialEq, Eq)]
enum Says<'a> {
    Enforced,
    Tested,
    Exception(&'a str),
}

pub struct Rules {
    articles: Vec<Article>,
}

impl Rules {
    /// Reads articles and marks. What is wrong with the marks comes with them.
    pub fn read() -> (Rules, Vec<String>) {
        let all = sources::all();
        let page = all.iter().find(|source| source.name == RULES).expect("RULES.md stands where it should");
        let mut rules = Rules { articles: page.text.lines().filter_map(Article::of_row).collect() };
        assert!(rules.articles.len() > 50, "{RULES} has no table of articles");
        let mut complaints = Vec::new();
        for source in &all {
            for (number, mark) in marks(source) {
                let result = mark.and_then(|mark| rules.enter(&mark, &source.name));
                complaints.extend(result.err().map(|why| format!("{}:{number}: {why}", source.name)));
            }
            for mark in articles_of_scenario(source) {
                // A scenario may name articles that we only mention, such as the arbiter's duties.
                let _ = rules.enter(&mark, &source.name);
            }
        }
        (rules, complaints)
    }

    fn enter(&mut self, mark: &Mark<'_>, file: &str) -> Result<(), String> {
        let number = mark.number;
        let mut found = self.articles.iter_mut().filter(|article| article.is_named(mark));
        let article = found.next().ok_or_else(|| format!("no article {number} in {RULES}"))?;
        if found.next().is_some() {
            return Err(format!("{number} is one article of 1999 and another of 2010: say which"));
        }
        match mark.says {
            Says::Enforced => article.enforced.insert(file.to_owned()),
            Says::Tested => article.tested.insert(file.to_owned()),
            Says::Exception(why) => article.exceptions.insert(why.to_owned()),
        };
        Ok(())
    }

    /// Articles that nothing enforces or tests, and articles that are said to be open and are not.
    pub fn gaps(&self) -> impl Iterator<Item = String> + '_ {
        self.articles.iter().filter_map(|article| {
            let done = !article.exceptions.is_empty()
                || (!article.enforced.is_empty() && !article.tested.is_empty());
            let fault = match (article.open, done) {
                (false, true) | (true, false) => return None,
                (true, true) => "is enforced and tested; its state is open no longer",
                (false, false) if article.enforced.is_empty() => {
                    "has no line that enforces it, and no exception"
                }
                (false, false) => "has no test, and no exception",
            };
            Some(format!("article {}: {fault}", article.name()))
        })
    }

    /// The page that tells where each article is enforced.
    pub fn index(&self) -> String {
        let mut page = String::from(
            "# Where the articles are enforced\n\n\
             Generated from the marks `//= 5.3` in the code; `RULES_INDEX=write cargo test -p tests --test tidy` writes it \
             anew.\nSearch a file for the mark to find the line.\n\n\
             | 1999 | 2010 | enforced in | tested in | cannot be sensed |\n|---|---|---|---|---|\n",
        );
        let list = |files: &BTreeSet<String>| {
            files.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ")
        };
        for article in &self.articles {
            let [of_1999, of_2010] = article.numbers.each_ref().map(|n| n.as_deref().unwrap_or("–"));
            let enforced = if article.open { "*open*".to_owned() } else { list(&article.enforced) };
            let why = article.exceptions.iter().cloned().collect::<Vec<_>>().join("; ");
            let row = format!("| {of_1999} | {of_2010} | {enforced} | {} | {why} |", list(&article.tested));
            writeln!(page, "{}", row.replace("|  |", "| |").replace("|  |", "| |")).expect("a string grows");
        }
        page
    }
}

impl Article {
    /// `| 1999 | 2010 | article | state |`
    fn of_row(line: &str) -> Option<Article> {
        let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
        let &[of_1999, of_2010, _, state] = cells.as_slice() else { return None };
        let number = |cell: &str| is_number(cell).then(|| cell.to_owned());
        let numbers = [number(of_1999), number(of_2010)];
        if numbers.iter().all(Option::is_none) {
            return None;
        }
        let (enforced, tested, exceptions) = Default::default();
        Some(Article { numbers, open: state == "open", enforced, tested, exceptions })
    }

    fn is_named(&self, mark: &Mark<'_>) -> bool {
        let matches = |column: usize| self.numbers[column].as_deref() == Some(mark.number);
        match mark.edition {
            Some(column) => matches(column),
            None => matches(0) || matches(1),
        }
    }

    fn name(&self) -> String {
        let [of_1999, of_2010] = self.numbers.each_ref().map(|n| n.as_deref().unwrap_or("–"));
        format!("{of_1999} / {of_2010}")
    }
}

/// The marks of a file with their lines.
fn marks(source: &Source) -> Vec<(usize, Result<Mark<'_>, String>)> {
    if !source.is_any(&["rs", "ts", "svelte"]) {
        return Vec::new();
    }
    let lines = (1..).zip(source.text.lines());
    lines.filter_map(|(at, line)| Some((at, Mark::read(line.trim_start().strip_prefix("//= ")?)))).collect()
}

/// The articles that the title of a scenario names before its colon, as `# 23.1, 9.1.3 and 8.1(3): …`. Scenarios in `open`
/// do not hold yet.
fn articles_of_scenario(source: &Source) -> impl Iterator<Item = Mark<'_>> {
    let counts = source.name.starts_with("tests/scenarios/") && !source.name.contains("/open/");
    let title = source.text.strip_prefix("# ").filter(|_| counts && source.is_any(&["txt"]));
    let words = title.and_then(|title| title.split_once(':')).map_or("", |(before, _)| before);
    let numbers = words.split([' ', ',']).filter(|word| is_number(word));
    numbers.map(|number| Mark { number, edition: None, says: Says::Tested })
}

/// `5.3`, `4.1(8)`, `24`; a year is none.
fn is_number(text: &str) -> bool {
    let chapter = text.split(['.', '(']).next().unwrap_or(text);
    matches!(chapter.len(), 1 | 2) && text.chars().all(|c| c.is_ascii_digit() || ".()".contains(c))
}

impl Mark<'_> {
    fn read(text: &str) -> Result<Mark<'_>, String> {
        let (text, says) = match text.split_once(" exception:") {
            Some((text, why)) if !why.trim().is_empty() => (text, Some(Says::Exception(why.trim()))),
            Some(_) => return Err("an exception without a reason".into()),
            None => (text, None),
        };
        let mut mark = Mark { number: "", edition: None, says: says.unwrap_or(Says::Enforced) };
        for word in text.split_whitespace() {
            match word {
                "(1999)" => mark.edition = Some(0),
                "(2010)" => mark.edition = Some(1),
                "test" if mark.says == Says::Enforced => mark.says = Says::Tested,
                number if mark.number.is_empty() && is_number(number) => mark.number = number,
                _ => return Err(format!("{text:?} is no mark such as 5.3, 5.3 test or 3.2 (2010)")),
            }
        }
        if mark.number.is_empty() { Err("a mark without an article".into()) } else { Ok(mark) }
    }
}

#[test]
fn marks_are_read() {
    let mark = |number, edition, says| Ok(Mark { number, edition, says });
    assert_eq!(Mark::read("5.3"), mark("5.3", None, Says::Enforced));
    assert_eq!(Mark::read("4.1(8) test"), mark("4.1(8)", None, Says::Tested));
    assert_eq!(Mark::read("3.2 test (2010)"), mark("3.2", Some(1), Says::Tested));
    assert_eq!(Mark::read("5.10 exception: no reed"), mark("5.10", None, Says::Exception("no reed")));
    assert!(Mark::read("five").is_err() && Mark::read("").is_err() && Mark::read("5.3 exception:").is_err());
}
