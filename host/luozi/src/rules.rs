//! `--rules`: an edition by its name, or a TOML file in which an event changes single values of one.

use std::path::Path;

use xiangqi::law::edition::{Edition, EditionName};

/// Reads the value of `--rules`. What ends in `.toml` is a file.
pub fn parse(text: &str) -> Result<Edition, String> {
    if !Path::new(text).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        let name: EditionName =
            text.parse().map_err(|error| format!("{error}, or the path of a .toml file"))?;
        return Ok(Edition::new(name));
    }
    let contents = std::fs::read_to_string(text).map_err(|error| format!("{text}: {error}"))?;
    toml::from_str(&contents).map_err(|error| {
        let line = error.span().map_or(1, |span| contents[..span.start].matches('\n').count() + 1);
        format!("{text}, line {line}: {}", error.message())
    })
}
