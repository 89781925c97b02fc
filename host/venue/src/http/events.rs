//! `GET /api/v1/events`: the whole state, then every change, as server-sent events; what the public may see.
//! `GET /api/v1/arbiter/events`: the same of what arbiters see, which is never late.
//!
//! | event | when | data |
//! |---|---|---|
//! | `state` | first, and when the viewer was too slow | everything: `revision`, `now_utc_ms`, `relay`, `games` |
//! | `game` | a game changed | `revision`, `now_utc_ms`, `game`; with `?game=` also `from` and `plies` |
//! | `gone` | a game was withdrawn | `revision`, `id` |
//! | `beat` | every five seconds, and when the link to the broker changes | `revision`, `now_utc_ms`, `relay` |
//!
//! The id of an event is its revision. A viewer who comes again needs none: the first event is the whole state.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::Venue;
use super::problem::Problem;
use super::saying;
use super::sign_in::SignedIn;
use crate::hub::{Audience, Hub, Notice};

/// A viewer who hears nothing for two of these and a bit knows that the connection is dead.
const BEAT: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
pub(super) struct Wanted {
    game: Option<String>,
}

struct Viewer {
    hub: Arc<Hub>,
    audience: Audience,
    game: Option<String>,
    ring: broadcast::Receiver<Arc<Notice>>,
    first: Option<Event>,
    beat: Interval,
    stopped: watch::Receiver<bool>,
    _seat: OwnedSemaphorePermit,
}

pub(super) async fn events(
    State(venue): State<Venue>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Problem> {
    let seats = Arc::clone(&venue.viewers);
    stream_of(venue, Audience::Public, &seats, wanted)
}

pub(super) async fn events_for_arbiters(
    _: SignedIn,
    State(venue): State<Venue>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Problem> {
    // Seats of their own: however many spectators come, arbiters get in.
    let seats = Arc::clone(&venue.arbiters);
    stream_of(venue, Audience::Arbiters, &seats, wanted)
}

fn stream_of(
    venue: Venue,
    audience: Audience,
    seats: &Arc<Semaphore>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(wanted) = wanted.map_err(|_| Problem::with(&saying::BAD_QUERY, "?game=<id>"))?;
    let seat = Arc::clone(seats).try_acquire_owned().map_err(|_| Problem::from(&saying::BUSY))?;
    let (state, ring) = venue.hub.follow(audience, wanted.game.as_deref());
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat.reset();
    let viewer = Viewer {
        first: Some(event("state", state.revision, state.text)),
        hub: venue.hub,
        audience,
        game: wanted.game,
        ring,
        beat,
        stopped: venue.stopped,
        _seat: seat,
    };
    let events = stream::unfold(viewer, async |mut viewer| {
        let event = viewer.next().await?;
        Some((Ok::<_, Infallible>(event), viewer))
    });
    // Proxies must hand events on at once.
    let headers =
        [(header::CACHE_CONTROL, "no-store"), (header::HeaderName::from_static("x-accel-buffering"), "no")];
    Ok((headers, Sse::new(events)).into_response())
}

fn event(kind: &str, revision: u64, text: String) -> Event {
    Event::default().event(kind).id(revision.to_string()).data(text)
}

impl Viewer {
    /// The next event; `None` when the venue stops.
    async fn next(&mut self) -> Option<Event> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            let heard = tokio::select! {
                _ = self.stopped.wait_for(|stopped| *stopped) => Err(RecvError::Closed),
                _ = self.beat.tick() => Ok(None),
                notice = self.ring.recv() => notice.map(Some),
            };
            match heard {
                Ok(None) => return Some(self.beat_event()),
                Ok(Some(notice)) => {
                    if let Some(event) = self.event_of(&notice) {
                        return Some(event);
                    }
                }
                Err(RecvError::Lagged(_)) => {
                    let (state, ring) = self.hub.follow(self.audience, self.game.as_deref());
                    self.ring = ring;
                    return Some(event("state", state.revision, state.text));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn event_of(&self, notice: &Notice) -> Option<Event> {
        let wanted = |id: &str| self.game.as_deref().is_none_or(|game| game == id);
        match notice {
            Notice::Game { revision, id, brief, full } if wanted(id) => {
                let text = if self.game.is_some() { full } else { brief };
                Some(event("game", *revision, text.clone()))
            }
            Notice::Gone { revision, id, text } if wanted(id) => Some(event("gone", *revision, text.clone())),
            Notice::Game { .. } | Notice::Gone { .. } => None,
            Notice::Relay => Some(self.beat_event()),
        }
    }

    // Without an id: a beat is nothing to go on from.
    fn beat_event(&self) -> Event {
        Event::default().event("beat").data(self.hub.beat(self.audience))
    }
}
