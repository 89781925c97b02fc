//! The server's end of TLS.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::server::WebPkiClientVerifier;

use crate::trust::{certificates, roots_in, secret_key};

/// A server's certificate and its key, and whether its clients must show certificates of their own.
#[derive(Clone)]
pub struct Certificate(pub(crate) Arc<ServerConfig>);

/// The key does not belong in logs.
impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Certificate")
    }
}

impl Certificate {
    /// Reads PEM files: the certificate with those that vouch for it, and its private key. Anybody may connect.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, holds nothing of the kind, or the two do not belong together; in one line.
    pub fn read(chain: &Path, key: &Path) -> Result<Certificate, String> {
        Certificate::asking(chain, key, None)
    }

    /// As [`read`](Certificate::read); with `clients` only who shows a certificate that one of those vouches for.
    ///
    /// # Errors
    ///
    /// As of [`read`](Certificate::read).
    pub fn asking(chain: &Path, key: &Path, clients: Option<&Path>) -> Result<Certificate, String> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|why| why.to_string())?;
        let builder = match clients {
            None => builder.with_no_client_auth(),
            Some(path) => {
                let roots = Arc::new(roots_in(path)?);
                let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build();
                builder
                    .with_client_cert_verifier(verifier.map_err(|why| format!("{}: {why}", path.display()))?)
            }
        };
        let config = builder
            .with_single_cert(certificates(chain)?, secret_key(key)?)
            .map_err(|why| format!("{}: {why}", chain.display()))?;
        Ok(Certificate(Arc::new(config)))
    }
}
