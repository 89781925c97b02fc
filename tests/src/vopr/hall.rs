//! A hall server in the simulated world: what arbiters and what the public see, and the law that the public is never
//! early.

use std::fmt;

use boardd::Publication;
use referee::relay::Refill;
use referee::{Ply, Snapshot};
use venue::{Delay, DelayLine, DelayRule, Delays, Moment, Published, Replica};
use xiangqi::Move;

use super::BOARD;

/// A hall server, which may be started anew and lose its link; and what the public may know when.
pub(super) struct Hall {
    delay: Delay,
    live: Replica,
    line: DelayLine,
    /// When it was started, in microseconds of the world.
    started_us: u64,
    /// How far its wall clock is ahead of the world's, in milliseconds.
    ahead_ms: u64,
    linked: bool,
}

impl Hall {
    pub(super) fn new(delay: Delay) -> Hall {
        let rule = DelayRule { event: None, delay };
        let line = DelayLine::new(Delays::new([rule]));
        Hall { delay, live: Replica::new(), line, started_us: 0, ahead_ms: 0, linked: false }
    }

    pub(super) fn is_linked(&self) -> bool {
        self.linked
    }

    /// It is stopped and started again, and knows nothing.
    pub(super) fn restart(&mut self, world_us: u64, ahead_ms: u64) {
        *self = Hall { started_us: world_us, ahead_ms, ..Hall::new(self.delay) };
    }

    pub(super) fn lose_link(&mut self) {
        self.linked = false;
    }

    /// The link is made, and the broker sends what it has kept.
    pub(super) fn link<'a>(
        &mut self,
        world_us: u64,
        retained: impl Iterator<Item = (&'a String, &'a String)>,
    ) {
        self.linked = true;
        self.live.link_made();
        self.line.link_made();
        for (topic, payload) in retained {
            self.take(world_us, topic, payload, true);
        }
    }

    pub(super) fn see(&mut self, world_us: u64, publication: &Publication) {
        self.take(world_us, &publication.topic, &publication.payload, false);
    }

    fn take(&mut self, world_us: u64, topic: &str, payload: &str, retained: bool) {
        let now = self.moment(world_us);
        let payload = payload.as_bytes();
        self.live.apply(topic, payload).expect("boards publish what can be read");
        let published = Published { topic, payload, retained };
        self.line.take(now, published, &self.live).expect("boards publish what can be read");
    }

    /// Time passes.
    pub(super) fn advance(&mut self, world_us: u64) {
        self.line.advance(self.moment(world_us), &self.live);
    }

    fn moment(&self, world_us: u64) -> Moment {
        let utc_ms = super::EPOCH_MS + world_us / 1000 + self.ahead_ms;
        Moment { up_ms: (world_us - self.started_us) / 1000, utc_ms }
    }

    /// What it asks the board for.
    pub(super) fn wanted(&self) -> Vec<Refill> {
        let wanted = self.line.wanted(&self.live).into_iter();
        wanted.map(|(_, from, to)| Refill { v: Refill::VERSION, from, to }).collect()
    }

    /// The public is never early: `happened_us` says when in the world something was at a moment of the board's uptime.
    pub(super) fn nothing_is_early(
        &self,
        world_us: u64,
        happened_us: impl Fn(u64) -> u64,
    ) -> Result<(), String> {
        let Some(public) = self.line.public().latest(BOARD) else { return Ok(()) };
        let age_ms = (world_us - happened_us(public.us)) / 1000;
        // Uptimes are cut to milliseconds on the way.
        if age_ms + 1 < self.delay.ms {
            return Err(format!("line {} is public after {age_ms} of {} ms", public.seq, self.delay.ms));
        }
        let live = self.live.latest(BOARD).filter(|live| live.game == public.game);
        let Some(live) = live.filter(|live| self.delay.plies > 0 && live.result.is_none()) else {
            return Ok(());
        };
        let reach = public.plies.len() + usize::from(public.provisional.is_some());
        if reach > 0 && reach + self.delay.plies as usize > live.plies.len() {
            return Err(format!("{reach} plies are public when {} are played", live.plies.len()));
        }
        Ok(())
    }

    /// Whether everything has arrived that shows, and is old enough where nothing waits for plies. That lines at the very end
    /// are missing which show nothing is noticed with the next one.
    pub(super) fn has_everything(&self, retained: &Snapshot) -> bool {
        let Some(live) = self.live.latest(BOARD) else { return false };
        let public = self.line.public().latest(BOARD).map(|public| public.seq);
        let is_shown = if self.delay.plies > 0 { self.shows_enough(live) } else { public == Some(live.seq) };
        live.shows_the_same(retained) && self.line.wanted(&self.live).is_empty() && is_shown
    }

    /// Whether the public sees the same at both; `timed` with the moment from which the clock runs.
    pub(super) fn shows_what(&self, other: &Hall, timed: bool) -> bool {
        let shows = |hall: &Hall| {
            let mut shown = hall.line.public().latest(BOARD)?.clone();
            shown.clock.iter_mut().filter(|_| !timed).for_each(|clock| clock.at_utc_ms = 0);
            Some(shown)
        };
        match (shows(self), shows(other)) {
            (Some(shown), Some(expected)) => shown.shows_the_same(&expected),
            (shown, expected) => shown == expected,
        }
    }

    /// The moves that the public sees.
    fn public_moves(&self) -> Vec<Move> {
        self.line.public().latest(BOARD).map_or_else(Vec::new, |public| moves(&public.plies))
    }

    /// Whether the public sees all plies of a game but those that it may not see.
    fn shows_enough(&self, game: &Snapshot) -> bool {
        let hidden = if game.result.is_some() { 0 } else { self.delay.plies as usize };
        // A ply that waits to be certain hides one more.
        self.public_moves().len() + hidden + usize::from(hidden > 0) >= game.plies.len()
    }

    /// It shows what the journal says, to arbiters and to the public, and holds the lines of the game.
    pub(super) fn judge(&self, folded: &Snapshot, lines: &[String]) -> Result<(), String> {
        let live = self.live.latest(BOARD).ok_or("the hall knows no game")?;
        if !live.shows_the_same(folded) {
            return Err(format!("the hall shows\n{live:?}\nand should show\n{folded:?}"));
        }
        let began = folded.began.unwrap_or(0);
        let held = self.live.journal(BOARD, began.checked_sub(1), usize::MAX).unwrap_or_default();
        let game = lines.get(usize::try_from(began).unwrap_or(usize::MAX)..).unwrap_or_default();
        let end = usize::try_from(live.seq + 1 - began).unwrap_or(usize::MAX);
        if !held.iter().map(|line| &**line).eq(game.iter().take(end).map(String::as_str)) {
            return Err(format!("the hall holds {} lines of {}", held.len(), game.len()));
        }
        let (shown, all) = (self.public_moves(), moves(&folded.plies));
        if !all.starts_with(&shown) || !self.shows_enough(folded) {
            return Err(format!("the public sees {shown:?} of {all:?}, {:?}", self.delay));
        }
        Ok(())
    }
}

fn moves(plies: &[Ply]) -> Vec<Move> {
    plies.iter().map(|ply| ply.mv).collect()
}

/// How far it is.
impl fmt::Display for Hall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seq = |replica: &Replica| replica.latest(BOARD).map(|snapshot| snapshot.seq);
        let (live, public, wanted) = (seq(&self.live), seq(self.line.public()), self.line.wanted(&self.live));
        write!(f, "a hall is at {live:?}, its public at {public:?}, it wants {wanted:?}, {:?}", self.delay)
    }
}
