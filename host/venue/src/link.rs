//! The seam to the MQTT client. Nothing else in this crate knows which client it is.

use std::time::Duration;

use referee::relay::{ALL_BOARDS, Refill, Topic};
use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS};
use tokio::sync::mpsc;

use crate::config::Broker;
use crate::hub::{Message, now_utc_ms};

/// The largest message: a snapshot of a game of two thousand plies is a fifth of it.
const MAX_PACKET: usize = 1024 * 1024;
/// Requests of ours that wait for the client's loop: a refill of each board of a hall, and a window of the public feed.
const REQUESTS: usize = 256;
/// Silence after which the client asks whether the broker is there.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
const FIRST_RETRY: Duration = Duration::from_millis(200);
const LAST_RETRY: Duration = Duration::from_secs(3);

/// What the venue says to the broker.
#[derive(Clone)]
pub(crate) struct Speaker(AsyncClient);

impl Speaker {
    /// Asks a board for lines that never came. A request that is lost is made again.
    pub(crate) fn ask(&self, board: &str, from: u64, to: u64) {
        let request = Refill { v: Refill::VERSION, from, to };
        let payload = serde_json::to_vec(&request).unwrap_or_default();
        let _ = self.0.try_publish(Topic::Refill { board }.to_string(), QoS::AtLeastOnce, false, payload);
    }

    /// Publishes for good; waits while too much is on its way. An error means that the link has ended.
    pub(crate) async fn retain(&self, topic: String, payload: Vec<u8>) -> Result<(), ()> {
        self.0.publish(topic, QoS::AtLeastOnce, true, payload).await.map_err(drop)
    }
}

/// A link that is not made yet, and what is said over it once it is.
pub(crate) fn new(broker: &Broker) -> (Speaker, EventLoop) {
    let (client, events) = connect(broker);
    (Speaker(client), events)
}

/// Follows the broker for ever: every publication and every change of the link goes to `inbox`.
pub(crate) async fn follow(
    broker: Broker,
    Speaker(client): Speaker,
    mut events: EventLoop,
    inbox: mpsc::Sender<Message>,
) {
    let mut retry = FIRST_RETRY;
    let mut linked = false;
    loop {
        let message = match events.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                retry = FIRST_RETRY;
                if let Err(error) = client.try_subscribe(ALL_BOARDS, QoS::AtLeastOnce) {
                    tracing::warn!("cannot subscribe: {error}");
                }
                continue;
            }
            Ok(Event::Incoming(Packet::SubAck(_))) => {
                linked = true;
                tracing::info!("following {}:{}", broker.host, broker.port);
                Message::Linked
            }
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                let payload = publish.payload.to_vec();
                Message::Published { topic: publish.topic, payload, retained: publish.retain }
            }
            Ok(_) => continue,
            Err(error) => {
                if linked {
                    tracing::warn!("broker {}:{} lost: {error}", broker.host, broker.port);
                }
                let was_linked = std::mem::replace(&mut linked, false);
                if was_linked && inbox.send(Message::Lost).await.is_err() {
                    return;
                }
                tokio::time::sleep(retry).await;
                retry = (retry * 2).min(LAST_RETRY);
                continue;
            }
        };
        if inbox.send(message).await.is_err() {
            return;
        }
    }
}

// A clean session: everything that we need is retained, and a venue that starts again must not depend on what a broker
// remembers of the one before. The id is unique, so that two venues can follow one broker.
fn connect(broker: &Broker) -> (AsyncClient, EventLoop) {
    let id = format!("luozi-venue-{}-{}", std::process::id(), now_utc_ms());
    let mut options = MqttOptions::new(id, &broker.host, broker.port);
    options.set_keep_alive(KEEP_ALIVE);
    options.set_clean_session(true);
    options.set_max_packet_size(MAX_PACKET, MAX_PACKET);
    if let Some((user, password)) = &broker.credentials {
        options.set_credentials(user, password);
    }
    AsyncClient::new(options, REQUESTS)
}
