//! Which threats a move makes that did not stand before it: 捉, and the offers 兑 and 献.

use alloc::vec::Vec;

use super::exchange::{self, attacks_freely};
use super::label::{Label, Ply, Reading};
use super::material::Material;
use super::threat::{self, Means, Search, Threat};
use crate::{Bitboard, Move, Position, Role, attacks};

/// How a threat relates to the move just played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fresh {
    /// The move made it.
    New,
    /// It stood, but to carry it out would have cost as much elsewhere.
    Freed,
    /// It stood as well before.
    Old,
}

/// The threats of one move, held against those that stood before it.
pub struct Chase<'a> {
    search: Search<'a>,
    earlier: Option<&'a Position>,
    before: &'a Position,
    m: Move,
    threatening: &'a Position,
    /// What stood before the move; found when first asked for.
    stood_before: Option<Vec<Threat>>,
}

impl<'a> Chase<'a> {
    /// Prepares to look at the move `m` from `before`; `threatening` is the position after it with the same side to
    /// move again, `earlier` the one before the other side's last move.
    pub fn new(
        search: Search<'a>,
        earlier: Option<&'a Position>,
        before: &'a Position,
        m: Move,
        threatening: &'a Position,
    ) -> Chase<'a> {
        Chase { search, earlier, before, m, threatening, stood_before: None }
    }

    /// Labels the move 捉, 兑 or 献 if it is one, with the evidence.
    pub fn describe(&mut self, reading: Reading, ply: &mut Ply) {
        let (mut joint, mut single) = (0, 0);
        let mut offer = Label::Idle;
        for threat in self.search.threats(self.threatening) {
            let fresh = self.freshness(&threat);
            if self.is_free(&threat, fresh) {
                continue;
            }
            // A piece that helps a standing capture along chases jointly, whatever else its move brings (detail 6).
            let helps = fresh != Fresh::New && self.takes_part(&threat);
            if fresh == Fresh::Old && !helps || helps && !reading.joint {
                ply.standing |= threat.targets;
                continue;
            }
            if threat.mutual && fresh != Fresh::Freed {
                offer = offer.max(if self.is_supported(&threat) { Label::Exchange } else { Label::Offer });
                continue;
            }
            let joint_again = fresh == Fresh::Freed && self.is_over_own_piece(&threat);
            if helps || joint_again || threat.joint || self.is_underrooted(&threat) {
                joint = joint.max(threat.gain);
            } else if fresh == Fresh::New {
                single = single.max(threat.gain);
            }
            ply.threats.push(threat);
        }
        //= 28.3
        ply.by_pawn = self.by_pawn();
        ply.label = offer;
        if !ply.threats.is_empty() {
            ply.joint = joint > 0 && joint >= single;
            ply.label = Label::Chase;
            ply.targets = ply.threats.iter().fold(Bitboard::EMPTY, |set, t| set | t.targets);
        }
    }

    /// Whether only a pawn attacks, which it may (27.2); but not together with the piece that moved.
    fn is_free(&self, threat: &Threat, fresh: Fresh) -> bool {
        //= 27.2
        let mover = self.threatening.board().role_at(self.m.to);
        threat.means == Means::Capture
            && attacks_freely(threat.by)
            && (fresh != Fresh::New
                || mover.is_some_and(attacks_freely)
                || !self.threatening.is_legal(Move::new(self.m.to, threat.first.to)))
    }

    /// Whether the piece that offers itself to an equal one would be avenged: 兑, else 献.
    fn is_supported(&mut self, threat: &Threat) -> bool {
        //= 28.5
        //= 28.6
        let theirs = self.threatening.with_turn(!self.threatening.turn());
        let capture = Move::new(threat.first.to, threat.first.from);
        !theirs.is_legal(capture) || self.search.capture(&theirs, capture, Bitboard::EMPTY) <= 0
    }

    /// The same move before `m` was played.
    fn then(&self, m: Move) -> Move {
        let back = |square| if square == self.m.to { self.m.from } else { square };
        Move::new(back(m.from), m.to)
    }

    /// 捉 arises from the move just played; what stood before it is none.
    fn freshness(&mut self, threat: &Threat) -> Fresh {
        //= 29.2
        let then = self.then(threat.first);
        let (stood, freed) = match threat.means {
            Means::Capture => (self.stood(self.before, then), self.unpunished(threat, then)),
            Means::Exchange => (self.was_known(threat, then), false),
            Means::Checks => (self.was_known(threat, then), self.costs_less(threat, then)),
        };
        match (stood, freed) {
            (false, _) => Fresh::New,
            (true, true) => Fresh::Freed,
            (true, false) => Fresh::Old,
        }
    }

    /// Whether the same piece could already win as much from the same target.
    fn was_known(&mut self, threat: &Threat, then: Move) -> bool {
        self.stood_before().iter().any(|old| {
            old.gain >= threat.gain
                && old.first.from == then.from
                && !(old.targets & threat.targets).is_empty()
        })
    }

    /// The threats before the move. When the side was in check, those before the check as well: a check that must be
    /// answered first does not unmake them.
    fn stood_before(&mut self) -> &[Threat] {
        if self.stood_before.is_none() {
            let mut found = self.search.threats(self.before);
            if self.before.in_check()
                && let Some(earlier) = self.earlier
                && !earlier.in_check()
            {
                found.extend(self.search.threats(&earlier.with_turn(self.before.turn())));
            }
            self.stood_before = Some(found);
        }
        self.stood_before.as_deref().unwrap_or_default()
    }

    /// Whether a capture already won on its point, a check to the own king left aside.
    fn stood(&mut self, position: &Position, m: Move) -> bool {
        let position = position.with_turn(self.before.turn());
        if !position.checkers_of(!position.turn()).is_empty() {
            return false;
        }
        let Some(piece) = position.piece_at(m.from) else { return false };
        if piece.color != position.turn() || position.board().color_at(m.to) != Some(!piece.color) {
            return false;
        }
        let legal =
            if position.in_check() { position.movements().contains(&m) } else { position.is_legal(m) };
        legal && self.search.capture(&position, m, threat::exchangeable(&position, m.to).without(m.from)) > 0
    }

    /// Whether a capture that stood is free of a penalty now: before, it would have lost a piece that it left alone, or
    /// walked into mate. The target must have no root at all.
    fn unpunished(&mut self, threat: &Threat, then: Move) -> bool {
        let after = self.threatening.play_unchecked(threat.first);
        if !exchange::captures_on(&after, threat.first.to).is_empty() {
            return false;
        }
        // What the other side has just left hanging itself, by moving something else, is its own doing (献).
        if let Some(earlier) = self.earlier
            && earlier.piece_at(then.to) == self.before.piece_at(then.to)
            && !self.stood(earlier, then)
        {
            return false;
        }
        self.costs_less(threat, then)
    }

    /// Whether a threat that stood before brings more on the whole board than the same move did then.
    fn costs_less(&mut self, threat: &Threat, then: Move) -> bool {
        if self.before.in_check() || !self.before.is_legal(then) {
            return false;
        }
        let now = self.search.whole(self.threatening, threat.first, Bitboard::EMPTY);
        let formerly = self.search.whole(self.before, then, Bitboard::EMPTY);
        match threat.means {
            Means::Checks => now > 0 && formerly <= 0,
            _ => now >= 0 && now > formerly,
        }
    }

    /// Whether the capture wins only because the target has fewer roots than attackers (少根, 24.15).
    fn is_underrooted(&mut self, threat: &Threat) -> bool {
        //= 28.16
        let board = self.threatening.board();
        let worth = |square| Material::on(board, square).pieces;
        threat.means == Means::Capture
            && worth(threat.first.from) >= worth(threat.first.to)
            && !exchange::captures_on(&self.threatening.play_unchecked(threat.first), threat.first.to)
                .is_empty()
    }

    /// Whether a cannon captures over another piece of its side: two pieces chase together. Kings and pawns before the
    /// river are no pieces in this sense.
    fn is_over_own_piece(&self, threat: &Threat) -> bool {
        let board = self.threatening.board();
        let between = attacks::between(threat.first.from, threat.first.to);
        let mut own = between & board.by_color(self.threatening.turn());
        threat.means == Means::Capture
            && threat.by == Role::Cannon
            && own.any(|square| !Material::on(board, square).is_none())
    }

    /// What pawns newly attack and could win.
    fn by_pawn(&mut self) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for m in &self.threatening.legal_captures() {
            let board = self.threatening.board();
            if board.role_at(m.from) == Some(Role::Pawn)
                && !Material::on(board, m.to).is_none()
                && self.search.capture(self.threatening, m, Bitboard::EMPTY) > 0
                && !self.stood(self.before, self.then(m))
            {
                found.insert(m.to);
            }
        }
        found
    }

    /// Whether the piece that moved helps another to the capture: without it there is none.
    fn takes_part(&mut self, threat: &Threat) -> bool {
        if threat.first.from == self.m.to || threat.means != Means::Capture {
            return false;
        }
        let mut setup = *self.threatening.setup();
        setup.board.take(self.m.to);
        let Ok(without) = Position::standing(setup) else { return false };
        let wins = without.is_legal(threat.first)
            && self.search.capture(&without, threat.first, Bitboard::EMPTY) > 0;
        !without.in_check() && !wins
    }
}
