//! The languages in which the venue speaks to people.

use axum::http::{HeaderMap, header};
use serde::Deserialize;

/// 简体中文, 繁體中文, English.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) enum Language {
    #[serde(rename = "zh-Hans")]
    Hans,
    #[serde(rename = "zh-Hant")]
    Hant,
    #[default]
    #[serde(rename = "en")]
    English,
}

impl Language {
    /// Its tag (BCP 47).
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Language::Hans => "zh-Hans",
            Language::Hant => "zh-Hant",
            Language::English => "en",
        }
    }

    /// The one that suits `Accept-Language` best; English where none does, as in the pages.
    pub(crate) fn of(headers: &HeaderMap) -> Language {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        accepted.and_then(Language::accepted).unwrap_or_default()
    }

    fn accepted(wanted: &str) -> Option<Language> {
        let weighed = wanted.split(',').filter_map(|part| {
            let (tag, weight) = part
                .split_once(";q=")
                .map_or((part, 1.0), |(tag, weight)| (tag, weight.trim().parse::<f32>().unwrap_or(0.0)));
            Some((Language::of_tag(tag.trim())?, weight))
        });
        // Of those with the same weight the first counts.
        let best = weighed.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.filter(|(_, weight)| *weight > 0.0).map(|(language, _)| language)
    }

    fn of_tag(tag: &str) -> Option<Language> {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split('-');
        match parts.next()? {
            "zh" if parts.any(|part| matches!(part, "hant" | "tw" | "hk" | "mo")) => Some(Language::Hant),
            "zh" => Some(Language::Hans),
            "en" => Some(Language::English),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(accepted: &str, expected: Language) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        assert_eq!(Language::of(&headers), expected, "{accepted}");
    }

    #[test]
    fn the_language_that_suits_best_is_found() {
        check("zh-CN,zh;q=0.9,en;q=0.8", Language::Hans);
        check("zh-TW", Language::Hant);
        check("zh-Hant-HK,en;q=0.5", Language::Hant);
        check("en;q=0.3, zh;q=0.7", Language::Hans);
        check("de-DE,de;q=0.9,zh-Hans;q=0.2", Language::Hans);
        check("en, zh", Language::English);
        check("zh;q=0, de", Language::English);
        for odd in ["", ",", ";q=", "zh;q=x", "*", "de"] {
            check(odd, Language::English);
        }
    }
}
