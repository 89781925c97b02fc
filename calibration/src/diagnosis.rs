//! What is wrong with a board, from what its reeds said: single points, or the wire that they share.

use std::fmt;

use xiangqi::{Bitboard, File, Rank, Square};

use crate::self_test::Found;
use crate::{PinMap, Variant};

/// One thing that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Nothing answers at all.
    Silent,
    /// No point of that row answers.
    RowOpen(Rank),
    /// No point of that column answers.
    ColumnOpen(File),
    /// A piece on either row is seen on both.
    RowsBridged(Rank, Rank),
    /// A piece on either column is seen on both.
    ColumnsBridged(File, File),
    /// Each row is seen where the other should be.
    RowsSwapped(Rank, Rank),
    /// Each column is seen where the other should be.
    ColumnsSwapped(File, File),
    /// That column reads closed from end to end, pieces or not.
    ColumnHigh(File),
    /// Closed without a piece.
    Closed(Square),
    /// Never closes.
    Open(Square),
    /// Each is seen where the other should be.
    Swapped(Square, Square),
    /// A piece on the first is seen on the second.
    Elsewhere(Square, Square),
    /// A piece on the first closes the second as well.
    Ghost(Square, Square),
    /// A piece on it hides other pieces of its column.
    Diode(Square),
    /// Does not settle.
    Chatter(Square),
}

/// Everything that is wrong with a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// Wires first, then points.
    pub faults: Vec<Fault>,
    /// Points that answered as they should.
    pub good: Bitboard,
    /// Points on which nobody put a piece.
    pub untested: Bitboard,
}

/// What single points say, before wires are looked for.
#[derive(Default)]
struct Points {
    open: Bitboard,
    /// Where a piece is seen that is not seen where it was put.
    elsewhere: Vec<(Square, Square)>,
    /// What else a piece closes.
    ghosts: Vec<(Square, Square)>,
    diodes: Bitboard,
    chatter: Bitboard,
    /// Closed by an earlier piece, so that their own could not be seen.
    shadowed: Bitboard,
}

fn points(found: &Found) -> Points {
    let mut points = Points::default();
    for answer in found.answers.iter().flatten() {
        points.chatter |= answer.chattered;
    }
    // What a point says that does not settle means nothing, whoever was asked.
    let unsound = points.chatter | found.stuck;
    for square in Square::all().filter(|square| !unsound.contains(*square)) {
        let Some(answer) = found.answer(square) else { continue };
        let others = answer.closed & !Bitboard::of(square) & !unsound;
        if answer.closed.contains(square) {
            points.ghosts.extend(others.map(|other| (square, other)));
            if !(answer.opened & !unsound).is_empty() {
                points.diodes.insert(square);
            }
        } else if let Some(other) = others.into_iter().next() {
            points.elsewhere.push((square, other));
        } else if answer.already {
            points.shadowed.insert(square);
        } else {
            points.open.insert(square);
        }
    }
    // What a bridged diode hides is not open: it was asked for while the piece on the diode's point stood there.
    for diode in bridged(found, &points) {
        points.diodes.insert(diode);
        points.open &= !hidden(found, diode);
    }
    points
}

/// The points above a point in its file that did not answer.
fn hidden(found: &Found, diode: Square) -> Bitboard {
    let above = Rank::ALL.into_iter().skip(diode.rank().index() + 1);
    let silent = |square: &Square| found.answer(*square).is_some_and(|answer| answer.closed.is_empty());
    above.map(|rank| Square::at(diode.file(), rank)).filter(silent).collect()
}

/// Points that answered and after which their whole file was silent, though the same rows answer in other files.
fn bridged(found: &Found, points: &Points) -> Vec<Square> {
    let mut diodes = Vec::new();
    for file in File::ALL {
        let answers = |rank: &Rank| {
            let square = Square::at(file, *rank);
            found.answer(square).is_some_and(|answer| answer.closed.contains(square))
        };
        let Some(last) = Rank::ALL.into_iter().rfind(answers) else { continue };
        let square = Square::at(file, last);
        let above = Rank::ALL.len() - 1 - last.index();
        let hides = hidden(found, square).count() as usize;
        if hides == above && (above >= 2 || points.diodes.contains(square)) {
            diodes.push(square);
        }
    }
    diodes
}

/// Diagnoses what was found.
pub fn diagnose(found: &Found) -> Diagnosis {
    let mut points = points(found);
    let mut faults = Vec::new();
    let tested = |square: &Square| found.answer(*square).is_some();
    let all: Bitboard = Square::all().filter(tested).collect();
    let good = all
        & !points.open
        & !points.diodes
        & !points.chatter
        & !points.shadowed
        & !found.stuck
        & !points.elsewhere.iter().chain(&points.ghosts).map(|(square, _)| *square).collect::<Bitboard>();
    if !all.is_empty() && points.open == all {
        faults.push(Fault::Silent);
        points.open = Bitboard::EMPTY;
    }
    wires(found, all, &mut points, &mut faults);
    let mut closed = found.stuck;
    for file in File::ALL {
        let column = column(file);
        if column & closed == column {
            faults.push(Fault::ColumnHigh(file));
            closed &= !column;
        }
    }
    faults.extend(closed.map(Fault::Closed));
    faults.extend(points.open.map(Fault::Open));
    for (square, other) in &points.elsewhere {
        if points.elsewhere.contains(&(*other, *square)) {
            if square.index() < other.index() {
                faults.push(Fault::Swapped(*square, *other));
            }
        } else {
            faults.push(Fault::Elsewhere(*square, *other));
        }
    }
    faults.extend(points.ghosts.iter().map(|(square, other)| Fault::Ghost(*square, *other)));
    faults.extend(points.diodes.map(Fault::Diode));
    faults.extend(points.chatter.map(Fault::Chatter));
    faults.sort_unstable();
    Diagnosis { faults, good, untested: Square::all().filter(|square| !tested(square)).collect() }
}

fn column(file: File) -> Bitboard {
    Rank::ALL.into_iter().map(|rank| Square::at(file, rank)).collect()
}

fn row(rank: Rank) -> Bitboard {
    File::ALL.into_iter().map(|file| Square::at(file, rank)).collect()
}

/// Replaces what all points of a wire have in common by a fault of the wire.
fn wires(found: &Found, all: Bitboard, points: &mut Points, faults: &mut Vec<Fault>) {
    let mostly = |wire: Bitboard, with: Bitboard| {
        let wire = wire & all & !found.stuck;
        wire.count() >= 5 && wire & with == wire
    };
    let open = points.open;
    for rank in Rank::ALL.into_iter().filter(|rank| mostly(row(*rank), open)) {
        faults.push(Fault::RowOpen(rank));
        points.open &= !row(rank);
    }
    for file in File::ALL.into_iter().filter(|file| mostly(column(*file), open)) {
        faults.push(Fault::ColumnOpen(file));
        points.open &= !column(file);
    }
    links(
        &mostly,
        points,
        faults,
        &Lines {
            all: &Rank::ALL,
            wire: row,
            crossing: Square::rank,
            aside: |a, b| a.file() == b.file(),
            bridged: Fault::RowsBridged,
            swapped: Fault::RowsSwapped,
        },
    );
    links(
        &mostly,
        points,
        faults,
        &Lines {
            all: &File::ALL,
            wire: column,
            crossing: Square::file,
            aside: |a, b| a.rank() == b.rank(),
            bridged: Fault::ColumnsBridged,
            swapped: Fault::ColumnsSwapped,
        },
    );
}

/// The wires of one direction: rows or columns.
struct Lines<'a, L> {
    all: &'a [L],
    /// The points of a wire.
    wire: fn(L) -> Bitboard,
    /// The wire of a point.
    crossing: fn(Square) -> L,
    /// Whether two points hang on one wire of the other direction.
    aside: fn(Square, Square) -> bool,
    bridged: fn(L, L) -> Fault,
    swapped: fn(L, L) -> Fault,
}

/// Replaces what all points of two wires have in common by a fault between the wires.
fn links<L: Copy + PartialEq>(
    mostly: &dyn Fn(Bitboard, Bitboard) -> bool,
    points: &mut Points,
    faults: &mut Vec<Fault>,
    lines: &Lines<'_, L>,
) {
    for (one, other) in pairs(lines.all) {
        let (first, second) = ((lines.wire)(one), (lines.wire)(other));
        let link = |(a, b): &(Square, Square)| {
            (lines.aside)(*a, *b) && is_pair((lines.crossing)(*a), (lines.crossing)(*b), one, other)
        };
        let from = |pairs: &[(Square, Square)]| -> Bitboard {
            pairs.iter().filter(|pair| link(pair)).map(|(a, _)| *a).collect()
        };
        let ghosts = from(&points.ghosts);
        if mostly(first, ghosts) || mostly(second, ghosts) {
            faults.push((lines.bridged)(one, other));
            points.ghosts.retain(|pair| !link(pair));
        }
        if mostly(first | second, from(&points.elsewhere)) {
            faults.push((lines.swapped)(one, other));
            points.elsewhere.retain(|pair| !link(pair));
        }
    }
}

fn pairs<T: Copy>(all: &[T]) -> impl Iterator<Item = (T, T)> + '_ {
    all.iter().enumerate().flat_map(|(at, one)| all[at + 1..].iter().map(|other| (*one, *other)))
}

fn is_pair<T: PartialEq>(a: T, b: T, one: T, other: T) -> bool {
    (a == one && b == other) || (a == other && b == one)
}

impl Fault {
    /// The points that are wrong; `None` for a fault of a wire.
    pub fn points(self) -> Option<Bitboard> {
        match self {
            Fault::Closed(at) | Fault::Open(at) | Fault::Diode(at) | Fault::Chatter(at) => {
                Some(Bitboard::of(at))
            }
            Fault::Swapped(a, b) | Fault::Elsewhere(a, b) | Fault::Ghost(a, b) => {
                Some(Bitboard::of(a).with(b))
            }
            _ => None,
        }
    }

    /// What it is, and where to look, for a board that is wired like that.
    pub fn explain(self, map: &PinMap, variant: Variant) -> String {
        let wire = self.explain_wire(map, variant);
        wire.unwrap_or_else(|| self.explain_point(map, variant))
    }

    /// A fault of a wire; `None` for a fault of a point.
    fn explain_wire(self, map: &PinMap, variant: Variant) -> Option<String> {
        let row = |rank| map.row_wire(variant, rank);
        let column = |file| map.column_wire(variant, file);
        Some(match self {
            Fault::Silent => {
                "no point answers: look at the supply, the connector and the ground of the board".to_owned()
            }
            Fault::RowOpen(rank) => format!("rank {} never answers: {} is open", rank.index(), row(rank)),
            Fault::ColumnOpen(file) => {
                format!("file {} never answers: {} is open", file.letter(), column(file))
            }
            Fault::RowsBridged(a, b) => {
                format!(
                    "ranks {} and {} answer together: {} and {} touch",
                    a.index(),
                    b.index(),
                    row(a),
                    row(b)
                )
            }
            Fault::ColumnsBridged(a, b) => {
                format!(
                    "files {} and {} answer together: {} and {} touch",
                    a.letter(),
                    b.letter(),
                    column(a),
                    column(b)
                )
            }
            Fault::RowsSwapped(a, b) => {
                format!(
                    "ranks {} and {} are swapped: exchange {} and {}",
                    a.index(),
                    b.index(),
                    row(a),
                    row(b)
                )
            }
            Fault::ColumnsSwapped(a, b) => {
                format!(
                    "files {} and {} are swapped: exchange {} and {}",
                    a.letter(),
                    b.letter(),
                    column(a),
                    column(b)
                )
            }
            Fault::ColumnHigh(file) => {
                format!(
                    "file {} is closed from end to end: {} touches the supply, or its pull-down is missing",
                    file.letter(),
                    column(file)
                )
            }
            _ => return None,
        })
    }

    fn explain_point(self, map: &PinMap, variant: Variant) -> String {
        let both = |square: Square| {
            let (row, column) =
                (map.row_wire(variant, square.rank()), map.column_wire(variant, square.file()));
            format!("{row} and {column}")
        };
        match self {
            Fault::Closed(square) => format!(
                "{square} is closed without a piece: the reed sticks, is bridged, or something magnetic lies there; {}",
                both(square)
            ),
            Fault::Open(square) => {
                format!("{square} never closes: look at its reed and diode, then at {}", both(square))
            }
            Fault::Swapped(a, b) => format!(
                "{a} and {b} are swapped: the reed of {a} hangs on {}, that of {b} on {}",
                both(b),
                both(a)
            ),
            Fault::Elsewhere(a, b) => format!(
                "a piece on {a} is seen on {b}: the reed of {a} hangs on {} instead of {}",
                both(b),
                both(a)
            ),
            Fault::Ghost(a, b) => format!(
                "a piece on {a} closes {b} as well: the reed of {b} is too keen or out of its place, or {} touches {}",
                both(a),
                both(b)
            ),
            Fault::Diode(square) => format!(
                "a piece on {square} hides others of file {}: its diode is bridged, missing or turned; {}",
                square.file().letter(),
                both(square)
            ),
            Fault::Chatter(square) => {
                format!("{square} chatters: a loose joint at its reed or diode, or at {}", both(square))
            }
            // Wires are explained before.
            _ => String::new(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Silent => write!(f, "silent"),
            Fault::RowOpen(rank) => write!(f, "row-open:{}", rank.index()),
            Fault::ColumnOpen(file) => write!(f, "column-open:{}", file.letter()),
            Fault::RowsBridged(a, b) => write!(f, "rows-bridged:{},{}", a.index(), b.index()),
            Fault::ColumnsBridged(a, b) => write!(f, "columns-bridged:{},{}", a.letter(), b.letter()),
            Fault::RowsSwapped(a, b) => write!(f, "rows-swapped:{},{}", a.index(), b.index()),
            Fault::ColumnsSwapped(a, b) => write!(f, "columns-swapped:{},{}", a.letter(), b.letter()),
            Fault::ColumnHigh(file) => write!(f, "column-high:{}", file.letter()),
            Fault::Closed(square) => write!(f, "closed:{square}"),
            Fault::Open(square) => write!(f, "open:{square}"),
            Fault::Swapped(a, b) => write!(f, "swapped:{a},{b}"),
            Fault::Elsewhere(a, b) => write!(f, "elsewhere:{a},{b}"),
            Fault::Ghost(a, b) => write!(f, "ghost:{a},{b}"),
            Fault::Diode(square) => write!(f, "diode:{square}"),
            Fault::Chatter(square) => write!(f, "chatter:{square}"),
        }
    }
}
