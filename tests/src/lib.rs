//! Where the repository's data lies, for tests that look at the whole product.

mod damage;
mod dice;
mod impatient;
mod reading;
mod sim_disk;
mod verdict;
pub mod vopr;

pub use damage::damage;
pub use dice::Dice;
pub use impatient::Impatient;
pub use reading::Reading;
pub use sim_disk::SimDisk;
pub use verdict::{Verdict, compare_incidents, kind_name, replayed};

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").to_owned()
}

/// A file or folder of the material that may stand beside the repository. Tests that need it skip with a printed line when
/// it is not there.
pub fn beside(path: &str) -> Option<PathBuf> {
    let found = repository().join("../shared").join(path);
    if found.exists() {
        return Some(found);
    }
    println!("skipped: {path} does not stand beside the repository");
    None
}
