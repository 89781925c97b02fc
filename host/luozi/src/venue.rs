//! `luozi venue`: the hall server.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tokio::net::TcpListener;
use transport::{Brokers, Certificate, Secret};

use crate::board::{USUAL_BROKER, runtime};
use crate::broker_args::BrokerArgs;
use crate::broker_password;
use crate::outcome::{Answer, Failure, Outcome};
use crate::stop;

/// Run the hall server: it follows the boards and shows their games. Without --broker it runs a broker of its own.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the pages are served; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[command(flatten)]
    brokers: BrokerArgs,
    /// Where the embedded broker listens, in clear
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:1883", conflicts_with = "broker")]
    broker_listen: SocketAddr,
    /// Who may log in to the embedded broker, as `luozi broker-password` or mosquitto_passwd writes it: a board's name is its
    /// id, `venue` and `arbiter` are hall servers' and the arbiters'. Without it everybody may do everything, and it listens on
    /// loopback only
    #[arg(long, value_name = "FILE", conflicts_with = "broker")]
    broker_users: Option<PathBuf>,
    /// Where the embedded broker listens for clients that speak TLS, such as 0.0.0.0:8883
    #[arg(long, value_name = "ADDRESS", conflicts_with = "broker", requires_all = ["tls_cert", "broker_users"])]
    broker_tls_listen: Option<SocketAddr>,
    /// Who must vouch for the certificates of the clients that speak TLS, in PEM; without it none are asked for
    #[arg(long, value_name = "FILE", requires = "broker_tls_listen")]
    broker_client_ca: Option<PathBuf>,
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
    /// Serve the pages, and the embedded broker's listener for it, over TLS: the certificate with those that vouch for it, in PEM
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
    let tls = certificate(args, None)?;
    runtime()?.block_on(async {
        let (embedded, brokers) = if args.brokers.is_given() {
            let brokers = args.brokers.brokers(USUAL_BROKER)?;
            transport::probe(&brokers, "probe-venue")
                .await
                .map_err(|why| Failure::new(format_args!("broker {why}")))?;
            (None, brokers)
        } else {
            let (server, brokers) = own_broker(args).await?;
            (Some(server), brokers)
        };
        let listener = listen(args.listen).await?;
        say_where(&listener, &brokers, tls.is_some())?;
        if let Some(address) = embedded.as_ref().and_then(broker::Server::tls_address) {
            println!("broker: mqtts://{address}");
        }
        let failed = |error| Failure::new(format_args!("pages: {error}"));
        venue::run(
            listener,
            venue::Config {
                accounts: args.accounts.clone(),
                order_key,
                tls,
                delays: venue::Delays::new(args.delay.iter().cloned()),
                feed: args.feed || embedded.is_some(),
                standings: args.standings.clone(),
                ..venue::Config::new(brokers)
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

/// The certificate of pages and broker, if there is one.
fn certificate(args: &Args, clients: Option<&Path>) -> Result<Option<Certificate>, Failure> {
    let (Some(chain), Some(key)) = (&args.tls_cert, &args.tls_key) else { return Ok(None) };
    let read = Certificate::asking(chain, key, clients);
    read.map(Some).map_err(|why| Failure::new(format_args!("TLS: {why}")))
}

/// The embedded broker as the options want it, and the way to it.
async fn own_broker(args: &Args) -> Result<(broker::Server, Brokers), Failure> {
    let (passwords, login) = args.broker_users.as_deref().map(passwords).transpose()?.unzip();
    let tls = args.broker_tls_listen.zip(certificate(args, args.broker_client_ca.as_deref())?);
    let server = embedded(args.broker_listen, broker::Entrance { passwords, tls }).await?;
    let brokers = local(&server);
    Ok(match login {
        Some((user, password)) => (server, brokers.with_login(&user, Secret::new(password))),
        None => (server, brokers),
    })
}

/// The passwords in a file, and with which one more the hall server itself logs in, that nobody knows.
fn passwords(path: &Path) -> Result<(broker::Passwords, (String, String)), Failure> {
    let about = |why: &dyn std::fmt::Display| Failure::new(format_args!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| about(&e))?;
    let mut passwords = text.parse::<broker::Passwords>().map_err(|e| about(&e))?;
    let clear: Vec<&str> = passwords.in_clear().collect();
    if !clear.is_empty() {
        let (file, names) = (path.display(), clear.join(", "));
        tracing::warn!(
            "{file}: in the clear are the passwords of {names}; `luozi broker-password` writes sums"
        );
    }
    let own = broker_password::drawn().map_err(|e| about(&e))?;
    passwords.add("venue", &own);
    Ok((passwords, ("venue".to_owned(), own)))
}

/// Starts the embedded broker.
pub async fn embedded(address: SocketAddr, entrance: broker::Entrance) -> Result<broker::Server, Failure> {
    // A port that is taken is found out here, where the reason is one line.
    let free = TcpListener::bind(address).await;
    drop(free.map_err(|e| Failure::new(format_args!("embedded broker on {address}: {e}")))?);
    let started = broker::Server::start(address, broker::Limits::default(), entrance).await;
    started.map_err(|e| Failure::new(format_args!("embedded broker on {address}: {e}")))
}

/// The embedded broker as its clients take it.
pub fn local(server: &broker::Server) -> Brokers {
    let address = server.address();
    Brokers::plain(&address.ip().to_string(), address.port())
}

/// Opens the port of the pages.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|e| Failure::new(format_args!("pages on {address}: {e}")))
}

/// Prints where the pages are.
pub fn say_where(listener: &TcpListener, brokers: &Brokers, secure: bool) -> Result<(), Failure> {
    let address = listener.local_addr()?;
    let scheme = if secure { "https" } else { "http" };
    println!("pages:  {scheme}://{address}/");
    println!("broker: {brokers}");
    Ok(())
}
