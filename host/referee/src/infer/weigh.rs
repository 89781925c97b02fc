//! How unlikely things are: costs in tenths of a natural logarithm, and what a game teaches of its hands and reeds.

use xiangqi::{Bitboard, Move, Square};

use super::basis::Basis;

/// Tenths of the negative natural logarithm of a likelihood.
pub(crate) type Cost = u32;

/// A reading is certain when every other costs so much more.
pub(crate) const CERTAIN: Cost = 60;
/// All others together may be as likely as one that costs so much more.
pub(crate) const ALL_OTHERS: Cost = 59;
/// A history that costs so much more than the best is given up.
pub(crate) const HOPELESS: Cost = 170;
/// What is more unlikely than this in itself is not told, though everything else be more unlikely still.
pub(crate) const INCREDIBLE: Cost = 140;
/// Histories that are more unlikely than this have lost what really happened.
pub(crate) const LOST: Cost = 150;
/// What each ply of a history may add to that: every one may be somewhat unlikely.
pub(crate) const LOST_BY_PLY: Cost = 12;
/// A history that costs so much more than the best contradicts it no more.
pub(crate) const DISAGREES: Cost = 30;
/// A board that differs more than this from what a history says does not agree with it now.
pub(crate) const SETTLED: Cost = 14;

/// A second own piece in the air.
pub(crate) const TWO_OWN: Cost = 25;
/// A piece on a point where nobody can have put it.
pub(crate) const UNEXPLAINED: Cost = 60;
/// The same, and it may be a captured piece that waits on the next point to be taken off the board.
pub(crate) const CAPTIVE: Cost = 20;
/// The same, a moment ago, while a piece is in the mover's hand: it may be passing.
pub(crate) const PASSING: Cost = 15;
/// A finished move of the waiting side while the mover's is not finished.
pub(crate) const OVERTAKEN: Cost = 70;
/// The piece that was moved last stands elsewhere before its player has pressed.
pub(crate) const CORRECTED: Cost = 20;
/// A piece that has stood still for long is still in the hand.
pub(crate) const STILL_HELD: Cost = 70;
/// A piece stood as long as one that has been moved where nobody presses, and had not been.
const STOOD_AND_WENT_ON: Cost = 40;
/// A player moves a piece while another of his own is off its point.
pub(crate) const ANOTHER_IN_HAND: Cost = 40;
/// The same, and the other has been off its point for long.
pub(crate) const FORGOTTEN_IN_HAND: Cost = 60;
/// The reply stands before the mover has touched his piece.
pub(crate) const REPLY_FIRST: Cost = 80;
/// The same, and it has stood for long.
pub(crate) const REPLY_LONG_BEFORE: Cost = 160;
/// The reply begins before the move is done.
pub(crate) const EARLY_REPLY: Cost = 6;
/// The reply begins before the mover has touched his piece.
pub(crate) const REPLY_AHEAD: Cost = 25;
/// A piece goes on from the point that it reached just now, and a reply was made in between.
pub(crate) const REPLIED_IN_PASSING: Cost = 40;
/// The same, so soon that no hand can have let go of it.
pub(crate) const REPLIED_IN_MOTION: Cost = 90;
/// A piece is set down unnoticed on the point that it has just left, though it stood there only as long as one on its way.
pub(crate) const SET_DOWN_IN_PASSING: Cost = 40;
/// The reply stands before the move does.
pub(crate) const OVERTAKEN_BRIEFLY: Cost = 25;
/// The opponent replies while the piece that has just been moved is off its point again.
pub(crate) const NOT_DONE: Cost = 40;
/// The piece that has just been moved is off its point again.
pub(crate) const TAKEN_UP_AGAIN: Cost = 15;
/// A press is forgotten.
pub(crate) const FORGOTTEN_PRESS: Cost = 15;
/// A press with a piece in the air.
pub(crate) const PRESS_IN_AIR: Cost = 90;
/// A press, and the piece that was moved is off its point already: the reply takes it.
pub(crate) const PRESS_AND_TAKEN: Cost = 30;
/// The same, and the piece comes down in a moment, or has not stopped on the point that it reached.
pub(crate) const PRESS_EARLY: Cost = 40;
/// A press, and then the piece goes on from the point where it stood.
pub(crate) const PRESS_IN_MOTION: Cost = 140;
/// A press though nothing was moved.
pub(crate) const PRESS_OF_NOTHING: Cost = 60;
/// Added to either of these where a piece of the opponent, or of who presses in his turn, is off its point.
pub(crate) const PRESS_BESIDES: Cost = 30;
/// The same just after a move was taken back: rather it was no taking back, but a move.
pub(crate) const PRESSED_BACK: Cost = 80;
/// A press that changes nothing.
pub(crate) const PRESS_AGAIN: Cost = 20;
/// A press after the opponent has replied.
pub(crate) const PRESS_LATE: Cost = 5;

/// A captured piece whose reed never opened, of players who have not been seen to push pieces off their points.
const NEVER_PUSHED: Cost = 20;
/// A captured piece whose reed never opened, and that came to its point when its captor was in the air already.
pub(crate) const CAPTURED_ON_ARRIVAL: Cost = 30;
/// A captured piece whose reed opened for a moment only.
pub(crate) const PUSHED: Cost = 5;
/// The same, and nobody saw the capturing piece leave.
pub(crate) const PUSHED_UNHEARD: Cost = 15;
/// The same, so short that it was no edge.
pub(crate) const FLICKED: Cost = 12;
/// A piece that made a capture that nobody saw rested on its way, and nobody presses.
pub(crate) const PAUSED: Cost = 25;
/// A captured piece was pushed off just when the table was shaken.
pub(crate) const SHAKEN: Cost = 40;
/// A piece that stood on its new point before it left the old one.
pub(crate) const STOOD_BEFORE: Cost = 90;
/// A piece that was upset among others is moved from where it stood, and not put back.
pub(crate) const UPSET_AND_MOVED: Cost = 30;
/// A piece that stands beside its point, where no reed notices it.
const BESIDE_POINT: Cost = 45;
/// Nobody has pushed it onto its point since the last ply.
pub(crate) const NOT_NUDGED: Cost = 12;
/// The same, for many plies, or until the piece went on: rather its reed has died.
pub(crate) const NEVER_NUDGED: Cost = 52;
/// The same over a reed that was never seen to close: it may have been dead from the first.
const MAY_BE_DEAD: Cost = 30;
/// A piece that stands where no reed notices it, on the point where another was not noticed either.
pub(crate) const SILENT_AGAIN: Cost = 25;
/// The same over a reed that has worked, while the other stands there: it has died.
pub(crate) const SILENT_TWICE: Cost = 45;
/// A move from or to a point whose reed is known to be dull.
pub(crate) const DULL: Cost = 5;
/// A point beside the target of a piece over which something passed.
pub(crate) const BESIDE: Cost = 10;
/// A point beside its way.
pub(crate) const DETOUR: Cost = 40;
/// A point far from its way.
pub(crate) const ASTRAY: Cost = 70;
/// A reed that is stuck under a piece.
pub(crate) const STUCK: Cost = 70;
/// Added where that reed has been seen to open.
pub(crate) const HAS_OPENED: Cost = 20;
/// The most that it costs that the reed of a point that was hardly bared closed long before that of its captor opened.
pub(crate) const OVERLAPS: Cost = 30;
/// Added where another reed is known to be broken.
pub(crate) const SECOND_FAULT: Cost = 10;
/// A reed that sticks all of a sudden.
pub(crate) const STUCK_NOW: Cost = 75;
/// The same, in just the moment in which a hand could have worked it.
pub(crate) const COINCIDENCE: Cost = 35;
/// A reed that sticks closed in just the moment in which a piece could have come to its point.
pub(crate) const ARRIVAL: Cost = 80;
/// The same, later, while that piece has not been seen to arrive elsewhere: it may have been pushed onto the point.
pub(crate) const LATE_ARRIVAL: Cost = 50;
/// A piece was shifted to the next point, and it was no move.
pub(crate) const STRAYED: Cost = 45;
/// A side presses though a piece of its own was only shifted since it pressed last.
pub(crate) const PRESSED_ASTRAY: Cost = 100;
/// A reed that was thought stuck, and moves.
pub(crate) const UNSTUCK: Cost = 70;
/// 自杀.
pub(crate) const SUICIDE: Cost = 30;
/// A move that the piece cannot make.
pub(crate) const WRONG_MOVEMENT: Cost = 80;
/// An illegal move is taken back: whoever notices it must.
pub(crate) const CORRECTED_ILLEGAL: Cost = 5;
/// A move that stood is taken back, though that is forbidden.
pub(crate) const TAKEN_BACK: Cost = 35;
/// The waiting side moves.
pub(crate) const OUT_OF_TURN: Cost = 95;
/// An own piece taken off and another put in its place while both were in the hands.
pub(crate) const OWN_CAPTURED: Cost = 95;
/// A move that hardly anybody would make: capturing an own piece, moving the opponent's piece like nobody's.
pub(crate) const ABSURD: Cost = 120;

/// The mover's own piece taken up and put back.
pub(crate) const HESITATION: Cost = 15;
/// The same, and then he moves another.
pub(crate) const TOUCHED_NOT_MOVED: Cost = 40;
/// The same, just after a capture that nobody saw, before the clock was pressed.
pub(crate) const RATHER_CAPTURED: Cost = 90;
/// The opponent's piece taken up and put back.
pub(crate) const TOUCHED_ENEMY: Cost = 20;
/// The same, with an own piece in the hand.
pub(crate) const TOUCHED_WITH_PIECE_IN_HAND: Cost = 40;
/// A piece came back to its point while one that was taken up meanwhile was in the hand, and that one was not seen to arrive:
/// rather it is what stands there.
pub(crate) const RATHER_SWAPPED: Cost = 70;
/// The same, and the other is believed to stand where no reed notices it: both are rare, and neither brings the other about.
pub(crate) const SWAPPED_FOR_SILENCE: Cost = 120;

/// So many reeds stand closed in an ordinary position.
const STANDING: u64 = 25;
/// Before anything is known, half a drop-out is expected in so many reed-milliseconds.
const CALM_REED_MS: u64 = 300_000;
/// Of a piece whose reed has dropped out it was to be expected in so many milliseconds.
const CALM_PIECE_MS: u64 = 10_000;
/// A reed that is loose for a while drops out again within so much time in which nobody played, in microseconds.
const BURST_US: u64 = 20_000_000;
/// Bounds of what it costs that a reed drops out by chance.
const LEAST_DROPOUT: Cost = 15;
const MOST_DROPOUT: Cost = 110;

/// How likely something of that cost is, as a share of 2³².
pub(crate) fn share(cost: Cost) -> u64 {
    // A tenth of a natural logarithm is 0.14427 bits; between powers of two the share is nearly straight.
    let millibits = u64::from(cost) * 144_270 / 1000;
    let (whole, part) = (millibits / 1000, millibits % 1000);
    ((1 << 32) - (1 << 31) * part / 1000) >> whole.min(40)
}

/// The cost of what happens once in `num / den` times.
pub(crate) fn odds(num: u64, den: u64) -> Cost {
    let scaled = num.saturating_mul(1024) / den.max(1);
    let whole = scaled.max(1024).ilog2();
    // Between powers of two the logarithm is nearly straight.
    let part = ((scaled.max(1024) - (1 << whole)) * 1000) >> whole;
    ((u64::from(whole - 10) * 1000 + part) * 693 / 100_000) as Cost
}

/// What this game has shown of hands and reeds so far.
#[derive(Clone, Debug)]
pub(crate) struct Habits {
    /// How many reeds dropped out while nobody played.
    dropouts: u32,
    /// For how long nobody played, in microseconds.
    rest_us: u64,
    /// How often the reed under the piece of a point dropped out.
    dropouts_at: [u8; Square::COUNT],
    /// What `rest_us` was when that piece came to its point, and when its reed dropped out last.
    rest_at: [u64; Square::COUNT],
    dropped_at: [u64; Square::COUNT],
    /// Reeds that closed for a moment while every piece stood, and those that did so again.
    closed_once: Bitboard,
    closed_again: Bitboard,
    /// Captures whose captured piece was seen to go, and others.
    seen_captures: u32,
    pushed_captures: u32,
    unseen_captures: u32,
    /// Moves in a row whose piece was noticed where it stood.
    noticed: u32,
    /// Presses that completed a move.
    pub presses: u32,
    /// A piece that stands for so long has been moved, in microseconds, where no press says so.
    finished_us: Option<u64>,
}

impl Habits {
    pub(crate) const fn new() -> Habits {
        Habits {
            dropouts: 0,
            rest_us: 0,
            dropouts_at: [0; Square::COUNT],
            rest_at: [0; Square::COUNT],
            dropped_at: [0; Square::COUNT],
            closed_once: Bitboard::EMPTY,
            closed_again: Bitboard::EMPTY,
            seen_captures: 0,
            pushed_captures: 0,
            unseen_captures: 0,
            noticed: 0,
            presses: 0,
            finished_us: None,
        }
    }

    /// A move was made and nobody has pressed yet: a piece that stands for so long, in microseconds, has been moved.
    pub(crate) fn played_without_press(&mut self, finished_us: u64) {
        if self.presses == 0 {
            self.finished_us = Some(finished_us);
        }
    }

    /// A player pressed a clock.
    pub(crate) fn pressed(&mut self) {
        self.presses = self.presses.saturating_add(1);
        self.finished_us = None;
    }

    /// A piece that stood for so long went on and had not been moved.
    pub(crate) fn stood_and_went_on(&self, us: u64) -> Cost {
        match self.finished_us {
            Some(finished) if us >= finished => STOOD_AND_WENT_ON,
            Some(finished) if us >= finished / 3 * 2 => STOOD_AND_WENT_ON / 2,
            _ => 0,
        }
    }

    /// All pieces stood for so long.
    pub(crate) fn rested(&mut self, us: u64) {
        self.rest_us = self.rest_us.saturating_add(us);
    }

    pub(crate) fn dropped_out(&mut self, square: Square) {
        self.dropouts = self.dropouts.saturating_add(1);
        let here = &mut self.dropouts_at[square.index()];
        *here = here.saturating_add(1);
        self.dropped_at[square.index()] = self.rest_us;
    }

    /// A bare reed closed for a moment while every piece stood.
    pub(crate) fn closed_by_itself(&mut self, square: Square) {
        let again = Bitboard::of(square) & self.closed_once;
        self.closed_again |= again;
        self.closed_once.insert(square);
    }

    /// Reeds that close by themselves: they tell of no piece that passes.
    pub(crate) const fn haunted(&self) -> Bitboard {
        self.closed_again
    }

    /// A weak magnet goes where its piece goes.
    pub(crate) fn moved(&mut self, mv: Move) {
        self.dropouts_at[mv.to.index()] = core::mem::take(&mut self.dropouts_at[mv.from.index()]);
        self.dropped_at[mv.to.index()] = self.dropped_at[mv.from.index()];
        self.rest_at[mv.to.index()] = self.rest_us;
    }

    /// The reed of that point opened for a moment without a hand, just while a piece was in a hand for so long.
    pub(crate) fn dropout(&self, square: Square, window_us: u64) -> Cost {
        let exposed_ms = CALM_REED_MS + self.rest_us / 1000 * STANDING;
        let window_ms = (window_us / 1000).max(500);
        let chance = (2 * u64::from(self.dropouts) + 1) * window_ms;
        let of_any = odds(2 * exposed_ms, chance).clamp(LEAST_DROPOUT, MOST_DROPOUT);
        let here = u64::from(self.dropouts_at[square.index()]);
        if here == 0 {
            return of_any;
        }
        // It may be a weak magnet, or one that stands beside its point: how often it dropped out since it stands there tells.
        let stood_ms = CALM_PIECE_MS + self.rest_us.saturating_sub(self.rest_at[square.index()]) / 1000;
        let of_piece = odds(2 * stood_ms, (2 * here + 1) * window_ms);
        // What is loose drops out again and again for a while.
        let burst = self.rest_us.saturating_sub(self.dropped_at[square.index()]) < BURST_US;
        let most = match (burst, here) {
            (false, _) => of_any,
            (true, 1) => 40,
            (true, _) => 25,
        };
        of_any.min(of_piece).min(most).max(LEAST_DROPOUT)
    }

    pub(crate) fn captured(&mut self, basis: Basis) {
        let count = match basis {
            Basis::Replaced => &mut self.seen_captures,
            Basis::Pushed => &mut self.pushed_captures,
            Basis::Unseen => &mut self.unseen_captures,
            _ => return,
        };
        *count = count.saturating_add(1);
    }

    /// Whether these players push captured pieces off their points.
    const fn push(&self) -> bool {
        self.unseen_captures + self.pushed_captures > 1
    }

    /// A captured piece whose reed never opened.
    pub(crate) fn unseen_capture(&self) -> Cost {
        let (pushed, unseen) = (u64::from(self.pushed_captures), u64::from(self.unseen_captures));
        let all = u64::from(self.seen_captures) + pushed + unseen;
        let cost = odds(2 * all + 12, 2 * unseen + pushed + 1);
        if self.push() { cost } else { cost + NEVER_PUSHED }
    }

    pub(crate) fn stood(&mut self, noticed: bool) {
        self.noticed = if noticed { self.noticed.saturating_add(1) } else { 0 };
    }

    /// A piece set down where no reed notices it.
    pub(crate) fn silent(&self) -> Cost {
        BESIDE_POINT + (self.noticed / 8).min(15)
    }
}

/// What it adds in the long run that nobody pushes an unnoticed piece onto its point; `worked` tells whether its reed was seen to
/// close, `second` whether another reed is known to be broken.
pub(crate) const fn never_nudged(worked: bool, second: bool) -> Cost {
    match (worked, second) {
        (true, _) => NEVER_NUDGED,
        (false, true) => MAY_BE_DEAD + SECOND_FAULT,
        (false, false) => MAY_BE_DEAD,
    }
}
