//! The table: reeds under magnets that hands move. Physics, in microseconds and micrometres.

use sense::Uptime;
use xiangqi::{Bitboard, Square};

use crate::dice::{Dice, span};
use crate::fault::{Fault, disturbed};
use crate::place::Geometry;
use crate::reed::{Bounce, Reed, Zone, bounced};
use crate::script::Script;

/// One board: its sizes and its reeds.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its sizes.
    pub geometry: Geometry,
    /// The reed of each point, by [`Square::index`].
    pub reeds: Vec<Reed>,
    pub(crate) bounce: Bounce,
}

/// What every reed did: its level at the start, and each change with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    start: Bitboard,
    changes: Vec<(Uptime, Square, bool)>,
}

impl Timeline {
    /// The closed reeds at time 0.
    pub fn start(&self) -> Bitboard {
        self.start
    }

    /// Every change of a reed, in time order.
    pub fn changes(&self) -> &[(Uptime, Square, bool)] {
        &self.changes
    }
}

impl Table {
    /// A board whose reeds differ a little from each other, as reeds do.
    pub(crate) fn thrown(dice: &mut Dice) -> Table {
        let geometry = Geometry::thrown(dice);
        let pitch = i64::from(geometry.pitch_um);
        // Far enough to sense a piece that stands beside its point, near enough not to sense its neighbour. On a keen
        // board two neighbours are closed while a piece slides from one to the other.
        let keen = dice.permille(250);
        let (low, high) = if keen { (45, 48) } else { (11_000 * 100 / pitch, 45) };
        let operate = pitch * dice.between(low, high) / 100;
        let release = (operate + dice.between(1_500, 4_500)).min(pitch * 58 / 100);
        let reed = |dice: &mut Dice| {
            let spread = dice.between(940, 1_060);
            let operate_um = (operate * spread / 1_000) as i32;
            let release_um = (release * spread / 1_000) as i32;
            Reed { operate_um, release_um, dead_um: 0 }
        };
        let reeds = Square::all().map(|_| reed(dice)).collect();
        Table { geometry, reeds, bounce: Bounce { us: span(200, 3_000), times: 8 } }
    }

    /// Some reeds are mounted so that a magnet right above them leaves them open.
    pub(crate) fn give_dead_spots(&mut self, dice: &mut Dice) {
        for reed in &mut self.reeds {
            if dice.permille(150) {
                reed.dead_um = dice.between(600, 1_800) as i32;
            }
        }
    }

    /// The reed of that point.
    pub fn reed(&self, square: Square) -> Reed {
        self.reeds[square.index()]
    }

    /// What the reeds do while the script is played. `seed` throws the bounces.
    pub(crate) fn perform(&self, script: &Script, faults: &[Fault], dice: &Dice) -> Timeline {
        let reach = self.reeds.iter().map(|reed| reed.release_um).max().unwrap_or(0) * 13 / 10;
        let mut start = Bitboard::EMPTY;
        let mut changes = Vec::new();
        for square in Square::all() {
            let (closed, wanted) = self.contact(square, script, reach);
            let bounces = bounced(&wanted, self.bounce, &mut dice.fork(square.index() as u64));
            let mine: Vec<Fault> = faults.iter().filter(|fault| fault.square == square).copied().collect();
            let (closed, read) = disturbed(closed, &bounces, &mine);
            if closed {
                start.insert(square);
            }
            changes.extend(read.into_iter().map(|(at, closed)| (at, square, closed)));
        }
        changes.sort_by_key(|(at, square, _)| (*at, *square));
        Timeline { start, changes }
    }

    /// What the contact of a reed does, before bounce: its level at the start, and each change.
    fn contact(&self, square: Square, script: &Script, reach: i32) -> (bool, Vec<(Uptime, bool)>) {
        let at = self.geometry.point(square);
        let mut zones: Vec<Zone> = script
            .magnets
            .iter()
            .map(|magnet| self.reed(square).scaled(magnet.strength).zone(magnet.start.distance2(at)))
            .collect();
        let mut crossings: Vec<(Uptime, usize, Zone)> = Vec::new();
        let mut along = Vec::new();
        for motion in &script.motions {
            let apart = |from: i32, to: i32, at: i32| at < from.min(to) - reach || at > from.max(to) + reach;
            if apart(motion.from.x, motion.to.x, at.x) || apart(motion.from.y, motion.to.y, at.y) {
                continue;
            }
            let reed = self.reed(square).scaled(script.magnets[motion.magnet].strength);
            reed.zones_along(at, motion, &mut along);
            crossings.extend(along.drain(..).map(|(when, zone)| (when, motion.magnet, zone)));
        }
        crossings.sort_by_key(|(when, magnet, _)| (*when, *magnet));
        let start = zones.contains(&Zone::Close);
        let mut closed = start;
        let mut changes = Vec::new();
        for (when, magnet, zone) in crossings {
            zones[magnet] = zone;
            let next = zones.contains(&Zone::Close) || (closed && zones.contains(&Zone::Hold));
            if next != closed {
                closed = next;
                changes.push((when, closed));
            }
        }
        (start, changes)
    }
}
