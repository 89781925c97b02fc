//! The pages: one document whose script draws all of them, and its files.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::EmbeddedFile;

use super::Venue;
use super::problem::Problem;
use super::saying;
use crate::hub::Audience;
use crate::web_files::WebFiles;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Luozi</title>\
    <body style=\"font: 1.2rem/1.6 serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem\">\
    <h1>The pages have not been built</h1><p>This binary was built without its pages. Run <code>make pages</code> and \
    build it again. The API works: <a href=\"/api/v1/games\">/api/v1/games</a>.</p></body></html>";

/// Only other people's frames may hold the embeddable page.
const FRAMED_BY_ALL: &str = "frame-ancestors *";
const FRAMED_BY_US: &str = "frame-ancestors 'self'";

/// `GET /game/{id}`, and its score sheet for paper.
pub(super) async fn game(State(venue): State<Venue>, id: Result<Path<String>, PathRejection>) -> Response {
    document(status_of(&venue, &id), FRAMED_BY_US)
}

/// `GET /embed/{id}`
pub(super) async fn embed(State(venue): State<Venue>, id: Result<Path<String>, PathRejection>) -> Response {
    document(status_of(&venue, &id), FRAMED_BY_ALL)
}

// The page itself says that there is no such game, in the viewer's language, and goes on waiting for it.
fn status_of(venue: &Venue, id: &Result<Path<String>, PathRejection>) -> StatusCode {
    let known = id.as_ref().is_ok_and(|Path(id)| venue.hub.game(Audience::Public, id).is_some());
    if known { StatusCode::OK } else { StatusCode::NOT_FOUND }
}

/// `GET /arbiter/board/{id}`
pub(super) async fn document_of_arbiters() -> Response {
    document(StatusCode::OK, FRAMED_BY_US)
}

/// Everything else: the wall, the round, a file, or nothing.
pub(super) async fn other(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Problem::from(&saying::NO_METHOD).into_response();
    }
    match uri.path() {
        "/" | "/round" | "/round/pairings" | "/round/results" | "/arbiter" | "/arbiter/audit" => {
            document(StatusCode::OK, FRAMED_BY_US)
        }
        path => match WebFiles::get(path.trim_start_matches('/')) {
            Some(file) => asset(path, file),
            None if wants_html(&headers) => document(StatusCode::NOT_FOUND, FRAMED_BY_US),
            None => Problem::from(&saying::NO_RESOURCE).into_response(),
        },
    }
}

fn wants_html(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

fn document(status: StatusCode, frames: &'static str) -> Response {
    let cache = [(header::CACHE_CONTROL, "no-cache")];
    let mut answer = match WebFiles::get("index.html") {
        Some(file) => (status, cache, Html(file.data.into_owned())).into_response(),
        None => (status, cache, Html(NOT_BUILT)).into_response(),
    };
    let policy = format!("{}; {frames}", super::CONTENT_POLICY);
    if let Ok(policy) = policy.parse() {
        answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

// Names under assets/ carry a hash of their content, so a browser may keep them for ever.
fn asset(path: &str, file: EmbeddedFile) -> Response {
    let cache = if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        "html" => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], file.data.into_owned()).into_response()
}
