//! What score sheets and sheets of a round share: the edges of the paper and its foot.

use super::document::{Align, Document, HEIGHT, Style, WIDTH};
use super::words::{Words, fill};

/// Left edge of what is printed, in millimetres.
pub(super) const LEFT: f32 = 12.0;
/// Right edge.
pub(super) const RIGHT: f32 = WIDTH - 12.0;
/// Where the first line of a page stands.
pub(super) const TOP: f32 = 14.0;
/// Nothing but the foot stands below.
pub(super) const BOTTOM: f32 = HEIGHT - 16.0;

/// Writes the foot of every page: something on the left, the number of the page on the right, and between them which
/// characters are boxes.
pub(super) fn feet(document: &mut Document<'_>, words: &Words, left: &str) {
    const SIZE: f32 = 8.5;
    let codes: Vec<String> =
        document.missing().iter().map(|one| format!("U+{:04X}", u32::from(*one))).collect();
    let boxes = match codes.is_empty() {
        true => String::new(),
        false => fill(&words.boxes, &[("codes", &codes.join(" "))]),
    };
    let pages = document.page_count();
    for page in 0..pages {
        let y = HEIGHT - 11.0;
        let number = fill(&words.page, &[("page", &(page + 1)), ("pages", &pages)]);
        document.text_on(page, LEFT, y, left, Style::faint(SIZE));
        document.text_on(page, RIGHT, y, &number, Style::faint(SIZE).to(Align::Right));
        let size = document.fitting(&boxes, SIZE, RIGHT - LEFT);
        document.text_on(page, WIDTH / 2.0, y + 4.5, &boxes, Style::faint(size).to(Align::Middle));
    }
}
