//! The built pages, inside the binary.

use rust_embed::RustEmbed;

/// What `make pages` built. It may be missing, so that Rust alone can be built and tested without Node.js.
#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
pub(crate) struct WebFiles;
