//! What an arbiter asks about a board: readings, repetition, limits, and who ordered what.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::Venue;
use super::problem::Problem;
use super::saying;
use super::sign_in::SignedIn;
use crate::inquiry::{self, Unanswerable};
use crate::replica::Audited;

const NO_STORE: [(header::HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

fn board_of(id: Result<Path<String>, PathRejection>) -> Result<String, Problem> {
    id.map(|Path(id)| id).map_err(|_| Problem::from(&saying::BAD_ADDRESS))
}

#[derive(Deserialize)]
pub(super) struct At {
    at: Option<u64>,
}

/// `GET /api/v1/arbiter/boards/{id}/readings?at=`: what the referee weighed before a line of the journal, or now.
pub(super) async fn readings(
    _: SignedIn,
    State(venue): State<Venue>,
    id: Result<Path<String>, PathRejection>,
    at: Result<Query<At>, QueryRejection>,
) -> Result<Response, Problem> {
    let id = board_of(id)?;
    let Query(At { at }) = at.map_err(|_| Problem::with(&saying::BAD_QUERY, "?at=<seq>"))?;
    let lines = venue.hub.journal(&id, None, usize::MAX).ok_or(Problem::from(&saying::NO_BOARD))?;
    // Going through a game again is work, so few do it at once, and not where others are answered.
    let _turn = venue.inquiries.acquire().await.map_err(|_| Problem::from(&saying::BUSY))?;
    let weighed = tokio::task::spawn_blocking(move || {
        let lines: Vec<_> = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
        inquiry::weigh(&lines, at)
    });
    match weighed.await.map_err(|_| Problem::from(&saying::INTERNAL))? {
        Ok(weighing) => Ok((NO_STORE, Json(weighing)).into_response()),
        Err(Unanswerable::NoSuchLine) => Err(Problem::from(&saying::NO_LINE)),
        Err(Unanswerable::Incomplete) => Err(Problem::from(&saying::NOT_WHOLE)),
    }
}

/// `GET /api/v1/arbiter/boards/{id}/laws`: what the laws say of the game that is on the board.
pub(super) async fn laws(
    _: SignedIn,
    State(venue): State<Venue>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let (start, moves, rules) = venue.hub.played(&board_of(id)?).ok_or(Problem::from(&saying::NO_BOARD))?;
    let _turn = venue.inquiries.acquire().await.map_err(|_| Problem::from(&saying::BUSY))?;
    let said = tokio::task::spawn_blocking(move || inquiry::laws(&start, &moves, &rules));
    Ok((NO_STORE, Json(said.await.map_err(|_| Problem::from(&saying::INTERNAL))?)).into_response())
}

/// `GET /api/v1/arbiter/audit`: the orders of all boards that the venue holds, carried out and refused, as lines of their
/// journals, the latest first.
pub(super) async fn audit(_: SignedIn, State(venue): State<Venue>) -> Response {
    #[derive(Serialize)]
    struct Entry {
        board: String,
        game: String,
        line: Box<serde_json::value::RawValue>,
    }
    let entries: Vec<Entry> = venue
        .hub
        .audit()
        .into_iter()
        .filter_map(|Audited { board, game, line }| {
            let line = serde_json::value::RawValue::from_string(line.to_string()).ok()?;
            Some(Entry { board, game, line })
        })
        .collect();
    (NO_STORE, Json(entries)).into_response()
}
