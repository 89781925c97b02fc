//! One game on one board: moves in, evidence and the truth out.

use trace::{Header, Observation, Sensed};
use xiangqi::{Illegality, Move, Position, Square};

use crate::dice::Dice;
use crate::hands::Hands;
use crate::nuisance::Nuisances;
use crate::player::Players;
use crate::scan::Schedule;
use crate::script::{Panel, Script};
use crate::style::Style;
use crate::table::{Table, Timeline};

/// A game to be played on the twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
}

/// What really happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The moves, in order.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: Position,
    /// The reeds that are broken for the whole game.
    pub broken: Vec<Square>,
}

/// A played game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The first line of its trace.
    pub header: Header,
    /// The other lines of its trace.
    pub observations: Vec<Observation>,
    /// What really happened.
    pub truth: Truth,
    /// What every reed did, for scan code that runs on [`PinBoard`](crate::PinBoard).
    pub timeline: Timeline,
}

/// The streams of dice.
pub(crate) mod stream {
    pub(crate) const TABLE: u64 = 1000;
    pub(crate) const HANDS: u64 = 1001;
    pub(crate) const FAULTS: u64 = 1002;
    pub(crate) const DEAD_SPOTS: u64 = 1003;
}

impl Game {
    /// A game that starts from `start`. The moves must be legal in turn; the first that is not is the error.
    pub fn new(start: Position, moves: Vec<Move>) -> Result<Game, (Move, Illegality)> {
        let mut position = start;
        for mv in &moves {
            position = position.play(*mv).map_err(|why| (*mv, why))?;
        }
        Ok(Game { start, moves })
    }

    /// The position from which it starts.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Its moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays the game. The same seed gives the same trace, byte for byte, on every machine.
    pub fn play(&self, style: Style, seed: u64) -> Played {
        let dice = Dice::new(seed);
        let mut table = Table::thrown(&mut dice.fork(stream::TABLE));
        if style == Style::Noise {
            table.give_dead_spots(&mut dice.fork(stream::DEAD_SPOTS));
        }
        let (script, position) = self.script(&table, style, &dice);
        let Nuisances { faults, broken } =
            Nuisances::thrown(style, &table, &script, &mut dice.fork(stream::FAULTS));
        let timeline = table.perform(&script, &faults, &dice);
        let schedule = Schedule::default();
        let mut header = Header::new(*self.start.setup(), schedule.scan_hz());
        header.clock = style.clock().map(str::to_owned);
        let observations = observations(&timeline, schedule, &script);
        Played {
            header,
            observations,
            truth: Truth { moves: self.moves.clone(), position, broken },
            timeline,
        }
    }

    fn script(&self, table: &Table, style: Style, dice: &Dice) -> (Script, Position) {
        let habits = style.habits();
        let hands = Hands::new(
            table,
            self.start.board(),
            habits.strength,
            habits.off_centre_um,
            dice.fork(stream::HANDS),
        );
        let mut players = Players::new(hands, habits, style.clock().is_some());
        let mut position = self.start;
        let mut last = None;
        for mv in &self.moves {
            let made = players.play(&position, *mv, last);
            last = Some((*mv, made));
            position = position.play_unchecked(*mv);
        }
        (players.hands.done(), position)
    }
}

/// What a board senses of a script, in time order.
pub(crate) fn observations(timeline: &Timeline, schedule: Schedule, script: &Script) -> Vec<Observation> {
    let frames = timeline.frames(schedule).into_iter().map(|(at, frame)| (at, Sensed::Closed(frame)));
    let panel = script.panel.iter().map(|(at, panel)| {
        let sensed = match *panel {
            Panel::Press(side) => Sensed::Press(side),
            Panel::Button(button, side) => Sensed::Button(button, Some(side)),
        };
        (*at, sensed)
    });
    let mut all: Vec<Observation> =
        frames.chain(panel).map(|(at, sensed)| Observation { at, sensed }).collect();
    all.sort_by_key(|observation| observation.at);
    all
}
