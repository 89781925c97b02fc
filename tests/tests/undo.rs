//! An order about the moves and its undoing in the middle of a sensed game: the game goes on as if nothing had been ordered.

use boardd::Table;
use referee::{Chain, Command, GameHeader, Line, Order, Record, Snapshot};
use sense::Uptime;
use trace::Sensed;
use twin::{Game, GameRecord, Style};

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
    let header =
        GameHeader { clock: Some("60m+30s".into()), ..GameHeader::new("g", *game.start(), "cxa-2010") };
    let mut chain = Chain::START;
    let begun = chain.seal(1, &serde_json::to_string(&Record::Game(Box::new(header.clone()))).expect("JSON"));
    let begun: Line = serde_json::from_str(&begun).expect("a line");
    let snapshot = Snapshot::begin("b1", begun.seq, begun.utc_ms, &header);
    Watched { table: Table::new(&header), chain, snapshot }
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
    fn shown(&self, now: Uptime) -> (u64, u64, Option<xiangqi::Color>) {
        let clock = self.table.referee().conduct().clock().expect("a clock").seen_at(now);
        let left = |side| clock.face(side).left_us();
        (left(xiangqi::Color::Red), left(xiangqi::Color::Black), clock.running())
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
