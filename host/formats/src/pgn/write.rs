//! Writing PGN.

use std::fmt::Write as _;
use std::rc::Rc;

use xiangqi::notation::{Script, chinese, iccs, wxf};
use xiangqi::{Illegality, Move, Position, Role, Square};

use crate::losses::Losses;
use crate::movetext::is_move_like;
use crate::{Game, NodeId, Outcome, Ply, Standing, Tag, Text, Tree};

/// The notation of the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// 炮二平五
    #[default]
    Chinese,
    /// The same with 前 or 后 before every piece that shares its file, advisors and elephants too: 后仕进五 where the
    /// notation has 仕六进五. The PyPI package `cchess` tries the wrong one of two otherwise.
    ChineseSelected,
    /// `C2=5`
    Wxf,
    /// `H2-E2`
    Iccs,
}

impl Style {
    const fn tag(self) -> &'static str {
        match self {
            Style::Chinese | Style::ChineseSelected => "Chinese",
            Style::Wxf => "WXF",
            Style::Iccs => "ICCS",
        }
    }
}

/// Tags that every game has, empty or not, because readers look for them.
const ALWAYS: [Tag; 5] = [Tag::Event, Tag::Date, Tag::Site, Tag::Red, Tag::Black];

/// Writes a game.
pub(crate) fn write(game: &Game, style: Style, script: Script, losses: &mut Losses) -> String {
    let game = losses.keeping(game, is_move_like);
    let mut file = String::from("[Game \"Chinese Chess\"]\n");
    for tag in &ALWAYS {
        if game.headers.get(tag).is_none() {
            write_tag(&mut file, tag.name(), "");
        }
    }
    for (tag, text) in game.headers.iter() {
        match tag {
            tag if !is_name(tag.name()) || Tag::named(tag.name()) != *tag => losses.field(tag),
            _ => {
                let value = on_one_line(text, tag, losses);
                write_tag(&mut file, tag.name(), &value);
            }
        }
    }
    write_tag(&mut file, "Result", game.outcome.pgn());
    if game.outcome == Outcome::Several {
        losses.add(crate::Loss::Outcome(game.outcome.chinese()));
    }
    write_tag(&mut file, "Format", style.tag());
    if !game.starts_usually() {
        write_tag(&mut file, "FEN", &game.start.to_string());
    }
    file.push('\n');
    let mut writer = Writer { file, style, script, tree: &game.tree, losses, fresh: true };
    writer.game(&game);
    writer.file
}

fn write_tag(file: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string cannot fail.
    let _ = writeln!(file, "[{name} \"{value}\"]");
}

/// Names that the format gives a meaning of its own.
const RESERVED: [&str; 7] = ["game", "format", "setup", "variant", "version", "fen", "result"];

fn is_name(name: &str) -> bool {
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    plain && !RESERVED.contains(&name.to_ascii_lowercase().as_str())
}

fn on_one_line(text: &Text, tag: &Tag, losses: &mut Losses) -> String {
    let value = text.as_str();
    let trimmed = value.trim();
    let lost = trimmed.matches(['\n', '\r', '\u{fffd}']).count();
    // Question marks alone mean that the field says nothing.
    let says_nothing = usize::from(trimmed.chars().all(|c| c == '?' || c == '.'));
    losses.characters(Some(tag), lost + says_nothing + value.chars().count() - trimmed.chars().count());
    trimmed.replace(['\n', '\r'], " ")
}

struct Writer<'a> {
    file: String,
    style: Style,
    script: Script,
    tree: &'a Tree,
    losses: &'a mut Losses,
    /// Whether the next ply needs its number although it is Black's.
    fresh: bool,
}

/// The main line alone, with its comments, for formats that have a header of their own.
pub(crate) fn line_of_moves(game: &Game, style: Style, losses: &mut Losses) -> String {
    let game = losses.keeping(game, is_move_like);
    let file = String::new();
    let mut writer =
        Writer { file, style, script: Script::Simplified, tree: &game.tree, losses, fresh: true };
    writer.moves(&game);
    writer.file
}

/// What is still to be written, last first.
enum Task {
    /// A ply with everything beside and behind it; the board before it, and whether its alternatives follow it.
    Ply(NodeId, Rc<Standing>, bool),
    Close,
}

impl Writer<'_> {
    fn game(&mut self, game: &Game) {
        self.moves(game);
        // Writing to a string cannot fail.
        let _ = writeln!(self.file, "\n{}", game.outcome.pgn());
    }

    fn moves(&mut self, game: &Game) {
        let root = self.tree.root();
        if !root.glyphs.is_empty() {
            self.losses.add(crate::Loss::Glyphs(1));
        }
        self.comment(root);
        if root.comment.is_some() {
            self.file.push('\n');
        }
        let start = Standing::new(game.start);
        let mut tasks: Vec<Task> =
            root.first_child().map(|id| Task::Ply(id, Rc::new(start), true)).into_iter().collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => {
                    self.file.push_str(" )");
                    self.fresh = true;
                }
                Task::Ply(id, before, with_alternatives) => {
                    let after = self.ply(id, &before);
                    if let Some(child) = self.tree.node(id).first_child() {
                        tasks.push(Task::Ply(child, Rc::new(after), true));
                    }
                    if with_alternatives {
                        let alternatives: Vec<NodeId> = self.tree.later_siblings(id).collect();
                        for alternative in alternatives.into_iter().rev() {
                            tasks.push(Task::Close);
                            tasks.push(Task::Ply(alternative, Rc::clone(&before), false));
                        }
                    }
                }
            }
        }
    }

    /// Writes a ply with its number; gives the board after it.
    fn ply(&mut self, id: NodeId, before: &Standing) -> Standing {
        let node = self.tree.node(id);
        let is_alternative =
            node.parent().is_some_and(|parent| self.tree.node(parent).first_child() != Some(id));
        let setup = node.ply().map_or(*before.setup(), |ply| before.facing(ply));
        let is_red = setup.turn == xiangqi::Color::Red;
        if is_alternative {
            self.file.push_str(" (");
            self.fresh = true;
        }
        let number = match (is_red, self.fresh) {
            (true, _) => format!("{}. ", setup.round),
            (false, true) => format!("{}... ", setup.round),
            (false, false) => String::new(),
        };
        let break_line = is_red && !is_alternative && !self.file.ends_with('\n');
        let gap = if self.file.ends_with('\n') {
            ""
        } else if break_line {
            "\n"
        } else {
            " "
        };
        let word = node.ply().map(|ply| self.word(ply, before)).unwrap_or_default();
        let _ = write!(self.file, "{gap}{number}{word}");
        self.fresh = false;
        for glyph in &node.glyphs {
            let _ = write!(self.file, " ${glyph}");
            self.fresh = true;
        }
        self.comment(node);
        node.ply().map_or(*before, |ply| before.after(ply))
    }

    fn word(&self, ply: &Ply, before: &Standing) -> String {
        match (ply, before.position()) {
            (Ply::Unread(text), _) => text.to_string(),
            // What the piece of the side to move cannot do has no name that a reader would understand.
            (Ply::Move(m), Some(position)) if has_name(position.illegality(*m)) => match self.style {
                Style::Chinese => chinese(position, *m, self.script),
                Style::ChineseSelected => selected(position, *m, self.script),
                Style::Wxf => wxf(position, *m),
                Style::Iccs => iccs(*m),
            },
            (Ply::Move(m), _) => iccs(*m),
        }
    }

    /// Times and comment, in one pair of braces.
    fn comment(&mut self, node: &crate::Node) {
        let mut parts = Vec::new();
        if let Some(ms) = node.times.used_ms {
            parts.push(format!("[%emt {}]", clock(ms)));
        }
        if let Some(ms) = node.times.left_ms {
            parts.push(format!("[%clk {}]", clock(ms)));
        }
        if let Some(comment) = &node.comment {
            parts.push(self.bare(comment));
        }
        if !parts.is_empty() {
            let _ = write!(
                self.file,
                "{}{{{}}}",
                if self.file.ends_with('\n') { "" } else { " " },
                parts.join(" ")
            );
            self.fresh = true;
        }
    }

    /// A comment without the braces that would end it, and without space around it.
    fn bare(&mut self, comment: &Text) -> String {
        let trimmed = self.losses.trimmed(comment.as_str());
        let lost = trimmed.matches(['{', '}', '\u{fffd}', '\r']).count() + trimmed.matches("[%").count();
        self.losses.characters(None, lost);
        trimmed.replace('{', "｛").replace('}', "｝").replace("[%", "［%").replace('\r', " ")
    }
}

/// The Chinese name of a move, with 前 or 后 where two advisors or elephants stand on a file.
fn selected(position: &Position, m: Move, script: Script) -> String {
    let name = chinese(position, m, script);
    let Some(piece) = position.piece_at(m.from) else { return name };
    let is_twin = |square: &Square| {
        *square != m.from && square.file() == m.from.file() && position.piece_at(*square) == Some(piece)
    };
    let twin = match piece.role {
        Role::Advisor | Role::Elephant => Square::all().find(is_twin),
        _ => None,
    };
    let Some(twin) = twin else { return name };
    let depth = |square: Square| square.rank().from_home_of(piece.color);
    let place = match (depth(m.from) > depth(twin), script) {
        (true, _) => '前',
        (false, Script::Simplified) => '后',
        (false, Script::Traditional) => '後',
    };
    // 仕六进五 becomes 后仕进五.
    let mut characters = name.chars();
    let (role, _file) = (characters.next(), characters.next());
    std::iter::once(place).chain(role).chain(characters).collect()
}

fn has_name(fault: Option<Illegality>) -> bool {
    fault.is_none_or(Illegality::is_suicide)
}

/// `0:09:58.5`
fn clock(ms: u64) -> String {
    let (seconds, rest) = (ms / 1000, ms % 1000);
    let whole = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match rest {
        0 => whole,
        rest => format!("{whole}.{rest:03}").trim_end_matches('0').into(),
    }
}
