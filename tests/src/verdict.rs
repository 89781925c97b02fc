//! What a replay tells of a simulated game, beside the truth.

use replay::{Incident, Replay, Report};
use twin::{Expected, Played};

/// What the replay of a simulated game tells.
pub fn replayed(played: &Played) -> Report {
    let mut replay = Replay::new(&played.header).expect("the twin starts from a position");
    for observation in &played.observations {
        replay.observe(observation);
    }
    let report = replay.end("simulated");
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    report
}

/// How a replay compares with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Plies of the truth that were told.
    pub told: usize,
    /// Plies of the truth.
    pub played: usize,
    /// The first told move, from 0, that was not played.
    pub wrong: Option<usize>,
}

impl Verdict {
    /// Compares with what was really played.
    pub fn of(report: &Report, played: &Played) -> Verdict {
        let truth = &played.truth.moves;
        let told = report.moves.iter().zip(truth).take_while(|(told, made)| told == made).count();
        Verdict { told, played: truth.len(), wrong: (report.moves.len() > told).then_some(told) }
    }

    /// Whether the whole game was told, and nothing else.
    pub fn is_whole(&self) -> bool {
        self.told == self.played && self.wrong.is_none()
    }
}

/// Expected incidents that were not reported, and reported ones that were not expected.
pub fn compare_incidents(report: &Report, played: &Played) -> (Vec<Expected>, Vec<Incident>) {
    let mut missed = Vec::new();
    let mut extra = report.incidents.clone();
    for expected in &played.truth.incidents {
        let same = |incident: &Incident| {
            kind_name(incident) == expected.kind
                && incident.ply == expected.ply
                && expected.square.is_none_or(|square| incident.squares.contains(&square))
        };
        match extra.iter().position(same) {
            Some(found) => drop(extra.remove(found)),
            None => missed.push(expected.clone()),
        }
    }
    (missed, extra)
}

/// The kind of an incident, as records name it.
pub fn kind_name(incident: &Incident) -> String {
    let value = serde_json::to_value(incident.kind).expect("a kind is a word");
    value.as_str().unwrap_or_default().to_owned()
}
