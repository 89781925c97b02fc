//! What is particular about one board: how it is wired ([`PinMap`]) and what its reeds are like ([`BoardProfile`]).
//!
//! Both are TOML files that a person writes. Whatever is wrong with them is said in full, with every reason, before the
//! daemon starts.

mod header;
mod pinmap;
mod profile;

pub use header::{HeaderPin, Reserved};
pub use pinmap::{DirectPanel, DirectWiring, PinMap, SerialPanel, SerialWiring, WiringFlaw};
pub use profile::{BoardProfile, ProfileError, Variant};
