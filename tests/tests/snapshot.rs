//! The snapshot that viewers fold from the lines is at every moment what the referee at the board says.

use boardd::Table;
use referee::{Chain, Command, GameHeader, Line, Order, Record, Snapshot};
use tests::Dice;
use twin::{Game, GameRecord, Style};

/// Plays a game; at some moments, in the middle of a move too, an arbiter gives one of these orders.
fn check(game: &Game, style: Style, seed: u64, orders: &[Command]) -> usize {
    let header = GameHeader {
        clock: style.clock().map(str::to_owned),
        ..GameHeader::new("g", *game.start(), "cxa-2010")
    };
    let mut chain = Chain::START;
    let begun = chain.seal(1, &serde_json::to_string(&Record::Game(Box::new(header.clone()))).expect("JSON"));
    let begun: Line = serde_json::from_str(&begun).expect("a line");
    let mut snapshot = Snapshot::begin("b1", begun.seq, begun.utc_ms, &header);
    let mut table = Table::new(&header);
    let mut dice = Dice::new(seed);
    let mut stood = 0;
    for observation in &game.play(style, seed).observations {
        if !orders.is_empty() && dice.once_in(40) {
            let command = orders[dice.below(orders.len())].clone();
            table.order(observation.at, &Order { name: "Li".into(), reason: "slip".into(), command });
        } else {
            table.take(observation);
        }
        while let Some(record) = table.poll_record() {
            let text = chain.seal(1, &serde_json::to_string(&record).expect("JSON"));
            snapshot.apply(&serde_json::from_str::<Line>(&text).expect("a line"));
        }
        let referee = table.referee();
        let what = format!("{style}, seed {seed}, {:?}", observation.at);
        assert!(snapshot.plies.iter().map(|ply| &ply.mv).eq(referee.moves()), "{what}");
        assert_eq!(snapshot.provisional.map(|it| it.mv), referee.provisional(), "{what}");
        assert_eq!(snapshot.fen.board, *referee.position().board(), "{what}");
        stood += usize::from(snapshot.provisional.is_some());
    }
    stood
}

fn games(plies: usize) -> impl Iterator<Item = Game> {
    GameRecord::shipped().into_iter().step_by(4).map(move |record| {
        let moves = record.game.moves().iter().take(plies).copied().collect();
        Game::new(*record.game.start(), moves).expect("the first moves of a legal game")
    })
}

#[test]
fn hands_of_every_style() {
    let stood: usize = games(40)
        .zip(1..)
        .flat_map(|(game, seed)| Style::ALL.map(|style| check(&game, style, seed, &[])))
        .sum();
    assert!(stood > 1_000, "moves stood uncommitted {stood} times");
}

#[test]
fn orders_in_the_middle_of_a_move() {
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1".parse().expect("a position");
    let side = xiangqi::Color::Red;
    let orders = [
        Command::TakeBack { ply: 2 },
        Command::TakeBack { ply: 1 },
        Command::SetPosition { fen: Box::new(fen) },
        Command::Undo { undo: 1 },
        Command::Undo { undo: 2 },
        Command::Resign { side },
        Command::Reopen,
    ];
    for (game, seed) in games(12).zip(1..) {
        for style in [Style::Clean, Style::Slides, Style::NoClock] {
            check(&game, style, seed, &orders);
        }
    }
}
