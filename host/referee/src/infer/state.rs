//! How unlikely the board is that is seen now, if a history is all that was played. That goes when the board changes.

use sense::Uptime;
use xiangqi::Color;

use super::Evidence;
use super::contacts::contacts_cost;
use super::history::{History, PASSING_US, PUSHED_US};
use super::weigh::{self, Cost};
use crate::hands::{Landing, Lift, OVERLAP_US};

/// It costs one more for each time that nobody pushes a piece onto its point, in microseconds.
const NUDGED_US: u64 = 1_000_000;

impl History {
    /// How unlikely the board is that is seen now, if this is the whole history. It goes when the board changes.
    pub(crate) fn state(&self, evidence: &Evidence<'_>) -> Cost {
        self.mess(evidence)
            + self.silence(evidence)
            + self.stillness(evidence)
            + self.contact_state(evidence)
            + self.overdue(evidence.now, evidence.ended)
            + self.answered(evidence.now)
            + self.going_on()
    }

    /// How unlikely it is that the opponent replied to a piece that then goes on as if it had not stopped.
    fn going_on(&self) -> Cost {
        self.aloft(self.turn()).map(|lift| self.passing(lift.square, lift.at)).max().unwrap_or(0)
    }

    fn contact_state(&self, evidence: &Evidence<'_>) -> Cost {
        let touched = contacts_cost(self, &self.hands.contacts, None, evidence.habits);
        touched + if self.is_overtaken_by_capture() { weigh::OVERTAKEN } else { 0 }
    }

    /// The waiting side's piece is in the air and a piece of the mover was touched since: that is a capture.
    fn is_overtaken_by_capture(&self) -> bool {
        let mover = self.turn();
        self.aloft(!mover).any(|lift| {
            self.hands.contacts.iter().any(|contact| {
                !contact.is_brief()
                    && contact.closed > lift.at
                    && self.color_at(contact.square) == Some(mover)
                    && self.reaches(lift.square, contact.square)
            })
        })
    }

    /// How far the pieces are from where they should be.
    pub(crate) fn mess(&self, evidence: &Evidence<'_>) -> Cost {
        let mover = self.turn();
        let count = |color: Color| self.aloft(color).count() as Cost;
        let (own, enemy) = (count(mover), count(!mover));
        let mut cost = weigh::TWO_OWN * own.saturating_sub(1);
        if self.last_is_aloft() {
            cost += weigh::TAKEN_UP_AGAIN;
        }
        cost +=
            [0, 5, 15].get(enemy as usize).copied().unwrap_or(15 + weigh::TWO_OWN * enemy.saturating_sub(2));
        let mut placed = 0;
        for landing in &self.hands.landed {
            let own_way = self.put_by(mover, landing);
            let on_its_way = own > 0 && evidence.is_moving() && self.heard_by(mover, landing);
            if placed < own.max(1) && own_way {
                placed += 1;
            } else if own_way && on_its_way {
                // Two reeds notice a piece that is pushed from one to the other.
                cost += weigh::PASSING;
            } else if self.is_corrected(landing.square) {
                cost += weigh::CORRECTED;
            } else if self.put_by(!mover, landing) {
                cost += weigh::OVERTAKEN;
            } else if on_its_way || evidence.now.us_since(landing.at) < PASSING_US {
                cost += weigh::PASSING;
            } else {
                cost += self.unexplained(landing, evidence.now);
            }
        }
        cost
    }

    /// Pieces of that side that are off their points and were so when that one came to stand: what stood before somebody took
    /// up a piece is another.
    fn off_when(&self, color: Color, landing: &Landing) -> impl Iterator<Item = &Lift> {
        let before = landing.at.plus_us(OVERLAP_US);
        let lifted = self.hands.lifted.iter().filter(move |lift| self.color_at(lift.square) == Some(color));
        lifted.filter(move |lift| lift.silent || lift.at <= before)
    }

    /// Whether a piece of that side could have been set down there then.
    fn put_by(&self, color: Color, landing: &Landing) -> bool {
        self.off_when(color, landing).any(|lift| self.position.range(lift.square).contains(landing.square))
    }

    /// Whether a piece of that side could have passed there then.
    fn heard_by(&self, color: Color, landing: &Landing) -> bool {
        self.off_when(color, landing).any(|lift| !lift.silent)
    }

    /// Pieces that are believed to stand unnoticed: the longer nobody nudges them, the less likely.
    fn silence(&self, evidence: &Evidence<'_>) -> Cost {
        let second = self.knows_broken(evidence);
        let most = |lift: &Lift| weigh::never_nudged(evidence.worked.contains(lift.square), second);
        self.hands.silent().map(|lift| self.silence_of(lift, evidence.now, most(lift))).sum()
    }

    /// Whether a reed is known to be broken.
    pub(super) fn knows_broken(&self, evidence: &Evidence<'_>) -> bool {
        !(self.broken() | evidence.unreliable).is_empty()
    }

    /// A piece beside its point is pushed onto it soon, if its reed works; in the long run, in plies and in time, it costs `most`.
    /// Of a reed that missed the last piece too time tells nothing.
    pub(super) fn silence_of(&self, lift: &Lift, now: Uptime, most: Cost) -> Cost {
        if self.missed.contains(lift.square) {
            return 0;
        }
        let after = self.plies.iter().filter(|ply| ply.begin > lift.at).count() as Cost;
        let waited = now.us_since(lift.at) / NUDGED_US;
        (weigh::NOT_NUDGED * after).min(waited as Cost).min(most)
    }

    /// A move that could be finished has stood still: by and by it is.
    fn stillness(&self, evidence: &Evidence<'_>) -> Cost {
        let mover = self.turn();
        let quiet = evidence.quiet_us();
        let still = evidence.now.us_since(evidence.changed);
        let overtaken = self.hands.landed.iter().any(|landing| self.reached_by(!mover, landing.square));
        if overtaken && still >= quiet {
            return weigh::STILL_HELD;
        }
        let Some(lift) = self.aloft(mover).next() else { return 0 };
        let stood = self.hands.landed.iter().any(|landing| self.reaches(lift.square, landing.square));
        if stood {
            return if still >= quiet && !evidence.may_go_on(self) { weigh::STILL_HELD } else { 0 };
        }
        let replaced = self.hands.contacts.iter().any(|contact| {
            contact.is_filled_by(lift)
                && contact.away_us >= PUSHED_US
                && self.color_at(contact.square) == Some(!mover)
                && self.reaches(lift.square, contact.square)
        });
        if replaced && still >= 2 * quiet { weigh::STILL_HELD } else { 0 }
    }
}
