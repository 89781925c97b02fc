//! Perft here and in Fairy-Stockfish, the reference that people compare move generators with: nodes a second of both, on
//! one thread each, one after the other in the same run, and their ratio.
//!
//! `cargo bench -p xiangqi --bench perft` (`FAIRY_STOCKFISH` names the program if it is not in the usual places; without it
//! only our own speed is shown). Both sides count the moves of the last ply without playing them. The program exits with 1
//! if a count differs, or if the geometric mean of the ratios falls below 2.
//!
//! `docs/performance.md` keeps the figures that were seen.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use xiangqi::Position;

/// Positions with the depth to count, from published perft suites.
const POSITIONS: [(&str, u32); 5] = [
    (xiangqi::fen::INITIAL, 5),
    ("r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1", 5),
    ("1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1", 4),
    ("1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 0 1", 5),
    ("4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1", 6),
];

const LEAST_RATIO: f64 = 2.0;

/// A Fairy-Stockfish that speaks UCI over pipes.
struct Peer {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    fn start() -> Option<Peer> {
        let named = std::env::var("FAIRY_STOCKFISH").ok();
        let names = named.iter().map(String::as_str).chain(["fairy-stockfish", "/usr/games/fairy-stockfish"]);
        let mut child = names
            .filter_map(|name| Command::new(name).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok())
            .next()?;
        let answers = BufReader::new(child.stdout.take()?);
        let mut peer = Peer { child, answers };
        peer.tell("setoption name Threads value 1\nsetoption name UCI_Variant value xiangqi\nisready");
        peer.wait_for("readyok")?;
        Some(peer)
    }

    fn tell(&mut self, text: &str) {
        let stdin = self.child.stdin.as_mut().expect("piped");
        writeln!(stdin, "{text}").expect("Fairy-Stockfish listens");
    }

    /// Reads on to the line that begins so, and returns the rest of it.
    fn wait_for(&mut self, beginning: &str) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(rest) = line.strip_prefix(beginning) {
                return Some(rest.trim().to_owned());
            }
        }
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Option<(u64, Duration)> {
        self.tell(&format!("position fen {fen}\nisready"));
        self.wait_for("readyok")?;
        let begin = Instant::now();
        self.tell(&format!("go perft {depth}"));
        let nodes = self.wait_for("Nodes searched:")?.parse().ok()?;
        Some((nodes, begin.elapsed()))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.tell("quit");
        // It has been told; how it ends is its own affair.
        let _ = self.child.wait();
    }
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64() / 1e6
}

fn main() -> ExitCode {
    let mut peer = Peer::start();
    if peer.is_none() {
        println!("fairy-stockfish is not installed: our own speed only");
    }
    println!("{:>12} {:>10} {:>10} {:>7}  position", "nodes", "ours Mn/s", "FSF Mn/s", "ratio");
    let mut all_equal = true;
    let mut logarithms = Vec::new();
    for (fen, depth) in POSITIONS {
        let position: Position = fen.parse().expect("a position");
        let begin = Instant::now();
        let nodes = position.perft(depth);
        let ours = speed(nodes, begin.elapsed());
        let Some((theirs, time)) = peer.as_mut().and_then(|peer| peer.perft(fen, depth)) else {
            println!("{nodes:>12} {ours:>10.1} {:>10} {:>7}  depth {depth} of {fen}", "-", "-");
            continue;
        };
        let ratio = ours / speed(theirs, time);
        logarithms.push(ratio.ln());
        all_equal &= theirs == nodes;
        let note = if theirs == nodes { String::new() } else { format!("  BUT THEY COUNT {theirs}") };
        println!(
            "{nodes:>12} {ours:>10.1} {:>10.1} {ratio:>7.2}  depth {depth} of {fen}{note}",
            speed(theirs, time)
        );
    }
    if logarithms.is_empty() {
        return ExitCode::SUCCESS;
    }
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
    println!("geometric mean of the ratios: {mean:.2} (at least {LEAST_RATIO} is wanted)");
    if all_equal && mean >= LEAST_RATIO { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
