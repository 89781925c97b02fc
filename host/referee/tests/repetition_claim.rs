//! A claim of repetition comes with what the rules make of it: the verdict, its articles, and the label of every ply.

use referee::claim::{Claim, Judged};
use referee::conduct::Conduct;
use referee::{Happening, Order};
use sense::Uptime;
use xiangqi::law::edition::{Edition, EditionName};
use xiangqi::{Color, Move, Position};

/// Plays the moves and lets Black claim.
fn claim(start: &str, moves: &str) -> Claim {
    let start: Position = start.parse().unwrap();
    let mut conduct = Conduct::new(Edition::new(EditionName::Cxa2010), None, start);
    for (ply, text) in moves.split_whitespace().enumerate() {
        let mv: Move = text.parse().unwrap();
        let position = *conduct.position();
        assert!(position.is_legal(mv), "{text}");
        let now = Uptime::from_ms(1_000 * ply as u64);
        conduct.moved(now, now, position.turn(), mv, position.play_unchecked(mv));
    }
    let order = r#"{"name":"Li","command":"claim","side":"black","claim":"repetition"}"#;
    let order: Order = serde_json::from_str(order).unwrap();
    assert!(conduct.order(Uptime::from_ms(900_000), order, &mut |_, _, _| Ok(())));
    let claims = std::iter::from_fn(|| conduct.poll_event()).filter_map(|event| match event.what {
        Happening::Claim(claim) => Some(claim),
        _ => None,
    });
    claims.last().unwrap()
}

const ROOK_AND_KINGS: &str = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1";

/// 单方长将: the rook checks along two ranks for ever.
#[test]
fn perpetual_check_is_told_ply_by_ply() {
    let cycle = "e9e8 a9a8 e8e9 a8a9 ";
    let claim = claim(ROOK_AND_KINGS, &format!("a1a9 {}", cycle.repeat(3)));
    assert_eq!((claim.side, claim.holds), (Color::Black, Some(true)));
    let Judged { verdict, red, plies, articles, certain, .. } = *claim.judged.unwrap();
    assert_eq!((verdict.as_str(), red.as_str(), certain), ("red_loses", "长将", true));
    assert!(!articles.is_empty());
    let labels = |side: Color| {
        let turn = |mv: &Move| if mv.from.to_string().starts_with('a') { Color::Red } else { Color::Black };
        plies
            .iter()
            .filter(move |ply| turn(&ply.mv) == side)
            .map(|ply| ply.label.as_str())
            .collect::<Vec<_>>()
    };
    assert!(labels(Color::Red).len() >= 2 && labels(Color::Red).iter().all(|label| *label == "将"));
    assert!(labels(Color::Black).iter().all(|label| *label != "将"), "{:?}", labels(Color::Black));
    assert!(claim.note.contains("red_loses: Red 长将"), "{}", claim.note);
}

/// Once is not three times, and the judge says what it sees all the same.
#[test]
fn too_few_cycles_do_not_hold() {
    let claim = claim(ROOK_AND_KINGS, "a1a9 e9e8 a9a8 e8e9 a8a9 e9e8");
    assert_eq!(claim.holds, Some(false));
    assert!(claim.judged.is_some());
}

/// Without a move there is nothing to judge.
#[test]
fn no_moves_no_judgement() {
    let claim = claim(ROOK_AND_KINGS, "");
    assert_eq!((claim.holds, claim.judged), (Some(false), None));
}
