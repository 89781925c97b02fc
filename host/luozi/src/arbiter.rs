//! `luozi arbiter`: an arbiter's orders from a terminal.

mod order;
mod words;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use referee::Order;
use referee::relay::{self, is_id};
use transport::Brokers;
use venue::{NoAnswer, OrderDesk, OrderKey, new_order_id};

use crate::board::{USUAL_BROKER, runtime};
use crate::broker_args::BrokerArgs;
use crate::outcome::{Answer, Failure, Outcome};
use order::What;

/// How long a board's word of itself is waited for; it is retained, so it comes at once or not at all.
const STATUS: Duration = Duration::from_secs(5);

/// Give a board an arbiter's order, and wait until it says what became of it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 the order was carried out, 1 the board refused it, 2 bad use, or nobody answers.\n\
    Orders that change what players have need --reason. SIDE is red or black; TIME is 29:59, 1:29:59, 90s or 5m."
)]
pub struct Args {
    #[command(flatten)]
    to: To,
    #[command(subcommand)]
    what: What,
}

/// Where an order goes, and from whom. Given before or after the command.
#[derive(Debug, clap::Args)]
struct To {
    /// The board's id
    #[arg(long, value_name = "ID", global = true)]
    board: Option<String>,
    /// The key that signs the order, as `new-key` made it
    #[arg(long, value_name = "FILE", global = true)]
    key: Option<PathBuf>,
    /// Why; it stands in the record
    #[arg(long, value_name = "TEXT", default_value = "", global = true, hide_default_value = true)]
    reason: String,
    #[command(flatten)]
    brokers: BrokerArgs,
    /// The game that is meant [default: the one at the board]
    #[arg(long, value_name = "ID", global = true)]
    game: Option<String>,
    /// In whose name, where the key may give orders for others [default: the key's owner]
    #[arg(long, value_name = "NAME", global = true)]
    name: Option<String>,
    /// Names the order: the same one is carried out once, so it may be sent again [default: a new one]
    #[arg(long, value_name = "ID", global = true)]
    id: Option<String>,
    /// Seconds to wait for the board's answer
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600), global = true)]
    wait: u64,
    /// The board's answer as a JSON object instead of text
    #[arg(long, global = true)]
    json: bool,
}

/// Makes a key, or sends the order and prints the answer.
pub fn run(args: &Args) -> Outcome {
    if let What::NewKey { new_key: key, owner: name, file, for_others } = &args.what {
        return new_key(key, name, file, *for_others);
    }
    let To { board, key, reason, id, .. } = &args.to;
    let board = board.as_deref().ok_or_else(|| missing("--board ID"))?;
    let key = read_key(key.as_deref().ok_or_else(|| missing("--key FILE"))?)?;
    for (option, value) in
        [("--board", Some(board)), ("--id", id.as_deref()), ("--game", args.to.game.as_deref())]
    {
        if let Some(value) = value.filter(|value| !is_id(value)) {
            return Err(Failure::new(format_args!(
                "{option} {value:?}: expected 1 to 64 letters, digits, - _ and ."
            )));
        }
    }
    let command = args.what.command().ok_or_else(|| missing("a command"))?;
    let name = args.to.name.clone().unwrap_or_else(|| key.name.clone());
    let order = Order { name, reason: reason.clone(), command };
    let id = id.clone().unwrap_or_else(new_order_id);
    let brokers = args.to.brokers.brokers(USUAL_BROKER)?;
    let answer = runtime()?.block_on(send(&args.to, brokers, board, key, &id, order))?;
    print(&answer, args.to.json)
}

fn missing(what: &str) -> Failure {
    Failure::new(format_args!("{what} is required (try --help)"))
}

fn read_key(path: &Path) -> Result<OrderKey, Failure> {
    OrderKey::read(path).map_err(|e| Failure::new(format_args!("--key {}: {e}", path.display())))
}

async fn send(
    to: &To,
    brokers: Brokers,
    board: &str,
    key: OrderKey,
    id: &str,
    order: Order,
) -> Result<relay::Answer, Failure> {
    let desk = OrderDesk::open(brokers.clone(), key);
    let patience = Duration::from_secs(to.wait);
    let status = desk.status(board, STATUS.min(patience)).await.map_err(|why| match why {
        NoAnswer::NoBroker(why) => no_broker(&brokers, &why),
        _ => Failure::new(format_args!("no board {board:?} is known to the broker")),
    })?;
    if !status.online {
        return Err(Failure::new(format_args!("board {board:?} is not connected")));
    }
    let game = to.game.clone().or(status.game);
    let game = game.ok_or_else(|| Failure::new(format_args!("there is no game at board {board:?}")))?;
    desk.give(id, board, &game, order, patience).await.map_err(|why| match why {
        NoAnswer::NoBroker(why) => no_broker(&brokers, &why),
        NoAnswer::Silence | NoAnswer::TooMany => Failure::new(format_args!(
            "board {board:?} does not answer, so the order may have been carried out or not: \
             the same command with --game {game} --id {id} asks again"
        )),
    })
}

fn no_broker(brokers: &Brokers, why: &str) -> Failure {
    Failure::new(format_args!("broker {brokers}: {why}"))
}

fn print(answer: &relay::Answer, as_json: bool) -> Outcome {
    let mut out = io::stdout().lock();
    let carried_out = matches!(answer.outcome, relay::Outcome::Applied { .. });
    if as_json {
        serde_json::to_writer(&mut out, answer)?;
        writeln!(out)?;
        return Ok(Answer::from_bool(carried_out));
    }
    match &answer.outcome {
        relay::Outcome::Applied { seq, order, .. } => {
            writeln!(out, "carried out as order {order}, line {seq} of the journal of {}", answer.board)?;
        }
        relay::Outcome::Refused { why, text, .. } => writeln!(out, "refused ({why}): {text}")?,
    }
    Ok(Answer::from_bool(carried_out))
}

/// Writes a new key to a file and prints the entry by which boards know it.
fn new_key(key: &str, name: &str, file: &Path, for_others: bool) -> Outcome {
    let failed = |error| Failure::new(format_args!("{}: {error}", file.display()));
    let key = OrderKey::generate(key, name).map_err(Failure::new)?;
    key.save(file).map_err(failed)?;
    io::stdout().lock().write_all(key.entry(for_others).as_bytes())?;
    Ok(Answer::Yes)
}
