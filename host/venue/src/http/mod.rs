//! What the venue answers over HTTP.

mod api;
mod arbiter;
mod events;
mod pages;
mod problem;
mod sign_in;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::routing::{get, post};
use tokio::sync::{Semaphore, watch};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::console::Console;
use crate::hub::Hub;
use problem::Problem;

/// Event streams that may be open at once; the next viewer is asked to come back.
const VIEWERS: usize = 4096;

/// The largest request: names and passwords are all that anybody sends.
const LARGEST_BODY: usize = 16 * 1024;

/// What every handler may use.
#[derive(Clone)]
struct Venue {
    hub: Arc<Hub>,
    /// Without accounts there is no console.
    console: Option<Arc<Console>>,
    stopped: watch::Receiver<bool>,
    viewers: Arc<Semaphore>,
}

/// Everything stays on this server: no script, font, picture or connection to anywhere else. Styles may stand in
/// attributes, because the diagram places its pieces with them.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
    font-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'";

/// The whole site.
pub(crate) fn router(hub: Arc<Hub>, console: Option<Console>, stopped: watch::Receiver<bool>) -> Router {
    let console = console.map(Arc::new);
    let venue = Venue { hub, console, stopped, viewers: Arc::new(Semaphore::new(VIEWERS)) };
    let api = Router::new()
        .route("/games", get(api::games))
        .route("/games/{id}", get(api::game))
        .route("/games/{id}/record/{format}", get(api::record))
        .route("/games/{id}/sheet", get(api::sheet))
        .route("/openapi.json", get(api::openapi))
        .route("/events", get(events::events))
        .route("/arbiter/session", get(sign_in::session))
        .route("/arbiter/setup", post(sign_in::setup))
        .route("/arbiter/login", post(sign_in::login))
        .route("/arbiter/logout", post(sign_in::logout))
        .route("/arbiter/accounts", get(sign_in::accounts).post(sign_in::add_account))
        .route("/arbiter/boards", get(arbiter::boards))
        .route("/arbiter/boards/{id}/journal", get(arbiter::journal))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .fallback(async || Problem::not_found("There is no such resource."))
        .method_not_allowed_fallback(async || Problem::method_not_allowed());
    let compressed = DefaultPredicate::new().and(NotForContentType::const_new("font/"));
    let fixed = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    Router::new()
        .nest("/api/v1", api)
        .route("/healthz", get(api::health))
        .route("/game/{id}", get(pages::game))
        .route("/embed/{id}", get(pages::embed))
        .route("/game/{id}/sheet", get(pages::game))
        .route("/arbiter/board/{id}", get(pages::document_of_arbiters))
        .fallback(pages::other)
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .layer(CompressionLayer::new().compress_when(compressed))
        .layer(fixed(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "same-origin"))
        .with_state(venue)
}
