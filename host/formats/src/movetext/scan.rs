//! Cutting text into tokens.

use super::braces::Pairs;
use super::word::{chinese_move, glued_move, is_move_like, is_piece, is_place, narrowed};
use crate::Outcome;

/// What stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// A number before a move.
    Number(usize),
    /// A word that looks like a move, narrowed.
    Move(String),
    /// `{…}`, `;…`, or brackets around anything but moves.
    Comment(String),
    /// A number of `$n`, `!` and the like.
    Glyph(u8),
    /// A variation begins.
    Open,
    /// A variation ends.
    Close,
    /// `1-0`, 红胜 and their like.
    Result(Outcome),
    /// A comment that began on this line has no end.
    Unclosed,
    /// Anything else.
    Junk(String),
}

/// Gives the tokens of a text, each with its line.
pub(crate) struct Scanner {
    text: Vec<char>,
    narrow: Vec<char>,
    braces: Pairs,
    brackets: Pairs,
    at: usize,
    line: usize,
    counted: usize,
    /// Whether the comment before has no end of its own.
    unclosed: bool,
}

/// Glyphs in characters and their numbers.
const GLYPHS: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

/// Words of results, longest first.
const RESULTS: [&str; 21] = [
    "1/2-1/2",
    "0.5-0.5",
    "½-½",
    "1-0",
    "0-1",
    "红先胜",
    "紅先勝",
    "红先负",
    "紅先負",
    "红先和",
    "紅先和",
    "红胜",
    "紅勝",
    "黑胜",
    "黑勝",
    "和棋",
    "和局",
    "先胜",
    "先负",
    "先和",
    "未知",
];

impl Scanner {
    /// Begins at the start of a text.
    pub(crate) fn new(text: &str) -> Scanner {
        let text: Vec<char> = text.chars().collect();
        let narrow: Vec<char> = text.iter().map(|c| narrowed(*c)).collect();
        let braces = Pairs::new(&narrow, ('{', '}'), None);
        let brackets = Pairs::new(&narrow, ('(', ')'), Some(&braces));
        Scanner { text, narrow, braces, brackets, at: 0, line: 1, counted: 0, unclosed: false }
    }

    fn rest(&self) -> &[char] {
        &self.narrow[self.at..]
    }

    fn starts_with(&self, prefix: &str) -> bool {
        let mut rest = self.rest().iter();
        prefix.chars().all(|c| rest.next() == Some(&c))
    }

    fn text(&self, from: usize, to: usize) -> String {
        self.text[from..to].iter().collect()
    }

    /// The next token and the line on which it begins.
    fn token(&mut self) -> Option<(Token, usize)> {
        if std::mem::take(&mut self.unclosed) {
            return Some((Token::Unclosed, self.line));
        }
        while self.rest().first().is_some_and(|c| c.is_whitespace() || *c == '\u{feff}') {
            self.at += 1;
        }
        let first = *self.rest().first()?;
        self.line += self.text[self.counted..self.at].iter().filter(|c| **c == '\n').count();
        self.counted = self.at;
        let line = self.line;
        let token = match first {
            '{' => self.comment(),
            ';' => self.line_comment(),
            '[' => self.tag(),
            '(' => self.open(),
            ')' => self.one(Token::Close),
            '*' => self.one(Token::Result(Outcome::Unknown)),
            '$' => self.numbered_glyph(),
            '!' | '?' => self.glyph(),
            _ => self.result().or_else(|| self.number()).unwrap_or_else(|| self.word()),
        };
        Some((token, line))
    }

    fn one(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    fn comment(&mut self) -> Token {
        let (close, end) = match self.braces.pair_of(self.at) {
            Some(close) => (close, close + 1),
            None => {
                self.unclosed = true;
                // It must not swallow the games that follow.
                let close = self.braces.close_of(self.at).unwrap_or(self.text.len());
                let next = self.next_game(close);
                next.map_or((close, (close + 1).min(self.text.len())), |game| (game, game))
            }
        };
        let comment = self.text(self.at + 1, close);
        self.at = end;
        Token::Comment(comment.trim().to_owned())
    }

    /// Where, before `end`, a line that begins with the tag of a new game begins.
    fn next_game(&self, end: usize) -> Option<usize> {
        let begins = |tag: &str, at: usize| {
            let mut rest = self.narrow[at + 1..].iter();
            self.narrow[at] == '\n' && tag.chars().all(|c| rest.next() == Some(&c))
        };
        (self.at..end).find(|at| ["[Event \"", "[Game \""].iter().any(|tag| begins(tag, *at)))
    }

    fn line_end(&self) -> usize {
        let length = self.rest().iter().position(|c| *c == '\n' || *c == '\r');
        length.map_or(self.text.len(), |length| self.at + length)
    }

    fn line_comment(&mut self) -> Token {
        let end = self.line_end();
        let comment = self.text(self.at + 1, end);
        self.at = end;
        Token::Comment(comment.trim().to_owned())
    }

    /// `[Name "value"]`. The value ends at a quote and a bracket, or at the end of the line; it can go over lines.
    fn tag(&mut self) -> Token {
        let start = self.at;
        let mut at = start;
        while self.narrow.get(at).is_some_and(|c| *c == '[' || *c == ' ') {
            at += 1;
        }
        let name_end =
            at + self.narrow[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
        let name = self.text(at, name_end);
        let space = self.narrow[name_end..].iter().take_while(|c| **c == ' ' || **c == '\t').count();
        let quote = name_end + space;
        if name.is_empty() || self.narrow.get(quote) != Some(&'"') {
            let end = self.line_end().max(start + 1);
            self.at = end;
            return Token::Junk(self.text(start, end));
        }
        let (value_end, end) = self.tag_value(quote + 1);
        let value = self.text(quote + 1, value_end);
        self.at = end;
        Token::Tag(name, unescaped(&value).trim().to_owned())
    }

    /// Where a value that begins at `from` ends, and where its tag does.
    fn tag_value(&self, from: usize) -> (usize, usize) {
        // A value that goes over lines is a title; nobody's title is longer than this.
        const LONGEST: usize = 4096;
        let rest = &self.narrow[from..];
        // Within its line a value may have any length; looking for the line's end only where no quote comes before
        // keeps a line of many tags cheap.
        let on_line = || rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
        let over_lines = || closing_quote(&rest[..rest.len().min(LONGEST)]);
        if let Some(length) = over_lines().or_else(|| closing_quote(&rest[..on_line()])) {
            let end = from + length + 2;
            // What follows on the line is a writer's mistake, as in `[[FEN "…"] "FEN"]`.
            let gap = self.narrow[end..].iter().take_while(|c| **c == ' ').count();
            if self.narrow.get(end + gap) != Some(&'"') {
                return (from + length, end);
            }
            let tail = self.narrow[end..].iter().take(LONGEST).take_while(|c| **c != '\n').count();
            let mistake = self.narrow[..end + tail].iter().rev().find(|c| !c.is_whitespace()) == Some(&']');
            return (from + length, if mistake { end + tail } else { end });
        }
        let line = on_line();
        let value = rest[..line].iter().rposition(|c| *c == '"' || *c == ']');
        (from + value.unwrap_or(line), from + line)
    }

    /// Brackets around moves are a variation, around anything else a comment.
    fn open(&mut self) -> Token {
        let start = self.at + 1;
        let close = self.brackets.close_of(self.at);
        self.at = start;
        let line = self.line;
        let counted = self.counted;
        let close = close.unwrap_or(self.text.len());
        let is_variation = loop {
            // Brackets in brackets are no moves; looking into them would recurse.
            let next = self.rest().iter().find(|c| !c.is_whitespace());
            if next.is_some_and(|c| *c == '(' || *c == ')') {
                break false;
            }
            let Some((token, _)) = self.token().filter(|_| self.at <= close) else { break false };
            match token {
                Token::Number(_) | Token::Comment(_) | Token::Glyph(_) | Token::Unclosed => {}
                Token::Junk(junk) if junk.chars().all(|c| c == '.' || c == '…') => {}
                Token::Move(_) => break true,
                _ => break false,
            }
        };
        (self.at, self.line, self.counted, self.unclosed) = (start, line, counted, false);
        if is_variation {
            return Token::Open;
        }
        self.at = (close + 1).min(self.text.len());
        Token::Comment(self.text(start, close.max(start)).trim().to_owned())
    }

    fn numbered_glyph(&mut self) -> Token {
        let digits: String = self.rest()[1..].iter().take(3).take_while(|c| c.is_ascii_digit()).collect();
        self.at += 1 + digits.len();
        digits.parse().map_or_else(|_| Token::Junk(format!("${digits}")), Token::Glyph)
    }

    fn glyph(&mut self) -> Token {
        let found = GLYPHS.iter().find(|(text, _)| self.starts_with(text));
        let (text, number) = found.copied().unwrap_or(("!", 1));
        self.at += text.len();
        Token::Glyph(number)
    }

    fn result(&mut self) -> Option<Token> {
        let word = RESULTS.iter().find(|word| self.starts_with(word))?;
        let after = self.rest().get(word.chars().count());
        // `0-1` within `0-1.2` or a date is no result.
        if after.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '/') {
            return None;
        }
        let outcome = Outcome::read(word)?;
        self.at += word.chars().count();
        Some(Token::Result(outcome))
    }

    /// `12.`, `12...`, `3、`, `0-` before a Chinese move, and numbers that stand alone.
    fn number(&mut self) -> Option<Token> {
        let digits = self.rest().iter().take_while(|c| c.is_ascii_digit()).count();
        if digits == 0 || digits > 6 || (digits == 4 && self.is_glued()) {
            return None;
        }
        let rest = self.rest();
        let after = rest.get(digits).copied().unwrap_or(' ');
        let beyond = rest.get(digits + 1).copied().unwrap_or(' ');
        // `15.6` is a pawn's move, `0.2242` a number before one.
        let pawn = rest.get(..digits + 2).map(|word| word.iter().collect::<String>());
        let long = rest.get(digits + 2).is_some_and(char::is_ascii_alphanumeric);
        let is_pawn = digits == 2 && !long && pawn.is_some_and(|word| is_move_like(&word));
        let ends = match after {
            _ if is_pawn => false,
            '.' | '、' | ',' | ':' | '…' => true,
            '-' => is_piece(beyond) || is_place(beyond) || beyond.is_alphabetic(),
            c => c.is_whitespace() || is_piece(c) || is_place(c) || ")]}".contains(c),
        };
        if !ends {
            return None;
        }
        let number: String = rest[..digits].iter().collect();
        let marks = if after == '-' {
            1
        } else {
            rest[digits..].iter().take_while(|c| ['.', '、', ',', ':', '…'].contains(c)).count()
        };
        self.at += digits + marks;
        number.parse().ok().map(Token::Number)
    }

    /// Whether a number and its dot stand right before.
    fn is_glued(&self) -> bool {
        self.at > 0 && self.narrow[self.at - 1] == '.'
    }

    fn word(&mut self) -> Token {
        if let Some(length) = chinese_move(self.rest()) {
            let word = self.rest()[..length].iter().collect();
            self.at += length;
            return Token::Move(word);
        }
        let (start, glued) = (self.at, self.is_glued());
        let ends = |c: &char| c.is_whitespace() || "{}()[];!?*$".contains(*c);
        let mut end = start + 1;
        while end < self.narrow.len() && !ends(&self.narrow[end]) {
            // A Chinese move glued to what stands before it begins a token of its own.
            if !self.narrow[end].is_ascii() && chinese_move(&self.narrow[end..]).is_some() {
                break;
            }
            end += 1;
        }
        if let Some(length) = glued_move(&self.narrow[start..end]).filter(|length| *length < end - start) {
            self.at = start + length;
            return Token::Move(self.narrow[start..self.at].iter().collect());
        }
        self.at = end;
        let word: String = self.narrow[start..end].iter().collect();
        let bare = word.trim_matches([',', '.', ';', ':', '、', '，', '。', '"', '\'', '…']);
        if is_move_like(bare) || (is_index_move(bare) && glued) {
            return Token::Move(bare.to_owned());
        }
        Token::Junk(self.text(start, end))
    }
}

/// Where a quote and a bracket end a value. A quote behind an odd number of backslashes is part of it.
fn closing_quote(text: &[char]) -> Option<usize> {
    let mut escaped = false;
    text.iter().enumerate().position(|(i, c)| {
        let ends = *c == '"' && !escaped && text.get(i + 1) == Some(&']');
        escaped = *c == '\\' && !escaped;
        ends
    })
}

/// `\"` is a quote and `\\` a backslash; other backslashes are themselves.
fn unescaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.next_if(|next| c == '\\' && (*next == '"' || *next == '\\'));
        out.push(next.unwrap_or(c));
    }
    out
}

/// Four hexadecimal digits: a move by ranks and files, always right behind its number.
fn is_index_move(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte))
}

impl Iterator for Scanner {
    type Item = (Token, usize);

    fn next(&mut self) -> Option<(Token, usize)> {
        self.token()
    }
}
