//! What programs of the world write, small and whole: every dialect once, and what others' readers are reported to fail
//! on. Real files of the same kinds are in `records.rs`.

use encoding_rs::{BIG5, Encoding, GB18030};
use formats::{Format, Game, NodeId, Outcome, Ply, ReadOptions, Tag, WriteOptions, audit};

mod makers;

use makers::{cbr_of_kind_1, early_library, game, scrambled, written};

fn read(data: &[u8]) -> Vec<Game> {
    formats::read(data, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")).games
}

/// One game: the moves of its main line, and how many plies, legal ones, branch points there are.
fn check(text: &str, main: &str, counts: [usize; 3]) {
    check_bytes(text.as_bytes(), main, counts);
}

fn check_bytes(data: &[u8], main: &str, [nodes, legal, branches]: [usize; 3]) {
    let shown = String::from_utf8_lossy(data);
    let games = read(data);
    assert_eq!(games.len(), 1, "{shown}");
    let tree = &games[0].tree;
    let moves: Vec<String> = tree
        .main_line()
        .map(|id| match tree.node(id).ply() {
            Some(Ply::Move(m)) => m.to_string(),
            Some(Ply::Unread(text)) => format!("?{text}"),
            None => String::new(),
        })
        .collect();
    assert_eq!(moves.join(" "), main, "{shown}");
    assert_eq!(
        [tree.len(), audit(&games[0]).legal_nodes, tree.branch_points()],
        [nodes, legal, branches],
        "{shown}"
    );
}

/// Whatever is pasted is told apart: Chinese, WXF of the federation and of playOK, ICCS, UCI, SAN.
#[test]
fn pasted_moves() {
    let main = "h2e2 h9g7 h0g2 i9h9";
    let all = [4, 4, 0];
    check("炮二平五 马8进7 马二进三 车9平8", main, all);
    check("1.炮二平五马8进72.马二进三车9平8", main, all);
    check("1. 砲二平五 馬８進７\n2. 傌二進三 車９平８", main, all);
    check("1、炮二平五，马8进7；\n2、马二进三，车9平8。", main, all);
    check("1. C2=5 H8+7 2. H2+3 R9=8", main, all);
    check("1. C2.5 h8+7 2. H2+3 r9.8", main, all);
    check("1. C2.5 n8+7 2. N2+3! r9.8!!", main, all);
    check("h2e2 h9g7 h0g2 i9h9", main, all);
    check("H2E2 H9G7 H0G2 I9H9", main, all);
    check("h3e3 h10g8 h1g3 i10h10", main, all);
    check("h2e2h9g7h0g2i9h9", main, all);
    check("H2-E2H9-G7H0-G2I9-H9", main, all);
    check("1.H2-E2H9-G72.H0-G2,I9-H9", main, all);
    check("h3e3h10g8h1g3i10h10", main, all);
    check("1.C2=5H8+72.H2+3R9=8", main, all);
    check("1. Che2 Hg7 2. Hg2 Rh9", main, all);
    check("1. Che3 {+0.25/16 3.2} Ng8 2. Ng3 {-0.10/15 2.9} Rh10", main, all);
    check("7747 7062 7967 8070", main, all);
    check("position startpos moves h2e2 h9g7 h0g2 i9h9", main, all);
    check(
        "FORMAT WXF\nRED A;;;\nBLACK B;;;\nRESULT 1-0\n\nSTART{\n1. C2.5 H8+7\n2. H2+3 R9.8\n}END\n",
        main,
        all,
    );
    check(
        "标题：五七炮\n红方：甲\n黑方：乙\n　1. 炮二平五　马8进7\n　2. 马二进三　车9平8\n结果：红胜",
        main,
        all,
    );
}

/// An illegal ply is data: what follows it is read, wherever the record came from.
#[test]
fn illegal_plies_are_read_and_marked() {
    for text in
        ["h2e2 h9g7 i0i9 i9h9", "7747 7062 8980 8070", "[Event \"x\"]\n1. 炮二平五 马8进7 2. I0-I9 i9h9 1-0"]
    {
        check(text, "h2e2 h9g7 i0i9 i9h9", [4, 2, 0]);
    }
    // A move that leaves the king in check has a name; one that the piece cannot make is kept as it was written.
    check("[FEN \"4k4/9/9/9/9/4C4/9/9/9/4K4 w\"]\n1. 炮五平六 将5平4 *", "e4d4 e9d9", [2, 0, 0]);
    check("炮二平五 马8进7 车一进九 车9平8", "h2e2 h9g7 ?车一进九 i9h9", [4, 2, 0]);
    check("车一进九", "?车一进九", [1, 0, 0]);
    check("i0i9 a9a0", "i0i9 a9a0", [2, 0, 0]);
    // A word that no piece answers to is kept; the numbers behind it do not slip.
    check("1. 炮二平五 卒9退9 2. 马二进三 马8进7", "h2e2 ?卒9退9 h0g2 h9g7", [4, 1, 0]);
    let games = read("1. 炮二平五 卒9退9 2. 马二进三 马8进7 3. 车一平二".as_bytes());
    let text = formats::write(&games, Format::Pgn, &WriteOptions::default()).expect("written").bytes;
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(text.contains("2. 马二进三") && text.contains("3. 车一平二"), "{text}");
    for (format, says) in [(Format::Xqf, "stops before ply 2 (卒9退9)"), (Format::DhtmlXq, "4 plies dropped")]
    {
        let losses = formats::write(&games, format, &WriteOptions::default()).expect("written").losses;
        assert!(losses.iter().any(|(_, loss)| loss.to_string().contains(says)), "{format}: {losses:?}");
    }
    let prose = "He moved to e4 and then, after some thought, resigned. The hall was quiet.";
    assert!(formats::read(prose.as_bytes(), &ReadOptions::default()).is_err());
}

/// A side that passes gives the turn away; the null move of other editors is kept as it was written.
#[test]
fn a_null_move_is_kept() {
    let text = "[Event \"x\"]\n\n1. 炮二平五 -- 2. 马二进三 马8进7 *";
    check(text, "h2e2 ?-- h0g2 h9g7", [4, 1, 0]);
    let written = formats::write(&read(text.as_bytes()), Format::Pgn, &WriteOptions::default());
    let written = String::from_utf8(written.expect("written").bytes).expect("UTF-8");
    assert!(written.contains("1. 炮二平五 --\n2. 马二进三"), "{written}");
}

/// Marks between moves go without a word; of words that are no moves the first is named and the others are counted.
#[test]
fn what_is_no_move_is_told_once() {
    let warnings = |text: &str| {
        let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("a game");
        reading.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(warnings("1. 炮二平五, 马8进7, 2. 马二进三; 车9平8."), [""; 0]);
    assert_eq!(
        warnings("1. 炮二平五 yy 马8进7 zz\n2. 马二进三 xx 车9平8"),
        ["line 1: yy is no move; skipped", "line 2: 3 words in all are no moves and were skipped"]
    );
}

/// A damaged word takes the turn of the side whose move it was, so that no later move goes to the wrong side.
#[test]
fn a_damaged_move_keeps_its_turn() {
    check("1. 炮二平五 马8进7 2. 炮五进X 车9平8 3. 马二进三", "h2e2 h9g7 ?炮五进X i9h9 h0g2", [5, 2, 0]);
    check("1. 炮二平五 馬八進七 2. X五進四 馬二進三 3. 馬二進三", "h2e2 h9g7 ?X五進四 b9c7 h0g2", [5, 2, 0]);
    check("1. C2=5 H8+7 2. XXXX R9=8 3. H2+3", "h2e2 h9g7 ?XXXX i9h9 h0g2", [5, 2, 0]);
    check("1. 炮二平五 马8进7 好棋 2. 马二进三 车9平8", "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
}

/// JSON lists of games, and moves in one string.
#[test]
fn other_shapes_of_json() {
    let games = read(b"[{\"moves\":[\"h2e2\"]},\n {\"moves\":\"h2e2, h9g7\"}\n]\n");
    assert_eq!(games.iter().map(|game| game.tree.len()).collect::<Vec<_>>(), [1, 2]);
    check("{\"moves\":[\"h2e2\",5,\"h0g2\"]}", "h2e2 ?5 h0g2", [3, 1, 0]);
}

/// Two results that differ are told, and so is a name given twice.
#[test]
fn fields_that_differ() {
    let text = "[Event \"x\"]\n[Red \"a\"]\n[Red \"a\"]\n[Red \"b\"]\n\n1. 炮二平五 1-0\n";
    let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("a game");
    let told: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["line 4: Red is b here and was a before; the last counts"]);

    let text = "[Event \"x\"]\n[Result \"0-1\"]\n\n1. 炮二平五 1-0\n";
    let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("a game");
    assert_eq!(reading.games[0].outcome, Outcome::BlackWins);
    let told: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["line 2: 1-0 behind the moves, 0-1 in the tags; that of the tags is kept"]);
}

/// What we write ourselves is not taken for a file that is cut off.
#[test]
fn our_own_files_are_whole() {
    let mut game = game();
    for outcome in [Outcome::Unknown, Outcome::RedWins] {
        game.outcome = outcome;
        for format in Format::all().filter(|format| format.is_written()) {
            let file = formats::write(std::slice::from_ref(&game), format, &WriteOptions::default());
            let reading = formats::read(&file.expect("written").bytes, &ReadOptions::default());
            assert_eq!(reading.expect("ours").warnings, [], "{format}");
        }
    }
}

/// A bad line of JSON lines costs its game and no other, and is named by its number.
#[test]
fn a_bad_line_costs_one_game() {
    let good = "{\"moves\":[\"h2e2\"]}";
    for bad in [
        "{\"moves\":[\"h2e2\"",
        "{\"moves\" x}",
        "{\"start\":\"9/9\",\"moves\":[]}",
        "{\"plies\":[{\"after\":7}]}",
    ] {
        let text = format!("{good}\n\n{bad}\n{good}\n{bad}\n{good}\n");
        let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("three games");
        let lost: Vec<String> = reading.lost.iter().map(ToString::to_string).collect();
        assert_eq!((reading.games.len(), lost.len()), (3, 2), "{text} {lost:?}");
        assert!(lost[0].starts_with("line 3: ") && lost[1].starts_with("line 5: "), "{text} {lost:?}");
    }
    let first = format!("{{\"moves\":[\"h2e2\" 1]}}\n{good}\n{good}\n");
    let reading = formats::read(first.as_bytes(), &ReadOptions::default()).expect("two games");
    assert_eq!((reading.games.len(), reading.lost.len()), (2, 1));
    let error = formats::read(b"{\"moves\":[1", &ReadOptions::default()).expect_err("no game");
    assert!(error.to_string().starts_with("line 1: json: no JSON"), "{error}");
}

/// JSON with each ply within the one before it is read whatever its depth, and so is what follows.
#[test]
fn a_ply_within_a_ply() {
    let nested = |plies: usize| {
        let squares = [(27, 24), (97, 76), (24, 27), (76, 97)];
        let ply = |i: usize| {
            let (from, to) = squares[i % 4];
            format!(
                "{{\"f\":{from},\"t\":{to},\"r\":\"{{\\\"{i}\",\"o\":{{\"f\":1,\"t\":22,\"n\":{{}}}},\"n\":"
            )
        };
        let inner: String = (0..plies).map(ply).collect();
        format!("{{\"info\":{{\"Red\":\"甲\"}},\"moves\":{inner}{{}}{}}}\n", "}".repeat(plies))
    };
    for plies in [60, 130, 20_000] {
        let text = format!("{0}{0}{{\"moves\":[\"h2e2\"]}}\n", nested(plies));
        let games = read(text.as_bytes());
        let shapes: Vec<_> = games
            .iter()
            .map(|game| (game.tree.main_line().count(), game.tree.len(), game.tree.comments()))
            .collect();
        assert_eq!(shapes, [(plies, 2 * plies, plies), (plies, 2 * plies, plies), (1, 1, 0)]);
        assert_eq!(games[1].headers.text(&Tag::Red), "甲");
        let last = games[0].tree.main_line().last().and_then(|id| games[0].tree.node(id).comment.as_ref());
        assert_eq!(last.map(|comment| comment.as_str().to_owned()), Some(format!("{{\"{}", plies - 1)));
    }
    // Damage deep within costs the game, not the next one; unclosed braces are told.
    let damaged = nested(200).replacen("\"f\":97", "\"f\":x", 1);
    let text = format!("{damaged}{{\"moves\":[\"h2e2\"]}}\n{}", &nested(200)[..5_000]);
    let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("a game");
    assert_eq!((reading.games.len(), reading.lost.len()), (1, 2), "{:?}", reading.lost);
}

/// A complaint about a page is on the line of what it complains about.
#[test]
fn complaints_about_pages_name_the_line() {
    let page = "<html>\n[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title]\n[DhtmlXQ_binit]12[/DhtmlXQ_binit]\n\
        [DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_comment9]y[/DhtmlXQ_comment9]\n[/DhtmlXQ]";
    let reading = formats::read(page.as_bytes(), &ReadOptions::default()).expect("a game");
    let lines: Vec<_> = reading.warnings.iter().map(|warning| warning.place).collect();
    assert_eq!(lines, [4, 6].map(formats::Place::Line), "{:?}", reading.warnings);
}

/// Which of two moves a word means is told by what follows, or not at all.
#[test]
fn an_ambiguous_word_is_told_by_what_follows() {
    check("车进一 马8进7", "?车进一 h9g7", [2, 0, 0]);
    check("车进一 马8进7 车一平四", "i0i1 h9g7 i1f1", [3, 3, 0]);
}

/// A king that is taken is a legal capture after which nothing can be judged; nothing panics over it.
#[test]
fn a_king_is_taken() {
    let text = "[FEN \"3k5/9/9/9/9/9/9/9/9/3RK4 w\"]\n\n1. d0d9 e0e1 2. d9d8 *";
    check(text, "d0d9 e0e1 d9d8", [3, 1, 0]);
    let games = read(text.as_bytes());
    for format in Format::all().filter(|format| format.is_written()) {
        let written = formats::write(&games, format, &WriteOptions::default()).expect("written");
        assert_eq!(read(&written.bytes)[0].tree, games[0].tree, "{format}");
    }
}

/// The words that select one of several pieces on a file: the old and the new.
#[test]
fn selectors() {
    let pawns = |moves: &str| format!("[FEN \"4k4/9/2P6/2P6/2P6/9/9/9/9/3K5 w - - 0 1\"]\n\n{moves} *");
    check(&pawns("1. 前兵进一"), "c7c8", [1, 1, 0]);
    check(&pawns("1. 中兵平六"), "c6d6", [1, 1, 0]);
    check(&pawns("1. 后兵平六"), "c5d5", [1, 1, 0]);
    check(&pawns("1. 一兵进一"), "c7c8", [1, 1, 0]);
    check(&pawns("1. 三兵平八"), "c5b5", [1, 1, 0]);
    check(&pawns("1. 前七平八"), "c7b7", [1, 1, 0]);
    let two_files = "4k4/9/2P3P2/2P3P2/9/9/9/9/9/3K5 w - - 0 1";
    let position: xiangqi::Position = two_files.parse().expect("a position");
    for m in position.legal_moves().iter().copied() {
        for word in [
            xiangqi::notation::wxf(&position, m),
            xiangqi::notation::chinese(&position, m, xiangqi::notation::Script::Traditional),
        ] {
            let game = format!("[FEN \"{two_files}\"]\n\n1. {word} *");
            check(&game, &m.to_string(), [1, 1, 0]);
        }
    }
}

/// FEN without counters, without a side, with `r`, with E and H.
#[test]
fn starts() {
    let board = "4k4/9/9/9/9/9/9/9/4E4/3K2H2";
    for rest in ["", " w", " r", " w - - 0 1", " w - - 0 16", " r - - 0 1", " w - -"] {
        check(
            &format!("[Game \"Chinese Chess\"]\n[FEN \"{board}{rest}\"]\n\n1. 相五进三 *"),
            "e1g3",
            [1, 1, 0],
        );
    }
    check(&format!("FORMAT WXF\nFEN {board} r\n\nSTART{{\n}}END\n"), "", [0, 0, 0]);
    let mut warnings =
        formats::read(b"[FEN \"9/9 w\"]\n1. h2e2 *", &ReadOptions::default()).expect("a game").warnings;
    let warning = warnings.pop().expect("a warning").to_string();
    assert!(warning.contains("line 1") && warning.contains("rank"), "{warning}");
}

/// The same text in every encoding that files come in.
#[test]
fn encodings() {
    let text = "[Event \"全國賽\"]\n[Red \"胡榮華\"]\n\n1. 炮二平五 馬8進7\n2. 馬二進三 {出車} 車9平8 1-0\n";
    let utf16 = |to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    let (le, be) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
    let coded = |encoding: &'static Encoding| encoding.encode(text).0.into_owned();
    for data in [
        text.as_bytes().to_vec(),
        marked(b"\xef\xbb\xbf", text.as_bytes()),
        coded(GB18030),
        coded(BIG5),
        le.clone(),
        be.clone(),
        marked(b"\xff\xfe", &le),
        marked(b"\xfe\xff", &be),
        text.replace('\n', "\r\n").into_bytes(),
    ] {
        check_bytes(&data, "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
        assert_eq!(read(&data)[0].headers.text(&Tag::Red), "胡榮華");
    }
}

/// A file put together from two: each line is read in its own encoding, and that is said.
#[test]
fn a_header_in_another_encoding_than_the_moves() {
    let header = "[Event \"全国象棋个人锦标赛\"]\n[Red \"x\"]\n";
    let moves = "\n1. 炮二平五 马8进7\n2. 马二进三 车9平8 1-0\n";
    let utf8: (&str, fn(&str) -> Vec<u8>) = ("全国象棋个人锦标赛", |text| text.as_bytes().to_vec());
    let gb: (&str, fn(&str) -> Vec<u8>) =
        ("全国象棋个人锦标赛", |text| GB18030.encode(text).0.into_owned());
    let big5: (&str, fn(&str) -> Vec<u8>) = ("全國象棋個人錦標賽", |text| {
        let text = text.replace("马", "馬").replace("进", "進").replace("车", "車");
        BIG5.encode(&text.replace("全国象棋个人锦标赛", "全國象棋個人錦標賽")).0.into_owned()
    });
    for (i, (event, top)) in [utf8, gb, big5].into_iter().enumerate() {
        for (j, (_, below)) in [utf8, gb, big5].into_iter().enumerate() {
            let data = [top(header), below(moves)].concat();
            check_bytes(&data, "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
            let reading = formats::read(&data, &ReadOptions::default()).expect("a game");
            assert_eq!(reading.games[0].headers.text(&Tag::Event), event, "{i} over {j}");
            assert_eq!(reading.warnings.len(), usize::from(i != j), "{:?}", reading.warnings);
        }
    }
}

/// Text in another encoding than the format prescribes comes out with `encoding`, and goes back as it was without.
#[test]
fn an_encoding_can_be_told() {
    let name = b"Nguy\xean V\xe3n A";
    let mut file = written(Format::Xqf);
    file[304] = name.len() as u8;
    file[305..305 + name.len()].copy_from_slice(name);
    let told = ReadOptions { encoding: Encoding::for_label(b"windows-1258") };
    let games = formats::read(&file, &told).expect("a file").games;
    assert_eq!(games[0].headers.text(&Tag::Red), "Nguyên Văn A");
    let again = formats::write(&read(&file), Format::Xqf, &WriteOptions::default()).expect("written").bytes;
    assert_eq!(again[304..330], file[304..330]);
}

/// Every version and layout of the binary formats gives the same tree, variations at the first move too.
#[test]
fn layouts_of_binary_files() {
    let expected = game();
    let first_moves = expected.tree.children(NodeId::ROOT).count();
    assert_eq!(first_moves, 2);
    for version in 11..=18 {
        for keys in [[0, 0, 0], [1, 2, 3], [0x55, 0x77, 0x01], [0xff, 0x80, 0x7f], [9, 250, 33]] {
            let file = scrambled(&written(Format::Xqf), version, keys);
            let reading = formats::read(&file, &ReadOptions::default()).expect("an XQF file");
            assert_eq!(reading.warnings, [], "version {version}, keys {keys:?}");
            assert_eq!(reading.games[0].tree, expected.tree, "version {version}, keys {keys:?}");
            assert_eq!(reading.games[0].start, expected.start, "version {version}, keys {keys:?}");
        }
    }
    let old =
        formats::read(&cbr_of_kind_1(&written(Format::Cbr)), &ReadOptions::default()).expect("a record");
    assert_eq!((&old.games[0].tree, &old.warnings[..]), (&expected.tree, &[][..]));
    assert_eq!(old.games[0].start, expected.start);
    let early =
        formats::read(&early_library(&written(Format::Cbr)), &ReadOptions::default()).expect("a library");
    let main: Vec<_> =
        early.games[0].tree.main_line().filter_map(|id| early.games[0].tree.node(id).ply()).collect();
    let expected_main: Vec<_> =
        expected.tree.main_line().filter_map(|id| expected.tree.node(id).ply()).collect();
    assert_eq!((main, early.warnings), (expected_main, Vec::new()));
    assert_eq!((early.games[0].outcome, early.games[0].tree.comments()), (Outcome::Draw, 2));
}

/// Libraries with any number of slots and with records over several blocks lose no game.
#[test]
fn libraries() {
    let mut long = Game::new();
    let mut last = NodeId::ROOT;
    for i in 0..1500 {
        let text = ["a0a1", "a9a8", "a1a0", "a8a9"][i % 4];
        last = long.tree.add(last, Ply::Move(text.parse().expect("a move")));
    }
    let long = formats::write(&[long], Format::Cbr, &WriteOptions::default()).expect("written").bytes;
    assert!(long.len() > 4096, "it takes several blocks");
    let records = [written(Format::Cbr), long, written(Format::Cbr), cbr_of_kind_1(&written(Format::Cbr))];
    for slots in [4usize, 128, 178, 256, 1024, 1027] {
        let mut file = vec![0u8; 66_624 + 276 * slots];
        file[..16].copy_from_slice(b"CCBridgeLibrary\0");
        file[60..64].copy_from_slice(&(slots as u32).to_le_bytes());
        for (i, record) in records.iter().enumerate() {
            file[66_624 + 276 * i] = 7;
            file.extend(record);
            let end = 66_624 + 276 * slots;
            file.resize(end + (file.len() - end).next_multiple_of(4096), 0xcc);
        }
        let reading = formats::read(&file, &ReadOptions::default()).expect("a library");
        let plies: Vec<usize> = reading.games.iter().map(|game| game.tree.len()).collect();
        assert_eq!((plies, reading.warnings), (vec![9, 1500, 9, 9], Vec::new()), "{slots} slots");
    }
}

/// Titles with a character whose second byte is zero before one whose first is (U+4E00, U+004E) are not cut there.
#[test]
fn utf16_ends_at_an_even_pair_of_zeros() {
    let mut game = Game::new();
    game.headers.set(Tag::Title, "Ā一N\u{100}N");
    let file = formats::write(&[game.clone()], Format::Cbr, &WriteOptions::default()).expect("written").bytes;
    assert_eq!(read(&file), [game]);
}

/// DhtmlXQ with absolute plies, wrong closing tags, a missing list, either order of pieces.
#[test]
fn pages() {
    let all = |tags: &str| format!("[DhtmlXQ]{tags}[/DhtmlXQ]");
    let list = "[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]";
    check(&all(list), "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
    check(&all(&format!("[DhtmlXQ_blacktime][/DhtmlXQ_time]{list}")), "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
    // Line 1 takes the place of ply 2 of the main line, line 2 that of ply 3 of line 1.
    let variations = "[DhtmlXQ_move_0_2_1]7242796780[/DhtmlXQ_move_0_2_1]".replace("6780", "67");
    let nested =
        "[DhtmlXQ_move_1_3_2]8979[/DhtmlXQ_move_1_3_2][DhtmlXQ_comment1_2]列炮||对攻[/DhtmlXQ_comment1_2]";
    check(&all(&format!("{list}{variations}{nested}")), "h2e2 h9g7 h0g2 i9h9", [7, 6, 2]);
    let binit =
        "[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]";
    let other =
        "[DhtmlXQ_binit]8979695949392919097717866646260680706050403020100072128363432303[/DhtmlXQ_binit]";
    check(&all(&format!("{binit}{list}")), "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
    check(&all(&format!("{other}{list}")), "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
    check(&format!("[DhtmlXQHTML]{list}[/DhtmlXQHTML]"), "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
    check(&format!("[DhtmlXQiFrame]{list}[/DhtmlXQiFrame]"), "h2e2 h9g7 h0g2 i9h9", [4, 4, 0]);
    let gb = GB18030.encode(&all(&format!("[DhtmlXQ_red]胡荣华[/DhtmlXQ_red]{list}"))).0.into_owned();
    assert_eq!(read(&gb)[0].headers.text(&Tag::Red), "胡荣华");
}

/// What is said behind the result belongs to the game; advertisements behind it do not.
#[test]
fn what_stands_behind_the_result() {
    let game = &read("[Event \"x\"]\n\n1. 炮二平五 1-0 {黑方超时}\n".as_bytes())[0];
    let last = game.tree.main_line().last().expect("a ply");
    assert_eq!(game.tree.node(last).comment.as_ref().map(|comment| comment.as_str()), Some("黑方超时"));
    let text = "[Event \"x\"]\n\n1. 炮二平五 1-0\n==========\n欢迎 炮二平五\n";
    let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("a game");
    assert_eq!(reading.games[0].tree.len(), 1);
    assert!(reading.warnings.iter().any(|warning| warning.to_string().contains("after the result")));
}

/// A comment without its end swallows neither the next game nor the news of it.
#[test]
fn an_open_comment_ends_with_its_game() {
    let text = "[Event \"a\"]\n\n1. 炮二平五 {好\n\n[Event \"b\"]\n\n1. 马二进三 {也好} 1-0\n";
    let reading = formats::read(text.as_bytes(), &ReadOptions::default()).expect("games");
    assert_eq!(reading.games.len(), 2);
    assert!(
        reading
            .warnings
            .iter()
            .any(|warning| warning.to_string().contains("line 3: a comment is not closed"))
    );
}
