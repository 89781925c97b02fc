//! An afternoon of which the public may know a part, and whether bytes hold more.

#![allow(dead_code, reason = "each test file uses a part of it")]

use crate::desk::{Desk, Publication, game};

const HOUR_MS: u64 = 3_600_000;
/// Names, clocks and results that stand in what is too young, and nowhere else.
const YOUNG_NAMES: [&str; 2] = ["甲乙丙丁戊", "Fresh Winner"];

fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// An event of two boards: on the one a game is in play, of which the public may know eight plies; on the other a game
/// has begun of which it may know nothing.
pub struct Afternoon {
    pub publications: Vec<Publication>,
    /// Those of them of which the public may know everything: the game as it stood, and that both boards are there.
    pub old: Vec<Publication>,
    /// The last line of the game as it stood.
    pub old_seq: u64,
    /// The lines that say what is too young, and what must be in no public byte.
    pub secrets: Vec<String>,
    pub live_plies: usize,
}

pub fn afternoon() -> Afternoon {
    let now = now_ms();
    let mut first = Desk::new("b1");
    let mut publications = Vec::new();
    first.set_utc(now - 2 * HOUR_MS);
    first.set_us(60_000_000);
    publications.extend(first.begin("g1", "1", "红", "黑"));
    let moves = game(0);
    for &mv in &moves[..8] {
        publications.extend(first.play(mv));
    }
    let snapshot = first.snapshot.as_ref().unwrap();
    let old_seq = snapshot.seq;
    let shown = serde_json::to_string(&(snapshot, venue::GameView::of(snapshot))).unwrap();
    // Two hours later by all clocks.
    first.set_utc(now);
    first.set_us((2 * HOUR_MS + 60_000) * 1000);
    publications.push(first.status(true));
    let mut old = publications.clone();
    let mut secrets = Vec::new();
    for &mv in &moves[8..14] {
        publications.extend(first.play(mv));
        let snapshot = first.snapshot.as_ref().unwrap();
        let view = venue::GameView::of(snapshot);
        let last = view.summary.last.clone().unwrap();
        let placement = view.summary.fen.split(' ').next().unwrap().to_owned();
        let clock = snapshot.clock.unwrap();
        secrets.extend([last.mv.to_string(), last.iccs, placement]);
        secrets.extend([format!(":{},", clock.red_ms), format!(":{},", clock.black_ms)]);
    }
    // A clock that stood still, a move that was played twice.
    secrets.retain(|secret| !shown.contains(secret));
    assert!(secrets.len() > 20, "{secrets:?}");
    publications.extend(first.resign());
    secrets.extend(["resignation".to_owned(), "0-1".to_owned(), "4.1.9".to_owned()]);

    let mut second = Desk::new("b2");
    second.set_utc(now);
    second.set_us(1_000_000);
    old.push(second.status(true));
    publications.extend(second.begin("g-young", "2", YOUNG_NAMES[0], YOUNG_NAMES[1]));
    publications.push(second.status(true));
    secrets.extend(["g-young".to_owned(), YOUNG_NAMES[0].to_owned(), YOUNG_NAMES[1].to_owned()]);
    Afternoon { publications, old, old_seq, secrets, live_plies: 14 }
}

pub fn holds_no_secret(secrets: &[String], bytes: &[u8], from: &str) {
    let text = String::from_utf8_lossy(bytes);
    for secret in secrets {
        assert!(!text.contains(secret.as_str()), "{from} holds {secret:?}: {text}");
    }
}
