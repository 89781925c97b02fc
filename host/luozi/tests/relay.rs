//! From a simulated board through a real broker to those who follow.

mod running;

use std::net::SocketAddr;
use std::time::Duration;

use referee::{Phase, Snapshot};
use running::{Follower, Mosquitto, Running, free_port, get, journal, moves, until};

/// A board plays a game through a mosquitto that is killed twice and forgets everything: a follower ends up with every
/// line once, in order and byte for byte, and with a snapshot that says the same.
#[test]
fn a_broker_that_is_killed_loses_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let Some(mut mosquitto) = Mosquitto::start(directory.path()) else { return };
    let data = directory.path().join("b1");
    let follower = Follower::start("b1", mosquitto.port);
    let url = mosquitto.url();
    let data_text = data.to_str().expect("UTF-8");
    let arguments = ["board", "--simulated", "--id", "b1", "--speed", "60", "--games", "1", "--seed", "5"];
    let board = Running::luozi(&[&arguments[..], &["--broker", &url, "--data", data_text]].concat());
    for plies in [8, 20] {
        until("moves", || (moves(&follower.prefix()).len() >= plies).then_some(()));
        mosquitto = mosquitto.restart(Duration::from_millis(700));
    }
    assert_eq!(board.ends(), 0);
    let written = journal(&data);
    until("every line", || (follower.prefix().len() == written.len()).then_some(()));
    assert_eq!(follower.prefix(), written);
    follower.look(|seen| {
        assert_eq!(seen.snapshots.len(), 1);
        for text in seen.snapshots.values() {
            let snapshot: Snapshot = serde_json::from_str(text).expect("a snapshot");
            assert_eq!(snapshot.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>(), moves(&written));
            assert_eq!(snapshot.phase, Phase::Over);
            assert!(snapshot.plies.iter().all(|ply| ply.red_ms.is_some()), "every ply carries the clocks");
        }
        let last = seen.statuses.last().expect("a status");
        assert!(last.contains(r#""online":false"#), "{last}");
    });
}

/// The board is killed, and the broker says so; it comes back, and says that it is there.
#[test]
fn a_last_will_tells_that_a_board_has_gone() {
    let directory = tempfile::tempdir().expect("a directory");
    let Some(mosquitto) = Mosquitto::start(directory.path()) else { return };
    let follower = Follower::start("b2", mosquitto.port);
    let data = directory.path().join("b2");
    let (url, data) = (mosquitto.url(), data.to_str().expect("UTF-8"));
    let arguments = ["board", "--simulated", "--id", "b2", "--broker", &url, "--data", data];
    let is = |online: bool| {
        let wanted = format!(r#""online":{online}"#);
        until(&wanted, || {
            follower
                .look(|seen| seen.statuses.last().is_some_and(|status| status.contains(&wanted)))
                .then_some(())
        });
    };
    let board = Running::luozi(&arguments);
    is(true);
    board.kill();
    is(false);
    let board = Running::luozi(&arguments);
    is(true);
    board.interrupt();
    assert_eq!(board.ends(), 0);
    is(false);
}

/// A board that is set up with a broker that is not there is told so at once, and leaves nothing behind.
#[test]
fn a_broker_that_refuses_is_said_at_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("b3");
    let url = format!("mqtt://127.0.0.1:{}", free_port());
    let data_text = data.to_str().expect("UTF-8");
    for arguments in [
        &["board", "--simulated", "--broker", &url, "--data", data_text][..],
        &["venue", "--listen", "127.0.0.1:0", "--broker", &url],
    ] {
        assert_eq!(Running::luozi(arguments).ends(), 2, "{arguments:?}");
    }
    assert!(!data.exists());
}

/// The whole demo: pages are served, boards play, and Ctrl-C ends it with 0.
#[test]
fn the_demo_plays_and_ends() {
    let directory = tempfile::tempdir().expect("a directory");
    let port = free_port();
    let (port_text, data) = (port.to_string(), directory.path().to_str().expect("UTF-8"));
    let demo =
        Running::luozi(&["demo", "--port", &port_text, "--boards", "3", "--speed", "50", "--data", data]);
    let games = until("three boards that have moved", || {
        let games = get(SocketAddr::from(([127, 0, 0, 1], port)), "/api/v1/games")?;
        (games.matches(r#""last":{"move":"#).count() >= 3).then_some(games)
    });
    assert!(games.contains("sim-"), "{games}");
    demo.interrupt();
    assert_eq!(demo.ends(), 0);
}
