//! Performing a scenario.

use sense::Uptime;
use trace::Header;
use xiangqi::{Move, Position, Setup, Square};

use super::{Deed, Scenario, ScenarioError, Step, When};
use crate::dice::{Dice, span};
use crate::fault::{Fault, FaultKind};
use crate::game::{Played, Truth, observations, stream};
use crate::hands::Hands;
use crate::player::{Players, slide_way};
use crate::scan::Schedule;
use crate::style::Habits;
use crate::table::Table;

impl Scenario {
    /// Performs the scenario on the board, and with the hands, that the seed throws.
    ///
    /// The truth holds the moves of the `expect moves` line. A gesture with a piece that is not there is an error.
    pub fn play(&self, seed: u64) -> Result<Played, ScenarioError> {
        let dice = Dice::new(seed);
        let table = Table::thrown(&mut dice.fork(stream::TABLE));
        let habits = Habits { slide: 0, hold: 0, ..Habits::CALM };
        let hands =
            Hands::new(&table, &self.stands, habits.strength, habits.off_centre_um, dice.fork(stream::HANDS));
        let mut stage = Stage {
            players: Players::new(hands, habits, self.clock.is_some()),
            held: vec![None; Square::COUNT],
            faults: Vec::new(),
            begin: Uptime::ZERO,
            end: Uptime::ZERO,
        };
        for step in &self.steps {
            stage.step(self, step).map_err(|why| ScenarioError { line: step.line, why })?;
        }
        let Stage { players, faults, end: over, .. } = stage;
        let script = players.hands.done();
        let timeline = table.perform(&script, &faults, &dice);
        let schedule = Schedule::default();
        let mut header = Header::new(self.start, schedule.scan_hz());
        header.clock.clone_from(&self.clock);
        header.rules.clone_from(&self.rules);
        let observations = observations(&timeline, schedule, &script);
        let truth = self.truth()?;
        Ok(Played { header, observations, truth, over, timeline })
    }

    fn truth(&self) -> Result<Truth, ScenarioError> {
        let position = Position::standing(self.start)
            .map_err(|e| ScenarioError { line: 1, why: format!("start: {e}") })?;
        let mut truth = Truth { moves: Vec::new(), position, broken: Vec::new(), incidents: Vec::new() };
        let lines = self.expectations.iter().filter(|e| e.words.first().is_some_and(|word| word == "moves"));
        for expectation in lines {
            for word in &expectation.words[1..] {
                let mv: Move = word
                    .parse()
                    .map_err(|e| ScenarioError { line: expectation.line, why: format!("{word:?}: {e}") })?;
                truth.moves.push(mv);
                truth.position = truth.position.play_unchecked(mv);
            }
        }
        Ok(truth)
    }
}

/// The scenario so far.
struct Stage<'a> {
    players: Players<'a>,
    /// Pieces in hand or knocked over, by the point where they stood.
    held: Vec<Option<usize>>,
    faults: Vec<Fault>,
    /// When the gesture before began and ended.
    begin: Uptime,
    end: Uptime,
}

impl Stage<'_> {
    fn step(&mut self, scenario: &Scenario, step: &Step) -> Result<(), String> {
        let begin = match step.when {
            When::At(at) => at,
            When::AfterEnd(us) => self.end.plus_us(us),
            When::AfterBegin(us) => self.begin.plus_us(us),
        };
        let end = match &step.deed {
            Deed::Play(moves) => self.play(moves, begin)?,
            Deed::SetUp => self.players.set_up(&scenario.start.board, begin),
            Deed::Clear => self.players.clear(begin),
            Deed::Panel(panel) => {
                self.players.hands.panel(begin, *panel);
                begin
            }
            Deed::Reed { square, kind, us } => self.fault(*square, *kind, begin, *us),
            Deed::Chatter { square, us } => self.chatter(*square, begin, *us),
            deed => self.gesture(deed, begin, step.took_us)?,
        };
        (self.begin, self.end) = (begin, end);
        Ok(())
    }

    /// The piece named by the point where it stood last, and whether it is in hand.
    fn find(&self, square: Square) -> Result<(usize, bool), String> {
        let held = self.held[square.index()].map(|piece| (piece, true));
        held.or(self.players.hands.piece_on(square).map(|piece| (piece, false)))
            .ok_or(format!("no piece stands on {square}, and none was taken up there"))
    }

    fn spot(&mut self, piece: usize, square: Square) -> crate::Place {
        let beside = self.players.habits.off_centre_um;
        self.players.hands.spot(piece, square, beside)
    }

    fn gesture(&mut self, deed: &Deed, begin: Uptime, took: Option<u64>) -> Result<Uptime, String> {
        let carry = self.players.us(self.players.habits.carry_ms);
        let took_us = took.unwrap_or(carry);
        Ok(match deed {
            Deed::Lift(square) => {
                let (piece, _) = self.find(*square)?;
                self.players.hands.belongs(piece, None);
                self.held[square.index()] = Some(piece);
                self.players.hands.lift(piece, begin, took.unwrap_or(carry / 4))
            }
            Deed::Set { piece, on } => {
                let to = self.find(*piece).map(|(magnet, _)| self.spot(magnet, *on))?;
                self.set(*piece, Some(*on), to, begin, took_us)?
            }
            Deed::SetBetween { piece, points: (a, b) } => {
                let geometry = self.players.hands.table.geometry;
                let between = geometry.point(*a).towards(geometry.point(*b), 1, 2);
                self.set(*piece, Some(*a), between, begin, took_us)?
            }
            Deed::Move(mv) => {
                let to = self.find(mv.from).map(|(magnet, _)| self.spot(magnet, mv.to))?;
                self.set(mv.from, Some(mv.to), to, begin, took_us)?
            }
            Deed::Slide { mv, stops } => self.slide(*mv, stops, begin, took)?,
            Deed::Capture { by, mv, manner } => {
                self.find(mv.from)?;
                self.find(mv.to)?;
                let way = slide_way(&self.players.hands.board(), *mv);
                if let Some(us) = took {
                    let ms = span(us as i64 / 1000, us as i64 / 1000);
                    self.players.habits.carry_ms = ms;
                    self.players.habits.between_ms = span(0, ms.low / 4);
                }
                let end = self.players.capture_so(*manner, *by, *mv, way, begin);
                self.players.habits.carry_ms = Habits::CALM.carry_ms;
                self.players.habits.between_ms = Habits::CALM.between_ms;
                end
            }
            Deed::Remove { by, piece } => {
                let (magnet, _) = self.find(*piece)?;
                self.held[piece.index()] = None;
                self.players.hands.carry_off(magnet, begin, took_us, *by)
            }
            Deed::Touch { piece, us } => {
                let (magnet, _) = self.find(*piece)?;
                let back = self.spot(magnet, *piece);
                let aloft = self.players.hands.lift(magnet, begin, 25_000);
                self.players.hands.go(magnet, aloft.plus_us(us.saturating_sub(15_000)), 25_000, back)
            }
            Deed::Nudge(square) => {
                let (magnet, _) = self.find(*square)?;
                let to = self.spot(magnet, *square);
                self.players.hands.slide(magnet, begin, 150, to)
            }
            Deed::Knock(squares) => self.knock(squares, begin)?,
            Deed::Place { piece, on } => {
                let magnet = self.players.hands.add(*piece, 1_000);
                self.players.hands.belongs(magnet, Some(*on));
                let to = self.spot(magnet, *on);
                self.players.hands.hop(magnet, begin, took_us, to)
            }
            _ => begin,
        })
    }

    /// Sets a piece down, whether it is in hand already or still stands somewhere.
    fn set(
        &mut self,
        from: Square,
        on: Option<Square>,
        to: crate::Place,
        begin: Uptime,
        took_us: u64,
    ) -> Result<Uptime, String> {
        let (piece, held) = self.find(from)?;
        self.held[from.index()] = None;
        self.players.hands.belongs(piece, on);
        Ok(if held {
            self.players.hands.set_down(piece, begin, took_us, to)
        } else {
            self.players.hands.hop(piece, begin, took_us, to)
        })
    }

    fn slide(
        &mut self,
        mv: Move,
        stops: &[(Square, u64)],
        begin: Uptime,
        took: Option<u64>,
    ) -> Result<Uptime, String> {
        let (piece, _) = self.find(mv.from)?;
        let to = self.spot(piece, mv.to);
        let way = i64::from(self.players.hands.place(piece).flat_distance(to));
        let speed = match took {
            Some(us) => way * 1000 / us.max(1) as i64,
            None => self.players.hands.dice.within(self.players.habits.slide_um_per_ms),
        };
        let mut now = begin;
        for (over, stop_us) in stops {
            let place = self.spot(piece, *over);
            now = self.players.hands.slide(piece, now, speed, place).plus_us(*stop_us);
        }
        self.players.hands.belongs(piece, Some(mv.to));
        Ok(self.players.hands.slide(piece, now, speed, to))
    }

    /// Pieces fall over at once and lie where no reed notices them.
    fn knock(&mut self, squares: &[Square], begin: Uptime) -> Result<Uptime, String> {
        let pitch = self.players.hands.table.geometry.pitch_um;
        let mut end = begin;
        for square in squares {
            let (piece, _) = self.find(*square)?;
            self.players.hands.belongs(piece, None);
            self.held[square.index()] = Some(piece);
            let jolt = begin.plus_us(self.players.us(span(0, 60)));
            // A magnet that lies on its side works no reed; standing high above the board is as good.
            let lies = self.players.hands.place(piece).shifted(pitch / 2, pitch / 2).at_height(2 * pitch);
            let took = self.players.us(span(80, 250));
            end = end.max(self.players.hands.go(piece, jolt, took, lies));
        }
        Ok(end)
    }

    fn play(&mut self, moves: &[Move], begin: Uptime) -> Result<Uptime, String> {
        self.players.turned_at(begin);
        let mut last = None;
        let mut end = begin;
        for mv in moves {
            let board = self.players.hands.board();
            let turn = board.color_at(mv.from).ok_or(format!("no piece stands on {}", mv.from))?;
            let setup = Setup { board, turn, quiet_plies: 0, round: 1 };
            let position = Position::standing(setup).map_err(|e| format!("before {mv}: {e}"))?;
            let made = self.players.play(&position, *mv, last);
            end = made.pressed.unwrap_or(made.stood);
            last = Some((*mv, made));
        }
        Ok(end)
    }

    fn fault(&mut self, square: Square, kind: FaultKind, begin: Uptime, us: Option<u64>) -> Uptime {
        let end = us.map(|us| begin.plus_us(us));
        self.faults.push(Fault { square, begin, end, kind });
        end.unwrap_or(begin)
    }

    /// The reed reads the opposite again and again, for 1 to 20 ms each time.
    fn chatter(&mut self, square: Square, begin: Uptime, us: u64) -> Uptime {
        let until = begin.plus_us(us);
        let mut at = begin;
        while at < until {
            let length = self.players.us(span(1, 20));
            let end = at.plus_us(length).min(until);
            self.faults.push(Fault { square, begin: at, end: Some(end), kind: FaultKind::Inverted });
            at = end.plus_us(self.players.us(span(1, 20)));
        }
        until
    }
}
