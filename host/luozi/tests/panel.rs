//! A game played by keys in a real terminal: `script` makes one.

mod running;

use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};

use referee::{Happening, Line, Record, Score};
use running::{Running, journal, moves, until};

/// Whoever types. The cursor begins at e0.
struct Player {
    keys: ChildStdin,
    at: (i32, i32),
}

impl Player {
    fn type_in(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("a terminal that reads");
        self.keys.flush().expect("a terminal that reads");
    }

    fn go(&mut self, square: &str) {
        let [file, rank] = square.as_bytes() else { panic!("{square}") };
        let to = (i32::from(file - b'a'), i32::from(rank - b'0'));
        let (files, ranks) = (to.0 - self.at.0, to.1 - self.at.1);
        let across = if files < 0 { "\x1b[D" } else { "\x1b[C" };
        let along = if ranks < 0 { "\x1b[B" } else { "\x1b[A" };
        self.type_in(&across.repeat(files.unsigned_abs() as usize));
        self.type_in(&along.repeat(ranks.unsigned_abs() as usize));
        self.at = to;
    }

    /// Takes a piece up, waits until the board has sensed it, sets it down, and presses.
    fn play(&mut self, data: &Path, from: &str, to: &str, press: &str) {
        let sensed = evidence(data);
        self.go(from);
        self.type_in(" ");
        until("a piece that is lifted", || (evidence(data) > sensed).then_some(()));
        self.go(to);
        self.type_in(" ");
        until("a piece that stands", || (evidence(data) > sensed + 1).then_some(()));
        self.type_in(press);
    }
}

/// How many readings of the reeds there are.
fn evidence(data: &Path) -> usize {
    let is_reading = |line: &String| line.contains(r#""kind":"closed""#);
    journal(data).iter().filter(|line| is_reading(line)).count()
}

/// A board in a terminal of its own, and whoever types there; none where there is no script(1).
fn board(data: &Path, more: &str) -> Option<(Player, Running)> {
    let binary = env!("CARGO_BIN_EXE_luozi");
    let board = format!(
        "stty rows 24 cols 80; exec {binary} board --simulated --panel --data {} {more}",
        data.display()
    );
    let mut script = Command::new("script");
    script.args(["-qec", &board, "/dev/null"]).env("TERM", "xterm-256color");
    let Ok(mut child) = script.stdin(Stdio::piped()).stdout(Stdio::null()).spawn() else {
        println!("skipped: there is no script(1) to make a terminal (apt-get install bsdutils)");
        return None;
    };
    Some((Player { keys: child.stdin.take().expect("piped"), at: (4, 0) }, Running(child)))
}

/// The game goes on where it stood when the terminal was closed and opened again.
#[test]
fn a_game_is_played_on_the_keyboard() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("panel");
    let Some((mut player, running)) = board(&data, "") else { return };
    until("a game", || (evidence(&data) == 1).then_some(()));
    player.play(&data, "h2", "e2", "r");
    player.play(&data, "h9", "g7", "b");
    until("two moves", || (moves(&journal(&data)).len() == 2).then_some(()));
    player.type_in("q");
    assert_eq!(running.ends(), 0);

    let Some((_, other)) = board(&data, "--id another") else { return };
    assert_eq!(other.ends(), 2, "the journal is board-1's");

    let before = evidence(&data);
    let Some((mut player, running)) = board(&data, "") else { return };
    until("the pieces", || (evidence(&data) > before).then_some(()));
    player.play(&data, "e2", "e6", "r");
    until("a capture", || (moves(&journal(&data)).len() == 3).then_some(()));
    player.type_in("G");
    let result = until("a result", || {
        journal(&data).iter().find_map(|text| {
            match serde_json::from_str::<Line>(text).expect("a line").record {
                Record::Event(event) => match event.what {
                    Happening::Result(result) => Some(result),
                    _ => None,
                },
                _ => None,
            }
        })
    });
    assert_eq!(result.score, Score::RedWins);
    assert!(result.used.is_some_and(|used| used.black_us > 0), "{result:?}");
    let played: Vec<String> = moves(&journal(&data)).iter().map(ToString::to_string).collect();
    assert_eq!(played, ["h2e2", "h9g7", "e2e6"]);
    player.type_in("q");
    assert_eq!(running.ends(), 0);
}
