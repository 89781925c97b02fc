//! The brokers of a hall, and which of them to go to.

use std::fmt;
use std::time::Duration;

use rumqttc::{AsyncClient, ConnectionError, Event, MqttOptions, Packet, TlsConfiguration, Transport};
use tokio::time::{Instant, timeout};

use crate::{BrokerUrl, Secret, Trust};

/// Silence after which a client asks whether the broker is there, and half the time after which the broker says that the
/// client is not.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// The largest packet, in bytes. A larger one ends the connection of whoever sends it to the embedded broker, and of a client of
/// ours that is sent it.
pub const MAX_PACKET: usize = 256 * 1024;
/// The largest payload that is published, in bytes: a packet of it, with any topic of ours, stays below the largest. A snapshot
/// of two thousand plies fits.
pub const MAX_PAYLOAD: usize = 250_000;
const FIRST_RETRY: Duration = Duration::from_millis(200);
const LAST_RETRY: Duration = Duration::from_secs(3);
/// A connection that has lasted so long was a good one. Two clients that take one id from each other wait no longer than
/// [`LAST_RETRY`], so theirs never are.
pub const STEADY: Duration = Duration::from_secs(10);
/// So many connections one after the other that were not good are no accident.
const STRUGGLE: u32 = 3;
/// How long a broker may take to answer at start-up.
const PATIENCE: Duration = Duration::from_secs(5);

/// One broker, or the nodes of one cluster; and which of them is the one to go to now.
#[derive(Clone, Debug)]
pub struct Brokers {
    urls: Vec<BrokerUrl>,
    trust: Option<Trust>,
    turn: usize,
    /// Attempts since the last connection, and the connections before it that did not last.
    failures: u32,
    /// Since when there is a connection.
    since: Option<Instant>,
    /// Connections in a row that did not last.
    short: u32,
}

impl Brokers {
    /// The nodes of a cluster, of which the first is tried first.
    ///
    /// # Errors
    ///
    /// When there is none, or one is to be spoken to over TLS and nobody said whom to believe.
    pub fn new(urls: Vec<BrokerUrl>, trust: Option<Trust>) -> Result<Brokers, String> {
        if urls.is_empty() {
            return Err("expected the address of a broker".to_owned());
        }
        if let Some(url) = urls.iter().find(|url| url.secure && trust.is_none()) {
            return Err(format!("{url}: expected certificates to believe"));
        }
        Ok(Brokers { urls, trust, turn: 0, failures: 0, since: None, short: 0 })
    }

    /// One broker that asks for no name, in clear.
    pub fn plain(host: &str, port: u16) -> Brokers {
        let urls = vec![BrokerUrl::new(host, port)];
        Brokers { urls, trust: None, turn: 0, failures: 0, since: None, short: 0 }
    }

    /// The same with a login, for each that names none.
    pub fn with_login(mut self, user: &str, password: Secret) -> Brokers {
        for url in self.urls.iter_mut().filter(|url| url.user.is_none()) {
            (url.user, url.password) = (Some(user.to_owned()), Some(password.clone()));
        }
        self
    }

    /// The one to go to now.
    pub fn current(&self) -> &BrokerUrl {
        &self.urls[self.turn % self.urls.len()]
    }

    /// There is a connection.
    pub fn connected(&mut self) {
        self.connected_at(Instant::now());
    }

    fn connected_at(&mut self, now: Instant) {
        self.since = Some(now);
        self.failures = self.short;
    }

    /// The current one is lost or does not answer: go to the next, after so long. All are tried at once; then longer and
    /// longer is waited between rounds, and after connections that did not last, too.
    pub fn lost(&mut self) -> Duration {
        self.lost_at(Instant::now())
    }

    fn lost_at(&mut self, now: Instant) -> Duration {
        if let Some(since) = self.since.take() {
            if now.duration_since(since) >= STEADY {
                (self.short, self.failures) = (0, 0);
            } else {
                self.short = self.short.saturating_add(1);
            }
        }
        self.turn = (self.turn + 1) % self.urls.len();
        self.failures = self.failures.saturating_add(1);
        let nodes = u32::try_from(self.urls.len()).unwrap_or(u32::MAX);
        if !self.failures.is_multiple_of(nodes) {
            return Duration::ZERO;
        }
        let rounds = (self.failures / nodes - 1).min(8);
        (FIRST_RETRY * 2_u32.pow(rounds)).min(LAST_RETRY)
    }

    /// Whether each of the last connections was lost soon after it was made. A broker that gives the id of a client to
    /// another one closes the older connection and, in MQTT 3.1.1, does not say why; this is how it shows.
    pub fn is_struggling(&self) -> bool {
        self.short >= STRUGGLE
    }

    /// How a client of ours connects to the current one. `name` tells it from the other clients of its user; the embedded
    /// broker lets nobody use an id that begins with another's name.
    ///
    /// Sessions are clean: our own state is in journals, and a client that starts again must not depend on what a broker
    /// remembers of the one before.
    pub fn options(&self, name: &str) -> MqttOptions {
        let BrokerUrl { host, port, secure, user, password } = self.current();
        let id = match user {
            Some(user) => format!("{user}:{name}"),
            None => format!("luozi-{name}"),
        };
        let mut options = MqttOptions::new(id, host, *port);
        options.set_keep_alive(KEEP_ALIVE);
        options.set_clean_session(true);
        options.set_max_packet_size(MAX_PACKET, MAX_PACKET);
        if let (true, Some(Trust(config))) = (secure, &self.trust) {
            options.set_transport(Transport::tls_with_config(TlsConfiguration::Rustls(config.clone())));
        }
        if let Some(user) = user {
            options.set_credentials(user, password.as_ref().map_or("", Secret::reveal));
        }
        options
    }
}

/// The current one, without its login.
impl fmt::Display for Brokers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.current().fmt(f)
    }
}

/// Asks the brokers whether one of them would take us: at start-up, so that a wrong address or password is said at once.
///
/// # Errors
///
/// When none takes us: what each said, in one line.
pub async fn probe(brokers: &Brokers, name: &str) -> Result<(), String> {
    let mut brokers = brokers.clone();
    let mut said = Vec::new();
    for _ in 0..brokers.urls.len() {
        match ask(brokers.options(name)).await {
            Ok(()) => return Ok(()),
            Err(why) => said.push(format!("{}: {why}", brokers.current())),
        }
        brokers.lost();
    }
    Err(said.join("; "))
}

async fn ask(options: MqttOptions) -> Result<(), String> {
    let (client, mut events) = AsyncClient::new(options, 1);
    let asked = async {
        loop {
            match events.poll().await {
                Ok(Event::Incoming(Packet::ConnAck(_))) => return Ok(()),
                Ok(_) => {}
                Err(ConnectionError::ConnectionRefused(code)) => {
                    return Err(format!("it refuses us: {code:?}"));
                }
                Err(error) => return Err(error.to_string()),
            }
        }
    };
    let answer = timeout(PATIENCE, asked).await.unwrap_or(Err("no answer".to_owned()));
    // Said for courtesy; the connection is closed either way.
    let _ = client.try_disconnect();
    let _ = timeout(Duration::from_millis(200), events.poll()).await;
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_tried_before_anybody_waits() {
        let urls = ["a", "b", "c"].map(|host| BrokerUrl::new(host, 1));
        let mut brokers = Brokers::new(urls.to_vec(), None).unwrap();
        let mut tried = Vec::new();
        for _ in 0..9 {
            tried.push((brokers.current().host.clone(), brokers.lost().as_millis()));
        }
        let expected = [0, 0, 200, 0, 0, 400, 0, 0, 800];
        let hosts = ["a", "b", "c"].iter().cycle();
        assert_eq!(tried, hosts.zip(expected).map(|(host, ms)| ((*host).to_owned(), ms)).collect::<Vec<_>>());
        for _ in 0..90 {
            assert!(brokers.lost() <= LAST_RETRY);
        }
        brokers.connected();
        assert_eq!(brokers.lost(), Duration::ZERO);
    }

    #[test]
    fn connections_that_do_not_last_are_made_less_and_less_often() {
        let check = |lasted: &[u64], pauses: &[u128], struggles: bool| {
            let mut brokers = Brokers::plain("hall", 1);
            let mut now = Instant::now();
            let mut waited = Vec::new();
            for seconds in lasted {
                brokers.connected_at(now);
                now += Duration::from_secs(*seconds);
                waited.push(brokers.lost_at(now).as_millis());
            }
            assert_eq!((waited.as_slice(), brokers.is_struggling()), (pauses, struggles), "{lasted:?}");
        };
        check(&[0, 1], &[200, 400], false);
        check(&[0, 1, 2, 3, 3, 3], &[200, 400, 800, 1600, 3000, 3000], true);
        check(&[0, 0, 0, 10], &[200, 400, 800, 200], false);
        check(&[60, 60, 60], &[200, 200, 200], false);
        check(&[0, 0, 60, 0, 0], &[200, 400, 200, 200, 400], false);
    }

    #[test]
    fn a_client_has_its_users_name_in_its_id() {
        let named = Brokers::plain("hall", 1).with_login("board-1", Secret::new("x"));
        assert_eq!(named.options("board").client_id(), "board-1:board");
        assert_eq!(Brokers::plain("hall", 1).options("board-board-1").client_id(), "luozi-board-board-1");
    }

    #[test]
    fn tls_needs_somebody_to_believe() {
        let url: BrokerUrl = "mqtts://hall".parse().unwrap();
        assert!(Brokers::new(vec![url], None).is_err());
        assert!(Brokers::new(Vec::new(), None).is_err());
    }
}
