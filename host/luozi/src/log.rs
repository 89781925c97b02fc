//! Logs go to stderr; `RUST_LOG` chooses them.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// Starts logging. Without `RUST_LOG` it says what an operator wants to know, and no more.
pub fn start() {
    // The embedded broker speaks of every connection; ours say what an operator needs of them.
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,mqtt5=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .init();
}
