//! The laws of competition: what the rules make of a game beyond single moves. `RULES.md` holds the articles in our words.

pub mod edition;
pub mod ending;
pub mod natural_limit;
pub mod repetition;
