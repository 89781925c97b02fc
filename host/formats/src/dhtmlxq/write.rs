//! Writing DhtmlXQ.

use std::fmt::Write as _;

use super::{NAMES, NOISE, digits, field_of, is_code};
use crate::losses::Losses;
use crate::pieces::arrange;
use crate::{Game, Loss, NodeId, Outcome, Ply, Tag, Text, WriteError};

/// Writes a game.
pub(crate) fn write(game: &Game, losses: &mut Losses) -> Result<String, WriteError> {
    let squares = arrange(&game.start.board)?;
    let game = losses.playable(game);
    let mut page = String::from("[DhtmlXQ]\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n");
    write_fields(&game, &mut page, losses);
    let binit: Vec<u8> = squares.iter().flat_map(|square| square.map_or([b'9'; 2], digits)).collect();
    tag(&mut page, "binit", &String::from_utf8_lossy(&binit));
    write_lines(&game, &mut page, losses);
    page.push_str("[/DhtmlXQ]\n");
    if game.start.quiet_plies != 0 || game.start.round != 1 {
        losses.counters();
    }
    let mut told_by_the_first_piece = game.clone().into_owned();
    told_by_the_first_piece.start.turn = xiangqi::Color::Red;
    told_by_the_first_piece.trust_first_piece();
    if told_by_the_first_piece.start.turn != game.start.turn {
        losses.add(Loss::Turn);
    }
    Ok(page)
}

fn tag(page: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
}

fn write_fields(game: &Game, page: &mut String, losses: &mut Losses) {
    let headers = &game.headers;
    let opening = opening(headers.text(&Tag::Ecco), headers.text(&Tag::Opening));
    for (field, text) in headers.iter() {
        let name = match NAMES.iter().find(|(_, known)| known == field) {
            Some((name, _)) => (*name).to_owned(),
            None => field.name().to_ascii_lowercase(),
        };
        let reserved = ["movelist", "binit", "result", "open"].contains(&&*name)
            || NOISE.contains(&&*name)
            || name.starts_with("move_")
            || name.starts_with("comment");
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match field {
            Tag::Ecco | Tag::Opening if opening.is_some() => {}
            _ if reserved || !is_name || field_of(&name) != *field => losses.field(field),
            _ => tag(page, &name, &value(text, Some(field), losses)),
        }
    }
    if let Some(opening) = opening {
        tag(page, "open", &value(&Text::new(opening), Some(&Tag::Opening), losses));
    }
    let result = match game.outcome {
        Outcome::Draw => "和局",
        outcome => outcome.chinese(),
    };
    tag(page, "result", result);
}

/// Code and name as one text, where a reader can take them apart again.
fn opening(code: &str, name: &str) -> Option<String> {
    match (is_code(code), name.trim() == name && !name.is_empty()) {
        (true, true) => Some(format!("{code} {name}")),
        (true, false) if name.is_empty() => Some(code.into()),
        _ => None,
    }
}

/// Text as a tag can hold it: on one line, without brackets that would end it and without space around it.
fn value(text: &Text, tag: Option<&Tag>, losses: &mut Losses) -> String {
    let original = text.as_str();
    let mut value = original.trim().replace(['\r', '\0'], " ");
    if value.contains("||") || value.contains("|\n") || value.contains("\n|") {
        value = value.replace('|', "｜");
    }
    let lower = value.to_ascii_lowercase();
    if lower.contains("[dhtmlxq") || lower.contains("[/dhtmlxq") {
        value = value.replace('[', "［");
    }
    let bare = if tag.is_none() { losses.trimmed(original) } else { original.trim() };
    let trimmed = if tag.is_none() { 0 } else { original.chars().count() - bare.chars().count() };
    let changed = original.trim().chars().zip(value.chars()).filter(|(a, b)| a != b).count();
    let unreadable = if text.raw().is_some() { value.matches('\u{fffd}').count() } else { 0 };
    losses.characters(tag, trimmed + changed + unreadable);
    value.replace('\n', "||")
}

/// A line that waits to be written: its number, the line that it leaves, the ply it begins with, its first node.
struct Line {
    number: usize,
    parent: usize,
    first_ply: usize,
    first: NodeId,
}

fn write_lines(game: &Game, page: &mut String, losses: &mut Losses) {
    let tree = &game.tree;
    comment(page, tree.root().comment.as_ref(), 0, 0, losses);
    losses.beside(tree.root());
    let mut waiting = Vec::new();
    match tree.root().first_child() {
        Some(first) => waiting.push(Line { number: 0, parent: 0, first_ply: 1, first }),
        None => tag(page, "movelist", ""),
    }
    let mut next = 1;
    while let Some(line) = waiting.pop() {
        let mut digits_of_line = String::new();
        let nodes = std::iter::successors(Some(line.first), |id| tree.node(*id).first_child());
        let mut leaving = Vec::new();
        for (ply, id) in (line.first_ply..).zip(nodes) {
            let node = tree.node(id);
            if let Some(m) = node.ply().and_then(Ply::as_move) {
                let four = [digits(m.from), digits(m.to)].concat();
                digits_of_line.extend(four.into_iter().map(char::from));
            }
            comment(page, node.comment.as_ref(), line.number, ply, losses);
            losses.beside(node);
            // A variation's own alternatives were taken with those of the line that it leaves.
            if ply > line.first_ply || line.number == 0 {
                for first in tree.later_siblings(id) {
                    leaving.push(Line { number: next, parent: line.number, first_ply: ply, first });
                    next += 1;
                }
            }
        }
        let name = match line.number {
            0 => "movelist".into(),
            number => format!("move_{}_{}_{number}", line.parent, line.first_ply),
        };
        tag(page, &name, &digits_of_line);
        waiting.extend(leaving.into_iter().rev());
    }
}

fn comment(page: &mut String, comment: Option<&Text>, line: usize, ply: usize, losses: &mut Losses) {
    let Some(comment) = comment else { return };
    let name = if line == 0 { format!("comment{ply}") } else { format!("comment{line}_{ply}") };
    let value = value(comment, None, losses);
    tag(page, &name, &value);
}
