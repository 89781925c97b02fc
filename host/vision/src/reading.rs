//! What a picture was read as.

use xiangqi::{Board, Piece, Square};

/// One of the fifteen things that a point can bear: nothing, or a piece.
pub type Class = Option<Piece>;

/// Below this the best class of a point is a doubt.
const SURE: f32 = 0.9;
/// A point contradicts what was expected where the best class is likelier than this and the expected one less likely than [`DENIED`].
const SEEN: f32 = 0.6;
const DENIED: f32 = 0.15;

/// What one point was read as.
#[derive(Clone, Debug)]
pub struct PointReading {
    /// The point.
    pub square: Square,
    /// Classes by likelihood, the likeliest first. They add up to less than one where the point looks like none of them: a hand,
    /// glare, a thing that lies there.
    pub classes: Vec<(Class, f32)>,
}

impl PointReading {
    /// The likeliest class.
    pub fn best(&self) -> (Class, f32) {
        self.classes[0]
    }

    /// The likelihood of a class, 0 to 1.
    pub fn likelihood(&self, class: Class) -> f32 {
        self.classes.iter().find(|(of, _)| *of == class).map_or(0.0, |&(_, p)| p)
    }

    /// Whether the picture does not tell.
    pub fn is_doubt(&self) -> bool {
        self.best().1 < SURE
    }
}

/// What the ninety points were read as.
#[derive(Clone, Debug)]
pub struct Reading {
    /// All points, from a0 to i9.
    pub points: Vec<PointReading>,
}

/// A point where the picture contradicts what was expected to stand there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The point.
    pub square: Square,
    /// What should stand there.
    pub expected: Class,
    /// What the picture shows.
    pub seen: Class,
    /// How likely that is.
    pub likelihood: f32,
}

impl Reading {
    /// The likeliest class of every point. More pieces of a kind than a set has, or a missing king, are not mended: they are
    /// what the picture looked like.
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for point in &self.points {
            if let (Some(piece), _) = point.best() {
                board.put(point.square, piece);
            }
        }
        board
    }

    /// Points that the picture does not tell.
    pub fn doubts(&self) -> impl Iterator<Item = &PointReading> {
        self.points.iter().filter(|point| point.is_doubt())
    }

    /// Where the picture contradicts a board; a doubt alone is no contradiction.
    pub fn differences(&self, expected: &Board) -> Vec<Difference> {
        let differs =
            |point: &PointReading| {
                let should = expected.piece_at(point.square);
                let (seen, likelihood) = point.best();
                (seen != should && likelihood > SEEN && point.likelihood(should) < DENIED)
                    .then_some(Difference { square: point.square, expected: should, seen, likelihood })
            };
        self.points.iter().filter_map(differs).collect()
    }
}
