//! Being asked to stop: Ctrl-C, or SIGTERM from a service manager.

use tokio::signal::unix::{SignalKind, signal};

use crate::outcome::Failure;

/// Completes when the process is asked to stop. A second request ends it at once.
pub async fn requested() -> Result<(), Failure> {
    let failed = |error| Failure::new(format_args!("signals: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping");
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        std::process::exit(130);
    });
    Ok(())
}
