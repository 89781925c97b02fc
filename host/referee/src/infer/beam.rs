//! Which histories are followed: a beam search over the lines of play that explain the evidence, of bounded width.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use xiangqi::{Color, Move};

use super::Evidence;
use super::basis::Basis;
use super::explain::Explanation;
use super::history::{History, Reading};
use super::weigh::{self, CERTAIN, Cost, HOPELESS};

/// How many histories are followed however unlikely the last of them is.
const WIDTH: usize = 64;
/// The most that are followed while what happened may be any of them: two moves of which nobody saw the goal have a hundred readings
/// together.
const WIDEST: usize = 256;
/// The most that are weighed before those are chosen, which bounds the work of an edge: where few are, what happened may not be
/// among them.
const EXTENDED: usize = 4 * WIDEST;
/// A history that costs so much more than one that begins with the same move is followed with it.
const FOLLOWED: Cost = 25;

/// Histories that are being extended.
pub(super) struct Beam {
    histories: Vec<History>,
    /// Where those are that tell the same line of play.
    by_line: BTreeMap<u64, Vec<usize>>,
    /// How many histories and readings were weighed.
    pub work: u64,
}

impl Beam {
    pub(super) fn new(histories: Vec<History>) -> Beam {
        let mut by_line: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (index, history) in histories.iter().enumerate() {
            by_line.entry(history.line()).or_default().push(index);
        }
        Beam { histories, by_line, work: 0 }
    }

    /// Extends histories by every move that explains the evidence.
    pub(super) fn extend(&mut self, evidence: &Evidence<'_>, pressed: Option<Color>) {
        let least = self.histories.iter().map(|h| h.path).min().unwrap_or(0);
        let mut next = 0;
        while next < self.histories.len() && self.histories.len() < EXTENDED {
            let history = &self.histories[next];
            let mut explanation = Explanation::new(history, evidence);
            explanation.ordinary();
            if pressed.is_some() || history.mess(evidence) >= weigh::UNEXPLAINED {
                explanation.rare(pressed);
            }
            let faults = explanation.faults();
            let stray = explanation.stray();
            let readings = explanation.readings;
            self.work += 1 + (faults.len() + usize::from(stray.is_some()) + readings.len()) as u64;
            let doubting = faults.into_iter().map(|square| history.doubt(square));
            let astray = stray.map(|(from, to)| history.astray(from, to));
            let set_down = pressed.and_then(|side| history.set_down_unnoticed(side, evidence.habits));
            let others: Vec<History> =
                doubting.chain(astray).chain(set_down).filter(|new| new.path <= least + HOPELESS).collect();
            others.into_iter().for_each(|new| self.keep(new));
            for reading in readings {
                let parent = &self.histories[next];
                if parent.path + reading.cost > least + HOPELESS || self.tells(parent, &reading) {
                    continue;
                }
                let taken_back = evidence.last.filter(|_| reading.basis == Basis::TakenBack);
                let new = taken_back.map_or_else(
                    || parent.follow(&reading, evidence),
                    |last| parent.take_back(&reading, last),
                );
                if new.path <= least + HOPELESS {
                    self.keep(new);
                }
            }
            next += 1;
        }
    }

    /// Whether following that reading could not better a history that is there.
    fn tells(&self, parent: &History, reading: &Reading) -> bool {
        let least = parent.path.saturating_sub(parent.refund()) + reading.cost;
        let known = self.by_line.get(&parent.line_after(reading.mv, reading.side)).into_iter().flatten();
        known.map(|index| &self.histories[*index]).any(|old| {
            let later = reading.basis.is_seen() && reading.settled > old.since;
            (old.path < least || (old.path == least && !later)) && old.tells_of(parent, reading)
        })
    }

    /// Adds a history, or puts it in the place of one that tells the same and is no better.
    fn keep(&mut self, new: History) {
        let alike = self.by_line.entry(new.line()).or_default();
        let Some(index) = alike.iter().copied().find(|index| self.histories[*index].dull == new.dull) else {
            alike.push(self.histories.len());
            return self.histories.push(new);
        };
        let old = &mut self.histories[index];
        let stood = new.plies.last().is_some_and(|ply| ply.basis.is_seen());
        let later = stood && new.since > old.since;
        if new.path < old.path || (new.path == old.path && later) {
            *old = new;
        }
    }

    /// The histories to go on with, the likeliest first. The first moves of those that are possible and too many to follow are
    /// added to `unfollowed`: what is not followed cannot be contradicted.
    pub(super) fn likeliest(
        self,
        evidence: &Evidence<'_>,
        unfollowed: &mut Vec<Option<Move>>,
    ) -> Vec<History> {
        let mut weighed: Vec<(Cost, History)> =
            self.histories.into_iter().map(|h| (h.path + h.state(evidence), h)).collect();
        weighed.sort_by_key(|(cost, history)| (*cost, history.plies.len()));
        let least = weighed.first().map_or(0, |(cost, _)| *cost);
        weighed.retain(|(cost, history)| history.path <= least + HOPELESS && *cost <= least + 2 * HOPELESS);
        // The likeliest of each first move.
        let mut leaders: Vec<(Option<Move>, Cost)> = Vec::new();
        for (cost, history) in &weighed {
            let first = history.first();
            if leaders.len() < WIDTH && leaders.iter().all(|(other, _)| *other != first) {
                leaders.push((first, *cost));
            }
        }
        let mut room = WIDTH - leaders.len();
        let mut more = WIDEST - WIDTH;
        let mut ahead: Vec<Option<Move>> = Vec::new();
        let mut followed = Vec::with_capacity(weighed.len().min(WIDEST));
        for (cost, history) in weighed {
            let first = history.first();
            let leader = leaders.iter().find(|(other, _)| *other == first).map(|(_, cost)| *cost);
            // A likelier history that begins alike is followed in its place.
            let possible = cost < least + CERTAIN && leader.is_none_or(|leader| cost < leader + FOLLOWED);
            if leader.is_some() && !ahead.contains(&first) {
                ahead.push(first);
            } else if room > 0 {
                room -= 1;
            } else if possible && more > 0 {
                more -= 1;
            } else {
                if possible && !unfollowed.contains(&first) {
                    unfollowed.push(first);
                }
                continue;
            }
            followed.push(history);
        }
        followed
    }
}
