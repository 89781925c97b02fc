//! The report for people.

use std::fmt;

use serde::Serialize;
use xiangqi::{Color, Setup};

use crate::{Incident, Report};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.moves.len();
        writeln!(f, "{}: {plies} {}", self.trace, if plies == 1 { "ply" } else { "plies" })?;
        self.write_moves(f)?;
        for open in &self.unresolved {
            write!(f, "  ply {} is open:", open.ply)?;
            for candidate in &open.candidates {
                write!(f, " {candidate}")?;
            }
            writeln!(f)?;
        }
        if let Some(result) = &self.result {
            writeln!(f, "  result {result}")?;
        }
        writeln!(f, "  final {}", self.final_fen)?;
        for incident in &self.incidents {
            writeln!(f, "  {incident}")?;
        }
        for warning in &self.warnings {
            writeln!(f, "  left out: {warning}")?;
        }
        Ok(())
    }
}

impl Report {
    /// Five rounds a line, numbered from the round of the start.
    fn write_moves(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start: Option<Setup> = self.start.parse().ok();
        let first = start.map_or(1, |setup| setup.round);
        let black_begins = start.is_some_and(|setup| setup.turn == Color::Black);
        let mut plies: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        if black_begins {
            plies.insert(0, "....".to_owned());
        }
        for (line, rounds) in plies.chunks(10).enumerate() {
            write!(f, " ")?;
            for (round, pair) in rounds.chunks(2).enumerate() {
                write!(f, " {:>3}. {:9}", first as usize + 5 * line + round, pair.join(" "))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.us / 1_000_000;
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let (seconds, millis) = (seconds % 60, self.us / 1000 % 1000);
        write!(f, "{hours}:{minutes:02}:{seconds:02}.{millis:03}  ply {:<3} ", self.ply)?;
        self.kind.serialize(&mut *f)?;
        if let Some(side) = self.side {
            write!(f, ", {side}")?;
        }
        if !self.article.is_empty() {
            write!(f, ", article {}", self.article)?;
        }
        for square in &self.squares {
            write!(f, " {square}")?;
        }
        if self.note.is_empty() { Ok(()) } else { write!(f, ": {}", self.note) }
    }
}
