//! Reading PGN.

use xiangqi::Setup;

use crate::movetext::{Scanner, Token, build};
use crate::{Game, Headers, Outcome, Place, Tag, Text, Tree, Warning, Warnings};

/// Whether a text has a tag at the beginning of a line.
pub(crate) fn is(text: &str) -> bool {
    text.lines().take(400).any(is_tag)
}

/// Whether a text begins with a tag, so that whatever follows is PGN.
pub(crate) fn is_at_once(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim_start_matches('\u{feff}').trim().is_empty());
    first.is_some_and(is_tag)
}

fn is_tag(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim_start();
    let name = line.strip_prefix('[').map(|rest| rest.trim_start_matches('['));
    let name = name.and_then(|rest| rest.split_once('"')).map_or("", |(name, _)| name.trim());
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A game as it stands in the file, before anything is put on the board.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String, usize)>,
    tokens: Vec<(Token, usize)>,
    /// Whether a result has ended the moves.
    over: bool,
    /// The line on which the advertisement behind the result begins.
    trailer: Option<usize>,
    /// The first line of it on which something stands that could be part of a game.
    lost: Option<usize>,
    /// The tags that open a game, as far as they are there.
    openers: Vec<String>,
    /// How many plies there are.
    plies: usize,
}

impl Draft {
    fn has_moves(&self) -> bool {
        self.over || self.plies > 0
    }

    /// What is missing where a file was cut off; a file without tags promises nothing.
    fn lacks_its_end(&self) -> Option<&'static str> {
        let tag = |wanted: &str| self.tags.iter().find(|(name, ..)| name.eq_ignore_ascii_case(wanted));
        let result = tag("result").map_or("", |(_, value, _)| value.as_str());
        // Writers that know the format repeat it, `*` too; those that write another word for it do not.
        let repeats =
            result == "*" || Outcome::read(result).is_some_and(|outcome| outcome != Outcome::Unknown);
        match self.has_moves() {
            true => (repeats && !self.over).then_some("no result behind the moves"),
            // A position alone is a problem to solve.
            false => (!self.tags.is_empty() && (repeats || tag("fen").is_none()))
                .then_some("no moves and no result"),
        }
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.has_moves()
    }
}

/// Reads all games. Only one is in the air at a time, so that a file of many takes the memory of the games alone.
pub(crate) fn read(text: &str, warnings: &mut Warnings) -> Vec<Game> {
    let mut games = Vec::new();
    let mut last = Draft::default();
    for draft in Drafts::new(text) {
        let before = std::mem::replace(&mut last, draft);
        games.extend((!before.is_empty()).then(|| finish(&before, warnings)));
    }
    if last.is_empty() {
        return games;
    }
    if let Some(problem) = last.lacks_its_end() {
        let what = format!("{problem} in the last game: the file may be cut off");
        warnings.push(Warning { place: Place::Line(text.lines().count()), what });
    }
    games.push(finish(&last, warnings));
    games
}

/// The games of a text as they stand there.
struct Drafts {
    scanner: Scanner,
    draft: Draft,
    depth: usize,
    is_done: bool,
}

impl Drafts {
    fn new(text: &str) -> Drafts {
        Drafts { scanner: Scanner::new(text), draft: Draft::default(), depth: 0, is_done: false }
    }

    /// Takes a token; gives the game that it ends, if it begins another.
    fn take(&mut self, token: Token, line: usize) -> Option<Draft> {
        let draft = &mut self.draft;
        match token {
            Token::Tag(name, value) => {
                let again = draft.has_moves() || draft.openers.contains(&name);
                let before = again.then(|| std::mem::take(draft));
                self.depth = if again { 0 } else { self.depth };
                // It opens a game; where it comes again although no move did, a game without moves stands before.
                if ["Event", "Game"].contains(&&*name) {
                    draft.openers.push(name.clone());
                }
                if draft.tags.len() <= Headers::MOST_FIELDS {
                    draft.tags.push((name, value, line));
                }
                return before;
            }
            // What follows the result is no part of the game, until another begins with its first move.
            Token::Number(1) if draft.over && draft.trailer.is_none() => {
                let before = std::mem::take(draft);
                draft.tokens.push((Token::Number(1), line));
                return Some(before);
            }
            // What is said right behind the result is about the game.
            Token::Comment(_) | Token::Unclosed if draft.over && draft.trailer.is_none() => {
                draft.tokens.push((token, line));
            }
            token if draft.over => {
                draft.trailer.get_or_insert(line);
                let is_lost = matches!(token, Token::Move(_) | Token::Comment(_) | Token::Open);
                draft.lost = draft.lost.or(is_lost.then_some(line));
            }
            Token::Result(_) if self.depth == 0 => {
                // A result before the first move is a remark.
                draft.over = draft.has_moves() || !draft.tags.is_empty();
                draft.tokens.push((token, line));
            }
            token => {
                match token {
                    Token::Open => self.depth += 1,
                    Token::Close => self.depth = self.depth.saturating_sub(1),
                    Token::Move(_) => draft.plies += 1,
                    _ => {}
                }
                // Beyond what a tree holds nothing is kept; the tree says so.
                if draft.plies <= Tree::MOST_PLIES + 1 {
                    draft.tokens.push((token, line));
                }
            }
        }
        None
    }
}

impl Iterator for Drafts {
    type Item = Draft;

    fn next(&mut self) -> Option<Draft> {
        while let Some((token, line)) = self.scanner.next() {
            if let Some(draft) = self.take(token, line) {
                return Some(draft);
            }
        }
        let rest = (!self.is_done).then(|| std::mem::take(&mut self.draft));
        self.is_done = true;
        rest
    }
}

/// Tags that say nothing about the game beyond what stands elsewhere.
const NOISE: [&str; 5] = ["game", "format", "setup", "variant", "version"];

fn finish(draft: &Draft, warnings: &mut Warnings) -> Game {
    let mut game = Game::new();
    for (name, value, line) in &draft.tags {
        match name.to_ascii_lowercase().as_str() {
            "fen" => set_start(&mut game, value, *line, warnings),
            "result" => match Outcome::read(value) {
                Some(outcome) => game.outcome = outcome,
                None if value.is_empty() => {}
                None => game.headers.set(Tag::Termination, value.as_str()),
            },
            noise if NOISE.contains(&noise) => {}
            _ if value.chars().all(|c| c == '?' || c == '.') => {}
            _ => {
                let (tag, text) = (Tag::named(name), Text::new(value.as_str()).with_unix_lines());
                if let Some(before) = game.headers.get(&tag).filter(|before| **before != text) {
                    let what =
                        format!("{name} is {value} here and was {} before; the last counts", before.as_str());
                    warnings.push(Warning { place: Place::Line(*line), what });
                }
                game.headers.set(tag, text);
            }
        }
    }
    if let Some(line) = draft.lost {
        let what = "moves or remarks after the result's line are left out".into();
        warnings.push(Warning { place: Place::Line(line), what });
    }
    let built = build(game.start, &draft.tokens);
    warnings
        .extend(built.oddities.into_iter().map(|(line, what)| Warning { place: Place::Line(line), what }));
    game.start = built.start;
    game.tree = built.tree;
    game.tree.shrink();
    match built.outcome {
        Some(outcome) if game.outcome == Outcome::Unknown => game.outcome = outcome,
        Some(outcome) if outcome != Outcome::Unknown && outcome != game.outcome => {
            let tag = draft.tags.iter().find(|(name, ..)| name.eq_ignore_ascii_case("result"));
            let line = tag.map_or(1, |(.., line)| *line);
            let what = format!(
                "{} behind the moves, {} in the tags; that of the tags is kept",
                outcome.pgn(),
                game.outcome.pgn()
            );
            warnings.push(Warning { place: Place::Line(line), what });
        }
        _ => {}
    }
    game
}

/// Sets the start from a FEN as programs write it: without counters, or a side, or with `r` for Red.
pub(crate) fn set_start(game: &mut Game, fen: &str, line: usize, warnings: &mut Warnings) {
    match read_fen(fen) {
        Ok(start) => game.start = start,
        Err(problem) => {
            let what = format!("{fen:?} is no FEN ({problem}); taken for the usual start");
            warnings.push(Warning { place: Place::Line(line), what });
        }
    }
}

fn read_fen(fen: &str) -> Result<Setup, String> {
    let mut fields = fen.split_ascii_whitespace();
    let board = fields.next().unwrap_or("");
    let side = match fields.next() {
        Some("b" | "B") => "b",
        _ => "w",
    };
    let rest: Vec<&str> = fields.collect();
    let whole = format!("{board} {side} {}", rest.join(" "));
    let bare = || format!("{board} {side}").parse::<Setup>();
    whole.parse::<Setup>().or_else(|_| bare()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plies of each game's main line, and all of its plies.
    fn check(text: &str, expected: &[(usize, usize)]) {
        let games = read(text, &mut Warnings::default());
        let found: Vec<_> =
            games.iter().map(|game| (game.tree.main_line().count(), game.tree.len())).collect();
        assert_eq!(found, expected, "{text}");
        for game in &games {
            assert_eq!(crate::audit(game).faults, [], "{text}");
        }
    }

    #[test]
    fn dialects_of_the_world() {
        check("1.兵七进一炮2平3 2.炮二平五象3进5", &[(4, 4)]);
        check("1. 炮二平五\n1.          马２进３\n2. 马二进三", &[(3, 3)]);
        check("1. Ｃ２＝５　Ｈ８＋７", &[(2, 2)]);
        check("1.砲二平五　馬8進7 2.傌二進三", &[(3, 3)]);
        check("1. H2-E2 H9-G7 2. h0g2 i9h9", &[(4, 4)]);
        check("1. h3e3 h10g8 2. h1g3", &[(3, 3)]);
        check("{开场} 1. 炮二平五 {一 {二} 三} 马8进7 (1... 炮8平5 2. 马二进三) 2. 马二进三 1-0", &[(3, 5)]);
        check("1. 炮二平五 (这是注释) 马8进7", &[(2, 2)]);
        check("[Event \"a\"]\n\n1. 炮二平五 1-0\n=====\n欢迎访问 www.example.org 炮二平五\n", &[(1, 1)]);
        check("[Event \"a\"]\n1. 炮二平五 *\n[Event \"b\"]\n1. 马二进三 马8进7 *", &[(1, 1), (2, 2)]);
        check("1. 炮二平五 1-0 1. 马二进三 0-1", &[(1, 1), (1, 1)]);
        check("1. Che2 Hg7 2. Hg2 {+0.30/18 41} Ri8", &[(4, 4)]);
    }
}
