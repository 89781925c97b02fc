//! The replica is the same, whatever a broker does to the order and number of messages.

mod desk;

use desk::{Desk, Publication, game};
use proptest::prelude::*;
use venue::{Change, GameView, Replica};

fn apply(replica: &mut Replica, publication: &Publication) -> Vec<Change> {
    replica.apply(&publication.topic, publication.payload.as_bytes()).unwrap()
}

fn feed<'a>(publications: impl IntoIterator<Item = &'a Publication>) -> Replica {
    let mut replica = Replica::new();
    for publication in publications {
        apply(&mut replica, publication);
    }
    replica
}

/// A real game with uncommitted readings, evidence and a result, as a board publishes it.
fn published(plies: usize) -> (Desk, Vec<Publication>) {
    let mut desk = Desk::new("b1");
    let mut all = desk.begin("g1", "4", "甲", "乙").to_vec();
    for &mv in game(0).iter().take(plies) {
        all.extend(desk.provisional(Some(mv)));
        all.extend(desk.evidence());
        all.extend(desk.play(mv));
    }
    all.extend(desk.resign());
    (desk, all)
}

fn truth(desk: &Desk) -> GameView {
    let mut view = GameView::of(desk.snapshot.as_ref().unwrap());
    view.summary.current = true;
    view
}

fn records(all: &[Publication]) -> impl Iterator<Item = &Publication> {
    all.iter().filter(|publication| !publication.retained)
}

fn snapshots(all: &[Publication]) -> impl Iterator<Item = &Publication> {
    all.iter().filter(|publication| publication.retained)
}

#[test]
fn lines_and_snapshots_say_the_same() {
    let (desk, all) = published(40);
    let expected = truth(&desk);
    for replica in [feed(records(&all)), feed(snapshots(&all)), feed(&all), feed(snapshots(&all).last())] {
        assert_eq!(**replica.game("g1").unwrap(), expected);
    }
}

#[test]
fn a_game_reads_as_people_write_it() {
    let mut desk = Desk::new("b1");
    desk.begin("g1", "4", "甲", "乙");
    for mv in ["h2e2", "h9g7", "h0g2", "i9h9"] {
        desk.play(mv.parse().unwrap());
    }
    let view = truth(&desk);
    let read = |f: fn(&venue::PlyView) -> &str| view.plies.iter().map(f).collect::<Vec<_>>();
    assert_eq!(read(|ply| &ply.hans), ["炮二平五", "马8进7", "马二进三", "车9平8"]);
    assert_eq!(read(|ply| &ply.hant), ["炮二平五", "馬8進7", "馬二進三", "車9平8"]);
    assert_eq!(read(|ply| &ply.wxf), ["C2=5", "H8+7", "H2+3", "R9=8"]);
    assert_eq!(read(|ply| &ply.iccs), ["H2-E2", "H9-G7", "H0-G2", "I9-H9"]);
    assert!(view.summary.fen.starts_with("rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w"));
}

#[test]
fn a_gap_waits_for_a_snapshot() {
    let (desk, all) = published(10);
    let lines: Vec<_> = records(&all).collect();
    let torn = lines.iter().enumerate().filter(|(at, _)| *at != 12).map(|(_, line)| *line);
    let mut replica = feed(torn);
    assert!(replica.game("g1").unwrap().plies.len() < 10, "what follows a gap is not guessed");
    apply(&mut replica, snapshots(&all).last().unwrap());
    assert_eq!(**replica.game("g1").unwrap(), truth(&desk));
}

#[test]
fn evidence_is_no_news_to_viewers() {
    let mut desk = Desk::new("b1");
    let mut replica = feed(&desk.begin("g1", "4", "甲", "乙"));
    let changes: Vec<_> =
        desk.evidence().iter().flat_map(|publication| apply(&mut replica, publication)).collect();
    assert_eq!(changes, []);
}

#[test]
fn a_change_names_what_is_new() {
    let mut desk = Desk::new("b1");
    let mut replica = feed(&desk.begin("g1", "4", "甲", "乙"));
    let moves = game(0);
    for (at, &mv) in moves.iter().take(6).enumerate() {
        let published = desk.play(mv);
        let Some(Change::Game { game, from }) = apply(&mut replica, &published[0]).pop() else {
            panic!("a change")
        };
        assert_eq!((game.plies.len(), from), (at + 1, at), "the move");
        assert_eq!(game.plies[at].used_ms, Some(4_000));
        let Some(Change::Game { game, from }) = apply(&mut replica, &published[3]).pop() else {
            panic!("a change")
        };
        assert_eq!((game.plies.len(), from), (at + 1, at + 1), "the clock alone");
    }
}

#[test]
fn a_board_comes_and_goes_and_keeps_its_game() {
    let mut desk = Desk::new("b1");
    let mut replica = feed(&desk.begin("g1", "4", "甲", "乙"));
    let online =
        |replica: &Replica, id| replica.game(id).map(|game| (game.summary.online, game.summary.current));
    assert_eq!(online(&replica, "g1"), Some((false, true)), "no status yet");
    assert_eq!(apply(&mut replica, &desk.status(true)).len(), 1);
    assert_eq!(online(&replica, "g1"), Some((true, true)));
    apply(&mut replica, &desk.status(false));
    assert_eq!(online(&replica, "g1"), Some((false, true)), "the last will");

    apply(&mut replica, &desk.status(true));
    desk.begin("g2", "4", "丙", "丁").iter().for_each(|publication| {
        apply(&mut replica, publication);
    });
    apply(&mut replica, &desk.status(true));
    assert_eq!(online(&replica, "g1"), Some((true, false)), "it made room for the next one");
    assert_eq!(online(&replica, "g2"), Some((true, true)));
}

#[test]
fn after_a_new_link_boards_must_say_again_that_they_are_there() {
    let (mut first, mut second) = (Desk::new("b1"), Desk::new("b2"));
    let mut replica = feed(first.begin("g1", "1", "", "").iter().chain(&second.begin("g2", "2", "", "")));
    apply(&mut replica, &first.status(true));
    apply(&mut replica, &second.status(true));
    replica.link_made();
    apply(&mut replica, &second.status(true));
    assert_eq!(replica.confirmation_over().len(), 1);
    assert!(!replica.game("g1").unwrap().summary.online);
    assert!(replica.game("g2").unwrap().summary.online);
}

#[test]
fn a_withdrawn_game_is_gone() {
    let (_, all) = published(2);
    let mut replica = feed(&all);
    let topic = &snapshots(&all).next().unwrap().topic;
    assert_eq!(replica.apply(topic, b"").unwrap(), [Change::Gone { id: "g1".into() }]);
    assert_eq!(replica.apply(topic, b"").unwrap(), []);
    assert_eq!(replica.games().len(), 0);
}

#[test]
fn what_cannot_be_read_is_reported_and_changes_nothing() {
    let (desk, all) = published(4);
    let mut replica = feed(&all);
    let line = &records(&all).last().unwrap().payload;
    let cases = [
        ("luozi/v1/board/b1/status", "{".to_owned()),
        ("luozi/v1/board/b1/status", "\u{0}".to_owned()),
        ("luozi/v1/board/b1/record", line.replace("\"seq\"", "\"qes\"")),
        ("luozi/v1/board/b1/record", line.replace("0-1", "1-0")),
        ("luozi/v1/board/b1/game/g1/snapshot", "[]".to_owned()),
        (
            "luozi/v1/board/b1/game/g9/snapshot",
            serde_json::to_string(desk.snapshot.as_ref().unwrap()).unwrap(),
        ),
        (
            "luozi/v1/board/b9/game/g1/snapshot",
            serde_json::to_string(desk.snapshot.as_ref().unwrap()).unwrap(),
        ),
    ];
    for (topic, payload) in cases {
        let error = replica.apply(topic, payload.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(topic), "{error}");
    }
    assert_eq!(**replica.game("g1").unwrap(), truth(&desk));
}

#[test]
fn a_king_that_was_taken_does_not_stop_the_venue() {
    let mut desk = Desk::new("b1");
    desk.begin("g1", "1", "", "");
    for mv in ["e3e9", "e6e0", "a0a1"] {
        desk.play(mv.parse().unwrap());
    }
    let view = truth(&desk);
    assert_eq!(view.plies.len(), 3);
    assert_eq!(view.plies[2].hans, "A0-A1", "a move out of no position keeps its coordinates");
}

proptest! {
    /// Lost, doubled and reordered messages change nothing once the last snapshot is there.
    #[test]
    fn any_order_ends_the_same(plies in 0..12_usize, order in prop::collection::vec(any::<prop::sample::Index>(), 0..120)) {
        let (desk, all) = published(plies);
        let mut replica = feed(order.iter().map(|index| index.get(&all)));
        apply(&mut replica, snapshots(&all).last().unwrap());
        prop_assert_eq!(&**replica.game("g1").unwrap(), &truth(&desk));
        for publication in order.iter().map(|index| index.get(&all)) {
            prop_assert_eq!(apply(&mut replica, publication), vec![]);
        }
    }

    /// Nothing that arrives on any topic brings the venue down.
    #[test]
    fn any_message_is_survived(topic in "(luozi/v1/board/)?[a-z0-9/+#]{0,40}", payload in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Replica::new().apply(&topic, &payload);
    }

    /// Nor does any change to a good message.
    #[test]
    fn any_damage_is_survived(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let (_, all) = published(3);
        let publication = which.get(&all);
        let mut payload = publication.payload.clone().into_bytes();
        *at.get_mut(&mut payload) = byte;
        let mut replica = feed(&all[..2]);
        if replica.apply(&publication.topic, &payload).is_ok() {
            for game in replica.games() {
                prop_assert!(game.plies.len() <= 4);
            }
        }
    }
}
