//! The values of an edition as words of a header; the words are those of an event's file.

use alloc::string::{String, ToString};

use super::{Adjusting, BetweenPoints, DrawOffers, RepetitionRules};

/// What an edition can be asked for.
pub(super) trait Value: Sized {
    /// As one word.
    fn word(&self) -> String;
    /// Of one word; `None` if it is none of these values.
    fn of_word(word: &str) -> Option<Self>;
}

pub(super) fn write(value: &impl Value) -> String {
    value.word()
}

pub(super) fn read<V: Value>(word: &str) -> Option<V> {
    V::of_word(word)
}

impl Value for u32 {
    fn word(&self) -> String {
        self.to_string()
    }

    fn of_word(word: &str) -> Option<u32> {
        word.parse().ok()
    }
}

impl Value for DrawOffers {
    fn word(&self) -> String {
        match self {
            DrawOffers::Alternate => "alternate".to_string(),
            DrawOffers::Ahead(offers) => alloc::format!("ahead:{offers}"),
        }
    }

    fn of_word(word: &str) -> Option<DrawOffers> {
        match word.strip_prefix("ahead:") {
            Some(offers) => offers.parse().ok().map(DrawOffers::Ahead),
            None => (word == "alternate").then_some(DrawOffers::Alternate),
        }
    }
}

macro_rules! words {
    ($kind:ident: $($value:ident = $word:literal),*) => {
        impl Value for $kind {
            fn word(&self) -> String {
                match self {
                    $($kind::$value => $word.to_string(),)*
                }
            }

            fn of_word(word: &str) -> Option<$kind> {
                match word {
                    $($word => Some($kind::$value),)*
                    _ => None,
                }
            }
        }
    };
}

words!(Adjusting: Consent = "consent", Announce = "announce");
words!(BetweenPoints: Arbiter = "arbiter", Opponent = "opponent");
words!(RepetitionRules: Cxa1999 = "cxa-1999", Cxa2020 = "cxa-2020", Wxf2018 = "wxf-2018");
