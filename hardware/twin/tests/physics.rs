//! Magnets and reeds behave as reeds do, on every board that a seed throws.

use sense::Uptime;
use twin::{Played, Scenario};
use xiangqi::Square;

const SEEDS: u64 = 200;

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

/// The changes of one reed, and whether it is closed after them.
fn changes(played: &Played, square: Square) -> Vec<(Uptime, bool)> {
    let all = played.timeline.changes().iter();
    all.filter(|(_, at, _)| *at == square).map(|(at, _, closed)| (*at, *closed)).collect()
}

fn performances(text: &str) -> impl Iterator<Item = Played> {
    let scenario: Scenario = text.parse().unwrap();
    (0..SEEDS).map(move |seed| scenario.play(seed).unwrap())
}

#[test]
fn a_reed_bounces_for_three_milliseconds_at_most() {
    let mut bounced = 0;
    for played in performances("1.0 red moves h2e2\n") {
        for (point, closed) in [("h2", false), ("e2", true)] {
            let changes = changes(&played, square(point));
            let (first, last) = (changes[0], changes[changes.len() - 1]);
            assert_eq!((first.1, last.1), (closed, closed));
            assert!(last.0.us_since(first.0) <= 3_000, "{changes:?}");
            bounced += usize::from(changes.len() > 1);
        }
    }
    assert!(bounced as u64 > SEEDS, "{bounced} edges of {} bounced", 2 * SEEDS);
}

#[test]
fn a_piece_that_is_pushed_off_bares_its_reed_for_a_moment_or_never() {
    let (mut never, mut longest) = (0, 0);
    for played in performances("start 4k4/9/9/9/R3p4/9/9/9/9/4K4 w\n1.0 red captures a5e5 pushing\n") {
        let changes = changes(&played, square("e5"));
        match (changes.first(), changes.last()) {
            (Some(first), Some(last)) => {
                assert!(last.1, "the capturing piece stands there");
                longest = longest.max(last.0.us_since(first.0));
            }
            _ => never += 1,
        }
    }
    assert!(never > 0 && never < SEEDS, "never bare in {never} of {SEEDS}");
    assert!((6_000..=80_000).contains(&longest), "bare for {longest} us at most");
}

#[test]
fn a_slow_slide_closes_two_neighbours_on_some_boards() {
    let mut both = 0;
    for played in performances("1.0 red slides e3e4 in 1.5\n") {
        let (left, reached) = (changes(&played, square("e3")), changes(&played, square("e4")));
        both += u64::from(reached[0].0 < left[0].0);
    }
    assert!(both > SEEDS / 20 && both < SEEDS / 2, "{both} of {SEEDS}");
}

#[test]
fn a_standing_piece_works_its_own_reed_only() {
    for played in performances("1.0 red presses\n") {
        assert_eq!(played.timeline.start(), xiangqi::Position::initial().board().occupied());
        assert_eq!(played.timeline.changes(), []);
    }
}
