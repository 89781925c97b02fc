//! The pages over TLS: a listener whose connections have shaken hands.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Handshakes at once; whoever comes then waits in the listener's queue.
const HANDSHAKES: usize = 256;
/// Connections that have shaken hands and wait to be served.
const READY: usize = 64;
/// How long a handshake may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A certificate and its key.
#[derive(Clone)]
pub struct Certificate(Arc<rustls::ServerConfig>);

/// The key does not belong in logs.
impl std::fmt::Debug for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Certificate")
    }
}

impl Certificate {
    /// Reads PEM files: the certificate with those that vouch for it, and its private key.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, holds nothing of the kind, or the two do not belong together; in one line.
    pub fn read(chain: &Path, key: &Path) -> Result<Certificate, String> {
        let of = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let certificates = CertificateDer::pem_file_iter(chain)
            .and_then(|all| all.collect::<Result<Vec<_>, _>>())
            .map_err(|why| of(chain, &why))?;
        if certificates.is_empty() {
            return Err(of(chain, &"there is no certificate in it"));
        }
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|why| of(key, &why))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, secret))
            .map_err(|why| of(chain, &why))?;
        Ok(Certificate(Arc::new(config)))
    }
}

/// A listener whose connections have shaken hands. A slow handshake keeps nobody else waiting.
#[derive(Debug)]
pub(crate) struct TlsListener {
    address: SocketAddr,
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    accepting: JoinHandle<()>,
}

impl TlsListener {
    pub(crate) fn new(listener: TcpListener, certificate: &Certificate) -> io::Result<TlsListener> {
        let address = listener.local_addr()?;
        let (sender, ready) = mpsc::channel(READY);
        let acceptor = TlsAcceptor::from(Arc::clone(&certificate.0));
        Ok(TlsListener { address, ready, accepting: tokio::spawn(accept(listener, acceptor, sender)) })
    }
}

impl Drop for TlsListener {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(
    mut listener: TcpListener,
    acceptor: TlsAcceptor,
    ready: mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>,
) {
    let seats = Arc::new(Semaphore::new(HANDSHAKES));
    loop {
        let Ok(seat) = Arc::clone(&seats).acquire_owned().await else { return };
        let (stream, from) = Listener::accept(&mut listener).await;
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

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            // Accepting goes on until this listener is dropped.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, TcpListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Peer {
        Peer(*stream.remote_addr())
    }
}

impl Connected<IncomingStream<'_, TlsListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TlsListener>) -> Peer {
        Peer(*stream.remote_addr())
    }
}
