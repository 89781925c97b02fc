//! The command line of luozi (落子): one file a command, wiring only. What a command does lives in the libraries.
//!
//! A new command is a module with `Args` (clap) and `run(args) -> Outcome`, and a line in [`cli::Command`].

use std::process::ExitCode;

mod arbiter;
mod board;
mod broker_args;
mod broker_password;
mod calibrate;
mod cli;
mod convert;
mod demo;
mod fen;
mod guide;
mod journal;
mod json_lines;
mod judge;
mod kept_files;
mod keyboard_board;
mod log;
mod notate;
mod outcome;
mod panel_view;
mod perft;
mod replay;
mod rules;
mod see;
mod self_test;
mod simulate;
mod simulated_board;
mod stop;
mod venue;
mod whole_file;
mod wired_board;

fn main() -> ExitCode {
    outcome::exit_code(cli::parse().and_then(cli::Command::run))
}
