//! Text of a record, with its bytes where they could not be read.

use std::fmt;

use encoding_rs::{Encoding, UTF_16LE};

/// Text, and the bytes it came from when they are not text in the encoding that was tried.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Text {
    text: Box<str>,
    /// Seldom there, so that it takes no room where it is not.
    raw: Option<Box<Raw>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Raw {
    bytes: Box<[u8]>,
    tried: &'static Encoding,
}

impl Text {
    /// Text that is known.
    pub fn new(text: impl Into<Box<str>>) -> Text {
        Text { text: text.into(), raw: None }
    }

    /// Reads bytes. What is no text in that encoding becomes U+FFFD, and the bytes are kept.
    pub fn decode(bytes: &[u8], encoding: &'static Encoding) -> Text {
        match encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            Some(text) => Text::new(text.into_owned()),
            None => {
                let (text, _) = encoding.decode_without_bom_handling(bytes);
                let raw = Raw { bytes: bytes.into(), tried: encoding };
                Text { text: text.into_owned().into(), raw: Some(Box::new(raw)) }
            }
        }
    }

    /// The text, U+FFFD where bytes could not be read.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes of the record, when they are not text in the encoding that was tried.
    pub fn raw(&self) -> Option<&[u8]> {
        self.raw.as_ref().map(|raw| &*raw.bytes)
    }

    /// The encoding that was tried in vain.
    pub fn tried(&self) -> Option<&'static Encoding> {
        self.raw.as_ref().map(|raw| raw.tried)
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text in an encoding, and how many characters could not be written (`?` or U+FFFD stand for them). Bytes that
    /// could not be read in that encoding go back as they came.
    pub fn encode(&self, encoding: &'static Encoding) -> (Vec<u8>, usize) {
        let unreadable = match &self.raw {
            Some(raw) if raw.tried == encoding => return (raw.bytes.to_vec(), 0),
            Some(_) => self.text.matches('\u{fffd}').count(),
            None => 0,
        };
        if encoding == UTF_16LE {
            // The library encodes for the web, where UTF-16 is never written.
            return (self.text.encode_utf16().flat_map(u16::to_le_bytes).collect(), unreadable);
        }
        let (bytes, _, lacking) = encoding.encode(&self.text);
        if !lacking {
            return (bytes.into_owned(), unreadable);
        }
        let mut bytes = Vec::with_capacity(self.text.len());
        let mut lacks = 0;
        let mut buffer = [0u8; 4];
        for c in self.text.chars() {
            let (one, _, lacking) = encoding.encode(c.encode_utf8(&mut buffer));
            if lacking {
                lacks += 1;
                bytes.push(b'?');
            } else {
                bytes.extend_from_slice(&one);
            }
        }
        (bytes, lacks + unreadable)
    }

    /// The same with lines that end in `\n` alone, as the tree has them.
    #[must_use]
    pub fn with_unix_lines(self) -> Text {
        if self.raw.is_some() || !self.text.contains('\r') {
            return self;
        }
        Text::new(self.text.replace("\r\n", "\n").replace('\r', "\n"))
    }

    /// This text with another on the lines below it.
    pub fn followed_by(&self, below: &Text) -> Text {
        let text = format!("{}\n{}", self.text, below.text).into();
        let raw = match (&self.raw, &below.raw) {
            (None, None) => None,
            (Some(raw), _) | (None, Some(raw)) => {
                let (above, _) = self.encode(raw.tried);
                let (under, _) = below.encode(raw.tried);
                let bytes = [&above[..], b"\n", &under[..]].concat().into();
                Some(Box::new(Raw { bytes, tried: raw.tried }))
            }
        };
        Text { text, raw }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)?;
        match &self.raw {
            Some(raw) => write!(f, " (not {}: {:02x?})", raw.tried.name(), raw.bytes),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new(text)
    }
}
