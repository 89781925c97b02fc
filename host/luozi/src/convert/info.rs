//! What a game holds, counted.

use std::path::Path;

use formats::{Game, Ply, Reading, audit, opening};
use serde_json::{Map, Value, json};

use super::shown;

/// More faults than this are counted, not listed.
const MOST_FAULTS: usize = 100;

/// One object for each game of a file.
pub fn of(path: &Path, reading: &Reading) -> Vec<Value> {
    let object = |(number, game): (usize, &Game)| {
        let mut object = counts(game);
        object.insert("file".into(), shown(path));
        object.insert("game".into(), number.into());
        object.insert("format".into(), reading.format.name().into());
        Value::from(object)
    };
    reading.games.iter().enumerate().map(object).collect()
}

fn counts(game: &Game) -> Map<String, Value> {
    let audit = audit(game);
    let tree = &game.tree;
    let faults: Vec<Value> = audit
        .faults
        .iter()
        .take(MOST_FAULTS)
        .map(|(id, fault)| {
            let depth = std::iter::successors(Some(*id), |id| tree.node(*id).parent()).count() - 1;
            let text = match tree.node(*id).ply() {
                Some(Ply::Move(m)) => m.to_string(),
                Some(Ply::Unread(text)) => text.to_string(),
                None => String::new(),
            };
            let on_main_line = std::iter::successors(Some(*id), |id| tree.node(*id).parent()).all(|id| {
                tree.node(id).parent().is_none_or(|parent| tree.node(parent).first_child() == Some(id))
            });
            json!({"ply": depth, "move": text, "why": fault.name(), "main_line": on_main_line})
        })
        .collect();
    let headers: Map<String, Value> =
        game.headers.iter().map(|(tag, text)| (tag.name().to_owned(), text.as_str().into())).collect();
    let object = json!({
        "plies": tree.main_line().count(),
        "legal_plies": audit.legal_plies,
        "nodes": tree.len(),
        "legal_nodes": audit.legal_nodes,
        "bad_nodes": audit.first_faults,
        "branch_points": tree.branch_points(),
        "comments": tree.comments(),
        "start": game.start.to_string(),
        "result": game.outcome.pgn(),
        "outcome": game.outcome.name(),
        "opening": opening(game).map(|o| json!({"code": o.code, "name": o.name, "plies": o.plies})),
        "headers": headers,
        "faults": faults,
    });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// A line for people.
pub fn text(info: &Value) -> String {
    let number = |key: &str| info[key].as_u64().unwrap_or(0);
    let word = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let headers = &info["headers"];
    let title = ["Title", "Event"].map(|key| word(&headers[key])).into_iter().find(|title| !title.is_empty());
    let players = [word(&headers["Red"]), word(&headers["Black"])].join(" – ");
    let illegal = match number("plies") - number("legal_plies") {
        0 => String::new(),
        _ => format!(", illegal from ply {} on", number("legal_plies") + 1),
    };
    format!(
        "{}#{} {}: {} {} {}: {} plies, {} nodes, {} branch points, {} comments{illegal}",
        word(&info["file"]),
        number("game"),
        word(&info["format"]),
        title.unwrap_or_default(),
        players,
        word(&info["result"]),
        number("plies"),
        number("nodes"),
        number("branch_points"),
        number("comments"),
    )
}
