//! The score sheet (记录纸) of one game.

use xiangqi::Color;
use xiangqi::notation;

use super::document::{Align, Document, Ink, Style};
use super::face::Face;
use super::frame::{BOTTOM, LEFT, RIGHT, TOP, feet};
use super::words::{Notation, Wording, fill, move_number, time, word_of};
use crate::language::Language;
use crate::sheet::{Sheet, SheetFoul, SheetPly};

/// The height of a row of the score, in millimetres.
const ROW: f32 = 6.0;
/// Between the two columns.
const GAP: f32 = 4.0;
/// The size of what is said.
const SIZE: f32 = 10.5;
/// From line to line of what is said.
const LEADING: f32 = 5.0;
/// Where the text of a row stands above its lower edge.
const BASE: f32 = 1.9;
/// The signatures' height.
const SIGNATURES: f32 = 18.0;

/// Right edges of the parts of a column, from its left edge: number, Red's move in full, in short and its time, and Black's.
const EDGES: [f32; 7] = [9.0, 27.5, 39.0, 50.0, 68.5, 80.0, 91.0];

/// The score sheet as PDF; none where the font fails.
pub(crate) fn score_sheet(face: &Face, sheet: &Sheet, wording: Wording) -> Option<Vec<u8>> {
    let words = wording.words();
    let mut paper = Paper { document: Document::new(face)?, sheet, wording, y: TOP };
    paper.document.turn_page();
    paper.head();
    paper.score();
    paper.end();
    let Paper { mut document, .. } = paper;
    feet(&mut document, words, &fill(&words.game, &[("id", &sheet.id)]));
    let players = [(&sheet.red, &words.red), (&sheet.black, &words.black)];
    let [red, black] = players.map(|(name, side)| if name.is_empty() { side } else { name });
    document.finish(&format!("{} · {red} — {black}", words.sheet), wording.language.tag())
}

/// A round of the game: the plies of both sides, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    number: usize,
    plies: [Option<usize>; 2],
}

/// The rounds of so many plies.
fn rounds(plies: usize, first: Color) -> Vec<Round> {
    let lead = usize::from(first == Color::Black);
    let ply = |place: usize| place.checked_sub(lead).filter(|ply| *ply < plies);
    let round = |row: usize| Round { number: row + 1, plies: [ply(row * 2), ply(row * 2 + 1)] };
    (0..(plies + lead).div_ceil(2)).map(round).collect()
}

/// How many rounds go into each column of a page with room for so many rows, and for fewer if the end follows on it.
fn columns(left: usize, rows: usize, rows_with_end: usize) -> [usize; 2] {
    let rows = if left <= 2 * rows_with_end { rows_with_end } else { rows };
    let first = left.min(rows);
    [first, (left - first).min(rows)]
}

/// A sheet that is being written, and how far down its last page.
struct Paper<'a> {
    document: Document<'a>,
    sheet: &'a Sheet,
    wording: Wording,
    y: f32,
}

/// Something about the game: its name, what it is, how many of the four parts of a line it takes, and its size.
type Fact<'a> = (&'a str, String, f32, f32);

impl Paper<'_> {
    fn head(&mut self) {
        let (sheet, words) = (self.sheet, self.wording.words());
        let middle = (LEFT + RIGHT) / 2.0;
        self.document.text(middle, self.y + 6.0, &words.sheet, Style::plain(19.0).to(Align::Middle));
        self.y += 11.0;
        let (red, black) = (sheet.red.clone(), sheet.black.clone());
        let rules = words.name(&words.editions, &sheet.rules).to_owned();
        let control = sheet.control.clone().unwrap_or_else(|| "–".into());
        let mut lines: Vec<Vec<Fact<'_>>> = vec![
            vec![
                (&words.event, sheet.event.clone(), 2.0, SIZE),
                (&words.round_heading, sheet.round.clone(), 1.0, SIZE),
                (&words.table_heading, sheet.table.clone(), 1.0, SIZE),
            ],
            vec![(&words.red, red, 2.0, 13.0), (&words.black, black, 2.0, 13.0)],
            vec![
                (&words.date, self.wording.day(sheet.began_utc_ms), 2.0, SIZE),
                (&words.control, control, 2.0, SIZE),
            ],
            vec![(&words.rules, rules, 4.0, SIZE)],
        ];
        let initial = xiangqi::Setup::initial().to_string();
        if sheet.start_fen.split(' ').next() != initial.split(' ').next() {
            lines.push(vec![(&words.start_fen, sheet.start_fen.clone(), 4.0, SIZE)]);
        }
        lines.into_iter().for_each(|line| self.facts(line));
        self.y += 3.0;
    }

    fn facts(&mut self, facts: Vec<Fact<'_>>) {
        let (mut left, part) = (LEFT, (RIGHT - LEFT) / 4.0);
        let (top, mut bottom) = (self.y, self.y);
        for (name, value, parts, size) in facts {
            let right = left + parts * part;
            self.document.text(left, top + 5.3, name, Style::faint(9.5));
            let begin = left + self.document.width(name, 9.5) + 2.0;
            let lines = self.document.lines(&value, size, right - begin - 2.5);
            for (at, line) in lines.iter().enumerate() {
                let y = top + 5.3 + at as f32 * LEADING;
                self.document.text(begin + 0.5, y, line, Style::plain(size));
                self.document.line((begin, y + 1.3), (right - 2.0, y + 1.3), 0.25, Ink::Rule);
            }
            bottom = bottom.max(top + 7.0 + (lines.len() as f32 - 1.0) * LEADING);
            left = right;
        }
        self.y = bottom;
    }

    fn score(&mut self) {
        let all = rounds(self.sheet.plies.len(), self.sheet.first);
        let mut rest = &all[..];
        let end = self.end_height();
        loop {
            let rows = |height: f32| (height / ROW).floor().max(0.0) as usize;
            let room = BOTTOM - self.y - ROW;
            let [first, second] = columns(rest.len(), rows(room), rows(room - end));
            let (left, after) = rest.split_at(first);
            let (right, after) = after.split_at(second);
            self.column(LEFT, left);
            if !right.is_empty() || self.document.page_count() == 1 {
                self.column(LEFT + EDGES[6] + GAP, right);
            }
            self.y += (left.len().max(right.len()) + 1) as f32 * ROW;
            rest = after;
            if rest.is_empty() {
                return;
            }
            self.turn_page();
        }
    }

    fn turn_page(&mut self) {
        self.document.turn_page();
        self.y = TOP;
    }

    fn column(&mut self, left: f32, rounds: &[Round]) {
        let (top, right) = (self.y, left + EDGES[6]);
        let bottom = top + (rounds.len() + 1) as f32 * ROW;
        self.column_head(left, top + ROW - BASE);
        for (at, round) in rounds.iter().enumerate() {
            let y = top + (at + 1) as f32 * ROW;
            self.document.line((left, y), (right, y), 0.2, Ink::Rule);
            let base = y + ROW - BASE;
            let number = Style::plain(9.5).to(Align::Right);
            self.document.text(left + EDGES[0] - 1.5, base, &round.number.to_string(), number);
            for (side, edge) in [(0, left + EDGES[0]), (1, left + EDGES[3])] {
                if let Some(ply) = round.plies[side].and_then(|ply| self.sheet.plies.get(ply)) {
                    self.ply(edge, base, ply);
                }
            }
        }
        for edge in [EDGES[0], EDGES[3]] {
            self.document.line((left + edge, top), (left + edge, bottom), 0.2, Ink::Rule);
        }
        self.document.frame(left, top, right, bottom, 0.35, Ink::Black);
    }

    fn column_head(&mut self, left: f32, base: f32) {
        let words = self.wording.words();
        let (style, size) = (Style::faint(9.0), self.document.fitting(&words.number, 9.0, EDGES[0] - 1.5));
        self.document.text(left + 0.8, base, &words.number, Style { size, ..style });
        for (name, from, to) in [(&words.red, EDGES[0], EDGES[3]), (&words.black, EDGES[3], EDGES[6])] {
            self.document.text(left + from + 1.2, base, name, style);
            self.document.text(left + to - 1.0, base, &words.used, style.to(Align::Right));
        }
    }

    /// A move in full, in short, and its time, right of an edge.
    fn ply(&mut self, edge: f32, base: f32, ply: &SheetPly) {
        let hans = self.wording.language == Language::Hans;
        let full = match self.wording.notation {
            Notation::Chinese if hans => ply.hans.clone(),
            Notation::Chinese => ply.hant.clone(),
            Notation::Wxf => ply.wxf.clone(),
            Notation::Iccs => notation::iccs(ply.mv),
        };
        let short = if hans { &ply.short_hans } else { &ply.short_hant };
        let size = self.document.fitting(&full, SIZE, 16.5);
        self.document.text(edge + 1.2, base, &full, Style::plain(size));
        let size = self.document.fitting(short, 9.0, 11.0);
        self.document.text(edge + 18.7, base, short, Style::faint(size));
        if let Some(used) = ply.used_ms.map(time) {
            let size = self.document.fitting(&used, 8.5, 10.0);
            self.document.text(edge + 40.0, base, &used, Style::plain(size).to(Align::Right));
        }
    }

    /// What stands below the score, by name.
    fn summary(&self) -> Vec<(&'static str, Vec<String>)> {
        let (sheet, words) = (self.sheet, self.wording.words());
        let result = match &sheet.result {
            Some(result) => {
                let score = word_of(&result.score);
                let outcome = words.name(&words.outcomes, &score);
                format!("{outcome} · {score} · {}", words.reason(result))
            }
            None => words.open.clone(),
        };
        let used = |side: &str, ms: Option<u64>| format!("{side} {}", ms.map_or("–".into(), time));
        let both = [used(&words.red, sheet.red_used_ms), used(&words.black, sheet.black_used_ms)];
        let fouls = match sheet.fouls.is_empty() {
            true => vec![words.no_fouls.clone()],
            false => sheet.fouls.iter().map(|foul| self.foul(foul)).collect(),
        };
        vec![(&*words.result, vec![result]), (&*words.used, vec![both.join(" · ")]), (&*words.fouls, fouls)]
            .into_iter()
            .map(|(name, lines)| (name, lines.iter().flat_map(|line| self.broken(line)).collect()))
            .collect()
    }

    fn foul(&self, foul: &SheetFoul) -> String {
        let words = self.wording.words();
        let side = if foul.side == Color::Red { &words.red } else { &words.black };
        let offence = word_of(&foul.offence);
        let article = fill(&words.article, &[("article", &foul.article)]);
        let values: [(&str, &dyn std::fmt::Display); 4] = [
            ("side", side),
            ("round", &move_number(foul.ply.into())),
            ("offence", &words.name(&words.offences, &offence)),
            ("article", &article),
        ];
        fill(&words.foul, &values)
    }

    fn broken(&self, line: &str) -> Vec<String> {
        self.document.lines(line, SIZE, RIGHT - LEFT - NAMES - 4.0)
    }

    fn end_height(&self) -> f32 {
        let lines: usize = self.summary().iter().map(|(_, lines)| lines.len()).sum();
        4.0 + lines as f32 * LEADING + 3.0 * 2.5 + 3.0 + SIGNATURES
    }

    fn end(&mut self) {
        self.y += 4.0;
        for (name, lines) in self.summary() {
            self.row(name, &lines);
        }
        self.y += 3.0;
        if self.y + SIGNATURES > BOTTOM {
            self.turn_page();
        }
        self.signatures();
    }

    /// A named row; one that is too long goes on overleaf.
    fn row(&mut self, name: &str, lines: &[String]) {
        let mut rest = lines;
        while !rest.is_empty() {
            let room = ((BOTTOM - self.y - 2.5) / LEADING).floor().max(0.0) as usize;
            if room == 0 {
                self.turn_page();
                continue;
            }
            let (here, after) = rest.split_at(room.min(rest.len()));
            let (top, bottom) = (self.y, self.y + here.len() as f32 * LEADING + 2.5);
            self.document.text(LEFT + 2.0, top + 4.8, name, Style::faint(9.5));
            for (at, line) in here.iter().enumerate() {
                let y = top + 4.8 + at as f32 * LEADING;
                self.document.text(LEFT + NAMES + 2.0, y, line, Style::plain(SIZE));
            }
            self.document.frame(LEFT, top, RIGHT, bottom, 0.25, Ink::Rule);
            self.document.line((LEFT + NAMES, top), (LEFT + NAMES, bottom), 0.25, Ink::Rule);
            self.y = bottom;
            rest = after;
        }
    }

    fn signatures(&mut self) {
        let words = self.wording.words();
        let third = (RIGHT - LEFT) / 3.0;
        let sides = [("red", &words.red), ("black", &words.black), ("arbiter", &words.arbiter)];
        for ((by, who), left) in sides.into_iter().zip([LEFT, LEFT + third, LEFT + 2.0 * third]) {
            self.document.frame(left, self.y, left + third, self.y + SIGNATURES, 0.25, Ink::Rule);
            let label = format!("{who} · {}", words.signature);
            self.document.text(left + 2.0, self.y + 4.5, &label, Style::faint(9.0));
            let Some(signed) = self.sheet.signed.iter().find(|one| one.by == by) else { continue };
            let size = self.document.fitting(&signed.name, 12.0, third - 4.0);
            self.document.text(left + 2.0, self.y + 10.5, &signed.name, Style::plain(size));
            self.document.text(left + 2.0, self.y + 15.5, &words.signed_here, Style::faint(8.5));
        }
    }
}

/// The width of the names of what stands below the score.
const NAMES: f32 = 24.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_begin_with_the_side_that_moved_first() {
        let plies = |first| rounds(3, first).into_iter().map(|round| round.plies).collect::<Vec<_>>();
        assert_eq!(plies(Color::Red), [[Some(0), Some(1)], [Some(2), None]]);
        assert_eq!(plies(Color::Black), [[None, Some(0)], [Some(1), Some(2)]]);
        assert_eq!(rounds(0, Color::Red), []);
    }

    #[test]
    fn every_round_falls_into_one_column_and_the_end_has_room() {
        for total in 0..400 {
            let (mut left, mut pages) = (total, 0);
            loop {
                let (rows, with_end) = if pages == 0 { (35, 25) } else { (42, 32) };
                let [first, second] = columns(left, rows, with_end);
                assert!(second == 0 || first >= second, "{total}: {first}, {second}");
                left -= first + second;
                pages += 1;
                if left == 0 {
                    let full = first == rows;
                    assert!(full || first <= with_end, "{total}: {first} rows and the end");
                    break;
                }
            }
            assert!(pages <= 1 + total / 50, "{total} rounds on {pages} pages");
        }
    }
}
