//! Damaged and malicious files: nothing panics, nothing recurses with the input, nothing takes memory out of proportion.
//!
//! Each format has its seeds: a small file of every kind that we write or can make here, and real files where they lie
//! beside the repository. Mutations come from a fixed seed. `HOSTILE_ROUNDS` asks for more of them.

use std::path::Path;

use formats::{Format, Game, NodeId, Outcome, Ply, ReadOptions, Style, Tag, Text, WriteOptions, audit};
use xiangqi::notation::Script;

/// A small generator, so that a failure can be repeated anywhere.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

fn rounds() -> usize {
    std::env::var("HOSTILE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(150)
}

/// Reads it, and if there are games, judges them and writes them in every format.
fn survive(data: &[u8]) {
    let Ok(reading) = formats::read(data, &ReadOptions::default()) else { return };
    for game in reading.games.iter().take(3) {
        let _ = audit(game);
        for format in Format::all().filter(|format| format.is_written()) {
            let options = WriteOptions { style: Style::Chinese, script: Script::Simplified };
            let _ = formats::write(std::slice::from_ref(game), format, &options);
        }
    }
}

fn mutate(data: &[u8], random: &mut Random) -> Vec<u8> {
    let mut data = data.to_vec();
    for _ in 0..1 + random.next(6) {
        if data.is_empty() {
            break;
        }
        let at = random.next(data.len());
        let length = random.next(40).min(data.len() - at);
        match random.next(7) {
            0 => data[at] = random.next(256) as u8,
            1 => data[at] ^= 1 << random.next(8),
            2 => data.truncate(at),
            3 => drop(data.drain(at..at + length)),
            4 => {
                let piece = data[at..at + length].to_vec();
                let to = random.next(data.len());
                data.splice(to..to, piece);
            }
            5 => data[at..at + length].fill([0, 0xff, b'(', b'{', b'[', b'9'][random.next(6)]),
            // Lengths and counts are what readers trust.
            _ => data[at..at + length.min(4)].fill([0xff, 0x7f, 0x00][random.next(3)]),
        }
    }
    data
}

fn game() -> Game {
    let mut game = Game::new();
    game.headers.set(Tag::Red, "胡荣华");
    game.headers.set(Tag::Ecco, "C66");
    game.outcome = Outcome::Draw;
    let mut last = NodeId::ROOT;
    for text in ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"] {
        last = game.tree.add(last, Ply::Move(text.parse().expect("a move")));
        game.tree.node_mut(last).comment = Some(Text::from("正着"));
    }
    let third = game.tree.nth(3).expect("a third ply");
    game.tree.add(third, Ply::Move("a9a8".parse().expect("a move")));
    game.tree.add(third, Ply::Move("b7e7".parse().expect("a move")));
    game.tree.add(NodeId::ROOT, Ply::Move("c3c4".parse().expect("a move")));
    game
}

fn written(format: Format) -> Vec<u8> {
    let options = WriteOptions::default();
    formats::write(&[game()], format, &options).expect("written").bytes
}

/// A small file of every format that is read.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds: Vec<(&'static str, Vec<u8>)> = Format::all()
        .filter(|format| format.is_written())
        .map(|format| (format.name(), written(format)))
        .collect();
    let mut library = vec![0u8; 66_624 + 276];
    library[..16].copy_from_slice(b"CCBridgeLibrary\0");
    library[60] = 1;
    library.extend(written(Format::Cbr));
    seeds.push(("cbl", library));
    let texts: &[&[u8]] =
        &[b"room", b"2003", "甲(3)-胜-乙(1)".as_bytes(), b"1", b"2", b"over", b"Moves", b"7C-4C", b"Ends"];
    seeds.push(("mxq", texts.iter().flat_map(|text| [&[text.len() as u8], *text].concat()).collect()));
    seeds.push(("che", b"1 2 21 32 1 2 7 2 4 0 1 0 10 32 0 9 7 7 6 0 2 0".to_vec()));
    let mut chn = vec![0u8; 0x20a];
    chn[..2].copy_from_slice(b"GL");
    chn.extend([0x77, 0x74].into_iter().chain([0; 34]).chain([0x07, 0x26]).chain([0; 34]));
    seeds.push(("chn", chn));
    let mut ccm = vec![1, 0, 18, 0, 0, 0, 0, 0, 1, 0, 0, 0];
    ccm.extend([15, 1, 6, 7, 7, 4, 7, 0, 0]);
    seeds.push(("ccm", ccm));
    for (name, text) in [
        (
            "engine",
            "position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d0d1 e9e8\nposition startpos moves h2e2",
        ),
        ("problems", "一|3ak4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1\n二|3ak4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1"),
        ("text", "标题：五七炮\n红方：甲\n1. 炮二平五 马8进7\n2. 马二进三 (车一进一) 车9平8 {好}"),
        ("listing", "A - B\nEvent EOD\nh2e2 h9g7 h0g2"),
        ("parents", "[FEN \"5a3/4ak2r/6R2/8p/9/9/9/B4N2B/4K4/3c5 r\"]\n0.2546 0.2544 1.0393 1.09F2 2.0393"),
        ("xay", "version: '1'\nsetup: [\n [[r], [], [k]],\n [],\n [[K]]\n]"),
        (
            "linked",
            "{\"info\":{\"FEN\":\"\"},\"moves\":{\"f\":27,\"t\":24,\"n\":{\"f\":91,\"t\":72},\"o\":{\"f\":7,\"t\":26}}}",
        ),
    ] {
        seeds.push((name, text.as_bytes().to_vec()));
    }
    seeds
}

#[test]
fn seeds_are_read() {
    for (name, seed) in seeds() {
        let reading = formats::read(&seed, &ReadOptions::default());
        assert!(reading.is_ok_and(|reading| !reading.games.is_empty()), "the seed of {name}");
    }
}

#[test]
fn mutated_files_are_survived() {
    let mut random = Random(2026);
    for (_, seed) in seeds() {
        for _ in 0..rounds() * 4 {
            survive(&mutate(&seed, &mut random));
        }
    }
}

#[test]
fn mutated_records_are_survived() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/records");
    let Ok(folders) = std::fs::read_dir(&folder) else {
        println!("skipped: no record files beside the repository");
        return;
    };
    let mut files: Vec<_> = folders
        .filter_map(|entry| std::fs::read_dir(entry.ok()?.path()).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    let mut random = Random(64);
    for file in files {
        let data = std::fs::read(&file).expect("a file of the folder");
        // Large files take their time and say little that small ones don't.
        if data.len() < 20_000 {
            for _ in 0..rounds() / 10 {
                survive(&mutate(&data, &mut random));
            }
        }
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
