//! An address that a page may link to.

use std::fmt;
use std::str::FromStr;

/// An address of the web. Nothing else may stand in a link of ours: a page runs what `javascript:` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress(String);

/// Why a text is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebAddressError;

impl fmt::Display for WebAddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected http://… or https://…, without spaces")
    }
}

impl std::error::Error for WebAddressError {}

impl WebAddress {
    /// The address as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WebAddress {
    type Err = WebAddressError;

    fn from_str(text: &str) -> Result<WebAddress, WebAddressError> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_odd = |one: char| one.is_whitespace() || one.is_control();
        match rest {
            Some(rest) if !rest.is_empty() && !rest.starts_with('/') && !rest.contains(is_odd) => {
                Ok(WebAddress(text.to_owned()))
            }
            _ => Err(WebAddressError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web() {
        for (text, good) in [
            ("https://example.org/standings?round=3", true),
            ("http://10.0.0.2:8000", true),
            ("https://", false),
            ("https:///standings", false),
            ("javascript:alert(1)", false),
            ("example.org", false),
            ("https://example.org/a b", false),
            ("", false),
        ] {
            assert_eq!(text.parse::<WebAddress>().is_ok(), good, "{text}");
        }
    }
}
