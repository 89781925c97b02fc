//! Damaged and malicious files: nothing panics, nothing recurses with the input, nothing takes memory out of proportion.
//!
//! Each format has its seeds: a small file of every kind that we write or can make here, and real files where they lie
//! beside the repository. Mutations come from a fixed seed. `HOSTILE_ROUNDS` asks for more of them.

mod cut;
mod fuzz;
#[path = "../makers/mod.rs"]
mod makers;
mod mutation;

use formats::{Format, Game, NodeId, Ply, ReadOptions, WriteOptions, audit};

use makers::{seeds, written};
use mutation::Random;

fn rounds() -> usize {
    std::env::var("HOSTILE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(150)
}

/// Reads it, and if there are games, judges them and writes them in every format.
fn survive(data: &[u8]) {
    let Ok(reading) = formats::read(data, &ReadOptions::default()) else { return };
    for game in reading.games.iter().take(3) {
        let _ = audit(game);
        for format in Format::all().filter(|format| format.is_written()) {
            let _ = formats::write(std::slice::from_ref(game), format, &WriteOptions::default());
        }
    }
}

#[test]
fn seeds_are_read() {
    for (name, seed) in seeds() {
        let reading = formats::read(&seed, &ReadOptions::default());
        assert!(reading.is_ok_and(|reading| !reading.games.is_empty()), "the seed of {name}");
    }
}

#[test]
fn noise_is_survived() {
    let mut random = Random(7);
    let starts: Vec<Vec<u8>> =
        seeds().into_iter().map(|(_, seed)| seed[..seed.len().min(24)].to_vec()).collect();
    for round in 0..rounds() * 4 {
        let mut noise: Vec<u8> = (0..random.next(3000)).map(|_| random.next(256) as u8).collect();
        if round % 2 == 0 {
            noise.splice(0..0, starts[random.next(starts.len())].iter().copied());
        }
        survive(&noise);
    }
}

/// Trees as deep as a file can make them, brackets that never close, lists that point at themselves.
#[test]
fn deep_and_endless_files_are_survived() {
    const DEEP: usize = 60_000;
    let mut xqf = written(Format::Xqf)[..1024].to_vec();
    xqf.extend([0x18, 0x20, 0xf0, 0, 0, 0, 0, 0]);
    for _ in 0..DEEP {
        // Child and sibling both, all the way down; then the file ends.
        xqf.extend([0x18 + 72, 0x20 + 42, 0xff, 0, 0, 0, 0, 0]);
    }
    survive(&xqf);
    let mut line = Game::new();
    let mut last = NodeId::ROOT;
    for i in 0..DEEP {
        let text = ["a0a1", "a9a8", "a1a0", "a8a9"][i % 4];
        last = line.tree.add(last, Ply::Move(text.parse().expect("a move")));
    }
    for format in [Format::Xqf, Format::Cbr, Format::Cbf, Format::Json, Format::Pgn, Format::DhtmlXq] {
        survive(
            &formats::write(std::slice::from_ref(&line), format, &WriteOptions::default())
                .expect("written")
                .bytes,
        );
    }
    for unit in [
        "(",
        "{",
        "[",
        "[A \"",
        "(炮二平五",
        "( 1. 炮二平五 (",
        "$",
        "1.",
        "。",
        "\"]",
        "）",
        "{(}",
        "炮",
        "[DhtmlXQ_a]",
        "[DhtmlXQ_move_1_1_1]7747",
        "标题：",
        "position startpos moves h2e2\n",
        "{\"n\":",
        "<a>",
        "START{\n",
    ] {
        survive(unit.repeat(20_000).as_bytes());
        survive(format!("[Event \"x\"]\n\n1. {}", unit.repeat(20_000)).as_bytes());
    }
    let circle: String =
        (1..2000).map(|i| format!("[DhtmlXQ_move_{}_2_{i}]7062[/DhtmlXQ_move_]", i % 1999 + 1)).collect();
    survive(format!("[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]{circle}[/DhtmlXQ]").as_bytes());
}

/// What is larger than any record is refused by name, and the other games of the file are read.
#[test]
fn limits_are_told() {
    let list = "7747706247776270".repeat(formats::Tree::MOST_PLIES / 4 + 1);
    let long = format!("[DhtmlXQ][DhtmlXQ_movelist]{list}[/DhtmlXQ_movelist][/DhtmlXQ]");
    let tags: String = (0..=formats::Headers::MOST_FIELDS).map(|i| format!("[T{i} \"x\"]\n")).collect();
    let tagged = format!("[Event \"x\"]\n{tags}\n1. h2e2 *\n");
    let nested = format!("[Event \"x\"]\n1. h2e2 {}*", "(h2d2".repeat(10_001));
    for (file, says) in
        [(long, "1000000 plies"), (tagged.clone(), "10000 header fields"), (nested, "10,000 deep")]
    {
        let error = formats::read(file.as_bytes(), &ReadOptions::default()).expect_err("too much");
        assert!(error.to_string().contains(says), "{error}");
    }
    let file = format!("{tagged}\n[Event \"y\"]\n\n1. h2e2 *\n");
    let reading = formats::read(file.as_bytes(), &ReadOptions::default()).expect("the other game");
    assert_eq!((reading.games.len(), reading.lost.len()), (1, 1));
}

/// Texts that once took time out of proportion: twice as much takes twice as long, not four times.
#[test]
fn time_grows_with_the_file_alone() {
    let started = std::time::Instant::now();
    for unit in [
        "{a}",
        "{{}",
        "车进一 ",
        "xx ",
        "[A \"x\"] ",
        "[A \"x\"] \"",
        "(h2d2)",
        "$1",
        ")",
        "[Event \"x\"]\n\n1. h2e2 *\n",
        "{\"moves\":[\"h2e2\"]}\n",
        "{\"moves\":[1\n",
    ] {
        let file = match unit.contains('\n') {
            true => unit.repeat(20_000),
            false => format!("[Event \"x\"]\n\n1. h2e2 {} *", unit.repeat(200_000)),
        };
        let before = started.elapsed();
        let _ = formats::read(file.as_bytes(), &ReadOptions::default());
        let took = started.elapsed() - before;
        // A square of 200,000 steps takes minutes.
        assert!(took < fuzz::PATIENCE, "{unit:?}: {took:?}");
    }
}

/// A small file that unpacks to gigabytes is not unpacked to the end.
#[test]
fn a_bomb_does_not_go_off() {
    use std::io::Write;
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0u8; 1 << 20];
    for _ in 0..256 {
        packed.write_all(&zeros).expect("memory");
    }
    let mut file = b"CCBridge\x15\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    file.extend(packed.finish().expect("memory"));
    survive(&file);
}
