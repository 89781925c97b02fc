//! Collections for engines: the players, a line that ends in `EOD`, the moves.

use super::tag;

fn event(line: &str) -> Option<&str> {
    line.trim_end().strip_suffix(" EOD")
}

/// Whether a line ends so.
pub(crate) fn is(text: &str) -> bool {
    text.lines().take(4).any(|line| event(line).is_some())
}

/// The line of the event and the players before it become tags.
pub(crate) fn rewritten(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let next_event = |i: usize| lines.get(i + 1).and_then(|line| event(line));
    let rewrite = |(i, line): (usize, &&str)| {
        if let Some(name) = event(line) {
            // Players may be missing; the tag that begins a game must not be.
            let players = i > 0 && !lines[i - 1].trim().is_empty();
            return if players { String::new() } else { tag("Event", name) };
        }
        match (next_event(i), line.split_once(" - ")) {
            (Some(name), Some((red, black))) => {
                format!("{}{}{}", tag("Event", name), tag("Red", red), tag("Black", black))
            }
            (Some(name), None) if !line.trim().is_empty() => {
                format!("{}{}", tag("Event", name), tag("Title", line))
            }
            _ => (*line).to_owned(),
        }
    };
    lines.iter().enumerate().map(rewrite).collect::<Vec<_>>().join("\n")
}
