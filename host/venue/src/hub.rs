//! Where changes meet viewers: what arbiters and what the public may see behind one lock, and for each a ring of changes
//! that every viewer reads.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use referee::public::Behind;
use referee::{Command, Snapshot};
use serde::Serialize;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval};

use xiangqi::{Move, Position};

use crate::delay::Delays;
use crate::delay_line::{DelayLine, Moment, Published};
use crate::game::{GameView, PlyView, Summary};
use crate::link::Speaker;
use crate::replica::{Audited, BoardView, Change, Replica, Unreadable};
use crate::sheet::Sheet;

/// Changes that a viewer may be behind. Thirty-six boards at one ply a second fill it in half a minute; a viewer who is
/// further behind loses the ring and is sent the whole state instead.
const RING: usize = 1024;

/// How long boards have to confirm that they are there after the link to the broker was made anew.
const CONFIRMATION: Duration = Duration::from_secs(10);

/// How often it is looked whether something has become old enough for the public.
const RELEASE: Duration = Duration::from_millis(100);

/// How often boards are asked for lines that never came.
const ASK: Duration = Duration::from_secs(2);

/// How long after the link was made they are asked first: what the broker keeps has come by then, mostly.
const FIRST_ASK: Duration = Duration::from_millis(200);

/// What comes from the link.
#[derive(Debug)]
pub(crate) enum Message {
    /// The link to the broker is made, and everything is subscribed.
    Linked,
    /// The link is broken.
    Lost,
    /// Something was published.
    Published { topic: String, payload: Vec<u8>, retained: bool },
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Everybody: games as late as their events demand.
    Public,
    /// Who has signed in: everything at once.
    Arbiters,
}

/// Whether the venue reaches the broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Relay {
    Connected,
    Lost,
}

/// One change, with its texts made once for all viewers.
#[derive(Debug)]
pub(crate) enum Notice {
    /// A game changed.
    Game { revision: u64, id: String, brief: String, full: String },
    /// A game is gone.
    Gone { revision: u64, id: String, text: String },
    /// The link to the broker was made or lost.
    Relay,
}

/// What a viewer is sent first, and whenever too much was missed.
#[derive(Debug)]
pub(crate) struct State {
    pub revision: u64,
    pub text: String,
}

#[derive(Serialize)]
struct StateBody<'a, T: Serialize> {
    revision: u64,
    now_utc_ms: u64,
    relay: Relay,
    behind: Option<Behind>,
    games: Vec<&'a T>,
}

#[derive(Serialize)]
struct GameBody<'a> {
    revision: u64,
    now_utc_ms: u64,
    game: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<&'a [PlyView]>,
}

struct Inner {
    live: Replica,
    line: DelayLine,
    /// Of the public, and of arbiters.
    revisions: [u64; 2],
    relay: Relay,
}

/// What is known, and its viewers.
pub(crate) struct Hub {
    inner: Mutex<Inner>,
    started: Instant,
    /// To the public, and to arbiters.
    rings: [broadcast::Sender<Arc<Notice>>; 2],
}

/// Milliseconds of UTC.
pub(crate) fn now_utc_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Our own types always serialise; should one not, an empty object is what a viewer ignores.
fn text(body: &impl Serialize) -> String {
    serde_json::to_string(body).unwrap_or_else(|_| "{}".to_owned())
}

impl Hub {
    pub(crate) fn new(delays: Delays) -> Hub {
        let line = DelayLine::new(delays);
        let inner = Inner { live: Replica::new(), line, revisions: [0; 2], relay: Relay::Lost };
        let rings = [broadcast::channel(RING).0, broadcast::channel(RING).0];
        Hub { inner: Mutex::new(inner), started: Instant::now(), rings }
    }

    // A panic while the lock is held would be a defect of ours; the data behind it is still whole.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn now(&self) -> Moment {
        let up_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Moment { up_ms, utc_ms: now_utc_ms() }
    }

    /// The state now, and every change after it. `game` narrows both to one game, with its moves.
    pub(crate) fn follow(
        &self,
        to: Audience,
        game: Option<&str>,
    ) -> (State, broadcast::Receiver<Arc<Notice>>) {
        let inner = self.lock();
        (inner.state(to, game), self.rings[to as usize].subscribe())
    }

    pub(crate) fn state(&self, to: Audience, game: Option<&str>) -> State {
        self.lock().state(to, game)
    }

    pub(crate) fn game(&self, to: Audience, id: &str) -> Option<Arc<GameView>> {
        self.lock().replica(to).game(id).cloned()
    }

    /// The games that the public sees.
    pub(crate) fn public_games(&self) -> Vec<String> {
        self.lock().line.public().games().map(|game| game.summary.id.clone()).collect()
    }

    /// A game as the public sees it.
    pub(crate) fn public_snapshot(&self, id: &str) -> Option<(Snapshot, Option<Behind>)> {
        let inner = self.lock();
        let behind = inner.line.public().game(id)?.summary.behind;
        Some((inner.line.public().snapshot(id)?.clone(), behind))
    }

    /// A game's score sheet.
    pub(crate) fn sheet(&self, to: Audience, id: &str) -> Option<Sheet> {
        self.lock().replica(to).sheet(id)
    }

    /// Every game.
    pub(crate) fn games(&self, to: Audience) -> Vec<Arc<GameView>> {
        self.lock().replica(to).games().cloned().collect()
    }

    /// What was ordered by the order of that number in a game, if the venue holds the line that says so.
    pub(crate) fn order(&self, board: &str, game: &str, number: u32) -> Option<Command> {
        self.lock().live.order(board, game, number)
    }

    /// The game on a board: where it started, its moves, its rules.
    pub(crate) fn played(&self, board: &str) -> Option<(Position, Vec<Move>, String)> {
        self.lock().live.played(board)
    }

    pub(crate) fn audit(&self) -> Vec<Audited> {
        self.lock().live.audit()
    }

    pub(crate) fn boards(&self) -> Vec<BoardView> {
        self.lock().live.board_views()
    }

    pub(crate) fn journal(&self, board: &str, after: Option<u64>, most: usize) -> Option<Vec<Arc<str>>> {
        self.lock().live.journal(board, after, most)
    }

    /// Lines that never came.
    fn wanted(&self) -> Vec<(String, u64, u64)> {
        let inner = self.lock();
        inner.line.wanted(&inner.live)
    }

    /// Boards seen, boards connected, games that the public sees, its revision, relay.
    pub(crate) fn health(&self) -> (usize, usize, usize, u64, Relay) {
        let inner = self.lock();
        let public = inner.line.public();
        let (boards, online) = public.boards();
        (boards, online, public.games().count(), inner.revisions[Audience::Public as usize], inner.relay)
    }

    /// Whether the venue reaches the broker.
    pub(crate) fn relay(&self) -> Relay {
        self.lock().relay
    }

    pub(crate) fn beat(&self, to: Audience) -> String {
        #[derive(Serialize)]
        struct Beat {
            revision: u64,
            now_utc_ms: u64,
            relay: Relay,
        }
        let inner = self.lock();
        text(&Beat { revision: inner.revisions[to as usize], now_utc_ms: now_utc_ms(), relay: inner.relay })
    }

    fn handle(&self, message: Message) {
        let mut inner = self.lock();
        match message {
            Message::Linked => {
                inner.relay = Relay::Connected;
                inner.live.link_made();
                inner.line.link_made();
                self.tell_all(|| Notice::Relay);
            }
            Message::Lost => {
                inner.relay = Relay::Lost;
                self.tell_all(|| Notice::Relay);
            }
            Message::Published { topic, payload, retained } => {
                let published = Published { topic: &topic, payload: &payload, retained };
                if let Err(unreadable) = self.apply(&mut inner, published) {
                    tracing::warn!("skipped: {unreadable}");
                }
            }
        }
    }

    fn apply(&self, inner: &mut Inner, published: Published<'_>) -> Result<(), Unreadable> {
        let now = self.now();
        let changes = inner.live.apply(published.topic, published.payload)?;
        self.announce(inner, Audience::Arbiters, changes);
        let Inner { live, line, .. } = inner;
        let changes = line.take(now, published, live)?;
        self.announce(inner, Audience::Public, changes);
        Ok(())
    }

    fn advance(&self) {
        let now = self.now();
        let mut inner = self.lock();
        let Inner { live, line, .. } = &mut *inner;
        let changes = line.advance(now, live);
        self.announce(&mut inner, Audience::Public, changes);
    }

    fn confirmation_over(&self) {
        let mut inner = self.lock();
        let changes = inner.live.confirmation_over();
        self.announce(&mut inner, Audience::Arbiters, changes);
        let changes = inner.line.confirmation_over();
        self.announce(&mut inner, Audience::Public, changes);
    }

    // Under the lock, so that viewers see changes in the order of their revisions.
    fn announce(&self, inner: &mut Inner, to: Audience, changes: Vec<Change>) {
        for change in changes {
            let revision = &mut inner.revisions[to as usize];
            *revision += 1;
            // Without viewers there is nobody to tell, and that is no error.
            let _ = self.rings[to as usize].send(Arc::new(notice(*revision, &change)));
        }
    }

    fn tell_all(&self, notice: impl Fn() -> Notice) {
        for ring in &self.rings {
            let _ = ring.send(Arc::new(notice()));
        }
    }
}

impl Inner {
    fn replica(&self, to: Audience) -> &Replica {
        match to {
            Audience::Public => self.line.public(),
            Audience::Arbiters => &self.live,
        }
    }

    fn state(&self, to: Audience, game: Option<&str>) -> State {
        let (revision, now_utc_ms, relay) = (self.revisions[to as usize], now_utc_ms(), self.relay);
        let behind = match to {
            Audience::Public => self.line.longest().behind(),
            Audience::Arbiters => None,
        };
        let replica = self.replica(to);
        let text = match game {
            Some(id) => {
                let games = replica.game(id).map(|game| &**game).into_iter().collect();
                text(&StateBody { revision, now_utc_ms, relay, behind, games })
            }
            None => {
                let games = replica.games().map(|game| &game.summary).collect();
                text(&StateBody { revision, now_utc_ms, relay, behind, games })
            }
        };
        State { revision, text }
    }
}

fn notice(revision: u64, change: &Change) -> Notice {
    let now_utc_ms = now_utc_ms();
    match change {
        Change::Game { game, from } => {
            let summary = &game.summary;
            let plies = game.plies.get(*from..).unwrap_or_default();
            Notice::Game {
                revision,
                id: summary.id.clone(),
                brief: text(&GameBody { revision, now_utc_ms, game: summary, from: None, plies: None }),
                full: text(&GameBody {
                    revision,
                    now_utc_ms,
                    game: summary,
                    from: Some(*from),
                    plies: Some(plies),
                }),
            }
        }
        Change::Gone { id } => {
            let body = serde_json::json!({ "revision": revision, "id": id });
            Notice::Gone { revision, id: id.clone(), text: body.to_string() }
        }
    }
}

/// Applies messages until the link ends, and lets time pass.
pub(crate) async fn pump(hub: Arc<Hub>, mut messages: mpsc::Receiver<Message>, speaker: Speaker) {
    let mut confirm_at: Option<Instant> = None;
    let mut release = interval(RELEASE);
    release.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut ask = interval(ASK);
    ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let due = confirm_at.unwrap_or_else(|| Instant::now() + CONFIRMATION);
        tokio::select! {
            message = messages.recv() => {
                let Some(message) = message else { return };
                match message {
                    Message::Linked => {
                        confirm_at = Some(Instant::now() + CONFIRMATION);
                        ask.reset_after(FIRST_ASK);
                    }
                    Message::Lost => confirm_at = None,
                    Message::Published { .. } => {}
                }
                hub.handle(message);
            }
            _ = release.tick() => hub.advance(),
            _ = ask.tick() => {
                for (board, from, to) in hub.wanted() {
                    speaker.ask(&board, from, to);
                }
            }
            () = tokio::time::sleep_until(due), if confirm_at.is_some() => {
                confirm_at = None;
                hub.confirmation_over();
            }
        }
    }
}
