//! The broker on TCP, with the client that boards and venues use.

use std::time::Duration;

use broker::{Entrance, Limits, Server};
use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use transport::{MAX_PACKET, MAX_PAYLOAD};

const PATIENCE: Duration = Duration::from_secs(20);

async fn start() -> Server {
    Server::start("127.0.0.1:0".parse().expect("an address"), Limits::default(), Entrance::default())
        .await
        .expect("a free port")
}

fn client(id: &str, server: &Server) -> (AsyncClient, EventLoop) {
    let address = server.address();
    let mut options = MqttOptions::new(id, address.ip().to_string(), address.port());
    options.set_keep_alive(Duration::from_secs(5));
    AsyncClient::new(options, 16)
}

/// Polls until a packet answers the question.
async fn until<T>(events: &mut EventLoop, mut found: impl FnMut(&Packet) -> Option<T>) -> T {
    let search = async {
        loop {
            if let Event::Incoming(packet) = events.poll().await.expect("the connection holds")
                && let Some(answer) = found(&packet)
            {
                return answer;
            }
        }
    };
    timeout(PATIENCE, search).await.expect("an answer in time")
}

#[tokio::test]
async fn publications_arrive_in_order() {
    let server = start().await;
    let (venue, mut venue_events) = client("venue", &server);
    venue.subscribe("r", QoS::AtLeastOnce).await.expect("queued");
    until(&mut venue_events, |packet| matches!(packet, Packet::SubAck(_)).then_some(())).await;
    let (board, mut board_events) = client("board", &server);
    tokio::spawn(async move { while board_events.poll().await.is_ok() {} });
    let publisher = tokio::spawn(async move {
        for number in 0..2_000u32 {
            board.publish("r", QoS::AtLeastOnce, false, number.to_be_bytes()).await.expect("queued");
        }
        board
    });
    let mut expected = 0u32;
    until(&mut venue_events, |packet| {
        if let Packet::Publish(publish) = packet {
            assert_eq!(publish.payload[..], expected.to_be_bytes());
            expected += 1;
        }
        (expected == 2_000).then_some(())
    })
    .await;
    drop(publisher.await.expect("the publisher ends"));
    timeout(PATIENCE, server.stop()).await.expect("it stops");
}

#[tokio::test]
async fn what_is_no_mqtt_is_hung_up_on() {
    let server = start().await;
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0x30, 0xff, 0xff, 0xff, 0xff], &[0xc0, 0]] {
        let mut socket = TcpStream::connect(server.address()).await.expect("connects");
        socket.write_all(bytes).await.expect("sends");
        let mut answer = Vec::new();
        let ended = timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("it hangs up");
        assert!(ended.is_err() || answer.is_empty(), "{bytes:?}: {answer:?}");
    }
    server.stop().await;
}

/// The topics and texts of the next publications.
async fn next(events: &mut EventLoop, count: usize) -> Vec<(String, String)> {
    let mut found = Vec::new();
    until(events, |packet| {
        if let Packet::Publish(publish) = packet {
            found.push((publish.topic.clone(), String::from_utf8_lossy(&publish.payload).into_owned()));
        }
        (found.len() == count).then(|| std::mem::take(&mut found))
    })
    .await
}

#[tokio::test]
async fn a_lost_board_leaves_its_will_and_its_retained_state() {
    let server = start().await;
    let address = server.address();
    let mut options = MqttOptions::new("board", address.ip().to_string(), address.port());
    options.set_last_will(rumqttc::LastWill::new("status", "offline", QoS::AtLeastOnce, true));
    let (board, mut board_events) = AsyncClient::new(options, 16);
    board.publish("status", QoS::AtLeastOnce, true, "online").await.expect("queued");
    until(&mut board_events, |packet| matches!(packet, Packet::PubAck(_)).then_some(())).await;
    let (venue, mut venue_events) = client("venue", &server);
    venue.subscribe("#", QoS::AtLeastOnce).await.expect("queued");
    assert_eq!(next(&mut venue_events, 1).await, [("status".to_owned(), "online".to_owned())]);
    // The connection breaks without a word.
    drop(board_events);
    drop(board);
    assert_eq!(next(&mut venue_events, 1).await, [("status".to_owned(), "offline".to_owned())]);
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_was_away_gets_what_it_missed() {
    let server = start().await;
    let connect = || {
        let address = server.address();
        let mut options = MqttOptions::new("venue", address.ip().to_string(), address.port());
        options.set_clean_session(false);
        AsyncClient::new(options, 16)
    };
    let (venue, mut venue_events) = connect();
    venue.subscribe("r", QoS::AtLeastOnce).await.expect("queued");
    until(&mut venue_events, |packet| matches!(packet, Packet::SubAck(_)).then_some(())).await;
    drop((venue, venue_events));
    let (board, mut board_events) = client("board", &server);
    for number in 0..3 {
        board.publish("r", QoS::AtLeastOnce, false, number.to_string()).await.expect("queued");
        until(&mut board_events, |packet| matches!(packet, Packet::PubAck(_)).then_some(())).await;
    }
    let (_venue, mut venue_events) = connect();
    let missed: Vec<String> = next(&mut venue_events, 3).await.into_iter().map(|(_, text)| text).collect();
    assert_eq!(missed, ["0", "1", "2"]);
    server.stop().await;
}

/// The largest payload that is published gets through, at a topic as long as ours may be; a packet beyond the bound ends the
/// connection of whoever sends it, and nobody gets it.
#[tokio::test]
async fn a_packet_has_a_bound() {
    let server = start().await;
    let large = |id: &str| {
        let address = server.address();
        let mut options = MqttOptions::new(id, address.ip().to_string(), address.port());
        options.set_max_packet_size(2 * MAX_PACKET, 2 * MAX_PACKET);
        AsyncClient::new(options, 16)
    };
    let (venue, mut venue_events) = large("venue");
    venue.subscribe("#", QoS::AtLeastOnce).await.expect("queued");
    until(&mut venue_events, |packet| matches!(packet, Packet::SubAck(_)).then_some(())).await;
    let (board, mut board_events) = large("board");
    let topic = "t".repeat(200);
    board.publish(&topic, QoS::AtLeastOnce, false, vec![b'x'; MAX_PAYLOAD]).await.expect("queued");
    until(&mut board_events, |packet| matches!(packet, Packet::PubAck(_)).then_some(())).await;
    assert_eq!(next(&mut venue_events, 1).await[0].1.len(), MAX_PAYLOAD);
    board.publish(&topic, QoS::AtLeastOnce, false, vec![b'x'; MAX_PACKET + 1]).await.expect("queued");
    let ends = async { while board_events.poll().await.is_ok() {} };
    timeout(PATIENCE, ends).await.expect("the broker hangs up");
    let (other, mut other_events) = large("other");
    other.publish("t", QoS::AtLeastOnce, false, "small").await.expect("queued");
    until(&mut other_events, |packet| matches!(packet, Packet::PubAck(_)).then_some(())).await;
    assert_eq!(next(&mut venue_events, 1).await, [("t".to_owned(), "small".to_owned())]);
    server.stop().await;
}
