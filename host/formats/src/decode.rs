//! Which encoding a text is in. Files say nothing about it, and some are put together from files in several.

use std::borrow::Cow;
use std::cmp::Reverse;

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};

use crate::{Place, Warning, Warnings};

/// The text of a file: as told, as its mark says, UTF-8 if it is that; and otherwise in the encoding in which it says
/// most about moves. Big5 read as GB18030 is text, too, but speaks of no move.
pub(crate) fn decode<'a>(
    data: &'a [u8],
    told: Option<&'static Encoding>,
    warnings: &mut Warnings,
) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(data) {
        return encoding.decode_without_bom_handling(&data[mark..]).0;
    }
    // Only in UTF-16 are there many zeros.
    let sample = &data[..data.len().min(4096)];
    let has_zeros = sample.iter().filter(|byte| **byte == 0).count() > sample.len() / 16;
    let utf8 = || (!has_zeros && std::str::from_utf8(data).is_ok()).then_some(UTF_8);
    if let Some(encoding) = told.or_else(utf8) {
        return encoding.decode_without_bom_handling(data).0;
    }
    let read = |encoding: &'static Encoding| encoding.decode_without_bom_handling(data).0;
    let worth = |text: &Cow<'_, str>| {
        let directions = text.chars().filter(|c| "进進退平".contains(*c)).count();
        let wrong = text.chars().filter(|c| *c == '\u{fffd}' || *c == '\0').count();
        (directions, Reverse(wrong), text.bytes().filter(u8::is_ascii).count())
    };
    let wide = [UTF_16BE, UTF_16LE].into_iter().filter(|_| has_zeros);
    // Of equals the last is taken.
    let choices = wide.chain([UTF_8, BIG5, GB18030]).map(|encoding| (encoding, read(encoding)));
    let Some((encoding, text)) = choices.max_by_key(|(_, text)| worth(text)) else { return Cow::default() };
    mixed(data, encoding, warnings).map_or(text, Cow::Owned)
}

/// The text of a file of which most is in one encoding and some lines are plainly in another; none if there are no
/// such lines.
fn mixed(data: &[u8], main: &'static Encoding, warnings: &mut Warnings) -> Option<String> {
    if ![UTF_8, BIG5, GB18030].contains(&main) {
        return None;
    }
    let mut text = String::with_capacity(data.len() * 3 / 2);
    let mut others = 0;
    for (number, line) in data.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let other = other_encoding(line, main);
        if let Some(other) = other {
            others += 1;
            let (main, other) = (main.name(), other.name());
            let what = format!("not in {main} as most of the file; read as {other}");
            warnings.push(Warning { place: Place::Line(number + 1), what });
        }
        text.push_str(&other.unwrap_or(main).decode_without_bom_handling(line).0);
    }
    (others > 0).then_some(text)
}

/// The encoding that a line is plainly in, if that is not the one of the file.
fn other_encoding(line: &[u8], main: &'static Encoding) -> Option<&'static Encoding> {
    if line.is_ascii() {
        return None;
    }
    let is_utf8 = std::str::from_utf8(line).is_ok();
    if main == UTF_8 {
        let guess = if is_plainly(line, BIG5) { BIG5 } else { GB18030 };
        return (!is_utf8).then_some(guess);
    }
    let wide = || String::from_utf8_lossy(line).chars().filter(|c| !c.is_ascii()).all(|c| c >= '\u{2000}');
    // One character of three bytes can be half of three of two; several are no accident.
    let bytes = line.iter().filter(|byte| !byte.is_ascii()).count();
    if is_utf8 && bytes >= 6 && wide() {
        return Some(UTF_8);
    }
    let other = if main == BIG5 { GB18030 } else { BIG5 };
    is_plainly(line, other).then_some(other)
}

/// Whether a line consists of the common characters of Big5 or of GB2312, with bytes that the other one has for rare
/// characters only. Three characters at least: fewer prove nothing.
fn is_plainly(line: &[u8], encoding: &'static Encoding) -> bool {
    let (mut pairs, mut telling) = (0, 0);
    let mut bytes = line.iter().copied();
    while let Some(lead) = bytes.next() {
        if lead.is_ascii() {
            continue;
        }
        let trail = bytes.next().unwrap_or(0);
        let is_common = match encoding == BIG5 {
            true => matches!(lead, 0xa1..=0xc6) && matches!(trail, 0x40..=0x7e | 0xa1..=0xfe),
            false => matches!(lead, 0xa1 | 0xa3 | 0xb0..=0xd7) && trail >= 0xa1,
        };
        if !is_common {
            return false;
        }
        pairs += 1;
        telling += usize::from(if encoding == BIG5 { trail < 0xa1 } else { lead > 0xc6 });
    }
    pairs >= 3 && telling * 4 >= pairs
}
