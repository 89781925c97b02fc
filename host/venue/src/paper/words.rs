//! The words on what is printed, in three languages: those of the pages, written to `words.json` by the pages' own tests.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::game::Outcome;
use crate::language::Language;

/// The words of one language. What varies stands in braces.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Words {
    pub sheet: String,
    pub pairings: String,
    pub results: String,
    pub event: String,
    pub round_heading: String,
    pub round_of: String,
    pub table_heading: String,
    pub red: String,
    pub black: String,
    pub date: String,
    pub control: String,
    pub rules: String,
    pub start_fen: String,
    pub number: String,
    pub used: String,
    pub result: String,
    pub fouls: String,
    pub no_fouls: String,
    pub foul: String,
    pub open: String,
    pub how: String,
    pub arbiter: String,
    pub signature: String,
    pub signed_here: String,
    pub page: String,
    pub game: String,
    pub no_games: String,
    pub boxes: String,
    pub article: String,
    pub day: String,
    pub months: Vec<String>,
    pub outcomes: BTreeMap<String, String>,
    pub scores: BTreeMap<String, String>,
    pub reasons: BTreeMap<String, String>,
    pub offences: BTreeMap<String, String>,
    pub editions: BTreeMap<String, String>,
}

static WORDS: LazyLock<BTreeMap<String, Words>> =
    LazyLock::new(|| serde_json::from_str(include_str!("words.json")).unwrap_or_default());

/// How moves are written in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Notation {
    #[default]
    Chinese,
    Wxf,
    Iccs,
}

/// How something is to be worded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording {
    pub language: Language,
    pub notation: Notation,
    /// How far local time is ahead of UTC, in minutes; without it days are those of UTC, and say so.
    pub offset: Option<i32>,
}

impl Wording {
    pub(super) fn words(self) -> &'static Words {
        static NONE: LazyLock<Words> = LazyLock::new(Words::default);
        WORDS.get(self.language.tag()).unwrap_or(&NONE)
    }

    /// The day of a moment, in milliseconds of UTC; empty where that is 0.
    pub(super) fn day(self, utc_ms: u64) -> String {
        if utc_ms == 0 {
            return String::new();
        }
        let local_s = i64::try_from(utc_ms / 1000).unwrap_or(0) + i64::from(self.offset.unwrap_or(0)) * 60;
        let (year, month, day) = civil(local_s.div_euclid(86_400));
        let words = self.words();
        let name = words.months.get(month - 1).cloned().unwrap_or_default();
        let text = fill(&words.day, &[("year", &year), ("month", &name), ("day", &day)]);
        if self.offset.is_some() { text } else { format!("{text} (UTC)") }
    }
}

/// Year, month from 1 and day of so many days after 1 January 1970. Years are counted from March, so that a leap day is the
/// last of its year, and 400 of them are always as long.
fn civil(days: i64) -> (i64, usize, i64) {
    const ERA: i64 = 146_097;
    let since = days + 719_468;
    let (era, of_era) = (since.div_euclid(ERA), since.rem_euclid(ERA));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (year + era * 400 + i64::from(month <= 2), usize::try_from(month).unwrap_or(1), day)
}

/// Puts values where a text has their names in braces.
pub(super) fn fill(text: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    let put = |text: String, (name, value): &(&str, &dyn std::fmt::Display)| {
        text.replace(&format!("{{{name}}}"), &value.to_string())
    };
    values.iter().fold(text.to_owned(), put)
}

impl Words {
    /// What a word of ours is called; a word that is not known stands for itself.
    pub fn name<'a>(&'a self, of: &'a BTreeMap<String, String>, word: &'a str) -> &'a str {
        of.get(word).map_or(word, String::as_str)
    }

    /// Why a game ended, with the article where one is named.
    pub fn reason(&self, result: &Outcome) -> String {
        let cause = self.name(&self.reasons, &word_of(&result.reason)).to_owned();
        match &*result.article {
            "" => cause,
            article => format!("{cause} ({})", fill(&self.article, &[("article", &article)])),
        }
    }
}

/// The word by which something is known on the wire.
pub(super) fn word_of(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| Some(value.as_str()?.to_owned())).unwrap_or_default()
}

/// A thinking time, such as `4″` or `12′40″`.
pub(super) fn time(ms: u64) -> String {
    match (ms + 500) / 1000 {
        seconds @ ..60 => format!("{seconds}″"),
        seconds => format!("{}′{:02}″", seconds / 60, seconds % 60),
    }
}

/// The number of the full move that a ply belongs to, counted from one.
pub(super) const fn move_number(ply: u64) -> u64 {
    ply.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_words() {
        let read: Result<BTreeMap<String, Words>, _> = serde_json::from_str(include_str!("words.json"));
        let languages: Vec<_> = read.unwrap().into_keys().collect();
        assert_eq!(languages, ["en", "zh-Hans", "zh-Hant"]);
    }

    fn check(utc_ms: u64, offset: Option<i32>, language: Language, expected: &str) {
        let wording = Wording { language, notation: Notation::Chinese, offset };
        assert_eq!(wording.day(utc_ms), expected, "{utc_ms} {offset:?}");
    }

    #[test]
    fn days_are_those_of_the_hall() {
        // 31 December 2023, 23:30 UTC.
        let late = 1_704_065_400_000;
        check(late, Some(480), Language::Hans, "2024年1月1日");
        check(late, Some(-300), Language::English, "December 31, 2023");
        check(late, None, Language::Hant, "2023年12月31日 (UTC)");
        check(951_782_400_000, Some(0), Language::Hans, "2000年2月29日");
        check(0, None, Language::English, "");
    }

    #[test]
    fn times_are_written_as_on_the_pages() {
        for (ms, expected) in
            [(0, "0″"), (4_400, "4″"), (59_499, "59″"), (59_500, "1′00″"), (760_000, "12′40″")]
        {
            assert_eq!(time(ms), expected);
        }
    }
}
