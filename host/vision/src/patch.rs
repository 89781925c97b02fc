//! The neighbourhood of a point, sampled in rings.
//!
//! A piece may lie turned by any angle, and turning a face shifts its rings: comparing two faces in all directions is comparing
//! shifted rows. Brightness is measured against the bare wood at the four cells around the point, so that a shadow that
//! lies over a part of the board changes little.

use crate::homography::Homography;
use crate::photo::Photo;

pub(crate) const RINGS: usize = 10;
pub(crate) const ANGLES: usize = 60;
/// The outermost ring, in steps of the grid: a piece of 30 mm on squares of 38 mm has a radius of 0.39.
const REACH: f64 = 0.34;

/// One place of the board in rings.
#[derive(Clone)]
pub(crate) struct Patch {
    /// Brightness by ring and angle, with mean 0 in each ring and length 1 over the patch.
    pub(crate) shape: [[f32; ANGLES]; RINGS],
    /// What can be said without turning: see [`Tint`].
    pub(crate) tint: Tint,
}

/// Ground and ink of a patch: how bright its bright half is against the wood around, how much darker its darkest tenth is, and how much
/// redder than the ground that tenth is.
pub(crate) type Tint = [f32; 3];

/// A picture with the map of its board.
pub(crate) struct Scene<'a> {
    photo: &'a Photo,
    map: Homography,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(photo: &'a Photo, map: Homography) -> Scene<'a> {
        Scene { photo, map }
    }

    fn color(&self, file: f64, rank: f64) -> [f32; 3] {
        self.photo.color(self.map.pixel([file, rank]))
    }

    /// How bright the bare wood is around a point. The cells at the border of the board are taken for those outside.
    pub(crate) fn light(&self, file: f64, rank: f64) -> f32 {
        let mut sum = 0.0;
        for (dx, dy) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
            let (x, y) = ((file + dx).clamp(0.5, 7.5), (rank + dy).clamp(0.5, 8.5));
            for (nx, ny) in [(0.0, 0.0), (0.06, 0.0), (-0.06, 0.0), (0.0, 0.06), (0.0, -0.06)] {
                sum += luminance(self.color(x + nx, y + ny));
            }
        }
        (sum / 20.0).max(0.02)
    }

    /// The patch around a place, against the given light.
    pub(crate) fn patch(&self, file: f64, rank: f64, light: f32) -> Patch {
        let mut shape = [[0.0; ANGLES]; RINGS];
        let mut samples = Vec::with_capacity(RINGS * ANGLES);
        for (ring, row) in shape.iter_mut().enumerate() {
            let radius = REACH * (ring as f64 + 0.5) / RINGS as f64;
            for (angle, value) in row.iter_mut().enumerate() {
                let (sin, cos) = (std::f64::consts::TAU * angle as f64 / ANGLES as f64).sin_cos();
                let color = self.color(file + radius * cos, rank + radius * sin);
                *value = luminance(color) / light;
                // Outer rings stand for more of the face.
                samples.push((*value, redness(color), ring as f32 + 0.5));
            }
        }
        normalize(&mut shape);
        Patch { shape, tint: tint(&mut samples) }
    }
}

fn luminance([red, green, blue]: [f32; 3]) -> f32 {
    0.299 * red + 0.587 * green + 0.114 * blue
}

/// How much of the light is red, whatever its strength.
fn redness([red, green, blue]: [f32; 3]) -> f32 {
    let sum = red + green + blue;
    if sum < 0.03 { 0.0 } else { red / sum - 1.0 / 3.0 }
}

fn tint(samples: &mut [(f32, f32, f32)]) -> Tint {
    samples.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mean = |part: &[(f32, f32, f32)]| {
        let weight: f32 = part.iter().map(|&(_, _, weight)| weight).sum();
        let light: f32 = part.iter().map(|&(light, _, weight)| light * weight).sum();
        let red: f32 = part.iter().map(|&(_, red, weight)| red * weight).sum();
        (light / weight, red / weight)
    };
    let (ground, ground_red) = mean(&samples[samples.len() / 2..]);
    let (ink, ink_red) = mean(&samples[..samples.len() / 10]);
    [ground, ground - ink, ink_red - ground_red]
}

/// What a ring has in common all round, the rim above all, is the same on every piece: only what changes with the angle counts.
fn normalize(shape: &mut [[f32; ANGLES]; RINGS]) {
    let mut length = 0.0;
    for (ring, row) in shape.iter_mut().enumerate() {
        let mean = row.iter().sum::<f32>() / ANGLES as f32;
        for value in row {
            // The root of the ring's share of the face, so that a product of two counts the share once.
            *value = (*value - mean) * (ring as f32 + 0.5).sqrt();
            length += *value * *value;
        }
    }
    let length = length.sqrt().max(1e-6);
    shape.iter_mut().flatten().for_each(|value| *value /= length);
}

impl Patch {
    /// How alike two faces are at the best turn: 1 is the same, 0 is nothing in common.
    pub(crate) fn likeness(&self, other: &Patch) -> f32 {
        (0..ANGLES).map(|turn| self.likeness_turned(other, turn)).fold(-1.0, f32::max)
    }

    fn likeness_turned(&self, other: &Patch, turn: usize) -> f32 {
        let mut sum = 0.0;
        for (mine, theirs) in self.shape.iter().zip(&other.shape) {
            let (late, early) = mine.split_at(turn);
            let (head, tail) = theirs.split_at(ANGLES - turn);
            sum += early.iter().zip(head).map(|(a, b)| a * b).sum::<f32>();
            sum += late.iter().zip(tail).map(|(a, b)| a * b).sum::<f32>();
        }
        sum
    }
}
