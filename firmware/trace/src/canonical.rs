//! Readings and presses exactly as the writer writes them, parsed without a JSON parser.
//!
//! Nearly every line of a trace is one of the two, and a board that scans a thousand times a second writes many. Whatever
//! looks different in the least is left to the JSON parser, which alone decides what is an error.

use sense::{Frame, Uptime};
use xiangqi::{Bitboard, Color};

use crate::{LATEST, Observation, Sensed};

/// The observation of a line without its line feed, if it is a reading or a press in the writer's own form.
pub(crate) fn parse(line: &[u8]) -> Option<Observation> {
    let rest = line.strip_prefix(br#"{"us":"#)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (us, rest) = rest.split_at(digits);
    let at = number(us)?;
    let sensed = match rest.strip_prefix(br#","closed":""#) {
        Some(rest) => Sensed::Closed(frame(rest.strip_suffix(br#""}"#)?)?),
        None => match rest {
            br#","press":"red"}"# => Sensed::Press(Color::Red),
            br#","press":"black"}"# => Sensed::Press(Color::Black),
            _ => return None,
        },
    };
    Some(Observation { at, sensed })
}

/// At most 16 digits, which hold every time that a trace may have and cannot overflow.
fn number(digits: &[u8]) -> Option<Uptime> {
    let leads_with_zero = digits.len() > 1 && digits[0] == b'0';
    if digits.is_empty() || digits.len() > 16 || leads_with_zero {
        return None;
    }
    let us = digits.iter().fold(0, |us, digit| us * 10 + u64::from(digit - b'0'));
    (us <= LATEST.as_us()).then_some(Uptime::from_us(us))
}

fn frame(digits: &[u8]) -> Option<Frame> {
    let (first, rest) = digits.split_at_checked(23 - 16)?;
    let bits = u128::from(hexadecimal(first)?) << 64 | u128::from(hexadecimal(rest.first_chunk::<16>()?)?);
    (digits.len() == 23 && bits >> 90 == 0).then_some(Frame::new(Bitboard::from_bits(bits)))
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |bits, digit| {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        Some(bits << 4 | u64::from(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Line;
    use proptest::prelude::*;

    fn by_json(line: &[u8]) -> Result<Observation, String> {
        serde_json::from_slice::<Line>(line).map_err(|e| e.to_string()).and_then(Observation::try_from)
    }

    /// Lines as they are written, and lines that nearly are.
    fn lines() -> impl Strategy<Value = String> {
        let us = prop_oneof![any::<u64>(), 0..=LATEST.as_us(), 0..5000u64].prop_map(|us| us.to_string());
        let us = prop_oneof![4 => us, 1 => "[0-9]{1,21}"];
        let sensed = prop_oneof![
            (0..1u128 << 92).prop_map(|bits| format!(r#""closed":"{bits:023x}""#)),
            (0..1u128 << 90).prop_map(|bits| format!(r#""closed":"{bits:023x}""#)),
            r#""closed":"[0-3][0-9a-fA-F]{21,23}""#,
            Just(r#""press":"red""#.to_owned()),
            Just(r#""press":"black""#.to_owned()),
        ];
        (us, sensed).prop_map(|(us, sensed)| format!(r#"{{"us":{us},{sensed}}}"#))
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_the_json_says(line in lines(), at in any::<usize>(), byte in any::<u8>()) {
            let mut line = line.into_bytes();
            let json = by_json(&line).ok();
            prop_assert_eq!(parse(&line), json, "both read, or neither does");
            // A changed byte may leave other JSON for the parser; it is never read otherwise than the parser does.
            let at = at % line.len();
            line[at] = byte;
            if let Some(read) = parse(&line) {
                prop_assert_eq!(Ok(read), by_json(&line));
            }
        }
    }
}
