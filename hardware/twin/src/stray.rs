//! A piece that was set down beside its point, where no reed notices it (5.10), until somebody pushes it there.

use sense::Uptime;
use xiangqi::{Color, Move, Position, Square};

use crate::dice::span;
use crate::place::Place;
use crate::player::{Players, slide_way};

/// A piece that stands beside its point, unnoticed.
#[derive(Clone, Copy)]
pub(crate) struct Stray {
    piece: usize,
    /// The point to which it belongs.
    square: Square,
    /// Who moved it.
    by: Color,
    until: Until,
}

/// When somebody pushes it to its point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The mover, before he presses.
    Press,
    /// Somebody, while the opponent thinks.
    Reply,
    /// Somebody, after the opponent has replied; unless the reply captured it.
    AfterReply,
}

/// How fast a piece is pushed to its point.
const NUDGE_UM_PER_MS: i64 = 150;

impl Players<'_> {
    /// Makes a quiet move whose piece comes to stand beside its point, if that happens now; returns when it stands, or
    /// stands where it should if its player notices before he presses.
    pub(crate) fn goes_astray(&mut self, by: Color, mv: Move, begin: Uptime) -> Option<Uptime> {
        // No dice are thrown where it never happens.
        if self.habits.stray == 0 || self.stray.is_some() || !self.hands.dice.permille(self.habits.stray) {
            return None;
        }
        let piece = self.hands.piece_on(mv.from)?;
        let beside = self.unnoticed(piece, mv.to)?;
        let until = self.hands.dice.weighted(&[(4, Until::Press), (4, Until::Reply), (2, Until::AfterReply)]);
        self.hands.belongs(piece, Some(mv.to));
        let stood = self.hop(piece, begin, beside);
        let stray = Stray { piece, square: mv.to, by, until };
        if until == Until::Press {
            let noticed = stood.plus_us(self.us(span(200, 1_500)));
            return Some(self.nudge(stray, noticed));
        }
        self.stray = Some(stray);
        Some(stood)
    }

    /// Pushes a stray to its point before that move begins, if it is time; returns when the move can begin.
    pub(crate) fn bring_home(&mut self, position: &Position, mv: Move, begin: Uptime) -> Uptime {
        let Some(stray) = self.stray else { return begin };
        if stray.until == Until::AfterReply
            && position.turn() != stray.by
            && !self.in_the_way(stray, position, mv)
        {
            // A captured piece is taken from where it stands.
            self.stray = Some(stray).filter(|stray| stray.square != mv.to);
            return begin;
        }
        self.stray = None;
        let soonest = self.turned().plus_us(150_000);
        let way = i64::from(
            self.hands.place(stray.piece).flat_distance(self.hands.table.geometry.point(stray.square)),
        );
        // The push ends before a hand reaches for the next piece.
        let room = begin.us_since(soonest.plus_us((way * 1_500 / NUDGE_UM_PER_MS) as u64));
        let at = soonest.plus_us(self.hands.dice.between(0, room as i64) as u64);
        let home = self.nudge(stray, at);
        begin.max(home.plus_us(20_000))
    }

    /// Pushes a piece that still is astray after the last move to its point; returns when all stand.
    pub(crate) fn bring_last_home(&mut self) -> Uptime {
        let turned = self.turned();
        let Some(stray) = self.stray.take() else { return turned };
        let at = turned.plus_us(self.us(span(150, 1_500)));
        self.nudge(stray, at)
    }

    fn nudge(&mut self, stray: Stray, at: Uptime) -> Uptime {
        let home = self.hands.spot(stray.piece, stray.square, self.habits.off_centre_um);
        self.hands.slide(stray.piece, at, NUDGE_UM_PER_MS, home)
    }

    /// A place about half-way to a neighbouring point, where the piece touches no other and works no reed.
    fn unnoticed(&mut self, piece: usize, square: Square) -> Option<Place> {
        let part = self.hands.dice.between(400, 600);
        let geometry = self.hands.table.geometry;
        let around = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
        let places: Vec<(u32, Place)> = around
            .into_iter()
            .filter_map(|(files, ranks)| square.offset(files, ranks))
            .map(|near| geometry.point(square).towards(geometry.point(near), part, 1_000))
            .filter(|place| self.hands.stands_unnoticed(piece, *place))
            .map(|place| (1, place))
            .collect();
        (!places.is_empty()).then(|| self.hands.dice.weighted(&places))
    }

    /// Whether the move's piece would bump into the stray on its way, rather than capture it.
    fn in_the_way(&self, stray: Stray, position: &Position, mv: Move) -> bool {
        let geometry = self.hands.table.geometry;
        let stands = self.hands.place(stray.piece);
        let way = slide_way(position.board(), mv).unwrap_or_default();
        let mut over = way.into_iter().chain([mv.to]).filter(|square| *square != stray.square);
        over.any(|square| geometry.point(square).flat_distance(stands) < geometry.piece_um)
    }
}
