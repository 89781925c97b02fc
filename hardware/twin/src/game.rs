//! One game on one board: moves in, evidence and the truth out.

use sense::Uptime;
use trace::{Header, Observation, Sensed};
use xiangqi::{Board, Color, Illegality, Move, Position, Square};

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
    /// The reeds that are broken for good, from the start or from some moment on.
    pub broken: Vec<Square>,
    /// The rules that were broken on purpose, in order.
    pub incidents: Vec<Expected>,
}

/// A rule that was broken on purpose, as `luozi replay` should report it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The ply that was being played, from 1.
    pub ply: u32,
    /// Whose it is.
    pub side: Color,
    /// The kind, as the command line names it.
    pub kind: &'static str,
    /// The point concerned, if there is one.
    pub square: Option<Square>,
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
    /// When the last move stood on its point and its player had pressed the clock. What hands do later is clearing the board, or setting
    /// it up again.
    pub over: Uptime,
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

    /// The position after its moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, mv| position.play_unchecked(*mv))
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
        let (script, incidents, over) = self.script(&table, style, dice.fork(stream::HANDS));
        let Nuisances { faults, broken } =
            Nuisances::thrown(style, &table, &script, &mut dice.fork(stream::FAULTS));
        let timeline = table.perform(&script, &faults, &dice);
        let schedule = Schedule::default();
        let mut header = Header::new(*self.start.setup(), schedule.scan_hz());
        header.clock = style.clock().map(str::to_owned);
        let observations = observations(&timeline, schedule, &script);
        let position = self.moves.iter().fold(self.start, |position, mv| position.play_unchecked(*mv));
        let truth = Truth { moves: self.moves.clone(), position, broken, incidents };
        Played { header, observations, truth, over, timeline }
    }

    /// What hands do, the rules that they break, and when the last move was over.
    fn script(&self, table: &Table, style: Style, mut dice: Dice) -> (Script, Vec<Expected>, Uptime) {
        let habits = style.habits();
        let set_up = dice.permille(habits.set_up);
        let clear = dice.permille(habits.clear);
        let board = if set_up { &Board::EMPTY } else { self.start.board() };
        let hands = Hands::new(table, board, habits.strength, habits.off_centre_um, dice);
        let mut players = Players::new(hands, habits, style.clock().is_some());
        if set_up {
            let ready = players.set_up(self.start.board(), Uptime::from_ms(1_500));
            players.turned_at(ready.plus_us(6_000_000));
        }
        let mut incidents = Vec::new();
        let mut position = self.start;
        let mut last = None;
        for (mv, ply) in self.moves.iter().zip(1..) {
            incidents.extend(players.dispute(&position, *mv, ply));
            let made = players.play(&position, *mv, last);
            last = Some((*mv, made));
            position = position.play_unchecked(*mv);
        }
        let over = players.bring_last_home();
        if clear && last.is_some() {
            let begin = over.plus_us(8_000_000);
            // The next pair wants to play, or the pieces go back to the box.
            if players.hands.dice.permille(300) {
                players.set_up(Position::initial().board(), begin);
            } else {
                players.clear(begin);
            }
        }
        (players.hands.done(), incidents, over)
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
