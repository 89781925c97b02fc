//! Records are written as documented and read back.

use referee::{Event, Happening, Incident, IncidentKind, Moved, Record};
use sense::Uptime;
use xiangqi::{Color, Illegality};

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
