//! One game on one board: moves in, evidence and the truth out.

use sense::Uptime;
use trace::{Header, Observation, Sensed};
use xiangqi::{Illegality, Move, Position, Square};

use crate::dice::{Dice, span};
use crate::fault::{Fault, FaultKind};
use crate::hands::Hands;
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
        let table = Table::thrown(&mut dice.fork(stream::TABLE));
        let (script, position) = self.script(&table, style, &dice);
        let end = script.motions.iter().map(|m| m.end).max().unwrap_or(Uptime::ZERO);
        let mut fault_dice = dice.fork(stream::FAULTS);
        let (faults, broken) = faults_of(style, &self.start, &mut fault_dice, end);
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

/// The faults of a style, and the reeds that are broken for good.
fn faults_of(style: Style, _start: &Position, dice: &mut Dice, end: Uptime) -> (Vec<Fault>, Vec<Square>) {
    let mut faults = Vec::new();
    let any = |dice: &mut Dice| Square::new(dice.between(0, 89) as usize).expect("one of ninety");
    let stuck = match style {
        Style::StuckOpen => Some(FaultKind::Open),
        Style::StuckClosed => Some(FaultKind::Closed),
        _ => None,
    };
    let mut broken = Vec::new();
    if let Some(kind) = stuck {
        let square = any(dice);
        faults.push(Fault { square, begin: Uptime::ZERO, end: None, kind });
        broken.push(square);
    }
    if style == Style::Noise {
        // A disturbance of some kind twice a second on the whole board.
        let mut at = Uptime::ZERO;
        while at < end {
            at = at.plus_us(dice.between(20_000, 1_000_000) as u64);
            let square = any(dice);
            let (kind, length) = dice.weighted(&[
                (6, (FaultKind::Inverted, span(200, 2_500))),
                (3, (FaultKind::Open, span(2_000, 50_000))),
            ]);
            let until = at.plus_us(dice.rather_low(length) as u64);
            faults.push(Fault { square, begin: at, end: Some(until), kind });
        }
    }
    (faults, broken)
}
