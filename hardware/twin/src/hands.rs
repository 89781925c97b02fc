//! Hands: gestures become motions of magnets.

use sense::Uptime;
use xiangqi::{Board, Color, Piece, Square};

use crate::dice::{Dice, Span, span};
use crate::place::{Geometry, Place};
use crate::reed::Zone;
use crate::script::{Magnet, Motion, Panel, Script};
use crate::table::Table;

/// Two pairs of hands over one table. They know which piece is where, and write what they do into a [`Script`].
///
/// Gestures take the moment at which they begin and return the moment at which they end. A gesture of a piece that is
/// still moving begins when the piece has arrived.
pub(crate) struct Hands<'a> {
    pub(crate) table: &'a Table,
    pub(crate) dice: Dice,
    script: Script,
    pieces: Vec<Piece>,
    standing: Vec<Option<usize>>,
    at: Vec<(Uptime, Place)>,
    taken: [i32; 2],
}

/// High enough that no reed notices.
const ALOFT_UM: Span = span(34_000, 60_000);

impl<'a> Hands<'a> {
    /// Hands at a table on which these pieces stand. Magnets are of `strength` thousandths, and stand up to
    /// `off_centre_um` beside their points.
    pub(crate) fn new(
        table: &'a Table,
        board: &Board,
        strength: Span,
        off_centre_um: i64,
        dice: Dice,
    ) -> Hands<'a> {
        let mut hands = Hands {
            table,
            dice,
            script: Script::default(),
            pieces: Vec::new(),
            standing: vec![None; Square::COUNT],
            at: Vec::new(),
            taken: [0; 2],
        };
        for (square, piece) in board.pieces() {
            let strength = hands.dice.within(strength) as u32;
            let magnet = hands.add(piece, strength);
            let start = hands.spot(magnet, square, off_centre_um);
            hands.script.magnets[magnet].start = start;
            hands.at[magnet].1 = start;
            hands.standing[square.index()] = Some(magnet);
        }
        hands
    }

    /// Takes a piece out of the box: it lies far beside the board at time 0.
    pub(crate) fn add(&mut self, piece: Piece, strength: u32) -> usize {
        let far = self.table.geometry.pitch_um * 16;
        let start = Place { x: far, y: far, z: 0 };
        self.script.magnets.push(Magnet { strength, start });
        self.pieces.push(piece);
        self.at.push((Uptime::ZERO, start));
        self.pieces.len() - 1
    }

    /// Which piece stands where once all gestures so far are over.
    pub(crate) fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for square in Square::all() {
            if let Some(magnet) = self.piece_on(square) {
                board.put(square, self.pieces[magnet]);
            }
        }
        board
    }

    /// What the hands did.
    pub(crate) fn done(self) -> Script {
        self.script
    }

    /// The piece that stands on that point once all gestures so far are over.
    pub(crate) fn piece_on(&self, square: Square) -> Option<usize> {
        self.standing[square.index()]
    }

    /// Declares that the piece now belongs to that point, or to none.
    pub(crate) fn belongs(&mut self, magnet: usize, square: Option<Square>) {
        for standing in &mut self.standing {
            if *standing == Some(magnet) {
                *standing = None;
            }
        }
        if let Some(square) = square {
            self.standing[square.index()] = Some(magnet);
        }
    }

    pub(crate) fn panel(&mut self, at: Uptime, panel: Panel) {
        self.script.panel.push((at, panel));
    }

    /// Where the piece is once all gestures so far are over.
    pub(crate) fn place(&self, magnet: usize) -> Place {
        self.at[magnet].1
    }

    /// A place on that point where the reed notices the piece: somewhat beside the centre, out of the dead spot.
    pub(crate) fn spot(&mut self, magnet: usize, square: Square, off_centre_um: i64) -> Place {
        let reed = self.table.reed(square).scaled(self.script.magnets[magnet].strength);
        let bound = off_centre_um.min(i64::from(reed.operate_um) * 6 / 10).max(i64::from(reed.dead_um) * 2);
        let centre = self.table.geometry.point(square);
        loop {
            let offset = span(-bound, bound);
            let place = centre.shifted(self.dice.within(offset) as i32, self.dice.within(offset) as i32);
            let beside = place.flat_distance(centre);
            if i64::from(beside) <= bound && beside > reed.dead_um * 5 / 4 {
                return place;
            }
        }
    }

    /// Whether a piece that is set down at that place from above touches no other and closes no reed.
    pub(crate) fn stands_unnoticed(&self, magnet: usize, place: Place) -> bool {
        let Geometry { piece_um, .. } = self.table.geometry;
        let others = self.at.iter().enumerate().filter(|(other, _)| *other != magnet);
        let mut near = others.map(|(_, (_, stands))| stands.flat_distance(place));
        let strength = self.script.magnets[magnet].strength;
        near.all(|distance| distance >= piece_um)
            && Square::all().all(|square| {
                let distance2 = self.table.geometry.point(square).distance2(place);
                self.table.reed(square).scaled(strength).zone(distance2) != Zone::Close
            })
    }

    /// Moves a piece in a straight line.
    pub(crate) fn go(&mut self, magnet: usize, begin: Uptime, took_us: u64, to: Place) -> Uptime {
        let (free, from) = self.at[magnet];
        let begin = begin.max(free);
        let end = begin.plus_us(took_us.max(1));
        self.script.motions.push(Motion { magnet, begin, end, from, to });
        self.at[magnet] = (end, to);
        end
    }

    /// Lifts a piece straight up.
    pub(crate) fn lift(&mut self, magnet: usize, begin: Uptime, took_us: u64) -> Uptime {
        let height = self.dice.within(ALOFT_UM) as i32;
        let up = self.place(magnet).at_height(height);
        self.go(magnet, begin, took_us, up)
    }

    /// Sets a piece that is in the air down at a place.
    pub(crate) fn set_down(&mut self, magnet: usize, begin: Uptime, took_us: u64, to: Place) -> Uptime {
        let over = to.at_height(self.place(magnet).z);
        let across = took_us * self.dice.between(500, 700) as u64 / 1000;
        let end = self.go(magnet, begin, across, over);
        self.go(magnet, end, took_us - across, to)
    }

    /// Lifts a piece, carries it and sets it down.
    pub(crate) fn hop(&mut self, magnet: usize, begin: Uptime, took_us: u64, to: Place) -> Uptime {
        let up = took_us * self.dice.between(200, 320) as u64 / 1000;
        let aloft = self.lift(magnet, begin, up);
        self.set_down(magnet, aloft, took_us - up, to)
    }

    /// Pushes a piece over the board, through each place in turn; `um_per_ms` is the speed.
    pub(crate) fn slide(&mut self, magnet: usize, begin: Uptime, um_per_ms: i64, to: Place) -> Uptime {
        let way = i64::from(self.place(magnet).flat_distance(to));
        self.go(magnet, begin, (way * 1000 / um_per_ms.max(1)) as u64, to)
    }

    /// Carries a captured piece to the capturer's side of the table.
    pub(crate) fn carry_off(&mut self, magnet: usize, begin: Uptime, took_us: u64, by: Color) -> Uptime {
        let tray = self.tray(by);
        let aloft = if self.place(magnet).z == 0 { self.lift(magnet, begin, took_us / 4) } else { begin };
        self.belongs(magnet, None);
        self.set_down(magnet, aloft, took_us - took_us / 4, tray)
    }

    /// The next free place beside the board, at that player's right hand.
    fn tray(&mut self, by: Color) -> Place {
        let pitch = self.table.geometry.pitch_um;
        let row = self.taken[by.index()];
        self.taken[by.index()] += 1;
        let (column, row) = (row / 6, row % 6);
        match by {
            Color::Red => Place { x: (11 + column) * pitch, y: row * pitch, z: 0 },
            Color::Black => Place { x: -(3 + column) * pitch, y: (9 - row) * pitch, z: 0 },
        }
    }
}
