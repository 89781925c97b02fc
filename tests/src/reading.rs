//! What the referee reads in a trace, beside the truth of the twin.

use referee::{Config, Event, Happening, Incident, Input, Observer};
use sense::{Debounce, Uptime};
use trace::{Button, Header, Observation, Sensed};
use twin::Played;
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
        let config = Config { clock: header.clock.is_some(), ..Config::default() };
        let start = Position::standing(header.start).expect("the twin starts from a position");
        let mut observer = Observer::new(config, Debounce::default(), start);
        let mut reading = Reading::default();
        for Observation { at, sensed } in observations {
            match sensed {
                Sensed::Closed(frame) => observer.frame(*at, *frame),
                Sensed::Press(side) => observer.input(*at, Input::Press(*side)),
                Sensed::Button(Button::Adjust, side) => observer.input(*at, Input::Adjust(*side)),
                Sensed::Button(..) | Sensed::Camera(_) => observer.advance(*at),
            }
            reading.take(&mut observer);
        }
        let end = observations.last().map_or(Uptime::ZERO, |last| last.at);
        observer.advance(end.plus_us(60_000_000));
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

    /// Compares with what was really played.
    pub fn against(&self, played: &Played) -> Verdict {
        let truth = &played.truth.moves;
        let same = self.moves.iter().zip(truth).take_while(|(read, true_one)| read == true_one).count();
        Verdict { committed: same, played: truth.len(), wrong: (self.moves.len() > same).then_some(same) }
    }
}
