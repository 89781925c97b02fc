//! The access rules in the embedded broker: what the real mosquitto is held to in `mosquitto_acl.rs`.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::time::Duration;

use broker::{Entrance, Limits, Server};
use rumqttc::{
    AsyncClient, ConnectionError, Event, EventLoop, MqttOptions, Packet, QoS, SubscribeReasonCode,
};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(20);

async fn server() -> Server {
    let passwords = "board-1:one\nboard-2:two\nvenue:hall\n".parse().expect("passwords");
    let address = "127.0.0.1:0".parse().expect("an address");
    Server::start(address, Limits::default(), Entrance { passwords: Some(passwords), tls: None })
        .await
        .expect("a free port")
}

fn client(server: &Server, id: &str, login: Option<(&str, &str)>) -> (AsyncClient, EventLoop) {
    let address = server.address();
    let id = login.map_or_else(|| id.to_owned(), |(name, _)| format!("{name}:{id}"));
    let mut options = MqttOptions::new(id, address.ip().to_string(), address.port());
    if let Some((name, password)) = login {
        options.set_credentials(name, password);
    }
    AsyncClient::new(options, 64)
}

async fn incoming(events: &mut EventLoop) -> Result<Packet, ConnectionError> {
    loop {
        match timeout(PATIENCE, events.poll()).await.expect("an answer in time") {
            Ok(Event::Incoming(packet)) => return Ok(packet),
            Ok(Event::Outgoing(_)) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether somebody may subscribe to that.
async fn may_read(server: &Server, login: Option<(&str, &str)>, filter: &str) -> bool {
    let (client, mut events) = client(server, "reader", login);
    client.subscribe(filter, QoS::AtLeastOnce).await.expect("queued");
    loop {
        match incoming(&mut events).await {
            Ok(Packet::SubAck(answer)) => {
                return answer.return_codes.iter().all(|code| *code != SubscribeReasonCode::Failure);
            }
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// Publishes, each over a connection of its own: a broker may answer what is forbidden by ending it.
async fn publish(server: &Server, login: Option<(&str, &str)>, topics: &[&str]) {
    for topic in topics {
        let (client, mut events) = client(server, "writer", login);
        client.publish(*topic, QoS::AtLeastOnce, false, "x").await.expect("queued");
        while let Ok(packet) = incoming(&mut events).await {
            if matches!(packet, Packet::PubAck(_)) {
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_writes_its_own_topics_and_the_public_reads_public_ones() {
    let server = server().await;
    let venue = Some(("venue", "hall"));
    let (hall, mut heard) = client(&server, "hall", venue);
    for filter in ["luozi/v1/board/#", "luozi/v1/public/#"] {
        hall.subscribe(filter, QoS::AtLeastOnce).await.expect("queued");
    }
    let mut answers = 0;
    while answers < 2 {
        answers += usize::from(matches!(incoming(&mut heard).await, Ok(Packet::SubAck(_))));
    }
    let mine = ["luozi/v1/board/board-1/status", "luozi/v1/board/board-1/game/g1/snapshot"];
    let others =
        ["luozi/v1/board/board-2/record", "luozi/v1/board/board-1/refill", "luozi/v1/public/game/g1/clock"];
    let board = Some(("board-1", "one"));
    publish(&server, None, &mine).await;
    publish(&server, board, &others).await;
    publish(&server, board, &mine).await;
    publish(&server, venue, &["luozi/v1/public/game/g1/result"]).await;
    let mut topics = BTreeSet::new();
    while !topics.contains("luozi/v1/public/game/g1/result") {
        if let Packet::Publish(publish) = incoming(&mut heard).await.expect("the connection holds") {
            topics.insert(publish.topic);
        }
    }
    let expected = [mine[0], mine[1], "luozi/v1/public/game/g1/result"].map(str::to_owned);
    assert_eq!(topics, BTreeSet::from(expected));

    for (login, filter, expected) in [
        (None, "luozi/v1/public/#", true),
        (None, "#", false),
        (None, "luozi/v1/board/board-1/record", false),
        (board, "luozi/v1/board/board-1/refill", true),
        (board, "luozi/v1/board/board-2/refill", false),
        (venue, "luozi/v1/board/#", true),
    ] {
        assert_eq!(may_read(&server, login, filter).await, expected, "{login:?} {filter}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_in_with_a_wrong_password() {
    let server = server().await;
    for login in [("board-1", "two"), ("board-1", ""), ("nobody", "one")] {
        let (_client, mut events) = client(&server, "intruder", Some(login));
        let refused = incoming(&mut events).await;
        assert!(matches!(refused, Err(ConnectionError::ConnectionRefused(_))), "{login:?}: {refused:?}");
    }
    server.stop().await;
}

/// A broker closes an older connection whose client id is used again.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_thrown_out_by_another_name() {
    let server = server().await;
    for login in [Some(("board-2", "two")), None] {
        let address = server.address();
        let mut options = MqttOptions::new("board-1:board", address.ip().to_string(), address.port());
        if let Some((name, password)) = login {
            options.set_credentials(name, password);
        }
        let (_client, mut events) = AsyncClient::new(options, 1);
        let refused = incoming(&mut events).await;
        assert!(matches!(refused, Err(ConnectionError::ConnectionRefused(_))), "{login:?}: {refused:?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_passwords_it_stays_on_this_machine() {
    let open =
        Server::start("0.0.0.0:0".parse().expect("an address"), Limits::default(), Entrance::default()).await;
    assert_eq!(open.expect_err("refused").kind(), ErrorKind::PermissionDenied);
}
