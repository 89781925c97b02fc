//! What became of the orders that came over the wire, read from the journal: nothing is answered before it is on disk.

use std::collections::BTreeMap;
use std::fmt::Display;

use referee::relay::{Answer, OrderBody, Outcome, Rejection, SignedOrder};
use referee::{By, Event, Happening, Line, Record};
use serde::Serialize;
use serde_json::Value;

/// An order that has been checked, on its way to the game.
#[derive(Clone, Debug)]
pub struct CheckedOrder {
    /// As it came.
    pub signed: SignedOrder,
    /// What it says.
    pub body: OrderBody,
}

/// The answers to the orders of one game.
#[derive(Debug)]
pub(crate) struct Answers {
    board: String,
    game: String,
    /// The order whose events come next.
    open: Option<String>,
    given: BTreeMap<String, Answer>,
}

impl Answers {
    pub(crate) fn new(board: &str) -> Answers {
        Answers { board: board.to_owned(), game: String::new(), open: None, given: BTreeMap::new() }
    }

    /// What became of that order.
    pub(crate) fn get(&self, id: &str) -> Option<&Answer> {
        self.given.get(id)
    }

    /// Reads the next line. Gives the answer that it makes known.
    pub(crate) fn fold(&mut self, line: &Line) -> Option<&Answer> {
        let what = match &line.record {
            Record::Game(header) if header.game != self.game => {
                self.game.clone_from(&header.game);
                self.given.clear();
                self.open = None;
                return None;
            }
            Record::Order { id, .. } => {
                self.open = Some(id.clone()).filter(|id| !id.is_empty());
                return None;
            }
            Record::Event(event) => &event.what,
            // One comes when a camera is done, the other with every so many lines, whatever else goes on.
            Record::Still(_) | Record::Signed { .. } => return None,
            _ => {
                self.open = None;
                return None;
            }
        };
        // The first that is told after an order, but for a move that it completes, is what became of it.
        let outcome = match what {
            Happening::Ordered { order, what } => Outcome::Applied {
                game: self.game.clone(),
                seq: line.seq,
                order: *order,
                what: Box::new(what.clone()),
            },
            Happening::Refused { by: By::Arbiter(_), why, .. } => {
                Outcome::Refused { seq: Some(line.seq), why: word(why), text: why.to_string() }
            }
            _ => return None,
        };
        let id = self.open.take()?;
        let answer = Answer { v: Answer::VERSION, board: self.board.clone(), id: id.clone(), outcome };
        Some(self.given.entry(id).or_insert(answer))
    }
}

/// Says in the log which orders the game refuses.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// The order whose events come next.
    order: String,
}

impl Refusals {
    /// Looks at the next record of the game.
    pub(crate) fn look(&mut self, board: &str, record: &Record) {
        match record {
            Record::Order { id, .. } => self.order.clone_from(id),
            Record::Event(Event {
                what: Happening::Refused { by: By::Arbiter(_), request, why }, ..
            }) => {
                say_refused(board, &self.order, request, why);
            }
            _ => {}
        }
    }
}

fn say_refused(board: &str, order: &str, kind: &str, why: &dyn Display) {
    tracing::warn!(board, order, kind, "an order was refused: {why}");
}

/// The answer to an order that did not get as far as the game. The log says so, too.
pub(crate) fn rejected(board: &str, id: &str, kind: &str, why: Rejection) -> Answer {
    say_refused(board, id, kind, &why);
    let outcome = Outcome::Refused { seq: None, why: word(&why), text: why.to_string() };
    Answer { v: Answer::VERSION, board: board.to_owned(), id: id.to_owned(), outcome }
}

/// A reason as one word: `no_reason`, `clock_paused`.
fn word(why: &impl Serialize) -> String {
    match serde_json::to_value(why) {
        Ok(Value::String(word)) => word,
        Ok(Value::Object(fields)) => {
            let parts = fields.iter().map(|(of, what)| format!("{of}_{}", what.as_str().unwrap_or_default()));
            parts.collect::<Vec<_>>().join("_")
        }
        _ => String::from("refused"),
    }
}

#[cfg(test)]
mod tests {
    use referee::{Command, Digest, Order, Refusal};

    use super::*;

    fn line(seq: u64, record: Record) -> Line {
        Line { seq, prev: Digest::ZERO, utc_ms: 0, record, hash: Digest::ZERO }
    }

    #[test]
    fn an_order_is_answered_though_the_board_signs_between_it_and_what_became_of_it() {
        let order = Box::new(Order { name: "Li Wei".into(), reason: String::new(), command: Command::Still });
        let (us, key, signature) = (1, String::new(), String::new());
        let what = Happening::Refused {
            by: By::Arbiter("Li Wei".into()),
            request: "still".into(),
            why: Refusal::Unknown,
        };
        let mut answers = Answers::new("b1");
        let records = [
            Record::Order { us, order, id: "n-1".into(), signed: None },
            Record::Signed { us, key, signature },
            Record::Event(Event { us, what }),
        ];
        let said: Vec<bool> =
            (63..).zip(records).map(|(seq, record)| answers.fold(&line(seq, record)).is_some()).collect();
        assert_eq!(said, [false, false, true]);
        assert!(answers.get("n-1").is_some());
    }
}
