//! The scan of a real board: reeds and buttons a thousand times a second, generic over how they are wired.

use std::collections::VecDeque;
use std::fmt::Debug;

use embedded_hal::digital::InputPin;
use referee::GameHeader;
use sense::{Debouncer, Frame, ReedMatrix, Uptime};
use trace::{Observation, Sensed};
use xiangqi::{Bitboard, Position};

use crate::Panel;
use crate::button::Buttons;
use crate::front::{Front, NoFront};
use crate::service::Counted;
use crate::source::{GoingOn, Sensing, Source};

/// From scan to scan, unless a board is read more slowly.
const PERIOD_US: u64 = 1_000;
/// How long the daemon is kept waiting when nothing changes.
const LONGEST_WAIT_US: u64 = 20_000;
/// The starting position must stand so long before a game begins of itself.
const STANDS_US: u64 = 3_000_000;
/// So many points must have changed since a game began before its starting position means a new game.
const PLAYED: u32 = 4;

/// Time for a scan loop: the hardware's, or the twin's.
pub trait Clock: Send + 'static {
    /// The time, in microseconds since an origin of the clock's own.
    fn now_us(&self) -> u64;
    /// Waits until then.
    fn wait_until_us(&mut self, at: u64);
}

/// What a scan loop has to tell of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanCount {
    /// Scans that gave a reading.
    pub scans: u64,
    /// Scans that began more than half a period late.
    pub late: u64,
    /// By how much the latest of them began late, in microseconds.
    pub latest_us: u64,
    /// Scans that failed: a pin or a bus gave an error.
    pub failed: u64,
}

/// A board whose reeds and buttons are read.
///
/// A game begins when the starting position has stood for three seconds. The next one begins when it stands again after
/// pieces were moved. What stands is what the debounced points say: a row that is misread once, or a contact that chatters,
/// neither keeps a game from beginning nor ends one.
pub struct ScannedBoard<M, P, C, F = NoFront> {
    matrix: M,
    buttons: Buttons<P>,
    front: F,
    clock: C,
    masked: Bitboard,
    header: GameHeader,
    /// The daemon's time minus the clock's, as the daemon said at the start.
    origin: (u64, Uptime),
    next_us: u64,
    period_us: u64,
    count: ScanCount,
    failing: bool,
    last: Option<Frame>,
    points: Debouncer,
    /// What stands, and since when.
    stands: (Bitboard, Uptime),
    waiting: VecDeque<Sensing>,
    game: Game,
}

/// Whether a game is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Game {
    None,
    Begun { played: bool },
}

impl<M, P, C> ScannedBoard<M, P, C> {
    /// A board without displays and lamps that is read; see [`fitted`](ScannedBoard::fitted).
    pub fn new(matrix: M, buttons: Buttons<P>, clock: C, masked: Bitboard, header: GameHeader) -> Self {
        ScannedBoard::fitted(matrix, buttons, NoFront, clock, masked, header)
    }
}

impl<M, P, C, F> ScannedBoard<M, P, C, F> {
    /// A board that is read; `masked` points say nothing. `header` is what is known of its games: each gets an id and a
    /// time of its own. `front` shows people what the board knows.
    pub fn fitted(
        matrix: M,
        buttons: Buttons<P>,
        front: F,
        clock: C,
        masked: Bitboard,
        header: GameHeader,
    ) -> Self {
        let points = Debouncer::new(header.debounce(), Bitboard::EMPTY);
        ScannedBoard {
            matrix,
            buttons,
            front,
            clock,
            masked,
            header,
            origin: (0, Uptime::ZERO),
            next_us: 0,
            period_us: PERIOD_US,
            count: ScanCount::default(),
            failing: false,
            last: None,
            points,
            stands: (Bitboard::EMPTY, Uptime::ZERO),
            waiting: VecDeque::new(),
            game: Game::None,
        }
    }

    /// The same board, read every `period_us` microseconds instead of every millisecond.
    #[must_use]
    pub fn every(self, period_us: u64) -> Self {
        ScannedBoard { period_us, ..self }
    }
}

impl<M: ReedMatrix<Error: Debug>, P: InputPin, C: Clock, F: Front> ScannedBoard<M, P, C, F> {
    fn uptime(&self, clock_us: u64) -> Uptime {
        self.origin.1.plus_us(clock_us.saturating_sub(self.origin.0))
    }

    /// Waits for the next scan and makes it; what it found waits to be handed out.
    fn scan(&mut self) -> Uptime {
        self.clock.wait_until_us(self.next_us);
        let begin_us = self.clock.now_us();
        let late_us = begin_us.saturating_sub(self.next_us);
        if late_us > self.period_us / 2 {
            self.count.late += 1;
            self.count.latest_us = self.count.latest_us.max(late_us);
        }
        // Scans that were missed are not made up for.
        self.next_us = self.next_us.max(begin_us.saturating_sub(self.period_us)) + self.period_us;
        let now = self.uptime(begin_us);
        match self.matrix.scan() {
            Ok(frame) => {
                self.count.scans += 1;
                if std::mem::take(&mut self.failing) {
                    tracing::warn!("the reeds can be read again");
                }
                self.sensed(now, Frame::new(frame.closed & !self.masked));
            }
            Err(error) => {
                self.count.failed += 1;
                if !std::mem::replace(&mut self.failing, true) {
                    tracing::error!(?error, "the reeds cannot be read; readings are left out until they can");
                }
            }
        }
        self.front.tick(now, !self.failing);
        let waiting = &mut self.waiting;
        self.buttons
            .read(now, &mut |sensed| waiting.push_back(Sensing::Observed(Observation { at: now, sensed })));
        now
    }

    fn sensed(&mut self, now: Uptime, frame: Frame) {
        if self.last == Some(frame) {
            self.points.advance(now, &mut |_, _| ());
        } else {
            self.last = Some(frame);
            self.points.sample(now, frame, &mut |_, _| ());
            self.waiting.push_back(Sensing::Observed(Observation { at: now, sensed: Sensed::Closed(frame) }));
        }
        let settled = self.points.settled();
        let start = self.header.start.board().occupied() & !self.masked;
        if settled != self.stands.0 {
            self.stands = (settled, now);
            if let Game::Begun { played } = &mut self.game {
                *played |= (settled ^ start).count() >= PLAYED;
            }
        }
        // A game's first reading is one without a slip.
        let ready = settled == start && frame.closed == start && now.us_since(self.stands.1) >= STANDS_US;
        if ready && self.game != (Game::Begun { played: false }) {
            self.begin(now, frame);
        }
    }

    fn begin(&mut self, now: Uptime, frame: Frame) {
        self.game = Game::Begun { played: false };
        let us = now.as_us();
        // The board's uptime goes on through restarts, so no two games of a board share an id.
        let game = format!("{}-{us}", self.header.game);
        self.waiting.push_back(Sensing::Game(Box::new(GameHeader { game, us, ..self.header.clone() })));
        self.waiting.push_back(Sensing::Observed(Observation { at: now, sensed: Sensed::Closed(frame) }));
    }
}

impl<M, P, C, F> Counted for ScannedBoard<M, P, C, F>
where
    M: ReedMatrix<Error: Debug> + Send + 'static,
    P: InputPin + Send + 'static,
    C: Clock,
    F: Front,
{
    fn count(&self) -> ScanCount {
        self.count
    }
}

impl<M, P, C, F> Source for ScannedBoard<M, P, C, F>
where
    M: ReedMatrix<Error: Debug> + Send + 'static,
    P: InputPin + Send + 'static,
    C: Clock,
    F: Front,
{
    fn start(&mut self, now: Uptime, going_on: Option<GoingOn>) {
        self.origin = (self.clock.now_us(), now);
        self.next_us = self.origin.0;
        self.game = match going_on {
            Some(going_on) if !going_on.over => Game::Begun { played: going_on.observations > 1 },
            _ => Game::None,
        };
    }

    fn next(&mut self, deadline: Option<Uptime>) -> Sensing {
        let patience = self.uptime(self.clock.now_us()).plus_us(LONGEST_WAIT_US);
        let until = deadline.map_or(patience, |deadline| deadline.min(patience));
        loop {
            if let Some(sensing) = self.waiting.pop_front() {
                return sensing;
            }
            let now = self.scan();
            if self.waiting.is_empty() && now >= until {
                return Sensing::Quiet(now);
            }
        }
    }

    fn show(&mut self, panel: &Panel) {
        self.front.show(panel);
    }

    fn has_panel(&self) -> bool {
        F::FITTED
    }
}

/// A board that begins its games at the usual position.
pub fn usual_header(board: &str, clock: Option<String>) -> GameHeader {
    GameHeader {
        clock,
        table: board.to_owned(),
        ..GameHeader::new(board.to_owned(), Position::initial(), "cxa-2010")
    }
}
