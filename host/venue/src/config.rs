//! What a venue must be told.

use std::path::PathBuf;

use transport::{Brokers, Certificate};

use crate::delay::Delays;
use crate::{OrderKey, WebAddress};

/// What a venue must be told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The broker that the boards publish to, or the nodes of a cluster.
    pub brokers: Brokers,
    /// Where the accounts of the arbiter console are kept; without it there is no console.
    pub accounts: Option<PathBuf>,
    /// What whoever makes the first account must know; a random one is logged at the start if none is given.
    pub setup_code: Option<String>,
    /// The key with which it gives orders to boards, in the names of the arbiters who are signed in; without it the console
    /// only shows.
    pub order_key: Option<OrderKey>,
    /// With a certificate the pages are served over TLS, and cookies of the console travel over nothing else.
    pub tls: Option<Certificate>,
    /// How late the public sees games.
    pub delays: Delays,
    /// Whether the public feed is published over MQTT. Of several venues at one broker, one does.
    pub feed: bool,
    /// Where the standings of the event are, for a link on the round's page.
    pub standings: Option<WebAddress>,
}

impl Config {
    /// A venue at that broker without a console, which shows everything to everybody at once and publishes nothing.
    pub fn new(brokers: Brokers) -> Config {
        let delays = Delays::default();
        Config {
            brokers,
            accounts: None,
            setup_code: None,
            order_key: None,
            tls: None,
            delays,
            feed: false,
            standings: None,
        }
    }
}
