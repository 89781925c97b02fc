//! Lines chain, topics read back, snapshots fold.

use proptest::prelude::*;
use referee::claim::{Claim, ClaimKind};
use referee::clock::{ClockKind, ClockShows, ClockState, PlyTime};
use referee::foul::{Foul, Offence};
use referee::relay::{Topic, is_id};
use referee::{
    By, Chain, ClaimRuling, Command, Due, Event, GameHeader, GameResult, Happening, Incident, IncidentKind,
    Line, LineFault, Moved, Order, Phase, Reason, Record, Resolution, Score, Snapshot, checked_hash,
};
use sense::Uptime;
use xiangqi::law::edition::Numbering;
use xiangqi::{Color, Move, Position};

/// A journal of those records, as text and as read back.
fn journal(records: &[Record]) -> Vec<(String, Line)> {
    let mut chain = Chain::START;
    let mut lines = Vec::new();
    for (utc_ms, record) in (1_000..).zip(records) {
        let text = chain.seal(utc_ms, &serde_json::to_string(record).unwrap());
        let line: Line = serde_json::from_str(&text).unwrap();
        assert_eq!(line.record, *record);
        lines.push((text, line));
    }
    lines
}

fn presses(count: u64) -> Vec<Record> {
    (0..count).map(|us| Record::Press { us, side: Color::Red }).collect()
}

#[test]
fn a_sealed_journal_follows_itself() {
    let lines = journal(&presses(4));
    let mut chain = Chain::START;
    for (text, line) in &lines {
        chain.follow(text, line).unwrap();
    }
    let (text, line) = &lines[2];
    let mut middle = Chain::before(line);
    middle.follow(text, line).unwrap();
    assert_eq!(middle, Chain::after(line));
    let (text, line) = &lines[1];
    assert_eq!(chain.follow(text, line), Err(LineFault::Seq { expected: 4, found: 1 }));
}

#[test]
fn a_record_of_an_unknown_kind_is_read_as_such() {
    let text = Chain::START.clone().seal(7, r#"{"kind":"weather","rain":true}"#);
    assert_eq!(serde_json::from_str::<Line>(&text).unwrap().record, Record::Unknown);
}

proptest! {
    #[test]
    fn any_changed_byte_is_noticed(at in any::<prop::sample::Index>(), flip in 1..=127u8) {
        let (text, _) = journal(&presses(2)).pop().unwrap();
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(changed) = String::from_utf8(bytes) {
            prop_assert!(checked_hash(&changed).is_err());
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = checked_hash(&text);
        let _ = Topic::parse(&text);
    }
}

#[test]
fn topics_read_back() {
    let topics = [
        Topic::Status { board: "b1" },
        Topic::Record { board: "hall-2.b" },
        Topic::Refill { board: "b1" },
        Topic::Snapshot { board: "b1", game: "r3-t4" },
    ];
    for topic in topics {
        assert_eq!(Topic::parse(&topic.to_string()), Some(topic));
    }
    for not_ours in ["luozi/v1/board//status", "luozi/v1/board/b1/status/x", "luozi/v2/board/b1/status", "a"]
    {
        assert_eq!(Topic::parse(not_ours), None, "{not_ours}");
    }
    for bad in ["", "a/b", "+", "#", "..", "a b", "棋"] {
        assert!(!is_id(bad), "{bad}");
    }
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn moved(us: u64, ply: u32, text: &str) -> Record {
    moved_with(us, ply, text, None)
}

fn moved_with(us: u64, ply: u32, text: &str, clock: Option<PlyTime>) -> Record {
    let side = if ply % 2 == 1 { Color::Red } else { Color::Black };
    let moved = Moved { ply, side, mv: mv(text), illegal: None, begin_us: us, settled_us: us, clock };
    Record::Event(Event::new(Uptime::from_us(us), Happening::Moved(moved)))
}

fn clock(what: ClockKind, state: ClockState, running: Option<Color>) -> Record {
    let shows = ClockShows { state, running, red_left_us: 5_000_000, black_left_us: 6_000_000, shared_us: 0 };
    let side = Color::Red;
    Record::Event(Event::new(Uptime::from_us(4), Happening::Clock { side, what, shows }))
}

fn incident(kind: IncidentKind) -> Record {
    let incident =
        Incident { kind, ply: 1, side: None, article: String::new(), squares: vec![], note: String::new() };
    Record::Event(Event::new(Uptime::from_us(3), Happening::Incident(incident)))
}

fn fold(records: &[Record]) -> Snapshot {
    let header = GameHeader {
        red: "A".into(),
        black: "B".into(),
        ..GameHeader::new("g1", Position::initial(), "cxa-2010")
    };
    let mut snapshot = Snapshot::begin("b1", 0, 1_000, &header);
    for (_, line) in journal(records) {
        snapshot.apply(&line);
    }
    let text = serde_json::to_string(&snapshot).unwrap();
    assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap(), snapshot);
    snapshot
}

#[test]
fn plies_carry_both_clocks() {
    let time = PlyTime {
        spent_us: 400_000,
        used_us: 400_000,
        red_left_us: 5_000_000,
        black_left_us: 6_000_000,
        shared_us: 0,
    };
    let snapshot = fold(&[
        clock(ClockKind::Started, ClockState::Running, Some(Color::Red)),
        moved_with(5, 1, "h2e2", Some(time)),
        clock(ClockKind::Switched, ClockState::Running, Some(Color::Black)),
        moved(7, 2, "h9g7"),
    ]);
    assert_eq!(snapshot.phase, Phase::Playing);
    let first = snapshot.plies[0];
    assert_eq!((first.red_ms, first.black_ms, first.used_ms), (Some(5_000), Some(6_000), Some(400)));
    assert_eq!(snapshot.plies[1].red_ms, None);
    assert_eq!(snapshot.clock.unwrap().running, Some(Color::Black));
    let paused = fold(&[clock(ClockKind::Paused, ClockState::Paused, None), moved(5, 1, "h2e2")]);
    assert_eq!(paused.phase, Phase::Paused);
    let played = Position::initial().play(mv("h2e2")).unwrap().play(mv("h9g7")).unwrap();
    assert_eq!(snapshot.fen.to_string(), played.to_string());
    assert_eq!(snapshot.clock.unwrap().at_utc_ms, 1_002);
}

#[test]
fn what_was_open_closes() {
    let ambiguous = incident(IncidentKind::Ambiguous);
    let resolved = Happening::Resolved {
        ply: 1,
        moves: vec![mv("b2e2"), mv("h9g7")],
        by: Resolution::Later,
        clocks: Vec::new(),
    };
    let resolved = Record::Event(Event::new(Uptime::from_us(8), resolved));
    let displaced = incident(IncidentKind::Displaced);
    let open = fold(&[moved(2, 1, "h2e2"), ambiguous.clone(), displaced.clone()]);
    assert_eq!(open.attention.len(), 2);
    let closed =
        fold(&[moved(2, 1, "h2e2"), ambiguous, displaced, resolved, incident(IncidentKind::Restored)]);
    assert!(closed.attention.is_empty());
    assert_eq!(closed.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>(), [mv("b2e2"), mv("h9g7")]);
    let faults = vec![incident(IncidentKind::SensorFault); Snapshot::ATTENTION + 5];
    assert_eq!(fold(&faults).attention.len(), Snapshot::ATTENTION);
}

#[test]
fn a_result_is_said_and_can_be_withdrawn() {
    let said = GameResult::new(Score::RedWins, Reason::Checkmate, Numbering::Of2010, By::Board);
    let say = |what| Record::Event(Event::new(Uptime::from_us(6), what));
    let declared = say(Happening::Result(said.clone()));
    let over = fold(&[moved(2, 1, "h2e2"), declared.clone()]);
    assert_eq!((over.phase, over.result), (Phase::Over, Some(said)));
    let again = fold(&[moved(2, 1, "h2e2"), declared, say(Happening::Reopened { result: 1 })]);
    assert_eq!((again.phase, again.result), (Phase::Playing, None));
}

#[test]
fn capturing_a_king_leaves_a_snapshot_all_the_same() {
    let snapshot = fold(&[moved(1, 1, "h2e9"), moved(2, 3, "a0a1")]);
    assert_eq!(snapshot.plies.len(), 1, "ply 3 waits for ply 2");
    assert_eq!(snapshot.fen.board.king_of(Color::Black), None);
}

fn said(what: Happening) -> Record {
    Record::Event(Event::new(Uptime::from_us(9), what))
}

fn ordered(command: Command) -> Record {
    let what = Order { name: "C".into(), reason: "seen".into(), command };
    said(Happening::Ordered { order: 1, what })
}

#[test]
fn an_order_deals_with_what_waited_for_the_arbiter() {
    let claim = Claim {
        side: Color::Red,
        claim: ClaimKind::Flag,
        holds: Some(true),
        note: String::new(),
        judged: None,
    };
    let due = Due {
        score: Score::RedWins,
        ending: Reason::Flag,
        article: "4.1(6)".into(),
        ply: 3,
        note: String::new(),
    };
    let waits = [
        said(Happening::Called { side: Some(Color::Black) }),
        said(Happening::Claim(claim)),
        said(Happening::Due(due)),
        incident(IncidentKind::TouchNotMoved),
        incident(IncidentKind::SensorFault),
    ];
    let open = fold(&waits);
    assert_eq!((open.called.is_some(), open.claim.is_some(), !open.dues.is_empty()), (true, true, true));
    assert_eq!(open.attention.len(), 2);

    let after = |command| fold(&[&waits[..], &[ordered(command)]].concat());
    let warned = after(Command::Warn { side: Color::Red });
    assert_eq!((warned.called, warned.claim.is_some(), !warned.dues.is_empty()), (None, true, true));
    assert_eq!(warned.attention.len(), 1, "a stuck reed stays stuck");
    let ruled = after(Command::RuleClaim { ruling: ClaimRuling::Denied, within: None });
    assert_eq!(ruled.claim, None);
    assert_eq!(ruled.dues.len(), 1, "a flag that is down is no matter of the claim");
    let lifted = said(Happening::DueLifted { score: Score::RedWins, ending: Reason::Flag });
    assert_eq!(fold(&[&waits[..], &[lifted]].concat()).dues, []);
}

#[test]
fn fouls_and_signatures_are_kept() {
    let foul = Foul {
        foul: 1,
        side: Color::Red,
        offence: Offence::Conduct,
        article: "8.1(9)".into(),
        ply: 3,
        at_us: 9,
        by: By::Arbiter("C".into()),
        note: String::new(),
    };
    let result = GameResult::new(Score::Draw, Reason::Agreement, Numbering::Of2010, By::Board);
    let signed = said(Happening::Signed { result: 1, by: By::Red, complete: false });
    let withdrawn = Happening::FoulWithdrawn { foul: 1, by: By::Board, reason: "not so".into() };
    let records = [
        said(Happening::Foul(foul)),
        said(Happening::Result(result)),
        signed,
        said(withdrawn),
        said(Happening::Reopened { result: 1 }),
    ];
    let entered = fold(&records[..3]);
    assert_eq!((entered.fouls[0].withdrawn.as_deref(), &entered.signed[..]), (None, &[By::Red][..]));
    let last = fold(&records);
    assert_eq!((last.fouls[0].withdrawn.as_deref(), &last.signed[..]), (Some("not so"), &[][..]));
}
