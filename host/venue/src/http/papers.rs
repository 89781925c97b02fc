//! What is printed: PDF for everybody, as late as the event demands, and for arbiters at once, because a result is signed
//! when the game ends and not a quarter of an hour later.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::Venue;
use super::problem::Problem;
use super::saying;
use super::sign_in::SignedIn;
use crate::hub::{Audience, now_utc_ms};
use crate::language::Language;
use crate::paper::{Face, Kind, Notation, Wording, round_sheet, score_sheet};

/// No place on earth is further from UTC, in minutes.
const FURTHEST: i32 = 14 * 60;

/// How the sheet is to be worded.
#[derive(Deserialize)]
pub(super) struct Wanted {
    language: Option<Language>,
    #[serde(default)]
    notation: Notation,
    offset: Option<i32>,
}

type Asked = Result<Query<Wanted>, QueryRejection>;
type Id = Result<Path<String>, PathRejection>;

/// `GET /api/v1/games/{id}/score-sheet.pdf`
pub(super) async fn score(
    State(venue): State<Venue>,
    id: Id,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    score_for(Audience::Public, &venue, id, asked, &headers).await
}

/// `GET /api/v1/arbiter/games/{id}/score-sheet.pdf`
pub(super) async fn score_now(
    _: SignedIn,
    State(venue): State<Venue>,
    id: Id,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    score_for(Audience::Arbiters, &venue, id, asked, &headers).await
}

/// `GET /api/v1/pairings.pdf`
pub(super) async fn pairings(
    State(venue): State<Venue>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    round_for(Audience::Public, Kind::Pairings, &venue, asked, &headers).await
}

/// `GET /api/v1/results.pdf`
pub(super) async fn results(
    State(venue): State<Venue>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    round_for(Audience::Public, Kind::Results, &venue, asked, &headers).await
}

/// `GET /api/v1/arbiter/pairings.pdf`
pub(super) async fn pairings_now(
    _: SignedIn,
    State(venue): State<Venue>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    round_for(Audience::Arbiters, Kind::Pairings, &venue, asked, &headers).await
}

/// `GET /api/v1/arbiter/results.pdf`
pub(super) async fn results_now(
    _: SignedIn,
    State(venue): State<Venue>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    round_for(Audience::Arbiters, Kind::Results, &venue, asked, &headers).await
}

async fn score_for(
    to: Audience,
    venue: &Venue,
    id: Id,
    asked: Asked,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let Path(id) = id.map_err(|_| Problem::from(&saying::BAD_ADDRESS))?;
    let wording = wording(asked, headers)?;
    let sheet = venue.hub.sheet(to, &id).ok_or(Problem::from(&saying::NO_GAME))?;
    write(venue, &id, move |face| score_sheet(face, &sheet, wording)).await
}

async fn round_for(
    to: Audience,
    kind: Kind,
    venue: &Venue,
    asked: Asked,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let wording = wording(asked, headers)?;
    let games = venue.hub.games(to);
    let name = if kind == Kind::Results { "results" } else { "pairings" };
    write(venue, name, move |face| round_sheet(face, &games, kind, wording, now_utc_ms())).await
}

fn wording(asked: Asked, headers: &HeaderMap) -> Result<Wording, Problem> {
    const EXPECTED: &str =
        "?language=zh-Hans|zh-Hant|en, notation=chinese|wxf|iccs, offset=<minutes ahead of UTC>";
    let Query(Wanted { language, notation, offset }) =
        asked.map_err(|_| Problem::with(&saying::BAD_QUERY, EXPECTED))?;
    if offset.is_some_and(|minutes| minutes.abs() > FURTHEST) {
        return Err(Problem::with(&saying::BAD_QUERY, EXPECTED));
    }
    Ok(Wording { language: language.unwrap_or_else(|| Language::of(headers)), notation, offset })
}

/// Has a sheet written where others are not answered, and sends it.
async fn write(
    venue: &Venue,
    name: &str,
    sheet: impl FnOnce(&'static Face) -> Option<Vec<u8>> + Send + 'static,
) -> Result<Response, Problem> {
    let _place = venue.papers.try_acquire().map_err(|_| Problem::from(&saying::BUSY))?;
    let written = tokio::task::spawn_blocking(move || Face::of_pages().map(sheet)).await;
    let written = written.map_err(|_| Problem::from(&saying::INTERNAL))?;
    let bytes = written.ok_or(Problem::from(&saying::NO_FONT))?;
    let bytes = bytes.ok_or(Problem::from(&saying::INTERNAL))?;
    // Ids are letters, digits and a few marks, so the name needs no escape.
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"{name}.pdf\"")),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}
