//! What goes wrong with the sensors of a style, thrown by dice.

use sense::Uptime;
use xiangqi::Square;

use crate::dice::{Dice, span};
use crate::fault::{Fault, FaultKind};
use crate::script::{Panel, Script};
use crate::style::Style;
use crate::table::Table;

/// The faults of one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nuisances {
    pub(crate) faults: Vec<Fault>,
    /// Reeds that are stuck for good.
    pub(crate) broken: Vec<Square>,
}

impl Nuisances {
    pub(crate) fn thrown(style: Style, table: &Table, script: &Script, dice: &mut Dice) -> Nuisances {
        let mut nuisances = Nuisances::default();
        let end = script.motions.iter().map(|motion| motion.end).max().unwrap_or(Uptime::ZERO);
        match style {
            Style::StuckOpen => nuisances.stick(FaultKind::Open, end, dice),
            Style::StuckClosed => nuisances.stick(FaultKind::Closed, end, dice),
            Style::Blitz => nuisances.jolts(table, script, 60, dice),
            Style::Noise => {
                nuisances.sparks(table, script, end, dice);
                nuisances.jolts(table, script, 150, dice);
                nuisances.weak_magnets(table, script, end, dice);
                if dice.permille(300) {
                    nuisances.chatter(end, dice);
                }
            }
            _ => {}
        }
        nuisances
    }

    fn add(&mut self, square: Square, kind: FaultKind, begin: Uptime, us: i64) {
        self.faults.push(Fault { square, begin, end: Some(begin.plus_us(us as u64)), kind });
    }

    /// One reed is stuck, from the start or from some moment of the game.
    fn stick(&mut self, kind: FaultKind, end: Uptime, dice: &mut Dice) {
        let square = any(dice);
        let begin = if dice.permille(600) { 0 } else { dice.between(0, end.as_us() as i64) };
        self.faults.push(Fault { square, begin: Uptime::from_us(begin as u64), end: None, kind });
        self.broken.push(square);
    }

    /// Single-sample glitches and drop-outs of up to 50 ms, now here, now there.
    fn sparks(&mut self, table: &Table, script: &Script, end: Uptime, dice: &mut Dice) {
        let mut at = Uptime::ZERO;
        while at < end {
            at = at.plus_us(dice.between(20_000, 1_500_000) as u64);
            let standing = standing_at(table, script, at);
            let square = if dice.permille(500) || standing.is_empty() {
                any(dice)
            } else {
                standing[dice.between(0, standing.len() as i64 - 1) as usize].1
            };
            let (kind, us) = dice.weighted(&[
                (6, (FaultKind::Inverted, span(200, 2_500))),
                (3, (FaultKind::Open, span(2_000, 50_000))),
            ]);
            self.add(square, kind, at, dice.rather_low(us));
        }
    }

    /// A clock that is hit hard shakes the table: some reeds open for a moment.
    fn jolts(&mut self, table: &Table, script: &Script, chance: u32, dice: &mut Dice) {
        for (at, panel) in &script.panel {
            if !matches!(panel, Panel::Press(_)) || !dice.permille(chance) {
                continue;
            }
            let standing = standing_at(table, script, *at);
            for _ in 0..dice.between(1, 4) {
                if let Some((_, square)) = pick(&standing, dice) {
                    let begin = at.plus_us(dice.between(0, 20_000) as u64);
                    self.add(square, FaultKind::Open, begin, dice.between(500, 15_000));
                }
            }
        }
    }

    /// The magnets of one or two pieces hold their reed badly: it drops out for up to 50 ms, now and then.
    fn weak_magnets(&mut self, table: &Table, script: &Script, end: Uptime, dice: &mut Dice) {
        for _ in 0..dice.between(0, 2) {
            let weak = dice.between(0, script.magnets.len() as i64 - 1) as usize;
            let mut at = Uptime::ZERO;
            while at < end {
                at = at.plus_us(dice.between(500_000, 12_000_000) as u64);
                let standing = standing_at(table, script, at);
                if let Some((_, square)) = standing.into_iter().find(|(magnet, _)| *magnet == weak) {
                    self.add(square, FaultKind::Open, at, dice.between(3_000, 50_000));
                }
            }
        }
    }

    /// One reed chatters for a while, a few times.
    fn chatter(&mut self, end: Uptime, dice: &mut Dice) {
        let square = any(dice);
        for _ in 0..dice.between(1, 4) {
            let mut at = Uptime::from_us(dice.between(0, end.as_us() as i64) as u64);
            let until = at.plus_us(dice.between(200_000, 3_000_000) as u64);
            while at < until {
                let us = dice.between(1_000, 15_000);
                self.add(square, FaultKind::Inverted, at, us);
                at = at.plus_us(us as u64 + dice.between(1_000, 15_000) as u64);
            }
        }
    }
}

fn any(dice: &mut Dice) -> Square {
    Square::new(dice.between(0, Square::COUNT as i64 - 1) as usize).expect("one of ninety")
}

fn pick<T: Copy>(from: &[T], dice: &mut Dice) -> Option<T> {
    (!from.is_empty()).then(|| from[dice.between(0, from.len() as i64 - 1) as usize])
}

/// The magnets that rest on a point then, each with its point.
fn standing_at(table: &Table, script: &Script, at: Uptime) -> Vec<(usize, Square)> {
    let mut place: Vec<_> = script.magnets.iter().map(|magnet| Some(magnet.start)).collect();
    // A magnet's motions are in time order.
    for motion in script.motions.iter().filter(|motion| motion.begin <= at) {
        place[motion.magnet] = (motion.end <= at).then_some(motion.to);
    }
    let pitch = table.geometry.pitch_um;
    let resting = place.into_iter().enumerate().filter_map(|(magnet, place)| Some((magnet, place?)));
    resting
        .filter_map(|(magnet, place)| {
            let square = Square::all().find(|square| {
                table.geometry.point(*square).distance2(place) < i64::from(pitch / 3).pow(2)
            })?;
            Some((magnet, square))
        })
        .collect()
}
