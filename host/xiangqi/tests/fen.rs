//! FEN as it comes: any text is answered, and what is read is written back in one way only.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use xiangqi::{Position, Setup};

/// Texts near enough to a FEN to get far into the reader.
fn near_fens() -> impl Strategy<Value = String> {
    let rank = "[rnbakcpRNBAKCPehEHx1-9]{0,10}";
    let board = prop::collection::vec(rank, 8..12).prop_map(|ranks| ranks.join("/"));
    let fields = "( [wbr])?( [-–x])?( -)?( [0-9]{1,8})?( [0-9]{1,3})?( .)?";
    (board, fields).prop_map(|(board, fields)| board + &fields)
}

/// The start position with a few characters replaced.
fn damaged_fens() -> impl Strategy<Value = String> {
    let damage = (0..xiangqi::fen::INITIAL.len(), "[rnbakcpRNBAKCP1-9/ wb-]");
    prop::collection::vec(damage, 1..4).prop_map(|damages| {
        let mut text: Vec<char> = xiangqi::fen::INITIAL.chars().collect();
        for (at, with) in damages {
            text[at] = with.chars().next().expect("one character");
        }
        text.into_iter().collect()
    })
}

fn check(text: &str) {
    if let Ok(setup) = text.parse::<Setup>() {
        let canonical = setup.to_string();
        assert_eq!(canonical.parse::<Setup>().as_ref(), Ok(&setup), "{text}");
        assert_eq!(setup.flaws().is_empty(), Position::new(setup).is_ok(), "{text}");
        assert_eq!(setup.mirrored().flaws().is_empty(), setup.flaws().is_empty(), "{text}");
        assert_eq!(setup.flipped().flaws().is_empty(), setup.flaws().is_empty(), "{text}");
    }
    match text.parse::<Position>() {
        Ok(position) => {
            for m in &position.legal_moves() {
                let after = position.play(m).expect("legal");
                assert_eq!(Position::new(*after.setup()).as_ref(), Ok(&after), "{m} in {text}");
            }
        }
        Err(error) => assert!(!error.reasons().is_empty() && error.reasons().iter().all(|r| !r.is_empty())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(4),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_answered(text in "\\PC{0,80}") {
        check(&text);
    }

    #[test]
    fn near_fens_are_answered(text in near_fens()) {
        check(&text);
    }

    #[test]
    fn damaged_fens_are_answered(text in damaged_fens()) {
        check(&text);
    }
}
