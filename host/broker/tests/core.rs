//! The broker's promises, packet by packet.

use broker::{Core, Limits, LinkId, Output};
use rumqttc::mqttbytes::QoS;
use rumqttc::mqttbytes::v4::{
    Connect, ConnectReturnCode, LastWill, Packet, PubAck, Publish, Subscribe, SubscribeReasonCode,
};

/// What each link received, and whether it was closed.
fn drain(core: &mut Core, link: LinkId) -> (Vec<Packet>, bool) {
    let mut packets = Vec::new();
    let mut closed = false;
    while let Some(output) = core.poll_output() {
        match output {
            Output::Send(to, packet) if to == link => packets.push(packet),
            Output::Close(of) if of == link => closed = true,
            Output::Send(..) | Output::Close(_) => {}
        }
    }
    (packets, closed)
}

fn hello(id: &str, clean: bool) -> Connect {
    let mut connect = Connect::new(id);
    connect.clean_session = clean;
    connect
}

fn connect(core: &mut Core, link: LinkId, connect: &Connect) -> bool {
    core.connect(link, connect);
    match drain(core, link).0.first() {
        Some(Packet::ConnAck(ack)) => {
            assert_eq!(ack.code, ConnectReturnCode::Success);
            ack.session_present
        }
        other => panic!("expected CONNACK, found {other:?}"),
    }
}

fn publish(topic: &str, text: &str, retain: bool) -> Packet {
    let mut publish = Publish::new(topic, QoS::AtLeastOnce, text);
    (publish.pkid, publish.retain) = (7, retain);
    Packet::Publish(publish)
}

fn subscribe(core: &mut Core, link: LinkId, filter: &str) -> Vec<Packet> {
    let mut subscribe = Subscribe::new(filter, QoS::AtLeastOnce);
    subscribe.pkid = 1;
    core.receive(link, Packet::Subscribe(subscribe));
    drain(core, link).0
}

/// The publications among packets, as topic, text, retained, repeated.
fn publications(packets: &[Packet]) -> Vec<(String, String, bool, bool)> {
    let publication = |packet: &Packet| match packet {
        Packet::Publish(p) => {
            let text = String::from_utf8(p.payload.to_vec()).expect("UTF-8");
            Some((p.topic.clone(), text, p.retain, p.dup))
        }
        _ => None,
    };
    packets.iter().filter_map(publication).collect()
}

fn texts(packets: &[Packet]) -> Vec<String> {
    publications(packets).into_iter().map(|(_, text, ..)| text).collect()
}

#[test]
fn a_publication_is_acknowledged_and_delivered() {
    let mut core = Core::new(Limits::default());
    connect(&mut core, 1, &hello("board", true));
    connect(&mut core, 2, &hello("venue", true));
    subscribe(&mut core, 2, "luozi/+/x");
    core.receive(1, publish("luozi/a/x", "one", false));
    core.receive(1, publish("luozi/a/y", "other", false));
    let mut for_board = Vec::new();
    let mut for_venue = Vec::new();
    while let Some(output) = core.poll_output() {
        match output {
            Output::Send(1, packet) => for_board.push(packet),
            Output::Send(2, packet) => for_venue.push(packet),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(for_board, [Packet::PubAck(PubAck::new(7)), Packet::PubAck(PubAck::new(7))]);
    assert_eq!(texts(&for_venue), ["one"]);
}

#[test]
fn retained_messages_come_with_a_subscription_and_go_when_emptied() {
    let mut core = Core::new(Limits::default());
    connect(&mut core, 1, &hello("board", true));
    connect(&mut core, 2, &hello("venue", true));
    core.receive(1, publish("s/1", "old", true));
    core.receive(1, publish("s/1", "new", true));
    core.receive(1, publish("s/2", "gone", true));
    core.receive(1, publish("s/2", "", true));
    let packets = subscribe(&mut core, 2, "s/#");
    assert_eq!(publications(&packets), [("s/1".into(), "new".into(), true, false)]);
    // Subscribing again asks for them again: a client that came back may have missed them.
    assert_eq!(texts(&subscribe(&mut core, 2, "s/#")), ["new"]);
}

#[test]
fn a_will_is_published_unless_the_client_said_goodbye() {
    for (goodbye, expected) in [(false, vec!["offline".to_owned()]), (true, vec![])] {
        let mut core = Core::new(Limits::default());
        let mut board = hello("board", true);
        board.last_will = Some(LastWill::new("status", "offline", QoS::AtLeastOnce, true));
        connect(&mut core, 1, &board);
        connect(&mut core, 2, &hello("venue", true));
        subscribe(&mut core, 2, "status");
        if goodbye {
            core.receive(1, Packet::Disconnect);
        }
        core.lost(1);
        assert_eq!(texts(&drain(&mut core, 2).0), expected);
        assert_eq!(texts(&subscribe(&mut core, 2, "status")), expected, "the will is retained");
    }
}

#[test]
fn a_session_keeps_what_was_not_acknowledged_in_order() {
    let mut core = Core::new(Limits { in_flight: 2, ..Limits::default() });
    connect(&mut core, 1, &hello("board", true));
    assert!(!connect(&mut core, 2, &hello("venue", false)));
    subscribe(&mut core, 2, "r");
    for text in ["a", "b", "c"] {
        core.receive(1, publish("r", text, false));
    }
    let (packets, _) = drain(&mut core, 2);
    assert_eq!(texts(&packets), ["a", "b"], "two at a time");
    let Packet::Publish(first) = &packets[0] else { panic!("{packets:?}") };
    core.receive(2, Packet::PubAck(PubAck::new(first.pkid)));
    assert_eq!(texts(&drain(&mut core, 2).0), ["c"]);
    core.lost(2);
    core.receive(1, publish("r", "d", false));
    core.connect(3, &hello("venue", false));
    let (packets, _) = drain(&mut core, 3);
    assert!(matches!(&packets[0], Packet::ConnAck(ack) if ack.session_present));
    assert_eq!(
        publications(&packets),
        [("r".into(), "b".into(), false, true), ("r".into(), "c".into(), false, true)]
    );
    for packet in &packets[1..] {
        let Packet::Publish(publish) = packet else { panic!("{packet:?}") };
        core.receive(3, Packet::PubAck(PubAck::new(publish.pkid)));
    }
    assert_eq!(publications(&drain(&mut core, 3).0), [("r".into(), "d".into(), false, false)]);
}

#[test]
fn a_client_that_is_too_slow_starts_anew_and_is_told() {
    let mut core = Core::new(Limits { session: 2, ..Limits::default() });
    connect(&mut core, 1, &hello("board", true));
    connect(&mut core, 2, &hello("venue", false));
    subscribe(&mut core, 2, "r");
    core.lost(2);
    for text in ["a", "b", "c"] {
        core.receive(1, publish("r", text, false));
    }
    assert!(!connect(&mut core, 3, &hello("venue", false)), "no session is present");
}

#[test]
fn a_second_connection_of_a_client_takes_over() {
    let mut core = Core::new(Limits::default());
    connect(&mut core, 1, &hello("board", true));
    core.connect(2, &hello("board", true));
    assert!(drain(&mut core, 1).1, "the first is closed");
    assert_eq!(core.link_count(), 1);
}

#[test]
fn what_the_protocol_forbids_ends_the_connection() {
    let exactly_once = |mut packet: Packet| {
        if let Packet::Publish(publish) = &mut packet {
            publish.qos = QoS::ExactlyOnce;
        }
        packet
    };
    for packet in [
        publish("a/+", "x", false),
        publish("", "x", false),
        exactly_once(publish("a", "x", false)),
        Packet::Connect(hello("board", true)),
        Packet::PingResp,
    ] {
        let mut core = Core::new(Limits::default());
        connect(&mut core, 1, &hello("board", true));
        core.receive(1, packet.clone());
        assert!(drain(&mut core, 1).1, "{packet:?}");
    }
    let mut core = Core::new(Limits::default());
    connect(&mut core, 1, &hello("venue", true));
    let packets = subscribe(&mut core, 1, "a#");
    assert!(matches!(&packets[0], Packet::SubAck(ack) if ack.return_codes == [SubscribeReasonCode::Failure]));
    core.connect(2, &hello("", false));
    assert!(
        matches!(&drain(&mut core, 2).0[0], Packet::ConnAck(ack) if ack.code == ConnectReturnCode::BadClientId)
    );
}
