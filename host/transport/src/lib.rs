//! How the machines of a hall reach each other: where the brokers are, who logs in and how, and TLS on either end.
//!
//! Boards, hall servers and arbiters' terminals are all clients of one broker, or of the nodes of one cluster of brokers:
//! [`Brokers`] says where to go next when a node is lost, and a [`Session`] when it is. Who serves over TLS, the pages or the embedded broker, takes its
//! connections from [`Handshakes`].

mod brokers;
mod certificate;
mod handshakes;
mod secret;
mod session;
mod trust;
mod url;

pub use brokers::{Brokers, MAX_PACKET, MAX_PAYLOAD, STEADY, probe};
pub use certificate::Certificate;
pub use handshakes::Handshakes;
pub use secret::Secret;
pub use session::{CLOSED, Session};
pub use trust::Trust;
pub use url::{BrokerUrl, BrokerUrlError};
