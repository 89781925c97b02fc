//! Adding up a run.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Report;

/// What a run did in all.
#[derive(Debug, Default)]
pub struct Totals {
    /// Files read or tried.
    pub files: usize,
    /// Files that could not be converted.
    pub failed: usize,
    /// Why the first of them could not.
    pub first_failure: Option<String>,
    /// Games that could not be converted in files that could.
    pub lost: usize,
    games: usize,
    plies: usize,
    warnings: usize,
    /// Files and amounts by kind of loss.
    losses: BTreeMap<&'static str, usize>,
}

impl Totals {
    /// Adds a file.
    pub fn add(&mut self, report: &Report) {
        self.files += 1;
        self.games += report.games;
        self.plies += report.plies;
        self.warnings += report.warnings.len();
        self.lost += report.lost.len();
        if let Some(failure) = &report.failure {
            self.failed += 1;
            self.first_failure.get_or_insert_with(|| failure.clone());
        }
        for (_, loss) in &report.losses {
            let (kind, amount) = loss.amount();
            *self.losses.entry(kind).or_default() += amount;
        }
    }

    /// As JSON.
    pub fn json(&self, seconds: f64) -> Value {
        json!({
            "files": self.files,
            "failed": self.failed,
            "games": self.games,
            "lost_games": self.lost,
            "nodes": self.plies,
            "warnings": self.warnings,
            "losses": self.losses,
            "seconds": (seconds * 1000.0).round() / 1000.0,
        })
    }

    /// For people.
    pub fn text(&self, seconds: f64) -> String {
        let losses: Vec<String> =
            self.losses.iter().map(|(kind, amount)| format!("{amount} {}", kind.replace('_', " "))).collect();
        let lost = if losses.is_empty() {
            String::new()
        } else {
            format!("; dropped or changed: {}", losses.join(", "))
        };
        format!(
            "{} files, {} games, {} plies in {seconds:.1} s; {} failed, {} games lost, {} warnings{lost}",
            self.files, self.games, self.plies, self.failed, self.lost, self.warnings
        )
    }
}
