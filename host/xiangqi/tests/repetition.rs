//! 棋例: the figures of the books, the verdict table case by case, and laws that every judgement keeps.
//!
//! The figures lie beside the repository (`../shared/data/rules`); `tests/data` carries a selection.

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use xiangqi::law::edition::RepetitionRules;
use xiangqi::law::repetition::{
    Class, Explanation, JudgeError, Judgement, Label, Language, Ply, Verdict, judge, verdict,
};
use xiangqi::{Bitboard, ByColor, Color, Move, Position};

/// Verdicts that are disputed or that we hold to be slips; `docs/repetition.md` says why.
const DISPUTED_VERDICTS: [&str; 1] = ["wxf-102"];

/// The share of labels of the Chinese books that must be theirs, in percent.
const LABELS: usize = 98;

fn figures() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let whole = root.join("../../../shared/data/rules/repetition.jsonl");
    let path = if whole.exists() { whole } else { root.join("tests/data/repetition.jsonl") };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("{key} in {row}"))
}

fn rules(row: &Value) -> RepetitionRules {
    match text(row, "ruleset") {
        "CXA-1999" => RepetitionRules::Cxa1999,
        "CXA-2020" => RepetitionRules::Cxa2020,
        _ => RepetitionRules::Wxf2018,
    }
}

fn line(row: &Value) -> Option<(Position, Vec<Move>)> {
    let start = text(row, "fen").parse().ok()?;
    let moves = row["moves"].as_array().expect("moves").iter();
    Some((start, moves.map(|m| m.as_str().expect("a move").parse().expect("a move")).collect()))
}

/// The figures that we hold to be right, with their line.
fn settled() -> impl Iterator<Item = (Value, Position, Vec<Move>)> {
    figures().into_iter().filter_map(|row| {
        let disputed = text(&row, "verdict") == "disputed" || DISPUTED_VERDICTS.contains(&text(&row, "id"));
        let (start, moves) = line(&row)?;
        (!disputed).then_some((row, start, moves))
    })
}

//= 26.1 test
//= 26.2 test
//= 26.3 test
//= 26.4 test
//= 25.1 test
//= 25.2 test
#[test]
fn verdicts_are_those_of_the_books() {
    let mut wrong = Vec::new();
    for (row, start, moves) in settled() {
        let judgement = judge(&start, &moves, rules(&row)).expect("a legal line");
        if judgement.verdict.as_str() != text(&row, "verdict") {
            wrong.push(format!("{}: {}", text(&row, "id"), judgement.verdict.as_str()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

//= 25.3 test
//= 27.1 test
//= 27.3 test
//= 27.4 test
//= 28.1 test
//= 28.2 test
//= 28.3 test
//= 28.5 test
//= 28.7 test
//= 28.16 test
//= 29.1 test
//= 29.2 test
//= 29.3 test
//= 29.4 test
#[test]
fn labels_are_those_of_the_chinese_books() {
    let (mut right, mut all) = (0, 0);
    let mut wrong = Vec::new();
    for row in figures() {
        let Some(labels) = row["classification"]["per_ply"].as_array() else { continue };
        let (start, moves) = line(&row).expect("a position");
        let judgement = judge(&start, &moves, rules(&row)).expect("a legal line");
        assert_eq!(judgement.plies.len(), moves.len());
        for (ply, label) in judgement.plies.iter().zip(labels) {
            let Some(label) = label.as_str() else { continue };
            all += 1;
            right += usize::from(ply.label.term() == label);
            if ply.label.term() != label {
                wrong.push(format!("{} {}: {} not {label}", text(&row, "id"), ply.played, ply.label.term()));
            }
        }
    }
    assert!(all > 0 && right * 100 >= all * LABELS, "{right} of {all}: {wrong:#?}");
}

/// Left and right, and the two sides, are alike before the law: labels, what they rest on, and whether they are certain.
#[test]
fn mirrored_and_flipped_lines_have_the_mirrored_verdict() {
    for (row, start, moves) in settled() {
        let judgement = judge(&start, &moves, rules(&row)).expect("a legal line");
        let mirror =
            |squares: Bitboard| squares.into_iter().fold(Bitboard::EMPTY, |set, s| set.with(s.mirrored()));
        let rotate =
            |squares: Bitboard| squares.into_iter().fold(Bitboard::EMPTY, |set, s| set.with(s.rotated()));
        let seen = |judgement: &Judgement, turn: &dyn Fn(Bitboard) -> Bitboard| {
            let ply = |ply: &Ply| (ply.label, turn(ply.targets), ply.mate.len(), ply.joint, ply.certain);
            (
                judgement.plies.iter().map(ply).collect::<Vec<_>>(),
                judgement.articles.clone(),
                judgement.certain,
            )
        };
        let mirrored_moves: Vec<Move> = moves.iter().map(|m| m.mirrored()).collect();
        let answer = judge(&start.mirrored(), &mirrored_moves, rules(&row)).expect("a legal line");
        assert_eq!(answer.verdict, judgement.verdict, "{} mirrored", text(&row, "id"));
        assert_eq!(seen(&answer, &mirror), seen(&judgement, &|s| s), "{} mirrored", text(&row, "id"));
        let flipped_moves: Vec<Move> = moves.iter().map(|m| m.rotated()).collect();
        let answer = judge(&start.flipped(), &flipped_moves, rules(&row)).expect("a legal line");
        assert_eq!(answer.verdict, exchanged(judgement.verdict), "{} flipped", text(&row, "id"));
        assert_eq!(seen(&answer, &rotate), seen(&judgement, &|s| s), "{} flipped", text(&row, "id"));
        assert_eq!(answer.classes.red, judgement.classes.black, "{} flipped", text(&row, "id"));
    }
}

fn exchanged(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::MustVary(side) => Verdict::MustVary(!side),
        Verdict::Loses(side) => Verdict::Loses(!side),
        other => other,
    }
}

/// Whatever was played before the cycle, and however often the cycle has run, the verdict is the same.
#[test]
fn neither_a_prefix_nor_another_round_changes_the_verdict() {
    for (row, start, moves) in settled() {
        let judgement = judge(&start, &moves, rules(&row)).expect("a legal line");
        let Some(span) = judgement.span.clone().filter(|_| judgement.verdict != Verdict::None) else {
            continue;
        };
        let mut positions = vec![start];
        for m in &moves {
            positions.push(positions[positions.len() - 1].play(*m).expect("a legal move"));
        }
        let (head, tail) = (positions[span.start], positions[span.end]);
        // Nine rounds of attacks (2020) are no cycle.
        if head.board() != tail.board() || head.turn() != tail.turn() {
            continue;
        }
        let alone = judge(&head, &moves[span.clone()], rules(&row)).expect("a legal line");
        assert_eq!(alone.verdict, judgement.verdict, "{} without its prefix", text(&row, "id"));
        let labels = |judgement: &Judgement| -> Vec<(Move, Label)> {
            let cycle = judgement.cycle().expect("a cycle");
            judgement.plies[cycle].iter().map(|ply| (ply.played, ply.label)).collect()
        };
        let mut repeated = moves.clone();
        for times in 2..=3 {
            repeated.extend_from_slice(&moves[span.clone()]);
            let again = judge(&start, &repeated, rules(&row)).expect("a legal line");
            let name = format!("{} {times} times", text(&row, "id"));
            assert_eq!(again.verdict, judgement.verdict, "{name}");
            assert_eq!(again.classes, judgement.classes, "{name}");
            assert_eq!(labels(&again), labels(&judgement), "{name}");
            assert_eq!(again.rounds, times * judgement.rounds, "{name}");
            for (i, ply) in again.plies.iter().enumerate().skip(span.start) {
                let first = span.start + (i - span.start) % span.len();
                assert_eq!(ply.label, judgement.plies[first].label, "{name}, ply {}", i + 1);
            }
        }
    }
}

/// A cycle has no first move: begun anywhere, it is labelled and judged alike.
#[test]
fn where_a_cycle_begins_does_not_matter() {
    let mut begun = 0;
    for (row, start, moves) in settled() {
        let mut positions = vec![start];
        for m in &moves {
            positions.push(positions[positions.len() - 1].play(*m).expect("a legal move"));
        }
        let last = positions[moves.len()];
        if last.board() != start.board() || last.turn() != start.turn() {
            continue;
        }
        let labels = |judgement: &Judgement| judgement.plies.iter().map(|ply| ply.label).collect::<Vec<_>>();
        let whole = judge(&start, &moves, rules(&row)).expect("a legal line");
        for (first, head) in positions[..moves.len()].iter().enumerate().skip(1) {
            let mut turned = moves.clone();
            turned.rotate_left(first);
            let again = judge(head, &turned, rules(&row)).expect("a legal line");
            let mut expected = labels(&whole);
            expected.rotate_left(first);
            let name = format!("{} from move {}", text(&row, "id"), first + 1);
            assert_eq!((again.verdict, again.certain), (whole.verdict, whole.certain), "{name}");
            assert_eq!((again.classes, labels(&again)), (whole.classes, expected), "{name}");
            begun += 1;
        }
    }
    assert!(begun > 20, "{begun}");
}

/// A class with so many checks, kills, chases (so many of them joint) and idle moves.
fn class(checks: u32, kills: u32, chases: u32, joint: bool, idle: u32) -> Class {
    let mut class = Class::default();
    for (label, count) in
        [(Label::Check, checks), (Label::Kill, kills), (Label::Chase, chases), (Label::Idle, idle)]
    {
        (0..count).for_each(|_| class.add(label, joint && label == Label::Chase));
    }
    class
}

/// Every mixture of what a side can do, with what the articles call it.
fn every_class() -> Vec<Class> {
    let mut classes = Vec::new();
    for bits in 1..16u32 {
        let [checks, kills, chases, idle] = [bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3];
        classes.push(class(checks, kills, chases, false, idle));
        if chases > 0 {
            classes.push(class(checks, kills, chases, true, idle));
        }
    }
    classes
}

/// What articles 26.1 to 26.4 say, written down once more as they read.
fn by_the_articles(red: Class, black: Class, rules: RepetitionRules) -> Verdict {
    let attacks = |c: Class| c.checks + c.kills + c.chases;
    let only_checks = |c: Class| c.checks > 0 && c.checks == attacks(c) && c.idle == 0;
    if only_checks(red) != only_checks(black) {
        return Verdict::Loses(if only_checks(red) { Color::Red } else { Color::Black });
    }
    let joint = |c: Class| rules == RepetitionRules::Cxa2020 && c.joint > 0;
    match (red.idle == 0, black.idle == 0) {
        (true, false) => Verdict::MustVary(Color::Red),
        (false, true) => Verdict::MustVary(Color::Black),
        (true, true) if joint(red) && !joint(black) => Verdict::MustVary(Color::Black),
        (true, true) if joint(black) && !joint(red) => Verdict::MustVary(Color::Red),
        _ => Verdict::Draw,
    }
}

//= 28.4 test
//= 28.10 test
//= 28.11 test
//= 28.12 test
//= 28.14 test
//= 28.15 test
#[test]
fn the_table_is_that_of_the_articles() {
    for rules in [RepetitionRules::Cxa1999, RepetitionRules::Cxa2020] {
        for red in every_class() {
            for black in every_class() {
                let (ours, _) = verdict(ByColor { red, black }, rules);
                assert_eq!(ours, by_the_articles(red, black, rules), "{red:?} {black:?} {rules:?}");
                let (swapped, _) = verdict(ByColor { red: black, black: red }, rules);
                assert_eq!(swapped, exchanged(ours));
            }
        }
    }
}

#[test]
fn the_federation_ranks_check_above_chase_above_the_rest() {
    let chase = |gravity| Class { gravity, ..class(0, 0, 2, false, 0) };
    let ranked = [
        vec![class(0, 2, 0, false, 0), class(0, 0, 0, false, 2), class(1, 0, 1, false, 0)],
        vec![chase(1)],
        vec![chase(2)],
        vec![chase(3)],
        vec![class(2, 0, 0, false, 0)],
    ];
    for (i, reds) in ranked.iter().enumerate() {
        for (j, blacks) in ranked.iter().enumerate() {
            for (red, black) in reds.iter().flat_map(|red| blacks.iter().map(move |black| (*red, *black))) {
                let expected = match i.cmp(&j) {
                    std::cmp::Ordering::Greater => Verdict::Loses(Color::Red),
                    std::cmp::Ordering::Less => Verdict::Loses(Color::Black),
                    std::cmp::Ordering::Equal => Verdict::Draw,
                };
                let (ours, _) = verdict(ByColor { red, black }, RepetitionRules::Wxf2018);
                assert_eq!(ours, expected, "{red:?} {black:?}");
            }
        }
    }
}

//= 28.9 test
//= 28.13 test
#[test]
fn classes_have_the_terms_of_the_articles() {
    let of = |labels: &[Label]| {
        let mut class = Class::default();
        labels.iter().for_each(|label| class.add(*label, false));
        class.term()
    };
    use Label::{Chase, Check, Exchange, Idle, Kill};
    assert_eq!(of(&[Check, Check]), "长将");
    assert_eq!(of(&[Kill, Kill]), "长杀");
    assert_eq!(of(&[Chase, Chase]), "长捉");
    assert_eq!(of(&[Check, Chase]), "一将一捉");
    assert_eq!(of(&[Check, Kill]), "一将一杀");
    assert_eq!(of(&[Kill, Chase]), "一杀一捉");
    assert_eq!(of(&[Check, Idle]), "一将一闲");
    assert_eq!(of(&[Check, Check, Idle]), "数将一闲");
    assert_eq!(of(&[Exchange, Exchange]), "长兑");
    assert_eq!(of(&[Exchange, Idle]), "闲");
}

//= 27.2 test
#[test]
fn pawns_attack_freely_unless_both_sides_attack() {
    // Red's pawn attacks the rook at every move, and the rook chases two horses in turn.
    let start: Position = "3k5/9/7r1/6P2/9/9/6NN1/9/4A4/4K4 w - - 0 1".parse().unwrap();
    let moves: Vec<Move> = ["g6h6", "h7g7", "h6g6", "g7h7"].iter().map(|m| m.parse().unwrap()).collect();
    let verdict = |rules| judge(&start, &moves, rules).expect("a legal line").verdict;
    assert_eq!(verdict(RepetitionRules::Cxa1999), Verdict::Draw);
    assert_eq!(verdict(RepetitionRules::Cxa2020), Verdict::MustVary(Color::Black));
}

//= 28.6 test
#[test]
fn an_equal_piece_that_nobody_avenges_is_offered() {
    let before: Position = "3aka3/9/9/9/r8/9/9/1R7/9/3K5 w - - 0 1".parse().unwrap();
    let judgement = judge(&before, &["b2a2".parse().unwrap()], RepetitionRules::Cxa2020).expect("legal");
    assert_eq!(judgement.plies[0].label, Label::Offer);
}

#[test]
fn bad_lines_are_named() {
    let start = Position::initial();
    assert_eq!(judge(&start, &[], RepetitionRules::Cxa2020), Err(JudgeError::NoMoves));
    let moves: Vec<Move> = ["h2e2", "h2e2"].iter().map(|m| m.parse().unwrap()).collect();
    let error = judge(&start, &moves, RepetitionRules::Cxa2020).unwrap_err();
    assert!(error.to_string().starts_with("move 2, h2e2, is not legal"), "{error}");
    let quiet = judge(&start, &moves[..1], RepetitionRules::Cxa2020).expect("a legal line");
    assert_eq!(quiet.verdict, Verdict::None);
}

/// The explanation names the moves, says who must vary only where that is certain, and is whole in each language.
#[test]
fn a_judgement_can_be_read() {
    let mut doubtful = 0;
    for (row, start, moves) in settled() {
        let judgement = judge(&start, &moves, rules(&row)).expect("a legal line");
        for (language, words, doubt) in [
            (Language::Chinese, "方", "由裁判"),
            (Language::Traditional, "方", "由裁判"),
            (Language::English, "Red", "the arbiter decides"),
        ] {
            let said = Explanation { judgement: &judgement, start: &start, language }.to_string();
            assert!(said.contains(words) && said.lines().count() > 2, "{said}");
            let of_whole = said.lines().last().expect("a conclusion");
            assert_eq!(of_whole.contains(doubt), !judgement.certain, "{said}");
            let foreign = match language {
                Language::Chinese => "紅變殺將馬車進後閒長無應為數",
                Language::Traditional => "红变杀将马车进后闲长无应为数着",
                Language::English => "，。红方吃",
            };
            assert!(!said.contains(|c| foreign.contains(c)), "{said}");
        }
        doubtful += usize::from(!judgement.certain);
    }
    println!("{doubtful} judgements are not certain");
}

static STARTS: LazyLock<Vec<Position>> =
    LazyLock::new(|| figures().iter().filter_map(|row| text(row, "fen").parse().ok()).collect());

/// A walk of legal moves in which both sides often step back, so that positions recur.
fn walk(start: Position, choices: &[u16]) -> Vec<Move> {
    let mut position = start;
    let mut moves: Vec<Move> = Vec::new();
    for choice in choices {
        let back = moves.len().checked_sub(2).map(|i| Move::new(moves[i].to, moves[i].from));
        let legal = position.legal_moves();
        let m = match back.filter(|m| choice & 3 != 0 && position.is_legal(*m)) {
            Some(back) => back,
            None if legal.is_empty() => break,
            None => legal[*choice as usize / 4 % legal.len()],
        };
        moves.push(m);
        position = position.play(m).expect("a legal move");
    }
    moves
}

proptest! {
    // The same walks every time, so that a failure is met again.
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(29),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_walk_is_judged_alike_from_left_and_right(
        figure in 0usize..1000,
        choices in prop::collection::vec(any::<u16>(), 4..10),
    ) {
        let start = STARTS[figure % STARTS.len()];
        let moves = walk(start, &choices);
        prop_assume!(!moves.is_empty());
        let mirrored = Position::new(start.setup().mirrored()).expect("a position");
        let mirrored_moves: Vec<Move> = moves.iter().map(|m| m.mirrored()).collect();
        for rules in [RepetitionRules::Cxa1999, RepetitionRules::Cxa2020, RepetitionRules::Wxf2018] {
            let judgement = judge(&start, &moves, rules).expect("a legal line");
            let answer = judge(&mirrored, &mirrored_moves, rules).expect("a legal line");
            if judgement.certain && answer.certain {
                prop_assert_eq!(judgement.verdict, answer.verdict);
            }
        }
    }

    /// Whatever is written where a line to be judged should stand is judged or refused.
    #[test]
    fn strange_lines_are_answered(
        figure in 0usize..1000,
        at in prop::collection::vec((any::<prop::sample::Index>(), "[1-9rnbakcpRNBAKCP/ wb-]"), 0..4),
        moves in prop::collection::vec("[a-i][0-9][a-i][0-9]|\\PC{0,5}", 0..6),
        choices in prop::collection::vec(any::<u16>(), 0..8),
    ) {
        let mut fen: Vec<String> = STARTS[figure % STARTS.len()].to_string().chars().map(String::from).collect();
        for (index, with) in &at {
            let index = index.index(fen.len());
            fen[index].clone_from(with);
        }
        let Ok(start) = fen.concat().parse::<Position>() else { return Ok(()) };
        let mut line = walk(start, &choices);
        line.extend(moves.iter().filter_map(|m| m.parse::<Move>().ok()));
        for rules in [RepetitionRules::Cxa1999, RepetitionRules::Cxa2020, RepetitionRules::Wxf2018] {
            match judge(&start, &line, rules) {
                Ok(judgement) => prop_assert_eq!(judgement.plies.len(), line.len()),
                Err(JudgeError::NoMoves) => prop_assert!(line.is_empty()),
                Err(JudgeError::IllegalMove { ply, played, .. }) => prop_assert_eq!(line[ply - 1], played),
            }
        }
    }
}
