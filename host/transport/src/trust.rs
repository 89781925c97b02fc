//! Whom a client believes, and how it proves who it is.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};

/// The client's end of TLS: whose certificates it believes, and with which it proves who it is.
#[derive(Clone)]
pub struct Trust(pub(crate) Arc<ClientConfig>);

/// The key does not belong in logs.
impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trust")
    }
}

impl Trust {
    /// Reads PEM files: the certificates that are believed (the machine's own where none is given), and the client's
    /// certificate with its key, where the server asks for one.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, holds nothing of the kind, or certificate and key do not belong together; in one line.
    pub fn read(authorities: Option<&Path>, own: Option<(&Path, &Path)>) -> Result<Trust, String> {
        let roots = match authorities {
            Some(path) => roots_in(path)?,
            None => roots_of_machine()?,
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|why| why.to_string())?
            .with_root_certificates(roots);
        let config = match own {
            None => builder.with_no_client_auth(),
            Some((chain, key)) => builder
                .with_client_auth_cert(certificates(chain)?, secret_key(key)?)
                .map_err(|why| format!("{}: {why}", chain.display()))?,
        };
        Ok(Trust(Arc::new(config)))
    }
}

/// The certificates in a PEM file, of which there is at least one.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let all = CertificateDer::pem_file_iter(path)
        .and_then(|all| all.collect::<Result<Vec<_>, _>>())
        .map_err(|why| format!("{}: {why}", path.display()))?;
    if all.is_empty() {
        return Err(format!("{}: there is no certificate in it", path.display()));
    }
    Ok(all)
}

pub(crate) fn secret_key(path: &Path) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_file(path).map_err(|why| format!("{}: {why}", path.display()))
}

pub(crate) fn roots_in(path: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    Ok(roots)
}

fn roots_of_machine() -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err(
            "this machine has no certificates that it believes; name the broker's authority".to_owned()
        );
    }
    Ok(roots)
}
