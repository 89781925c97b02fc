//! Who may do what at the embedded broker: the rules that we give for mosquitto, read from the same file.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use mqtt5::broker::{AuthProvider, AuthResult};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::types::ReasonCode;

use crate::Passwords;

/// The rules, in mosquitto's language; `host/broker/tests/` holds both brokers against them.
const RULES: &str = include_str!("../../../docs/mosquitto/acl");

/// Whose rules a rule is among.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Whose {
    Everybody,
    User(String),
    /// Whoever has logged in; `%u` in the filter is the name.
    Named,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    whose: Whose,
    writes: bool,
    filter: String,
}

fn rules(text: &str) -> Vec<Rule> {
    let mut user = Whose::Everybody;
    let mut rules = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["user", name] => user = Whose::User(name.to_owned()),
            [kind @ ("topic" | "pattern"), access @ ("read" | "write"), filter] => rules.push(Rule {
                whose: if kind == "topic" { user.clone() } else { Whose::Named },
                writes: access == "write",
                filter: filter.to_owned(),
            }),
            _ => {}
        }
    }
    rules
}

/// Whether everything that `wanted` matches is matched by `allowed`.
fn covers(allowed: &str, wanted: &str) -> bool {
    let mut wanted = wanted.split('/');
    for level in allowed.split('/') {
        match (level, wanted.next()) {
            ("#", _) => return true,
            (_, None | Some("#")) => return false,
            ("+", Some(_)) => {}
            (level, Some(wanted)) if level != wanted => return false,
            _ => {}
        }
    }
    wanted.next().is_none()
}

/// Whether a client may call itself that: a broker closes an older connection of the same id, so ids belong to those who
/// have logged in. `NAME:` and anything behind it is NAME's; what has no colon is anybody's who has no name.
fn is_own_id(id: &str, name: Option<&str>) -> bool {
    id.split_once(':').map(|(owner, _)| owner) == name
}

/// The doorkeeper of a broker.
#[derive(Debug)]
pub(crate) struct Door {
    passwords: Passwords,
    rules: Vec<Rule>,
}

impl Door {
    pub(crate) fn new(passwords: Passwords) -> Door {
        Door { passwords, rules: rules(RULES) }
    }

    fn may(&self, name: Option<&str>, writes: bool, wanted: &str) -> bool {
        self.rules.iter().filter(|rule| rule.writes == writes).any(|rule| match (&rule.whose, name) {
            (Whose::Everybody, _) => covers(&rule.filter, wanted),
            (Whose::User(user), Some(name)) => user == name && covers(&rule.filter, wanted),
            // A name with a wildcard or a slash in it would be more than a name.
            (Whose::Named, Some(name)) if !name.contains(['+', '#', '/']) => {
                covers(&rule.filter.replace("%u", name), wanted)
            }
            _ => false,
        })
    }
}

type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl AuthProvider for Door {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        from: SocketAddr,
    ) -> Answer<'a, mqtt5::Result<AuthResult>> {
        let name = connect.username.as_deref();
        if !is_own_id(&connect.client_id, name) {
            tracing::warn!(id = connect.client_id, name, %from, "refused: the client's id begins with another's name");
            return Box::pin(async { Ok(AuthResult::fail(ReasonCode::ClientIdentifierNotValid)) });
        }
        let result = match (name, &connect.password) {
            (None, _) => AuthResult::success(),
            (Some(name), password) if self.passwords.is_right(name, password.as_deref().unwrap_or(b"")) => {
                AuthResult::success_with_user(name)
            }
            (Some(name), _) => {
                tracing::warn!(name, %from, "refused at the embedded broker");
                AuthResult::fail(ReasonCode::BadUsernameOrPassword)
            }
        };
        Box::pin(async { Ok(result) })
    }

    fn authorize_publish<'a>(&'a self, _: &str, name: Option<&'a str>, topic: &'a str) -> Answer<'a, bool> {
        let may = self.may(name, true, topic);
        Box::pin(async move { may })
    }

    fn authorize_subscribe<'a>(
        &'a self,
        _: &str,
        name: Option<&'a str>,
        filter: &'a str,
    ) -> Answer<'a, bool> {
        let may = self.may(name, false, filter);
        Box::pin(async move { may })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: Option<&str>, writes: bool, topic: &str, expected: bool) {
        let door = Door::new(Passwords::default());
        assert_eq!(door.may(name, writes, topic), expected, "{name:?} {writes} {topic}");
    }

    #[test]
    fn boards_write_their_own_topics() {
        for topic in ["status", "record", "answer", "game/g1/snapshot"] {
            check(Some("b1"), true, &format!("luozi/v1/board/b1/{topic}"), true);
            check(Some("b1"), true, &format!("luozi/v1/board/b2/{topic}"), false);
            check(None, true, &format!("luozi/v1/board/b1/{topic}"), false);
        }
        check(Some("b1"), true, "luozi/v1/board/b1/order", false);
        check(Some("b1"), false, "luozi/v1/board/b1/order", true);
        check(Some("b1"), false, "luozi/v1/board/#", false);
        check(Some("+"), false, "luozi/v1/board/b1/order", false);
        check(Some("+"), true, "luozi/v1/board/b1/record", false);
    }

    #[test]
    fn the_public_reads_the_public_feed() {
        check(None, false, "luozi/v1/public/#", true);
        check(None, false, "luozi/v1/public/game/+/result", true);
        for filter in ["#", "luozi/#", "luozi/v1/+/#", "luozi/v1/+/game/g1/result", "$SYS/#", "+/v1/public/#"]
        {
            check(None, false, filter, false);
        }
        check(None, true, "luozi/v1/public/game/g1/result", false);
        check(Some("venue"), true, "luozi/v1/public/game/g1/result", true);
        check(Some("venue"), false, "luozi/v1/board/#", true);
        check(Some("venue"), true, "luozi/v1/board/b1/record", false);
    }

    #[test]
    fn ids_belong_to_names() {
        for (id, name, expected) in [
            ("board-1:board", Some("board-1"), true),
            ("board-1:board", Some("board-2"), false),
            ("board-1:board", None, false),
            ("board-1", Some("board-1"), false),
            ("board-10:board", Some("board-1"), false),
            ("anything", None, true),
        ] {
            assert_eq!(is_own_id(id, name), expected, "{id} {name:?}");
        }
    }
}
