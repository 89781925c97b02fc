//! The hall server (赛场服务器): follows the boards over MQTT and shows them.
//!
//! The venue keeps a [`Replica`] of what the boards have published, and nothing else: a board's journal is the truth,
//! the venue replays. It starts empty, learns everything from retained snapshots within a moment, and may be stopped
//! and started at any time.
//!
//! ```text
//! broker ─► link (rumqttc) ─► bounded channel ─┬─► Replica ──────────────────────────────────► arbiters
//!                                               └─► DelayLine (what is old enough) ─► Replica ─► public: pages, files, MQTT
//! ```

mod config;
mod console;
mod delay;
mod delay_line;
mod download;
mod feed;
mod game;
mod gap;
mod http;
mod hub;
mod inquiry;
mod journal;
mod language;
mod link;
mod order_desk;
mod order_key;
mod paper;
mod replica;
mod sheet;
mod tls;
mod waiting;
mod web_address;
mod web_files;

use std::future::Future;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};

pub use config::Config;
pub use console::{AccountsError, Role};
pub use delay::{Delay, DelayError, DelayRule, Delays};
pub use delay_line::{DelayLine, Moment, Published};
pub use game::{GameView, Outcome, PlyView, Summary};
pub use http::{Route, route_list};
pub use order_desk::{NoAnswer, OrderDesk, new_order_id};
pub use order_key::{OrderKey, OrderKeyError};
pub use replica::{Audited, BoardView, Change, Replica, Unreadable};
pub use sheet::{Sheet, SheetFoul, SheetPly, Signature};
pub use web_address::{WebAddress, WebAddressError};

/// Messages from the broker that wait to be applied. When it is full the link stops reading, and the broker holds the
/// rest back: TCP is the queue behind this one.
const INBOX: usize = 1024;

/// Serves pages on `listener` and follows the broker of `config` until `shutdown` completes. Open event streams are
/// ended, answers that have begun are finished.
///
/// # Errors
///
/// When the accounts cannot be read, or the listener can no longer accept connections.
pub async fn run(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let console = config
        .accounts
        .as_deref()
        .map(|path| console::Console::open(path, config.setup_code))
        .transpose()
        .map_err(std::io::Error::other)?;
    let (stop, stopped) = watch::channel(false);
    let hub = Arc::new(hub::Hub::new(config.delays));
    let (inbox, messages) = mpsc::channel(INBOX);
    let orders = config.order_key.map(|key| Arc::new(OrderDesk::open(config.brokers.clone(), key)));
    let link = link::Link::new(config.brokers);
    let speaker = link.speaker();
    let following = tokio::spawn(link.follow(inbox));
    let applying = tokio::spawn(hub::pump(Arc::clone(&hub), messages, speaker.clone()));
    let publishing = config.feed.then(|| tokio::spawn(feed::publish(Arc::clone(&hub), speaker)));

    let secure = config.tls.is_some();
    let site =
        http::router(http::Parts { hub, console, orders, stopped, secure, standings: config.standings });
    let site = site.into_make_service_with_connect_info::<tls::Peer>();
    let ended = async move {
        shutdown.await;
        // The receivers live in the event streams; without any the send has nobody to tell.
        let _ = stop.send(true);
    };
    let served = match config.tls {
        Some(certificate) => {
            let listener = tls::TlsListener(transport::Handshakes::begin(listener, &certificate)?);
            axum::serve(listener, site).with_graceful_shutdown(ended).await
        }
        None => axum::serve(listener, site).with_graceful_shutdown(ended).await,
    };
    following.abort();
    applying.abort();
    publishing.inspect(tokio::task::JoinHandle::abort);
    served
}
