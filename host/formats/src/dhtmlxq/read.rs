//! Reading DhtmlXQ.

use std::collections::BTreeMap;

use xiangqi::{Board, Color, Piece, Setup};

use super::blocks::{Block, blocks, script_moves};
use super::{NOISE, a_move, field_of, is_code, square};
use crate::pieces::PIECES;
use crate::{Game, NodeId, Outcome, Place, Ply, ReadError, Tag, Text, Warning, Warnings, audit};

/// Whether a page holds tags of this kind.
pub(crate) fn is(page: &str) -> bool {
    page.to_ascii_lowercase().contains("[dhtmlxq")
}

/// Reads every game of a page.
pub(crate) fn read(page: &str, warnings: &mut Warnings) -> Result<Vec<Game>, ReadError> {
    let mut blocks = blocks(page);
    if blocks.is_empty() {
        return Err(ReadError::of_file("there is a [DhtmlXQ] but no tag in it"));
    }
    if let ([block], Some(moves)) = (&mut blocks[..], script_moves(page)) {
        // The page's own list is empty on pages that show the game as it is played.
        let inline = block.tags.entry("movelist".into()).or_insert(moves);
        if inline.is_empty() {
            *inline = moves;
        }
    }
    // Pages explain a position with a board of its own, beside the games.
    let has_moves = |block: &Block<'_>| block.tags.contains_key("movelist");
    if blocks.iter().any(has_moves) {
        for block in blocks.iter().filter(|block| !has_moves(block)) {
            let what = "a board without moves, not taken for a game".into();
            warnings.push(Warning { place: Place::Line(block.line), what });
        }
        blocks.retain(has_moves);
    }
    Ok(blocks.iter().map(|block| read_block(page, block, warnings)).collect())
}

/// Reads a bare list of moves: digits alone, of which each four are a move on the board.
pub(crate) fn read_digits(text: &str) -> Option<Game> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if digits.len() < 8 || !digits.len().is_multiple_of(4) {
        return None;
    }
    let moves: Option<Vec<Ply>> = digits.chunks(4).map(|four| a_move(four).map(Ply::Move)).collect();
    let mut game = Game::new();
    game.tree = crate::Tree::line(moves?);
    game.trust_first_piece();
    // Digits that are something else seldom begin with a legal move.
    (audit(&game).legal_plies > 0).then_some(game)
}

/// More complaints about one game are not made.
const MOST_COMPLAINTS: usize = 100;

fn read_block(page: &str, block: &Block<'_>, warnings: &mut Warnings) -> Game {
    let mut complaints = 0;
    // A complaint is about a part of the page; it is on the line on which that part stands.
    let mut warn = |part: &str, what: String| {
        complaints += 1;
        if complaints <= MOST_COMPLAINTS {
            let before =
                (part.as_ptr() as usize).checked_sub(page.as_ptr() as usize).and_then(|at| page.get(..at));
            let line = before.map_or(block.line, |before| before.matches('\n').count() + 1);
            warnings.push(Warning { place: Place::Line(line), what });
        }
    };
    let mut game = Game::new();
    let binit = block.tags.get("binit").copied().unwrap_or("");
    if let Some(board) = read_board(binit) {
        game.start = Setup { board, turn: Color::Red, quiet_plies: 0, round: 1 };
    } else if !binit.is_empty() {
        warn(binit, "binit is not 64 digits; taken for the usual start".into());
    }
    let end = page.get(page.len()..).unwrap_or(page);
    match block.open.as_deref() {
        Some("") => warn(end, "no [/DhtmlXQ] at the end: the file may be cut off".into()),
        Some(name) => warn(end, format!("the tag {name} has no end: the file is cut off")),
        None => {}
    }
    let mut lines = Lines::default();
    let main = block.tags.get("movelist").copied().unwrap_or("");
    lines.add(&mut game, 0, NodeId::ROOT, 1, main, &mut warn);
    let announced = block.tags.get("length").and_then(|length| length.trim().parse::<usize>().ok());
    let there = game.tree.len();
    if let Some(announced) = announced.filter(|announced| *announced > there) {
        warn(main, format!("{announced} plies announced, {there} there"));
    }
    read_variations(block, &mut game, &mut lines, &mut warn);
    for (name, value) in &block.tags {
        read_field(name, value, &mut game, &lines, &mut warn);
    }
    split_opening(&mut game);
    game.trust_first_piece();
    game
}

/// 32 squares of two digits, in XQF's order of pieces; `99` is off the board.
fn read_board(digits: &str) -> Option<Board> {
    let digits = digits.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut board = Board::EMPTY;
    for (pair, letter) in digits.chunks(2).zip(PIECES) {
        if let (Some(square), Some(piece)) = (square(pair), Piece::from_letter(char::from(*letter))) {
            board.put(square, piece);
        }
    }
    Some(board)
}

/// The numbered lines of a game: the ply at which each begins, and its nodes.
#[derive(Default)]
struct Lines(BTreeMap<usize, (usize, NodeId, Vec<NodeId>)>);

impl Lines {
    fn add(
        &mut self,
        game: &mut Game,
        number: usize,
        parent: NodeId,
        first_ply: usize,
        digits: &str,
        warn: &mut impl FnMut(&str, String),
    ) {
        let bare: Vec<u8> = digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let mut last = parent;
        let mut nodes = Vec::new();
        for four in bare.chunks(4) {
            let ply = match a_move(four) {
                Some(m) => Ply::Move(m),
                None => {
                    let text = String::from_utf8_lossy(four).into_owned();
                    let place = match number {
                        0 => "movelist".to_owned(),
                        number => format!("variation {number}"),
                    };
                    warn(digits, format!("{place}: {text} is no move of four digits; kept as text"));
                    Ply::Unread(text.into())
                }
            };
            last = game.tree.add(last, ply);
            nodes.push(last);
        }
        self.0.insert(number, (first_ply, parent, nodes));
    }

    /// The node after so many plies along a line, from the game's start.
    fn node(&self, game: &Game, number: usize, plies: usize) -> Option<NodeId> {
        let (first_ply, parent, nodes) = self.0.get(&number)?;
        if plies >= *first_ply {
            return nodes.get(plies - first_ply).copied();
        }
        let mut node = *parent;
        for _ in plies..first_ply - 1 {
            node = game.tree.node(node).parent()?;
        }
        Some(node)
    }
}

/// A variation as its tag gives it.
struct Variation<'a> {
    parent: usize,
    first_ply: usize,
    number: usize,
    digits: &'a str,
}

fn read_variations(
    block: &Block<'_>,
    game: &mut Game,
    lines: &mut Lines,
    warn: &mut impl FnMut(&str, String),
) {
    let mut leaving: BTreeMap<usize, Vec<Variation<'_>>> = BTreeMap::new();
    for (name, digits) in &block.tags {
        let Some(rest) = name.strip_prefix("move_") else { continue };
        let numbers: Vec<usize> = rest.split('_').filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [parent, first_ply, number] if first_ply > 0 && number > 0 => {
                let variation = Variation { parent, first_ply, number, digits };
                leaving.entry(parent).or_default().push(variation);
            }
            _ => warn(digits, format!("{name} names no variation; its moves are left out")),
        }
    }
    // A line can be read once the line that it leaves is there; of those that can be, the lowest number comes first.
    let mut ready: BTreeMap<usize, Variation<'_>> = BTreeMap::new();
    let mut done = 0;
    loop {
        for variation in leaving.remove(&done).into_iter().flatten() {
            ready.insert(variation.number, variation);
        }
        let Some((number, variation)) = ready.pop_first() else { break };
        match lines.node(game, variation.parent, variation.first_ply - 1) {
            Some(node) => lines.add(game, number, node, variation.first_ply, variation.digits, warn),
            None => warn(variation.digits, missing(&variation)),
        }
        done = number;
    }
    leaving.values().flatten().for_each(|variation| warn(variation.digits, missing(variation)));
}

fn missing(variation: &Variation<'_>) -> String {
    let Variation { parent, first_ply, number, .. } = variation;
    format!("variation {number} leaves variation {parent} at ply {first_ply}, which is not there; left out")
}

fn read_field(name: &str, value: &str, game: &mut Game, lines: &Lines, warn: &mut impl FnMut(&str, String)) {
    if let Some(place) = name.strip_prefix("comment") {
        let numbers: Option<Vec<usize>> = place.split('_').map(|number| number.parse().ok()).collect();
        let node = match numbers.as_deref() {
            Some(&[plies]) => lines.node(game, 0, plies),
            Some(&[line, plies]) => lines.node(game, line, plies),
            _ => None,
        };
        match node {
            Some(_) if value.is_empty() => {}
            Some(node) => game.tree.node_mut(node).add_comment(text(value)),
            None => warn(value, format!("{name} belongs to no ply; left out: {value}")),
        }
    } else if name == "result" {
        match Outcome::read(value) {
            Some(outcome) => game.outcome = outcome,
            None => game.headers.set(Tag::Termination, text(value)),
        }
    } else if !["binit", "movelist"].contains(&name) && !name.starts_with("move_") && !NOISE.contains(&name) {
        game.headers.set(field_of(name), text(value));
    }
}

fn text(value: &str) -> Text {
    Text::new(value.replace("||", "\n")).with_unix_lines()
}

/// `open` holds the opening's code and its name.
fn split_opening(game: &mut Game) {
    let open = Tag::Other("open".into());
    let text = game.headers.text(&open).trim().to_owned();
    let code = text.get(..3).filter(|code| is_code(code) && (text.len() == 3 || text[3..].starts_with(' ')));
    let (code, name) = match code {
        Some(code) => (code, text[3..].trim()),
        None => ("", &text[..]),
    };
    game.headers.set(open, "");
    if !code.is_empty() {
        game.headers.set(Tag::Ecco, code);
    }
    if !name.is_empty() {
        game.headers.set(Tag::Opening, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, plies: usize) {
        let games = read(page, &mut Warnings::default()).expect("a page");
        assert_eq!(games.len(), 1, "{page}");
        assert_eq!(games[0].tree.main_line().count(), plies, "{page}");
    }

    /// Pages that show a game as it is played keep the list of moves in a script; the list within the frame is empty.
    #[test]
    fn moves_are_found_in_a_script() {
        let frame =
            "[DhtmlXQ][DhtmlXQ_title]x[/DhtmlXQ_title][DhtmlXQ_movelist][/DhtmlXQ_movelist][/DhtmlXQ]";
        let tagged = "var DhtmlXQ_movelist = '[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]';";
        check(&format!("{frame}<script>{tagged}</script>"), 2);
        check(&format!("<script>{tagged}</script>{frame}"), 2);
        check(&format!("{frame}<script>var DhtmlXQ_movelist=\"774770627967\"</script>"), 3);
        check(frame, 0);
    }

    #[test]
    fn values_end_at_any_closing_tag() {
        check(
            "[DhtmlXQ][DhtmlXQ_blacktime]1[/DhtmlXQ_time][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]",
            1,
        );
    }
}
