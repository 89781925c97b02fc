//! Which bracket closes which.

/// For each opening bracket of a text, where its closing one is.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Positions of the closing brackets by those of the opening ones, both in characters; sorted.
    pairs: Vec<(usize, usize)>,
    /// Every closing bracket.
    closings: Vec<usize>,
}

impl Pairs {
    /// Pairs up one kind of bracket. Brackets of the kind that `comments` pairs are looked into only if it is empty.
    pub(super) fn new(text: &[char], (open, close): (char, char), comments: Option<&Pairs>) -> Pairs {
        let mut found = Pairs::default();
        let mut waiting = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if let Some(end) = comments.filter(|_| text[at] == '{').and_then(|braces| braces.close_of(at)) {
                at = end + 1;
                continue;
            }
            if text[at] == open {
                waiting.push(at);
            } else if text[at] == close {
                found.closings.push(at);
                if let Some(opened) = waiting.pop() {
                    found.pairs.push((opened, at));
                }
            }
            at += 1;
        }
        found.pairs.sort_unstable();
        found
    }

    /// Where the bracket that opens at `open` is closed: by its pair, or, if it has none, by the next closing bracket.
    pub(super) fn close_of(&self, open: usize) -> Option<usize> {
        let next = || self.closings.get(self.closings.partition_point(|close| *close < open)).copied();
        self.pair_of(open).or_else(next)
    }

    /// Where the pair of the bracket that opens at `open` is.
    pub(super) fn pair_of(&self, open: usize) -> Option<usize> {
        let found = self.pairs.binary_search_by_key(&open, |(opened, _)| *opened);
        found.ok().map(|found| self.pairs[found].1)
    }
}
