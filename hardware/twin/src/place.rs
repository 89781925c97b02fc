//! Where things are above the board, in micrometres.

use xiangqi::Square;

use crate::dice::{Dice, span};

/// A place in micrometres: `x` towards Red's right hand and `y` towards Black from the reed of `a0`, `z` upwards from a
/// piece that stands on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Towards Red's right hand.
    pub x: i32,
    /// Towards Black.
    pub y: i32,
    /// Upwards.
    pub z: i32,
}

impl Place {
    /// The same place at that height.
    pub const fn at_height(self, z: i32) -> Place {
        Place { z, ..self }
    }

    /// The place so far away on the board.
    pub const fn shifted(self, x: i32, y: i32) -> Place {
        Place { x: self.x + x, y: self.y + y, z: self.z }
    }

    /// The square of the distance, in square micrometres.
    pub(crate) fn distance2(self, other: Place) -> i64 {
        let axis = |a: i32, b: i32| (i64::from(a) - i64::from(b)).pow(2);
        axis(self.x, other.x) + axis(self.y, other.y) + axis(self.z, other.z)
    }

    /// The distance over the board, heights ignored.
    pub(crate) fn flat_distance(self, other: Place) -> i32 {
        self.at_height(0).distance2(other.at_height(0)).isqrt() as i32
    }

    /// The place `part` of `whole` on the way to `other`.
    pub(crate) fn towards(self, other: Place, part: i64, whole: i64) -> Place {
        let axis =
            |a: i32, b: i32| (i64::from(a) + (i64::from(b) - i64::from(a)) * part / whole.max(1)) as i32;
        Place { x: axis(self.x, other.x), y: axis(self.y, other.y), z: axis(self.z, other.z) }
    }
}

/// The sizes that rule 1.4 leaves open: squares of 3.2 to 4.6 cm, pieces of 2.7 to 3.2 cm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The distance between neighbouring points, in micrometres.
    pub pitch_um: i32,
    /// The diameter of a piece, in micrometres.
    pub piece_um: i32,
}

impl Geometry {
    /// Where the reed of that point lies.
    pub fn point(&self, square: Square) -> Place {
        let along = |index: usize| index as i32 * self.pitch_um;
        Place { x: along(square.file().index()), y: along(square.rank().index()), z: 0 }
    }

    pub(crate) fn thrown(dice: &mut Dice) -> Geometry {
        let piece_um = dice.within(span(27_000, 32_000)) as i32;
        // Pieces that stand on neighbouring points must not touch.
        let pitch_um = dice.within(span(i64::from(piece_um) + 5_000, 46_000)) as i32;
        Geometry { pitch_um, piece_um }
    }
}
