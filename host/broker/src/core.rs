//! The broker without a network.

use std::collections::{BTreeMap, VecDeque};

use rumqttc::mqttbytes::v4::{
    ConnAck, Connect, ConnectReturnCode, Packet, PubAck, Publish, SubAck, Subscribe, SubscribeReasonCode,
    UnsubAck,
};
use rumqttc::mqttbytes::{QoS, matches, valid_filter, valid_topic};

use crate::{Limits, Session};

/// A connection, by a number that is never used again.
pub type LinkId = u64;

/// What the network has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Send a packet.
    Send(LinkId, Packet),
    /// Close the connection after what was sent before.
    Close(LinkId),
}

/// The broker without a network: packets in, packets out.
///
/// # Contract
/// 1. Give each connection a number of its own. Its first packet goes to [`connect`](Core::connect), every later one
///    to [`receive`](Core::receive).
/// 2. Call [`lost`](Core::lost) once when a connection has ended, however it ended.
/// 3. After each call carry out [`poll_output`](Core::poll_output) until there is none.
#[derive(Debug, Default)]
pub struct Core {
    limits: Limits,
    sessions: BTreeMap<String, Session>,
    links: BTreeMap<LinkId, String>,
    retained: BTreeMap<String, Publish>,
    outputs: VecDeque<Output>,
}

impl Core {
    /// A broker that nobody has connected to.
    pub fn new(limits: Limits) -> Core {
        Core { limits, ..Core::default() }
    }

    /// The next thing that the network has to do.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// How many connections there are.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// A client introduces itself. Answers and, if it is taken, resumes its session; a connection that the same client
    /// still had is closed.
    pub fn connect(&mut self, link: LinkId, connect: &Connect) {
        let Connect { client_id, clean_session, .. } = connect;
        let anonymous = client_id.is_empty();
        if anonymous && !clean_session {
            return self.refuse(link, ConnectReturnCode::BadClientId);
        }
        let id = if anonymous { format!("anonymous-{link}") } else { client_id.clone() };
        if self.sessions.len() >= self.limits.clients && !self.sessions.contains_key(&id) {
            return self.refuse(link, ConnectReturnCode::ServiceUnavailable);
        }
        let old_link = self.sessions.get(&id).and_then(|session| session.link);
        if let Some(old) = old_link {
            self.drop_link(old);
        }
        if *clean_session {
            self.sessions.remove(&id);
        }
        let present = self.sessions.contains_key(&id);
        let session = self.sessions.entry(id.clone()).or_default();
        session.link = Some(link);
        session.clean = *clean_session;
        session.will = connect.last_will.as_ref().map(|will| Publish {
            retain: will.retain,
            ..Publish::from_bytes(&will.topic, will.qos, will.message.clone())
        });
        session.resume();
        self.links.insert(link, id.clone());
        let accepted = ConnAck::new(ConnectReturnCode::Success, present);
        self.send(link, Packet::ConnAck(accepted));
        self.pump(&id);
    }

    fn refuse(&mut self, link: LinkId, code: ConnectReturnCode) {
        self.send(link, Packet::ConnAck(ConnAck::new(code, false)));
        self.outputs.push_back(Output::Close(link));
    }

    /// A packet of a client that has introduced itself. What the protocol forbids ends the connection.
    pub fn receive(&mut self, link: LinkId, packet: Packet) {
        let Some(id) = self.links.get(&link).cloned() else { return };
        match packet {
            Packet::Publish(publish) => self.publish_from(link, publish),
            Packet::PubAck(ack) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.acknowledge(ack.pkid);
                }
                self.pump(&id);
            }
            Packet::Subscribe(subscribe) => self.subscribe(link, &id, &subscribe),
            Packet::Unsubscribe(unsubscribe) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    unsubscribe.topics.iter().for_each(|filter| session.unsubscribe(filter));
                }
                self.send(link, Packet::UnsubAck(UnsubAck::new(unsubscribe.pkid)));
            }
            Packet::PingReq => self.send(link, Packet::PingResp),
            Packet::Disconnect => {
                // A client that says goodbye leaves no last will.
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.will = None;
                }
                self.drop_link(link);
            }
            _ => self.drop_link(link),
        }
    }

    /// A connection has ended.
    pub fn lost(&mut self, link: LinkId) {
        if self.links.contains_key(&link) {
            self.drop_link(link);
        }
    }

    /// Forgets a connection, publishes its last will, and asks the network to close it.
    fn drop_link(&mut self, link: LinkId) {
        self.outputs.push_back(Output::Close(link));
        let Some(id) = self.links.remove(&link) else { return };
        let Some(session) = self.sessions.get_mut(&id) else { return };
        session.link = None;
        let will = session.will.take();
        if session.clean {
            self.sessions.remove(&id);
        }
        if let Some(will) = will {
            self.publish(will);
        }
    }

    fn publish_from(&mut self, link: LinkId, publish: Publish) {
        if !valid_topic(&publish.topic) || publish.topic.is_empty() || publish.qos == QoS::ExactlyOnce {
            return self.drop_link(link);
        }
        let ack = (publish.qos == QoS::AtLeastOnce).then(|| PubAck::new(publish.pkid));
        self.publish(publish);
        if let Some(ack) = ack {
            self.send(link, Packet::PubAck(ack));
        }
    }

    /// Delivers a publication to everybody who wants it, and keeps it if it is to be retained.
    fn publish(&mut self, mut publish: Publish) {
        publish.dup = false;
        if publish.retain {
            self.retain(&publish);
        }
        publish.retain = false;
        let wanting: Vec<(String, QoS)> = self
            .sessions
            .iter()
            .filter_map(|(id, session)| Some((id.clone(), session.wants(&publish.topic)?)))
            .collect();
        for (id, qos) in wanting {
            self.deliver(&id, &publish, qos);
        }
    }

    fn retain(&mut self, publish: &Publish) {
        if publish.payload.is_empty() {
            self.retained.remove(&publish.topic);
        } else if self.retained.len() < self.limits.retained || self.retained.contains_key(&publish.topic) {
            self.retained.insert(publish.topic.clone(), publish.clone());
        } else {
            tracing::warn!(topic = publish.topic, "too many retained topics; not kept");
        }
    }

    fn deliver(&mut self, id: &str, publish: &Publish, granted: QoS) {
        let Some(session) = self.sessions.get_mut(id) else { return };
        let mut publish = publish.clone();
        publish.pkid = 0;
        if publish.qos == QoS::AtMostOnce || granted == QoS::AtMostOnce {
            publish.qos = QoS::AtMostOnce;
            if let Some(link) = session.link {
                self.send(link, Packet::Publish(publish));
            }
            return;
        }
        publish.qos = QoS::AtLeastOnce;
        if session.enqueue(publish, &self.limits) {
            return self.pump(id);
        }
        tracing::warn!(client = id, "too slow: its session is dropped");
        let link = session.link;
        session.clean = true;
        match link {
            Some(link) => self.drop_link(link),
            None => drop(self.sessions.remove(id)),
        }
    }

    fn subscribe(&mut self, link: LinkId, id: &str, subscribe: &Subscribe) {
        let Some(session) = self.sessions.get_mut(id) else { return };
        let mut codes = Vec::new();
        let mut wanted = Vec::new();
        for filter in &subscribe.filters {
            if !valid_filter(&filter.path) {
                codes.push(SubscribeReasonCode::Failure);
                continue;
            }
            let qos = if filter.qos == QoS::AtMostOnce { QoS::AtMostOnce } else { QoS::AtLeastOnce };
            session.subscribe(&filter.path, qos);
            codes.push(SubscribeReasonCode::Success(qos));
            wanted.push((&filter.path, qos));
        }
        self.send(link, Packet::SubAck(SubAck::new(subscribe.pkid, codes)));
        for (filter, qos) in wanted {
            let kept: Vec<Publish> =
                self.retained.values().filter(|kept| matches(&kept.topic, filter)).cloned().collect();
            for publish in kept {
                self.deliver(id, &publish, qos);
            }
        }
    }

    /// Sends what may be sent to that client now.
    fn pump(&mut self, id: &str) {
        let Some(session) = self.sessions.get_mut(id) else { return };
        let Some(link) = session.link else { return };
        while let Some(packet) = session.next_to_send(&self.limits) {
            self.outputs.push_back(Output::Send(link, packet));
        }
    }

    fn send(&mut self, link: LinkId, packet: Packet) {
        self.outputs.push_back(Output::Send(link, packet));
    }
}
