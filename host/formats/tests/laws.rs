//! What writing and reading promise, for games of any shape.

use formats::{Format, Game, NodeId, Outcome, Ply, ReadOptions, Standing, Style, Tag, Text, WriteOptions};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use xiangqi::notation::Script;
use xiangqi::{Move, Setup};

/// Where a ply goes, which it is, and what is said about it.
#[derive(Clone, Debug)]
struct Step {
    /// Counted back from the newest ply: mostly a line, now and then a variation.
    back: usize,
    choice: usize,
    comment: Option<String>,
    glyph: Option<u8>,
    used_ms: Option<u64>,
    left_ms: Option<u64>,
    /// Instead of a legal move: any two squares, or text.
    odd: Option<Result<Move, &'static str>>,
}

/// Text with everything in it that some format gives a meaning.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-zA-Z0-9 ,.:]{1,8}",
        8 => "[红黑先胜马車炮卒中国象棋（）《》，。]{1,6}",
        2 => prop::sample::select(vec![
            "{", "}", "[", "]", "||", "|", "\n", "\r\n", "\r", "\"", "\\", "\\\"", "\"]", ";", "?", "\t", "\0", "<", "&amp;",
            "]]>", "[%clk 0:01:00]", "[/DhtmlXQ_title]", "[DhtmlXQ]", "}END", "/*", "1-0", "🀄", "é", "\u{1}", "  ", "Ｃ２＝５",
            "炮二平五", "(", ")", "……", "\u{feff}",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

fn a_move() -> impl Strategy<Value = Move> {
    let square = || (0..90usize).prop_map(|index| xiangqi::Square::new(index).expect("below ninety"));
    (square(), square()).prop_map(|(from, to)| Move::new(from, to))
}

fn step() -> impl Strategy<Value = Step> {
    let back = prop_oneof![10 => Just(0usize), 3 => 1..6usize];
    let odd = prop_oneof![
        60 => Just(None),
        1 => a_move().prop_map(|m| Some(Ok(m))),
        1 => prop::sample::select(vec!["兵九退九", "200-15", "卒9退9"]).prop_map(|text| Some(Err(text))),
    ];
    let times =
        (prop::option::weighted(0.1, 0..10_000_000u64), prop::option::weighted(0.1, 0..10_000_000u64));
    (
        back,
        0..1000usize,
        prop::option::weighted(0.2, text()),
        prop::option::weighted(0.1, any::<u8>()),
        times,
        odd,
    )
        .prop_map(|(back, choice, comment, glyph, (used_ms, left_ms), odd)| Step {
            back,
            choice,
            comment,
            glyph,
            used_ms,
            left_ms,
            odd,
        })
}

fn tag() -> impl Strategy<Value = Tag> {
    let names = vec![
        "Title",
        "Subtitle",
        "Event",
        "EventClass",
        "Round",
        "Group",
        "Table",
        "Date",
        "Site",
        "RedTeam",
        "Red",
        "RedElo",
        "RedTime",
        "BlackTeam",
        "Black",
        "BlackElo",
        "BlackTime",
        "TimeControl",
        "Termination",
        "ECCO",
        "Opening",
        "Variation",
        "Kind",
        "Owner",
        "Category",
        "Source",
        "Referee",
        "Recorder",
        "Annotator",
        "Author",
        "Remark",
        "Created",
        "Modified",
        "open",
        "place",
        "PlyCount",
        "a b",
        "RedTitle",
        "fen",
        "result",
        "comment1",
        "Version",
    ];
    prop::sample::select(names).prop_map(Tag::named)
}

fn value() -> impl Strategy<Value = String> {
    let plain =
        prop::sample::select(vec!["C66", "C66 五七炮", "全局", "残局", "1-0", "????.??.??", "2026.11.29"]);
    prop_oneof![3 => text(), 1 => plain.prop_map(str::to_owned)]
}

fn start() -> impl Strategy<Value = Setup> {
    let fens = vec![
        xiangqi::fen::INITIAL,
        "3ak1b2/4a4/4b4/9/9/2C6/9/9/1r1r5/4K1R2 w - - 0 1",
        "5a3/4ak2r/6R2/8p/9/9/9/B4N2B/4K4/3c5 b - - 7 16",
        "4k4/9/4P4/4P4/2P1P1P2/9/9/9/9/3K5 w - - 0 1",
    ];
    prop::sample::select(fens).prop_map(|fen| fen.parse().expect("a FEN"))
}

fn outcome() -> impl Strategy<Value = Outcome> {
    use Outcome::{BlackWins, Draw, RedWins, Several, Unknown};
    prop::sample::select(vec![Unknown, RedWins, BlackWins, Draw, Several])
}

prop_compose! {
    fn game()(
        start in start(),
        outcome in outcome(),
        headers in prop::collection::btree_map(tag(), value(), 0..6),
        comment in prop::option::weighted(0.3, text()),
        steps in prop::collection::vec(step(), 0..40),
    ) -> Game {
        let mut game = Game::from_start(start);
        game.outcome = outcome;
        for (tag, value) in headers {
            game.headers.set(tag, value.as_str());
        }
        game.tree.node_mut(NodeId::ROOT).comment = comment.as_deref().map(Text::from);
        let mut standings = vec![Standing::new(start)];
        for step in &steps {
            let parent = standings.len() - 1 - step.back.min(standings.len() - 1);
            let before = standings[parent];
            let legal = before.position().map(|position| position.legal_moves());
            let ply = match (&step.odd, legal) {
                (Some(Ok(m)), _) => Ply::Move(*m),
                (Some(Err(text)), _) => Ply::Unread((*text).into()),
                (None, Some(moves)) if !moves.is_empty() => Ply::Move(moves[step.choice % moves.len()]),
                _ => continue,
            };
            standings.push(before.after(&ply));
            let parent = game.tree.nth(parent).expect("a node for each board");
            let id = game.tree.add(parent, ply);
            let node = game.tree.node_mut(id);
            node.comment = step.comment.as_deref().map(Text::from);
            node.glyphs = step.glyph.into_iter().collect();
            node.times.used_ms = step.used_ms;
            node.times.left_ms = step.left_ms;
        }
        game.trust_first_piece();
        game
    }
}

fn all_ways() -> Vec<(Format, WriteOptions)> {
    let mut ways = Vec::new();
    for format in Format::all().filter(|format| format.is_written()) {
        let styles = if format == Format::Pgn {
            vec![Style::Chinese, Style::ChineseSelected, Style::Wxf, Style::Iccs]
        } else {
            vec![Style::Chinese]
        };
        for style in styles {
            for script in [Script::Simplified, Script::Traditional] {
                ways.push((format, WriteOptions { style, script }));
            }
        }
    }
    ways
}

fn read_one(bytes: &[u8], format: Format) -> Game {
    let reading = formats::read(bytes, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{format}: {error}\n{}", String::from_utf8_lossy(bytes)));
    assert_eq!(reading.format, format, "{}", String::from_utf8_lossy(bytes));
    assert_eq!(reading.games.len(), 1, "{format}: {}", String::from_utf8_lossy(bytes));
    reading.games.into_iter().next().expect("one game")
}

/// What was not reported as lost is there; and what is there is never lost again.
fn check(game: &Game) {
    for (format, options) in all_ways() {
        let written = match formats::write(std::slice::from_ref(game), format, &options) {
            Ok(written) => written,
            Err(error) => panic!("{format}: {error}"),
        };
        let back = read_one(&written.bytes, format);
        let shown = String::from_utf8_lossy(&written.bytes);
        if written.losses.is_empty() {
            assert_eq!(back, *game, "{format} {options:?} reported no loss\n{shown}");
        }
        let again = formats::write(std::slice::from_ref(&back), format, &options)
            .expect("what was read can be written");
        assert_eq!(again.losses, [], "{format}: a second time nothing is lost\n{shown}");
        assert_eq!(read_one(&again.bytes, format), back, "{format}\n{shown}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(9), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_reported_as_lost_is_there(game in game()) {
        check(&game);
    }
}

/// Formats that hold variations, comments and the usual fields say nothing of losses for an ordinary commented game.
#[test]
fn an_ordinary_game_loses_nothing() {
    let mut game = Game::new();
    for (tag, value) in
        [(Tag::Red, "胡荣华"), (Tag::Black, "徐天红"), (Tag::Event, "全国个人赛"), (Tag::Date, "1993-4-27")]
    {
        game.headers.set(tag, value);
    }
    game.outcome = Outcome::RedWins;
    let mut last = NodeId::ROOT;
    for text in ["h2e2", "h9g7", "h0g2", "i9h9"] {
        last = game.tree.add(last, Ply::Move(text.parse().expect("a move")));
    }
    game.tree.node_mut(last).comment = Some(Text::from("出车。\n正着。"));
    let second = game.tree.main_line().nth(1).expect("a second ply");
    let parent = game.tree.node(second).parent().expect("not the root");
    game.tree.add(parent, Ply::Move("b9c7".parse().expect("a move")));
    for (format, options) in all_ways().into_iter().filter(|(format, _)| *format != Format::Wxf) {
        let written = formats::write(std::slice::from_ref(&game), format, &options).expect("written");
        assert_eq!(written.losses, [], "{format}");
        assert_eq!(read_one(&written.bytes, format), game, "{format}");
    }
}
