//! The client's side of a connection, with an eye on what the broker has taken upon itself.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::time::Duration;

use rumqttc::{
    ConnectionError, Event, EventLoop, Incoming, MqttOptions, Outgoing, StateError, SubscribeReasonCode,
};
use tokio::time::Instant;

/// How long a broker may take to acknowledge. A node of a cluster without a quorum answers pings and acknowledges nothing, and
/// will not do so later either: it has to be asked again, on a new connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// The events of a client, of which a broker that does not do its part is lost like one that has gone.
pub struct Session {
    events: EventLoop,
    unacknowledged: Unacknowledged,
}

impl Session {
    /// The session of a client that has not connected yet.
    pub fn new(events: EventLoop) -> Session {
        Session { events, unacknowledged: Unacknowledged::default() }
    }

    /// What happens next. After an error the next call connects anew, and the client's publications that were not acknowledged
    /// are sent again. A poll must not be given up half-way.
    ///
    /// # Errors
    ///
    /// When the connection is lost or refused, when the broker refuses a subscription, and when it has not acknowledged in ten
    /// seconds what it has taken.
    pub async fn poll(&mut self) -> Result<Event, String> {
        // Pings go each few seconds whatever else does, so this is never late for long.
        let event = self.events.poll().await.map_err(|error| said(&error));
        let event = event.and_then(|event| self.unacknowledged.judge(&event, Instant::now()).map(|()| event));
        if event.is_err() {
            self.events.clean();
            self.unacknowledged = Unacknowledged::default();
        }
        event
    }

    /// From the next connection on it is made so.
    pub fn set_options(&mut self, options: MqttOptions) {
        self.events.mqtt_options = options;
    }
}

/// What a session says when the broker has ended it without a word.
pub const CLOSED: &str = "it has closed the connection";

/// Why there is no connection, for an operator.
fn said(error: &ConnectionError) -> String {
    match error {
        ConnectionError::ConnectionRefused(code) => format!("it refuses us: {code:?}"),
        // Some brokers say goodbye when they close a connection, which MQTT 3.1.1 has no packet for: the wrong one.
        ConnectionError::MqttState(StateError::ConnectionAborted | StateError::WrongPacket) => {
            CLOSED.to_owned()
        }
        ConnectionError::MqttState(StateError::Io(error)) if is_end(error.kind()) => CLOSED.to_owned(),
        error => error.to_string(),
    }
}

/// How a connection ends that was closed while something of ours was on its way.
fn is_end(kind: ErrorKind) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

/// What the broker has to acknowledge, by packet id, and since when.
#[derive(Default)]
struct Unacknowledged(BTreeMap<u16, Instant>);

impl Unacknowledged {
    fn judge(&mut self, event: &Event, now: Instant) -> Result<(), String> {
        match event {
            Event::Outgoing(Outgoing::Publish(id) | Outgoing::Subscribe(id)) if *id != 0 => {
                self.0.insert(*id, now);
            }
            Event::Incoming(Incoming::PubAck(ack)) => drop(self.0.remove(&ack.pkid)),
            Event::Incoming(Incoming::SubAck(ack)) => {
                self.0.remove(&ack.pkid);
                if ack.return_codes.contains(&SubscribeReasonCode::Failure) {
                    return Err("it refuses a subscription".to_owned());
                }
            }
            _ => {}
        }
        match self.0.values().min() {
            Some(oldest) if now.duration_since(*oldest) > PATIENCE => {
                Err(format!("it has not acknowledged for {} s", PATIENCE.as_secs()))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rumqttc::{PubAck, QoS, SubAck};

    use super::*;

    fn check(events: &[(u64, Event)], expected: Result<(), &str>) {
        let start = Instant::now();
        let mut unacknowledged = Unacknowledged::default();
        let mut judged = Ok(());
        for (second, event) in events {
            assert_eq!(judged, Ok(()), "before second {second} of {events:?}");
            judged = unacknowledged.judge(event, start + Duration::from_secs(*second));
        }
        assert_eq!(judged, expected.map_err(str::to_owned), "{events:?}");
    }

    #[test]
    fn an_operator_is_told_who_closed_a_connection() {
        let reset = StateError::Io(ErrorKind::ConnectionReset.into());
        for error in [StateError::ConnectionAborted, StateError::WrongPacket, reset] {
            assert_eq!(said(&ConnectionError::MqttState(error)), CLOSED);
        }
        assert_eq!(said(&ConnectionError::NetworkTimeout), "Network timeout");
    }

    #[test]
    fn a_broker_that_does_not_acknowledge_is_lost() {
        let publish = |id| Event::Outgoing(Outgoing::Publish(id));
        let subscribe = |id| Event::Outgoing(Outgoing::Subscribe(id));
        let acknowledged = |pkid| Event::Incoming(Incoming::PubAck(PubAck { pkid }));
        let subscribed = |pkid, code| Event::Incoming(Incoming::SubAck(SubAck::new(pkid, vec![code])));
        let ping = || Event::Outgoing(Outgoing::PingReq);
        let done = SubscribeReasonCode::Success(QoS::AtLeastOnce);
        let late = Err("it has not acknowledged for 10 s");
        check(&[(0, publish(1)), (9, acknowledged(1)), (60, ping())], Ok(()));
        check(&[(0, publish(1)), (10, ping()), (15, ping())], late);
        check(&[(0, publish(1)), (5, publish(2)), (8, acknowledged(1)), (13, ping())], Ok(()));
        check(&[(0, publish(1)), (5, publish(2)), (8, acknowledged(2)), (13, ping())], late);
        // QoS 0 is not acknowledged.
        check(&[(0, publish(0)), (60, ping())], Ok(()));
        check(&[(0, subscribe(1)), (1, subscribed(1, done)), (60, ping())], Ok(()));
        check(&[(0, subscribe(1)), (60, ping())], late);
        let refused = Err("it refuses a subscription");
        check(&[(0, subscribe(1)), (1, subscribed(1, SubscribeReasonCode::Failure))], refused);
    }
}
