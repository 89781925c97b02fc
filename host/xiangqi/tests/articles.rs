//! 棋例, article by article: positions made for one sentence of the text each, with the label that it demands.
//!
//! None of them is a figure of a book; the reasoning stands beside each.

use xiangqi::law::edition::RepetitionRules::{self, Cxa1999, Cxa2020};
use xiangqi::law::repetition::{Label, judge};
use xiangqi::{Move, Position};

const BOTH: [RepetitionRules; 2] = [Cxa1999, Cxa2020];

/// Labels one move, from left and right and from both sides, and compares with what the article says; of a chase,
/// `targets` must be among what it attacks.
fn check(fen: &str, m: &str, label: Label, targets: &[&str]) {
    let start: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
    let m: Move = m.parse().expect("a move");
    let mirrored = Position::new(start.setup().mirrored()).expect("a position");
    let flipped = Position::new(start.setup().flipped()).expect("a position");
    for rules in BOTH {
        for (seen, m) in [(start, m), (mirrored, m.mirrored()), (flipped, m.rotated())] {
            let judgement = judge(&seen, &[m], rules).unwrap_or_else(|e| panic!("{seen}: {e}"));
            let ply = &judgement.plies[0];
            assert_eq!(ply.label, label, "{m} in {seen} by {rules:?}: {ply:?}");
            assert!(ply.certain, "{m} in {seen}");
        }
        let found = judge(&start, &[m], rules).expect("judged above").plies.remove(0).targets;
        let names: Vec<String> = found.map(|square| square.to_string()).collect();
        if label == Label::Chase {
            let named = targets.iter().all(|target| names.iter().any(|name| name == target));
            assert!(named, "{m} in {fen} by {rules:?}: {names:?}");
        }
    }
}

//= 28.2 test
#[test]
fn a_threat_of_mate_is_a_kill() {
    // The rook on rank 8 holds the king; the other mates on rank 9.
    check("3k5/1R7/9/9/9/9/9/9/7R1/5K3 w", "h1g1", Label::Kill, &[]);
    // Two checks in a row: rank 9, then rank 8 is barred by the pawn.
    check("3k5/4P4/9/9/9/9/9/9/7R1/5K3 w", "h1g1", Label::Kill, &[]);
}

//= 28.3 test
//= 29.1 test
#[test]
fn an_unprotected_piece_is_chased() {
    check("3k5/9/9/9/2n6/9/9/9/7R1/5K3 w", "h1h5", Label::Chase, &["c5"]);
    // Advisors and elephants are pieces too.
    check("3k5/9/9/9/2b6/9/9/9/7R1/5K3 w", "h1h5", Label::Chase, &["c5"]);
    // By checks in a row: rook to b9, and when the king has gone down it takes the horse.
    check("n2k5/9/9/9/9/9/6P2/9/6R2/5K3 w", "g1b1", Label::Chase, &["a9"]);
    // A horse or a cannon attacks a rook whatever protects it.
    check("r2k5/1c7/9/9/9/2N6/9/9/9/5K3 w", "c4b6", Label::Idle, &[]);
    check("r2k5/9/9/3r5/9/9/3N5/9/9/5K3 w", "d3b4", Label::Idle, &[]);
    check("2rk5/9/9/2r6/9/9/3N5/9/9/5K3 w", "d3b4", Label::Chase, &["c6"]);
}

//= 28.16 test
//= 29.3 test
#[test]
fn a_protected_piece_is_only_followed() {
    // The elephant protects the horse.
    check("3k5/9/4b4/9/2n6/9/9/9/7R1/5K3 w", "h1h5", Label::Idle, &[]);
    // The king protects the cannon.
    check("3k2b2/3c5/9/9/9/9/9/9/7R1/5K3 w", "h1h8", Label::Idle, &[]);
}

//= 28.16 test
#[test]
fn a_false_root_is_none() {
    // The elephant shields its king from the other rook and cannot recapture.
    check("3aka3/9/4b4/9/2n6/9/9/9/4R2R1/3K5 w", "h1h5", Label::Chase, &["c5"]);
    // 27.1: the king may not recapture, for it would face the other.
    check("3k2b2/3c5/9/9/9/9/9/9/7R1/3K5 w", "h1h8", Label::Chase, &["d8"]);
    // One root against two attackers (少根): horse takes cannon, elephant takes horse, rook takes elephant.
    check("3k5/9/4b4/9/2c6/9/1N7/9/7R1/5K3 w", "h1h5", Label::Chase, &["c5"]);
}

//= 27.1 test
//= 27.2 test
#[test]
fn kings_and_pawns_attack_freely() {
    check("5k3/9/9/9/9/9/9/4c4/3K5/9 w", "d1e1", Label::Idle, &[]);
    check("5k3/9/9/1P1n5/9/9/9/9/9/3K5 w", "b6c6", Label::Idle, &[]);
    // A pawn that has not crossed the river has no value: nothing is chased.
    check("3k5/9/9/2p6/9/9/9/9/7R1/5K3 w", "h1h6", Label::Idle, &[]);
    check("3k5/9/9/9/9/2p6/9/9/7R1/5K3 w", "h1h4", Label::Chase, &["c4"]);
}

//= 29.2 test
#[test]
fn what_stood_before_is_no_chase() {
    // From chase to chase (从捉到捉): the rook goes on along the line on which it attacks already.
    check("3k5/9/9/9/2n4R1/9/9/9/9/5K3 w", "h5g5", Label::Idle, &[]);
    // Another piece of the side moves while the attack stands.
    check("3k5/9/9/9/2n4R1/9/9/9/4A4/5K3 w", "e1d2", Label::Idle, &[]);
    // The way is opened for a piece behind: that is new.
    check("3k5/9/9/9/2n2N1R1/9/9/9/9/5K3 w", "f5g7", Label::Chase, &["c5"]);
}

//= 29.4 test
#[test]
fn a_capture_that_is_answered_by_mate_is_no_threat() {
    // Off the e file the rook could not stand between when the other rook checks on rank 0.
    check("3k5/9/9/9/2r1R4/9/7n1/9/3r5/5K3 w", "e5e3", Label::Idle, &[]);
    // Without that rook the horse is chased.
    check("3k5/9/9/9/4R4/9/7n1/9/3r5/5K3 w", "e5e3", Label::Chase, &["h3"]);
}

//= 28.5 test
//= 28.6 test
#[test]
fn an_equal_piece_is_offered() {
    // The horse would avenge the rook; without it the rook is given.
    check("3aka3/9/9/9/r8/9/2N6/1R7/9/3K5 w", "b2a2", Label::Exchange, &[]);
    check("3aka3/9/9/9/r8/9/9/1R7/9/3K5 w", "b2a2", Label::Offer, &[]);
}
