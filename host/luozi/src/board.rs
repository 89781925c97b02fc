//! `luozi board`: the daemon of one board.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardd::{Arbiters, CameraProgram, Config, FileDisk, RunError, Source};
use calibration::BoardProfile;
use referee::time_control::TimeControl;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use transport::Brokers;
use twin::{GameRecord, Style};
use xiangqi::law::edition::Edition;

use crate::broker_args::BrokerArgs;
use crate::keyboard_board::{KeyboardBoard, Setup};
use crate::log;
use crate::outcome::{Answer, Failure, Outcome};
use crate::rules::RulesArgs;
use crate::simulated_board::{Play, SimulatedBoard};
use crate::stop;
use crate::wired_board::WiredArgs;

/// The time control of somebody who plays by himself and asks for none.
const USUAL_CLOCK: &str = "10m+5s";
/// The broker of a hall whose machines are one.
pub const USUAL_BROKER: &str = "mqtt://127.0.0.1:1883";

/// Run the daemon of one board: it senses, referees, records and publishes.
#[derive(Debug, clap::Args)]
#[command(after_help = "A game that was going on when the board stopped, however it stopped, goes on.\n\
    The broker is mqtt://127.0.0.1:1883 unless told otherwise; with --panel there is none.")]
pub struct Args {
    /// Play real games with simulated hands instead of scanning reeds
    #[arg(long, conflicts_with = "pinmap")]
    simulated: bool,
    /// Play by yourself: pieces, clock and buttons in this terminal
    #[arg(long, conflicts_with_all = ["profile", "pinmap", "speed", "style", "seed", "games"])]
    panel: bool,
    /// The time control of the games, see docs/conduct.md; without it no clock runs, but 10m+5s by yourself
    #[arg(long, conflicts_with_all = ["speed", "style", "seed", "games"])]
    clock: Option<TimeControl>,
    #[command(flatten)]
    rules: RulesArgs,
    /// The board's id: 1 to 64 of letters, digits and the marks . _ - in any order
    /// [default: the profile's, or board-1]
    #[arg(long)]
    id: Option<String>,
    /// Go on with a journal of another board's id: the board is called --id from now on
    #[arg(long, requires = "id")]
    rename: bool,
    #[command(flatten)]
    wired: WiredArgs,
    /// Where the journal is kept
    #[arg(long, value_name = "DIR", default_value = "luozi-data")]
    data: PathBuf,
    #[command(flatten)]
    brokers: BrokerArgs,
    /// Record only; publish nothing
    #[arg(long, conflicts_with = "broker")]
    no_broker: bool,
    /// The keys of those whose orders it carries out, as `luozi arbiter new-key` prints them; without it, nobody's
    #[arg(long, value_name = "FILE", conflicts_with = "no_broker")]
    arbiters: Option<PathBuf>,
    /// How many times faster than a wall clock the simulated hands play
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    speed: u32,
    /// How the simulated hands and reeds behave
    #[arg(long, default_value_t = Style::Clean)]
    style: Style,
    /// Chooses the games and how they are played
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after so many games
    #[arg(long)]
    games: Option<u64>,
}

/// Runs until asked to stop, or until the games are over.
pub fn run(args: &Args) -> Outcome {
    let wired = (!args.simulated && !args.panel).then(|| args.wired.read()).transpose()?;
    let profile = wired.as_ref().map_or_else(|| args.wired.profile(), |wired| Ok(wired.profile.clone()))?;
    let id = args.id.as_deref().unwrap_or(&profile.board);
    if !referee::relay::is_id(id) {
        return Err(Failure::new(format_args!(
            "--id {id:?}: expected 1 to 64 of letters, digits and the marks . _ -"
        )));
    }
    let has_clock =
        args.panel || if args.simulated { args.style.clock().is_some() } else { args.clock.is_some() };
    let rules = args.rules.edition_at(has_clock)?;
    start_log(args)?;
    let arbiters = args.arbiters.as_deref().map_or_else(|| Ok(Arbiters::default()), read_arbiters)?;
    let runtime = runtime()?;
    let brokers = brokers(args)?;
    let has_journal = args.data.join(boardd::segment_name(0)).exists();
    if let Some(brokers) = &brokers
        && let Err(why) = runtime.block_on(transport::probe(brokers, &format!("probe-{id}")))
    {
        // A board that restarts in the middle of a game plays on without a broker. One that is set up must be told.
        if !has_journal {
            return Err(Failure::new(format_args!("broker {why}")));
        }
        tracing::warn!(why, "no broker yet; the board plays on");
    }
    let key = boardd::board_key(&args.data).map_err(|e| bad_data(args, &e))?;
    let config = Config {
        board: id.to_owned(),
        renamed: args.rename,
        brokers,
        arbiters,
        boot: boardd::boot_id(),
        key: Some(key),
        camera: camera(args, &profile),
    };
    let disk = FileDisk::open(&args.data).map_err(|e| bad_data(args, &e))?;
    if args.panel {
        let source = keyboard(args, id, &rules)?;
        return serve(&runtime, &args.data, disk, source, config);
    }
    if let Some(wired) = &wired {
        let source = wired.source(id, args.clock.as_ref(), &rules)?;
        return serve(&runtime, &args.data, disk, source, config);
    }
    serve(&runtime, &args.data, disk, simulated(args, id, rules), config)
}

/// What takes stills of this board, writing where its journal is.
fn camera(args: &Args, profile: &BoardProfile) -> Option<CameraProgram> {
    let command = profile.camera.as_ref().map(|camera| camera.command.clone());
    let command = command.filter(|command| !command.is_empty())?;
    Some(CameraProgram { command, directory: args.data.clone(), patience: CameraProgram::PATIENCE })
}

/// The panel has the terminal for itself: its logs go to a file beside the journal.
fn start_log(args: &Args) -> Result<(), Failure> {
    if !args.panel {
        log::start();
        return Ok(());
    }
    let path = args.data.join("panel.log");
    std::fs::create_dir_all(&args.data).and_then(|()| log::to_file(&path)).map_err(|e| bad_data(args, &e))
}

fn bad_data(args: &Args, error: &io::Error) -> Failure {
    Failure::new(format_args!("--data {}: {error}", args.data.display()))
}

/// Where the board publishes. Who plays by himself in a terminal need not have a broker.
fn brokers(args: &Args) -> Result<Option<Brokers>, Failure> {
    if !args.brokers.is_given() && (args.no_broker || args.panel) {
        return Ok(None);
    }
    args.brokers.brokers(USUAL_BROKER).map(Some)
}

fn keyboard(args: &Args, id: &str, rules: &Edition) -> Result<KeyboardBoard, Failure> {
    let clock = args.clock.as_ref().map_or_else(|| USUAL_CLOCK.to_owned(), ToString::to_string);
    let setup = Setup { clock, rules: rules.to_string(), table: id.to_owned() };
    let failed = |why: &dyn Display| Failure::new(format_args!("--panel needs a terminal: {why}"));
    if !io::stdout().is_terminal() {
        return Err(failed(&"standard output is none"));
    }
    KeyboardBoard::new(setup).map_err(|error| failed(&error))
}

fn simulated(args: &Args, id: &str, rules: Edition) -> SimulatedBoard {
    let mut records = GameRecord::shipped();
    let first = args.seed as usize % records.len();
    records.rotate_left(first);
    SimulatedBoard::new(Play {
        records: Arc::new(records),
        style: args.style,
        speed: args.speed,
        seed: args.seed,
        games: args.games,
        rules,
        event: String::new(),
        table: id.to_owned(),
    })
}

/// Runs the daemon until it ends or is asked to.
fn serve<S: Source>(runtime: &Runtime, data: &Path, disk: FileDisk, source: S, config: Config) -> Outcome {
    let (stop, stopped) = watch::channel(false);
    let daemon = runtime.spawn_blocking(move || boardd::run(disk, source, &config, stopped));
    runtime.block_on(async move {
        let mut daemon = daemon;
        tokio::select! {
            ended = &mut daemon => return outcome(data, ended),
            asked = stop::requested() => asked?,
        }
        stop.send_replace(true);
        outcome(data, daemon.await)
    })
}

/// A runtime for signals, servers and daemons.
pub fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| Failure::new(format_args!("no threads: {e}")))
}

/// Reads the list of those whose orders a board carries out.
fn read_arbiters(path: &Path) -> Result<Arbiters, Failure> {
    let failed =
        |why: &dyn std::fmt::Display| Failure::new(format_args!("--arbiters {}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
    Arbiters::parse(&text).map_err(|error| failed(&error))
}

fn outcome(data: &Path, ended: Result<Result<(), RunError>, tokio::task::JoinError>) -> Outcome {
    match ended {
        Ok(Ok(())) => Ok(Answer::Yes),
        Ok(Err(error)) => Err(Failure::new(format_args!("--data {}: {error}", data.display()))),
        Err(error) => Err(Failure::new(format_args!("the daemon ended: {error}"))),
    }
}
