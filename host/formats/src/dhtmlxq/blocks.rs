//! Finding the tags of each game in a page.

use std::collections::BTreeMap;

const OPEN: &str = "[dhtmlxq";
const CLOSE: &str = "[/dhtmlxq";

/// The tags of one game, names in small letters.
#[derive(Debug, Default)]
pub(super) struct Block<'a> {
    /// The line on which it begins, from 1.
    pub(super) line: usize,
    /// Whether a `[DhtmlXQ]` opened it.
    pub(super) framed: bool,
    /// The tag whose value has no end; the empty name is the frame itself.
    pub(super) open: Option<String>,
    pub(super) tags: BTreeMap<String, &'a str>,
}

/// Cuts a page into games. Tags outside of any `[DhtmlXQ]` belong together, as a paste without its frame.
pub(super) fn blocks(page: &str) -> Vec<Block<'_>> {
    let lower = page.to_ascii_lowercase();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut current = Block { line: 1, ..Block::default() };
    let (mut at, mut counted, mut line) = (0, 0, 1);
    while let Some(found) = next_mark(&lower, at) {
        let Some(end) = lower[found..].find(']').map(|end| found + end) else {
            current.open = Some(lower[found..].trim_start_matches(['[', '/']).to_owned());
            break;
        };
        line += lower[counted..found].matches('\n').count();
        counted = found;
        at = end + 1;
        let mark = &lower[found..end];
        match (mark.strip_prefix(OPEN), mark.strip_prefix(CLOSE)) {
            (Some(name), _) if name.starts_with('_') => {
                let name = name[1..].trim();
                let value_end = next_mark(&lower, at);
                if value_end.is_none() {
                    current.open = Some(name.into());
                }
                let value_end = value_end.unwrap_or(page.len());
                let value = page[at..value_end].trim();
                // A tag that comes twice, as in a page with a script and a frame: the one that says something counts.
                let slot = current.tags.entry(name.into()).or_insert(value);
                if slot.is_empty() {
                    *slot = value;
                }
                at = value_end;
            }
            (Some(_), _) => {
                finish(&mut blocks, &mut current, line);
                current.framed = true;
            }
            (None, Some(name)) if !name.starts_with('_') => finish(&mut blocks, &mut current, line),
            _ => {}
        }
    }
    if current.framed && current.open.is_none() {
        current.open = Some(String::new());
    }
    finish(&mut blocks, &mut current, line);
    gathered(blocks)
}

/// Tags outside of the frame, as in a page's script, belong to the one game of the page.
fn gathered(blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    if blocks.iter().filter(|block| block.framed).count() != 1 {
        return blocks;
    }
    let (mut framed, loose): (Vec<_>, Vec<_>) = blocks.into_iter().partition(|block| block.framed);
    for (name, value) in loose.into_iter().flat_map(|block| block.tags) {
        let slot = framed[0].tags.entry(name).or_insert(value);
        if slot.is_empty() {
            *slot = value;
        }
    }
    framed
}

fn finish<'a>(blocks: &mut Vec<Block<'a>>, current: &mut Block<'a>, line: usize) {
    let done = std::mem::replace(current, Block { line, ..Block::default() });
    if !done.tags.is_empty() {
        blocks.push(done);
    }
}

/// The next opening or closing tag.
fn next_mark(lower: &str, at: usize) -> Option<usize> {
    let mut from = at;
    loop {
        let found = from + lower.get(from..)?.find('[')?;
        let rest = &lower[found..];
        if rest.starts_with(OPEN) || rest.starts_with(CLOSE) {
            return Some(found);
        }
        from = found + 1;
    }
}

/// The moves that a page's script holds: `var DhtmlXQ_movelist = '…'`, with or without tags within the quotes.
pub(super) fn script_moves(page: &str) -> Option<&str> {
    let lower = page.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let found = from + lower.get(from..)?.find("dhtmlxq_movelist")?;
        from = found + "dhtmlxq_movelist".len();
        let Some(value) = page[from..].trim_start().strip_prefix('=') else { continue };
        let value = value.trim_start();
        let Some(quote @ ('"' | '\'')) = value.chars().next() else { continue };
        let inner = value[1..].split(quote).next()?;
        let digits = inner.rsplit_once("[/").map_or(inner, |(before, _)| before);
        let digits = digits.rsplit_once(']').map_or(digits, |(_, after)| after).trim();
        if !digits.is_empty() {
            return Some(digits);
        }
    }
}
