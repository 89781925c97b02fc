//! Signing in and out of the arbiter console, and what guards every request to it.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::Venue;
use super::problem::Problem;
use super::saying;
use crate::console::{AddError, Console, NewAccount, Role, Session, matches, session_seconds, sum};
use crate::tls::Peer;

const COOKIE: &str = "luozi_session";
/// What a page repeats in every request that changes something.
const CSRF: &str = "x-luozi-csrf";

/// The console, if this venue has one.
pub(super) struct Open(pub Arc<Console>);

/// Somebody who is signed in. A request that changes something has also shown that it comes from our own page.
pub(super) struct SignedIn(pub Session);

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|value| value.split("; ")).find_map(|pair| pair.strip_prefix(COOKIE)?.strip_prefix('='))
}

fn cookie_of(venue: &Venue, secret: &str, seconds: u64) -> String {
    let secure = if venue.secure { "; Secure" } else { "" };
    format!("{COOKIE}={secret}; HttpOnly; SameSite=Strict{secure}; Path=/; Max-Age={seconds}")
}

/// Whether a browser says that the request comes from another site.
fn is_foreign(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    match (text(header::ORIGIN), text(header::HOST)) {
        (None, _) => false,
        (Some(origin), Some(host)) => origin.split_once("://").is_none_or(|(_, from)| from != host),
        (Some(_), None) => true,
    }
}

impl FromRequestParts<Venue> for Open {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, venue: &Venue) -> Result<Open, Problem> {
        if parts.method != Method::GET && is_foreign(&parts.headers) {
            return Err(Problem::from(&saying::FOREIGN));
        }
        venue.console.clone().map(Open).ok_or(Problem::from(&saying::NO_CONSOLE))
    }
}

impl FromRequestParts<Venue> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, venue: &Venue) -> Result<SignedIn, Problem> {
        let Open(console) = Open::from_request_parts(parts, venue).await?;
        let secret = cookie(&parts.headers).ok_or(Problem::from(&saying::NOT_SIGNED_IN))?;
        let sessions = console.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let session = sessions.get(secret, Instant::now()).ok_or(Problem::from(&saying::NOT_SIGNED_IN))?;
        let shown = parts.headers.get(CSRF).map(axum::http::HeaderValue::as_bytes);
        if parts.method != Method::GET && shown != Some(session.csrf.as_bytes()) {
            return Err(Problem::from(&saying::FORGED));
        }
        Ok(SignedIn(session))
    }
}

/// Who is signed in, as the page sees it.
#[derive(Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
enum Standing {
    /// There is no account yet.
    Setup,
    SignedOut,
    SignedIn {
        name: String,
        role: Role,
        csrf: String,
        /// Whether this venue can give orders to boards.
        orders: bool,
    },
}

impl Standing {
    fn of(session: Session, venue: &Venue) -> Standing {
        let Session { name, role, csrf, .. } = session;
        Standing::SignedIn { name, role, csrf, orders: venue.orders.is_some() }
    }
}

/// `GET /api/v1/arbiter/session`
pub(super) async fn session(Open(console): Open, State(venue): State<Venue>, headers: HeaderMap) -> Response {
    let sessions = console.sessions.lock().unwrap_or_else(PoisonError::into_inner);
    let session = cookie(&headers).and_then(|secret| sessions.get(secret, Instant::now()));
    let empty = console.accounts.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
    let standing = match session {
        Some(session) => Standing::of(session, &venue),
        None if empty => Standing::Setup,
        None => Standing::SignedOut,
    };
    ([(header::CACHE_CONTROL, "no-store")], Json(standing)).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FirstAccount {
    code: String,
    name: String,
    password: String,
}

/// `POST /api/v1/arbiter/setup`: the first account, an organiser's. Whoever makes it knows the code that the venue printed.
pub(super) async fn setup(
    Open(console): Open,
    State(venue): State<Venue>,
    ConnectInfo(Peer(from)): ConnectInfo<Peer>,
    first: Result<Json<FirstAccount>, JsonRejection>,
) -> Result<Response, Problem> {
    let Json(first) = first.map_err(|fault| Problem::of_body(&fault, r#"{"code", "name", "password"}"#))?;
    let sources = [from.ip().to_string()];
    begin(&console, &sources)?;
    if !console.accounts.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
        return Err(Problem::from(&saying::ALREADY_SET_UP));
    }
    if first.code.trim() != console.setup_code {
        return Err(Problem::from(&saying::WRONG_CODE));
    }
    forgive(&console, &sources);
    let new = NewAccount { name: first.name, role: Role::Organiser, password: first.password };
    add(&console, new, true).await.map(|(name, role)| enter(&venue, &console, &name, role))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Credentials {
    name: String,
    password: String,
}

/// `POST /api/v1/arbiter/login`
pub(super) async fn login(
    Open(console): Open,
    State(venue): State<Venue>,
    ConnectInfo(Peer(from)): ConnectInfo<Peer>,
    credentials: Result<Json<Credentials>, JsonRejection>,
) -> Result<Response, Problem> {
    let wanted = credentials.map_err(|fault| Problem::of_body(&fault, r#"{"name", "password"}"#));
    let Json(Credentials { name, password }) = wanted?;
    // Addresses and names never look alike.
    let sources = [from.ip().to_string(), format!("name {name}")];
    begin(&console, &sources)?;
    let (role, known) = console.accounts.lock().unwrap_or_else(PoisonError::into_inner).of(&name);
    let _turn = console.checks.acquire().await.map_err(|_| Problem::from(&saying::BUSY))?;
    let right = tokio::task::spawn_blocking(move || matches(&password, &known)).await.unwrap_or(false);
    match role {
        Some(role) if right => {
            forgive(&console, &sources);
            Ok(enter(&venue, &console, &name, role))
        }
        _ => Err(Problem::from(&saying::WRONG_PASSWORD)),
    }
}

/// `POST /api/v1/arbiter/logout`
pub(super) async fn logout(
    _: SignedIn,
    Open(console): Open,
    State(venue): State<Venue>,
    headers: HeaderMap,
) -> Response {
    if let Some(secret) = cookie(&headers) {
        console.sessions.lock().unwrap_or_else(PoisonError::into_inner).close(secret);
    }
    let gone = cookie_of(&venue, "", 0);
    ([(header::SET_COOKIE, gone)], Json(Standing::SignedOut)).into_response()
}

/// `GET /api/v1/arbiter/accounts`: names and roles, for organisers.
pub(super) async fn accounts(SignedIn(session): SignedIn, Open(console): Open) -> Result<Response, Problem> {
    organiser(&session)?;
    let accounts = console.accounts.lock().unwrap_or_else(PoisonError::into_inner);
    let list: Vec<_> =
        accounts.list().map(|(name, role)| serde_json::json!({ "name": name, "role": role })).collect();
    Ok(Json(list).into_response())
}

/// `POST /api/v1/arbiter/accounts`: makes an account, for organisers.
pub(super) async fn add_account(
    SignedIn(session): SignedIn,
    Open(console): Open,
    new: Result<Json<NewAccount>, JsonRejection>,
) -> Result<Response, Problem> {
    organiser(&session)?;
    let Json(new) = new.map_err(|fault| Problem::of_body(&fault, r#"{"name", "role", "password"}"#))?;
    let (name, role) = add(&console, new, false).await?;
    tracing::info!("{} made an account for {name}", session.name);
    Ok(Json(serde_json::json!({ "name": name, "role": role })).into_response())
}

fn organiser(session: &Session) -> Result<(), Problem> {
    match session.role {
        Role::Organiser => Ok(()),
        Role::TableArbiter | Role::ChiefArbiter => Err(Problem::from(&saying::ORGANISERS_ONLY)),
    }
}

async fn add(console: &Console, new: NewAccount, first: bool) -> Result<(String, Role), Problem> {
    let refuse = |error| match error {
        AddError::Name => Problem::from(&saying::BAD_NAME),
        AddError::Taken => Problem::from(&saying::NAME_TAKEN),
        AddError::Password => Problem::from(&saying::BAD_PASSWORD),
        AddError::Disk(error) => {
            tracing::error!("accounts cannot be written: {error}");
            Problem::from(&saying::INTERNAL)
        }
    };
    console.accounts.lock().unwrap_or_else(PoisonError::into_inner).check(&new).map_err(refuse)?;
    let _turn = console.checks.acquire().await.map_err(|_| Problem::from(&saying::BUSY))?;
    let password = new.password.clone();
    let summed = tokio::task::spawn_blocking(move || sum(&password)).await.ok().flatten();
    let summed = summed.ok_or(Problem::from(&saying::INTERNAL))?;
    let mut accounts = console.accounts.lock().unwrap_or_else(PoisonError::into_inner);
    // Two may have known the code; the second comes too late.
    if first && !accounts.is_empty() {
        return Err(Problem::from(&saying::ALREADY_SET_UP));
    }
    accounts.add(&new, summed).map_err(refuse)?;
    Ok((new.name.trim().to_owned(), new.role))
}

fn enter(venue: &Venue, console: &Console, name: &str, role: Role) -> Response {
    let mut sessions = console.sessions.lock().unwrap_or_else(PoisonError::into_inner);
    let (secret, session) = sessions.open(name, role, Instant::now());
    tracing::info!("{name} has signed in");
    let seconds = session_seconds();
    let cookie = cookie_of(venue, &secret, seconds);
    let headers = [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, "no-store".to_owned())];
    (headers, Json(Standing::of(session, venue))).into_response()
}

fn begin(console: &Console, sources: &[String]) -> Result<(), Problem> {
    let mut attempts = console.attempts.lock().unwrap_or_else(PoisonError::into_inner);
    if attempts.begin(sources, Instant::now()) {
        Ok(())
    } else {
        Err(Problem::from(&saying::TOO_MANY_ATTEMPTS))
    }
}

fn forgive(console: &Console, sources: &[String]) {
    console.attempts.lock().unwrap_or_else(PoisonError::into_inner).forgive(sources);
}
