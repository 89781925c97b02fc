//! What a venue must be told.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::delay::Delays;
use crate::{Certificate, OrderKey, WebAddress};

/// Where the MQTT broker is.
#[derive(Clone, PartialEq, Eq)]
pub struct Broker {
    /// Host name or address.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// User name and password, where the broker asks for them.
    pub credentials: Option<(String, String)>,
}

/// The password does not belong in logs.
impl fmt::Debug for Broker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = self.credentials.as_ref().map(|(user, _)| user);
        f.debug_struct("Broker")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("user", &user)
            .finish()
    }
}

/// Why a text is no broker's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokerError(&'static str);

impl fmt::Display for BrokerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; expected mqtt://[user:password@]host[:port]", self.0)
    }
}

impl std::error::Error for BrokerError {}

impl FromStr for Broker {
    type Err = BrokerError;

    /// Reads `mqtt://[user:password@]host[:port]`; the port is 1883 unless given.
    fn from_str(text: &str) -> Result<Broker, BrokerError> {
        let rest = text.strip_prefix("mqtt://").ok_or(BrokerError("the scheme is not mqtt://"))?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (credentials, address) = match rest.rsplit_once('@') {
            Some((who, address)) => {
                let (user, password) =
                    who.split_once(':').ok_or(BrokerError("a user name without a password"))?;
                (Some((user.to_owned(), password.to_owned())), address)
            }
            None => (None, rest),
        };
        let (host, port) = match address.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| BrokerError("the port is no number from 0 to 65535"))?)
            }
            _ => (address, 1883),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || host.contains('/') {
            return Err(BrokerError("there is no host"));
        }
        Ok(Broker { host: host.to_owned(), port, credentials })
    }
}

/// What a venue must be told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The broker that the boards publish to.
    pub broker: Broker,
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
    pub fn new(broker: Broker) -> Config {
        let delays = Delays::default();
        Config {
            broker,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(&str, u16, Option<&str>), ()>) {
        let found = text.parse::<Broker>();
        match (found, expected) {
            (Ok(broker), Ok((host, port, user))) => {
                assert_eq!((broker.host.as_str(), broker.port), (host, port), "{text}");
                assert_eq!(broker.credentials.as_ref().map(|(user, _)| user.as_str()), user, "{text}");
                assert!(!format!("{broker:?}").contains("secret"), "{text}");
            }
            (Err(_), Err(())) => {}
            (found, expected) => panic!("{text}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn broker_addresses() {
        check("mqtt://127.0.0.1:18830", Ok(("127.0.0.1", 18830, None)));
        check("mqtt://hall", Ok(("hall", 1883, None)));
        check("mqtt://hall/", Ok(("hall", 1883, None)));
        check("mqtt://arbiter:secret@hall:1", Ok(("hall", 1, Some("arbiter"))));
        check("mqtt://[::1]:2", Ok(("::1", 2, None)));
        check("mqtt://[::1]", Ok(("::1", 1883, None)));
        check("hall:1883", Err(()));
        check("http://hall", Err(()));
        check("mqtt://", Err(()));
        check("mqtt://:1883", Err(()));
        check("mqtt://hall:mqtt", Err(()));
        check("mqtt://hall:70000", Err(()));
        check("mqtt://arbiter@hall", Err(()));
    }
}
