//! Raw evidence in, events out: the same path for the daemon and for a replay.

use sense::{Debounce, Debouncer, Frame, Signal, Uptime};

use crate::{Config, Event, Input, Referee};
use xiangqi::Position;

/// A debouncer with the referee behind it.
///
/// # Contract
/// 1. Hand in evidence in time order: [`frame`](Observer::frame), [`input`](Observer::input).
/// 2. Call [`advance`](Observer::advance) as time passes. What is due between two calls is handled at the very moment
///    it is due, so a live game that ticks every millisecond and a replay that jumps from line to line give the same
///    events, byte for byte.
/// 3. Take events with [`poll_event`](Observer::poll_event) until there is none.
#[derive(Clone, Debug)]
pub struct Observer {
    debounce: Debounce,
    debouncer: Option<Debouncer>,
    referee: Referee,
}

impl Observer {
    /// Watches a game that starts from `start`, which is believed to stand on the board.
    pub fn new(config: Config, debounce: Debounce, start: Position) -> Observer {
        Observer { debounce, debouncer: None, referee: Referee::new(config, start) }
    }

    /// The referee, for what it believes.
    pub const fn referee(&self) -> &Referee {
        &self.referee
    }

    /// A raw reading of the reeds. The first is the baseline: what it shows has not been done by hands just now.
    pub fn frame(&mut self, now: Uptime, frame: Frame) {
        self.advance(now);
        let referee = &mut self.referee;
        let debouncer = self.debouncer.get_or_insert_with(|| {
            referee.handle(now, Input::Baseline(frame));
            Debouncer::new(self.debounce, frame.closed)
        });
        debouncer.sample(now, frame, &mut |at, signal: Signal| referee.handle(at, signal.into()));
    }

    /// A press, a button, or a command.
    pub fn input(&mut self, now: Uptime, input: Input) {
        self.advance(now);
        self.referee.handle(now, input);
    }

    /// The process is back, at `now`; see [`Referee::restore`].
    pub fn restore(&mut self, now: Uptime, gap_us: Option<u64>) {
        self.referee.restore(now, gap_us);
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: Uptime) {
        loop {
            let settles = self.settles().filter(|due| *due <= now);
            let decides = self.referee.deadline().filter(|due| *due <= now);
            match (settles, decides) {
                (Some(due), other) if other.is_none_or(|other| due <= other) => {
                    let (debouncer, referee) = (&mut self.debouncer, &mut self.referee);
                    if let Some(debouncer) = debouncer {
                        debouncer.advance(due, &mut |at, signal| referee.handle(at, signal.into()));
                    }
                }
                (_, Some(due)) => self.referee.advance(due),
                (_, None) => break,
            }
        }
    }

    /// When something is due if nothing is sensed until then.
    pub fn deadline(&self) -> Option<Uptime> {
        [self.settles(), self.referee.deadline()].into_iter().flatten().min()
    }

    fn settles(&self) -> Option<Uptime> {
        self.debouncer.as_ref().and_then(Debouncer::deadline)
    }

    /// The evidence has ended: lets a minute of silence pass. What stands on the board but may still have been on its
    /// way is not taken for a finished move.
    pub fn end(&mut self, now: Uptime) {
        self.advance(now);
        self.referee.end(now);
        self.advance(now.plus_us(60_000_000));
    }

    /// The next event, in the order in which they happened.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.referee.poll_event()
    }
}
