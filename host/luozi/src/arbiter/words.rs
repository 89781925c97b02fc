//! Words and times as an arbiter types them.

use referee::foul::Offence;
use serde::de::DeserializeOwned;
use xiangqi::law::edition::Numbering;

/// What an offence may be called.
pub const OFFENCES: &str = "What for, by name or by its article in the 1999 or the 2010 rules:\n\
    disturbance (9.1.1), clock-tampering (9.1.2), draw-offers (9.1.3), false-claim (9.1.4),\n\
    touch-unmovable (9.1.5), touch-uncapturable (9.1.6), missed-lines (9.1.7), press-without-move (8.1(7)),\n\
    illegal-move (8.1(8)), conduct (9.1.8)";

/// What a game may end by.
pub const REASONS: &str = "Why:\n\
    checkmate, stalemate, kings-facing, suicide, flag, late, both-late, illegal-move, presses-without-move,\n\
    perpetual-check, not-varied, fouls, false-claims, resignation, conduct, no-win-possible, agreement,\n\
    repetition, natural-limit, forfeit, arbiter";

/// A word of the orders, with `-` or `_` between its parts.
pub fn named<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let word = serde_json::Value::from(text.replace('-', "_"));
    // serde's own message lists the words, as the records write them.
    serde_json::from_value(word).map_err(|error| {
        let listed = error.to_string().replace('`', "").replace('_', "-");
        listed.split_once(", expected ").map_or(listed.clone(), |(_, words)| format!("expected {words}"))
    })
}

/// An offence by its name or its article.
pub fn offence(text: &str) -> Result<Offence, String> {
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return named(text);
    }
    let is_meant = |offence: &Offence| {
        [Numbering::Of1999, Numbering::Of2010].iter().any(|of| offence.article(*of) == text)
    };
    let meant: Vec<Offence> = Offence::ALL.into_iter().filter(is_meant).collect();
    match meant[..] {
        [offence] => Ok(offence),
        [] => Err("no foul has that article".to_owned()),
        _ => Err("several fouls have that article: name one (see foul --help)".to_owned()),
    }
}

/// A time in milliseconds: `29:59`, `1:29:59`, `0:09.5`, or `90s`, `5m`, `1h30m`.
pub fn time_ms(text: &str) -> Result<u64, String> {
    let time = if text.contains(':') { of_display(text) } else { of_units(text) };
    time.filter(|ms| *ms <= 24 * 3_600_000).ok_or_else(|| {
        "expected a time of at most a day, as 29:59, 1:29:59, 0:09.5, 90s, 5m or 1h30m".to_owned()
    })
}

/// A time as displays show it.
fn of_display(text: &str) -> Option<u64> {
    let (whole, tenth) = match text.split_once('.') {
        Some((whole, tenth)) => (whole, number(tenth, 1)?),
        None => (text, 0),
    };
    let mut parts = whole.split(':');
    let mut seconds = number(parts.next()?, 2)?;
    let mut count = 1;
    for part in parts {
        let part = number(part, 2).filter(|value| *value < 60 && part.len() == 2)?;
        seconds = seconds * 60 + part;
        count += 1;
    }
    (count <= 3).then_some(seconds * 1000 + tenth * 100)
}

/// A time in hours, minutes and seconds, the larger first.
fn of_units(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total = 0;
    for (unit, unit_ms) in [("h", 3_600_000), ("m", 60_000), ("s", 1000)] {
        if let Some((amount, after)) = rest.split_once(unit) {
            total += number(amount, 5)? * unit_ms;
            rest = after;
        }
    }
    (rest.is_empty() && !text.is_empty()).then_some(total)
}

/// A whole number of at most so many digits.
fn number(text: &str, most: usize) -> Option<u64> {
    let digits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::Reason;

    #[test]
    fn times() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(time_ms(text).ok(), expected, "{text}");
        check("29:59", Some(1_799_000));
        check("1:29:59", Some(5_399_000));
        check("0:09.5", Some(9_500));
        check("90s", Some(90_000));
        check("5m", Some(300_000));
        check("1h30m", Some(5_400_000));
        check("1m30s", Some(90_000));
        check("24h", Some(86_400_000));
        for bad in
            ["", ":", "5", "1:60", "1:2", "1:00:00:00", "s", "30s1m", "1.5m", "-5m", "25h", "99999h", "5m "]
        {
            check(bad, None);
        }
    }

    #[test]
    fn offences_by_name_and_article() {
        let check =
            |text: &str, expected: Option<Offence>| assert_eq!(offence(text).ok(), expected, "{text}");
        check("conduct", Some(Offence::Conduct));
        check("clock-tampering", Some(Offence::ClockTampering));
        check("clock_tampering", Some(Offence::ClockTampering));
        check("9.1.3", Some(Offence::DrawOffers));
        check("8.1(3)", Some(Offence::DrawOffers));
        check("8.1(5)", None);
        check("9.1.9", None);
        check("blunder", None);
    }

    /// The help names every word that is understood.
    #[test]
    fn help_names_every_word() {
        for offence in Offence::ALL {
            let word = serde_json::to_value(offence).unwrap().as_str().unwrap().replace('_', "-");
            assert!(OFFENCES.contains(&word), "{word}");
            assert_eq!(named::<Offence>(&word), Ok(offence));
        }
        let words = REASONS.trim_start_matches("Why:").split(',').map(str::trim);
        assert_eq!(words.clone().count(), 21);
        for word in words {
            assert!(named::<Reason>(word).is_ok(), "{word}");
        }
    }
}
