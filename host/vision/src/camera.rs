//! Where the board lies in the picture.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::homography::Homography;
use crate::photo::Photo;

/// A camera that does not move against its board: the `[camera]` table of a board's profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// The points a0, i0, i9 and a9 in the picture, in pixels from its upper left corner. With tall pieces under an oblique
    /// camera: where the middle of a face is seen that stands on the point.
    pub corners: [[f64; 2]; 4],
    /// Pictures of the initial position taken by this camera, from which the faces of the set are learnt; two or more, with
    /// the pieces turned in between. Paths are relative to the profile.
    #[serde(default)]
    pub start: Vec<String>,
}

/// Why corners cannot be those of a board in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CameraError(String);

impl fmt::Display for CameraError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CameraError {}

const BOARD: [[f64; 2]; 4] = [[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]];
const NAMES: [&str; 4] = ["a0", "i0", "i9", "a9"];
/// Faces smaller than this cannot be told from each other; in pixels from point to point.
const LEAST_PITCH: f64 = 16.0;

impl Camera {
    /// The map from board to picture, where the corners make sense in a picture of this size.
    pub(crate) fn map(&self, photo: &Photo) -> Result<Homography, CameraError> {
        let (width, height) = photo.size();
        for ([u, v], name) in self.corners.into_iter().zip(NAMES) {
            let inside = (0.0..f64::from(width)).contains(&u) && (0.0..f64::from(height)).contains(&v);
            if !inside {
                return Err(CameraError(format!(
                    "corner {name} at {u}, {v} lies outside the picture of {width} x {height} pixels"
                )));
            }
        }
        // Seen from above, the corners go round against the clock; y grows downwards in a picture.
        let turns = (0..4).map(|at| {
            let [a, b, c] = [at, (at + 1) % 4, (at + 2) % 4].map(|corner| self.corners[corner]);
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        });
        if !turns.into_iter().all(|turn| turn < 0.0) {
            return Err(CameraError(
                "corners: expected a0, i0, i9 and a9 in this order, the corners of a board seen from above"
                    .to_owned(),
            ));
        }
        let shortest = (0..4).map(|at| {
            let (a, b) = (self.corners[at], self.corners[(at + 1) % 4]);
            (a[0] - b[0]).hypot(a[1] - b[1]) / [8.0, 9.0][at % 2]
        });
        let pitch = shortest.fold(f64::INFINITY, f64::min);
        if pitch < LEAST_PITCH {
            return Err(CameraError(format!(
                "points are {pitch:.0} pixels apart at the far side: expected {LEAST_PITCH:.0} or more"
            )));
        }
        Homography::from_corners(BOARD, self.corners)
            .ok_or_else(|| CameraError("corners: three of them lie on a line".to_owned()))
    }
}
