//! What only arbiters see: what needs them, and the evidence of every board.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::Venue;
use super::problem::Problem;
use super::saying;
use super::sign_in::SignedIn;

/// Lines in one answer; a page asks again from where it ended.
const LINES: usize = 2_000;

/// `GET /api/v1/arbiter/boards`: every board with its game and what an arbiter should look at.
pub(super) async fn boards(_: SignedIn, State(venue): State<Venue>) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(venue.hub.boards())).into_response()
}

#[derive(Deserialize)]
pub(super) struct After {
    after: Option<u64>,
}

/// `GET /api/v1/arbiter/boards/{id}/journal?after=`: lines of the board's journal, byte for byte.
pub(super) async fn journal(
    _: SignedIn,
    State(venue): State<Venue>,
    id: Result<Path<String>, PathRejection>,
    after: Result<Query<After>, QueryRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id.map_err(|_| Problem::from(&saying::BAD_ADDRESS))?;
    let Query(after) = after.map_err(|_| Problem::with(&saying::BAD_QUERY, "?after=<seq>"))?;
    let lines = venue.hub.journal(&id, after.after, LINES).ok_or(Problem::from(&saying::NO_BOARD))?;
    // The lines are JSON as they came, so they are joined and never read and written again.
    let body = format!("{{\"lines\":[{}]}}", lines.join(","));
    Ok(([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body)
        .into_response())
}
