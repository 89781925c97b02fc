//! The MQTT broker of one hall, embedded so that nothing has to be installed: [mqtt5] with our limits.
//!
//! Boards and venues use the 3.1.1 subset: QoS 0 and 1, retained messages, last wills, sessions that outlive a connection.
//! State is in memory on purpose: boards publish their retained state again whenever they connect, and their journals are
//! the truth, so a broker that forgets loses nothing. Any other broker does as well: `--broker mqtt://…`.
//!
//! # Why mqtt5
//!
//! Of the brokers that can be embedded, rumqttd 0.20 has no access control by topic, cannot be stopped, and does not
//! send retained messages again to a resumed session; rmqtt 0.24 needs a plugin for retained messages. mqtt5 has all of
//! it, speaks 3.1.1 and 5, and shares most of its packages with what we use for TLS and HTTP. Its interface changes often,
//! so this package is the only one that names it.

mod access;
mod front;
mod passwords;

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use mqtt5::broker::MqttBroker;
use mqtt5::broker::config::{BrokerConfig, StorageBackend, StorageConfig};
use tokio::task::JoinHandle;

use access::Door;
use front::Front;
pub use passwords::{Passwords, PasswordsError};
use transport::{Certificate, MAX_PACKET};

/// How much the broker holds for its clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest packet, in bytes. A larger one ends the connection.
    pub packet: usize,
    /// QoS 1 publications on their way to a client before it acknowledges the first.
    pub in_flight: u16,
    /// QoS 1 publications that wait for a client that is away. Beyond it messages are dropped, and the client sees the
    /// gap in the sequence numbers and fetches from the source what it missed.
    pub session: usize,
    /// Packets that wait for a connection's socket.
    pub link: usize,
    /// Retained topics. A publication to one more is delivered and not kept.
    pub retained: usize,
    /// Clients that are connected at a time.
    pub clients: usize,
}

impl Default for Limits {
    /// A hall of a thousand boards: a session holds a round of records of all of them while a venue restarts.
    fn default() -> Limits {
        Limits {
            packet: MAX_PACKET,
            in_flight: 256,
            session: 100_000,
            link: 4_096,
            retained: 50_000,
            clients: 10_000,
        }
    }
}

/// Who is let in, and how.
#[derive(Clone, Debug, Default)]
pub struct Entrance {
    /// With passwords everybody may do what the rules of `docs/mosquitto/acl` say; without them everybody may do
    /// everything, which is for loopback only, and any other address is refused.
    pub passwords: Option<Passwords>,
    /// Where it listens for clients that speak TLS, too, and the certificate that it shows them.
    pub tls: Option<(SocketAddr, Certificate)>,
}

/// A running broker. Dropping it stops it; [`stop`](Server::stop) also waits until it has stopped.
pub struct Server {
    address: SocketAddr,
    stop: mqtt5::broker::BrokerShutdownHandle,
    running: JoinHandle<()>,
    front: Option<Front>,
}

impl Server {
    /// Listens on `address`, in clear; port 0 takes a free one. Must be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When an address is taken, or is not loopback and there are no passwords.
    pub async fn start(address: SocketAddr, limits: Limits, entrance: Entrance) -> io::Result<Server> {
        let Entrance { passwords, tls } = entrance;
        let mut all = [Some(address), tls.as_ref().map(|(address, _)| *address)].into_iter().flatten();
        if passwords.is_none() && !all.all(|address| address.ip().is_loopback()) {
            let why = "without passwords it listens on loopback only";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        let config = BrokerConfig {
            bind_addresses: vec![address],
            max_packet_size: limits.packet,
            max_outbound_inflight: limits.in_flight,
            client_channel_capacity: limits.link,
            max_retained_messages: limits.retained,
            max_clients: limits.clients,
            sys_topics_enabled: false,
            storage_config: StorageConfig {
                backend: StorageBackend::Memory,
                max_queued_messages_per_client: limits.session,
                ..StorageConfig::default()
            },
            ..BrokerConfig::default()
        };
        let mut broker = MqttBroker::with_config(config).await.map_err(io::Error::other)?;
        if let Some(passwords) = passwords {
            broker = broker.with_auth_provider(Arc::new(Door::new(passwords)));
        }
        let address = broker.local_addr().ok_or_else(|| io::Error::other("the broker has no address"))?;
        let stop = broker.shutdown_handle();
        let mut ready = broker.ready_receiver();
        let running = tokio::spawn(async move {
            if let Err(error) = broker.run().await {
                tracing::error!(%error, "the embedded broker ended");
            }
        });
        // The sender goes away only with the broker, whose end has been logged.
        let _ = ready.wait_for(|ready| *ready).await;
        let mut server = Server { address, stop, running, front: None };
        if let Some((outside, certificate)) = &tls {
            server.front = Some(Front::open(*outside, certificate, inside(address), limits.clients).await?);
        }
        Ok(server)
    }

    /// Where it listens, in clear.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens for clients that speak TLS, if it does.
    pub fn tls_address(&self) -> Option<SocketAddr> {
        self.front.as_ref().map(Front::address)
    }

    /// Closes every connection and waits until nothing of the broker runs.
    pub async fn stop(mut self) {
        self.front = None;
        self.stop.shutdown();
        // An error means that it has stopped already.
        let _ = (&mut self.running).await;
    }
}

/// How this machine reaches an address on which it listens.
fn inside(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(at) if at.ip().is_unspecified() => (Ipv4Addr::LOCALHOST, at.port()).into(),
        SocketAddr::V6(at) if at.ip().is_unspecified() => (Ipv6Addr::LOCALHOST, at.port()).into(),
        address => address,
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.shutdown();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}
