//! Lists of positions for solving: a FEN a line, with a name and a bar before it or without.

use crate::dialects::is_fen;
use crate::pgn::set_start;
use crate::{Game, Tag, Warnings};

fn problem(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let (name, fen) = line.rsplit_once('|').unwrap_or(("", line));
    is_fen(fen).then_some((name.trim(), fen.trim()))
}

/// Whether every line that says something is a problem, and there are several or they have names.
pub(crate) fn is(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut count = 0;
    lines.all(|line| {
        count += 1;
        problem(line).is_some()
    }) && (count > 1 || text.contains('|'))
}

/// A game without moves for each.
pub(crate) fn read(text: &str, warnings: &mut Warnings) -> Vec<Game> {
    let mut games = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((name, fen)) = problem(line) else { continue };
        let mut game = Game::new();
        game.headers.set(Tag::Title, name);
        set_start(&mut game, fen, number + 1, warnings);
        games.push(game);
    }
    games
}
