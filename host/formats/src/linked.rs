//! JSON in which each ply is an object that holds the next (`n`) and its alternative (`o`), squares as rank * 10 + file.
//!
//! A game of that kind is as deep as it is long, and a parser that calls itself ends at some depth. So deep text is cut
//! into objects without objects in them first.

use std::borrow::Cow;
use std::mem;

use serde_json::Value;
use xiangqi::{File, Move, Rank, Square};

use crate::{Game, NodeId, Outcome, Ply, Tag, Text, Tree, Warnings};

/// Reads a game.
///
/// # Errors
///
/// None of a value that was parsed whole.
pub(crate) fn read(value: &Value) -> Result<Game, String> {
    game(Cow::Borrowed(value), &mut [])
}

/// Reads the game that a text begins with, whatever its depth; and how long it is. `None` if its braces do not close, or
/// if there are more of them than a game has plies.
pub(crate) fn read_deep(text: &str) -> Option<(Result<Game, String>, usize)> {
    let (mut parts, length) = cut(text)?;
    let whole = parts.len().checked_sub(1)?;
    let game = part(whole, &mut parts).and_then(|value| game(Cow::Owned(value), &mut parts));
    Some((game, length))
}

/// Cuts the object that a text begins with into objects of which none holds another: in the place of each stands its
/// number. Inner ones come first, the whole is the last.
fn cut(text: &str) -> Option<(Vec<String>, usize)> {
    let mut parts: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let (mut copied, mut is_string, mut is_escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' => {
                if let Some(outer) = open.last_mut() {
                    outer.push_str(&text[copied..at]);
                }
                if open.len() + parts.len() > Tree::MOST_PLIES {
                    return None;
                }
                open.push(String::new());
                copied = at;
            }
            b'}' => {
                let mut inner = open.pop()?;
                inner.push_str(&text[copied..=at]);
                copied = at + 1;
                if let Some(outer) = open.last_mut() {
                    outer.push_str(&parts.len().to_string());
                }
                parts.push(inner);
                if open.is_empty() {
                    return Some((parts, at + 1));
                }
            }
            _ => {}
        }
    }
    None
}

/// One of the parts, which is given once: what a file says in the place of a number leads to no part twice.
fn part(number: usize, parts: &mut [String]) -> Result<Value, String> {
    let text = parts.get_mut(number).map(mem::take).filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| format!("no JSON of this kind: {number} where a ply was expected"))?;
    serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}, in {:?}", beginning(&text)))
}

fn beginning(text: &str) -> String {
    text.chars().take(40).collect()
}

/// What an object holds under a key, from among the parts where it is one.
fn held<'v>(object: &Cow<'v, Value>, key: &str, parts: &mut [String]) -> Result<Cow<'v, Value>, String> {
    let value = match object {
        Cow::Borrowed(object) => Cow::Borrowed(&object[key]),
        Cow::Owned(object) => Cow::Owned(object[key].clone()),
    };
    match value.as_u64().and_then(|number| usize::try_from(number).ok()) {
        Some(number) if !parts.is_empty() => part(number, parts).map(Cow::Owned),
        _ => Ok(value),
    }
}

fn game(value: Cow<'_, Value>, parts: &mut [String]) -> Result<Game, String> {
    let mut game = Game::new();
    for (key, text) in held(&value, "info", parts)?.as_object().into_iter().flatten() {
        match (key.to_ascii_lowercase().as_str(), text.as_str().unwrap_or("").trim()) {
            ("fen", fen) => {
                crate::pgn::set_start(&mut game, fen, 1, &mut Warnings::default());
            }
            ("result", text) => game.outcome = Outcome::read(text).unwrap_or_default(),
            ("version", _) => {}
            (_, text) => game.headers.set(Tag::named(key), text),
        }
    }
    let remark = |value: &Value| {
        let text = value.as_str().unwrap_or("").trim();
        (!text.is_empty()).then(|| Text::from(text).with_unix_lines())
    };
    game.tree.node_mut(NodeId::ROOT).comment = remark(&value["remark"]);
    let mut waiting = vec![(NodeId::ROOT, held(&value, "moves", parts)?)];
    while let Some((parent, ply)) = waiting.pop() {
        let Some(read) = read_ply(&ply) else { continue };
        let id = game.tree.add(parent, read);
        game.tree.node_mut(id).comment = remark(&ply["r"]);
        waiting.push((parent, held(&ply, "o", parts)?));
        waiting.push((id, held(&ply, "n", parts)?));
    }
    game.trust_first_piece();
    Ok(game)
}

/// The ply of an object; none of an object that says nothing, which some writers put behind the last.
fn read_ply(ply: &Value) -> Option<Ply> {
    if ply.as_object().is_none_or(|object| object.is_empty()) {
        return None;
    }
    let square = |key: &str| {
        let number = usize::try_from(ply[key].as_u64()?).ok()?;
        Some(Square::at(File::new(number % 10)?, Rank::new(number / 10)?))
    };
    Some(match (square("f"), square("t")) {
        (Some(from), Some(to)) => Ply::Move(Move::new(from, to)),
        _ => Ply::Unread(format!("{}-{}", ply["f"], ply["t"]).into()),
    })
}
