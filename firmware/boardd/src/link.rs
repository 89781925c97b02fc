//! The link to the broker. Nothing else in this crate knows which MQTT client it is.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use referee::relay::{Alarm, Answer, Refill, Rejection, SignedOrder, Status, Topic, is_id};
use rumqttc::{AsyncClient, ClientError, Event, LastWill, Outgoing, Packet, QoS};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use transport::{Brokers, CLOSED, STEADY, Session};

use crate::orders::{CheckedOrder, rejected};
use crate::{Alarms, Arbiters, Disk, Outbox, Publication, WINDOW};

/// What the client has done and we have not looked at: two for each publication on its way.
const WIRE_EVENTS: usize = 2 * WINDOW + 16;
/// How long a daemon that stops waits for the broker to take the rest.
const FAREWELL: Duration = Duration::from_secs(3);
/// How often the place in the journal is noted that need not be sent again.
const NOTE_EVERY: Duration = Duration::from_secs(5);
/// How often a board says that it is there, and its uptime: followers tell by it how old a line is.
const STATUS_EVERY: Duration = Duration::from_secs(20);
/// How long a board waits before it tries again to read its journal.
const READ_RETRY: Duration = Duration::from_secs(1);
/// The file that notes it.
pub const NOTE: &str = "relay-acknowledged";

/// What the client has done.
enum Wire {
    Connected,
    Sent(u16),
    Acknowledged(u16),
    Asked(Refill),
    Ordered(SignedOrder),
    Lost(String),
}

/// Why a connection has ended.
enum Ended {
    Lost(String),
    Stopped,
}

/// Which publication has which packet id: the client sends in the order in which it was asked.
#[derive(Default)]
struct Flow {
    queued: VecDeque<u64>,
    sent: BTreeMap<u16, u64>,
}

impl Flow {
    fn sent(&mut self, id: u16) {
        if let Some(token) = self.queued.pop_front() {
            self.sent.insert(id, token);
        }
    }

    fn acknowledged(&mut self, id: u16) -> Option<u64> {
        self.sent.remove(&id)
    }
}

/// How one connection stands.
#[derive(Default)]
struct Standing {
    flow: Flow,
    was_connected: bool,
    /// The last status is said, and nothing more is begun.
    leaving: bool,
    /// When it will have lasted, if those before it did not.
    steady_at: Option<Instant>,
    /// Since when the journal cannot be read.
    unread: Option<Instant>,
}

/// What keeps a board's publications going.
pub struct Link<D> {
    /// The board's id.
    pub board: String,
    /// The broker, or the nodes of a cluster.
    pub brokers: Brokers,
    /// What to publish.
    pub outbox: Outbox<D>,
    /// Where the note is kept.
    pub disk: D,
    /// Lines before this are on disk.
    pub end: watch::Receiver<u64>,
    /// Becomes true when nothing more will be written.
    pub stop: watch::Receiver<bool>,
    /// What is wrong with the board.
    pub alarms: Alarms,
    /// The board's uptime, in microseconds.
    pub uptime_us: Arc<AtomicU64>,
    /// Whose orders are passed on.
    pub arbiters: Arbiters,
    /// Where orders go that have been checked.
    pub orders: SyncSender<CheckedOrder>,
    /// Answers to orders that the game did not take.
    pub returned: mpsc::Receiver<Answer>,
}

/// The place in the journal before which everything had been acknowledged when it was last noted.
pub fn noted(disk: &impl Disk) -> u64 {
    let note = disk.read_at(NOTE, 0, 32).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    note.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// The journal ends before lines that had been acknowledged: others will have their numbers.
pub(crate) fn lower_note(disk: &impl Disk, end: u64) -> io::Result<()> {
    if noted(disk) > end { disk.replace(NOTE, end.to_string().as_bytes()) } else { Ok(()) }
}

/// What was complained of, so that it is said once.
#[derive(Default)]
struct Complaints {
    /// That there is no broker.
    outage: bool,
    /// That connections do not last.
    struggle: bool,
    /// That the place cannot be noted.
    note: bool,
}

impl<D: Disk> Link<D> {
    /// Publishes until it is told to stop, across any number of connections.
    pub async fn run(mut self) {
        let mut complaints = Complaints::default();
        loop {
            let (client, session) = self.connect();
            let (sender, wire) = mpsc::channel(WIRE_EVENTS);
            let polling = tokio::spawn(poll(session, sender));
            let (ended, was_connected) = self.connection(&client, wire, &mut complaints).await;
            polling.abort();
            self.outbox.disconnected();
            self.note(&mut complaints);
            let Ended::Lost(why) = ended else { return };
            let broker = self.brokers.to_string();
            let pause = self.brokers.lost();
            if self.brokers.is_struggling() && why == CLOSED {
                self.struggles(&broker, &mut complaints);
            } else {
                complaints.outage &= !was_connected;
                if !std::mem::replace(&mut complaints.outage, true) {
                    tracing::warn!(broker, why, "no broker; the board plays on");
                }
            }
            let stopped = timeout(pause, self.stop.wait_for(|stop| *stop)).await.is_ok();
            if stopped {
                return;
            }
        }
    }

    /// The broker has closed connection after connection.
    fn struggles(&self, broker: &str, complaints: &mut Complaints) {
        let alarm = Alarm::IdTaken { client: self.board.clone() };
        if !std::mem::replace(&mut complaints.struggle, true) {
            tracing::error!(
                broker,
                "{alarm} A guess, because the broker closes every connection at once; it says no reason"
            );
        }
        self.alarms.raise(alarm);
    }

    fn connect(&self) -> (AsyncClient, Session) {
        let mut options = self.brokers.options(&format!("board-{}", self.board));
        options.set_inflight(2 * WINDOW as u16);
        options.set_last_will(self.will());
        let (client, events) = AsyncClient::new(options, WINDOW + 8);
        (client, Session::new(events))
    }

    fn will(&self) -> LastWill {
        let topic = Topic::Status { board: &self.board }.to_string();
        let payload = serde_json::to_vec(&Status::new(&self.board, false)).unwrap_or_default();
        LastWill::new(topic, payload, QoS::AtLeastOnce, true)
    }

    fn uptime_us(&self) -> u64 {
        self.uptime_us.load(Ordering::Relaxed)
    }

    /// One connection, until it is lost or we are told to stop and the broker has the rest; and whether there was one.
    async fn connection(
        &mut self,
        client: &AsyncClient,
        mut wire: mpsc::Receiver<Wire>,
        complaints: &mut Complaints,
    ) -> (Ended, bool) {
        let mut alarms = self.alarms.watch();
        alarms.mark_changed();
        let mut stand = Standing::default();
        let mut note = tokio::time::interval(NOTE_EVERY);
        let mut status = tokio::time::interval_at(Instant::now() + STATUS_EVERY, STATUS_EVERY);
        let mut leave_by = None;
        loop {
            let end = *self.end.borrow_and_update();
            let unread = match self.send(client, end, &mut stand) {
                Ok(unread) => unread,
                Err(why) => return (Ended::Lost(why.to_string()), stand.was_connected),
            };
            let stopping = *self.stop.borrow();
            if stand.leaving && self.outbox.in_flight() == 0 {
                // The client says goodbye while it is polled.
                let _ = client.try_disconnect();
                let _ = timeout(Duration::from_millis(200), wire.recv()).await;
                return (Ended::Stopped, stand.was_connected);
            }
            if stopping {
                leave_by.get_or_insert(Instant::now() + FAREWELL);
                if !stand.leaving && self.outbox.is_idle(end) {
                    stand.leaving = true;
                    self.outbox.say_status(false, self.uptime_us());
                    continue;
                }
            }
            tokio::select! {
                event = wire.recv() => {
                    if let Err(why) = self.take(event, client, &mut stand, complaints.struggle) {
                        return (Ended::Lost(why), stand.was_connected);
                    }
                }
                Some(answer) = self.returned.recv() => self.outbox.answer(answer),
                // An error means that the daemon has gone, which `stop` says too.
                _ = self.end.changed(), if !stopping => {}
                _ = self.stop.changed(), if !stopping => {}
                _ = alarms.changed(), if !stopping => {
                    let all = alarms.borrow_and_update().clone();
                    self.outbox.set_alarms(all, self.uptime_us());
                }
                () = sleep_until(stand.steady_at.unwrap_or_else(Instant::now)), if stand.steady_at.is_some() => {
                    stand.steady_at = None;
                    self.is_steady(complaints);
                }
                () = sleep(READ_RETRY), if unread => {}
                _ = note.tick() => self.note(complaints),
                _ = status.tick(), if stand.was_connected && !stand.leaving => {
                    self.outbox.say_status(true, self.uptime_us());
                }
                () = sleep_until(leave_by.unwrap_or_else(Instant::now)), if stopping => {
                    return (Ended::Stopped, stand.was_connected);
                }
            }
        }
    }

    /// The client has done something. Fails when the connection is at its end.
    fn take(
        &mut self,
        event: Option<Wire>,
        client: &AsyncClient,
        stand: &mut Standing,
        struggles: bool,
    ) -> Result<(), String> {
        match event {
            Some(Wire::Connected) => {
                stand.was_connected = true;
                self.brokers.connected();
                if struggles {
                    stand.steady_at = Some(Instant::now() + STEADY);
                } else {
                    tracing::info!(broker = %self.brokers, "connected");
                }
                self.outbox.connected(self.uptime_us());
                self.subscribe(client).map_err(|error| error.to_string())?;
            }
            Some(Wire::Asked(_)) if stand.leaving => {}
            Some(Wire::Asked(request)) => self.outbox.refill(request, self.uptime_us()),
            Some(Wire::Ordered(signed)) => self.ordered(signed),
            Some(Wire::Sent(id)) => stand.flow.sent(id),
            Some(Wire::Acknowledged(id)) => {
                if let Some(token) = stand.flow.acknowledged(id) {
                    self.outbox.acknowledge(token);
                }
            }
            Some(Wire::Lost(why)) => return Err(why),
            None => return Err("the client has ended".to_owned()),
        }
        Ok(())
    }

    /// A connection lasts, after others that did not.
    fn is_steady(&self, complaints: &mut Complaints) {
        complaints.struggle = false;
        self.alarms.lift(|alarm| matches!(alarm, Alarm::IdTaken { .. }));
        tracing::warn!(broker = %self.brokers, "connected, and stays connected");
    }

    fn subscribe(&self, client: &AsyncClient) -> Result<(), rumqttc::ClientError> {
        let board = &self.board;
        for topic in [Topic::Refill { board }, Topic::Order { board }] {
            client.try_subscribe(topic.to_string(), QoS::AtLeastOnce)?;
        }
        Ok(())
    }

    /// Passes an order on, if its sender may give it.
    fn ordered(&mut self, signed: SignedOrder) {
        let key = signed.key.clone();
        // Who is not listened to is told so where his order can be named; nothing of it gets into the journal.
        let named = named(&signed);
        let passed_on = self.arbiters.check(&self.board, &signed).and_then(|body| {
            let id = body.id.clone();
            let order = CheckedOrder { signed, body };
            self.orders.try_send(order).map(|()| id).map_err(|_| Rejection::TooMany)
        });
        match (passed_on, named) {
            (Ok(id), _) => self.outbox.expect_answer(&id),
            (Err(why), Some((id, kind))) => self.outbox.answer(rejected(&self.board, &id, &kind, why)),
            (Err(why), None) => {
                tracing::warn!(board = self.board, key, "an order without an id was refused: {why}");
            }
        }
    }

    /// Hands the client whatever may be sent now. Gives whether there is more that cannot be read.
    fn send(&mut self, client: &AsyncClient, end: u64, stand: &mut Standing) -> Result<bool, ClientError> {
        loop {
            let publication = match self.outbox.poll(end) {
                Ok(Some(publication)) => publication,
                Ok(None) => {
                    stand.unread = None;
                    let is_read = self.outbox.in_flight() < WINDOW;
                    if is_read && self.alarms.lift(|alarm| matches!(alarm, Alarm::JournalUnreadable { .. })) {
                        tracing::warn!("the journal can be read again");
                    }
                    return Ok(false);
                }
                Err(error) => {
                    // Of a disk that takes nothing either, the writer tells, which looks twice as often.
                    let since = *stand.unread.get_or_insert_with(Instant::now);
                    if since.elapsed() < READ_RETRY || self.alarms.tell_of_disk() {
                        return Ok(true);
                    }
                    let alarm = Alarm::JournalUnreadable { detail: error.to_string() };
                    if self.alarms.raise(alarm.clone()) {
                        tracing::error!("{alarm}");
                    }
                    return Ok(true);
                }
            };
            stand.flow.queued.push_back(publication.token);
            let Publication { topic, payload, retain, .. } = publication;
            client.try_publish(topic, QoS::AtLeastOnce, retain, payload)?;
        }
    }

    /// Notes the place that need not be sent again. Losing the note costs repetitions, which change nothing.
    fn note(&self, complaints: &mut Complaints) {
        let place = self.outbox.acknowledged_end();
        let noted = self.disk.replace(NOTE, place.to_string().as_bytes());
        let failed_before = std::mem::replace(&mut complaints.note, noted.is_err());
        match noted {
            Err(error) if !failed_before => tracing::warn!(%error, "cannot note what the broker has"),
            Ok(()) if failed_before => tracing::warn!("what the broker has is noted again"),
            _ => {}
        }
    }
}

/// Polls one connection until it is lost. On its own task, because a poll must not be given up half-way.
async fn poll(mut session: Session, wire: mpsc::Sender<Wire>) {
    loop {
        let event = match session.poll().await {
            Ok(Event::Incoming(Packet::ConnAck(_))) => Wire::Connected,
            Ok(Event::Outgoing(Outgoing::Publish(id))) => Wire::Sent(id),
            Ok(Event::Incoming(Packet::PubAck(ack))) => Wire::Acknowledged(ack.pkid),
            Ok(Event::Incoming(Packet::Publish(publish))) => match read(&publish.topic, &publish.payload) {
                Some(asked) => asked,
                None => continue,
            },
            Ok(_) => continue,
            Err(why) => {
                let _ = wire.send(Wire::Lost(why)).await;
                return;
            }
        };
        if wire.send(event).await.is_err() {
            return;
        }
    }
}

/// What somebody wants of us. What is nothing that we know is ignored; of an order the log says so.
fn read(topic: &str, payload: &[u8]) -> Option<Wire> {
    match Topic::parse(topic)? {
        Topic::Refill { .. } => serde_json::from_slice(payload).ok().map(Wire::Asked),
        Topic::Order { board } => {
            let short = Some(payload).filter(|payload| payload.len() <= SignedOrder::MOST_BYTES);
            let signed = short.and_then(|payload| serde_json::from_slice::<SignedOrder>(payload).ok());
            let signed = signed.filter(|signed| signed.v == SignedOrder::VERSION);
            if signed.is_none() {
                tracing::warn!(
                    board,
                    bytes = payload.len(),
                    "an order was refused: too long, or no signed order"
                );
            }
            signed.map(Wire::Ordered)
        }
        _ => None,
    }
}

/// The id and the kind that an order gives itself, whoever sent it; the kind is a question mark where it is no word.
fn named(signed: &SignedOrder) -> Option<(String, String)> {
    #[derive(serde::Deserialize)]
    struct Named {
        id: String,
        #[serde(default)]
        order: serde_json::Value,
    }
    let Named { id, order } = serde_json::from_str(&signed.body).ok()?;
    let kind = order["command"].as_str().filter(|kind| is_id(kind)).unwrap_or("?");
    is_id(&id).then(|| (id, kind.to_owned()))
}
