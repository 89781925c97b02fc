//! Orders on their way to boards: signed, sent, and waited for.
//!
//! The desk has a connection of its own. An order is sent again until its board answers; a board carries out each id once,
//! so sending again is safe, through a broker or a board that restarts as well.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use referee::Order;
use referee::relay::{ALL_ANSWERS, ALL_STATUSES, Answer, OrderBody, SignedOrder, Status, Topic};
use rumqttc::{AsyncClient, Event, Packet, QoS};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use transport::{Brokers, Session};

use crate::OrderKey;

/// How long an answer is waited for before the order is sent again.
const RESEND: Duration = Duration::from_secs(2);
/// Boards whose statuses are kept.
const BOARDS: usize = 10_000;
/// Orders that may be on their way at once; far more than arbiters give.
const MOST: usize = 256;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The broker is not there or does not take us. The order did not leave.
    NoBroker(String),
    /// The board did not answer in time. It may have carried the order out, or may yet: sending the same order with the same
    /// id again tells.
    Silence,
    /// Too many orders wait.
    TooMany,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::NoBroker(why) => write!(f, "no broker: {why}"),
            NoAnswer::Silence => f.write_str("the board does not answer"),
            NoAnswer::TooMany => f.write_str("too many orders wait for their answers"),
        }
    }
}

impl std::error::Error for NoAnswer {}

/// An order on its way, and where its answer goes.
type Waiting = BTreeMap<String, (String, oneshot::Sender<Answer>)>;

#[derive(Default)]
struct State {
    waiting: Waiting,
    statuses: BTreeMap<String, Status>,
}

/// Whether the broker has taken us and our subscriptions; else why not.
type Linked = Result<(), String>;

/// Gives orders to boards and waits for what became of them. Dropping it closes its connection.
pub struct OrderDesk {
    key: OrderKey,
    client: AsyncClient,
    state: Arc<Mutex<State>>,
    linked: watch::Receiver<Linked>,
    following: JoinHandle<()>,
}

/// The secret does not belong in logs.
impl fmt::Debug for OrderDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrderDesk").field("key", &self.key).finish_non_exhaustive()
    }
}

impl Drop for OrderDesk {
    fn drop(&mut self) {
        self.following.abort();
    }
}

/// An id for an order that nobody else uses.
pub fn new_order_id() -> String {
    let mut bytes = [0; 16];
    // Without random bytes the time and the process have to do; an id need not be secret.
    if getrandom::fill(&mut bytes).is_err() {
        bytes[..8].copy_from_slice(&crate::hub::now_utc_ms().to_be_bytes());
        bytes[8..12].copy_from_slice(&std::process::id().to_be_bytes());
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl OrderDesk {
    /// Opens the desk. It connects by itself, and again when the connection is lost. Must be called within a tokio runtime.
    pub fn open(brokers: Brokers, key: OrderKey) -> OrderDesk {
        let name = format!("orders-{}", new_order_id());
        let (client, events) = AsyncClient::new(brokers.options(&name), MOST);
        let state = Arc::new(Mutex::new(State::default()));
        let (link, linked) = watch::channel(Err("no answer".to_owned()));
        let session = Session::new(events);
        let following =
            tokio::spawn(follow(brokers, name, client.clone(), session, Arc::clone(&state), link));
        OrderDesk { key, client, state, linked, following }
    }

    /// Whose key the desk signs with.
    pub fn key(&self) -> &OrderKey {
        &self.key
    }

    /// Orders something of the game at a board, and waits at most `patience` for what became of it. `order.name` is the
    /// arbiter's: the key's owner, or whoever is logged in where the key is a hall server's. `id` names the order, see
    /// [`new_order_id`]; the same id again asks for the same answer.
    ///
    /// # Errors
    ///
    /// When nobody has said what became of the order.
    pub async fn give(
        &self,
        id: &str,
        board: &str,
        game: &str,
        order: Order,
        patience: Duration,
    ) -> Result<Answer, NoAnswer> {
        let body = OrderBody { id: id.to_owned(), board: board.to_owned(), game: game.to_owned(), order };
        let signed = SignedOrder::sign(&self.key.key, &self.key.secret, json(&body));
        let answer = self.wait_for(id, board)?;
        let sending = self.send(board, json(&signed));
        let answered = timeout(patience, async {
            tokio::select! {
                answer = answer => answer.map_err(|_| NoAnswer::Silence),
                never = sending => match never {},
            }
        });
        let answered = answered.await;
        lock(&self.state).waiting.remove(id);
        answered.unwrap_or_else(|_| Err(self.why_silent()))
    }

    fn wait_for(&self, id: &str, board: &str) -> Result<oneshot::Receiver<Answer>, NoAnswer> {
        let mut state = lock(&self.state);
        if state.waiting.len() >= MOST {
            return Err(NoAnswer::TooMany);
        }
        let (sender, answer) = oneshot::channel();
        state.waiting.insert(id.to_owned(), (board.to_owned(), sender));
        Ok(answer)
    }

    /// Sends it again and again.
    async fn send(&self, board: &str, payload: String) -> std::convert::Infallible {
        let topic = Topic::Order { board }.to_string();
        let mut linked = self.linked.clone();
        loop {
            // Not before our subscription stands, or the answer would pass us by.
            if linked.wait_for(Result::is_ok).await.is_err() {
                std::future::pending::<()>().await;
            }
            // A full client has more to send than it can: the next round tries again.
            let _ = self.client.try_publish(&topic, QoS::AtLeastOnce, false, payload.clone());
            sleep(RESEND).await;
        }
    }

    fn why_silent(&self) -> NoAnswer {
        match &*self.linked.borrow() {
            Ok(()) => NoAnswer::Silence,
            Err(why) => NoAnswer::NoBroker(why.clone()),
        }
    }

    /// What the board says of itself, waited for at most `patience`: whether it is there, and which game is on it.
    ///
    /// # Errors
    ///
    /// When it says nothing.
    pub async fn status(&self, board: &str, patience: Duration) -> Result<Status, NoAnswer> {
        let asked = async {
            loop {
                if let Some(status) = lock(&self.state).statuses.get(board) {
                    return status.clone();
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(patience, asked).await.map_err(|_| self.why_silent())
    }
}

// A panic while the lock is held would be a defect of ours; the data behind it is still whole.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Our own types have texts for keys, so they can always be written.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

async fn follow(
    mut brokers: Brokers,
    name: String,
    client: AsyncClient,
    mut session: Session,
    state: Arc<Mutex<State>>,
    link: watch::Sender<Linked>,
) {
    let mut confirmed = 0;
    loop {
        match session.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                confirmed = 0;
                brokers.connected();
                for filter in [ALL_STATUSES, ALL_ANSWERS] {
                    if let Err(error) = client.try_subscribe(filter, QoS::AtLeastOnce) {
                        tracing::warn!("cannot subscribe: {error}");
                    }
                }
            }
            Ok(Event::Incoming(Packet::SubAck(_))) => {
                confirmed += 1;
                if confirmed == 2 {
                    link.send_modify(|linked| *linked = Ok(()));
                }
            }
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                take(&mut lock(&state), &publish.topic, &publish.payload);
            }
            Ok(_) => {}
            Err(why) => {
                link.send_modify(|linked| *linked = Err(why));
                sleep(brokers.lost()).await;
                session.set_options(brokers.options(&name));
            }
        }
    }
}

/// What is no answer or status that we know is ignored.
fn take(state: &mut State, topic: &str, payload: &[u8]) {
    match Topic::parse(topic) {
        Some(Topic::Answer { board }) => {
            let Ok(answer) = serde_json::from_slice::<Answer>(payload) else { return };
            let is_ours = state.waiting.get(&answer.id).is_some_and(|(of, _)| of == board);
            if answer.v == Answer::VERSION
                && is_ours
                && let Some((_, waits)) = state.waiting.remove(&answer.id)
            {
                // Whoever waited has gone if this fails.
                let _ = waits.send(answer);
            }
        }
        Some(Topic::Status { board }) => {
            let has_room = state.statuses.len() < BOARDS || state.statuses.contains_key(board);
            if let Ok(status) = serde_json::from_slice::<Status>(payload)
                && status.v == Status::VERSION
                && has_room
            {
                state.statuses.insert(board.to_owned(), status);
            }
        }
        _ => {}
    }
}
