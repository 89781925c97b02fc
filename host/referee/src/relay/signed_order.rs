//! An arbiter's order as it travels to a board: the order, for which game at which board, and who vouches for it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::Order;
use crate::line::{Hex, from_hex};

/// What is signed begins with this, so that a signature made for anything else is none for an order.
const PURPOSE: &[u8] = b"luozi-order-v1\n";

/// What is signed: one order for one game at one board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderBody {
    /// Names the order, see [`is_id`](super::is_id): an order that comes twice is carried out once.
    pub id: String,
    /// The board that it is for.
    pub board: String,
    /// The game that it is for. An order that comes when its game has been followed by another is refused.
    pub game: String,
    /// The order.
    pub order: Order,
}

/// An order as it travels, and as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedOrder {
    /// The version of this format.
    pub v: u32,
    /// Names the key that signed it.
    pub key: String,
    /// An [`OrderBody`] as JSON. It is a text, because the signature is over its very bytes.
    pub body: String,
    /// The Ed25519 signature of `luozi-order-v1`, a line feed, and the body; 128 hexadecimal digits.
    pub signature: String,
}

impl SignedOrder {
    /// The version of this format.
    pub const VERSION: u32 = 1;

    /// The longest payload that a board reads, in bytes.
    pub const MOST_BYTES: usize = 16 * 1024;

    /// Signs a body with the key of that name.
    pub fn sign(key: &str, secret: &SecretKey, body: String) -> SignedOrder {
        let signature = secret.sign(&signed_bytes(&body));
        SignedOrder { v: SignedOrder::VERSION, key: key.into(), body, signature }
    }

    /// Whether the owner of `public` signed this body.
    pub fn is_signed_by(&self, public: &PublicKey) -> bool {
        public.has_signed(&signed_bytes(&self.body), &self.signature)
    }
}

fn signed_bytes(body: &str) -> Vec<u8> {
    [PURPOSE, body.as_bytes()].concat()
}

/// The secret half of an arbiter's key.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// The key made of 32 random bytes.
    pub fn from_bytes(bytes: &[u8; 32]) -> SecretKey {
        SecretKey(SigningKey::from_bytes(bytes))
    }

    /// The half that boards know.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The Ed25519 signature of those bytes, as 128 hexadecimal digits. They begin with what they are for.
    pub(crate) fn sign(&self, bytes: &[u8]) -> String {
        alloc::format!("{}", Hex(&self.0.sign(bytes).to_bytes()))
    }

    /// The key as 64 hexadecimal digits, for the file that keeps it.
    pub fn reveal(&self) -> String {
        alloc::format!("{}", Hex(self.0.as_bytes()))
    }
}

/// A secret does not belong in logs.
impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SecretKey").finish_non_exhaustive()
    }
}

/// The public half of an arbiter's key; as text 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Whether the owner of this key signed those bytes.
    pub(crate) fn has_signed(&self, bytes: &[u8], signature: &str) -> bool {
        let signature = from_hex::<64>(signature).map(|bytes| Signature::from_bytes(&bytes));
        signature.is_some_and(|signature| self.0.verify_strict(bytes, &signature).is_ok())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(self.0.as_bytes()).fmt(f)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseKeyError;

impl fmt::Display for ParseKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an Ed25519 key as 64 lower-case hexadecimal digits")
    }
}

impl core::error::Error for ParseKeyError {}

impl FromStr for PublicKey {
    type Err = ParseKeyError;
    fn from_str(text: &str) -> Result<PublicKey, ParseKeyError> {
        let bytes = from_hex::<32>(text).ok_or(ParseKeyError)?;
        VerifyingKey::from_bytes(&bytes).map(PublicKey).map_err(|_| ParseKeyError)
    }
}

impl FromStr for SecretKey {
    type Err = ParseKeyError;
    fn from_str(text: &str) -> Result<SecretKey, ParseKeyError> {
        from_hex::<32>(text).map(|bytes| SecretKey::from_bytes(&bytes)).ok_or(ParseKeyError)
    }
}
