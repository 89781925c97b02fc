//! What programs read.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::{Json, extract::rejection::PathRejection};
use serde::Serialize;

use super::Venue;
use super::problem::Problem;
use super::saying;
use crate::download::download;
use crate::hub::{Audience, Relay};

const JSON: [(header::HeaderName, &str); 2] =
    [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];

/// `GET /api/v1/games`: every game in summary, as the first event of the stream gives it.
pub(super) async fn games(State(venue): State<Venue>) -> Response {
    (JSON, venue.hub.state(Audience::Public, None).text).into_response()
}

/// `GET /api/v1/games/{id}`: one game with its moves.
pub(super) async fn game(
    State(venue): State<Venue>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id.map_err(|_| Problem::from(&saying::BAD_ADDRESS))?;
    let game = venue.hub.game(Audience::Public, &id).ok_or(Problem::from(&saying::NO_GAME))?;
    let answer = Json(&*game).into_response();
    Ok(([(header::CACHE_CONTROL, "no-store")], answer).into_response())
}

/// `GET /api/v1/games/{id}/record/{format}`: one game as a file.
pub(super) async fn record(
    State(venue): State<Venue>,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Response, Problem> {
    let Path((id, format)) = path.map_err(|_| Problem::from(&saying::BAD_ADDRESS))?;
    let game = venue.hub.game(Audience::Public, &id).ok_or(Problem::from(&saying::NO_GAME))?;
    let download = download(&game, &format).ok_or(Problem::from(&saying::NO_FORMAT))?;
    let file = download.map_err(|_| Problem::from(&saying::FORMAT_TOO_SMALL))?;
    // Ids are letters, digits and a few marks, so the name needs no escape.
    let disposition = format!("attachment; filename=\"{}\"", file.name);
    let headers = [
        (header::CONTENT_TYPE, file.media_type.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, file.bytes).into_response())
}

/// `GET /api/v1/games/{id}/sheet`: one game as its score sheet has it.
pub(super) async fn sheet(
    State(venue): State<Venue>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id.map_err(|_| Problem::from(&saying::BAD_ADDRESS))?;
    let sheet = venue.hub.sheet(Audience::Public, &id).ok_or(Problem::from(&saying::NO_GAME))?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(sheet)).into_response())
}

/// `GET /api/v1/links`: where more about the event is told.
pub(super) async fn links(State(venue): State<Venue>) -> Response {
    Json(serde_json::json!({ "standings": venue.standings.as_deref() })).into_response()
}

/// `GET /api/v1/openapi.json`: all of this, described.
pub(super) async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../../openapi.json")).into_response()
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
