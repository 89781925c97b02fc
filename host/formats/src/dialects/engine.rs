//! What a controller says to an engine in UCCI or UCI.

use super::tag;

/// The start and the moves of a `position` command.
fn command(line: &str) -> Option<(Option<String>, &str)> {
    // Logs put a time or an arrow before the command.
    let at = line.find("position fen ").or_else(|| line.find("position startpos"))?;
    let rest = line[at..].strip_prefix("position")?.trim_start();
    let (position, moves) = rest.split_once("moves").unwrap_or((rest, ""));
    let fen = position.trim().strip_prefix("fen").map(|fen| fen.trim().to_owned());
    Some((fen, moves.trim()))
}

/// Whether a line gives an engine a position.
pub(crate) fn is(text: &str) -> bool {
    text.lines().take(2000).any(|line| command(line).is_some())
}

/// A game for each position that the next command does not continue.
pub(crate) fn rewritten(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let commands: Vec<_> = lines.iter().map(|line| command(line)).collect();
    let mut following: Option<&(Option<String>, &str)> = None;
    let mut games: Vec<String> = Vec::with_capacity(lines.len());
    for found in commands.iter().rev() {
        let mut written = String::new();
        if let Some(found) = found {
            let continues =
                following.is_some_and(|(fen, moves)| *fen == found.0 && moves.starts_with(found.1));
            if !continues {
                let start = found.0.as_ref().map(|fen| tag("FEN", fen)).unwrap_or_default();
                written = format!("{} {start} {}", tag("Game", ""), found.1);
            }
            following = Some(found);
        }
        games.push(written);
    }
    games.reverse();
    games.join("\n")
}
