//! `luozi demo`: a whole venue on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardd::{Arbiters, Config, FileDisk, RunError};
use referee::relay::SecretKey;
use tokio::sync::watch;
use tokio::task::JoinSet;
use transport::Brokers;
use twin::{GameRecord, Style};
use venue::OrderKey;

use crate::board::runtime;
use crate::outcome::{Answer, Failure, Outcome};
use crate::rules::RulesArgs;
use crate::simulated_board::{Play, SimulatedBoard};
use crate::stop;
use crate::venue::{embedded, listen, local, say_where};

/// Run a whole venue on this machine: simulated boards that play real games, a broker, and the pages.
#[derive(Debug, clap::Args)]
#[command(after_help = "The games are from the Chinese-Chess-Practical-Dataset, licence CC BY 4.0.")]
pub struct Args {
    /// Where the pages are served; 0 takes a free port
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// How many boards
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=200))]
    boards: u32,
    /// How many times faster than a wall clock
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    speed: u32,
    /// Where the journals are kept [default: a temporary directory that is removed at the end]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// How late the public sees games, as of `luozi venue`
    #[arg(long, value_name = "[EVENT=]DELAY")]
    delay: Vec<venue::DelayRule>,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Runs until asked to stop.
pub fn run(args: &Args) -> Outcome {
    let temporary = match &args.data {
        Some(_) => None,
        None => {
            Some(tempfile::tempdir().map_err(|e| Failure::new(format_args!("temporary directory: {e}")))?)
        }
    };
    let data = match (&args.data, &temporary) {
        (Some(data), _) => data.clone(),
        (None, Some(temporary)) => temporary.path().to_owned(),
        (None, None) => return Err(Failure::new("no directory for the journals")),
    };
    // Everything that can be refused is tried before anything is said.
    let disks = disks(args, &data)?;
    let key_file = data.join("hall.key");
    let key = order_key(&key_file)?;
    let arbiters = arbiters(&key)?;
    runtime()?.block_on(async {
        let listener = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, args.port))).await?;
        let server =
            embedded(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), broker::Entrance::default()).await?;
        let brokers = local(&server);
        say_where(&listener, &brokers, false)?;
        println!("orders: luozi arbiter --broker … --board board-1 --key {} …", key_file.display());
        let (stop_boards, boards_stopped) = watch::channel(false);
        let mut boards = boards(args, disks, &brokers, &arbiters, &boards_stopped);
        let (stop_pages, pages_stopped) = tokio::sync::oneshot::channel::<()>();
        let pages = tokio::spawn(venue::run(
            listener,
            venue::Config {
                accounts: Some(data.join("accounts.json")),
                order_key: Some(key),
                delays: venue::Delays::new(args.delay.iter().cloned()),
                feed: true,
                ..venue::Config::new(brokers)
            },
            async {
                // An error means that the demo has ended, which is the same.
                let _ = pages_stopped.await;
            },
        ));
        let failed = tokio::select! {
            asked = stop::requested() => asked.err(),
            failed = failure(&mut boards) => Some(failed),
        };
        stop_boards.send_replace(true);
        while boards.join_next().await.is_some() {}
        let _ = stop_pages.send(());
        let _ = pages.await;
        server.stop().await;
        failed.map_or(Ok(Answer::Yes), Err)
    })
}

/// The key by which the hall's orders are known to its boards: the one of an earlier run, or a new one.
fn order_key(path: &Path) -> Result<OrderKey, Failure> {
    let failed = |error| Failure::new(format_args!("{}: {error}", path.display()));
    if path.exists() {
        return OrderKey::read(path).map_err(failed);
    }
    let key = OrderKey::generate("hall", "demo").map_err(failed)?;
    key.save(path).map_err(failed)?;
    Ok(key)
}

fn arbiters(key: &OrderKey) -> Result<Arbiters, Failure> {
    Arbiters::parse(&key.entry(true)).map_err(Failure::new)
}

/// Completes when a board cannot run, with the reason.
async fn failure(boards: &mut JoinSet<(PathBuf, Result<(), RunError>)>) -> Failure {
    while let Some(ended) = boards.join_next().await {
        match ended {
            Ok((_, Ok(()))) => {}
            Ok((directory, Err(error))) => {
                return Failure::new(format_args!("{}: {error}", directory.display()));
            }
            Err(error) => return Failure::new(format_args!("a board ended: {error}")),
        }
    }
    // Boards that have played all their games fail no more.
    std::future::pending().await
}

/// The name of a board, the directory of its journal, and that directory open.
type BoardDisk = (String, PathBuf, FileDisk, SecretKey);

fn disks(args: &Args, data: &Path) -> Result<Vec<BoardDisk>, Failure> {
    let open = |number: u32| {
        let board = format!("board-{number}");
        let directory = data.join(&board);
        let disk = FileDisk::open(&directory)
            .map_err(|e| Failure::new(format_args!("--data {}: {e}", directory.display())))?;
        let key = boardd::board_key(&directory)
            .map_err(|e| Failure::new(format_args!("--data {}: {e}", directory.display())))?;
        Ok((board, directory, disk, key))
    };
    (1..=args.boards).map(open).collect()
}

/// Starts the boards, each with games and hands of its own.
fn boards(
    args: &Args,
    disks: Vec<BoardDisk>,
    brokers: &Brokers,
    arbiters: &Arbiters,
    stop: &watch::Receiver<bool>,
) -> JoinSet<(PathBuf, Result<(), RunError>)> {
    let records = GameRecord::shipped();
    let mut boards = JoinSet::new();
    for (number, (board, directory, disk, key)) in (1..=args.boards).zip(disks) {
        let mut records = records.clone();
        let first = (number as usize * 7) % records.len();
        records.rotate_left(first);
        let source = SimulatedBoard::new(Play {
            records: Arc::new(records),
            style: if number.is_multiple_of(2) { Style::Slides } else { Style::Clean },
            speed: args.speed,
            seed: u64::from(number),
            games: None,
            rules: args.rules.edition(),
            event: "Chinese-Chess-Practical-Dataset".to_owned(),
            table: number.to_string(),
        });
        let config = Config {
            renamed: false,
            camera: None,
            board,
            brokers: Some(brokers.clone()),
            arbiters: arbiters.clone(),
            boot: boardd::boot_id(),
            key: Some(key),
        };
        let stop = stop.clone();
        boards.spawn_blocking(move || (directory, boardd::run(disk, source, &config, stop)));
    }
    boards
}
