//! Real games there and back through every format that is written.
//!
//! The whole set lives beside the repository (`../shared/data/games`, from the Chinese-Chess-Practical-Dataset,
//! CC BY 4.0); without it the test says so and passes.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use formats::{Format, Game, ReadOptions, Style, Tag, WriteOptions, audit, opening};
use xiangqi::notation::Script;

/// As many go through every format.
const GAMES: usize = 1000;

fn games() -> Option<Vec<Game>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/games/games.jsonl.gz");
    let Ok(packed) = std::fs::File::open(&file) else {
        println!("skipped: no games beside the repository");
        return None;
    };
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).expect("gzip of JSON lines");
    let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("JSON lines");
    assert_eq!(reading.format, Format::Json);
    assert_eq!(reading.games.len(), text.lines().count());
    Some(reading.games)
}

/// Every format gives back what it was given, game by game and, where it can, all in one file.
#[test]
fn a_thousand_games_come_back_equal() {
    let Some(games) = games() else { return };
    for format in Format::all().filter(|format| format.is_written()) {
        check(&games[..GAMES], format, &WriteOptions::default());
    }
    let [chinese, selected] = [Style::Chinese, Style::ChineseSelected];
    for (style, script) in [
        (chinese, Script::Traditional),
        (selected, Script::Simplified),
        (Style::Wxf, Script::Simplified),
        (Style::Iccs, Script::Simplified),
    ] {
        check(&games[GAMES..GAMES + GAMES / 4], Format::Pgn, &WriteOptions { style, script });
    }
}

fn check(games: &[Game], format: Format, options: &WriteOptions) {
    let read = |bytes: &[u8]| formats::read(bytes, &ReadOptions::default()).expect("what we wrote").games;
    let mut without_codes = games.to_vec();
    // Only these hold the opening's code; that is the one thing the others say they lose.
    if !matches!(format, Format::Pgn | Format::Json | Format::DhtmlXq | Format::Cbf) {
        without_codes.iter_mut().for_each(|game| game.headers.set(Tag::Ecco, ""));
    }
    for (game, expected) in games.iter().zip(&without_codes) {
        let written = formats::write(std::slice::from_ref(game), format, options).expect("written");
        assert_eq!(written.losses.len(), game.headers.len() - expected.headers.len(), "{format}");
        assert_eq!(read(&written.bytes), std::slice::from_ref(expected), "{format}");
    }
    if format.holds_many() {
        let written = formats::write(games, format, options).expect("written");
        assert_eq!(read(&written.bytes), games, "{format}, all in one file");
    }
}

/// The games are legal from the first ply to the last, and say which side won.
#[test]
fn the_games_are_legal() {
    let Some(games) = games() else { return };
    for game in &games {
        assert_eq!(audit(game).faults, []);
    }
}

/// The table of openings was derived from four games of five; the fifth says what it is worth.
#[test]
fn openings_of_games_set_aside_are_coded_as_well_as_we_say() {
    let Some(games) = games() else { return };
    let coded = games.iter().filter(|game| game.starts_usually() && game.headers.get(&Tag::Ecco).is_some());
    let aside: Vec<&Game> = coded.skip(4).step_by(5).collect();
    let share = |same: &dyn Fn(&str, &str) -> bool| {
        let right = aside.iter().filter(|game| {
            opening(game).is_some_and(|found| same(found.code, game.headers.text(&Tag::Ecco)))
        });
        right.count() as f64 / aside.len() as f64
    };
    let (codes, letters) = (share(&|a, b| a == b), share(&|a, b| a[..1] == b[..1]));
    println!("{} games set aside: code {codes:.3}, letter {letters:.3}", aside.len());
    assert!(codes >= 0.87 && letters >= 0.98, "code {codes:.3}, letter {letters:.3}");
}
