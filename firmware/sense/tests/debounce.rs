//! Laws of the debouncer.

use proptest::prelude::*;
use sense::{Debounce, Debouncer, Edge, Frame, Signal, Uptime};
use xiangqi::{Bitboard, Square};

/// What a debouncer says of frames given as `(us, closed bits)`, then of a second of rest.
fn signals(frames: &[(u64, u128)]) -> Vec<Signal> {
    let mut debouncer = Debouncer::new(Debounce::default(), Bitboard::EMPTY);
    let mut out = Vec::new();
    for (us, bits) in frames {
        debouncer
            .sample(Uptime::from_us(*us), Frame::new(Bitboard::from_bits(*bits)), &mut |_, s| out.push(s));
    }
    let end = frames.last().map_or(0, |(us, _)| *us) + 1_000_000;
    debouncer.advance(Uptime::from_us(end), &mut |_, s| out.push(s));
    out
}

fn edge(square: usize, closed: bool, begin: u64, settled: u64) -> Signal {
    let square = Square::new(square).unwrap();
    Signal::Edge(Edge { square, closed, begin: Uptime::from_us(begin), settled: Uptime::from_us(settled) })
}

#[test]
fn a_bounce_is_one_edge() {
    let bouncing = [(10_000, 1), (10_400, 0), (11_000, 1), (12_500, 0), (12_900, 1)];
    assert_eq!(signals(&bouncing), [edge(0, true, 10_000, 12_900)]);
}

#[test]
fn a_glitch_is_a_blip() {
    let [Signal::Blip(blip)] = signals(&[(10_000, 4), (11_000, 0)])[..] else { panic!("one blip") };
    assert_eq!((blip.square.index(), blip.away_us, blip.closed), (2, 1_000, false));
}

#[test]
fn chatter_is_said_once_and_other_points_are_heard() {
    let mut frames: Vec<(u64, u128)> = (0..1_000).map(|i| (i * 1_000, u128::from(i % 2 == 0))).collect();
    for (us, bits) in &mut frames {
        if *us >= 600_000 {
            *bits |= 1 << 89;
        }
    }
    let said = signals(&frames);
    assert_eq!(said.iter().filter(|s| matches!(s, Signal::Chatter(_))).count(), 1);
    assert!(said.contains(&edge(89, true, 600_000, 600_000)));
}

proptest! {
    /// A point that is stable is always reported, whatever the other 89 do.
    #[test]
    fn a_stable_point_is_reported(
        square in 0usize..90,
        noise in prop::collection::vec((1u64..4_000, any::<u128>()), 1..200),
        change in 0u64..300_000,
    ) {
        let mut us = 0;
        let mine = 1u128 << square;
        let mut frames = Vec::new();
        let mut changed = false;
        for (gap, bits) in noise {
            us += gap;
            if !changed && us >= change {
                frames.push((us, (bits & !mine) | mine));
                changed = true;
            } else {
                frames.push((us, if changed { bits | mine } else { bits & !mine }));
            }
        }
        let mine_said: Vec<Signal> = signals(&frames).into_iter().filter(|s| matches!(s, Signal::Edge(e) if e.square.index() == square)).collect();
        prop_assert_eq!(mine_said.len(), usize::from(changed));
    }

    /// Sampling every millisecond and sampling at changes only say the same.
    #[test]
    fn repeating_a_reading_changes_nothing(gaps in prop::collection::vec((1u64..20, any::<u8>()), 1..60)) {
        let mut sparse = Vec::new();
        let mut dense = Vec::new();
        let mut ms = 0;
        for (gap, bits) in gaps {
            sparse.push((ms * 1_000, u128::from(bits)));
            dense.extend((ms..ms + gap).map(|ms| (ms * 1_000, u128::from(bits))));
            ms += gap;
        }
        prop_assert_eq!(signals(&sparse), signals(&dense));
    }
}
