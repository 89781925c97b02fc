//! How unlikely it is that pieces were touched, or that their reeds dropped out, beside the move that is read.

use sense::Uptime;
use xiangqi::Bitboard;

use super::basis::Basis;
use super::history::{History, Reading};
use super::weigh::{self, Cost, Habits};
use crate::hands::{Contact, Hands};

/// Two reeds notice a piece that is pushed from one point to the next for no longer, in microseconds.
const PUSHED_OVER_US: u64 = 100_000;

/// How unlikely it is that pieces dropped out by chance, while one that could have captured them was in the hand.
pub(super) fn chance_cost(hands: &Hands, prey: Bitboard, left: Uptime, habits: &Habits) -> Cost {
    let by_chance = |c: &&Contact| c.is_brief() && !c.shaken && c.closed > left && prey.contains(c.square);
    hands.contacts.iter().filter(by_chance).map(|c| habits.dropout(c.square, c.closed.us_since(left))).sum()
}

/// How unlikely it is that those points were touched beside the move that is read.
pub(super) fn contacts_cost(
    before: &History,
    contacts: &[Contact],
    reading: Option<&Reading>,
    habits: &Habits,
) -> Cost {
    let mv = reading.map(|reading| reading.mv);
    let mover = mv.and_then(|mv| before.color_at(mv.from)).unwrap_or(before.turn());
    let in_hand = match mv {
        Some(mv) => before.hands.lift_of(mv.from),
        None => before.aloft(mover).min_by_key(|lift| lift.at),
    };
    let in_hand_since = in_hand.map(|lift| lift.at);
    // A reed that dropped out tells something only where the piece in the hand could have made a capture.
    let could_capture = |square| in_hand.is_some_and(|lift| before.reaches(lift.square, square));
    // A piece that was touched just after a capture nobody saw has rather been captured itself.
    let suspicious = |square| before.is_suspicious(square);
    let costs =
        contacts.iter().filter(|c| mv.is_none_or(|mv| c.square != mv.from && c.square != mv.to)).map(|c| {
            if c.is_brief() && c.shaken {
                0
            } else if c.is_brief() {
                let window_us = in_hand_since.map_or(0, |since| c.closed.us_since(since));
                if could_capture(c.square) { habits.dropout(c.square, window_us) } else { 0 }
            } else if let Some(reading) = reading.filter(|r| r.basis.is_guess() || r.illegal.is_some())
                && in_hand.is_some_and(|lift| c.spans(lift))
            {
                if reading.basis == Basis::Silent {
                    weigh::SWAPPED_FOR_SILENCE
                } else {
                    weigh::RATHER_SWAPPED
                }
            } else if before.color_at(c.square) == Some(mover) {
                match mv {
                    _ if suspicious(c.square) => weigh::RATHER_CAPTURED,
                    Some(_) => weigh::TOUCHED_NOT_MOVED,
                    None if c.again < before.since => weigh::RATHER_CAPTURED,
                    None => weigh::HESITATION,
                }
            } else if in_hand.is_some_and(|l| c.is_pushed_over(l, PUSHED_OVER_US) && could_capture(c.square))
            {
                // No hand lets one piece go and takes the next up at the same moment.
                weigh::RATHER_CAPTURED
            } else if in_hand_since.is_some_and(|since| c.closed > since) {
                let silent = reading.is_some_and(|reading| reading.basis == Basis::Silent);
                if silent { weigh::SWAPPED_FOR_SILENCE } else { weigh::TOUCHED_WITH_PIECE_IN_HAND }
            } else {
                weigh::TOUCHED_ENEMY
            }
        });
    costs.sum::<Cost>().min(weigh::SWAPPED_FOR_SILENCE)
}
