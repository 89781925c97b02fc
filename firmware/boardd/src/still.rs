//! Which stills were ordered in a game, read from its records.

use referee::{Command, Event, Happening, Record, Snapshot, Still, StillOutcome};
use sense::Uptime;

use crate::camera::GIVEN_UP;
use crate::{FoundGame, Table};

/// The still that a record of the game at this table orders. There is no picture yet.
pub(crate) fn ordered(table: &Table, record: &Record) -> Option<Still> {
    let Record::Event(event) = record else { return None };
    still(event, table.game(), table.referee().conduct().plies())
}

/// The records of those that were ordered in a game and that nothing came of before the board stopped.
pub(crate) fn given_up(game: &FoundGame, now: Uptime) -> impl Iterator<Item = Record> {
    let mut open: Vec<Still> = Vec::new();
    let mut snapshot = Snapshot::begin("", game.seq, 0, &game.header);
    for line in &game.lines {
        match &line.record {
            Record::Event(event) => open.extend(still(event, &snapshot.game, snapshot.plies.len() as u32)),
            Record::Still(done) => {
                open.retain(|still| (&still.game, still.order) != (&done.game, done.order))
            }
            _ => {}
        }
        snapshot.apply(line);
    }
    open.into_iter().map(move |still| Record::Still(Box::new(Still { us: now.as_us(), ..still })))
}

fn still(event: &Event, game: &str, plies: u32) -> Option<Still> {
    match &event.what {
        Happening::Ordered { order, what } if what.command == Command::Still => Some(Still {
            us: event.us,
            game: game.to_owned(),
            order: *order,
            name: what.name.clone(),
            ordered_us: event.us,
            plies,
            outcome: StillOutcome::Failed { why: GIVEN_UP.to_owned() },
        }),
        _ => None,
    }
}
