//! Scanning the table: when each row is read, and the frames that follow.

use sense::{Frame, Uptime};
use xiangqi::{Bitboard, Square};

use crate::table::Timeline;

/// When the board reads its reeds: a scan begins every period, and row after row is read, each after its settle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// From scan to scan, in microseconds.
    pub period_us: u64,
    /// From driving a row to reading its columns, in microseconds.
    pub settle_us: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { period_us: 1_000, settle_us: 20 }
    }
}

impl Schedule {
    /// Scans a second.
    pub const fn scan_hz(&self) -> u32 {
        (1_000_000 / self.period_us) as u32
    }

    /// The first scan that sees a change of that reed.
    fn scan_that_sees(&self, at: Uptime, square: Square) -> u64 {
        let read_after = (square.rank().index() as u64 + 1) * self.settle_us;
        at.as_us().saturating_sub(read_after).div_ceil(self.period_us)
    }
}

impl Timeline {
    /// The frames that differ from the one before, each with the time at which its scan began; the first is at 0.
    ///
    /// They equal what `sense::Matrix` reads at the same schedule from the pins of the same table.
    pub fn frames(&self, schedule: Schedule) -> Vec<(Uptime, Frame)> {
        let mut seen: Vec<(u64, Uptime, Square, bool)> = self
            .changes()
            .iter()
            .map(|(at, square, closed)| (schedule.scan_that_sees(*at, *square), *at, *square, *closed))
            .collect();
        seen.sort_by_key(|(scan, at, square, _)| (*scan, *at, *square));
        let mut closed = self.start();
        let mut last: Option<Bitboard> = None;
        let mut frames = Vec::new();
        let mut scan = 0;
        let mut say = |scan: u64, closed: Bitboard| {
            if last != Some(closed) {
                frames.push((Uptime::from_us(scan * schedule.period_us), Frame::new(closed)));
                last = Some(closed);
            }
        };
        for (at_scan, _, square, level) in seen {
            if at_scan != scan {
                say(scan, closed);
                scan = at_scan;
            }
            if level { closed.insert(square) } else { closed.remove(square) }
        }
        say(scan, closed);
        frames
    }
}
