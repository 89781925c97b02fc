//! TLS before the embedded broker.
//!
//! mqtt5 has TLS of its own, but shakes hands with one client after the other and waits for each as long as it likes, so
//! anybody who connects and says nothing shuts everybody else out. Here connections shake hands side by side and in
//! bounded time, and what they say goes on to the broker over loopback.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::copy_bidirectional_with_sizes;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use transport::{Certificate, Handshakes};

/// What is copied at once, in bytes, in each direction of each connection.
const PIECE: usize = 8 * 1024;

/// The listener, until it is dropped. Connections end with the broker.
#[derive(Debug)]
pub(crate) struct Front {
    address: SocketAddr,
    passing: JoinHandle<()>,
}

impl Front {
    pub(crate) async fn open(
        address: SocketAddr,
        certificate: &Certificate,
        broker: SocketAddr,
        most: usize,
    ) -> io::Result<Front> {
        let handshakes = Handshakes::begin(TcpListener::bind(address).await?, certificate)?;
        let address = handshakes.address();
        Ok(Front { address, passing: tokio::spawn(pass(handshakes, broker, most)) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

async fn pass(mut handshakes: Handshakes, broker: SocketAddr, most: usize) {
    let seats = Arc::new(Semaphore::new(most));
    loop {
        let Ok(seat) = Arc::clone(&seats).acquire_owned().await else { return };
        let (mut outside, from) = handshakes.next().await;
        tokio::spawn(async move {
            let passed = async {
                let mut inside = TcpStream::connect(broker).await?;
                inside.set_nodelay(true)?;
                copy_bidirectional_with_sizes(&mut outside, &mut inside, PIECE, PIECE).await
            };
            if let Err(error) = passed.await {
                tracing::debug!(%from, %error, "a connection over TLS ended");
            }
            drop(seat);
        });
    }
}
