//! Who is signed in. Sessions live in memory: when the venue starts again, people sign in again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use referee::Digest;

use super::Role;

/// How long a session lasts: a day of play.
pub(crate) const LASTS: Duration = Duration::from_secs(12 * 60 * 60);
/// Sessions that may be open; when there are more, the oldest ends.
const MOST: usize = 256;

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub name: String,
    pub role: Role,
    /// What every request that changes something must repeat; another site cannot know it.
    pub csrf: String,
    ends: Instant,
}

/// The open sessions, by the digest of their secret: whoever reads this memory cannot sign in with it.
#[derive(Debug, Default)]
pub(crate) struct Sessions(BTreeMap<[u8; 32], Session>);

/// Thirty-two random bytes as text. The system's random source failing is the end of safety, so nothing goes on then.
pub(crate) fn secret() -> String {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).expect("the system has randomness");
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl Sessions {
    /// Opens a session; its secret goes to the browser as a cookie.
    pub(crate) fn open(&mut self, name: &str, role: Role, now: Instant) -> (String, Session) {
        self.0.retain(|_, session| session.ends > now);
        if self.0.len() >= MOST
            && let Some(oldest) = self.0.iter().min_by_key(|(_, session)| session.ends).map(|(key, _)| *key)
        {
            self.0.remove(&oldest);
        }
        let secret = secret();
        let session = Session { name: name.to_owned(), role, csrf: self::secret(), ends: now + LASTS };
        self.0.insert(key(&secret), session.clone());
        (secret, session)
    }

    /// The session of a secret, while it lasts.
    pub(crate) fn get(&self, secret: &str, now: Instant) -> Option<Session> {
        self.0.get(&key(secret)).filter(|session| session.ends > now).cloned()
    }

    /// Ends a session.
    pub(crate) fn close(&mut self, secret: &str) {
        self.0.remove(&key(secret));
    }
}

fn key(secret: &str) -> [u8; 32] {
    *Digest::of(secret.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_lasts_and_ends() {
        let (mut sessions, start) = (Sessions::default(), Instant::now());
        let (secret, session) = sessions.open("甲", Role::TableArbiter, start);
        assert_ne!(secret, session.csrf);
        assert_eq!(sessions.get(&secret, start).unwrap().name, "甲");
        assert!(sessions.get(&session.csrf, start).is_none());
        assert!(sessions.get(&secret, start + LASTS).is_none());
        sessions.close(&secret);
        assert!(sessions.get(&secret, start).is_none());
    }

    #[test]
    fn the_oldest_session_makes_room() {
        let (mut sessions, start) = (Sessions::default(), Instant::now());
        let (first, _) = sessions.open("first", Role::TableArbiter, start);
        let (last, _) = (0..MOST)
            .map(|_| sessions.open("more", Role::TableArbiter, start + Duration::from_secs(1)))
            .last()
            .unwrap();
        assert!(sessions.get(&first, start).is_none());
        assert!(sessions.get(&last, start).is_some());
    }
}
