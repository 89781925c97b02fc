//! Real games played by the twin come out of a replay as they were played.
//!
//! The long run: `cargo run --release -p tests --example long_run -- --games 2000`.

use tests::{Verdict, replayed};
use twin::{GameRecord, Played, Style};
use xiangqi::Move;

/// The shipped games in turn, each with a seed of its own, in styles that take turns.
fn games(styles: &[Style], count: usize) -> impl Iterator<Item = (String, Played)> {
    let records = GameRecord::shipped();
    (0..count).map(move |index| {
        let (record, style) = (&records[index % records.len()], styles[index % styles.len()]);
        let seed = 7_000 + index as u64;
        (format!("{style}, game {}, seed {seed}", record.id), record.game.play(style, seed))
    })
}

/// Bounce, captures in either order and in one hand, slides with stops.
#[test]
fn fifty_games_come_out_move_for_move() {
    for (name, played) in games(&[Style::Clean, Style::Slides], 50) {
        let report = replayed(&played);
        let at = Verdict::of(&report, &played).told;
        let pair: (Option<&Move>, Option<&Move>) = (report.moves.get(at), played.truth.moves.get(at));
        assert_eq!(report.moves, played.truth.moves, "{name}: ply {}: told, played {pair:?}", at + 1);
    }
}

/// Fumbles, haste, noise, no clock and broken reeds may keep a move from being told; they never change one.
#[test]
fn no_move_is_told_that_was_not_played() {
    let (mut told, mut of) = (0, 0);
    let mut wrong = Vec::new();
    for (name, played) in games(&Style::ALL[2..], 48) {
        let verdict = Verdict::of(&replayed(&played), &played);
        wrong.extend(verdict.wrong.map(|at| format!("{name}: ply {}", at + 1)));
        told += verdict.told;
        of += verdict.played;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(told * 100 > of * 80, "{told} of {of} plies were told");
}
