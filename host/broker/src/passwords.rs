//! Who may log in to the embedded broker: names with sums of passwords, in the format of mosquitto's password files.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use base64::prelude::{BASE64_STANDARD, Engine};
use ring::pbkdf2;
use ring::rand::{SecureRandom, SystemRandom};

const ALGORITHM: pbkdf2::Algorithm = pbkdf2::PBKDF2_HMAC_SHA512;
/// What mosquitto calls a sum of that kind.
const KIND: &str = "$7$";
/// How slow our own sums are: about a millisecond, because a hall of boards comes back at once when its broker does. It is ten
/// times what `mosquitto_passwd` takes; what makes a password safe is that it was drawn and not thought of.
const ITERATIONS: NonZeroU32 = NonZeroU32::new(1_000).expect("not zero");
const SALT_BYTES: usize = 16;
const SUM_BYTES: usize = 64;

/// The passwords of those who may log in, by name. A board's name is its id.
#[derive(Clone, Default)]
pub struct Passwords(BTreeMap<String, Vec<Kept>>);

#[derive(Clone)]
enum Kept {
    Clear(String),
    Sum { iterations: NonZeroU32, salt: Vec<u8>, sum: Vec<u8> },
}

/// Passwords do not belong in logs.
impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Passwords").field(&self.0.keys()).finish()
    }
}

/// A line is not what it should be. It is not quoted, because it may be a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordsError {
    /// Which line, from 1.
    pub line: usize,
}

impl fmt::Display for PasswordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: expected NAME:SUM, as `luozi broker-password` or mosquitto_passwd writes it, or NAME:PASSWORD",
            self.line
        )
    }
}

impl std::error::Error for PasswordsError {}

impl FromStr for Passwords {
    type Err = PasswordsError;

    /// Reads lines of `name:$7$iterations$salt$sum`, or of `name:password` in the clear; of two lines with one name the later
    /// counts. Empty lines and lines that begin with `#` are skipped.
    fn from_str(text: &str) -> Result<Passwords, PasswordsError> {
        let mut all = BTreeMap::new();
        for (line, entry) in (1..).zip(text.lines().map(str::trim)) {
            if entry.is_empty() || entry.starts_with('#') {
                continue;
            }
            let read = entry.split_once(':').filter(|(name, _)| is_name(name));
            let read = read.and_then(|(name, password)| Some((name, Kept::read(password)?)));
            let (name, kept) = read.ok_or(PasswordsError { line })?;
            all.insert(name.to_owned(), vec![kept]);
        }
        Ok(Passwords(all))
    }
}

impl Passwords {
    /// Lets `name` in with that password, too.
    pub fn add(&mut self, name: &str, password: &str) {
        self.0.entry(name.to_owned()).or_default().push(Kept::Clear(password.to_owned()));
    }

    /// The names whose passwords stand there in the clear.
    pub fn in_clear(&self) -> impl Iterator<Item = &str> {
        let clear = |kept: &Kept| matches!(kept, Kept::Clear(_));
        self.0.iter().filter(move |(_, kept)| kept.iter().any(clear)).map(|(name, _)| name.as_str())
    }

    /// Whether that is a password of that name.
    pub(crate) fn is_right(&self, name: &str, password: &[u8]) -> bool {
        self.0.get(name).is_some_and(|all| all.iter().any(|kept| kept.is(password)))
    }

    /// A line of a password file, with a new salt; `None` where a file cannot hold that name or password, or the system has no
    /// random bytes.
    pub fn line(name: &str, password: &str) -> Option<String> {
        if !is_name(name) || password.is_empty() || password.chars().any(char::is_control) {
            return None;
        }
        let mut salt = [0; SALT_BYTES];
        SystemRandom::new().fill(&mut salt).ok()?;
        let mut sum = [0; SUM_BYTES];
        pbkdf2::derive(ALGORITHM, ITERATIONS, &salt, password.as_bytes(), &mut sum);
        let [salt, sum] = [BASE64_STANDARD.encode(salt), BASE64_STANDARD.encode(sum)];
        Some(format!("{name}:{KIND}{ITERATIONS}${salt}${sum}"))
    }
}

/// Whether a name can stand in such a file.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('#')
        && !name.contains(|c: char| c == ':' || c.is_control() || c.is_whitespace())
}

impl Kept {
    /// What begins like a sum and is none is no password either: it would be one that nobody meant.
    fn read(text: &str) -> Option<Kept> {
        let Some(sum) = text.strip_prefix(KIND) else {
            return (!text.is_empty()).then(|| Kept::Clear(text.to_owned()));
        };
        let mut parts = sum.split('$');
        let iterations = parts.next()?.parse().ok()?;
        let mut bytes = || BASE64_STANDARD.decode(parts.next()?).ok();
        let (salt, sum) = (bytes()?, bytes()?);
        (parts.next().is_none() && sum.len() == SUM_BYTES).then_some(Kept::Sum { iterations, salt, sum })
    }

    fn is(&self, password: &[u8]) -> bool {
        match self {
            // As long for a wrong first letter as for a wrong last one.
            Kept::Clear(known) => {
                let differs = known.bytes().zip(password).fold(0, |differs, (a, b)| differs | (a ^ b));
                known.len() == password.len() && differs == 0
            }
            Kept::Sum { iterations, salt, sum } => {
                pbkdf2::verify(ALGORITHM, *iterations, salt, password, sum).is_ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By mosquitto_passwd 2.0.11: `b1` with `secret`.
    const BY_MOSQUITTO: &str = "b1:$7$101$ahgElkaciNGg8cXo$IVLDKVpANGE7jj1iPZFcnf7/iWZbP8utHMGEXCIFOVP5Z4LMLEGlIlhNkLSG4aMQGiSSwjSuiliW1OBIXRXaVA==";

    fn check(text: &str, name: &str, password: &str, expected: bool) {
        let passwords: Passwords = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(passwords.is_right(name, password.as_bytes()), expected, "{text}: {name} {password}");
    }

    #[test]
    fn who_is_let_in() {
        let clear = "# hall\nb1:one:two\n\nvenue:secret\n";
        check(clear, "b1", "one:two", true);
        for (name, password) in [("b1", ""), ("b1", "one"), ("b1", "one:twoo"), ("b2", "one:two"), ("", "")] {
            check(clear, name, password, false);
        }
        check(BY_MOSQUITTO, "b1", "secret", true);
        let sum = BY_MOSQUITTO.split_once(':').unwrap().1;
        for (name, password) in [("b1", "Secret"), ("b1", ""), ("b2", "secret"), ("b1", sum)] {
            check(BY_MOSQUITTO, name, password, false);
        }
        let ours = Passwords::line("board-2", "落子 无悔").unwrap();
        assert!(!ours.contains('落') && ours.starts_with("board-2:$7$1000$"), "{ours}");
        check(&ours, "board-2", "落子 无悔", true);
        check(&ours, "board-2", "落子无悔", false);
        assert_ne!(Passwords::line("board-2", "落子 无悔").unwrap(), ours, "each has a salt of its own");
        check(&format!("b1:old\n{BY_MOSQUITTO}"), "b1", "old", false);
    }

    #[test]
    fn one_more_password_is_added() {
        let mut passwords: Passwords = BY_MOSQUITTO.parse().unwrap();
        assert_eq!(passwords.in_clear().count(), 0);
        passwords.add("b1", "other");
        assert!(passwords.is_right("b1", b"other") && passwords.is_right("b1", b"secret"));
        assert_eq!(passwords.in_clear().collect::<Vec<_>>(), ["b1"]);
        let told = format!("{passwords:?}");
        assert!(told.contains("b1") && !told.contains("other") && !told.contains("ahgE"), "{told}");
    }

    #[test]
    fn bad_lines_are_named() {
        for bad in [
            "b2",
            "b2:",
            ":x",
            "b 2:x",
            "b2:$7$",
            "b2:$7$0$YWE=$YWE=",
            "b2:$7$101$YWE=$YWE=",
            "b2:$7$101$YWE=$?",
            "b2:$7$x$YWE=$YWE=",
            &BY_MOSQUITTO[..80],
            &format!("{BY_MOSQUITTO}$"),
        ] {
            let error = format!("b1:x\n{bad}\n").parse::<Passwords>().unwrap_err();
            assert_eq!(error, PasswordsError { line: 2 }, "{bad}");
        }
        for (name, password) in [("", "x"), ("a:b", "x"), ("#a", "x"), ("a b", "x"), ("a", ""), ("a", "x\ny")]
        {
            assert_eq!(Passwords::line(name, password), None, "{name:?} {password:?}");
        }
    }
}
