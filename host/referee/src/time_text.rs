//! A cursor over the text of a time control.

use core::fmt;

use crate::time_control::TimeControlError;

/// The longest span, in seconds: a day.
pub const LONGEST_SPAN_S: u32 = 24 * 3600;
pub(crate) const MAX_MOVES: u16 = 999;
pub(crate) const MAX_PERIODS: u16 = 99;
pub(crate) const MAX_STAGES: usize = 9;

/// Writes `90m`, `30s` or `1m30s`; minutes are not turned into hours, because nobody writes `1h+30s`.
pub(crate) fn write_span(f: &mut fmt::Formatter<'_>, seconds: u32) -> fmt::Result {
    match (seconds / 60, seconds % 60) {
        (0, s) => write!(f, "{s}s"),
        (m, 0) => write!(f, "{m}m"),
        (m, s) => write!(f, "{m}m{s}s"),
    }
}

/// Reads a text from left to right and knows where it is.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    number_at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0, number_at: 0 }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn looking_at(&self, token: &str) -> bool {
        self.rest().starts_with(token)
    }

    pub(crate) fn eat(&mut self, token: &str) -> bool {
        let found = self.looking_at(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub(crate) fn error(&self, expected: &'static str) -> TimeControlError {
        self.error_at(self.at, expected)
    }

    pub(crate) fn error_at(&self, byte: usize, expected: &'static str) -> TimeControlError {
        TimeControlError::new(self.text, byte, expected)
    }

    pub(crate) fn expect(&mut self, token: &str, expected: &'static str) -> Result<(), TimeControlError> {
        if self.eat(token) { Ok(()) } else { Err(self.error(expected)) }
    }

    pub(crate) fn expect_end(&self) -> Result<(), TimeControlError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.error("`,`, `…` or the end of the text")) }
    }

    fn digits(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()]
    }

    /// A whole number; one that no limit here allows is read as the largest.
    pub(crate) fn number(&mut self, expected: &'static str) -> Result<u32, TimeControlError> {
        let digits = self.digits();
        if digits.is_empty() {
            return Err(self.error(expected));
        }
        self.number_at = self.at;
        self.at += digits.len();
        Ok(digits.parse().unwrap_or(u32::MAX))
    }

    /// The number that stands before `mark`, if one does; both are eaten then.
    pub(crate) fn number_before(&mut self, mark: char) -> Option<u32> {
        let digits = self.digits();
        if digits.is_empty() || !self.rest()[digits.len()..].starts_with(mark) {
            return None;
        }
        self.number_at = self.at;
        self.at += digits.len() + mark.len_utf8();
        Some(digits.parse().unwrap_or(u32::MAX))
    }

    /// Checks the number that was read last.
    pub(crate) fn within(
        &self,
        number: u32,
        low: u32,
        high: u32,
        expected: &'static str,
    ) -> Result<u32, TimeControlError> {
        if (low..=high).contains(&number) { Ok(number) } else { Err(self.error_at(self.number_at, expected)) }
    }

    /// `1h30m`, `90m`, `30s`: each unit at most once, the larger first; 1 second to 24 hours.
    pub(crate) fn span(&mut self, expected: &'static str) -> Result<u32, TimeControlError> {
        let begin = self.at;
        let mut total: u64 = 0;
        let mut largest = u32::MAX;
        loop {
            let number = self.number(expected)?;
            let unit = match self.rest().as_bytes().first() {
                Some(b'h') => 3600,
                Some(b'm') => 60,
                Some(b's') => 1,
                _ => return Err(self.error("a unit after the number: h, m or s")),
            };
            if unit >= largest {
                return Err(self.error("a smaller unit than the one before"));
            }
            largest = unit;
            self.at += 1;
            total += u64::from(number) * u64::from(unit);
            if self.digits().is_empty() {
                break;
            }
        }
        if total == 0 || total > u64::from(LONGEST_SPAN_S) {
            return Err(self.error_at(begin, "a time from 1 second to 24 hours"));
        }
        Ok(total as u32)
    }
}
