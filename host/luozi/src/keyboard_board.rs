//! A board that a person plays on the keyboard: pieces that are taken up and set down, buttons that are pressed.
//!
//! It says what reeds would say and nothing more, so the referee has to find out what was played, as on a real board.

use std::collections::VecDeque;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use boardd::{GoingOn, Panel, Sensing, Source};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use referee::{Command, GameHeader, Order};
use sense::{Frame, Uptime};
use trace::{Button, Observation, Sensed};
use xiangqi::{Bitboard, Board, Color, File, Piece, Position, Rank, Square};

use crate::panel_view;

/// The longest that the daemon waits for a key.
const LONGEST_WAIT: Duration = Duration::from_millis(50);
/// How long a victim's point stays empty before the capturing piece stands on it.
const CAPTURE_US: u64 = 120_000;

/// What is played.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The time control.
    pub clock: String,
    /// The edition of the rules.
    pub rules: String,
    /// What the table is called.
    pub table: String,
}

/// The pieces as they really stand, and what has been done to them.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// What stands where.
    pub board: Board,
    /// The piece in hand.
    pub hand: Option<Piece>,
    /// Where the next piece is taken up or set down.
    pub cursor: Square,
    due: VecDeque<Observation>,
}

impl Pieces {
    /// The pieces of a position, none in hand.
    pub fn of(position: &Position, now: Uptime) -> Pieces {
        let board = *position.board();
        let cursor = Square::at(File::ALL[4], Rank::ALL[0]);
        let mut pieces = Pieces { board, hand: None, cursor, due: VecDeque::new() };
        pieces.sense(now);
        pieces
    }

    /// The pieces of a game that goes on. Where one point is empty that should not be, its piece was in a hand, and still is.
    /// Where one of each side is missing, it was in the hand of the side to move, and about to stand where it captures.
    fn going_on(stands: Board, turn: Color, closed: Option<Bitboard>, now: Uptime) -> Pieces {
        let mut pieces = Pieces::of(&Position::initial(), now);
        pieces.due.clear();
        pieces.board = stands;
        let lifted = closed.map_or(Bitboard::EMPTY, |closed| stands.occupied() & !closed);
        let of =
            |side| lifted.filter(move |square| stands.piece_at(*square).is_some_and(|it| it.color == side));
        let (own, enemies) = (of(turn).collect::<Vec<_>>(), of(turn.other()).collect::<Vec<_>>());
        match (&own[..], &enemies[..]) {
            ([from], [to]) => {
                pieces.board.take(*to);
                (pieces.hand, pieces.cursor) = (pieces.board.take(*from), *to);
            }
            ([square], []) | ([], [square]) => {
                (pieces.hand, pieces.cursor) = (pieces.board.take(*square), *square);
            }
            _ => {}
        }
        pieces.sense(now);
        pieces
    }

    fn sense(&mut self, at: Uptime) {
        let closed = self.board.occupied();
        self.due.push_back(Observation { at, sensed: Sensed::Closed(Frame { closed }) });
    }

    /// Moves the cursor; at the edge it stays.
    pub fn step(&mut self, files: i8, ranks: i8) {
        self.cursor = self.cursor.offset(files, ranks).unwrap_or(self.cursor);
    }

    /// Takes up the piece under the cursor, or sets down the one in hand. What stood there is taken off the board first.
    pub fn touch(&mut self, now: Uptime) {
        match self.hand.take() {
            None => self.hand = self.board.take(self.cursor),
            Some(piece) => {
                let mut at = now;
                if self.board.take(self.cursor).is_some() {
                    self.sense(now);
                    at = now.plus_us(CAPTURE_US);
                }
                self.board.put(self.cursor, piece);
                return self.sense(at);
            }
        }
        if self.hand.is_some() {
            self.sense(now);
        }
    }

    /// Presses a button. What the reeds have still to say comes before it.
    pub fn press(&mut self, now: Uptime, sensed: Sensed) {
        let at = self.due.back().map_or(now, |last| last.at.max(now));
        self.due.push_back(Observation { at, sensed });
    }

    /// When the next observation is due.
    pub fn due(&self) -> Option<Uptime> {
        self.due.front().map(|observation| observation.at)
    }

    /// The next observation that is due.
    pub fn take(&mut self, now: Uptime) -> Option<Observation> {
        self.due.front().filter(|observation| observation.at <= now)?;
        self.due.pop_front()
    }
}

/// A board that a person plays on the keyboard of a terminal.
pub struct KeyboardBoard {
    setup: Setup,
    terminal: DefaultTerminal,
    started: Instant,
    start: Uptime,
    pieces: Option<Pieces>,
    panel: Panel,
    order: Option<Command>,
    ended: bool,
}

impl KeyboardBoard {
    /// Takes the terminal over until the board is dropped.
    pub fn new(setup: Setup) -> std::io::Result<KeyboardBoard> {
        let terminal = ratatui::try_init()?;
        let (started, start) = (Instant::now(), Uptime::ZERO);
        Ok(KeyboardBoard {
            setup,
            terminal,
            started,
            start,
            pieces: None,
            panel: Panel::default(),
            order: None,
            ended: false,
        })
    }

    fn now(&self) -> Uptime {
        self.start.plus_us(u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    fn begin(&mut self, now: Uptime) -> Sensing {
        self.pieces = Some(Pieces::of(&Position::initial(), now));
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Sensing::Game(Box::new(GameHeader {
            us: now.as_us(),
            clock: Some(self.setup.clock.clone()),
            table: self.setup.table.clone(),
            ..GameHeader::new(
                format!("panel-{}", since_1970.as_millis()),
                Position::initial(),
                self.setup.rules.clone(),
            )
        }))
    }

    fn key(&mut self, now: Uptime, key: KeyEvent) {
        let Some(pieces) = &mut self.pieces else { return };
        let button = |button, side| Sensed::Button(button, Some(side));
        match key.code {
            // A terminal that is read key by key leaves this one to us.
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => self.ended = true,
            KeyCode::Left => pieces.step(-1, 0),
            KeyCode::Right => pieces.step(1, 0),
            KeyCode::Up => pieces.step(0, 1),
            KeyCode::Down => pieces.step(0, -1),
            KeyCode::Char(' ') => pieces.touch(now),
            KeyCode::Char('r') => pieces.press(now, Sensed::Press(Color::Red)),
            KeyCode::Char('b') => pieces.press(now, Sensed::Press(Color::Black)),
            KeyCode::Char('d') => pieces.press(now, button(Button::Draw, Color::Red)),
            KeyCode::Char('D') => pieces.press(now, button(Button::Draw, Color::Black)),
            KeyCode::Char('g') => pieces.press(now, button(Button::Resign, Color::Red)),
            KeyCode::Char('G') => pieces.press(now, button(Button::Resign, Color::Black)),
            KeyCode::Char('a') => pieces.press(now, button(Button::Adjust, Color::Red)),
            KeyCode::Char('A') => pieces.press(now, button(Button::Adjust, Color::Black)),
            KeyCode::Char('c') => pieces.press(now, Sensed::Button(Button::Arbiter, None)),
            KeyCode::Char('s') => self.order = Some(Command::Start),
            KeyCode::Char('p') if self.panel.paused => self.order = Some(Command::Resume { side: None }),
            KeyCode::Char('p') => self.order = Some(Command::Pause),
            KeyCode::Char('n') if self.panel.result.is_some() => self.pieces = None,
            KeyCode::Char('q') | KeyCode::Esc => self.ended = true,
            _ => {}
        }
    }
}

impl Source for KeyboardBoard {
    fn start(&mut self, now: Uptime, going_on: Option<GoingOn>) {
        self.pieces = going_on.map(|game| Pieces::going_on(game.stands, game.turn, game.closed, now));
        self.started = Instant::now();
        self.start = now;
    }

    fn next(&mut self, deadline: Option<Uptime>) -> Sensing {
        let now = self.now();
        let Some(pieces) = &mut self.pieces else { return self.begin(now) };
        if let Some(observation) = pieces.take(now) {
            return Sensing::Observed(observation);
        }
        let next = [deadline, pieces.due()].into_iter().flatten().min();
        let wait = next.map_or(LONGEST_WAIT, |due| Duration::from_micros(due.us_since(now)));
        // A terminal that can be read no more is a board that has been switched off.
        match event::poll(wait.min(LONGEST_WAIT)) {
            Ok(true) => match event::read() {
                Ok(Event::Key(key)) if key.kind == KeyEventKind::Press => self.key(self.now(), key),
                Ok(_) => {}
                Err(_) => self.ended = true,
            },
            Ok(false) => {}
            Err(_) => self.ended = true,
        }
        let now = self.now();
        match self.order.take() {
            _ if self.ended => Sensing::Ended,
            Some(command) => Sensing::Order(now, Box::new(at_the_board(command))),
            None => Sensing::Quiet(now),
        }
    }

    fn show(&mut self, panel: &Panel) {
        self.panel = panel.clone();
        let Some(pieces) = &self.pieces else { return };
        let drawn = self.terminal.draw(|frame| panel_view::draw(frame, pieces, panel));
        self.ended |= drawn.is_err();
    }

    fn has_panel(&self) -> bool {
        true
    }
}

/// Whoever sits at the board is the arbiter, too.
fn at_the_board(command: Command) -> Order {
    Order { name: "panel".to_owned(), reason: "at the board".to_owned(), command }
}

impl Drop for KeyboardBoard {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardd::{Table, record_of};

    fn go(pieces: &mut Pieces, square: &str) {
        pieces.cursor = square.parse().unwrap();
    }

    #[test]
    fn what_is_played_on_the_keyboard_is_read_from_the_reeds() {
        let start = Position::initial();
        let mut pieces = Pieces::of(&start, Uptime::ZERO);
        let header: GameHeader = serde_json::from_str(
            r#"{"game":"g","us":0,"start":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
                "rules":"cxa-2010","clock":"10m"}"#,
        )
        .unwrap();
        let mut table = Table::new(&header);
        let moves = [("h2", "e2", Color::Red), ("h9", "g7", Color::Black), ("e2", "e6", Color::Red)];
        for (index, (from, to, side)) in moves.into_iter().enumerate() {
            let at = |ms: u64| Uptime::from_ms(2_000 * index as u64 + ms);
            go(&mut pieces, from);
            pieces.touch(at(500));
            go(&mut pieces, to);
            pieces.touch(at(900));
            pieces.press(at(1_000), Sensed::Press(side));
            while let Some(observation) = pieces.take(at(1_900)) {
                assert!(record_of(&observation).is_some());
                table.take(&observation);
            }
            table.advance(at(1_999));
        }
        let panel = Panel::of(table.referee(), Uptime::from_ms(6_000));
        let played: Vec<String> = table.referee().moves().iter().map(ToString::to_string).collect();
        assert_eq!(played, ["h2e2", "h9g7", "e2e6"]);
        assert_eq!((panel.plies, panel.halves.red.time.as_str()), (3, "9:58"));
    }

    /// A board that was killed with pieces off it puts them where hands had them.
    #[test]
    fn what_was_in_hand_is_in_hand_after_a_restart() {
        let stands = *Position::initial().board();
        let check = |lifted: &[&str], turn: Color, hand: Option<&str>, gone: u32, cursor: &str| {
            let squares = lifted.iter().map(|text| text.parse::<Square>().unwrap());
            let mut closed = stands.occupied();
            squares.for_each(|square| closed.remove(square));
            let pieces = Pieces::going_on(stands, turn, Some(closed), Uptime::ZERO);
            let expected = hand.map(|from| stands.piece_at(from.parse().unwrap()).unwrap());
            assert_eq!((pieces.hand, pieces.cursor.to_string().as_str()), (expected, cursor), "{lifted:?}");
            assert_eq!(32 - pieces.board.occupied().count(), gone, "{lifted:?}");
        };
        check(&[], Color::Red, None, 0, "e0");
        check(&["h2"], Color::Red, Some("h2"), 1, "h2");
        // Out of turn, too.
        check(&["h7"], Color::Red, Some("h7"), 1, "h7");
        // In the middle of a capture.
        check(&["h2", "h9"], Color::Red, Some("h2"), 2, "h9");
        check(&["h9", "h2"], Color::Black, Some("h9"), 2, "h2");
    }

    #[test]
    fn the_cursor_stays_on_the_board_and_an_empty_point_gives_nothing() {
        let mut pieces = Pieces::of(&Position::initial(), Uptime::ZERO);
        assert!(pieces.take(Uptime::ZERO).is_some());
        for _ in 0..20 {
            pieces.step(1, 1);
            pieces.step(0, 1);
        }
        assert_eq!(pieces.cursor.to_string(), "i9");
        go(&mut pieces, "e4");
        pieces.touch(Uptime::ZERO);
        assert_eq!((pieces.hand, pieces.take(Uptime::ZERO)), (None, None));
    }
}
