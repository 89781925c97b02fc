//! The faces of one set of pieces, learnt from pictures of the initial position.

use std::fmt;

use xiangqi::{Board, Color, Piece, Role, Setup, Square};

use crate::camera::{Camera, CameraError};
use crate::patch::{Patch, Scene, Tint};
use crate::photo::Photo;
use crate::reading::{Class, PointReading, Reading};

/// The grounds: bare wood, a red piece, a black piece.
const GROUNDS: usize = 3;
/// How far beside its point a piece is looked for, in steps of the grid: 6 mm of 38.
const ASIDE: f64 = 0.16;
const COARSE: f64 = 0.08;
const FINE: f64 = 0.04;
/// Wood that is so much likelier than any piece is bare.
const BARE: f32 = 12.0;
/// A piece of this set looks at least so much like one of its pictures.
const ALIKE: f32 = 0.5;
/// A thing that is none of the fifteen classes is as far from all of them as this, in units of the logarithm of likelihood.
const STRANGE: f32 = -14.0;
/// The same for a piece on a point that it can never reach by the rules: such pictures exist, but rarely.
const UNREACHABLE: f32 = -3.0;

/// The faces of one set of pieces.
pub struct Faces {
    faces: Vec<(Piece, Patch)>,
    grounds: [Ground; GROUNDS],
    /// How much of likeness makes another piece [`std::f32::consts::E`] times less likely.
    step: f32,
}

/// Mean and spread of the tint over the places of one kind.
#[derive(Clone, Copy)]
struct Ground {
    mean: Tint,
    spread: Tint,
}

/// Why faces cannot be learnt.
#[derive(Debug)]
pub enum TooFewFaces {
    /// No picture of the initial position.
    NoPicture,
    /// The corners do not fit the picture with this number, from 0.
    Camera(usize, CameraError),
    /// In the picture with this number the points do not look like the initial position.
    NotTheStart(usize, Vec<Square>),
}

impl fmt::Display for TooFewFaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooFewFaces::NoPicture => {
                f.write_str("expected a picture of the initial position, from which the faces are learnt")
            }
            TooFewFaces::Camera(_, error) => error.fmt(f),
            TooFewFaces::NotTheStart(_, squares) => {
                f.write_str("does not look like the initial position seen by this camera; look at")?;
                squares.iter().take(8).try_for_each(|square| write!(f, " {square}"))
            }
        }
    }
}

impl std::error::Error for TooFewFaces {}

impl TooFewFaces {
    /// Which of the pictures is to blame, from 0.
    pub fn picture(&self) -> Option<usize> {
        match self {
            TooFewFaces::NoPicture => None,
            TooFewFaces::Camera(number, _) | TooFewFaces::NotTheStart(number, _) => Some(*number),
        }
    }
}

impl Faces {
    /// Learns from pictures of the initial position.
    pub fn learn(camera: &Camera, pictures: &[Photo]) -> Result<Faces, TooFewFaces> {
        let start = Setup::initial().board;
        let mut faces = Vec::new();
        let mut tints: [Vec<Tint>; GROUNDS] = Default::default();
        for (number, photo) in pictures.iter().enumerate() {
            let map = camera.map(photo).map_err(|error| TooFewFaces::Camera(number, error))?;
            let scene = Scene::new(photo, map);
            for square in Square::all() {
                let (file, rank) = place(square);
                let light = scene.light(file, rank);
                let class = start.piece_at(square);
                let patch = scene.patch(file, rank, light);
                tints[ground(class)].push(patch.tint);
                faces.extend(class.map(|piece| (piece, patch)));
            }
        }
        let faces = centred(camera, pictures, faces)?;
        if faces.is_empty() {
            return Err(TooFewFaces::NoPicture);
        }
        let step = step(&faces);
        let learnt = Faces { faces, grounds: tints.map(|of| Ground::over(&of)), step };
        learnt.check_start(camera, pictures, &start)?;
        Ok(learnt)
    }

    /// The pictures that were learnt from must read as what they are said to be.
    fn check_start(&self, camera: &Camera, pictures: &[Photo], start: &Board) -> Result<(), TooFewFaces> {
        for (number, photo) in pictures.iter().enumerate() {
            let reading = self.read(camera, photo).map_err(|error| TooFewFaces::Camera(number, error))?;
            let odd: Vec<Square> = reading
                .points
                .iter()
                .filter(|point| point.best().0 != start.piece_at(point.square))
                .map(|point| point.square)
                .collect();
            if odd.len() > 4 {
                return Err(TooFewFaces::NotTheStart(number, odd));
            }
        }
        Ok(())
    }

    /// Reads a picture taken by the camera that took those of the initial position.
    pub fn read(&self, camera: &Camera, photo: &Photo) -> Result<Reading, CameraError> {
        let scene = Scene::new(photo, camera.map(photo)?);
        let points = Square::all().map(|square| self.read_point(&scene, square)).collect();
        Ok(Reading { points })
    }

    fn read_point(&self, scene: &Scene<'_>, square: Square) -> PointReading {
        let (file, rank) = place(square);
        let light = scene.light(file, rank);
        let bare = scene.patch(file, rank, light).tint;
        let [empty, red, black] = self.grounds.map(|ground| ground.fit(bare));
        let mut scores: Vec<(Class, f32)> = vec![(None, empty)];
        if empty > red.max(black) + BARE {
            // A piece covers its point wherever it may lie beside it, so bare wood need not be searched.
            return PointReading { square, classes: likelihoods(scores) };
        }
        let found = self.search(scene, file, rank, light);
        let best = found.likeness.iter().copied().fold(-1.0, f32::max);
        let unlike = ((ALIKE - best) / self.step).max(0.0);
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece { color, role };
                let short = (best - found.likeness[number(piece)]) / self.step;
                let reach = if xiangqi::can_stand(piece, square) { 0.0 } else { UNREACHABLE };
                scores.push((
                    Some(piece),
                    self.grounds[ground(Some(piece))].fit(found.tint) - short - unlike + reach,
                ));
            }
        }
        PointReading { square, classes: likelihoods(scores) }
    }

    /// Looks for a piece around a point: first in wide steps, then around the best of them in narrow ones.
    fn search(&self, scene: &Scene<'_>, file: f64, rank: f64, light: f32) -> Found {
        let mut found = Found { likeness: [-1.0; PIECES], tint: [0.0; 3], best: -1.0, place: [file, rank] };
        let wide = (ASIDE / COARSE).round() as i32;
        self.try_around(scene, [file, rank], COARSE, wide, light, &mut found);
        let centre = found.place;
        self.try_around(scene, centre, FINE, 1, light, &mut found);
        found
    }

    fn try_around(
        &self,
        scene: &Scene<'_>,
        [file, rank]: [f64; 2],
        step: f64,
        reach: i32,
        light: f32,
        found: &mut Found,
    ) {
        for dx in -reach..=reach {
            for dy in -reach..=reach {
                let place = [file + step * f64::from(dx), rank + step * f64::from(dy)];
                let patch = scene.patch(place[0], place[1], light);
                for (piece, face) in &self.faces {
                    let likeness = patch.likeness(face);
                    let of_piece = &mut found.likeness[number(*piece)];
                    *of_piece = of_piece.max(likeness);
                    if likeness > found.best {
                        (found.best, found.tint, found.place) = (likeness, patch.tint, place);
                    }
                }
            }
        }
    }
}

/// Kinds of pieces: seven a side.
const PIECES: usize = 14;

/// What was found around a point: the best likeness to each piece, wherever it lies, and the tint where the best of all lies.
struct Found {
    likeness: [f32; PIECES],
    tint: Tint,
    best: f32,
    place: [f64; 2],
}

fn number(piece: Piece) -> usize {
    piece.role.index() + if piece.color == Color::Red { 0 } else { PIECES / 2 }
}

/// The same faces around the middles of their pieces, which lie a little beside the points: a face looks most like another picture
/// of the same piece where both are turned about their own middles.
fn centred(
    camera: &Camera,
    pictures: &[Photo],
    faces: Vec<(Piece, Patch)>,
) -> Result<Vec<(Piece, Patch)>, TooFewFaces> {
    let start = Setup::initial().board;
    let mut moved = Vec::with_capacity(faces.len());
    for (number, photo) in pictures.iter().enumerate() {
        let map = camera.map(photo).map_err(|error| TooFewFaces::Camera(number, error))?;
        let scene = Scene::new(photo, map);
        for (square, piece) in Square::all().filter_map(|square| Some((square, start.piece_at(square)?))) {
            let at = moved.len();
            let others: Vec<&Patch> = faces
                .iter()
                .enumerate()
                .filter(|(other, (of, _))| *other != at && *of == piece)
                .map(|(_, (_, face))| face)
                .collect();
            let (file, rank) = place(square);
            let light = scene.light(file, rank);
            let places = (-4..=4).flat_map(|dx| {
                (-4..=4).map(move |dy| (FINE / 2.0 * f64::from(dx), FINE / 2.0 * f64::from(dy)))
            });
            let tried = places.map(|(dx, dy)| {
                let patch = scene.patch(file + dx, rank + dy, light);
                (others.iter().map(|other| patch.likeness(other)).fold(-1.0, f32::max), patch)
            });
            let best = tried.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, patch)| patch);
            let own = scene.patch(file, rank, light);
            moved.push((piece, if others.is_empty() { own } else { best.unwrap_or(own) }));
        }
    }
    Ok(moved)
}

/// Board coordinates of a point.
fn place(square: Square) -> (f64, f64) {
    (square.file().index() as f64, square.rank().index() as f64)
}

fn ground(class: Class) -> usize {
    match class.map(|piece| piece.color) {
        None => 0,
        Some(Color::Red) => 1,
        Some(Color::Black) => 2,
    }
}

/// How much likeness counts: over the learnt faces, the mean lead of the other pictures of the same piece over those of other
/// pieces of its colour stands for odds of e to the power of [`LEAD`]. Where a set has one picture of each king, kings do not count.
fn step(faces: &[(Piece, Patch)]) -> f32 {
    const LEAD: f32 = 6.0;
    let leads: Vec<f32> = faces
        .iter()
        .enumerate()
        .filter_map(|(at, (piece, face))| {
            let among = |same: bool| {
                let others = faces.iter().enumerate().filter(move |(other, (of, _))| {
                    *other != at && of.color == piece.color && (of == piece) == same
                });
                others.map(|(_, (_, other))| face.likeness(other)).reduce(f32::max)
            };
            Some(among(true)? - among(false)?)
        })
        .collect();
    (leads.iter().sum::<f32>() / leads.len().max(1) as f32 / LEAD).max(0.01)
}

impl Ground {
    fn over(tints: &[Tint]) -> Ground {
        let count = tints.len().max(1) as f32;
        let mean: Tint = std::array::from_fn(|at| tints.iter().map(|tint| tint[at]).sum::<f32>() / count);
        // Another day's light is not the enrolment's: spreads are taken no smaller than these.
        let least = [0.06, 0.06, 0.02];
        let spread = std::array::from_fn(|at| {
            let squares: f32 = tints.iter().map(|tint| (tint[at] - mean[at]).powi(2)).sum();
            (squares / count).sqrt().max(least[at])
        });
        Ground { mean, spread }
    }

    /// The logarithm of likelihood, but for a constant; far values count linearly.
    fn fit(&self, tint: Tint) -> f32 {
        let parts = (0..tint.len()).map(|at| {
            let away = ((tint[at] - self.mean[at]) / self.spread[at]).abs();
            if away < 2.0 { away * away / 2.0 } else { 2.0 * away - 2.0 }
        });
        -parts.sum::<f32>()
    }
}

/// Likelihoods from logarithms, the likeliest first; what is left over is for things that are none of the classes.
fn likelihoods(mut scores: Vec<(Class, f32)>) -> Vec<(Class, f32)> {
    let top = scores.iter().map(|&(_, score)| score).fold(STRANGE, f32::max);
    let sum = scores.iter().map(|&(_, score)| (score - top).exp()).sum::<f32>() + (STRANGE - top).exp();
    for (_, score) in &mut scores {
        *score = (*score - top).exp() / sum;
    }
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores
}
