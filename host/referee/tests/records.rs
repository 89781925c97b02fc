//! Records are written as documented and read back.

use referee::{Event, GameHeader, Happening, Incident, IncidentKind, Moved, Record};
use sense::Uptime;
use xiangqi::{Color, Illegality, Position, Setup};

fn check(record: Record, line: &str) {
    assert_eq!(serde_json::to_string(&record).unwrap(), line);
    assert_eq!(serde_json::from_str::<Record>(line).unwrap(), record);
}

#[test]
fn records_are_lines_of_json() {
    check(Record::Press { us: 5, side: Color::Black }, r#"{"kind":"press","us":5,"side":"black"}"#);
    let moved = Moved {
        ply: 3,
        side: Color::Red,
        mv: "h2e2".parse().unwrap(),
        illegal: Some(Illegality::KingsFacing),
        begin_us: 1,
        settled_us: 2,
        clock: None,
    };
    check(
        Record::Event(Event::new(Uptime::from_us(9), Happening::Moved(moved))),
        r#"{"kind":"event","us":9,"event":"moved","ply":3,"side":"red","move":"h2e2","illegal":"kings_facing","begin_us":1,"settled_us":2}"#,
    );
    let incident = Incident {
        kind: IncidentKind::TouchNotMoved,
        ply: 7,
        side: Some(Color::Red),
        article: "5.1".into(),
        squares: vec!["b0".parse().unwrap()],
        note: String::new(),
    };
    check(
        Record::Event(Event::new(Uptime::from_us(81), Happening::Incident(incident))),
        r#"{"kind":"event","us":81,"event":"incident","incident":"touch_not_moved","ply":7,"side":"red","article":"5.1","squares":["b0"]}"#,
    );
}

/// A board writes what stands on it, and must be able to read its own journal.
#[test]
fn a_game_may_start_from_what_legal_play_cannot_reach() {
    for fen in [
        "4k4/9/9/3p5/9/9/9/9/9/4K4 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    ] {
        let setup: Setup = fen.parse().unwrap();
        let header = GameHeader::new("g", Position::standing(setup).unwrap(), "cxa-2020");
        let text = serde_json::to_string(&Record::Game(Box::new(header))).unwrap();
        let Record::Game(header) = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
        assert_eq!(header.start.to_string(), fen);
    }
    let two_kings =
        r#"{"kind":"game","game":"g","us":0,"start":"4k4/9/9/9/9/9/9/9/9/3KK4 w - - 0 1","rules":""}"#;
    assert!(serde_json::from_str::<Record>(two_kings).is_err());
}
