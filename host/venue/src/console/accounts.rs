//! The accounts of arbiters and organisers, in one file. Passwords are kept as argon2id sums only.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use serde::{Deserialize, Serialize};

/// What somebody may do (articles 18.1 to 18.3 give each its powers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// 裁判员: sees the boards and their evidence.
    TableArbiter,
    /// 裁判长: as a table arbiter, for the whole event.
    ChiefArbiter,
    /// 主办: also makes accounts.
    Organiser,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Account {
    name: String,
    role: Role,
    /// In PHC form.
    password: String,
}

/// An account to be made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    pub name: String,
    pub role: Role,
    pub password: String,
}

/// Why an account could not be made.
#[derive(Debug)]
pub(crate) enum AddError {
    /// The name is empty, too long, or holds control characters.
    Name,
    /// Somebody has that name.
    Taken,
    /// The password is shorter than twelve characters, or absurdly long.
    Password,
    /// The file could not be written.
    Disk(io::Error),
}

/// Why the accounts could not be read.
#[derive(Debug)]
pub struct AccountsError {
    path: PathBuf,
    why: String,
}

impl fmt::Display for AccountsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "accounts {}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for AccountsError {}

const SHORTEST_PASSWORD: usize = 12;
const LONGEST: usize = 200;
const LONGEST_NAME: usize = 40;

/// Everybody who may sign in.
#[derive(Debug)]
pub(crate) struct Accounts {
    path: PathBuf,
    list: Vec<Account>,
}

impl Accounts {
    pub(crate) fn open(path: &Path) -> Result<Accounts, AccountsError> {
        let fail = |why: String| AccountsError { path: path.to_owned(), why };
        let list = match fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| fail(error.to_string()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(fail(error.to_string())),
        };
        Ok(Accounts { path: path.to_owned(), list })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Names and roles.
    pub(crate) fn list(&self) -> impl Iterator<Item = (&str, Role)> {
        self.list.iter().map(|account| (account.name.as_str(), account.role))
    }

    /// The role and the password's sum of an account. An unknown name has a sum too, which no password matches, so that
    /// answers for known and unknown names take equally long.
    pub(crate) fn of(&self, name: &str) -> (Option<Role>, String) {
        match self.list.iter().find(|account| account.name == name) {
            Some(account) => (Some(account.role), account.password.clone()),
            None => (None, NOBODY.to_owned()),
        }
    }

    /// Whether an account could be made, before the slow work of summing its password.
    pub(crate) fn check(&self, new: &NewAccount) -> Result<(), AddError> {
        let name = new.name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(AddError::Name);
        }
        if self.list.iter().any(|account| account.name == name) {
            return Err(AddError::Taken);
        }
        if !(SHORTEST_PASSWORD..=LONGEST).contains(&new.password.chars().count()) {
            return Err(AddError::Password);
        }
        Ok(())
    }

    /// Makes an account and writes the file.
    pub(crate) fn add(&mut self, new: &NewAccount, sum: String) -> Result<(), AddError> {
        self.check(new)?;
        let mut list = self.list.clone();
        list.push(Account { name: new.name.trim().to_owned(), role: new.role, password: sum });
        write_whole(&self.path, &list).map_err(AddError::Disk)?;
        self.list = list;
        Ok(())
    }
}

/// The sum of no password that anybody has.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5$K3wVMYVGyQxcL0h8aYbkcQhz1wJ4sMOuZyAF1lJYqhM";

/// The sum of a password, with a salt of its own. Slow on purpose.
pub(crate) fn sum(password: &str) -> Option<String> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).ok()?;
    let salt = SaltString::encode_b64(&salt).ok()?;
    Some(Argon2::default().hash_password(password.as_bytes(), &salt).ok()?.to_string())
}

/// Whether a password has that sum. Slow on purpose.
pub(crate) fn matches(password: &str, sum: &str) -> bool {
    let Ok(parsed) = PasswordHash::new(sum) else { return false };
    password.chars().count() <= LONGEST
        && Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok()
}

// A new file beside the old one, then renamed: whoever reads sees the one or the other, whole.
fn write_whole(path: &Path, list: &[Account]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    serde_json::to_writer_pretty(&mut file, list)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(&beside, path)
}
