//! The public feed over MQTT: what the public sees, as retained topics, each published when it changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee::Snapshot;
use referee::public::{Behind, Part, PublicClock, PublicGame, PublicPosition, PublicResult, PublicTopic};
use serde::Serialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use transport::MAX_PAYLOAD;

use crate::hub::{Audience, Hub, Notice, Relay};
use crate::link::Speaker;

/// Publishes until the link ends. A broker that comes back may have forgotten everything, so it is told everything.
pub(crate) async fn publish(hub: Arc<Hub>, speaker: Speaker) {
    let (_, mut ring) = hub.follow(Audience::Public, None);
    let mut said: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut changed: BTreeSet<String> = BTreeSet::new();
    loop {
        let first = ring.recv().await;
        note(&hub, first, &mut changed, &mut said);
        // What changes often is said once.
        while let Some(more) = next_now(&mut ring) {
            note(&hub, more, &mut changed, &mut said);
        }
        // What is said while nobody listens would only pile up; it is all said when the link is made.
        if hub.relay() == Relay::Lost {
            continue;
        }
        while let Some(id) = changed.pop_first() {
            for (topic, payload, means) in parts(&hub, &id) {
                if said.get(&topic) == Some(&means) {
                    continue;
                }
                if payload.len() > MAX_PAYLOAD {
                    tracing::warn!(topic, bytes = payload.len(), "too large to be published");
                } else if speaker.retain(topic.clone(), payload).await.is_err() {
                    return;
                }
                said.insert(topic, means);
            }
        }
    }
}

type Heard = Result<Arc<Notice>, RecvError>;

fn next_now(ring: &mut Receiver<Arc<Notice>>) -> Option<Heard> {
    match ring.try_recv() {
        Ok(notice) => Some(Ok(notice)),
        Err(TryRecvError::Lagged(count)) => Some(Err(RecvError::Lagged(count))),
        Err(TryRecvError::Empty | TryRecvError::Closed) => None,
    }
}

fn note(hub: &Hub, heard: Heard, changed: &mut BTreeSet<String>, said: &mut BTreeMap<String, Vec<u8>>) {
    match heard.as_deref() {
        Ok(Notice::Game { id, .. } | Notice::Gone { id, .. }) => drop(changed.insert(id.clone())),
        Ok(Notice::Relay) => {
            said.clear();
            changed.extend(hub.public_games());
        }
        // The ring belongs to the hub, which we hold; it is never closed.
        Err(RecvError::Lagged(_) | RecvError::Closed) => changed.extend(hub.public_games()),
    }
}

/// The topics of a game, each with its payload and with what it means: the payload without its place in the journal.
fn parts(hub: &Hub, id: &str) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let topic = |part| PublicTopic { game: id, part }.to_string();
    match hub.public_snapshot(id) {
        Some((snapshot, behind)) => {
            let timeless = Snapshot { seq: 0, ..snapshot.clone() };
            let both =
                |part| (topic(part), payload(part, &snapshot, behind), payload(part, &timeless, behind));
            Part::ALL.map(both).to_vec()
        }
        None => Part::ALL.map(|part| (topic(part), Vec::new(), Vec::new())).to_vec(),
    }
}

fn payload(part: Part, snapshot: &Snapshot, behind: Option<Behind>) -> Vec<u8> {
    match part {
        Part::Game => json(&PublicGame::of(snapshot, behind)),
        Part::Position => json(&PublicPosition::of(snapshot)),
        Part::Clock => json(&PublicClock::of(snapshot)),
        Part::Result => json(&PublicResult::of(snapshot)),
    }
}

/// Our own types have texts for keys, so they can always be written.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
