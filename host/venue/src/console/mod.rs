//! Who may see what only arbiters see: accounts, sign-in and sessions.

mod accounts;
mod attempts;
mod powers;
mod sessions;

pub(crate) use accounts::{Accounts, AddError, NewAccount, matches, sum};
pub use accounts::{AccountsError, Role};
pub(crate) use attempts::Attempts;
pub(crate) use powers::{NotAllowed, may_order, may_undo};
pub(crate) use sessions::{Session, Sessions};

use std::path::Path;
use std::sync::Mutex;

use tokio::sync::Semaphore;

/// Passwords that are checked at once. Each check takes 19 MiB on purpose, so they must not pile up.
const CHECKS: usize = 2;

/// How long the browser keeps its cookie.
pub(crate) fn session_seconds() -> u64 {
    sessions::LASTS.as_secs()
}

/// The console's accounts and sessions.
#[derive(Debug)]
pub(crate) struct Console {
    pub accounts: Mutex<Accounts>,
    pub sessions: Mutex<Sessions>,
    pub attempts: Mutex<Attempts>,
    /// What whoever sets up the first account must know; it is printed where the venue was started.
    pub setup_code: String,
    pub checks: Semaphore,
}

impl Console {
    /// Reads the accounts; a file that is not there has none.
    pub(crate) fn open(path: &Path, setup_code: Option<String>) -> Result<Console, AccountsError> {
        let accounts = Accounts::open(path)?;
        let setup_code = setup_code.unwrap_or_else(|| sessions::secret().chars().take(10).collect());
        if accounts.is_empty() {
            tracing::warn!(
                "the arbiter console has no account yet: open /arbiter and enter the code {setup_code}"
            );
        }
        Ok(Console {
            accounts: Mutex::new(accounts),
            sessions: Mutex::default(),
            attempts: Mutex::default(),
            setup_code,
            checks: Semaphore::new(CHECKS),
        })
    }
}
