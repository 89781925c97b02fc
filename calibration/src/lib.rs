//! What is particular about one board: how it is wired ([`PinMap`]), what its reeds are like ([`BoardProfile`]), how to
//! find out whether all of it works ([`SelfTest`]), and how to measure it ([`Calibration`]).
//!
//! Wiring and profile are TOML files that a person writes. Whatever is wrong with them is said in full, with every reason,
//! before the daemon starts.

mod calibrate;
mod camera;
mod diagnosis;
mod header;
mod pinmap;
mod profile;
mod self_test;

pub use calibrate::{Calibration, NeedsRepair, Operation, Reed, Step};
pub use camera::BoardCamera;
pub use diagnosis::{Diagnosis, Fault};
pub use header::{HeaderPin, Reserved};
pub use pinmap::{DirectPanel, DirectWiring, PinMap, SerialPanel, SerialWiring, WiringFlaw};
pub use profile::{BoardProfile, ProfileError, Variant};
pub use self_test::{Answer, Found, SelfTest, Task};
