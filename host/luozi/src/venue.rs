//! `luozi venue`: the hall server.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tokio::net::TcpListener;

use crate::board::{address, runtime};
use crate::outcome::{Answer, Failure, Outcome};
use crate::stop;

/// Run the hall server: it follows the boards and shows their games.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the pages are served; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Follow this MQTT broker instead of running one
    #[arg(long, value_name = "URL")]
    broker: Option<venue::Broker>,
    /// Where the embedded broker listens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:1883", conflicts_with = "broker")]
    broker_listen: SocketAddr,
    /// Who may log in to the embedded broker: lines of NAME:PASSWORD, a board's name is its id, `venue` and `arbiter` are the
    /// hall server's and the arbiters'. Without it everybody may do everything, and it listens on loopback only
    #[arg(long, value_name = "FILE", conflicts_with = "broker")]
    broker_users: Option<PathBuf>,
    /// Where the accounts of the arbiter console are kept; without it there is no console
    #[arg(long, value_name = "FILE")]
    accounts: Option<PathBuf>,
    /// How late the public sees games: 15m, 4plies, 15m+4plies; EVENT=DELAY for one event. May be given several times.
    /// Who has signed in to the console sees everything at once
    #[arg(long, value_name = "[EVENT=]DELAY")]
    delay: Vec<venue::DelayRule>,
    /// Publish what the public sees over MQTT, too, under luozi/v1/public; one venue at a broker does. The embedded
    /// broker always has it
    #[arg(long)]
    feed: bool,
    /// Where the standings of the event are; the page of the round links to it
    #[arg(long, value_name = "URL")]
    standings: Option<venue::WebAddress>,
    /// Serve the pages over TLS: the certificate with those that vouch for it, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// The key with which arbiters' orders are signed, as `luozi arbiter new-key` writes it; the boards must know it as one
    /// that is `for_others`. Without it the console only shows
    #[arg(long, value_name = "FILE", requires = "accounts")]
    order_key: Option<PathBuf>,
}

/// Runs until asked to stop.
pub fn run(args: &Args) -> Outcome {
    let order_key = args.order_key.as_deref().map(|path| {
        venue::OrderKey::read(path)
            .map_err(|why| Failure::new(format_args!("--order-key {}: {why}", path.display())))
    });
    let order_key = order_key.transpose()?;
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(chain), Some(key)) => Some(
            venue::Certificate::read(chain, key).map_err(|why| Failure::new(format_args!("TLS: {why}")))?,
        ),
        _ => None,
    };
    runtime()?.block_on(async {
        let (embedded, broker) = match &args.broker {
            Some(broker) => {
                let address = address(broker);
                boardd::probe("venue", &address)
                    .await
                    .map_err(|why| Failure::new(format_args!("broker {address}: {why}")))?;
                (None, broker.clone())
            }
            None => {
                let (passwords, credentials) =
                    args.broker_users.as_deref().map(passwords).transpose()?.unzip();
                let server = embedded(args.broker_listen, passwords).await?;
                let broker = venue::Broker { credentials, ..local(&server) };
                (Some(server), broker)
            }
        };
        let listener = listen(args.listen).await?;
        say_where(&listener, &broker, tls.is_some())?;
        let failed = |error| Failure::new(format_args!("pages: {error}"));
        venue::run(
            listener,
            venue::Config {
                accounts: args.accounts.clone(),
                order_key,
                tls,
                delays: venue::Delays::new(args.delay.iter().cloned()),
                feed: args.feed || args.broker.is_none(),
                standings: args.standings.clone(),
                ..venue::Config::new(broker)
            },
            stopped(),
        )
        .await
        .map_err(failed)?;
        if let Some(server) = embedded {
            server.stop().await;
        }
        Ok(Answer::Yes)
    })
}

/// Completes when the process is asked to stop, or can no longer be asked.
async fn stopped() {
    if let Err(Failure::Line(line)) = stop::requested().await {
        tracing::error!(line);
    }
}

/// The passwords in a file, and with which of them the hall server logs in: if the file has none for it, one that nobody
/// knows.
fn passwords(path: &Path) -> Result<(broker::Passwords, (String, String)), Failure> {
    let about = |why: &dyn std::fmt::Display| Failure::new(format_args!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| about(&e))?;
    let mut passwords = text.parse::<broker::Passwords>().map_err(|e| about(&e))?;
    let own = match passwords.of("venue") {
        Some(password) => password.to_owned(),
        None => {
            let mut bytes = [0; 16];
            getrandom::fill(&mut bytes).map_err(|e| about(&e))?;
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        }
    };
    passwords.set("venue", &own);
    Ok((passwords, ("venue".to_owned(), own)))
}

/// Starts the embedded broker.
pub async fn embedded(
    address: SocketAddr,
    passwords: Option<broker::Passwords>,
) -> Result<broker::Server, Failure> {
    // A port that is taken is found out here, where the reason is one line.
    let free = TcpListener::bind(address).await;
    drop(free.map_err(|e| Failure::new(format_args!("embedded broker on {address}: {e}")))?);
    let started = broker::Server::start(address, broker::Limits::default(), passwords).await;
    started.map_err(|e| Failure::new(format_args!("embedded broker on {address}: {e}")))
}

/// The embedded broker as its clients take it.
pub fn local(server: &broker::Server) -> venue::Broker {
    let address = server.address();
    venue::Broker { host: address.ip().to_string(), port: address.port(), credentials: None }
}

/// Opens the port of the pages.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|e| Failure::new(format_args!("pages on {address}: {e}")))
}

/// Prints where the pages are.
pub fn say_where(listener: &TcpListener, broker: &venue::Broker, secure: bool) -> Result<(), Failure> {
    let address = listener.local_addr()?;
    let scheme = if secure { "https" } else { "http" };
    println!("pages:  {scheme}://{address}/");
    println!("broker: mqtt://{}:{}", broker.host, broker.port);
    Ok(())
}
