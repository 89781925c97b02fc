//! Reads a picture of a xiangqi board: for each of the ninety points, how likely it is empty or bears one of fourteen pieces.
//!
//! Reeds say where magnets are, and nothing about which piece or whose: a picture does. There is no model that knows every set of
//! pieces; two pictures of the initial position show this set, [`Faces`] learns it from them, and [`Faces::read`] compares other
//! pictures with it. A reading is evidence beside the reeds and never overrules them; what it cannot tell it calls a doubt.
//!
//! Board coordinates are in steps of the grid: file 0 to 8 from Red's left hand, rank 0 to 9 from Red's home row. Picture
//! coordinates are pixels from the upper left corner.

mod camera;
mod faces;
mod homography;
mod patch;
mod photo;
mod reading;

pub use camera::{Camera, CameraError};
pub use faces::{Faces, TooFewFaces};
pub use photo::{Photo, PhotoError};
pub use reading::{Class, Difference, PointReading, Reading};
