//! JSON: a game a line, with everything that the tree holds.
//!
//! Plies stand in one list, each with the number of the ply that it follows (0 is the start, then the list's own order
//! from 1). A list has no depth, whatever the tree's.
//!
//! ```json
//! {"headers":{"Red":"…"},"start":"<FEN>","outcome":"red","moves":["h2e2"],"plies":[{"after":0,"move":"h2e2"}]}
//! ```
//!
//! `moves` repeats the main line for readers that want no more. Records with `moves` alone are read, too.

use std::borrow::Cow;

use encoding_rs::Encoding;
use serde_json::{Map, Value, json};
use xiangqi::{Move, Setup};

use crate::{
    Game, Node, NodeId, Outcome, Place, Ply, ReadError, Tag, Text, Tree, Warning, Warnings, audit, linked,
};

/// Whether a text begins as a JSON object does: a brace, a name in quotes, a colon. A comment of PGN does not.
pub(crate) fn is(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let text = text.strip_prefix('[').map_or(text, str::trim_start);
    let name = text.strip_prefix('{').and_then(|rest| rest.trim_start().strip_prefix('"'));
    let after = name.and_then(|rest| rest.split_once('"')).map(|(_, after)| after.trim_start());
    after.is_some_and(|after| after.starts_with(':'))
}

/// Reads the games. Where one is no JSON, or no game, the next begins with the next line that a brace opens.
pub(crate) fn read(text: &str, warnings: &mut Warnings) -> Vec<Game> {
    let text = text.trim_start_matches('\u{feff}');
    let mut source = Cow::Borrowed(text);
    let mut games = Vec::new();
    let (mut at, mut counted, mut line) = (0, 0, 1);
    let mut is_balanced = true;
    let is_list = text.trim_start().starts_with('[');
    while at < text.len() {
        if is_list {
            at = text.len()
                - text[at..].trim_start_matches(|c: char| c.is_whitespace() || "[,]".contains(c)).len();
        }
        let mut values = serde_json::Deserializer::from_str(&source[at..]).into_iter::<Value>();
        let Some(value) = values.next() else { break };
        // Some writers leave line breaks within strings, where JSON has none. Spaces leave every offset as it is.
        let is_broken = |error: &serde_json::Error| without_place(error).starts_with("control character");
        if matches!(source, Cow::Borrowed(_)) && value.as_ref().is_err_and(is_broken) {
            source = text.replace(|c: char| c < ' ', " ").into();
            continue;
        }
        let begin = at + (text[at..].len() - text[at..].trim_start().len());
        line += text[counted..begin].matches('\n').count();
        counted = begin;
        let next = || text[begin..].find("\n{").map_or(text.len(), |next| begin + next + 1);
        let mut warn = |what: String| warnings.push(Warning { place: Place::Line(line), what });
        let (read, end) = match value {
            Ok(value) => (game(&value, &mut warn), at + values.byte_offset()),
            // A scan of unbalanced text goes to its end, so it is made once.
            Err(error) if is_balanced && without_place(&error).starts_with("recursion limit") => {
                match linked::read_deep(&source[begin..]) {
                    Some((game, length)) => (game, begin + length),
                    None => {
                        is_balanced = false;
                        continue;
                    }
                }
            }
            Err(error) => {
                let below = error.line().saturating_sub(1 + text[at..begin].matches('\n').count());
                // What is missing is noticed only where the next begins.
                let below = if below < text[begin..next()].lines().count() { below } else { 0 };
                let what = format!("no JSON: {}", without_place(&error));
                warnings.lose(ReadError::on_line(line + below, what));
                at = next();
                continue;
            }
        };
        at = end;
        match read {
            Ok(game) => games.push(game),
            Err(problem) => warnings.lose(ReadError::on_line(line, problem)),
        }
    }
    games
}

/// What is wrong, without the line, which counts from where reading began.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

fn game(value: &Value, mut warn: impl FnMut(String)) -> Result<Game, String> {
    if value["moves"].is_object() {
        return linked::read(value);
    }
    let mut game = Game::new();
    let fen = ["start", "start_fen", "fen"].iter().find_map(|key| value[key].as_str());
    if let Some(fen) = fen {
        game.start = fen.parse::<Setup>().map_err(|error| format!("start {fen:?} is no FEN: {error}"))?;
    }
    for (key, text) in value["headers"].as_object().into_iter().flatten() {
        game.headers.set(Tag::exactly(key), read_text(text));
    }
    for (key, tag) in [("ecco", Tag::Ecco), ("red", Tag::Red), ("black", Tag::Black), ("event", Tag::Event)] {
        if let Some(text) = value[key].as_str().filter(|_| game.headers.get(&tag).is_none()) {
            game.headers.set(tag, text);
        }
    }
    let outcome = value["outcome"].as_str().and_then(Outcome::named);
    game.outcome = outcome.or_else(|| value["result"].as_str().and_then(Outcome::read)).unwrap_or_default();
    game.tree.node_mut(NodeId::ROOT).comment = comment(value);
    if let Some(plies) = value["plies"].as_array() {
        read_plies(plies, &mut game.tree)?;
    } else if let Some(moves) = value["moves"].as_array() {
        let text = |m: &Value| m.as_str().map_or_else(|| m.to_string(), str::to_owned);
        game.tree = Tree::line(moves.iter().map(|m| read_ply(&text(m))));
    } else if let Some(moves) = value["moves"].as_str() {
        let words = moves.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        game.tree = Tree::line(words.map(read_ply));
    } else {
        warn("an object with neither plies nor moves; taken for a position".into());
    }
    Ok(game)
}

fn read_ply(text: &str) -> Ply {
    text.parse().map_or_else(|_| Ply::Unread(text.into()), Ply::Move)
}

fn read_plies(plies: &[Value], tree: &mut Tree) -> Result<(), String> {
    for (i, ply) in plies.iter().enumerate() {
        let after = ply["after"].as_u64().and_then(|after| tree.nth(usize::try_from(after).ok()?));
        let Some(parent) = after else {
            return Err(format!("ply {} follows no earlier ply", i + 1));
        };
        let id = match (ply["move"].as_str(), ply["unread"].as_str()) {
            (Some(text), _) => {
                let m: Move = text.parse().map_err(|error| format!("ply {}: {text:?}: {error}", i + 1))?;
                tree.add(parent, Ply::Move(m))
            }
            (None, Some(text)) => tree.add(parent, Ply::Unread(text.into())),
            (None, None) => return Err(format!("ply {} has neither move nor unread", i + 1)),
        };
        let node = tree.node_mut(id);
        node.comment = comment(ply);
        node.times.used_ms = ply["used_ms"].as_u64();
        node.times.left_ms = ply["left_ms"].as_u64();
        let glyphs = ply["glyphs"].as_array().into_iter().flatten();
        node.glyphs = glyphs.filter_map(|glyph| u8::try_from(glyph.as_u64()?).ok()).collect();
    }
    Ok(())
}

fn comment(value: &Value) -> Option<Text> {
    value.get("comment").map(read_text)
}

/// A string; or an object with the text, its bytes in hexadecimal and the encoding that did not fit.
fn read_text(value: &Value) -> Text {
    let bytes = value["bytes"].as_str().and_then(from_hex);
    let encoding = value["encoding"].as_str().and_then(|label| Encoding::for_label(label.as_bytes()));
    match (bytes, encoding) {
        (Some(bytes), Some(encoding)) => Text::decode(&bytes, encoding),
        _ => Text::new(value.as_str().or(value["text"].as_str()).unwrap_or("")),
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Writes a game on a line.
pub(crate) fn write(game: &Game) -> String {
    let mut object = Map::new();
    let headers: Map<String, Value> =
        game.headers.iter().map(|(tag, text)| (tag.name().to_owned(), text_value(text))).collect();
    object.insert("headers".into(), headers.into());
    object.insert("start".into(), game.start.to_string().into());
    object.insert("outcome".into(), game.outcome.name().into());
    if let Some(comment) = &game.tree.root().comment {
        object.insert("comment".into(), text_value(comment));
    }
    let main: Vec<Value> = game
        .tree
        .main_line()
        .map_while(|id| game.tree.node(id).ply()?.as_move())
        .map(|m| m.to_string().into())
        .collect();
    object.insert("moves".into(), main.into());
    let mut faults = vec![None; game.tree.nodes().len()];
    for (id, fault) in audit(game).faults {
        faults[id.index()] = Some(fault.name());
    }
    // Numbers in the order of the list, whatever the order in which the tree was made.
    let mut numbers = vec![0; game.tree.nodes().len()];
    let mut plies: Vec<Value> = Vec::with_capacity(game.tree.len());
    for (i, id) in game.tree.preorder().enumerate() {
        numbers[id.index()] = i + 1;
        let node = game.tree.node(id);
        let after = node.parent().map_or(0, |parent| numbers[parent.index()]);
        plies.push(ply_value(node, after, faults[id.index()]));
    }
    object.insert("plies".into(), plies.into());
    format!("{}\n", Value::from(object))
}

fn ply_value(node: &Node, after: usize, fault: Option<&str>) -> Value {
    let mut value = Map::new();
    value.insert("after".into(), after.into());
    match node.ply() {
        Some(Ply::Move(m)) => value.insert("move".into(), m.to_string().into()),
        Some(Ply::Unread(text)) => value.insert("unread".into(), (**text).into()),
        None => None,
    };
    let mut optional = |key: &str, found: Option<Value>| {
        if let Some(found) = found {
            value.insert(key.into(), found);
        }
    };
    optional("fault", fault.map(Value::from));
    optional("comment", node.comment.as_ref().map(text_value));
    optional("used_ms", node.times.used_ms.map(Value::from));
    optional("left_ms", node.times.left_ms.map(Value::from));
    optional("glyphs", (!node.glyphs.is_empty()).then(|| node.glyphs.clone().into()));
    value.into()
}

fn text_value(text: &Text) -> Value {
    match (text.raw(), text.tried()) {
        (Some(bytes), Some(encoding)) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({"text": text.as_str(), "bytes": hex, "encoding": encoding.name()})
        }
        _ => text.as_str().into(),
    }
}
