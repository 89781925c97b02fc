//! A small MQTT 3.1.1 broker for one hall, embedded so that nothing has to be installed.
//!
//! It speaks what boards and venues need: QoS 0 and 1, retained messages, last wills, sessions that outlive a connection,
//! keep-alive, take-over of a client id. It does not speak QoS 2 (a publication with it ends the connection) nor MQTT 5.
//! State is in memory: boards publish their retained state again whenever they connect, and the journal is the truth.
//!
//! [`Core`] is the broker without a network: packets in, packets out, no clock. [`Server`] puts it on TCP. The packets are
//! read and written by rumqttc's codec, which the board's link uses too.
//!
//! # Why not one that exists
//!
//! rumqttd 0.20 has no access control by topic, cannot be stopped, and does not send retained messages again to a resumed
//! session; mqtt5 0.49 has these, needs a newer compiler than ours and changes its interface often. Either brings
//! some 150 packages; this brings none. Any other broker does as well: `--broker mqtt://…`.

mod core;
mod queue;
mod server;

pub use crate::core::{Core, LinkId, Output};
pub use queue::{Limits, Session};
pub use server::Server;
