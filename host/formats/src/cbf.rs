//! CBF, CCBridge's XML: a head of named fields and a list of moves in the order of its stream.

use std::fmt::Write as _;

use roxmltree::{Document, Node as Element, ParsingOptions};
use xiangqi::{Setup, Square};

use crate::losses::Losses;
use crate::{Game, NodeId, Outcome, Place, Ply, ReadError, Tag, Text, Warning, Warnings};

/// The names of the head's fields.
const NAMES: [(&str, Tag); 24] = [
    ("Name", Tag::Title),
    ("From", Tag::Source),
    ("ContestType", Tag::EventClass),
    ("Contest", Tag::Event),
    ("Round", Tag::Round),
    ("Group", Tag::Group),
    ("Table", Tag::Table),
    ("Date", Tag::Date),
    ("Site", Tag::Site),
    ("TimeRule", Tag::TimeControl),
    ("Red", Tag::Red),
    ("RedTeam", Tag::RedTeam),
    ("RedTime", Tag::RedTime),
    ("RedRating", Tag::RedElo),
    ("Black", Tag::Black),
    ("BlackTeam", Tag::BlackTeam),
    ("BlackTime", Tag::BlackTime),
    ("BlackRating", Tag::BlackElo),
    ("Referee", Tag::Referee),
    ("Recorder", Tag::Recorder),
    ("Commentator", Tag::Annotator),
    ("Creator", Tag::Author),
    ("DateCreated", Tag::Created),
    ("DateModified", Tag::Modified),
];

/// Whether a text is such a file.
pub(crate) fn is(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(400).collect();
    start.starts_with('<') && start.contains("<ChineseChessRecord")
}

/// Reads the game.
pub(crate) fn read(text: &str, warnings: &mut Warnings) -> Result<Game, ReadError> {
    // No entity of its own, so none that grows.
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text.trim_start(), options).map_err(|error| {
        let line = error.pos().row as usize;
        ReadError::on_line(line, format!("not well-formed XML: {error}"))
    })?;
    let line = |element: Element<'_, '_>| document.text_pos_at(element.range().start).row as usize;
    let mut game = Game::new();
    for field in elements(&document, "Head").flat_map(|head| head.children()) {
        let value = field.text().unwrap_or("").trim();
        if value.is_empty() || !field.is_element() {
            continue;
        }
        match field.tag_name().name() {
            "FEN" => match value.parse::<Setup>() {
                Ok(start) => game.start = start,
                Err(error) => {
                    let what = format!("not a FEN ({error}); taken for the usual start");
                    warnings.push(Warning { place: Place::Line(line(field)), what });
                }
            },
            "RecordResult" => game.outcome = outcome(value),
            name => {
                let known = NAMES.iter().find(|(known, _)| *known == name).map(|(_, tag)| tag.clone());
                game.headers.set(known.unwrap_or_else(|| Tag::named(name)), value);
            }
        }
    }
    let moves = elements(&document, "MoveList").flat_map(|list| list.children());
    read_moves(moves.filter(|child| child.has_tag_name("Move")), &mut game, |element, what| {
        warnings.push(Warning { place: Place::Line(line(element)), what });
    });
    game.trust_first_piece();
    Ok(game)
}

fn elements<'a>(document: &'a Document<'a>, name: &'a str) -> impl Iterator<Item = Element<'a, 'a>> {
    document.root_element().children().filter(move |child| child.has_tag_name(name))
}

fn outcome(value: &str) -> Outcome {
    match value {
        "1" => Outcome::RedWins,
        "2" => Outcome::BlackWins,
        "3" => Outcome::Draw,
        "4" => Outcome::Several,
        _ => Outcome::Unknown,
    }
}

fn read_moves<'a>(
    moves: impl Iterator<Item = Element<'a, 'a>>,
    game: &mut Game,
    mut warn: impl FnMut(Element<'_, '_>, String),
) {
    let mut pending: Vec<NodeId> = Vec::new();
    let mut parent = None;
    let mut over = false;
    let mut last = None;
    for element in moves {
        if over {
            warn(element, "a move after the last line has ended; left out with all that follow".into());
            return;
        }
        let node = match parent {
            None => NodeId::ROOT,
            Some(parent) => game.tree.add(parent, ply(element.attribute("value").unwrap_or(""))),
        };
        if let Some(comment) = element.text().filter(|text| !text.is_empty()) {
            game.tree.node_mut(node).comment = Some(Text::from(comment).with_unix_lines());
        }
        let flag = |name| element.attribute(name) == Some("1");
        if let Some(parent) = parent.filter(|_| flag("branch")) {
            pending.push(parent);
        }
        parent = if flag("end") { pending.pop() } else { Some(node) };
        over = parent.is_none();
        last = Some(element);
    }
    if let Some(element) = last.filter(|_| !over) {
        warn(element, "the list of moves ends within a line; what is there is kept".into());
    }
}

/// `77-47`: file and rank from the top, twice.
fn ply(value: &str) -> Ply {
    let digits: Vec<u8> = value.bytes().filter(|byte| *byte != b'-').collect();
    crate::dhtmlxq::a_move(&digits).map_or_else(|| Ply::Unread(value.into()), Ply::Move)
}

/// Writes a game.
pub(crate) fn write(game: &Game, losses: &mut Losses) -> String {
    let game = losses.playable(game);
    let mut file =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord Version=\"1.0\">\n");
    file.push_str(" <Head>\n");
    for (name, tag) in NAMES.iter().map(|(name, tag)| (*name, tag)).chain([("ECCO", &Tag::Ecco)]) {
        let text = game.headers.text(tag);
        losses.characters(Some(tag), text.chars().count() - text.trim().chars().count());
        field(&mut file, name, &xml(text.trim(), Some(tag), losses));
    }
    let others = game.headers.iter().filter(|(tag, _)| NAMES.iter().all(|(_, known)| known != *tag));
    others.filter(|(tag, _)| **tag != Tag::Ecco).for_each(|(tag, _)| losses.field(tag));
    let result = match game.outcome {
        Outcome::Unknown => 0,
        Outcome::RedWins => 1,
        Outcome::BlackWins => 2,
        Outcome::Draw => 3,
        Outcome::Several => 4,
    };
    field(&mut file, "RecordResult", &result.to_string());
    field(&mut file, "FEN", &game.start.to_string());
    file.push_str(" </Head>\n <MoveList>\n");
    let tree = &game.tree;
    for id in std::iter::once(NodeId::ROOT).chain(tree.preorder()) {
        let node = tree.node(id);
        let square = |square: Square| String::from_utf8_lossy(&crate::dhtmlxq::digits(square)).into_owned();
        let value = match node.ply().and_then(Ply::as_move) {
            Some(m) => format!("{}-{}", square(m.from), square(m.to)),
            None => "00-00".into(),
        };
        let branch = if node.next_sibling().is_some() { " branch=\"1\"" } else { "" };
        let end = if node.first_child().is_none() { " end=\"1\"" } else { "" };
        let comment = node.comment.as_ref().map(|comment| xml(comment.as_str(), None, losses));
        // Writing to a string cannot fail.
        let _ = match comment.filter(|comment| !comment.is_empty()) {
            Some(comment) => writeln!(file, "  <Move value=\"{value}\"{branch}{end}>{comment}</Move>"),
            None => writeln!(file, "  <Move value=\"{value}\"{branch}{end} />"),
        };
        losses.beside(node);
    }
    file.push_str(" </MoveList>\n</ChineseChessRecord>\n");
    file
}

fn field(file: &mut String, name: &str, value: &str) {
    let _ = match value {
        "" => writeln!(file, "  <{name} />"),
        value => writeln!(file, "  <{name}>{value}</{name}>"),
    };
}

/// Text as XML can hold it. XML has no way to write most control characters.
fn xml(text: &str, tag: Option<&Tag>, losses: &mut Losses) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lacks = 0;
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{fffd}' => {
                lacks += 1;
                out.push(c);
            }
            '\n' | '\t' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => {
                lacks += 1;
                out.push('?');
            }
        }
    }
    losses.characters(tag, lacks);
    out
}
