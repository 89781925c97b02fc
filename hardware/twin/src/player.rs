//! Players: moves become gestures, as their habits are.

use sense::Uptime;
use xiangqi::{Bitboard, Board, ByColor, Color, Move, Position, Role, Square, attacks};

use crate::dice::{Span, span};
use crate::hands::Hands;
use crate::place::Place;
use crate::script::Panel;
use crate::stray::Stray;
use crate::style::{Capture, Habits};

/// Two players who play given moves.
pub(crate) struct Players<'a> {
    pub(crate) hands: Hands<'a>,
    pub(crate) habits: Habits,
    clock: bool,
    /// The last press, or the end of the last move.
    turned: Uptime,
    /// When each side last pressed: nobody makes his next move before that.
    pressed: ByColor<Uptime>,
    /// The piece that stands beside its point, if one does.
    pub(crate) stray: Option<Stray>,
}

/// When a move was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    /// When its first piece was touched.
    pub(crate) begin: Uptime,
    /// When its piece stood.
    pub(crate) stood: Uptime,
    /// When the clock was pressed, unless nobody did.
    pub(crate) pressed: Option<Uptime>,
}

impl<'a> Players<'a> {
    pub(crate) fn new(hands: Hands<'a>, habits: Habits, clock: bool) -> Players<'a> {
        let pressed = ByColor::default();
        Players { hands, habits, clock, turned: Uptime::from_ms(800), pressed, stray: None }
    }

    /// The clock was pressed, or the last move was over, then.
    pub(crate) fn turned_at(&mut self, at: Uptime) {
        self.turned = at;
    }

    /// When the clock was pressed last, or the last move was over.
    pub(crate) const fn turned(&self) -> Uptime {
        self.turned
    }

    pub(crate) fn us(&mut self, ms: Span) -> u64 {
        self.hands.dice.between(ms.low * 1000, ms.high * 1000) as u64
    }

    /// Plays a move in that position; `last` is the move before it.
    pub(crate) fn play(&mut self, position: &Position, mv: Move, last: Option<(Move, Made)>) -> Made {
        let think = self.habits.think_ms;
        let mut begin =
            self.turned.plus_us(self.hands.dice.rather_low(span(think.low * 1000, think.high * 1000)) as u64);
        if let Some((before, made)) = last
            && self.hands.dice.permille(self.habits.early)
        {
            begin = self.early(mv, before, made).max(self.pressed[position.turn()]);
        }
        begin = self.bring_home(position, mv, begin);
        let first = self.fumble_before(position, mv, begin);
        let stood = self.carry_out(position, mv, first);
        let pressed = self.press(position.turn(), stood, last);
        self.turned = pressed.unwrap_or(stood);
        Made { begin, stood, pressed }
    }

    /// Makes the move, with what goes wrong after it; returns when its piece stands.
    fn carry_out(&mut self, position: &Position, mv: Move, begin: Uptime) -> Uptime {
        let quiet = position.piece_at(mv.to).is_none();
        if quiet && let Some(stood) = self.goes_astray(position.turn(), mv, begin) {
            return stood;
        }
        let stood = if quiet { self.quiet(position, mv, begin) } else { self.capture(position, mv, begin) };
        self.fumble_after(position, mv, stood)
    }

    /// When a reply begins that doesn't wait for the press; the replier may have a piece in hand while the other
    /// piece is still in the air, unless it is the piece, or the point, that the reply is about.
    fn early(&mut self, mv: Move, before: Move, made: Made) -> Uptime {
        let apart = mv.to != before.to && mv.from != before.to && mv.to != before.from;
        let soonest =
            if apart && self.hands.dice.permille(500) { made.begin.plus_us(60_000) } else { made.stood };
        let latest = made.pressed.unwrap_or(made.stood);
        let room = latest.us_since(soonest).max(20_000) as i64;
        soonest.plus_us(self.hands.dice.between(5_000, room) as u64)
    }

    fn press(&mut self, side: Color, stood: Uptime, last: Option<(Move, Made)>) -> Option<Uptime> {
        if !self.clock || self.hands.dice.permille(self.habits.forget) {
            return None;
        }
        let soonest = stood.plus_us(self.us(self.habits.press_ms));
        let after = last.and_then(|(_, made)| made.pressed).map_or(Uptime::ZERO, |at| at.plus_us(80_000));
        let at = soonest.max(after);
        self.hands.panel(at, Panel::Press(side));
        self.pressed[side] = at;
        Some(at)
    }

    fn quiet(&mut self, position: &Position, mv: Move, begin: Uptime) -> Uptime {
        let piece = self.hands.piece_on(mv.from).expect("the mover's piece stands there");
        self.hands.belongs(piece, Some(mv.to));
        let to = self.hands.spot(piece, mv.to, self.habits.off_centre_um);
        let way = slide_way(position.board(), mv);
        match way {
            Some(way) if self.hands.dice.permille(self.habits.slide) => self.slide(piece, begin, way, to),
            _ => self.hop(piece, begin, to),
        }
    }

    pub(crate) fn hop(&mut self, piece: usize, begin: Uptime, to: Place) -> Uptime {
        let took = self.us(self.habits.carry_ms);
        if !self.hands.dice.permille(self.habits.hold) {
            return self.hands.hop(piece, begin, took, to);
        }
        let aloft = self.hands.lift(piece, begin, took / 4);
        let held = aloft.plus_us(self.us(self.habits.hold_ms));
        self.hands.set_down(piece, held, took - took / 4, to)
    }

    /// Pushes a piece over the points of `way` in turn, with a stop here and there.
    pub(crate) fn slide(&mut self, piece: usize, begin: Uptime, way: Vec<Square>, to: Place) -> Uptime {
        let speed = self.hands.dice.within(self.habits.slide_um_per_ms);
        let mut now = begin;
        for square in way {
            if self.hands.dice.permille(self.habits.pause) {
                let stop = self.hands.spot(piece, square, self.habits.off_centre_um);
                now = self.hands.slide(piece, now, speed, stop);
                now = now.plus_us(self.us(self.habits.pause_ms));
            } else if self.bends(piece, square, to) {
                let stop = self.hands.spot(piece, square, self.habits.off_centre_um);
                now = self.hands.slide(piece, now, speed, stop);
            }
        }
        self.hands.slide(piece, now, speed, to)
    }

    /// Whether the way over that point is not straight.
    fn bends(&self, piece: usize, square: Square, to: Place) -> bool {
        let (from, over) = (self.hands.place(piece), self.hands.table.geometry.point(square));
        let cross =
            |a: (i32, i32), b: (i32, i32)| i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0);
        let (first, second) = ((over.x - from.x, over.y - from.y), (to.x - over.x, to.y - over.y));
        let pitch = i64::from(self.hands.table.geometry.pitch_um);
        cross(first, second).abs() > pitch * pitch / 2
    }

    fn capture(&mut self, position: &Position, mv: Move, begin: Uptime) -> Uptime {
        let manner = self.hands.dice.weighted(self.habits.captures);
        self.capture_so(manner, position.turn(), mv, slide_way(position.board(), mv), begin)
    }

    /// Captures in that manner; `way` holds the points over which the capturing piece can be pushed, if it can.
    pub(crate) fn capture_so(
        &mut self,
        manner: Capture,
        by: Color,
        mv: Move,
        way: Option<Vec<Square>>,
        begin: Uptime,
    ) -> Uptime {
        let (Some(attacker), Some(victim)) = (self.hands.piece_on(mv.from), self.hands.piece_on(mv.to))
        else {
            return begin;
        };
        let pair =
            Pair { attacker, victim, to: self.hands.spot(attacker, mv.to, self.habits.off_centre_um), by };
        self.hands.belongs(victim, None);
        self.hands.belongs(attacker, Some(mv.to));
        match manner {
            Capture::VictimFirst => self.victim_first(pair, way, begin),
            Capture::AttackerFirst => self.attacker_first(pair, begin),
            Capture::OneHand => self.in_one_hand(pair, begin),
            Capture::PushedOff => self.push_off(pair, way.is_some(), begin),
        }
    }

    fn victim_first(&mut self, pair: Pair, way: Option<Vec<Square>>, begin: Uptime) -> Uptime {
        let carry = self.us(self.habits.carry_ms);
        let aloft = self.hands.lift(pair.victim, begin, carry / 3);
        let away = self.us(self.habits.carry_ms);
        self.hands.carry_off(pair.victim, aloft, away, pair.by);
        let next = aloft.plus_us(self.us(self.habits.between_ms));
        match way {
            Some(way) if self.hands.dice.permille(self.habits.slide) => {
                self.slide(pair.attacker, next, way, pair.to)
            }
            _ => self.hop(pair.attacker, next, pair.to),
        }
    }

    fn attacker_first(&mut self, pair: Pair, begin: Uptime) -> Uptime {
        let carry = self.us(self.habits.carry_ms);
        let aloft = self.hands.lift(pair.attacker, begin, carry / 3);
        let reach = aloft.plus_us(self.us(self.habits.between_ms));
        let bare = self.hands.lift(pair.victim, reach, carry / 3);
        let away = self.us(self.habits.carry_ms);
        self.hands.carry_off(pair.victim, bare, away, pair.by);
        self.hands.set_down(pair.attacker, bare, carry - carry / 3, pair.to)
    }

    /// The hand comes with the capturing piece, takes up the captured one and leaves the other in its place.
    fn in_one_hand(&mut self, pair: Pair, begin: Uptime) -> Uptime {
        let carry = self.us(self.habits.carry_ms);
        let aloft = self.hands.lift(pair.attacker, begin, carry / 4);
        let over = pair.to.at_height(self.hands.place(pair.attacker).z);
        let there = self.hands.go(pair.attacker, aloft, carry / 4, over);
        let bare = self.hands.lift(pair.victim, there, carry / 4);
        let stood = self.hands.go(pair.attacker, bare, carry / 4, pair.to);
        let away = self.us(self.habits.carry_ms);
        self.hands.carry_off(pair.victim, stood, away, pair.by);
        stood
    }

    /// The capturing piece comes in low and pushes the captured one aside; how long the reed is bare follows from the
    /// sizes of the pieces and the speed.
    fn push_off(&mut self, pair: Pair, sliding: bool, begin: Uptime) -> Uptime {
        let Pair { attacker, victim, to, by } = pair;
        let size = self.hands.table.geometry.piece_um;
        let stand = self.hands.place(victim);
        let from = self.hands.place(attacker).at_height(0);
        let way = i64::from(from.flat_distance(stand)).max(1);
        // Where the capturing piece touches the other, coming straight at it.
        let touch = stand.towards(from, i64::from(size), way);
        let speed = self.hands.dice.within(self.habits.slide_um_per_ms).max(250);
        let contact = if sliding {
            self.hands.slide(attacker, begin, speed, touch)
        } else {
            let took = self.us(self.habits.carry_ms);
            self.hands.hop(attacker, begin, took, touch)
        };
        let pushing = (i64::from(touch.flat_distance(to)) * 1000 / speed) as u64;
        let stood = self.hands.go(attacker, contact, pushing, to);
        // It gives way to one side and upwards, into the fingers that wait for it.
        let half = i64::from(size) * self.hands.dice.between(500, 900) / 1000;
        let side = if self.hands.dice.permille(500) { 1 } else { -1 };
        let along = |a: i32, b: i32| ((i64::from(a) - i64::from(b)) * half / way) as i32;
        let (dx, dy) = (along(stand.x, from.x), along(stand.y, from.y));
        let aside = stand.shifted(dx - side * dy, dy + side * dx).at_height(4_000);
        let pushed = self.hands.go(victim, contact, pushing, aside);
        let away = self.us(self.habits.carry_ms);
        let aloft = self.hands.lift(victim, pushed, away / 4);
        self.hands.carry_off(victim, aloft, away, by);
        stood
    }
}

/// The two pieces of a capture.
#[derive(Clone, Copy)]
struct Pair {
    attacker: usize,
    victim: usize,
    /// Where the capturing piece comes to stand.
    to: Place,
    /// Who captures.
    by: Color,
}

/// The points over which a piece may be pushed on that move, if no piece stands in the way.
pub(crate) fn slide_way(board: &Board, mv: Move) -> Option<Vec<Square>> {
    let occupied = board.occupied();
    let (from, to) = (mv.from, mv.to);
    let role = board.role_at(from)?;
    let steps = |a: Square, b: Square| {
        (b.file().index() as i8 - a.file().index() as i8, b.rank().index() as i8 - a.rank().index() as i8)
    };
    let (files, ranks) = steps(from, to);
    match role {
        // Over the leg, then to the side.
        Role::Horse => {
            let leg = if files.abs() == 2 { from.offset(files / 2, 0) } else { from.offset(0, ranks / 2) }?;
            (!occupied.contains(leg)).then(|| vec![leg])
        }
        Role::Elephant => Some(vec![from.offset(files / 2, ranks / 2)?]),
        _ => {
            let between = attacks::between(from, to);
            let mut way: Vec<Square> = between.collect();
            if from > to {
                way.reverse();
            }
            ((between & occupied) == Bitboard::EMPTY).then_some(way)
        }
    }
}
