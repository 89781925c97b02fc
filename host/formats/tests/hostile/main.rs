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
