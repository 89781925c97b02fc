//! A broker's address as people write it.

use std::fmt;
use std::str::FromStr;

use crate::Secret;

/// Where a broker is, and who logs in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerUrl {
    /// Host name or address.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// Whether it is spoken to over TLS.
    pub secure: bool,
    /// User name, where the broker asks for one.
    pub user: Option<String>,
    /// The user's password.
    pub password: Option<Secret>,
}

impl BrokerUrl {
    /// A broker that asks for no name, in clear.
    pub fn new(host: &str, port: u16) -> BrokerUrl {
        BrokerUrl { host: host.to_owned(), port, secure: false, user: None, password: None }
    }
}

/// Without the login.
impl fmt::Display for BrokerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secure { "mqtts" } else { "mqtt" };
        match self.host.contains(':') {
            true => write!(f, "{scheme}://[{}]:{}", self.host, self.port),
            false => write!(f, "{scheme}://{}:{}", self.host, self.port),
        }
    }
}

/// Why a text is no broker's address. The text is not quoted, because it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokerUrlError(&'static str);

impl fmt::Display for BrokerUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; expected mqtt://[USER[:PASSWORD]@]HOST[:PORT], or mqtts:// for TLS", self.0)
    }
}

impl std::error::Error for BrokerUrlError {}

impl FromStr for BrokerUrl {
    type Err = BrokerUrlError;

    /// Reads `mqtt://[USER[:PASSWORD]@]HOST[:PORT]`, or `mqtts://` for TLS; the port is 1883 or 8883 unless given.
    fn from_str(text: &str) -> Result<BrokerUrl, BrokerUrlError> {
        let (secure, rest) = match (text.strip_prefix("mqtt://"), text.strip_prefix("mqtts://")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return Err(BrokerUrlError("the scheme is neither mqtt:// nor mqtts://")),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (login, address) =
            rest.rsplit_once('@').map_or((None, rest), |(login, address)| (Some(login), address));
        let (user, password) = match login.map(|login| login.split_once(':').unwrap_or((login, ""))) {
            Some(("", _)) => return Err(BrokerUrlError("the user name is empty")),
            Some((user, password)) => (Some(user), Some(password).filter(|password| !password.is_empty())),
            None => (None, None),
        };
        let (host, port) = match address.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| BrokerUrlError("the port is no number from 0 to 65535"))?)
            }
            _ => (address, if secure { 8883 } else { 1883 }),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || host.contains('/') {
            return Err(BrokerUrlError("there is no host"));
        }
        let (user, password) = (user.map(str::to_owned), password.map(Secret::new));
        Ok(BrokerUrl { host: host.to_owned(), port, secure, user, password })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` is where it leads, the user and the password.
    #[track_caller]
    fn check(text: &str, expected: Option<[&str; 3]>) {
        let found = text.parse::<BrokerUrl>().ok();
        assert!(!format!("{found:?}").contains("secret"), "{text}");
        let found = found.map(|url| {
            let password = url.password.as_ref().map_or("", Secret::reveal).to_owned();
            [url.to_string(), url.user.unwrap_or_default(), password]
        });
        assert_eq!(found, expected.map(|parts| parts.map(str::to_owned)), "{text}");
    }

    #[test]
    fn addresses_are_read_and_told_without_their_login() {
        check("mqtt://127.0.0.1:18830", Some(["mqtt://127.0.0.1:18830", "", ""]));
        check("mqtt://hall", Some(["mqtt://hall:1883", "", ""]));
        check("mqtts://hall/", Some(["mqtts://hall:8883", "", ""]));
        check("mqtt://li:secret@hall:1", Some(["mqtt://hall:1", "li", "secret"]));
        check("mqtts://li:secret:@:@hall", Some(["mqtts://hall:8883", "li", "secret:@:"]));
        check("mqtts://board-1@hall", Some(["mqtts://hall:8883", "board-1", ""]));
        check("mqtt://[::1]:2", Some(["mqtt://[::1]:2", "", ""]));
        check("mqtts://[::1]", Some(["mqtts://[::1]:8883", "", ""]));
        for nonsense in
            ["hall:1883", "http://hall", "mqtt://", "mqtt://:1883", "mqtt://hall:mqtt", "mqtt://hall:70000"]
        {
            check(nonsense, None);
        }
        check("mqtt://@hall", None);
        check("mqtt://:secret@hall", None);
    }
}
