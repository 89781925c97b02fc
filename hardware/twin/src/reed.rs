//! One reed: where a magnet holds it, and how it bounces.

use sense::Uptime;

use crate::dice::{Dice, Span, span};
use crate::place::Place;
use crate::script::Motion;

/// A reed under a point, by the distances at which a magnet of full strength works it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reed {
    /// A magnet that comes nearer closes the reed, in micrometres.
    pub operate_um: i32,
    /// A magnet that goes farther releases it, in micrometres.
    pub release_um: i32,
    /// A magnet that stands nearer than this leaves the reed open: its two poles cancel. 0 where the mounting avoids it.
    pub dead_um: i32,
}

/// What one magnet does to one reed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    /// Too far away, or in the dead spot.
    None,
    /// It keeps a closed reed closed, and does not close an open one.
    Hold,
    /// It closes the reed.
    Close,
}

impl Reed {
    /// The same reed as a magnet of `strength` thousandths works it.
    pub(crate) fn scaled(&self, strength: u32) -> Reed {
        let scale = |um: i32| (i64::from(um) * i64::from(strength) / 1000) as i32;
        Reed { operate_um: scale(self.operate_um), release_um: scale(self.release_um), dead_um: self.dead_um }
    }

    pub(crate) fn zone(&self, distance2: i64) -> Zone {
        let within = |um: i32| distance2 < i64::from(um).pow(2);
        if within(self.dead_um) || !within(self.release_um) {
            Zone::None
        } else if within(self.operate_um) {
            Zone::Close
        } else {
            Zone::Hold
        }
    }

    /// The moments of the motion at which the zone of its magnet may change, each with the zone from then on.
    pub(crate) fn zones_along(&self, at: Place, motion: &Motion, out: &mut Vec<(Uptime, Zone)>) {
        let span = motion.end.us_since(motion.begin) as i64;
        let place = |us: i64| motion.from.towards(motion.to, us, span);
        let distance2 = |us: i64| place(us).distance2(at);
        let nearest = nearest_us(at, motion, span);
        let mut moments = Vec::new();
        for threshold in [self.dead_um, self.operate_um, self.release_um] {
            let within = |us: i64| distance2(us) < i64::from(threshold).pow(2);
            // The distance falls up to the nearest moment and rises from there.
            if !within(0) && within(nearest) {
                moments.push(first_us(0, nearest, within));
            }
            if within(nearest) && !within(span) {
                moments.push(first_us(nearest, span, |us| !within(us)));
            }
        }
        moments.sort_unstable();
        out.extend(moments.into_iter().map(|us| (motion.begin.plus_us(us as u64), self.zone(distance2(us)))));
    }
}

/// When the motion is nearest to `at`, in microseconds after its begin.
fn nearest_us(at: Place, motion: &Motion, span: i64) -> i64 {
    let axis = |from: i32, to: i32, at: i32| {
        let way = i128::from(to) - i128::from(from);
        (way * (i128::from(at) - i128::from(from)), way * way)
    };
    let (from, to) = (motion.from, motion.to);
    let axes = [axis(from.x, to.x, at.x), axis(from.y, to.y, at.y), axis(from.z, to.z, at.z)];
    let (along, length2) = axes.iter().fold((0, 0), |sum, axis| (sum.0 + axis.0, sum.1 + axis.1));
    if length2 == 0 { 0 } else { (i128::from(span) * along / length2).clamp(0, i128::from(span)) as i64 }
}

/// The first moment after `low` at which `holds`, which is false at `low`, true at `high`, and changes once.
fn first_us(mut low: i64, mut high: i64, holds: impl Fn(i64) -> bool) -> i64 {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}

/// How contacts bounce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce {
    /// How long, in microseconds.
    pub(crate) us: Span,
    /// How many times the contact comes back, at most.
    pub(crate) times: i64,
}

/// What the contact of a reed does when it should go to each level at each moment: the level, bounces in it.
pub(crate) fn bounced(changes: &[(Uptime, bool)], bounce: Bounce, dice: &mut Dice) -> Vec<(Uptime, bool)> {
    let mut out = Vec::new();
    for (index, (at, closed)) in changes.iter().enumerate() {
        let until = changes.get(index + 1).map_or(u64::MAX, |(next, _)| next.us_since(*at));
        out.push((*at, *closed));
        let length = dice.within(bounce.us);
        let mut moments: Vec<i64> =
            (0..2 * dice.rather_low(span(0, bounce.times))).map(|_| dice.between(1, length)).collect();
        moments.sort_unstable();
        moments.dedup();
        moments.truncate(moments.len() / 2 * 2);
        let mut level = *closed;
        for us in moments.into_iter().map(|us| us as u64).take_while(|us| *us < until) {
            level = !level;
            out.push((at.plus_us(us), level));
        }
    }
    out
}
