//! `luozi perft`: counts legal move paths.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use xiangqi::{Move, Position};

use crate::outcome::{Answer, Failure, Outcome};

/// Count the paths of legal moves from a position.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position
    #[arg(long, default_value = xiangqi::fen::INITIAL)]
    fen: String,
    /// How many plies deep
    #[arg(long)]
    depth: u32,
    /// Show the count behind each move, too
    #[arg(long)]
    divide: bool,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The answer as JSON.
#[derive(Serialize)]
struct Report {
    fen: Position,
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

/// One move and the paths behind it.
#[derive(Serialize)]
struct Branch {
    #[serde(rename = "move")]
    mv: Move,
    nodes: u64,
}

/// Counts and prints: with `--divide` a line a move as `h2e2: 44`, then the number of paths alone on the last line.
pub fn run(args: &Args) -> Outcome {
    let position: Position = args.fen.parse().map_err(|e| Failure::new(format_args!("--fen: {e}")))?;
    let depth = args.depth;
    let mut out = BufWriter::new(io::stdout().lock());
    if args.divide {
        let branches: Vec<Branch> =
            position.perft_divide(depth).map(|(mv, nodes)| Branch { mv, nodes }).collect();
        let nodes = if depth == 0 { 1 } else { branches.iter().map(|branch| branch.nodes).sum() };
        if args.json {
            let report = Report { fen: position, depth, nodes, divide: Some(branches) };
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            for Branch { mv, nodes } in branches {
                writeln!(out, "{mv}: {nodes}")?;
            }
            writeln!(out, "{nodes}")?;
        }
    } else {
        let nodes = position.perft(depth);
        if args.json {
            serde_json::to_writer(&mut out, &Report { fen: position, depth, nodes, divide: None })?;
            writeln!(out)?;
        } else {
            writeln!(out, "{nodes}")?;
        }
    }
    out.flush()?;
    Ok(Answer::Yes)
}
