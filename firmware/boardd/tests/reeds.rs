//! The reeds of a board are debounced as its profile says.

use boardd::{Table, usual_header};
use referee::{GameHeader, Record, Reeds};
use sense::{Frame, Uptime};
use trace::{Observation, Sensed};
use xiangqi::{Bitboard, Position, Square};

/// The cannon on h2 goes to e2, and both reeds pause for 8 ms while they bounce.
fn slow_reeds() -> Vec<(u64, Frame)> {
    let stands = Position::initial().board().occupied();
    let point = |name: &str| Bitboard::of(name.parse::<Square>().expect("a point"));
    let lifted = stands & !point("h2");
    let set = lifted | point("e2");
    let bounces = |at: u64, from: Bitboard, to: Bitboard| {
        let levels = [(0, to), (8, from), (9, to), (17, from), (18, to)];
        levels.map(|(ms, closed)| (at + ms, Frame::new(closed)))
    };
    let (up, down) = (bounces(2_000, stands, lifted), bounces(2_600, lifted, set));
    [(0, Frame::new(stands))].into_iter().chain(up).chain(down).collect()
}

/// When something was due that the reeds alone decide: the moments at which a point settled.
fn settled_ms(reeds: Option<Reeds>) -> Vec<u64> {
    let header = GameHeader { reeds, ..usual_header("table-1", None) };
    let mut table = Table::new(&header);
    let mut settled = Vec::new();
    let mut frames = slow_reeds().into_iter().peekable();
    while let Some((ms, frame)) = frames.next() {
        table.take(&Observation { at: Uptime::from_ms(ms), sensed: Sensed::Closed(frame) });
        let next = frames.peek().map_or(20_000, |(ms, _)| *ms);
        let due = Uptime::from_ms(ms).plus_us(header.debounce().settle_us);
        if ms > 0 && table.deadline() == Some(due) && due < Uptime::from_ms(next) {
            settled.push(due.as_us() / 1_000);
        }
        table.advance(Uptime::from_ms(next).min(due));
    }
    table.advance(Uptime::from_ms(20_000));
    while let Some(record) = table.poll_record() {
        assert!(!matches!(record, Record::LeftOut { .. }));
    }
    let referee = table.referee();
    let last = referee.provisional().or(referee.moves().last().copied());
    assert_eq!(last.map(|mv| mv.to_string()).as_deref(), Some("h2e2"));
    settled
}

#[test]
fn a_profile_for_slow_reeds_makes_one_edge_of_a_bounce() {
    let slow = Reeds { settle_us: 12_000, chatter_us: 500_000 };
    assert_eq!(settled_ms(Some(slow)), [2_030, 2_630]);
    // As usual, every pause would be taken for a piece that came back.
    assert_eq!(settled_ms(None), [2_005, 2_014, 2_023, 2_605, 2_614, 2_623]);
}

#[test]
fn the_journal_keeps_what_its_evidence_was_read_with() {
    let header = GameHeader {
        reeds: Some(Reeds { settle_us: 12_000, chatter_us: 500_000 }),
        ..usual_header("table-1", None)
    };
    let text = serde_json::to_string(&Record::Game(Box::new(header.clone()))).expect("JSON");
    assert!(text.contains(r#""reeds":{"settle_us":12000,"chatter_us":500000}"#), "{text}");
    assert_eq!(serde_json::from_str::<Record>(&text).expect("a record"), Record::Game(Box::new(header)));
}
