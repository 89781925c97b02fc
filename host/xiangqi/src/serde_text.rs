//! Serde for the vocabulary, as the texts that `Display` writes and `FromStr` reads.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::law::edition::EditionName;
use crate::{Color, Move, Position, Setup, Square};

struct TextVisitor<T>(core::marker::PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(|e| E::custom(alloc::format!("{text:?}: {e}")))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<T, E> {
        self.visit_str(&text)
    }
}

macro_rules! as_text {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserializer.deserialize_str(TextVisitor(core::marker::PhantomData))
            }
        }
    )*};
}

as_text! { Color EditionName Move Position Setup Square }
