//! The commands, and how bad use is answered.

use std::process;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::outcome::{Failure, Outcome};
use crate::{
    arbiter, board, broker_password, calibrate, convert, demo, fen, journal, judge, log, notate, perft,
    replay, see, self_test, simulate, venue,
};

/// The controller of a physical xiangqi (象棋) board: it senses, referees, records and publishes games.
#[derive(Debug, Parser)]
#[command(name = "luozi", version, disable_help_subcommand = true, arg_required_else_help = false)]
#[command(after_help = "Exit status: 0 yes, 1 the answer is no, 2 bad use or unreadable input. \
    Logs go to stderr; RUST_LOG chooses them.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What luozi can be told to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a whole venue on this machine: simulated boards, broker, pages
    Demo(demo::Args),
    /// Run the daemon of one board
    Board(board::Args),
    /// Run the hall server
    Venue(venue::Args),
    /// Set a password in the file of those who may log in to the embedded broker
    BrokerPassword(broker_password::Args),
    /// Give a board an arbiter's order
    Arbiter(Box<arbiter::Args>),
    /// Interpret sensor traces offline
    Replay(replay::Args),
    /// Check the hash chain of a journal, or write it out
    Journal(journal::Args),
    /// Adjudicate repeated positions
    Judge(judge::Args),
    /// Count the paths of legal moves from a position
    Perft(perft::Args),
    /// Check positions: FENs on standard input, one a line
    Fen(fen::Args),
    /// Write moves in every notation, or read them from any
    Notate(notate::Args),
    /// Play games on the digital twin and write what a board would sense
    Simulate(simulate::Args),
    /// Check the wiring and the reeds of this board
    SelfTest(self_test::Args),
    /// Read the position from a picture of a board
    See(see::Args),
    /// Measure the reeds of this board and write its profile
    Calibrate(calibrate::Args),
    /// Convert game records between formats, or tell what they hold
    Convert(convert::Args),
}

impl Command {
    /// Does it.
    pub fn run(self) -> Outcome {
        // A board may want the terminal for itself, so it says where its logs go.
        if !matches!(self, Command::Board(_)) {
            log::start();
        }
        match self {
            Command::Demo(args) => demo::run(&args),
            Command::Board(args) => board::run(&args),
            Command::Venue(args) => venue::run(&args),
            Command::BrokerPassword(args) => broker_password::run(&args),
            Command::Arbiter(args) => arbiter::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Journal(args) => journal::run(&args),
            Command::Judge(args) => judge::run(&args),
            Command::Perft(args) => perft::run(&args),
            Command::Fen(args) => fen::run(&args),
            Command::Notate(args) => notate::run(&args),
            Command::Simulate(args) => simulate::run(&args),
            Command::SelfTest(args) => self_test::run(&args),
            Command::See(args) => see::run(&args),
            Command::Calibrate(args) => calibrate::run(&args),
            Command::Convert(args) => convert::run(&args),
        }
    }
}

/// Reads the command line. Help and version are printed and end the process.
pub fn parse() -> Result<Command, Failure> {
    match Cli::try_parse() {
        Ok(cli) => Ok(cli.command),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            // Nobody is left to tell if even this cannot be printed.
            let _ = error.print();
            process::exit(0)
        }
        Err(error) => Err(Failure::new(one_line(&error.to_string()))),
    }
}

/// The first paragraph of clap's message in one line, and where to read more.
fn one_line(message: &str) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    format!("{} (try --help)", line.strip_prefix("error: ").unwrap_or(&line))
}
