//! The projective map from the plane of the board to the picture.

/// Eight numbers; the ninth is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Homography([f64; 8]);

impl Homography {
    /// The map that takes four points of the board to four pixels; `None` where three of them lie on a line.
    pub(crate) fn from_corners(board: [[f64; 2]; 4], picture: [[f64; 2]; 4]) -> Option<Homography> {
        let mut rows = [[0.0; 9]; 8];
        for (at, ([x, y], [u, v])) in board.into_iter().zip(picture).enumerate() {
            rows[2 * at] = [x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u];
            rows[2 * at + 1] = [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v];
        }
        solve(rows).map(Homography)
    }

    /// The pixel of a place on the board.
    pub(crate) fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [a, b, c, d, e, f, g, h] = self.0;
        let depth = g * x + h * y + 1.0;
        [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth]
    }
}

/// Solves eight linear equations (Gauss, with the largest pivot); the last column is the right side.
fn solve(mut rows: [[f64; 9]; 8]) -> Option<[f64; 8]> {
    for column in 0..8 {
        let pivot = (column..8).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        if rows[pivot][column].abs() < 1e-9 {
            return None;
        }
        rows.swap(column, pivot);
        let lead = rows[column];
        for (at, row) in rows.iter_mut().enumerate() {
            if at != column {
                let factor = row[column] / lead[column];
                for (value, of_lead) in row.iter_mut().zip(lead) {
                    *value -= factor * of_lead;
                }
            }
        }
    }
    let mut solution = [0.0; 8];
    for (at, value) in solution.iter_mut().enumerate() {
        *value = rows[at][8] / rows[at][at];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]];

    #[test]
    fn corners_go_to_corners_and_lines_to_lines() {
        let seen = [[160.7, 714.2], [719.0, 733.5], [696.0, 203.2], [223.7, 189.4]];
        let map = Homography::from_corners(SQUARE, seen).unwrap();
        for (from, to) in SQUARE.into_iter().zip(seen) {
            let [u, v] = map.pixel(from);
            assert!((u - to[0]).hypot(v - to[1]) < 1e-6, "{from:?} goes to {u}, {v}");
        }
        // Three points of a rank lie on a line in the picture, whatever the perspective.
        let [a, b, c] = [0.0, 3.0, 8.0].map(|file| map.pixel([file, 4.0]));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert!(area.abs() < 1e-6, "{area}");
    }

    #[test]
    fn corners_on_a_line_are_no_map() {
        assert!(Homography::from_corners(SQUARE, [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]).is_none());
    }
}
