//! What hands did: every history that explains the evidence, and what is certain among them.
//!
//! A history is a line of play since the last settled move: moves, legal or not, and what hands have done since. Each
//! has a cost, how unlikely it is. Every edge extends the histories by every move that explains it; a move is settled
//! when all histories that lack it have become too unlikely, be it that its player pressed the clock, that the opponent
//! has answered, or that nothing has moved for long. Nothing is guessed: when several remain, that is said, and what is
//! played later decides.

mod basis;
mod beam;
mod contacts;
mod decide;
mod displaced;
mod explain;
mod goal;
mod haste;
mod history;
mod press;
mod start;
mod state;
mod stray;
mod take_back;
mod way;
mod weigh;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use sense::{Blip, Chatter, Edge, Uptime};
use xiangqi::{Bitboard, ByColor, Color, Move, Position, Role, Square};

use crate::event::{Incident, IncidentKind};
use crate::hands::{Contact, Hands};
use crate::{Config, Event, Happening, Input};
use beam::Beam;
use explain::FLICK_US;
use history::History;
pub(crate) use history::Ply;
use take_back::Last;
use weigh::Habits;

/// How much longer a move is waited for where its player presses, or may.
const PATIENCE: u64 = 2;
/// A press waits so long for edges that began with it, in microseconds.
const PRESS_WAITS_US: u64 = 20_000;
/// What begins so soon after a press may have been done before it: a reed is read later than a button, and closes later than
/// the piece stands, in microseconds.
const WITH_PRESS_US: u64 = 10_000;
/// When a game ends by word, as much silence is taken to follow, in microseconds.
const FINISH_US: u64 = 60_000_000;
/// A piece that is pushed from one point to the next is noticed by neither reed for less than this, in microseconds; one that is
/// carried, and then let go, goes on no more.
const PUSHED_ON_US: u64 = 300_000;
/// So many differences between board and position are no play: pieces are being set up, cleared away, or were upset.
const DISORDER: usize = 6;
/// What may remain different when order returns.
const ORDER: usize = 2;
/// After how long without change things are looked at again, in microseconds.
const LOOKS_US: [u64; 4] = [5_000_000, 10_000_000, 15_000_000, 20_000_000];

/// Edges of one reed that follow each other so fast are no gestures, in microseconds.
const FLICKER_US: u64 = 80_000;
/// After so many of them the reed is not believed until it rests.
const FLICKERS: u8 = 4;
/// For so long, in microseconds.
const RESTS_US: u64 = 250_000;

/// Reeds whose edges follow each other faster than hands are.
#[derive(Clone, Debug)]
struct Flicker {
    last: [Uptime; Square::COUNT],
    count: [u8; Square::COUNT],
    /// Reeds that are not believed now.
    restless: Bitboard,
}

impl Flicker {
    /// Notes an edge; tells whether the reed flickers.
    fn edge(&mut self, square: Square, begin: Uptime) -> bool {
        let i = square.index();
        let fast = self.last[i] > Uptime::ZERO && begin.us_since(self.last[i]) < FLICKER_US;
        self.count[i] = if fast { self.count[i].saturating_add(1) } else { 0 };
        self.last[i] = begin;
        if self.count[i] >= FLICKERS {
            self.restless.insert(square);
        }
        self.restless.contains(square)
    }

    /// When the next reed comes to rest, if it does.
    fn rests(&self) -> Option<Uptime> {
        self.restless.map(|square| self.last[square.index()].plus_us(RESTS_US)).min()
    }

    /// Takes a reed that has come to rest by now.
    fn rested(&mut self, now: Uptime) -> Option<Square> {
        let mut restless = self.restless;
        let square = restless.find(|square| self.last[square.index()].plus_us(RESTS_US) <= now)?;
        self.restless.remove(square);
        Some(square)
    }
}

/// What is known beside the histories.
pub(crate) struct Evidence<'a> {
    pub now: Uptime,
    /// When the board last changed.
    pub changed: Uptime,
    /// The settled reading.
    pub closed: Bitboard,
    /// Points whose reeds nobody believes.
    pub unreliable: Bitboard,
    /// Reeds that were seen to close, and to open.
    pub worked: Bitboard,
    pub opened: Bitboard,
    pub habits: &'a Habits,
    /// Whether pieces have been upset and do not all stand again.
    pub upset: bool,
    /// The last move of the record, which may be taken back.
    pub last: Option<&'a Last>,
    clock: bool,
    quiet_us: u64,
    ended: bool,
}

impl Evidence<'_> {
    pub(crate) fn believes(&self, square: Square) -> bool {
        !self.unreliable.contains(square)
    }

    /// Whether the players press a clock.
    pub(crate) fn clock(&self) -> bool {
        self.clock
    }

    /// Whether the board changed a moment ago.
    pub(crate) fn is_moving(&self) -> bool {
        self.now.us_since(self.changed) < displaced::DISPLACED_US
    }

    /// How long a finished move stands still before it counts as finished without a press.
    pub(crate) fn quiet_us(&self) -> u64 {
        self.quiet_us
    }

    /// The evidence has ended, and the piece that stands may have been on its way.
    pub(crate) fn may_go_on(&self, history: &History) -> bool {
        if !self.ended {
            return false;
        }
        if self.clock {
            let landed = &history.hands.landed;
            return history.early_press.is_none()
                || landed.iter().any(|landing| history.goes_beyond(landing.square));
        }
        let aloft = history.hands.aloft().next();
        let (Some(lift), Some(landing)) = (aloft, history.hands.landed.first()) else {
            return false;
        };
        let (from, to) = (lift.square, landing.square);
        let role = history.position.board().role_at(from);
        let line = matches!(role, Some(Role::Rook | Role::Cannon));
        let pushed = landing.at.us_since(lift.at) < PUSHED_ON_US;
        let step = pushed && xiangqi::attacks::between(from, to).is_empty();
        let slid =
            !(history.hands.passed_since(Uptime::ZERO) & xiangqi::attacks::between(from, to)).is_empty();
        line && (slid || step) && goes_on(from, to, history.position.board().occupied())
    }
}

/// Whether the point beyond `to`, seen from `from`, is empty.
fn goes_on(from: Square, to: Square, occupied: Bitboard) -> bool {
    let step = |a: usize, b: usize| (b as i8 - a as i8).signum();
    let files = step(from.file().index(), to.file().index());
    let ranks = step(from.rank().index(), to.rank().index());
    to.offset(files, ranks).is_some_and(|next| !occupied.contains(next))
}

/// Follows one game from edges and presses.
#[derive(Clone, Debug)]
pub(crate) struct Inference {
    config: Config,
    position: Position,
    moves: Vec<Move>,
    /// The last of them, as long as nothing else has been made of the board.
    last: Option<Last>,
    histories: Vec<History>,
    /// First moves of histories that were possible and too many to follow.
    unfollowed: Vec<Option<Move>>,
    habits: Habits,
    closed: Bitboard,
    unreliable: Bitboard,
    worked: Bitboard,
    opened: Bitboard,
    changed: Uptime,
    looked: Uptime,
    /// When a reed opened last, and whether a move waits for what comes of it.
    bared: Uptime,
    withheld: bool,
    press: Option<(Uptime, Color)>,
    flicker: Flicker,
    disorder: bool,
    begun: bool,
    over: bool,
    ended: bool,
    /// When each side announced last that it straightens pieces.
    adjust: ByColor<Option<Uptime>>,
    said: decide::Said,
    out: VecDeque<Event>,
    /// How many histories and readings were weighed so far.
    work: u64,
}

impl Inference {
    pub(crate) fn new(config: Config, start: Position) -> Inference {
        Inference {
            config,
            moves: Vec::new(),
            last: None,
            histories: alloc::vec![History::new(start)],
            unfollowed: Vec::new(),
            habits: Habits::new(),
            closed: start.board().occupied(),
            position: start,
            unreliable: Bitboard::EMPTY,
            worked: Bitboard::EMPTY,
            opened: Bitboard::EMPTY,
            changed: Uptime::ZERO,
            looked: Uptime::ZERO,
            bared: Uptime::ZERO,
            withheld: false,
            press: None,
            flicker: Flicker {
                last: [Uptime::ZERO; Square::COUNT],
                count: [0; Square::COUNT],
                restless: Bitboard::EMPTY,
            },
            disorder: false,
            begun: false,
            over: false,
            ended: false,
            adjust: ByColor::default(),
            said: decide::Said::default(),
            out: VecDeque::new(),
            work: 0,
        }
    }

    /// How many histories and readings of them were weighed so far.
    pub(crate) const fn work(&self) -> u64 {
        self.work
    }

    /// How much is remembered of what is not settled: plies, pieces off their points, touches.
    pub(crate) fn held(&self) -> usize {
        let of = |history: &History| {
            let Hands { lifted, landed, contacts, passed, .. } = &history.hands;
            1 + history.plies.len() + lifted.len() + landed.len() + contacts.len() + passed.len()
        };
        self.histories.iter().map(of).sum::<usize>() + self.unfollowed.len() + self.out.len()
    }

    /// The position after the committed moves.
    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// The committed moves.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Every history with its cost, the best first.
    pub(crate) fn readings(&self, now: Uptime) -> Vec<(Vec<Move>, u32)> {
        let evidence = self.evidence(now);
        let mut readings: Vec<(Vec<Move>, u32)> = self
            .histories
            .iter()
            .map(|h| (h.plies.iter().map(|ply| ply.mv).collect(), h.path + h.state(&evidence)))
            .collect();
        readings.sort_by_key(|(moves, cost)| (*cost, moves.len()));
        readings
    }

    pub(crate) fn poll_event(&mut self) -> Option<Event> {
        self.out.pop_front()
    }

    /// No more evidence will come: what only silence can settle is settled as time passes from here.
    pub(crate) fn end(&mut self) {
        self.ended = true;
    }

    /// The move that stands and is not committed.
    pub(crate) const fn provisional(&self) -> Option<Move> {
        self.said.provisional()
    }

    /// The game ends by word: what a minute of silence would settle is settled now.
    pub(crate) fn finish(&mut self, now: Uptime) {
        let ended = core::mem::replace(&mut self.ended, true);
        while let Some(due) = self.deadline().filter(|due| *due <= now.plus_us(FINISH_US)) {
            self.advance(due);
        }
        self.ended = ended;
        self.looked = now;
    }

    /// The arbiter says what has been played and what stands: what the board shows otherwise is put right by hand and is
    /// no move.
    pub(crate) fn restart(&mut self, now: Uptime, closed: Bitboard, position: Position, moves: Vec<Move>) {
        let mut history = History::new(position);
        history.since = now;
        self.unreliable = closed ^ position.board().occupied();
        self.closed = closed;
        self.position = position;
        self.moves = moves;
        self.last = None;
        self.histories = alloc::vec![history];
        self.unfollowed.clear();
        (self.changed, self.looked) = (now, now);
        self.press = None;
        (self.disorder, self.over) = (false, false);
        self.said = decide::Said::default();
    }

    /// Whether all pieces stand, and no capture may be going on that nobody sees.
    fn is_calm(&self) -> bool {
        self.histories.first().is_some_and(|best| best.hands.mismatches() == 0 && !best.is_guessing())
    }

    /// Notes the time in which all pieces stood.
    fn rest(&mut self, now: Uptime) {
        if self.is_calm() {
            self.habits.rested(now.us_since(self.looked));
        }
    }

    pub(crate) fn handle(&mut self, now: Uptime, input: Input) {
        self.rest(now);
        let waits = self.press.is_some_and(|(at, _)| match input {
            Input::Edge(edge) => edge.begin > at.plus_us(WITH_PRESS_US),
            Input::Blip(_) => false,
            _ => true,
        });
        if waits {
            self.take_press(now);
        }
        match input {
            Input::Baseline(frame) => self.baseline(now, frame.closed),
            Input::Edge(edge) => self.edge(now, edge),
            Input::Blip(blip) => self.blip(blip),
            Input::Chatter(chatter) => self.chatter(now, chatter),
            Input::Press(side) => self.press = Some((now, side)),
            Input::Adjust(side) => self.announce(now, side),
            _ => {}
        }
        self.looked = now;
    }

    /// Somebody presses the button before he straightens pieces. A button that both sides share is pressed by whoever is to move:
    /// only in his own time may he (5.6).
    fn announce(&mut self, now: Uptime, side: Option<Color>) {
        let side = side.unwrap_or_else(|| self.histories.first().map_or(self.position.turn(), History::turn));
        self.adjust[side] = Some(now);
    }

    /// When something is decided if nothing happens until then.
    pub(crate) fn deadline(&self) -> Option<Uptime> {
        let press = self.press.map(|(at, _)| at.plus_us(PRESS_WAITS_US));
        let evidence = self.evidence(self.looked);
        let (quiet, strays) = (evidence.quiet_us(), evidence.clock().then_some(stray::STRAYS_US));
        let settles = [quiet, 2 * quiet, decide::REPLY_STANDS_US, history::PASSING_US];
        let displaces = [displaced::DISPLACED_US, displaced::UPSET_US, displaced::RESTING_US];
        let quiets = settles.into_iter().chain(displaces).chain(strays).chain(LOOKS_US);
        let looks = quiets.map(|after| self.changed.plus_us(after)).filter(|due| *due > self.looked);
        let idle = self.said.idle_press_due(&self.histories);
        let lasts =
            self.withheld.then(|| self.bared.plus_us(Contact::BRIEF_US)).filter(|due| *due > self.looked);
        press.into_iter().chain(lasts).chain(looks).chain(idle).chain(self.flicker.rests()).min()
    }

    pub(crate) fn advance(&mut self, now: Uptime) {
        self.rest(now);
        if self.press.is_some_and(|(at, _)| at.plus_us(PRESS_WAITS_US) <= now) {
            self.take_press(now);
        }
        while let Some(square) = self.flicker.rested(now) {
            self.sense(square, self.closed.contains(square), now);
        }
        self.looked = now;
        if !self.disorder {
            self.explain(now, None);
        }
        self.decide(now);
    }

    fn evidence(&self, now: Uptime) -> Evidence<'_> {
        let clock = self.config.clock || self.habits.presses > 0;
        // Before the first move nobody knows whether the players will press.
        let unknown = !clock && self.moves.is_empty();
        Evidence {
            now,
            changed: self.changed,
            closed: self.closed,
            unreliable: self.unreliable,
            worked: self.worked,
            opened: self.opened,
            habits: &self.habits,
            upset: self.said.displaced.is_some(),
            last: self.last.as_ref(),
            clock,
            quiet_us: self.config.quiet_us * if clock || unknown { PATIENCE } else { 1 },
            ended: self.ended,
        }
    }

    /// The first reading: what already stands elsewhere than believed is no gesture.
    fn baseline(&mut self, now: Uptime, closed: Bitboard) {
        let differs = closed ^ self.closed;
        self.said.start.begins(differs);
        // Until now it was only believed what stands there.
        self.begun = false;
        self.closed = closed;
        self.worked |= closed;
        self.opened |= !closed;
        self.changed = now;
        let history = &mut self.histories[0];
        let played = history.legal.into_iter().any(|mv| {
            let after = history.position.play_unchecked(mv).board().occupied();
            after == closed && history.color_at(mv.to).is_none()
        });
        if played || differs.count() as usize > DISORDER / 2 {
            for square in differs {
                history.sense(square, closed.contains(square), now, &self.habits);
            }
            for lift in &mut history.hands.lifted {
                lift.knocked = true;
            }
            self.disorder = !played;
        } else {
            self.unreliable = differs;
        }
        self.explain(now, None);
        self.decide(now);
    }

    fn edge(&mut self, now: Uptime, edge: Edge) {
        let Edge { square, closed, begin, settled } = edge;
        if closed {
            self.closed.insert(square);
            self.worked.insert(square);
        } else {
            self.closed.remove(square);
            self.opened.insert(square);
            self.bared = begin;
        }
        if self.flicker.edge(square, begin) {
            self.unreliable.insert(square);
            for history in &mut self.histories {
                history.disbelieve(square);
            }
            self.report_fault(now, square, "the reed chatters");
            return;
        }
        self.changed = settled;
        let calm =
            self.histories.first().is_some_and(|best| best.hands.mismatches() <= 1 && !best.is_guessing());
        self.sense(square, closed, begin);
        if closed
            && calm
            && let Some(best) = self.histories.first()
        {
            let alone = best.hands.mismatches() == 0;
            if alone
                && best
                    .hands
                    .contact_of(square)
                    .is_some_and(|contact| contact.closed == begin && contact.is_brief() && !contact.shaken)
            {
                self.habits.dropped_out(square);
            }
        }
        self.order(now);
        if !self.disorder {
            self.explain(now, None);
        }
        self.decide(now);
    }

    /// A reed that is believed shows this now.
    fn sense(&mut self, square: Square, closed: bool, at: Uptime) {
        self.unreliable.remove(square);
        for history in &mut self.histories {
            history.sense(square, closed, at, &self.habits);
        }
    }

    fn blip(&mut self, blip: Blip) {
        if !blip.closed && self.is_calm() {
            self.habits.closed_by_itself(blip.square);
        }
        if !blip.closed || blip.away_us < FLICK_US || self.unreliable.contains(blip.square) {
            return;
        }
        let Blip { square, begin, end, away_us, .. } = blip;
        let (opened, again, closed) = (begin, begin, end);
        let contact = Contact { square, opened, again, closed, away_us, knocked: false, shaken: false };
        let calm = self.is_calm();
        for history in &mut self.histories {
            if history.position.board().occupied().contains(square) {
                history.path += history.coincidence(square, end, &self.habits);
                history.hands.touch(contact);
            }
        }
        // A table that is shaken tells nothing of the reed.
        let shaken = |best: &History| best.hands.contact_of(square).is_some_and(|contact| contact.shaken);
        if calm && !self.histories.first().is_some_and(shaken) {
            self.habits.dropped_out(square);
        }
        if !self.disorder {
            self.explain(end, None);
        }
        self.decide(self.looked.max(end));
    }

    fn chatter(&mut self, now: Uptime, chatter: Chatter) {
        self.unreliable.insert(chatter.square);
        for history in &mut self.histories {
            history.disbelieve(chatter.square);
        }
        self.report_fault(now, chatter.square, "the reed chatters");
        self.explain(now, None);
        self.decide(now);
    }

    fn take_press(&mut self, now: Uptime) {
        let Some((at, side)) = self.press.take() else { return };
        if self.over {
            return;
        }
        self.habits.pressed();
        if !self.disorder {
            self.explain(now, Some(side));
        }
        let last = self.last.as_ref().map(|last| &last.ply);
        for history in &mut self.histories {
            history.press(side, at, last);
        }
        self.decide(now);
    }

    /// Whether the board is in such disorder that nothing on it is play.
    fn order(&mut self, now: Uptime) {
        let least = self.histories.iter().map(|h| h.hands.mismatches()).min().unwrap_or(0);
        if !self.disorder {
            self.disorder = least >= DISORDER;
            return;
        }
        if least > ORDER {
            return;
        }
        self.disorder = false;
        self.histories.retain(|history| history.hands.mismatches() == least);
        let rest: Bitboard = self.histories[0].hands.mismatched().into_iter().collect();
        self.unreliable |= rest;
        for history in &mut self.histories {
            history.hands = Hands::default();
            history.since = now;
        }
    }

    /// Reads the evidence anew: every history is extended, and the likeliest are followed.
    fn explain(&mut self, now: Uptime, pressed: Option<Color>) {
        if self.over {
            return;
        }
        let mut beam = Beam::new(core::mem::take(&mut self.histories));
        let mut unfollowed = core::mem::take(&mut self.unfollowed);
        let evidence = self.evidence(now);
        beam.extend(&evidence, pressed);
        let work = beam.work;
        let followed = beam.likeliest(&evidence, &mut unfollowed);
        (self.histories, self.unfollowed) = (followed, unfollowed);
        self.work += work;
    }

    /// Says once that a reed is not to be trusted.
    fn report_fault(&mut self, now: Uptime, square: Square, note: &str) {
        if self.said.faulty.contains(square) {
            return;
        }
        self.said.faulty.insert(square);
        self.incident(now, IncidentKind::SensorFault, None, "", alloc::vec![square], note);
    }

    fn incident(
        &mut self,
        now: Uptime,
        kind: IncidentKind,
        side: Option<Color>,
        article: &str,
        squares: Vec<Square>,
        note: &str,
    ) {
        let ply = self.moves.len() as u32 + 1;
        let (article, note) = (article.into(), note.into());
        let incident = Incident { kind, ply, side, article, squares, note };
        self.out.push_back(Event::new(now, Happening::Incident(incident)));
    }
}
