//! What programs read.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::{Json, extract::rejection::PathRejection};
use serde::Serialize;

use super::Venue;
use super::problem::Problem;
use crate::hub::Relay;

const JSON: [(header::HeaderName, &str); 2] =
    [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];

/// `GET /api/v1/games`: every game in summary, as the first event of the stream gives it.
pub(super) async fn games(State(venue): State<Venue>) -> Response {
    (JSON, venue.hub.state(None).text).into_response()
}

/// `GET /api/v1/games/{id}`: one game with its moves.
pub(super) async fn game(
    State(venue): State<Venue>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id.map_err(|_| Problem::bad_request("The id is not valid UTF-8."))?;
    let game = venue.hub.game(&id).ok_or(Problem::not_found("There is no game with this id."))?;
    let answer = Json(&*game).into_response();
    Ok(([(header::CACHE_CONTROL, "no-store")], answer).into_response())
}

/// `GET /healthz`: that the venue answers, and what it sees.
pub(super) async fn health(State(venue): State<Venue>) -> Response {
    #[derive(Serialize)]
    struct Health {
        status: &'static str,
        relay: Relay,
        boards: usize,
        boards_online: usize,
        games: usize,
        revision: u64,
    }
    let (boards, boards_online, games, revision, relay) = venue.hub.health();
    Json(Health { status: "ok", relay, boards, boards_online, games, revision }).into_response()
}
