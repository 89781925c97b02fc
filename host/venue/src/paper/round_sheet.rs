//! The pairings of a round (对阵表), or its results (成绩公布), for the wall of the hall.

use std::cmp::Ordering;
use std::sync::Arc;

use super::document::{Align, Document, Ink, Style};
use super::face::Face;
use super::frame::{LEFT, RIGHT, TOP, feet};
use super::words::{Wording, fill, move_number, word_of};
use crate::game::{GameView, Summary};

/// Games on one page.
const MOST: usize = 30;
/// The height of a row, in millimetres.
const ROW: f32 = 7.9;
/// Edges of the columns: table, Red, result, Black.
const EDGES: [f32; 5] = [LEFT, LEFT + 18.0, LEFT + 83.0, LEFT + 109.0, RIGHT];

/// What a sheet tells of its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Who plays whom.
    Pairings,
    /// And how it ended.
    Results,
}

/// The sheets of all rounds as PDF, the latest round first; none where the font fails.
pub(crate) fn round_sheet(
    face: &Face,
    games: &[Arc<GameView>],
    kind: Kind,
    wording: Wording,
    now_utc_ms: u64,
) -> Option<Vec<u8>> {
    let words = wording.words();
    let title = if kind == Kind::Results { &words.results } else { &words.pairings };
    let mut document = Document::new(face)?;
    for round in by_round(games) {
        for page in round.chunks(MOST) {
            sheet(&mut document, page, kind, wording);
        }
    }
    if document.page_count() == 0 {
        document.turn_page();
        document.text((LEFT + RIGHT) / 2.0, TOP + 6.0, &words.no_games, Style::faint(12.0).to(Align::Middle));
    }
    feet(&mut document, words, &wording.day(now_utc_ms));
    document.finish(title, wording.language.tag())
}

/// The games of each round, the latest round first, each by table.
fn by_round(games: &[Arc<GameView>]) -> Vec<Vec<&Summary>> {
    let mut all: Vec<&Summary> = games.iter().map(|game| &game.summary).collect();
    let table = |game: &Summary| if game.table.is_empty() { game.board.clone() } else { game.table.clone() };
    all.sort_by(|a, b| {
        by_number(&b.event, &a.event)
            .then_with(|| by_number(&b.round, &a.round))
            .then_with(|| by_number(&table(a), &table(b)))
    });
    all.chunk_by(|a, b| (&a.event, &a.round) == (&b.event, &b.round)).map(<[_]>::to_vec).collect()
}

/// Compares texts as people sort them: where both have a number, by its value.
fn by_number(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (of_a, of_b) = (digits(a), digits(b));
        if of_a > 0 && of_b > 0 {
            let (number_a, number_b) = (a[..of_a].trim_start_matches('0'), b[..of_b].trim_start_matches('0'));
            let order = number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b));
            if order != Ordering::Equal {
                return order;
            }
            (a, b) = (&a[of_a..], &b[of_b..]);
            continue;
        }
        match (a.chars().next(), b.chars().next()) {
            (Some(one), Some(other)) if one == other => {
                (a, b) = (&a[one.len_utf8()..], &b[other.len_utf8()..]);
            }
            (one, other) => return one.cmp(&other),
        }
    }
}

fn sheet(document: &mut Document<'_>, games: &[&Summary], kind: Kind, wording: Wording) {
    let words = wording.words();
    document.turn_page();
    let middle = (LEFT + RIGHT) / 2.0;
    let mut y = TOP;
    let Some(first) = games.first() else { return };
    if !first.event.is_empty() {
        let size = document.fitting(&first.event, 19.0, RIGHT - LEFT);
        document.text(middle, y + 6.0, &first.event, Style::plain(size).to(Align::Middle));
        y += 9.0;
    }
    let title = if kind == Kind::Results { &words.results } else { &words.pairings };
    let round = (!first.round.is_empty()).then(|| fill(&words.round_of, &[("round", &first.round)]));
    let line = round.iter().chain([title]).map(String::as_str).collect::<Vec<_>>().join(" · ");
    document.text(middle, y + 5.0, &line, Style::plain(12.0).to(Align::Middle));
    y += 9.0;
    let top = y;
    let heads = [
        (0, &words.table_heading, Align::Middle),
        (1, &words.red, Align::Right),
        (2, &words.result, Align::Middle),
        (3, &words.black, Align::Left),
    ];
    for (column, name, align) in heads {
        cell(document, column, y, name, Style::faint(10.0).to(align));
    }
    for game in games {
        y += ROW;
        document.line((LEFT, y), (RIGHT, y), 0.25, Ink::Rule);
        row(document, y, game, kind, wording);
    }
    y += ROW;
    for edge in &EDGES[1..4] {
        document.line((*edge, top), (*edge, y), 0.25, Ink::Rule);
    }
    document.frame(LEFT, top, RIGHT, y, 0.25, Ink::Rule);
}

fn row(document: &mut Document<'_>, y: f32, game: &Summary, kind: Kind, wording: Wording) {
    let words = wording.words();
    let name = |name: &str, side: &str| if name.is_empty() { side.to_owned() } else { name.to_owned() };
    let table = name(&game.table, &game.board);
    cell(document, 0, y, &table, Style::plain(12.0).to(Align::Middle));
    cell(document, 1, y, &name(&game.red, &words.red), Style::plain(12.5).to(Align::Right));
    let black = name(&game.black, &words.black);
    if kind == Kind::Pairings {
        return cell(document, 3, y, &black, Style::plain(12.5));
    }
    let score = game.result.as_ref().map_or("–".into(), |result| word_of(&result.score));
    cell(document, 2, y, words.name(&words.scores, &score), Style::plain(13.0).to(Align::Middle));
    cell(document, 3, y - 1.9, &black, Style::plain(12.0));
    let how = match &game.result {
        Some(result) => {
            let number = move_number(game.ply_count as u64);
            fill(&words.how, &[("reason", &words.reason(result)), ("round", &number)])
        }
        None => words.open.clone(),
    };
    cell(document, 3, y + 1.5, &how, Style::faint(8.0));
}

/// Writes into a cell of a column whose row begins at `y`.
fn cell(document: &mut Document<'_>, column: usize, y: f32, text: &str, style: Style) {
    const MARGIN: f32 = 2.5;
    let (left, right) = (EDGES[column] + MARGIN, EDGES[column + 1] - MARGIN);
    let size = document.fitting(text, style.size, right - left);
    let x = match style.align {
        Align::Left => left,
        Align::Middle => (left + right) / 2.0,
        Align::Right => right,
    };
    document.text(x, y + 5.6, text, Style { size, ..style });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_by_value() {
        let mut tables = ["10", "2", "B1", "1", "A10", "A9", "02b", "三", ""];
        tables.sort_by(|a, b| by_number(a, b));
        assert_eq!(tables, ["", "1", "2", "02b", "10", "A9", "A10", "B1", "三"]);
    }
}
