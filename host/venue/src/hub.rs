//! Where changes meet viewers: the replica behind one lock, and one ring of changes that every viewer reads.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tokio::sync::{broadcast, mpsc};
use tokio::time::Instant;

use crate::game::{GameView, PlyView, Summary};
use crate::replica::{BoardView, Change, Replica};
use crate::sheet::Sheet;

/// Changes that a viewer may be behind. Thirty-six boards at one ply a second fill it in half a minute; a viewer who is
/// further behind loses the ring and is sent the whole state instead.
const RING: usize = 1024;

/// How long boards have to confirm that they are there after the link to the broker was made anew.
const CONFIRMATION: Duration = Duration::from_secs(10);

/// What comes from the link.
#[derive(Debug)]
pub(crate) enum Message {
    /// The link to the broker is made, and everything is subscribed.
    Linked,
    /// The link is broken.
    Lost,
    /// Something was published.
    Published { topic: String, payload: Vec<u8> },
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
    replica: Replica,
    revision: u64,
    relay: Relay,
}

/// The replica and its viewers.
pub(crate) struct Hub {
    inner: Mutex<Inner>,
    ring: broadcast::Sender<Arc<Notice>>,
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
    pub(crate) fn new() -> Hub {
        let inner = Inner { replica: Replica::new(), revision: 0, relay: Relay::Lost };
        Hub { inner: Mutex::new(inner), ring: broadcast::channel(RING).0 }
    }

    // A panic while the lock is held would be a defect of ours; the data behind it is still whole.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The state now, and every change after it. `game` narrows both to one game, with its moves.
    pub(crate) fn follow(&self, game: Option<&str>) -> (State, broadcast::Receiver<Arc<Notice>>) {
        let inner = self.lock();
        (inner.state(game), self.ring.subscribe())
    }

    pub(crate) fn state(&self, game: Option<&str>) -> State {
        self.lock().state(game)
    }

    pub(crate) fn game(&self, id: &str) -> Option<Arc<GameView>> {
        self.lock().replica.game(id).cloned()
    }

    pub(crate) fn sheet(&self, id: &str) -> Option<Sheet> {
        self.lock().replica.sheet(id)
    }

    pub(crate) fn boards(&self) -> Vec<BoardView> {
        self.lock().replica.board_views()
    }

    pub(crate) fn journal(&self, board: &str, after: Option<u64>, most: usize) -> Option<Vec<Arc<str>>> {
        self.lock().replica.journal(board, after, most)
    }

    /// Boards seen, boards connected, games known, revision, relay.
    pub(crate) fn health(&self) -> (usize, usize, usize, u64, Relay) {
        let inner = self.lock();
        let (boards, online) = inner.replica.boards();
        (boards, online, inner.replica.games().count(), inner.revision, inner.relay)
    }

    pub(crate) fn beat(&self) -> String {
        #[derive(Serialize)]
        struct Beat {
            revision: u64,
            now_utc_ms: u64,
            relay: Relay,
        }
        let inner = self.lock();
        text(&Beat { revision: inner.revision, now_utc_ms: now_utc_ms(), relay: inner.relay })
    }

    fn handle(&self, message: Message) {
        let mut inner = self.lock();
        let applied = match message {
            Message::Linked => {
                inner.relay = Relay::Connected;
                inner.replica.link_made();
                self.tell(Notice::Relay);
                return;
            }
            Message::Lost => {
                inner.relay = Relay::Lost;
                self.tell(Notice::Relay);
                return;
            }
            Message::Published { topic, payload } => inner.replica.apply(&topic, &payload),
        };
        match applied {
            Ok(changes) => self.announce(&mut inner, changes),
            Err(unreadable) => tracing::warn!("skipped: {unreadable}"),
        }
    }

    fn confirmation_over(&self) {
        let mut inner = self.lock();
        let changes = inner.replica.confirmation_over();
        self.announce(&mut inner, changes);
    }

    // Under the lock, so that viewers see changes in the order of their revisions.
    fn announce(&self, inner: &mut Inner, changes: Vec<Change>) {
        for change in changes {
            inner.revision += 1;
            self.tell(notice(inner.revision, &change));
        }
    }

    // Without viewers there is nobody to tell, and that is no error.
    fn tell(&self, notice: Notice) {
        let _ = self.ring.send(Arc::new(notice));
    }
}

impl Inner {
    fn state(&self, game: Option<&str>) -> State {
        let (revision, now_utc_ms, relay) = (self.revision, now_utc_ms(), self.relay);
        let text = match game {
            Some(id) => {
                let games = self.replica.game(id).map(|game| &**game).into_iter().collect();
                text(&StateBody { revision, now_utc_ms, relay, games })
            }
            None => {
                let games = self.replica.games().map(|game| &game.summary).collect();
                text(&StateBody { revision, now_utc_ms, relay, games })
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

/// Applies messages until the link ends.
pub(crate) async fn pump(hub: Arc<Hub>, mut messages: mpsc::Receiver<Message>) {
    let mut confirm_at: Option<Instant> = None;
    loop {
        let due = confirm_at.unwrap_or_else(|| Instant::now() + CONFIRMATION);
        tokio::select! {
            message = messages.recv() => {
                let Some(message) = message else { return };
                match message {
                    Message::Linked => confirm_at = Some(Instant::now() + CONFIRMATION),
                    Message::Lost => confirm_at = None,
                    Message::Published { .. } => {}
                }
                hub.handle(message);
            }
            () = tokio::time::sleep_until(due), if confirm_at.is_some() => {
                confirm_at = None;
                hub.confirmation_over();
            }
        }
    }
}
