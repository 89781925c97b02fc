//! What is printed as PDF, read back with poppler's `pdftotext`: everything of the game stands on it, in three languages, and
//! of a name even the characters that the font lacks.

mod desk;
mod peers;
mod visitors;

use std::io::Write;
use std::process::{Command, Stdio};

use desk::{Desk, game};
use peers::{Hall, Mosquitto, Publisher};
use serde_json::{Value, json};
use visitors::{Accounts, Browser};

/// The text of each page; none, with a printed line, where it cannot be read.
fn read(pdf: &[u8]) -> Option<Vec<String>> {
    let mut command = Command::new("pdftotext");
    let command = command.args(["-layout", "-enc", "UTF-8", "-", "-"]);
    let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        println!("skipped: pdftotext is not installed (apt-get install poppler-utils)");
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let bytes = pdf.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "pdftotext reads it");
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.trim_end_matches('\x0c').split('\x0c').map(str::to_owned).collect())
}

/// A PDF; none, with a printed line, where the pages have not been built.
async fn pdf(hall: &Hall, path: &str) -> Option<Vec<u8>> {
    let (head, bytes) = hall.download(path).await;
    if head.starts_with("HTTP/1.1 503") {
        println!("skipped: the pages have not been built (make pages)");
        return None;
    }
    assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
    assert!(head.contains("content-type: application/pdf"), "{path}: {head}");
    assert!(bytes.starts_with(b"%PDF-1."), "{path}");
    // A sheet holds the characters that it uses, and not a font of fifteen megabytes.
    assert!(bytes.len() < 200_000, "{path} is of {} bytes", bytes.len());
    Some(bytes)
}

/// How often a text stands on the pages, whatever spaces the reader has put into it.
fn count(pages: &[String], text: &str) -> usize {
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    bare(&pages.join("")).matches(&bare(text)).count()
}

fn check(pages: &[String], expected: &[&str]) {
    for text in expected {
        assert!(count(pages, text) > 0, "{text:?} is missing in {pages:#?}");
    }
}

/// A finished game whose Red has a name that no font of ours has whole.
async fn played(broker: &Mosquitto, plies: usize) -> Publisher {
    let board = broker.publisher("b1").await;
    let mut desk = Desk::new("b1");
    board.send([desk.status(true)]).await;
    board.send(desk.begin("g1", "4", "欧阳\u{30000}明", "Nguyễn Văn Ánh")).await;
    for mv in game(0).into_iter().cycle().take(plies) {
        board.send(desk.play(mv)).await;
    }
    let foul = json!({
        "kind": "event", "us": 1, "event": "foul", "foul": 1, "side": "black", "offence": "conduct",
        "article": "5.9", "ply": 7, "at_us": 1, "by": {"arbiter": "裁判"},
    });
    board.send(desk.write(&foul)).await;
    board.send(desk.resign()).await;
    board
}

async fn wait_for_result(hall: &Hall) -> Value {
    hall.events("?game=g1")
        .await
        .until(|_, data| !data["game"]["result"].is_null() || !data["games"][0]["result"].is_null())
        .await;
    hall.get("/api/v1/games/g1/sheet").await.json()
}

#[tokio::test]
async fn a_score_sheet_holds_the_whole_game() {
    let Some(broker) = Mosquitto::start("paper") else { return };
    let hall = Hall::open(&broker.url()).await;
    let _board = played(&broker, 60).await;
    let sheet = wait_for_result(&hall).await;
    let Some(bytes) = pdf(&hall, "/api/v1/games/g1/score-sheet.pdf?language=zh-Hans&offset=480").await else {
        return;
    };
    let Some(pages) = read(&bytes) else { return };
    assert_eq!(pages.len(), 1, "sixty plies fit one page");
    let all = [
        "对局记录",
        "试验赛",
        "欧阳\u{30000}明",
        "Nguyễn Văn Ánh",
        "2023年11月15日",
        "黑胜 · 0-1 · 认输 (第4.1.9条)",
        "黑方，第 4 回合：",
        "（第5.9条）",
        "红方 · 签字",
        "裁判员 · 签字",
        "对局 g1",
        "第 1 页，共 1 页",
        "U+30000",
    ];
    check(&pages, &all);
    let plies = sheet["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 60);
    for ply in plies {
        for key in ["hans", "short_hans"] {
            let text = ply[key].as_str().unwrap();
            let written = plies.iter().filter(|other| other[key] == ply[key]).count();
            assert!(count(&pages, text) >= written, "{text} in {key}");
        }
    }
    assert!(count(&pages, "4″") >= 60, "every ply has its time");

    let Some(bytes) = pdf(&hall, "/api/v1/games/g1/score-sheet.pdf?language=en&notation=iccs").await else {
        return;
    };
    let pages = read(&bytes).unwrap();
    let first = plies[0]["move"].as_str().unwrap().to_uppercase();
    let iccs = format!("{}-{}", &first[..2], &first[2..]);
    check(&pages, &["Score sheet", "November 14, 2023 (UTC)", &iccs, "Black, move 4:", "Page 1 of 1"]);
    let taiwan = "GET /api/v1/games/g1/score-sheet.pdf HTTP/1.1\r\nHost: hall\r\nAccept-Language: zh-TW\r\nConnection: close\r\n\r\n";
    let (_, bytes) = hall.exchange(taiwan).await;
    check(&read(&bytes).unwrap(), &["對局記錄", "簽字", plies[0]["hant"].as_str().unwrap()]);
    hall.close().await;
}

#[tokio::test]
async fn a_long_game_takes_more_pages_and_an_empty_one_a_page() {
    let Some(broker) = Mosquitto::start("long-paper") else { return };
    let hall = Hall::open(&broker.url()).await;
    let board = broker.publisher("b2").await;
    let mut empty = Desk::new("b2");
    board.send([empty.status(true)]).await;
    board.send(empty.begin("g2", "", "", "")).await;
    let _board = played(&broker, 500).await;
    let sheet = wait_for_result(&hall).await;
    let Some(bytes) = pdf(&hall, "/api/v1/games/g1/score-sheet.pdf?language=zh-Hans").await else { return };
    let Some(pages) = read(&bytes) else { return };
    let last = format!("第 {0} 页，共 {0} 页", pages.len());
    check(&pages[pages.len() - 1..], &[&last, "认输", "签字"]);
    assert!((3..=5).contains(&pages.len()), "{} pages", pages.len());
    assert!(
        pages[..pages.len() - 1].iter().all(|page| !page.contains("签字")),
        "signatures are on the last page alone"
    );
    // The last round is there with both its moves.
    let ply = sheet["plies"][499]["hans"].as_str().unwrap();
    assert!(
        pages.iter().any(|page| page.lines().any(|line| line.contains("250") && line.contains(ply))),
        "{ply}"
    );
    let pages =
        read(&pdf(&hall, "/api/v1/games/g2/score-sheet.pdf?language=zh-Hans").await.unwrap()).unwrap();
    assert_eq!(pages.len(), 1);
    check(&pages, &["未结束", "犯规 无"]);
    hall.close().await;
}

#[tokio::test]
async fn a_round_has_pairings_and_results() {
    let Some(broker) = Mosquitto::start("round-paper") else { return };
    let hall = Hall::open(&broker.url()).await;
    let mut boards = Vec::new();
    for table in 1..=34 {
        let name = format!("board-{table}");
        let board = broker.publisher(&name).await;
        let mut desk = Desk::new(&name);
        board.send([desk.status(true)]).await;
        board
            .send(desk.begin(
                &format!("game-{table}"),
                &table.to_string(),
                &format!("红{table}号"),
                "黑方棋手",
            ))
            .await;
        boards.push(board);
    }
    let _board = played(&broker, 4).await;
    while hall.get("/healthz").await.json()["games"] != 35 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let Some(bytes) = pdf(&hall, "/api/v1/pairings.pdf?language=zh-Hans&offset=480").await else { return };
    let Some(pages) = read(&bytes) else { return };
    assert_eq!(pages.len(), 2, "thirty games a page");
    check(&pages, &["试验赛", "第3轮 · 对阵表", "红34号", "第 2 页，共 2 页"]);
    assert_eq!(count(&pages, "认输"), 0, "pairings tell no results");
    let pages = read(&pdf(&hall, "/api/v1/results.pdf?language=en").await.unwrap()).unwrap();
    check(&pages, &["Round 3 · Results", "0 – 1", "resignation", "not finished"]);
    // Tables stand in the order of their numbers.
    let at = |name: &str| pages[0].find(name).unwrap_or_else(|| panic!("{name} in {}", pages[0]));
    assert!(at("红2号") < at("红10号"));
    hall.close().await;
}

#[tokio::test]
async fn arbiters_have_the_sheet_before_the_public() {
    let Some(broker) = Mosquitto::start("paper-at-once") else { return };
    let accounts = Accounts::new("paper", &[("Chief", "chief_arbiter")]);
    let delays = venue::Delays::new(["15m".parse::<venue::DelayRule>().unwrap()]);
    let config = venue::Config::new(peers::brokers(&broker.url()));
    let hall = Hall::run(venue::Config { accounts: Some(accounts.0.clone()), delays, ..config }).await;
    let board = broker.publisher("b1").await;
    let mut desk = Desk::new("b1");
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    desk.set_utc(since.as_millis() as u64);
    board.send([desk.status(true)]).await;
    board.send(desk.begin("g1", "4", "甲", "乙")).await;
    board.send(desk.resign()).await;
    let mut browser = Browser::new(&hall);
    assert_eq!(browser.sign_in("Chief").await, 200);
    while browser.get("boards").await.json()[0]["game"]["result"].is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    for path in ["games/g1/score-sheet.pdf", "results.pdf", "pairings.pdf"] {
        let stranger = hall.get(&format!("/api/v1/arbiter/{path}")).await;
        assert_eq!(stranger.status(), 401, "{path}");
        let request = format!(
            "GET /api/v1/arbiter/{path}?language=zh-Hans HTTP/1.1\r\nHost: hall\r\nConnection: close\r\nCookie: {}\r\n\r\n",
            browser.cookie
        );
        let (head, bytes) = hall.exchange(&request).await;
        if head.starts_with("HTTP/1.1 503") {
            println!("skipped: the pages have not been built (make pages)");
            return;
        }
        let Some(pages) = read(&bytes) else { return };
        check(&pages, &["甲", "乙"]);
        assert_eq!(count(&pages, "认输") > 0, path != "pairings.pdf", "{path}");
    }
    assert_eq!(hall.get("/api/v1/games/g1/score-sheet.pdf").await.status(), 404, "the public waits");
    let Some(bytes) = pdf(&hall, "/api/v1/results.pdf?language=zh-Hans").await else { return };
    check(&read(&bytes).unwrap(), &["暂无对局"]);
    hall.close().await;
}

#[tokio::test]
async fn what_is_asked_for_in_vain_is_said() {
    let hall = Hall::open("mqtt://127.0.0.1:9").await;
    for (path, status) in [
        ("games/none/score-sheet.pdf", 404),
        ("games/%FF/score-sheet.pdf", 400),
        ("results.pdf?language=fr", 400),
        ("results.pdf?notation=x", 400),
        ("pairings.pdf?offset=841", 400),
        ("pairings.pdf?offset=1.5", 400),
    ] {
        let answer = hall.get(&format!("/api/v1/{path}")).await;
        assert_eq!(
            (answer.status(), answer.header("content-type")),
            (status, Some("application/problem+json")),
            "{path}"
        );
    }
    hall.close().await;
}
