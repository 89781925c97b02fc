//! Writing DhtmlXQ.

use std::fmt::Write as _;

use super::{NAMES, NOISE, digits};
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
    let mut open = headers.text(&Tag::Ecco).to_owned();
    if !headers.text(&Tag::Opening).is_empty() {
        open = format!("{open} {}", headers.text(&Tag::Opening)).trim().into();
    }
    for (field, text) in headers.iter() {
        let name = match NAMES.iter().find(|(_, known)| known == field) {
            Some((name, _)) => (*name).to_owned(),
            None => field.name().to_ascii_lowercase(),
        };
        let reserved = ["movelist", "binit", "result"].contains(&&*name)
            || name.starts_with("move_")
            || name.starts_with("comment");
        match field {
            Tag::Ecco | Tag::Opening => {}
            Tag::Other(own) if **own != *name || reserved || !is_name(&name) => losses.field(field),
            _ if NOISE.contains(&&*name) => losses.field(field),
            _ => tag(page, &name, &value(text, Some(field), losses)),
        }
    }
    if !open.is_empty() {
        tag(page, "open", &value(&Text::new(open), Some(&Tag::Opening), losses));
    }
    let result = match game.outcome {
        Outcome::Draw => "和局",
        outcome => outcome.chinese(),
    };
    tag(page, "result", result);
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Text as a tag can hold it: on one line, without brackets that would end it.
fn value(text: &Text, tag: Option<&Tag>, losses: &mut Losses) -> String {
    let mut value = text.as_str().to_owned();
    if value.contains("||") {
        losses.characters(tag, value.matches("||").count());
        value = value.replace("||", "｜｜");
    }
    if value.to_ascii_lowercase().contains("[dhtmlxq") || value.to_ascii_lowercase().contains("[/dhtmlxq") {
        losses.characters(tag, value.matches('[').count());
        value = value.replace('[', "［");
    }
    if text.raw().is_some() {
        losses.characters(tag, value.matches('\u{fffd}').count());
    }
    let trimmed = value.trim();
    if trimmed.len() != value.len() {
        losses.characters(tag, value.chars().count() - trimmed.chars().count());
    }
    trimmed.replace('\n', "||")
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
