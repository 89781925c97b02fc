//! The text of the World Xiangqi Federation: a header of words, moves between `START{` and `}END`.

use std::fmt::Write as _;

use super::tag;
use crate::losses::Losses;
use crate::pgn::{Style, line_of_moves};
use crate::{Game, Loss, Outcome, Tag};

/// Whether a text has such a header, or such moves.
pub(crate) fn is(text: &str) -> bool {
    text.lines().take(40).any(|line| {
        let mut words = line.split_ascii_whitespace();
        let format = words.next() == Some("FORMAT") && words.next().is_some_and(|word| word == "WXF");
        format || line.trim_start().starts_with("START{") || line.trim() == "START"
    })
}

/// Whether a text begins with such a header, so that whatever follows is WXF.
pub(crate) fn is_at_once(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with("FORMAT") && is(text)
}

/// Whether a header has no moves, or moves have no end.
pub(crate) fn is_cut(text: &str) -> bool {
    (text.contains("START{") || is_at_once(text)) && !text.contains("}END")
}

/// What PGN has where WXF's moves end.
const END: &str = " *";

/// The header becomes tags, `/*…*/` comments in braces, the end of the moves a result that says nothing.
pub(crate) fn rewritten(text: &str) -> String {
    let mut in_moves = false;
    text.lines().map(|line| rewrite(line, &mut in_moves)).collect::<Vec<_>>().join("\n")
}

fn rewrite(line: &str, in_moves: &mut bool) -> String {
    if *in_moves {
        // The bracket that ends the moves closes none that was opened on this side.
        *in_moves = !line.contains("}END");
        let line = line.replace("}END", END);
        return if line.contains('{') { line } else { line.replace("/*", "{").replace("*/", "}") };
    }
    let word = line.split_ascii_whitespace().next().unwrap_or("");
    let rest = line.trim_start().strip_prefix(word).unwrap_or("").trim();
    match word {
        "FORMAT" => tag("Game", ""),
        "GAME" => tag("Title", rest),
        "RED" => player("Red", rest),
        "BLACK" => player("Black", rest),
        "RESULT" => tag("Result", rest),
        "DATE" => tag("Date", rest),
        "EVENT" => tag("Event", rest),
        "SITE" | "PLACE" => tag("Site", rest),
        "ROUND" => tag("Round", rest),
        "TIME" => tag("TimeControl", rest),
        "AUTHOR" => tag("Author", rest),
        "REMARK" => tag("Remark", rest),
        "FEN" => tag("FEN", rest),
        _ if word.starts_with("START") => {
            let moves = line.split_once("START").map_or("", |(_, moves)| moves);
            *in_moves = !moves.contains("}END");
            moves.trim_start().trim_start_matches('{').replace("}END", END)
        }
        _ => line.replace("/*", "{").replace("*/", "}"),
    }
}

/// `name;rating;title;team`
fn player(side: &str, fields: &str) -> String {
    let mut fields = fields.split(';').map(str::trim);
    let mut tags = tag(side, fields.next().unwrap_or(""));
    for (suffix, value) in ["Elo", "Title", "Team"].iter().zip(fields).filter(|(_, value)| !value.is_empty())
    {
        tags.push_str(&tag(&format!("{side}{suffix}"), value));
    }
    tags
}

/// Writes a game.
pub(crate) fn write(game: &Game, losses: &mut Losses) -> String {
    let game = losses.main_line(game);
    let text = |tag: &Tag| game.headers.text(tag).trim().replace(['\n', '\r', ';'], " ");
    let player = |name: Tag, elo: Tag, team: Tag| {
        let title = Tag::Other(format!("{}Title", name.name()).into());
        format!("{};{};{};{}", text(&name), text(&elo), text(&title), text(&team))
    };
    let mut file = String::from("FORMAT  WXF\n");
    // Writing to a string cannot fail.
    let mut line = |word: &str, value: String| {
        let _ = match value.trim() {
            "" => Ok(()),
            value => writeln!(file, "{word:<8}{value}"),
        };
    };
    line("GAME", text(&Tag::Title));
    line("RED", player(Tag::Red, Tag::RedElo, Tag::RedTeam));
    line("BLACK", player(Tag::Black, Tag::BlackElo, Tag::BlackTeam));
    line("DATE", text(&Tag::Date));
    line("EVENT", text(&Tag::Event));
    line("SITE", text(&Tag::Site));
    line("ROUND", text(&Tag::Round));
    line("TIME", text(&Tag::TimeControl));
    line("AUTHOR", text(&Tag::Author));
    line("REMARK", text(&Tag::Remark));
    if game.outcome != Outcome::Unknown {
        line("RESULT", game.outcome.pgn().into());
    }
    if !game.starts_usually() {
        line("FEN", game.start.to_string());
    }
    for (tag, value) in game.headers.iter() {
        let text = value.as_str();
        let trimmed = text.trim();
        let kept = trimmed.matches(['\n', '\r', ';', '\u{fffd}']).count() + text.chars().count()
            - trimmed.chars().count()
            + usize::from(trimmed.chars().all(|c| c == '?' || c == '.'));
        match tag {
            tag if !is_held(tag) => losses.field(tag),
            _ => losses.characters(Some(tag), kept),
        }
    }
    if game.outcome == Outcome::Several {
        losses.add(Loss::Outcome(game.outcome.chinese()));
    }
    let moves = line_of_moves(&game, Style::Wxf, losses);
    let _ = write!(file, "\nSTART{{{moves}\n}}END\n");
    file
}

fn is_held(tag: &Tag) -> bool {
    let held = [
        Tag::Title,
        Tag::Red,
        Tag::RedElo,
        Tag::RedTeam,
        Tag::Black,
        Tag::BlackElo,
        Tag::BlackTeam,
        Tag::Date,
        Tag::Event,
        Tag::Site,
        Tag::Round,
        Tag::TimeControl,
        Tag::Author,
        Tag::Remark,
    ];
    held.contains(tag) || matches!(tag.name(), "RedTitle" | "BlackTitle")
}
