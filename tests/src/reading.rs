//! Every event that the referee gives for a trace.

use referee::{Config, Event, Happening, Input, Observer};
use sense::{Debounce, Uptime};
use trace::{Button, Header, Observation, Sensed};
use xiangqi::{Move, Position};

/// What the referee made of a trace.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The moves that it committed, in order, resolved plies included.
    pub moves: Vec<Move>,
    /// Every event.
    pub events: Vec<Event>,
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
                Happening::TakenBack { ply, .. } => self.moves.truncate(*ply as usize - 1),
                _ => {}
            }
            self.events.push(event);
        }
    }
}
