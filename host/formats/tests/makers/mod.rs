//! A small file of every format and layout that is read: written by us, or made here byte by byte from what is known of
//! the format (XQF's keys, CCBridge's first layout, its compressed libraries).

use std::io::Write as _;

use formats::{Format, Game, NodeId, Outcome, Ply, Tag, Text, WriteOptions};

/// A game with comments and variations, at its first move too.
pub fn game() -> Game {
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

/// That game in a format.
pub fn written(format: Format) -> Vec<u8> {
    let options = WriteOptions::default();
    formats::write(&[game()], format, &options).expect("written").bytes
}

/// A small file of every format that is read.
#[allow(dead_code, reason = "not every test that makes files wants them all")]
pub fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds: Vec<(&'static str, Vec<u8>)> = Format::all()
        .filter(|format| format.is_written())
        .map(|format| (format.name(), written(format)))
        .collect();
    let mut library = vec![0u8; 66_624 + 276];
    library[..16].copy_from_slice(b"CCBridgeLibrary\0");
    library[60] = 1;
    library[66_624] = 7;
    library.extend(written(Format::Cbr));
    seeds.push(("cbl", library));
    seeds.push(("cbl-early", early_library(&written(Format::Cbr))));
    seeds.push(("cbr-1", cbr_of_kind_1(&written(Format::Cbr))));
    for version in 11..=18 {
        seeds.push(("xqf", scrambled(&written(Format::Xqf), version, [0x55, 0x77, 0x01])));
    }
    let texts: &[&[u8]] =
        &[b"room", b"2003", "甲(3)-胜-乙(1)".as_bytes(), b"1", b"2", b"over", b"Moves", b"7C-4C", b"Ends"];
    seeds.push(("mxq", texts.iter().flat_map(|text| [&[text.len() as u8], *text].concat()).collect()));
    seeds.push(("che", b"1 2 21 32 1 2 7 2 4 0 1 0 10 32 0 9 7 7 6 0 2 0".to_vec()));
    let mut chn = vec![0u8; 508 + 2 * 36];
    chn[..2].copy_from_slice(b"GL");
    chn[516] = 1;
    chn[522..524].copy_from_slice(&[0x77, 0x74]);
    chn[558..560].copy_from_slice(&[0x07, 0x26]);
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

/// A plain XQF file in a version from 11 to 18, under three keys and the mask and the bits that make them weak.
pub fn scrambled(plain: &[u8], version: u8, [xy, from, to]: [u8; 3]) -> Vec<u8> {
    let (mask, or) = (0xff, [0x01, 0x02, 0x10, 0x20]);
    // The four keys add up to 0.
    let sum = 0u8.wrapping_sub(xy).wrapping_sub(from).wrapping_sub(to);
    let keys = [sum, xy, from, to];
    let scale = |key: u8| 54u8.wrapping_mul(key).wrapping_mul(key).wrapping_add(221);
    let pieces = scale(xy).wrapping_mul(xy);
    let from_key = scale(from).wrapping_mul(pieces);
    let to_key = scale(to).wrapping_mul(from_key);
    let length_key = (u32::from(sum) * 256 + u32::from(xy)) % 32000 + 767;
    let mut file = plain[..1024].to_vec();
    (file[2], file[3]) = (version, mask);
    file[8..12].copy_from_slice(&or);
    file[12..16].copy_from_slice(&keys);
    for i in 0..32 {
        let slot = if version >= 12 { (i + 1 + usize::from(pieces)) % 32 } else { i };
        file[16 + i] = plain[16 + slot].wrapping_add(pieces);
    }
    let mut tree = &plain[1024..];
    while let [a, b, flags, _, c, d, e, f, rest @ ..] = tree {
        let length = u32::from_le_bytes([*c, *d, *e, *f]);
        let (comment, rest) = rest.split_at(length as usize);
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        let flags = bit(flags & 0xf0 != 0, 0x80) | bit(flags & 15 != 0, 0x40) | bit(length > 0, 0x20);
        file.extend([a.wrapping_add(from_key), b.wrapping_add(to_key), flags, 0]);
        if length > 0 {
            file.extend((length + length_key).to_le_bytes());
            file.extend(comment);
        }
        tree = rest;
    }
    let pad = b"[(C) Copyright Mr. Dong Shiwei.]";
    for at in 1024..file.len() {
        let add = pad[at % 32] & ((keys[at % 4] & mask) | or[at % 4]);
        file[at] = file[at].wrapping_add(add);
    }
    file
}

/// Half-bytes instead of a number: the file, and the rank from the top.
fn halves(from_top: u8) -> u8 {
    ((from_top % 9) << 4) | (from_top / 9)
}

/// A record of kind 2 in the layout of kind 1.
pub fn cbr_of_kind_1(record: &[u8]) -> Vec<u8> {
    let mut file = vec![0u8; 1958];
    file[..20].copy_from_slice(&record[..20]);
    file[19] = 1;
    file[52..180].copy_from_slice(&record[180..308]);
    file[1864..1954].copy_from_slice(&record[2120..2210]);
    let mut stream = &record[2214..];
    while let [flags, _, from, to, rest @ ..] = stream {
        file.extend([*flags, 5, halves(*from), halves(*to)]);
        let length = match (flags & 4, rest) {
            (0, _) => 0,
            (_, [a, b, c, d, ..]) => 4 + u32::from_le_bytes([*a, *b, *c, *d]) as usize,
            _ => break,
        };
        file.extend(&rest[..length]);
        stream = &rest[length..];
    }
    file
}

/// A compressed library of older versions, with the main line of a record of kind 2 and a comment on its second ply.
pub fn early_library(record: &[u8]) -> Vec<u8> {
    let text = |text: &[u8]| [&(text.len() as u32).to_le_bytes(), text].concat();
    let dates = b"2003-05-01 12:00:002003-05-02 12:00:00";
    let set: [u8; 32] = *b"RNBAKABNRCCPPPPPrnbakabnrccppppp";
    let mut taken = [false; 90];
    let board = &record[2120..2210];
    let place = |letter: &u8| {
        let role =
            b" RNBAKCP".iter().position(|known| *known == letter.to_ascii_uppercase()).unwrap_or(0) as u8;
        let byte = role | if letter.is_ascii_uppercase() { 0x10 } else { 0x20 };
        let found = (0..90).find(|at| board[*at] == byte && !taken[*at]);
        found.map_or(0, |at| {
            taken[at] = true;
            halves(at as u8) + 0x11
        })
    };
    let mut body: Vec<u8> = set.iter().map(place).collect();
    body.extend([0; 12]);
    (0..7).for_each(|i| body.extend(text(format!("text {i}").as_bytes())));
    body.extend(3u32.to_le_bytes());
    (0..4).for_each(|_| body.extend(text(b"")));
    body.extend(text(b"start"));
    body.push(0);
    body.extend(dates);
    let mut moves = Vec::new();
    let mut stream = &record[2214..];
    while let [flags, _, from, to, rest @ ..] = stream {
        moves.push((halves(*from), halves(*to)));
        let skip = if flags & 4 == 0 {
            0
        } else {
            4 + u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize
        };
        stream = &rest[skip..];
        if flags & 1 != 0 {
            break;
        }
    }
    body.extend((moves.len() as u32 - 1).to_le_bytes());
    for (i, (from, to)) in moves.iter().enumerate().skip(1) {
        body.extend([i as u8, 0, *from, *to, 0, 0]);
    }
    body.extend(b"\r\nsecond\r\n");
    let mut plain: Vec<u8> = (0..5).flat_map(|_| text(b"library")).collect();
    plain.extend(dates);
    plain.extend(1u32.to_le_bytes());
    plain.extend(text(b"remark"));
    plain.extend((body.len() as u32 + 4).to_le_bytes());
    plain.extend(body);
    packed_library(&plain)
}

/// What stands in a compressed library, packed.
pub fn packed_library(plain: &[u8]) -> Vec<u8> {
    let mut file = b"CCBridge\x15\0\0\0\0\0\0\0".to_vec();
    file.extend((plain.len() as u32).to_le_bytes());
    let mut stream = flate2::write::ZlibEncoder::new(file, flate2::Compression::fast());
    stream.write_all(plain).expect("memory");
    stream.finish().expect("memory")
}
