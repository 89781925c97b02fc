//! Which broker, and how to log in there: the same options wherever luozi is a client.

use std::path::PathBuf;

use transport::{BrokerUrl, Brokers, Secret, Trust};

use crate::outcome::Failure;

/// Holds the password, where neither URL nor file does.
const PASSWORD: &str = "LUOZI_BROKER_PASSWORD";

/// Which broker, and how to log in there.
#[derive(Debug, clap::Args)]
pub struct BrokerArgs {
    /// The MQTT broker: mqtt://[USER[:PASSWORD]@]HOST[:PORT], mqtts:// for TLS. Given several times, the nodes of one
    /// cluster: when one is lost the next is tried. A password is better kept in a file, or in LUOZI_BROKER_PASSWORD
    #[arg(long, value_name = "URL", global = true)]
    broker: Vec<BrokerUrl>,
    /// Whose certificates are believed over TLS, in PEM [default: those that this machine believes]
    #[arg(long, value_name = "FILE", global = true)]
    broker_ca: Option<PathBuf>,
    /// The certificate that is shown to the broker, in PEM
    #[arg(long, value_name = "FILE", requires = "broker_key", global = true)]
    broker_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM
    #[arg(long, value_name = "FILE", requires = "broker_cert", global = true)]
    broker_key: Option<PathBuf>,
    /// A file whose first line is the user's password at the broker
    #[arg(long, value_name = "FILE", global = true)]
    broker_password_file: Option<PathBuf>,
}

impl BrokerArgs {
    /// Whether a broker is named.
    pub fn is_given(&self) -> bool {
        !self.broker.is_empty()
    }

    /// The brokers that are named, or else the one of `usual`.
    pub fn brokers(&self, usual: &str) -> Result<Brokers, Failure> {
        let mut urls = self.broker.clone();
        if urls.is_empty() {
            urls.push(usual.parse().map_err(Failure::new)?);
        }
        let password = self.password()?;
        for url in urls.iter_mut().filter(|url| url.user.is_some() && url.password.is_none()) {
            url.password.clone_from(&password);
        }
        let trust = urls.iter().any(|url| url.secure).then(|| {
            let own = self.broker_cert.as_deref().zip(self.broker_key.as_deref());
            Trust::read(self.broker_ca.as_deref(), own)
        });
        let trust = trust.transpose().map_err(|why| Failure::new(format_args!("TLS: {why}")))?;
        Brokers::new(urls, trust).map_err(|why| Failure::new(format_args!("--broker: {why}")))
    }

    fn password(&self) -> Result<Option<Secret>, Failure> {
        let Some(path) = &self.broker_password_file else {
            return Ok(std::env::var(PASSWORD).ok().filter(|text| !text.is_empty()).map(Secret::new));
        };
        let failed = |error| Failure::new(format_args!("--broker-password-file {}: {error}", path.display()));
        Secret::read(path).map(Some).map_err(failed)
    }
}
