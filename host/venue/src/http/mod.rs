//! What the venue answers over HTTP.

mod api;
mod arbiter;
mod events;
mod inquiries;
mod orders;
mod pages;
mod papers;
mod problem;
mod saying;
mod sign_in;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::from_fn;
use axum::routing::{MethodRouter, get, post};
use tokio::sync::{Semaphore, watch};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::console::Console;
use crate::hub::Hub;
use crate::{OrderDesk, WebAddress};
use problem::{Problem, in_the_language_asked_for};

/// Event streams that may be open at once; the next viewer is asked to come back.
const VIEWERS: usize = 20_000;
/// Event streams of people who have signed in.
const ARBITERS: usize = 256;

/// Games that are gone through again at once for arbiters who ask.
const INQUIRIES: usize = 2;

/// Sheets that are made ready for paper at once; whoever asks next is asked to come back.
const PAPERS: usize = 16;

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
    arbiters: Arc<Semaphore>,
    /// Without a key nobody orders anything.
    orders: Option<Arc<OrderDesk>>,
    inquiries: Arc<Semaphore>,
    papers: Arc<Semaphore>,
    /// Whether cookies may travel over TLS only.
    secure: bool,
    /// Where the standings are.
    standings: Option<Arc<str>>,
}

/// Everything stays on this server: no script, font, picture or connection to anywhere else. Styles may stand in
/// attributes, because the diagram places its pieces with them.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
    font-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'";

/// Whom a route answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Everybody, with what the public may see.
    Public,
    /// Everybody; it has to do with signing in, and nothing with games.
    Door,
    /// Who has signed in.
    Arbiters,
}

/// Every route but the pages' files. The router is made of this list, so a test that walks it misses none.
fn routes() -> Vec<(&'static str, Route, MethodRouter<Venue>)> {
    vec![
        ("/healthz", Route::Public, get(api::health)),
        ("/game/{id}", Route::Public, get(pages::game)),
        ("/game/{id}/sheet", Route::Public, get(pages::game)),
        ("/embed/{id}", Route::Public, get(pages::embed)),
        ("/arbiter/board/{id}", Route::Public, get(pages::document_of_arbiters)),
        ("/api/v1/games", Route::Public, get(api::games)),
        ("/api/v1/games/{id}", Route::Public, get(api::game)),
        ("/api/v1/games/{id}/record/{format}", Route::Public, get(api::record)),
        ("/api/v1/games/{id}/sheet", Route::Public, get(api::sheet)),
        ("/api/v1/games/{id}/score-sheet.pdf", Route::Public, get(papers::score)),
        ("/api/v1/pairings.pdf", Route::Public, get(papers::pairings)),
        ("/api/v1/results.pdf", Route::Public, get(papers::results)),
        ("/api/v1/links", Route::Public, get(api::links)),
        ("/api/v1/openapi.json", Route::Public, get(api::openapi)),
        ("/api/v1/events", Route::Public, get(events::events)),
        ("/api/v1/arbiter/session", Route::Door, get(sign_in::session)),
        ("/api/v1/arbiter/setup", Route::Door, post(sign_in::setup)),
        ("/api/v1/arbiter/login", Route::Door, post(sign_in::login)),
        ("/api/v1/arbiter/logout", Route::Arbiters, post(sign_in::logout)),
        ("/api/v1/arbiter/accounts", Route::Arbiters, get(sign_in::accounts).post(sign_in::add_account)),
        ("/api/v1/arbiter/boards", Route::Arbiters, get(arbiter::boards)),
        ("/api/v1/arbiter/boards/{id}/journal", Route::Arbiters, get(arbiter::journal)),
        ("/api/v1/arbiter/boards/{id}/readings", Route::Arbiters, get(inquiries::readings)),
        ("/api/v1/arbiter/boards/{id}/laws", Route::Arbiters, get(inquiries::laws)),
        ("/api/v1/arbiter/boards/{id}/orders", Route::Arbiters, post(orders::order)),
        ("/api/v1/arbiter/games/{id}/score-sheet.pdf", Route::Arbiters, get(papers::score_now)),
        ("/api/v1/arbiter/pairings.pdf", Route::Arbiters, get(papers::pairings_now)),
        ("/api/v1/arbiter/results.pdf", Route::Arbiters, get(papers::results_now)),
        ("/api/v1/arbiter/audit", Route::Arbiters, get(inquiries::audit)),
        ("/api/v1/arbiter/events", Route::Arbiters, get(events::events_for_arbiters)),
    ]
}

/// Every route but the pages' files, and whom it answers.
pub fn route_list() -> Vec<(&'static str, Route)> {
    routes().into_iter().map(|(path, route, _)| (path, route)).collect()
}

/// What the site is made of.
pub(crate) struct Parts {
    pub hub: Arc<Hub>,
    pub console: Option<Console>,
    pub orders: Option<Arc<OrderDesk>>,
    pub stopped: watch::Receiver<bool>,
    /// Whether it is served over TLS.
    pub secure: bool,
    /// Where the standings are.
    pub standings: Option<WebAddress>,
}

/// The whole site.
pub(crate) fn router(Parts { hub, console, orders, stopped, secure, standings }: Parts) -> Router {
    let console = console.map(Arc::new);
    let venue = Venue {
        secure,
        standings: standings.map(|address| address.as_str().into()),
        hub,
        console,
        stopped,
        viewers: Arc::new(Semaphore::new(VIEWERS)),
        arbiters: Arc::new(Semaphore::new(ARBITERS)),
        orders,
        inquiries: Arc::new(Semaphore::new(INQUIRIES)),
        papers: Arc::new(Semaphore::new(PAPERS)),
    };
    let routes = routes().into_iter().fold(Router::new(), |router, (path, _, answer)| {
        router.route(path, answer.layer(DefaultBodyLimit::max(LARGEST_BODY)))
    });
    let compressed = DefaultPredicate::new().and(NotForContentType::const_new("font/"));
    let fixed = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    routes
        .fallback(pages::other)
        .method_not_allowed_fallback(async || Problem::from(&saying::NO_METHOD))
        .layer(from_fn(in_the_language_asked_for))
        .layer(CompressionLayer::new().compress_when(compressed))
        .layer(fixed(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "same-origin"))
        .with_state(venue)
}
