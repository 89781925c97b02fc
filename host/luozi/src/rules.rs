//! `--rules` and `--late-limit`: an edition, and what an event sets otherwise.

use std::path::Path;

use referee::time_control::{self, LONGEST_SPAN_S};
use xiangqi::law::edition::{DrawOffers, Edition, ParseEditionError};

use crate::outcome::Failure;

/// What the games of a board are played by.
#[derive(Debug, clap::Args)]
pub struct RulesArgs {
    /// The rules of the games: an edition (cxa-1999, cxa-2010, cxa-2020 or wxf-2018), perhaps with what the event sets
    /// otherwise ("cxa-2010 natural_limit_rounds=40"), or a TOML file that says so
    #[arg(long, default_value = "cxa-2010", value_name = "RULES", value_parser = parse)]
    rules: Edition,
    /// How late a player may be before the game is lost (21.1), from 1s to 24h, as 15m; without it there is no limit
    #[arg(long, value_name = "TIME", value_parser = time_control::parse_span)]
    late_limit: Option<u32>,
}

impl RulesArgs {
    /// The rules in force.
    pub fn edition(&self) -> Edition {
        let mut edition = self.rules.clone();
        edition.late_limit_seconds = self.late_limit.unwrap_or(edition.late_limit_seconds);
        edition
    }

    /// As [`RulesArgs::edition`], at a board that has a clock or has none.
    ///
    /// # Errors
    ///
    /// A limit that no clock can count.
    pub fn edition_at(&self, has_clock: bool) -> Result<Edition, Failure> {
        let edition = self.edition();
        if edition.late_limit_seconds > 0 && !has_clock {
            let why =
                "lateness counts from the start of the clock, and this board has none; expected --clock, too";
            return Err(Failure::new(format_args!("--late-limit: {why}")));
        }
        Ok(edition)
    }
}

/// Reads the value of `--rules`. What ends in `.toml` is a file.
pub fn parse(text: &str) -> Result<Edition, String> {
    let edition = if Path::new(text).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        read(text)?
    } else {
        text.parse().map_err(|error: ParseEditionError| match error {
            ParseEditionError::Name => format!("{error}, or the path of a .toml file"),
            ParseEditionError::Value(_) => error.to_string(),
        })?
    };
    check(&edition).map_err(|why| format!("{text}: {why}"))?;
    Ok(edition)
}

fn read(path: &str) -> Result<Edition, String> {
    let contents = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    toml::from_str(&contents).map_err(|error| {
        let line = error.span().map_or(1, |span| contents[..span.start].matches('\n').count() + 1);
        format!("{path}, line {line}: {}", error.message())
    })
}

/// Values that can be written and by which no game can be played.
fn check(edition: &Edition) -> Result<(), String> {
    if edition.late_limit_seconds > LONGEST_SPAN_S {
        return Err(format!("late_limit_seconds: expected at most {LONGEST_SPAN_S}, a day"));
    }
    if edition.cycles_to_claim == 0 {
        return Err("cycles_to_claim: expected 1 or more; every position has come once".to_owned());
    }
    if edition.cycles_to_lose == 0 {
        return Err(
            "cycles_to_lose: expected 1 or more; who must vary loses by what he plays, not before".to_owned()
        );
    }
    if edition.draw_offers == DrawOffers::Ahead(0) {
        return Err("draw_offers: expected ahead:1 or more; every offer would be a foul".to_owned());
    }
    Ok(())
}
