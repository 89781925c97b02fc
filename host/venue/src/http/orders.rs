//! What arbiters order of a game: checked for powers here, signed, carried out by the board, and answered.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use referee::relay::{Outcome, is_id};
use referee::{Command, Order};
use serde::Deserialize;

use super::Venue;
use super::problem::Problem;
use super::saying;
use super::sign_in::SignedIn;
use crate::console::{NotAllowed, may_order, may_undo};
use crate::hub::Audience;
use crate::order_desk::NoAnswer;

/// How long a board has to answer.
const PATIENCE: Duration = Duration::from_secs(8);
/// The longest reason: two lines of a form.
const LONGEST_REASON: usize = 500;

/// An order as a page sends it. The arbiter's name is that of the session.
#[derive(Deserialize)]
pub(super) struct Wanted {
    /// Names the order, so that asking again does not order twice.
    id: String,
    /// The game; an order for one that is over by now must not reach the next.
    game: String,
    #[serde(default)]
    reason: String,
    #[serde(flatten)]
    command: Command,
}

/// `POST /api/v1/arbiter/boards/{id}/orders`
pub(super) async fn order(
    SignedIn(session): SignedIn,
    State(venue): State<Venue>,
    board: Result<Path<String>, PathRejection>,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Response, Problem> {
    let Path(board) = board.map_err(|_| Problem::from(&saying::BAD_ADDRESS))?;
    let Json(wanted) = wanted.map_err(|fault| Problem::of_order(&fault))?;
    if !is_id(&board) || !is_id(&wanted.game) || !is_id(&wanted.id) {
        return Err(Problem::from(&saying::BAD_ID));
    }
    let reason = wanted.reason.trim();
    if reason.chars().count() > LONGEST_REASON || reason.chars().any(char::is_control) {
        return Err(Problem::from(&saying::BAD_REASON));
    }
    if wanted.command.needs_reason() && reason.is_empty() {
        return Err(Problem::from(&saying::NO_REASON));
    }
    let game = venue.hub.game(Audience::Arbiters, &wanted.game).filter(|game| game.summary.board == board);
    let game = game.ok_or(Problem::from(&saying::NOT_AT_BOARD))?;
    let may = match &wanted.command {
        Command::Undo { undo } => {
            let undone = venue.hub.order(&board, &wanted.game, *undo);
            may_undo(session.role, undone.as_ref())
        }
        command => may_order(session.role, command, game.summary.result.is_some()),
    };
    may.map_err(|why| Problem::from(saying_of(why)))?;
    let desk = venue.orders.as_ref().ok_or(Problem::from(&saying::NO_KEY))?;
    let order = Order { name: session.name.clone(), reason: reason.to_owned(), command: wanted.command };
    tracing::info!(board, game = wanted.game, ?order, "ordered");
    match Arc::clone(desk).give(&wanted.id, &board, &wanted.game, order, PATIENCE).await {
        Ok(answer) => match answer.outcome {
            Outcome::Applied { .. } => {
                Ok(([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response())
            }
            Outcome::Refused { why, text, .. } => Err(Problem::refused(why, text)),
        },
        Err(NoAnswer::Silence) => Err(Problem::from(&saying::SILENCE)),
        Err(NoAnswer::NoBroker(why)) => {
            tracing::warn!("an order did not leave: {why}");
            Err(Problem::from(&saying::NOT_SENT))
        }
        Err(NoAnswer::TooMany) => Err(Problem::from(&saying::TOO_MANY_ORDERS)),
    }
}

fn saying_of(why: NotAllowed) -> &'static saying::Saying {
    match why {
        NotAllowed::ChiefOnly => &saying::CHIEF_ONLY,
        NotAllowed::NotOrganisers => &saying::NOT_ORGANISERS,
        NotAllowed::NotAtHand => &saying::NOT_AT_HAND,
    }
}
