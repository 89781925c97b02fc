//! Logs go to stderr, or to a file where a terminal is in use; `RUST_LOG` chooses them.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// Starts logging to stderr. Without `RUST_LOG` it says what an operator wants to know, and no more.
pub fn start() {
    tracing_subscriber::fmt()
        .with_env_filter(filter())
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .init();
}

/// Starts logging to the end of a file.
pub fn to_file(path: &Path) -> io::Result<()> {
    let file = File::options().create(true).append(true).open(path)?;
    tracing_subscriber::fmt()
        .with_env_filter(filter())
        .with_writer(Mutex::new(file))
        .with_ansi(false)
        .with_target(false)
        .init();
    Ok(())
}

fn filter() -> EnvFilter {
    // The embedded broker speaks of every connection; ours say what an operator needs of them.
    EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,mqtt5=warn"))
}
