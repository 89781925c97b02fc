//! The seam to the MQTT client. Nothing else in this crate knows which client it is.

use referee::relay::{ALL_BOARDS, Refill, Topic};
use rumqttc::{AsyncClient, Event, Packet, QoS};
use tokio::sync::mpsc;
use transport::{Brokers, Session};

use crate::hub::Message;
use crate::new_order_id;

/// Requests of ours that wait for the client's loop: a refill of each board of a hall, and a window of the public feed.
const REQUESTS: usize = 256;
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

/// A link to the brokers that is not made yet.
pub(crate) struct Link {
    brokers: Brokers,
    /// Nobody else's, so that two venues can follow one broker.
    name: String,
    client: AsyncClient,
    session: Session,
}

impl Link {
    pub(crate) fn new(brokers: Brokers) -> Link {
        let name = format!("venue-{}", new_order_id());
        let (client, events) = AsyncClient::new(brokers.options(&name), REQUESTS);
        Link { brokers, name, client, session: Session::new(events) }
    }

    /// What is said over it once it is made.
    pub(crate) fn speaker(&self) -> Speaker {
        Speaker(self.client.clone())
    }

    /// Follows the boards for ever: every publication and every change of the link goes to `inbox`.
    pub(crate) async fn follow(mut self, inbox: mpsc::Sender<Message>) {
        let mut linked = false;
        loop {
            let message = match self.session.poll().await {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    self.brokers.connected();
                    if let Err(error) = self.client.try_subscribe(ALL_BOARDS, QoS::AtLeastOnce) {
                        tracing::warn!("cannot subscribe: {error}");
                    }
                    continue;
                }
                Ok(Event::Incoming(Packet::SubAck(_))) => {
                    linked = true;
                    tracing::info!("following {}", self.brokers);
                    Message::Linked
                }
                Ok(Event::Incoming(Packet::Publish(publish))) => {
                    let payload = publish.payload.to_vec();
                    Message::Published { topic: publish.topic, payload, retained: publish.retain }
                }
                Ok(_) => continue,
                Err(why) => {
                    if linked {
                        tracing::warn!("broker {} lost: {why}", self.brokers);
                    }
                    let was_linked = std::mem::replace(&mut linked, false);
                    if was_linked && inbox.send(Message::Lost).await.is_err() {
                        return;
                    }
                    tokio::time::sleep(self.brokers.lost()).await;
                    self.session.set_options(self.brokers.options(&self.name));
                    continue;
                }
            };
            if inbox.send(message).await.is_err() {
                return;
            }
        }
    }
}
