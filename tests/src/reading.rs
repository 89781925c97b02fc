//! What the referee reads in a trace, beside the truth of the twin.

use referee::{Config, Event, Happening, Incident, Input, Observer};
use sense::{Debounce, Uptime};
use trace::{Button, Header, Observation, Sensed};
use twin::{Expected, Played};
use xiangqi::{Move, Position};

/// What the referee made of a trace.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The moves that it committed, in order, resolved plies included.
    pub moves: Vec<Move>,
    /// What an arbiter may want to see.
    pub incidents: Vec<Incident>,
    /// Every event.
    pub events: Vec<Event>,
}

/// How a reading compares with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Plies of the truth that were committed.
    pub committed: usize,
    /// Plies of the truth.
    pub played: usize,
    /// The first committed move, from 0, that was not played.
    pub wrong: Option<usize>,
}

impl Reading {
    /// Runs the referee over a trace, and for a minute of silence after it.
    pub fn of(header: &Header, observations: &[Observation]) -> Reading {
        let config = Config::of_header(header.rules.as_deref(), header.clock.as_deref())
            .unwrap_or_else(|error| panic!("{error}"));
        let start = Position::standing(header.start).expect("the twin starts from a position");
        let mut observer = Observer::new(config, Debounce::default(), start);
        let mut reading = Reading::default();
        for Observation { at, sensed } in observations {
            match sensed {
                Sensed::Closed(frame) => observer.frame(*at, *frame),
                Sensed::Press(side) => observer.input(*at, Input::Press(*side)),
                Sensed::Button(Button::Adjust, side) => observer.input(*at, Input::Adjust(*side)),
                Sensed::Button(Button::Draw, side) => observer.input(*at, Input::Draw(*side)),
                Sensed::Button(Button::Resign, side) => observer.input(*at, Input::Resign(*side)),
                Sensed::Button(Button::Arbiter, side) => observer.input(*at, Input::CallArbiter(*side)),
                Sensed::Camera(_) => observer.advance(*at),
            }
            reading.take(&mut observer);
        }
        let end = observations.last().map_or(Uptime::ZERO, |last| last.at);
        observer.end(end);
        reading.take(&mut observer);
        reading
    }

    fn take(&mut self, observer: &mut Observer) {
        while let Some(event) = observer.poll_event() {
            match &event.what {
                Happening::Moved(moved) => {
                    self.moves.truncate(moved.ply as usize - 1);
                    self.moves.push(moved.mv);
                }
                Happening::Resolved { ply, moves, .. } => {
                    self.moves.truncate(*ply as usize - 1);
                    self.moves.extend(moves);
                }
                Happening::Incident(incident) => self.incidents.push(incident.clone()),
                _ => {}
            }
            self.events.push(event);
        }
    }

    /// Expected incidents that were not reported, and reported ones that were not expected, by kind.
    pub fn incidents_against(&self, played: &Played) -> (Vec<Expected>, Vec<Incident>) {
        let mut missed = Vec::new();
        let mut extra = self.incidents.clone();
        for expected in &played.truth.incidents {
            let same = |incident: &Incident| {
                kind_name(incident) == expected.kind
                    && incident.ply == expected.ply
                    && expected.square.is_none_or(|square| incident.squares.contains(&square))
            };
            match extra.iter().position(same) {
                Some(found) => drop(extra.remove(found)),
                None => missed.push(expected.clone()),
            }
        }
        (missed, extra)
    }

    /// Compares with what was really played.
    pub fn against(&self, played: &Played) -> Verdict {
        let truth = &played.truth.moves;
        let same = self.moves.iter().zip(truth).take_while(|(read, true_one)| read == true_one).count();
        Verdict { committed: same, played: truth.len(), wrong: (self.moves.len() > same).then_some(same) }
    }
}

/// The kind of an incident, as records name it.
pub fn kind_name(incident: &Incident) -> String {
    let value = serde_json::to_value(incident.kind).expect("a kind is a word");
    value.as_str().unwrap_or_default().to_owned()
}
