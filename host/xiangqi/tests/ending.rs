//! How games end: on the board, by the natural limit, and in positions that nobody can win.

use xiangqi::law::edition::{Edition, EditionName};
use xiangqi::law::ending::{self, Loss, LossCause, Winnable, winnable};
use xiangqi::law::natural_limit::QuietStretch;
use xiangqi::{Board, Color, Move, Piece, Position, Setup, Square, can_stand};

fn at(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn edition(name: EditionName) -> Edition {
    Edition::new(name)
}

/// The cause and the article of 1999 and of 2010.
type Expected = Option<(LossCause, &'static str, &'static str)>;

fn check_loss(loser: Color, expected: Expected, ruling: impl Fn(&Edition) -> Option<Loss>) {
    for (name, pick) in [(EditionName::Cxa1999, 0), (EditionName::Cxa2010, 1)] {
        let expected = expected.map(|(cause, of_1999, of_2010)| Loss {
            loser,
            cause,
            article: [of_1999, of_2010][pick],
        });
        assert_eq!(ruling(&edition(name)), expected, "{name}");
    }
}

#[test]
fn without_a_legal_move_the_game_is_lost() {
    let check = |fen: &str, expected: Expected| {
        let position = at(fen);
        check_loss(position.turn(), expected, |edition| ending::on_board(&position, edition));
        let flipped = Position::new(position.setup().flipped()).expect("colours are alike");
        check_loss(flipped.turn(), expected, |edition| ending::on_board(&flipped, edition));
    };
    //= 3.1 test
    //= 3.2 test (2010)
    //= 4.1.1 test
    check("3k1R3/R8/9/9/9/9/9/9/9/4K4 b", Some((LossCause::Checkmate, "4.1.1", "4.1(1)")));
    //= 3.2 test (1999)
    //= 3.3 test (2010)
    //= 4.1.3 test
    check("5k3/4P4/9/9/9/9/9/9/9/3K5 b", Some((LossCause::Stalemate, "4.1.3", "4.1(2)")));
    check("5k3/4P4/9/9/9/9/9/9/9/3K5 w", None);
    check("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", None);
}

#[test]
fn leaving_the_king_loses_at_once() {
    let check = |fen: &str, m: &str, expected: Expected| {
        let (position, m): (Position, Move) = (at(fen), m.parse().expect("a move"));
        check_loss(position.turn(), expected, |edition| ending::by_illegal_move(&position, m, 1, edition));
        let lenient = Edition { illegal_moves_to_lose: 2, ..Edition::default() };
        assert_eq!(ending::by_illegal_move(&position, m, 1, &lenient).is_some(), expected.is_some(), "{m}");
    };
    //= 4.1.2 test
    //= 3.4 test
    //= 4.1(3) test
    let cannon_between = "4k4/9/9/9/9/4C4/9/9/9/4K4 w";
    check(cannon_between, "e4d4", Some((LossCause::KingsFacing, "4.1.2", "4.1(3)")));
    check("4k4/9/9/9/9/9/9/9/4r4/3K5 w", "d0e0", Some((LossCause::Suicide, "4.1.6", "4.1(3)")));
    check("3k5/9/9/9/9/9/4r4/9/9/4K4 w", "e0e1", Some((LossCause::Suicide, "4.1.6", "4.1(3)")));
    check(cannon_between, "e4e5", None);
}

#[test]
fn a_move_that_no_piece_makes_loses_or_is_a_foul() {
    //= 4.1.6 test
    //= 4.1(8) test
    let (start, m) = (Position::initial(), "b0b2".parse().expect("a move"));
    let ruling = |offences, edition: &Edition| ending::by_illegal_move(&start, m, offences, edition);
    let article = |ruling: Option<Loss>| ruling.map(|loss| loss.article);
    assert_eq!(article(ruling(1, &edition(EditionName::Cxa1999))), Some("4.1.6"));
    assert_eq!(article(ruling(1, &Edition::default())), Some("4.1(8)"));
    let youth = Edition { illegal_moves_to_lose: 2, ..Edition::default() };
    assert_eq!(article(ruling(1, &youth)), None);
    assert_eq!(article(ruling(2, &youth)), Some("4.1(8)"));
}

/// Plies of a stretch without a capture: `r` and `b` moves, `R` and `B` checks, `x` a capture.
fn stretch(plies: impl IntoIterator<Item = char>) -> QuietStretch {
    let mut stretch = QuietStretch::default();
    for ply in plies {
        let mover = if matches!(ply, 'r' | 'R') { Color::Red } else { Color::Black };
        stretch.add(mover, ply == 'x', ply.is_ascii_uppercase());
    }
    stretch
}

#[test]
fn rounds_of_the_natural_limit() {
    //= 4.2.4 test
    //= 23.3 test
    let check = |rounds: &[(&str, usize)], claimant, expected: u32, holds: bool| {
        let stretch = stretch(
            rounds.iter().flat_map(|(round, times)| round.repeat(*times).into_bytes()).map(char::from),
        );
        let count = stretch.count(claimant, &Edition::default());
        assert_eq!((count.rounds, count.holds()), (expected, holds), "{rounds:?}: {count}");
    };
    use Color::{Black, Red};
    check(&[("rb", 60)], Red, 60, true);
    check(&[("rb", 59), ("r", 1)], Red, 59, false);
    check(&[("b", 1), ("rb", 59), ("r", 1)], Black, 60, true);
    check(&[("rb", 60), ("x", 1), ("rb", 59)], Red, 59, false);
    // Ten of the claimant's checks count, and all of the opponent's.
    check(&[("Rb", 10), ("rb", 50)], Red, 60, true);
    check(&[("Rb", 11), ("rb", 49)], Red, 59, false);
    check(&[("Rb", 11), ("rb", 49)], Black, 60, true);
    check(&[("Rb", 11), ("rb", 50)], Red, 60, true);
    check(&[("RB", 60)], Red, 10, false);
}

#[test]
fn the_arbiter_draws_only_what_either_side_could_claim() {
    //= 23.3 test
    let may_draw = |rounds: &str| stretch(rounds.chars()).arbiter_may_draw(&Edition::default());
    assert!(may_draw(&"rb".repeat(60)));
    assert!(!may_draw(&"Rb".repeat(60)));
    assert!(!may_draw(&"rb".repeat(59)));
}

#[test]
fn the_count_is_explained() {
    let count = stretch("Rb".repeat(14).chars().chain("rb".repeat(52).chars()))
        .count(Color::Red, &Edition::default());
    assert_eq!(
        count.to_string(),
        "no capture for 66 moves of red and 66 of black; 14 of red's were checks, of which 10 count: 62 moves; \
         62 of 60 rounds"
    );
}

#[test]
fn the_stretch_of_a_game_begins_after_its_last_capture() {
    let moves = |text: &str| text.split(' ').map(|m| m.parse().unwrap()).collect::<Vec<Move>>();
    let game = moves("h2h9 i9h9 h0g2 h9h2 b2h2 a9a8 h2h9");
    let count = QuietStretch::of_game(&Position::initial(), &game).count(Color::Red, &Edition::default());
    assert_eq!((count.moves, count.checks, count.opponent_moves), (1, 0, 1));
    // A game that began with quiet plies in its FEN counts what was seen.
    let position = at("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 40 30");
    let game = moves("e1d1 d9e9 d1d2");
    let count = QuietStretch::of_game(&position, &game).count(Color::Red, &Edition::default());
    assert_eq!((count.moves, count.checks, count.opponent_moves), (2, 1, 1));
}

/// Every position with these pieces, each side to move. Letters as in a FEN; kings are added.
fn every_position(pieces: &str, visit: &mut impl FnMut(&Position)) {
    let mut pieces: Vec<Piece> = format!("Kk{pieces}").chars().filter_map(Piece::from_letter).collect();
    pieces.sort_by_key(|piece| (piece.role, piece.color));
    place(&pieces, None, &mut Board::EMPTY.clone(), visit);
}

/// Puts the first of the pieces on every point it can have; of two alike the second stands on the higher point.
fn place(
    pieces: &[Piece],
    last: Option<(Piece, Square)>,
    board: &mut Board,
    visit: &mut impl FnMut(&Position),
) {
    let Some((piece, rest)) = pieces.split_first() else {
        for turn in Color::ALL {
            if let Ok(position) = Position::new(Setup { board: *board, turn, quiet_plies: 0, round: 1 }) {
                visit(&position);
            }
        }
        return;
    };
    for square in Square::all().filter(|square| can_stand(*piece, *square)) {
        let in_order = last.is_none_or(|(other, at)| other != *piece || at < square);
        if in_order && board.piece_at(square).is_none() {
            board.put(square, *piece);
            place(rest, Some((*piece, square)), board, visit);
            board.take(square);
        }
    }
}

/// Guards of one side: up to two advisors and two elephants, in that side's letters.
fn guards(advisors: usize, elephants: usize) -> impl Iterator<Item = String> {
    (0..=advisors).flat_map(move |a| (0..=elephants).map(move |e| "A".repeat(a) + &"B".repeat(e)))
}

/// In none of the positions has a side no legal move; and we say so.
fn check_never_ends(pieces: &str) {
    every_position(pieces, &mut |position| {
        assert!(position.has_legal_move(), "{position}");
        assert_eq!(winnable(position), Winnable::ByNeither, "{position}");
    });
}

#[test]
fn guards_alone_never_win() {
    //= 4.2.1 test
    // The enemy's guards stay on his side of the river and can only close the file between the kings, which frees moves:
    // a bare king is the strictest opponent there can be.
    guards(2, 2).for_each(|own| check_never_ends(&own));
    guards(1, 0).for_each(|own| check_never_ends(&format!("{own}ab")));
}

/// With `LONG_TESTS` set, the larger classes as well: some twelve million positions.
#[test]
fn a_cannon_without_a_screen_never_wins() {
    //= 4.2.1 test
    let long = std::env::var_os("LONG_TESTS").is_some();
    let elephants = if long { 2 } else { 1 };
    for own in guards(0, elephants) {
        for other in guards(0, elephants) {
            check_never_ends(&format!("C{own}{}", other.to_lowercase()));
        }
    }
    guards(1, elephants).for_each(|other| check_never_ends(&format!("C{}", other.to_lowercase())));
    check_never_ends("Cc");
}

/// Where a win is possible we leave it to the arbiter; each of these positions shows one in the same material.
#[test]
fn what_can_be_won_is_not_called_drawn() {
    //= 4.2.1 test
    for fen in [
        "9/9/3k5/9/9/9/9/3A5/9/3CK4 b",
        "9/4ak3/5a3/9/9/9/9/9/9/3K1C3 b",
        "9/9/4ka3/9/9/9/9/4B4/9/3KC4 b",
        "9/9/5k3/6N2/9/9/9/9/9/3K5 b",
        "5k3/4P4/9/9/9/9/9/9/9/3K5 b",
        "9/4R4/5k3/9/9/9/9/9/9/3K5 b",
        "9/9/3k5/9/9/9/9/9/3p5/3KC4 w",
        "9/4c4/4bk3/9/9/9/9/9/9/3CK4 w",
        "9/9/3k5/9/9/9/9/9/3C5/3CK4 b",
    ] {
        let position = at(fen);
        assert!(position.ending().is_some(), "{fen}");
        for setup in [*position.setup(), position.setup().mirrored(), position.setup().flipped()] {
            let position = Position::new(setup).expect("the mirror keeps the rules");
            assert_eq!(winnable(&position), Winnable::ArbiterDecides, "{fen}");
        }
    }
    assert_eq!(winnable(&Position::initial()), Winnable::ArbiterDecides);
    // An elephant where none can stand makes nothing certain.
    let stray: Setup = "4k4/9/9/4B4/9/9/9/9/9/3K5 w".parse().expect("a FEN");
    assert_eq!(winnable(&Position::standing(stray).expect("both kings")), Winnable::ArbiterDecides);
}
