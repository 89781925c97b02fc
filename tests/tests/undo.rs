//! An order about the moves and its undoing in the middle of a sensed game: the game goes on as if nothing had been ordered.

use boardd::Table;
use referee::{Chain, Command, GameHeader, Line, Order, Record, Snapshot};
use sense::{Frame, Uptime};
use trace::{Observation, Sensed};
use twin::{Game, GameRecord, Style};
use xiangqi::{Bitboard, Color, Position};

/// A table and whoever follows its records.
struct Watched {
    table: Table,
    chain: Chain,
    snapshot: Snapshot,
}

impl Watched {
    fn order(&mut self, at: Uptime, command: Command) {
        self.table.order(at, &Order { name: "Li".into(), reason: "slip".into(), command });
        self.follow();
    }

    fn follow(&mut self) {
        while let Some(record) = self.table.poll_record() {
            let text = self.chain.seal(1, &serde_json::to_string(&record).expect("JSON"));
            self.snapshot.apply(&serde_json::from_str::<Line>(&text).expect("a line"));
        }
    }

    fn check(&self) {
        let referee = self.table.referee();
        let followed: Vec<_> = self.snapshot.plies.iter().map(|ply| ply.mv).collect();
        assert_eq!(followed, referee.moves());
        assert_eq!(self.snapshot.fen.board, *referee.position().board());
        assert_eq!(referee.conduct().plies() as usize, referee.moves().len());
    }
}

fn watched(game: &Game) -> Watched {
    follow(&GameHeader { clock: Some("60m+30s".into()), ..GameHeader::new("g", *game.start(), "cxa-2010") })
}

fn follow(header: &GameHeader) -> Watched {
    let mut chain = Chain::START;
    let begun = chain.seal(1, &serde_json::to_string(&Record::Game(Box::new(header.clone()))).expect("JSON"));
    let begun: Line = serde_json::from_str(&begun).expect("a line");
    let snapshot = Snapshot::begin("b1", begun.seq, begun.utc_ms, header);
    Watched { table: Table::new(header), chain, snapshot }
}

/// Plays twelve plies; after six or more of them these are ordered, each at once followed by its undoing.
fn check(commands: &[Command]) {
    let record = &GameRecord::shipped()[1];
    let moves: Vec<_> = record.game.moves().iter().take(12).copied().collect();
    let game = Game::new(*record.game.start(), moves.clone()).expect("the first moves of a legal game");
    let mut watched = watched(&game);
    let (mut ordered, mut closed) = (0, None);
    let observations = game.play(Style::Clean, 4).observations;
    for observation in &observations {
        watched.table.advance(observation.at);
        watched.follow();
        // Between two moves: the last is known and pressed, and nobody has begun another.
        let referee = watched.table.referee();
        let turn = Some(referee.position().turn());
        let is_pressed = referee.conduct().clock().is_some_and(|clock| clock.running() == turn);
        let stands = closed == Some(referee.position().board().occupied());
        if stands && is_pressed && ordered == 0 && referee.moves().len() >= 6 {
            for command in commands {
                let (before, clock) =
                    (watched.table.referee().moves().to_vec(), watched.shown(observation.at));
                watched.order(observation.at, command.clone());
                watched.check();
                watched.order(observation.at, Command::Undo { undo: 2 * ordered + 1 });
                watched.check();
                assert_eq!(watched.table.referee().moves(), before, "{command:?}");
                assert_eq!(watched.shown(observation.at), clock, "{command:?}");
                ordered += 1;
            }
        }
        watched.table.take(observation);
        watched.follow();
        if let Sensed::Closed(frame) = &observation.sensed {
            closed = Some(frame.closed);
        }
    }
    assert_eq!(ordered as usize, commands.len(), "the game stood still after six plies");
    let end = observations.last().expect("a game").at;
    watched.table.advance(end.plus_us(5_000_000));
    watched.follow();
    watched.check();
    assert_eq!(watched.table.referee().moves(), moves);
}

impl Watched {
    /// What is left, and whose time runs.
    fn shown(&self, now: Uptime) -> (u64, u64, Option<Color>) {
        let clock = self.table.referee().conduct().clock().expect("a clock").seen_at(now);
        let left = |side| clock.face(side).left_us();
        (left(Color::Red), left(Color::Black), clock.running())
    }
}

#[test]
fn moves_that_were_taken_back_stand_again() {
    check(&[Command::TakeBack { ply: 4 }]);
    check(&[Command::TakeBack { ply: 1 }, Command::TakeBack { ply: 6 }]);
}

#[test]
fn a_position_that_was_set_is_forgotten() {
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1".parse().expect("a position");
    check(&[Command::SetPosition { fen: Box::new(fen) }, Command::TakeBack { ply: 5 }]);
}

/// A board at which hands do what its test says.
struct Hands {
    watched: Watched,
    closed: Bitboard,
    now: Uptime,
}

impl Hands {
    fn at(start: &str, rules: &str) -> Hands {
        let start: Position = start.parse().expect("a position");
        let header = GameHeader { clock: Some("60m".into()), ..GameHeader::new("g", start, rules) };
        let mut hands =
            Hands { watched: follow(&header), closed: start.board().occupied(), now: Uptime::ZERO };
        hands.sense();
        hands.order(Command::Start);
        hands
    }

    fn later(&mut self, ms: u64) {
        self.now = self.now.plus_us(ms * 1000);
        self.watched.table.advance(self.now);
        self.watched.follow();
    }

    fn sense(&mut self) {
        let frame = Frame { closed: self.closed };
        self.watched.table.take(&Observation { at: self.now, sensed: Sensed::Closed(frame) });
        self.watched.follow();
    }

    /// The reed opens; what was lifted stands, half a second later, where a reed is closed already, or on `to`.
    fn lift(&mut self, from: &str, to: Option<&str>) {
        self.later(2_000);
        self.closed.remove(from.parse().expect("a point"));
        self.sense();
        self.later(500);
        if let Some(to) = to {
            self.closed.insert(to.parse().expect("a point"));
            self.sense();
        }
    }

    fn press(&mut self, side: Color) {
        self.later(500);
        self.watched.table.take(&Observation { at: self.now, sensed: Sensed::Press(side) });
        self.watched.follow();
        self.later(3_000);
    }

    fn order(&mut self, command: Command) {
        self.later(100);
        self.watched.order(self.now, command);
    }

    fn moves(&self) -> Vec<String> {
        self.watched.table.referee().moves().iter().map(ToString::to_string).collect()
    }
}

/// Red's rook took one of two pawns, and no reed told which.
const TWO_VICTIMS: &str = "5k3/9/9/p8/9/R3p4/9/9/9/3K5 w - - 0 1";

#[test]
fn a_reading_that_was_chosen_wrongly_is_chosen_anew() {
    let mut hands = Hands::at(TWO_VICTIMS, "cxa-2010");
    hands.lift("a4", None);
    hands.press(Color::Red);
    assert_eq!(hands.moves(), [""; 0], "nothing tells which");
    let choose = |mv: &str| Command::Choose { ply: 1, mv: mv.parse().expect("a move") };
    hands.order(choose("a4e4"));
    assert_eq!(hands.moves(), ["a4e4"]);
    hands.watched.check();
    hands.order(Command::Undo { undo: 2 });
    assert_eq!(hands.moves(), [""; 0]);
    hands.watched.check();
    hands.later(5_000);
    hands.order(choose("a4a6"));
    assert_eq!(hands.moves(), ["a4a6"], "the other reading is still one");
    hands.watched.check();
    hands.lift("f9", Some("e9"));
    hands.press(Color::Black);
    hands.lift("a6", Some("a9"));
    hands.press(Color::Red);
    assert_eq!(hands.moves(), ["a4a6", "f9e9", "a6a9"], "play goes on from what was chosen last");
    hands.order(Command::Undo { undo: 4 });
    assert_eq!(hands.moves().len(), 3, "what has been played upon cannot be undone");
    hands.watched.check();
}

#[test]
fn a_move_that_was_accepted_is_due_again() {
    let mut hands = Hands::at(xiangqi::fen::INITIAL, "cxa-1999");
    hands.lift("h2", Some("f4"));
    hands.press(Color::Red);
    hands.lift("h9", Some("g7"));
    hands.press(Color::Black);
    let dues = |hands: &Hands| hands.watched.table.referee().conduct().dues().len();
    assert_eq!((hands.moves(), dues(&hands)), (vec!["h2f4".to_owned(), "h9g7".to_owned()], 1));
    hands.order(Command::AcceptMove { ply: 1 });
    assert_eq!((hands.moves().len(), dues(&hands)), (2, 0));
    hands.order(Command::Undo { undo: 2 });
    assert_eq!((hands.moves().len(), dues(&hands)), (2, 1));
    hands.watched.check();
    // A ruling about a move may be given again when play has gone on, and undone again.
    hands.lift("h0", Some("g2"));
    hands.press(Color::Red);
    assert_eq!((hands.moves().len(), dues(&hands)), (3, 1));
    hands.order(Command::AcceptMove { ply: 1 });
    assert_eq!(dues(&hands), 0);
    hands.order(Command::Undo { undo: 4 });
    assert_eq!((hands.moves().len(), dues(&hands)), (3, 1));
    hands.watched.check();
}
