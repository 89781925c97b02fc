//! Connections that have shaken hands.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::Certificate;

/// Handshakes at once; whoever comes then waits in the listener's queue.
const AT_ONCE: usize = 256;
/// Connections that have shaken hands and wait to be served.
const READY: usize = 64;
/// How long a handshake may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long is waited before another connection is accepted when the system has no room for one.
const BREATH: Duration = Duration::from_millis(100);

/// The connections of a listener that have shaken hands. A slow handshake keeps nobody else waiting. Dropping it closes the
/// listener.
#[derive(Debug)]
pub struct Handshakes {
    address: SocketAddr,
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    accepting: JoinHandle<()>,
}

impl Handshakes {
    /// Begins to accept. Must be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When the listener has no address.
    pub fn begin(listener: TcpListener, certificate: &Certificate) -> io::Result<Handshakes> {
        let address = listener.local_addr()?;
        let (sender, ready) = mpsc::channel(READY);
        let acceptor = TlsAcceptor::from(Arc::clone(&certificate.0));
        Ok(Handshakes { address, ready, accepting: tokio::spawn(accept(listener, acceptor, sender)) })
    }

    /// The next connection, and where it comes from.
    pub async fn next(&mut self) -> (TlsStream<TcpStream>, SocketAddr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            // Accepting goes on until this is dropped.
            None => std::future::pending().await,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Handshakes {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    ready: mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>,
) {
    let seats = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let Ok(seat) = Arc::clone(&seats).acquire_owned().await else { return };
        let Ok((stream, from)) = listener.accept().await else {
            sleep(BREATH).await;
            continue;
        };
        // Small packets are what both kinds of server send.
        let _ = stream.set_nodelay(true);
        let (acceptor, ready) = (acceptor.clone(), ready.clone());
        tokio::spawn(async move {
            // Whoever does not speak TLS, or not in time, is let go: that is his affair.
            if let Ok(Ok(stream)) = timeout(PATIENCE, acceptor.accept(stream)).await {
                let _ = ready.send((stream, from)).await;
            }
            drop(seat);
        });
    }
}
