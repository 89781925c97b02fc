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
use super::sign_in::SignedIn;
use crate::console::{may_order, may_undo};
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
    let Path(board) = board.map_err(|_| Problem::bad_request("The id is not valid UTF-8."))?;
    let Json(wanted) = wanted.map_err(|fault| Problem::of_body(&fault, fault.body_text()))?;
    if !is_id(&board) || !is_id(&wanted.game) || !is_id(&wanted.id) {
        return Err(Problem::bad_request("Expected ids of 1 to 64 letters, digits, - _ and ."));
    }
    let reason = wanted.reason.trim();
    if reason.chars().count() > LONGEST_REASON || reason.chars().any(char::is_control) {
        return Err(Problem::bad_request("A reason is one line of at most 500 characters."));
    }
    if wanted.command.needs_reason() && reason.is_empty() {
        return Err(Problem::bad_request("This order needs a reason."));
    }
    let game = venue.hub.game(Audience::Arbiters, &wanted.game).filter(|game| game.summary.board == board);
    let game = game.ok_or(Problem::not_found("There is no such game at this board."))?;
    let may = match &wanted.command {
        Command::Undo { undo } => {
            let undone = venue.hub.order(&board, &wanted.game, *undo);
            may_undo(session.role, undone.as_ref())
        }
        command => may_order(session.role, command, game.summary.result.is_some()),
    };
    may.map_err(Problem::forbidden)?;
    let desk =
        venue.orders.as_ref().ok_or(Problem::unavailable("This venue has no key to give orders with."))?;
    let order = Order { name: session.name.clone(), reason: reason.to_owned(), command: wanted.command };
    tracing::info!(board, game = wanted.game, ?order, "ordered");
    match Arc::clone(desk).give(&wanted.id, &board, &wanted.game, order, PATIENCE).await {
        Ok(answer) => match answer.outcome {
            Outcome::Applied { .. } => {
                Ok(([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response())
            }
            Outcome::Refused { text, .. } => Err(Problem::conflict(format!("The board refused: {text}."))),
        },
        Err(NoAnswer::Silence) => Err(Problem::silence(
            "The board has not answered. It may carry the order out yet: sending it again tells.",
        )),
        Err(error @ (NoAnswer::NoBroker(_) | NoAnswer::TooMany)) => {
            Err(Problem::unavailable(format!("The order did not leave: {error}.")))
        }
    }
}
