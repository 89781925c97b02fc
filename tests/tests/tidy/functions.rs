//! Functions of a Rust file and their lengths, as rustfmt lays them out: a body ends with a brace at the indentation of
//! its `fn`.

use std::fmt;

/// A function with a body.
pub struct Function<'a> {
    name: &'a str,
    /// Its first line, from 1.
    pub at: usize,
    pub lines: usize,
}

impl fmt::Display for Function<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has {} lines", self.name, self.lines)
    }
}

pub fn of_rust(text: &str) -> impl Iterator<Item = Function<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let measured = move |at: usize| {
        let name = name_of(lines[at])?;
        let indentation = lines[at].len() - lines[at].trim_start().len();
        let closes = |line: &&str| line.len() == indentation + 1 && line.trim_start() == "}";
        // A declaration without a body and a body on one line both end at once.
        if lines[at].ends_with(';') || lines[at].ends_with('}') {
            return None;
        }
        let length = lines[at..].iter().position(closes)? + 1;
        Some(Function { name, at: at + 1, lines: length })
    };
    (0..text.lines().count()).filter_map(measured)
}

/// The name, if the line begins a function.
fn name_of(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    while let Some((word, after)) = rest.split_once(' ') {
        if word == "fn" {
            return after.split(['(', '<']).next();
        }
        if !(word.starts_with("pub") || ["const", "async", "unsafe", "extern", "\"C\""].contains(&word)) {
            return None;
        }
        rest = after;
    }
    None
}

#[test]
fn lengths_are_measured() {
    let text = "pub(crate) const fn a() {\n    1\n}\n\nimpl A {\n    fn b<T>(\n        t: T,\n    ) {\n        if t {\n        }\n    }\n    fn c() {}\n}\n";
    let measured: Vec<_> = of_rust(text).map(|f| (f.name.to_owned(), f.at, f.lines)).collect();
    assert_eq!(measured, [("a".to_owned(), 1, 3), ("b".to_owned(), 6, 6)]);
}
