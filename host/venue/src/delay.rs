//! How far the public is behind the boards, event by event.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use referee::public::Behind;

/// How late the public sees a game: both bounds hold, whichever is later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    /// So long after it happened.
    pub ms: u64,
    /// So many plies later, until the game has a result.
    pub plies: u32,
}

/// The longest delay: a day.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;
/// The most plies: more than any game has.
const MOST_PLIES: u32 = 1000;

impl Delay {
    /// As viewers are told; nothing where there is no delay.
    pub fn behind(self) -> Option<Behind> {
        (self != Delay::default()).then(|| Behind { seconds: self.ms.div_ceil(1000), plies: self.plies })
    }

    fn longer(self, other: Delay) -> Delay {
        Delay { ms: self.ms.max(other.ms), plies: self.plies.max(other.plies) }
    }
}

/// The text was no delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayError;

impl fmt::Display for DelayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a delay such as 15m, 90s, 4plies or 15m+4plies, at most 24h and 1000plies")
    }
}

impl std::error::Error for DelayError {}

impl FromStr for Delay {
    type Err = DelayError;

    /// Reads `15m`, `90s`, `1h`, `4plies`, sums of them such as `15m+4plies`, and `0`.
    fn from_str(text: &str) -> Result<Delay, DelayError> {
        if text == "0" {
            return Ok(Delay::default());
        }
        let mut delay = Delay::default();
        for part in text.split('+') {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let (number, unit) = part.split_at(digits);
            let number: u64 = number.parse().map_err(|_| DelayError)?;
            let unit_ms = match unit {
                "s" => 1000,
                "m" => 60 * 1000,
                "h" => 60 * 60 * 1000,
                "plies" | "ply" => {
                    let plies = u32::try_from(number).map_err(|_| DelayError)?;
                    delay.plies = delay.plies.checked_add(plies).ok_or(DelayError)?;
                    continue;
                }
                _ => return Err(DelayError),
            };
            let ms = number.checked_mul(unit_ms).ok_or(DelayError)?;
            delay.ms = delay.ms.checked_add(ms).ok_or(DelayError)?;
        }
        if delay.ms > LONGEST_MS || delay.plies > MOST_PLIES { Err(DelayError) } else { Ok(delay) }
    }
}

/// A delay of one event, or of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayRule {
    /// The event's name as the boards say it; none for every event without a rule of its own.
    pub event: Option<String>,
    /// How late.
    pub delay: Delay,
}

impl FromStr for DelayRule {
    type Err = DelayError;

    /// Reads `DELAY` or `EVENT=DELAY`.
    fn from_str(text: &str) -> Result<DelayRule, DelayError> {
        match text.rsplit_once('=') {
            Some((event, delay)) => Ok(DelayRule { event: Some(event.to_owned()), delay: delay.parse()? }),
            None => Ok(DelayRule { event: None, delay: text.parse()? }),
        }
    }
}

/// The delays of all events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    usual: Delay,
    of_event: BTreeMap<String, Delay>,
}

impl Delays {
    /// Of those rules; a later one replaces an earlier one.
    pub fn new(rules: impl IntoIterator<Item = DelayRule>) -> Delays {
        let mut delays = Delays::default();
        for DelayRule { event, delay } in rules {
            match event {
                Some(event) => drop(delays.of_event.insert(event, delay)),
                None => delays.usual = delay,
            }
        }
        delays
    }

    /// The delay of an event.
    pub fn of(&self, event: &str) -> Delay {
        self.of_event.get(event).copied().unwrap_or(self.usual)
    }

    /// No event has a longer one: what is kept to while the event is not known.
    pub fn longest(&self) -> Delay {
        self.of_event.values().fold(self.usual, |longest, delay| longest.longer(*delay))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(Option<&str>, u64, u32)>) {
        let read = text.parse::<DelayRule>().ok();
        let read = read.as_ref().map(|rule| (rule.event.as_deref(), rule.delay.ms, rule.delay.plies));
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn delays_are_read() {
        check("0", Some((None, 0, 0)));
        check("15m", Some((None, 900_000, 0)));
        check("90s", Some((None, 90_000, 0)));
        check("4plies", Some((None, 0, 4)));
        check("15m+4plies", Some((None, 900_000, 4)));
        check("1h+30m", Some((None, 5_400_000, 0)));
        check("全国=个人赛=1m", Some((Some("全国=个人赛"), 60_000, 0)));
        for bad in
            ["", "15", "m", "-1m", "15 m", "25h", "1001plies", "99999999999999999999s", "15m+", "a=", "+"]
        {
            check(bad, None);
        }
    }

    #[test]
    fn an_unknown_event_waits_longest() {
        let rules = ["15m", "团体赛=4plies", "女子=0"].map(|text| text.parse().unwrap());
        let delays = Delays::new(rules);
        assert_eq!(delays.of("男子"), Delay { ms: 900_000, plies: 0 });
        assert_eq!(delays.of("女子"), Delay::default());
        assert_eq!(delays.longest(), Delay { ms: 900_000, plies: 4 });
        assert_eq!(delays.of("女子").behind(), None);
    }
}
