//! The broker on TCP.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::BytesMut;
use rumqttc::mqttbytes::Error as CodecError;
use rumqttc::mqttbytes::v4::{Connect, Packet};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use crate::{Core, Limits, LinkId, Output};

/// How long a new connection may take to introduce itself.
const INTRODUCTION: Duration = Duration::from_secs(10);

/// How long a client that promised no sign of life may be silent.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// A running broker. Dropping it stops it; [`stop`](Server::stop) also waits until it has stopped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    accepting: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Listens on `address`; port 0 takes a free one. Must be called within a tokio runtime.
    pub async fn start(address: SocketAddr, limits: Limits) -> io::Result<Server> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let hub = Arc::new(Hub { limits: limits.clone(), state: Mutex::new(State::new(limits)) });
        let accepting = tokio::spawn(accept(listener, hub, stopped));
        Ok(Server { address, stop, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes every connection and waits until nothing of the broker runs.
    pub async fn stop(self) {
        // An error means that it has stopped already.
        let _ = self.stop.send(true);
        let _ = self.accepting.await;
    }
}

/// What all connections share.
struct Hub {
    limits: Limits,
    state: Mutex<State>,
}

struct State {
    core: Core,
    next_link: LinkId,
    /// The packets that wait for each connection's socket.
    outgoing: BTreeMap<LinkId, mpsc::Sender<Packet>>,
}

impl State {
    fn new(limits: Limits) -> State {
        State { core: Core::new(limits), next_link: 0, outgoing: BTreeMap::new() }
    }

    /// Hands the outputs of the core to the connections. A connection whose queue is full is closed.
    fn dispatch(&mut self) {
        while let Some(output) = self.core.poll_output() {
            match output {
                Output::Send(link, packet) => {
                    let full = |queue: &mpsc::Sender<Packet>| queue.try_send(packet).is_err();
                    if self.outgoing.get(&link).is_some_and(full) {
                        self.outgoing.remove(&link);
                        self.core.lost(link);
                    }
                }
                Output::Close(link) => drop(self.outgoing.remove(&link)),
            }
        }
    }
}

impl Hub {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn open(&self) -> (LinkId, mpsc::Receiver<Packet>) {
        let (sender, receiver) = mpsc::channel(self.limits.link);
        let mut state = self.lock();
        let link = state.next_link;
        state.next_link += 1;
        state.outgoing.insert(link, sender);
        (link, receiver)
    }

    fn connect(&self, link: LinkId, connect: &Connect) {
        let mut state = self.lock();
        state.core.connect(link, connect);
        state.dispatch();
    }

    fn receive(&self, link: LinkId, packet: Packet) {
        let mut state = self.lock();
        state.core.receive(link, packet);
        state.dispatch();
    }

    fn close(&self, link: LinkId) {
        let mut state = self.lock();
        state.outgoing.remove(&link);
        state.core.lost(link);
        state.dispatch();
    }
}

async fn accept(listener: TcpListener, hub: Arc<Hub>, mut stopped: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((socket, peer)) => {
                    tracing::debug!(%peer, "connected");
                    connections.spawn(serve(socket, Arc::clone(&hub)));
                }
                Err(error) => {
                    // Out of file descriptors, say: the connections that we have go on.
                    tracing::warn!(%error, "cannot accept");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = connections.join_next() => {}
            // An error means that the server was dropped.
            _ = stopped.changed() => break,
        }
    }
    connections.shutdown().await;
}

async fn serve(socket: TcpStream, hub: Arc<Hub>) {
    // Records are small and must not wait for each other.
    let _ = socket.set_nodelay(true);
    let (link, outgoing) = hub.open();
    if let Err(error) =
        (Connection { socket, hub: &hub, link, outgoing, incoming: BytesMut::new() }).run().await
    {
        tracing::debug!(link, %error, "connection ended");
    }
    hub.close(link);
}

struct Connection<'a> {
    socket: TcpStream,
    hub: &'a Hub,
    link: LinkId,
    outgoing: mpsc::Receiver<Packet>,
    incoming: BytesMut,
}

impl Connection<'_> {
    /// Serves until the client goes, breaks the protocol, or is closed by the broker.
    async fn run(&mut self) -> io::Result<()> {
        let introduced = timeout(INTRODUCTION, self.introduction()).await.map_err(|_| timed_out())??;
        let Some(connect) = introduced else { return Ok(()) };
        self.hub.connect(self.link, &connect);
        // 3.1.1, section 3.1.2.10: one and a half times what the client promised.
        let silence = match connect.keep_alive {
            0 => FOREVER,
            seconds => Duration::from_millis(1500 * u64::from(seconds)),
        };
        let mut deadline = Instant::now() + silence;
        let mut buffer = BytesMut::new();
        loop {
            tokio::select! {
                biased;
                packet = self.outgoing.recv() => {
                    let Some(packet) = packet else { return Ok(()) };
                    self.write(packet, &mut buffer).await?;
                }
                read = timeout_at(deadline, self.socket.read_buf(&mut self.incoming)) => {
                    if read.map_err(|_| timed_out())?? == 0 {
                        return Ok(());
                    }
                    while let Some(packet) = self.parse()? {
                        self.hub.receive(self.link, packet);
                    }
                    deadline = Instant::now() + silence;
                }
            }
        }
    }

    /// The first packet, which must be CONNECT; none if the client went away.
    async fn introduction(&mut self) -> io::Result<Option<Connect>> {
        loop {
            // The first byte of CONNECT tells a stranger at once, whatever length the next bytes seem to promise.
            if self.incoming.first().is_some_and(|byte| *byte != 0x10) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "expected CONNECT"));
            }
            if let Some(Packet::Connect(connect)) = self.parse()? {
                return Ok(Some(connect));
            }
            if self.socket.read_buf(&mut self.incoming).await? == 0 {
                return Ok(None);
            }
        }
    }

    fn parse(&mut self) -> io::Result<Option<Packet>> {
        match Packet::read(&mut self.incoming, self.hub.limits.packet) {
            Ok(packet) => Ok(Some(packet)),
            Err(CodecError::InsufficientBytes(_)) => Ok(None),
            Err(error) => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        }
    }

    /// Writes a packet and whatever else waits, at once.
    async fn write(&mut self, first: Packet, buffer: &mut BytesMut) -> io::Result<()> {
        let mut next = Some(first);
        while let Some(packet) = next {
            packet.write(buffer, usize::MAX).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?;
            next = if buffer.len() < 64 * 1024 { self.outgoing.try_recv().ok() } else { None };
        }
        self.socket.write_all(buffer).await?;
        buffer.clear();
        Ok(())
    }
}

fn timed_out() -> io::Error {
    io::ErrorKind::TimedOut.into()
}
