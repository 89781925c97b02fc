//! The seam to the MQTT client. Nothing else in this crate knows which client it is.

use std::time::Duration;

use referee::relay::ALL_BOARDS;
use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS};
use tokio::sync::mpsc;

use crate::config::Broker;
use crate::hub::{Message, now_utc_ms};

/// The largest message: a snapshot of a game of two thousand plies is a fifth of it.
const MAX_PACKET: usize = 1024 * 1024;
/// Requests of ours that wait for the client's loop; we only ever subscribe.
const REQUESTS: usize = 8;
/// Silence after which the client asks whether the broker is there.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
const FIRST_RETRY: Duration = Duration::from_millis(200);
const LAST_RETRY: Duration = Duration::from_secs(3);

/// Follows the broker for ever: every publication and every change of the link goes to `inbox`.
pub(crate) async fn follow(broker: Broker, inbox: mpsc::Sender<Message>) {
    let (client, mut events) = connect(&broker);
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
                Message::Published { topic: publish.topic, payload: publish.payload.to_vec() }
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
