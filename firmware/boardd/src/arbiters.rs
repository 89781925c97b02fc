//! Whose orders a board carries out.

use std::collections::BTreeMap;
use std::fmt;

use referee::relay::{OrderBody, PublicKey, Rejection, SignedOrder, is_id};
use referee::{Command, Order};
use serde::Deserialize;

/// The keys that may order something, by name.
///
/// Without any, no order that comes over the wire is carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arbiters(BTreeMap<String, Arbiter>);

/// The owner of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Arbiter {
    name: String,
    public: PublicKey,
    for_others: bool,
}

/// Why a text lists no arbiters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArbitersError(String);

impl fmt::Display for ArbitersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ArbitersError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    arbiter: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: String,
    name: String,
    public: toml::Spanned<String>,
    #[serde(default)]
    for_others: bool,
}

impl Arbiters {
    /// Reads the list: TOML with an `[[arbiter]]` for each key, as `luozi arbiter new-key` prints it.
    ///
    /// # Errors
    ///
    /// When the text is no such list, with the line.
    pub fn parse(text: &str) -> Result<Arbiters, ArbitersError> {
        let line_of = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            ArbitersError(format!("line {line}: {}", error.message()))
        })?;
        let mut arbiters = BTreeMap::new();
        for Entry { key, name, public, for_others } in file.arbiter {
            let line = line_of(public.span().start);
            let bad = |why: String| ArbitersError(format!("line {line}: key {key:?}: {why}"));
            if !is_id(&key) {
                return Err(bad("expected 1 to 64 letters, digits, - _ and .".to_owned()));
            }
            if name.trim().is_empty() {
                return Err(bad("expected the name of its owner".to_owned()));
            }
            let public = public.get_ref().parse().map_err(|error| bad(format!("public: {error}")))?;
            if arbiters.contains_key(&key) {
                return Err(bad("there are two of that name".to_owned()));
            }
            arbiters.insert(key, Arbiter { name, public, for_others });
        }
        Ok(Arbiters(arbiters))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was ordered, if the owner of the key ordered it of `board`.
    ///
    /// # Errors
    ///
    /// Why the order is not listened to.
    pub fn check(&self, board: &str, signed: &SignedOrder) -> Result<OrderBody, Rejection> {
        let arbiter = self.0.get(&signed.key).ok_or(Rejection::UnknownKey)?;
        if !signed.is_signed_by(&arbiter.public) {
            return Err(Rejection::BadSignature);
        }
        let body: OrderBody = serde_json::from_str(&signed.body)
            .or_else(|_| unknown_order(&signed.body))
            .map_err(|_| Rejection::Unreadable)?;
        if !is_id(&body.id) {
            return Err(Rejection::Unreadable);
        }
        if body.board != board {
            return Err(Rejection::OtherBoard);
        }
        if !arbiter.for_others && body.order.name != arbiter.name {
            return Err(Rejection::OtherName);
        }
        Ok(body)
    }
}

/// The longest description of an unknown order that is kept, in characters; what was signed is kept whole.
const KEPT: usize = 200;

/// An order that this version does not know, for the board to refuse and to record.
fn unknown_order(body: &str) -> Result<OrderBody, serde_json::Error> {
    #[derive(Deserialize)]
    struct Body {
        id: String,
        board: String,
        game: String,
        order: Said,
    }
    #[derive(Deserialize)]
    struct Said {
        name: String,
        #[serde(default)]
        reason: String,
        command: String,
        #[serde(flatten)]
        rest: BTreeMap<String, serde_json::Value>,
    }
    let Body { id, board, game, order: Said { name, reason, command, rest } } = serde_json::from_str(body)?;
    let said = rest.iter().fold(command, |said, (key, value)| format!("{said} {key}={value}"));
    let request = said.chars().take(KEPT).collect();
    Ok(OrderBody { id, board, game, order: Order { name, reason, command: Command::Unknown { request } } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::relay::SecretKey;

    fn secret(byte: u8) -> SecretKey {
        SecretKey::from_bytes(&[byte; 32])
    }

    fn arbiters() -> Arbiters {
        let entry = |key: &str, name: &str, secret: &SecretKey, more: &str| {
            format!(
                "[[arbiter]]\nkey = \"{key}\"\nname = \"{name}\"\npublic = \"{}\"\n{more}\n",
                secret.public()
            )
        };
        let list =
            entry("li", "Li", &secret(1), "") + &entry("hall", "hall", &secret(2), "for_others = true");
        Arbiters::parse(&list).expect("a list")
    }

    fn order(board: &str, name: &str) -> String {
        format!(
            r#"{{"id":"o-1","board":"{board}","game":"g","order":{{"name":"{name}","command":"start"}}}}"#
        )
    }

    #[test]
    fn who_is_listened_to() {
        let check = |key: &str, secret: &SecretKey, body: String, expected: Result<&str, Rejection>| {
            let signed = SignedOrder::sign(key, secret, body);
            let found = arbiters().check("b1", &signed).map(|body| body.order.name);
            assert_eq!(found, expected.map(str::to_owned), "{signed:?}");
        };
        check("li", &secret(1), order("b1", "Li"), Ok("Li"));
        check("hall", &secret(2), order("b1", "Wang"), Ok("Wang"));
        check("li", &secret(1), order("b1", "Wang"), Err(Rejection::OtherName));
        check("li", &secret(1), order("b2", "Li"), Err(Rejection::OtherBoard));
        check("li", &secret(2), order("b1", "Li"), Err(Rejection::BadSignature));
        check("wang", &secret(1), order("b1", "Li"), Err(Rejection::UnknownKey));
        check("li", &secret(1), "{}".to_owned(), Err(Rejection::Unreadable));
        check("li", &secret(1), order("b1", "Li").replace("o-1", "o/1"), Err(Rejection::Unreadable));
        check("li", &secret(1), order("b1", "Li").replace("start", "abolish"), Ok("Li"));
        check("li", &secret(1), order("b1", "Wang").replace("start", "abolish"), Err(Rejection::OtherName));
    }

    /// What a person ordered is for the record, whether the board knows it or not.
    #[test]
    fn an_order_that_nobody_knows_reaches_the_board() {
        let check = |command: &str, expected: &str| {
            let body = order("b1", "Li").replace(r#""command":"start""#, command);
            let signed = SignedOrder::sign("li", &secret(1), body);
            let body = arbiters().check("b1", &signed).expect("Li ordered it");
            assert_eq!(body.order.command, Command::Unknown { request: expected.to_owned() });
        };
        check(r#""command":"abolish""#, "abolish");
        check(
            r#""command":"add_foul","side":"red","offence":"9.1.99""#,
            r#"add_foul offence="9.1.99" side="red""#,
        );
        let long = format!(r#""command":"{}""#, "x".repeat(300));
        check(&long, &"x".repeat(KEPT));
    }

    /// Whatever is changed on the way, the order is not listened to.
    #[test]
    fn a_changed_order_is_no_order() {
        let signed = SignedOrder::sign("li", &secret(1), order("b1", "Li"));
        for at in 0..signed.body.len() {
            let mut bytes = signed.body.clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(body) = String::from_utf8(bytes) else { continue };
            let changed = SignedOrder { body, ..signed.clone() };
            assert_eq!(arbiters().check("b1", &changed), Err(Rejection::BadSignature));
        }
        for at in 0..signed.signature.len() {
            let mut digits = signed.signature.clone().into_bytes();
            digits[at] = if digits[at] == b'0' { b'1' } else { b'0' };
            let changed = SignedOrder { signature: String::from_utf8(digits).unwrap(), ..signed.clone() };
            assert_eq!(arbiters().check("b1", &changed), Err(Rejection::BadSignature));
        }
    }

    #[test]
    fn bad_lists_are_refused_with_their_line() {
        let public = secret(1).public();
        let check = |text: &str, expected: &str| {
            let error = Arbiters::parse(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check(
            "[[arbiter]]\nkey = \"li\"\nname = \"Li\"\npublic = \"12\"",
            "line 4: key \"li\": public: expected",
        );
        check(
            "[[arbiter]]\nkey = \"l/i\"\nname = \"Li\"\npublic = \"12\"",
            "line 4: key \"l/i\": expected 1 to 64",
        );
        check(
            "[[arbiter]]\nkey = \"li\"\nname = \" \"\npublic = \"12\"",
            "line 4: key \"li\": expected the name",
        );
        check("\n[[arbiter]]\nkey = 1", "line 3: ");
        check("[[arbiters]]", "line 1: ");
        let twice = format!("[[arbiter]]\nkey = \"li\"\nname = \"Li\"\npublic = \"{public}\"\n").repeat(2);
        check(&twice, "line 8: key \"li\": there are two");
        assert_eq!(Arbiters::parse(""), Ok(Arbiters::default()));
    }
}
