//! The key with which somebody gives orders to boards, and the file that keeps it.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use referee::relay::{SecretKey, is_id};
use serde::Deserialize;

/// A key that boards know: an arbiter's own, or a hall server's, which gives orders in the names of those who are logged in.
#[derive(Clone, Debug)]
pub struct OrderKey {
    /// What boards know the key by.
    pub key: String,
    /// Whose it is. A board takes orders in this name only, unless its list says that the key is `for_others`.
    pub name: String,
    /// The secret half.
    pub secret: SecretKey,
}

/// Why there is no key.
#[derive(Debug)]
pub enum OrderKeyError {
    /// The file cannot be read or written.
    File(io::Error),
    /// The text is no key.
    Text(String),
    /// The system gave no random bytes.
    Random,
}

impl fmt::Display for OrderKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderKeyError::File(error) => error.fmt(f),
            OrderKeyError::Text(why) => f.write_str(why),
            OrderKeyError::Random => f.write_str("the system gives no random bytes"),
        }
    }
}

impl std::error::Error for OrderKeyError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    key: String,
    name: String,
    secret: String,
}

impl OrderKey {
    /// Makes a new key.
    ///
    /// # Errors
    ///
    /// When the key's id or its owner's name is none, or the system gives no random bytes.
    pub fn generate(key: &str, name: &str) -> Result<OrderKey, OrderKeyError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| OrderKeyError::Random)?;
        OrderKey::checked(key, name, SecretKey::from_bytes(&bytes))
    }

    fn checked(key: &str, name: &str, secret: SecretKey) -> Result<OrderKey, OrderKeyError> {
        if !is_id(key) {
            return Err(OrderKeyError::Text(format!(
                "key {key:?}: expected 1 to 64 letters, digits, - _ and ."
            )));
        }
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Err(OrderKeyError::Text(format!("name {name:?}: expected the name of the key's owner")));
        }
        Ok(OrderKey { key: key.to_owned(), name: name.to_owned(), secret })
    }

    /// Reads what [`save`](OrderKey::save) wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or holds no key. No error says anything of the secret.
    pub fn read(path: &Path) -> Result<OrderKey, OrderKeyError> {
        let text = std::fs::read_to_string(path).map_err(OrderKeyError::File)?;
        let file: File = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            // The parser's message may quote the line, and the line may be the secret.
            OrderKeyError::Text(format!(
                "line {line}: expected key, name and secret, as luozi arbiter new-key writes them"
            ))
        })?;
        let secret = file.secret.parse().map_err(|error| OrderKeyError::Text(format!("secret: {error}")))?;
        OrderKey::checked(&file.key, &file.name, secret)
    }

    /// Writes the key to a new file that only its owner can read.
    ///
    /// # Errors
    ///
    /// When there is such a file already, or it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), OrderKeyError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let OrderKey { key, name, secret } = self;
        let text = format!(
            "key = {}\nname = {}\nsecret = {}\n",
            quoted(key),
            quoted(name),
            quoted(&secret.reveal())
        );
        let written = options.open(path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(OrderKeyError::File)
    }

    /// The entry by which boards know the key, for their list of arbiters.
    pub fn entry(&self, for_others: bool) -> String {
        let OrderKey { key, name, secret } = self;
        let for_others = if for_others { "for_others = true\n" } else { "" };
        let (key, name, public) = (quoted(key), quoted(name), quoted(&secret.public().to_string()));
        format!("[[arbiter]]\nkey = {key}\nname = {name}\npublic = {public}\n{for_others}")
    }
}

/// A text as TOML writes it, which is as JSON does where nothing is left to be escaped but `"` and `\`.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
