//! A played game that is sensed as time passes.

use sense::Uptime;
use trace::{Header, Observation};

use crate::{Played, Truth};

/// Hands out what a board senses when it is due. Whoever holds it decides how fast time passes.
#[derive(Clone, Debug)]
pub struct Live {
    played: Played,
    next: usize,
}

impl Live {
    /// From the beginning of a played game.
    pub const fn new(played: Played) -> Live {
        Live { played, next: 0 }
    }

    /// The first line of its trace.
    pub const fn header(&self) -> &Header {
        &self.played.header
    }

    /// What really happens.
    pub const fn truth(&self) -> &Truth {
        &self.played.truth
    }

    /// When the next observation is due; `None` when the game is over.
    pub fn next_due(&self) -> Option<Uptime> {
        self.played.observations.get(self.next).map(|observation| observation.at)
    }

    /// The next observation, if it is due by then.
    pub fn poll(&mut self, now: Uptime) -> Option<Observation> {
        let observation = self.played.observations.get(self.next).filter(|next| next.at <= now)?.clone();
        self.next += 1;
        Some(observation)
    }
}
