//! What to publish next: the journal, in order, and what follows from it.
//!
//! The outbox reads lines that are on disk and never holds more than a window of them: after an outage it goes on from
//! the journal, by place, however long the outage was. It folds the same lines into the retained snapshot. A broker that
//! we come back to may have lost what it acknowledged (its retained messages, its subscribers' sessions), so after every
//! connection the status, the snapshot and the lines of the running game are sent again; followers know lines by their
//! `seq`, so a repeated one changes nothing. A follower that sees a gap asks, and the lines that it names are sent once
//! more when nothing new waits.

use std::collections::{BTreeMap, VecDeque};
use std::io;

use referee::relay::{Alarm, Answer, Refill, Status, Topic};
use referee::{Line, Record, Snapshot};
use transport::MAX_PAYLOAD;

use crate::orders::Answers;
use crate::{Disk, Reader};

/// How many publications may wait for their acknowledgement. Together they hold less than a megabyte.
pub const WINDOW: usize = 64;

/// How many requests for missed lines may wait. One more and the oldest is dropped: its follower asks again.
const REFILLS: usize = 16;

/// How many orders may wait for their answers, and how many answers to be sent. One more and the oldest is dropped: whoever gave that order gives it
/// again.
const ANSWERS: usize = 64;

/// A message for the broker, at QoS 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Names it when it is acknowledged.
    pub token: u64,
    /// The topic.
    pub topic: String,
    /// The payload.
    pub payload: String,
    /// Whether the broker keeps it for later subscribers.
    pub retain: bool,
}

/// Where a board's publications stand. No clock, no network.
///
/// # Contract
/// 1. [`connected`](Outbox::connected) when the broker has taken us, [`disconnected`](Outbox::disconnected) when it has
///    gone; [`acknowledged`](Outbox::acknowledged) for each token that it acknowledged in between.
/// 2. Call [`poll`](Outbox::poll) after each of these, and when the journal has grown, until there is nothing.
#[derive(Debug)]
pub struct Outbox<D> {
    board: String,
    reader: Reader<D>,
    connected: bool,
    next_token: u64,
    /// What each publication on its way ends with: a line, if it is one.
    in_flight: BTreeMap<u64, Option<u64>>,
    /// Statuses to be sent before anything else: topic and payload. One for the connection, one for each game that began since.
    statuses: VecDeque<(String, String)>,
    key: Option<String>,
    alarms: Vec<Alarm>,
    /// The uptime that was said last, in microseconds.
    us: u64,
    /// Every line before this one has been acknowledged.
    acknowledged: u64,
    /// The game that the lines before `folded` tell, and whether its snapshot has to be sent.
    snapshot: Option<Snapshot>,
    snapshot_is_new: bool,
    snapshot_in_flight: Option<u64>,
    folded: u64,
    game_began: u64,
    /// Lines that followers have missed: the next one, and where to stop.
    refills: VecDeque<(u64, u64)>,
    refiller: Reader<D>,
    /// What became of the orders of the running game, as far as the lines are folded.
    answers: Answers,
    /// Orders that wait for their answer.
    asked: VecDeque<String>,
    /// Answers that wait to be sent.
    ready: VecDeque<Answer>,
}

impl<D: Disk> Outbox<D> {
    /// The outbox of `board`. Every line before `acknowledged` had been acknowledged; the last game began at line
    /// `game_began`, or there was none yet.
    pub fn new(board: &str, disk: D, acknowledged: u64, game_began: Option<u64>) -> Outbox<D> {
        let from = game_began.map_or(acknowledged, |began| began.min(acknowledged));
        Outbox {
            board: board.to_owned(),
            reader: Reader::new(disk.clone(), from),
            refills: VecDeque::new(),
            refiller: Reader::new(disk, from),
            connected: false,
            next_token: 0,
            in_flight: BTreeMap::new(),
            statuses: VecDeque::new(),
            key: None,
            alarms: Vec::new(),
            us: 0,
            acknowledged: from,
            snapshot: None,
            snapshot_is_new: false,
            snapshot_in_flight: None,
            folded: from,
            game_began: from,
            answers: Answers::new(board),
            asked: VecDeque::new(),
            ready: VecDeque::new(),
        }
    }

    /// Every line before this one has been acknowledged by a broker.
    pub fn acknowledged_end(&self) -> u64 {
        self.acknowledged
    }

    /// How many publications wait for their acknowledgement.
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// The broker has taken us, at `us` microseconds of the board's uptime.
    pub fn connected(&mut self, us: u64) {
        self.disconnected();
        self.connected = true;
        self.say_status(true, us);
        let from = self.game_began.min(self.acknowledged);
        self.acknowledged = from;
        self.reader.seek(from);
        self.snapshot_is_new = self.snapshot.is_some();
    }

    /// The broker has gone. What it had not acknowledged is sent again on the next connection.
    pub fn disconnected(&mut self) {
        self.connected = false;
        self.in_flight.clear();
        self.statuses.clear();
        self.refills.clear();
        self.snapshot_in_flight = None;
    }

    /// The broker has acknowledged a publication.
    pub fn acknowledge(&mut self, token: u64) {
        if self.in_flight.remove(&token).is_none() {
            return;
        }
        if self.snapshot_in_flight == Some(token) {
            self.snapshot_in_flight = None;
        }
        let oldest_line = self.in_flight.values().flatten().min();
        self.acknowledged = oldest_line.copied().unwrap_or_else(|| self.reader.next_seq());
    }

    /// The public key with which the journal is signed, for every status.
    pub fn set_key(&mut self, key: Option<String>) {
        self.key = key;
    }

    /// What is wrong with the board; said at once, at `us` microseconds of its uptime.
    pub fn set_alarms(&mut self, alarms: Vec<Alarm>, us: u64) {
        self.alarms = alarms;
        if self.connected {
            self.say_status(true, us);
        }
    }

    /// Says whether the board is there; as the last thing before it goes, that it is not.
    pub fn say_status(&mut self, online: bool, us: u64) {
        let game = self.snapshot.as_ref().map(|snapshot| snapshot.game.clone());
        // A game that is gone on with began long ago. To followers an uptime that falls is another journal.
        self.us = self.us.max(us);
        let us = self.us;
        let status = Status { game, us, key: self.key.clone(), ..Status::new(&self.board, online) };
        let status = status.with_alarms(if online { &self.alarms } else { &[] });
        // While they wait, the last one says it all.
        self.statuses.truncate(1);
        self.statuses.push_back((Topic::Status { board: &self.board }.to_string(), json(&status)));
    }

    /// A follower has missed lines, as it says at `us` microseconds of the board's uptime. It may have come a moment ago:
    /// the uptime is said first, by which it tells how old lines are.
    pub fn refill(&mut self, request: Refill, us: u64) {
        let Refill { from, to, .. } = request;
        let to = to.min(from.saturating_add(Refill::MOST));
        if request.v != Refill::VERSION || from >= to {
            return;
        }
        if self.refills.len() == REFILLS {
            self.refills.pop_front();
        }
        self.refills.push_back((from, to));
        if self.connected {
            self.say_status(true, us);
        }
    }

    /// An order has come, and its answer is due as soon as its lines are on disk: at once, if it has come before.
    pub fn expect_answer(&mut self, order: &str) {
        match self.answers.get(order) {
            Some(answer) => self.answer(answer.clone()),
            None => {
                if self.asked.len() == ANSWERS {
                    self.asked.pop_front();
                }
                self.asked.push_back(order.to_owned());
            }
        }
    }

    /// Answers an order.
    pub fn answer(&mut self, answer: Answer) {
        self.asked.retain(|id| *id != answer.id);
        if self.ready.len() == ANSWERS {
            self.ready.pop_front();
        }
        self.ready.push_back(answer);
    }

    /// Whether everything before `end` has been acknowledged, and the snapshot too.
    pub fn is_idle(&self, end: u64) -> bool {
        self.in_flight.is_empty()
            && self.statuses.is_empty()
            && self.ready.is_empty()
            && self.acknowledged >= end
            && !self.snapshot_is_new
    }

    /// The next publication, if one may be sent now. Lines before `end` are on disk.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read. Nothing is lost: the next call tries again.
    pub fn poll(&mut self, end: u64) -> io::Result<Option<Publication>> {
        if !self.connected || self.in_flight.len() >= WINDOW {
            return Ok(None);
        }
        if let Some((topic, payload)) = self.statuses.pop_front() {
            return Ok(Some(self.publication(topic, payload, true, None)));
        }
        if let Some(answer) = self.ready.pop_front() {
            let topic = Topic::Answer { board: &self.board }.to_string();
            return Ok(Some(self.publication(topic, json(&answer), false, None)));
        }
        if self.snapshot_is_due(end)
            && let Some(publication) = self.snapshot_publication()
        {
            return Ok(Some(publication));
        }
        let seq = self.reader.next_seq();
        let next = self.next_line(end);
        if next.is_err() {
            self.reader.seek(seq);
        }
        let Some((text, line)) = next? else { return self.poll_refill(end) };
        if matches!(&line.record, Record::Game(header) if self.is_another_game(&header.game))
            && self.snapshot_is_new
            && self.folded <= seq
            && let Some(publication) = self.snapshot_publication()
        {
            // The old game's last state first: nobody will say it again.
            self.reader.seek(seq);
            return Ok(Some(publication));
        }
        self.fold(&line);
        let topic = Topic::Record { board: &self.board }.to_string();
        Ok(Some(self.publication(topic, text, false, Some(seq))))
    }

    fn next_line(&mut self, end: u64) -> io::Result<Option<(String, Line)>> {
        let Some(text) = self.reader.next_line(end)? else { return Ok(None) };
        let line = serde_json::from_str(&text)?;
        Ok(Some((text, line)))
    }

    /// The next line that a follower has missed.
    fn poll_refill(&mut self, end: u64) -> io::Result<Option<Publication>> {
        while let Some((from, to)) = self.refills.front_mut() {
            if self.refiller.next_seq() != *from {
                self.refiller.seek(*from);
            }
            match self.refiller.next_line(end.min(*to)) {
                Ok(Some(text)) => {
                    *from += 1;
                    let topic = Topic::Record { board: &self.board }.to_string();
                    return Ok(Some(self.publication(topic, text, false, None)));
                }
                Ok(None) => drop(self.refills.pop_front()),
                Err(error) => {
                    // Whoever misses the lines asks again; what cannot be read must not hold up the rest.
                    self.refills.pop_front();
                    return Err(error);
                }
            }
        }
        Ok(None)
    }

    fn is_another_game(&self, game: &str) -> bool {
        self.snapshot.as_ref().is_none_or(|snapshot| snapshot.game != game)
    }

    /// A snapshot is sent when there is no line before it and no older one on its way: a slow broker gets fewer.
    fn snapshot_is_due(&self, end: u64) -> bool {
        self.snapshot_is_new && self.snapshot_in_flight.is_none() && self.reader.next_seq() >= end
    }

    /// The snapshot, unless it is too large.
    fn snapshot_publication(&mut self) -> Option<Publication> {
        let snapshot = self.snapshot.as_ref()?;
        let topic = Topic::Snapshot { board: &self.board, game: &snapshot.game }.to_string();
        let payload = json(snapshot);
        self.snapshot_is_new = false;
        if payload.len() > MAX_PAYLOAD {
            tracing::warn!(
                topic,
                bytes = payload.len(),
                "a snapshot is too large to be published; its lines go on"
            );
            return None;
        }
        let publication = self.publication(topic, payload, true, None);
        self.snapshot_in_flight = Some(publication.token);
        Some(publication)
    }

    fn publication(
        &mut self,
        topic: String,
        payload: String,
        retain: bool,
        line: Option<u64>,
    ) -> Publication {
        let token = self.next_token;
        self.next_token += 1;
        self.in_flight.insert(token, line);
        Publication { token, topic, payload, retain }
    }

    /// Folds a line that has not been folded before.
    fn fold(&mut self, line: &Line) {
        if line.seq < self.folded {
            return;
        }
        self.folded = line.seq + 1;
        if let Some(answer) = self.answers.fold(line)
            && self.asked.contains(&answer.id)
        {
            let answer = answer.clone();
            self.answer(answer);
        }
        if let Record::Game(header) = &line.record
            && self.is_another_game(&header.game)
        {
            self.snapshot = Some(Snapshot::begin(&self.board, line.seq, line.utc_ms, header));
            self.snapshot_is_new = true;
            self.game_began = line.seq;
            self.say_status(true, header.us);
            return;
        }
        let Some(snapshot) = &mut self.snapshot else { return };
        let before = snapshot.clone();
        snapshot.apply(line);
        // Evidence changes nothing that a page shows.
        self.snapshot_is_new |= !before.shows_the_same(snapshot);
    }
}

/// Our own types have texts for keys, so they can always be written.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
