//! A client's session: what it subscribed to, and what it has not acknowledged yet.

use std::collections::VecDeque;

use rumqttc::mqttbytes::v4::{Packet, Publish};
use rumqttc::mqttbytes::{QoS, matches};

use crate::LinkId;

/// How much the broker holds for its clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest packet, in bytes. A larger one ends the connection.
    pub packet: usize,
    /// QoS 1 publications on their way to a client before it acknowledges the first. Fewer than 65,535.
    pub in_flight: usize,
    /// QoS 1 publications that wait for a client, in flight or not. One more, and the session is dropped: its client
    /// is told so when it connects (`session present` is 0) and fetches from the source what it missed.
    pub session: usize,
    /// Packets that wait for a connection's socket. One more, and the connection is closed.
    pub link: usize,
    /// Retained topics. A publication to one more is delivered and not kept.
    pub retained: usize,
    /// Clients with a session.
    pub clients: usize,
}

impl Default for Limits {
    /// A hall of a thousand boards: a session holds a round of records of all of them while a venue restarts.
    fn default() -> Limits {
        Limits {
            packet: 256 * 1024,
            in_flight: 256,
            session: 100_000,
            link: 4_096,
            retained: 50_000,
            clients: 10_000,
        }
    }
}

/// A client's session.
#[derive(Debug, Default)]
pub struct Session {
    pub(crate) link: Option<LinkId>,
    /// Ends with its connection.
    pub(crate) clean: bool,
    pub(crate) will: Option<Publish>,
    filters: Vec<(String, QoS)>,
    /// Sent and not acknowledged, oldest first.
    in_flight: VecDeque<Publish>,
    /// Not sent yet.
    waiting: VecDeque<Publish>,
    last_id: u16,
}

impl Session {
    /// Adds a subscription, or changes its QoS.
    pub(crate) fn subscribe(&mut self, filter: &str, qos: QoS) {
        self.unsubscribe(filter);
        self.filters.push((filter.to_owned(), qos));
    }

    pub(crate) fn unsubscribe(&mut self, filter: &str) {
        self.filters.retain(|(old, _)| old != filter);
    }

    /// The best QoS with which this client wants that topic.
    pub(crate) fn wants(&self, topic: &str) -> Option<QoS> {
        let granted = self.filters.iter().filter(|(filter, _)| matches(topic, filter)).map(|(_, qos)| *qos);
        granted.reduce(|a, b| if a as u8 >= b as u8 { a } else { b })
    }

    /// Takes a QoS 1 publication for this client. False if the session is full.
    pub(crate) fn enqueue(&mut self, publish: Publish, limits: &Limits) -> bool {
        if self.in_flight.len() + self.waiting.len() >= limits.session {
            return false;
        }
        self.waiting.push_back(publish);
        true
    }

    /// The next publication that may be sent now.
    pub(crate) fn next_to_send(&mut self, limits: &Limits) -> Option<Packet> {
        if self.in_flight.len() >= limits.in_flight {
            return None;
        }
        let mut publish = self.waiting.pop_front()?;
        publish.pkid = self.free_id();
        self.in_flight.push_back(publish.clone());
        Some(Packet::Publish(publish))
    }

    /// The client has it. Acknowledgements of what was not sent are ignored.
    pub(crate) fn acknowledge(&mut self, id: u16) {
        if let Some(at) = self.in_flight.iter().position(|publish| publish.pkid == id) {
            self.in_flight.remove(at);
        }
    }

    /// The client is back: what it did not acknowledge is to be sent once more, in the old order, before the rest.
    pub(crate) fn resume(&mut self) {
        while let Some(mut publish) = self.in_flight.pop_back() {
            publish.dup = true;
            self.waiting.push_front(publish);
        }
    }

    fn free_id(&mut self) -> u16 {
        loop {
            self.last_id = self.last_id.checked_add(1).unwrap_or(1);
            if !self.in_flight.iter().any(|publish| publish.pkid == self.last_id) {
                return self.last_id;
            }
        }
    }
}
