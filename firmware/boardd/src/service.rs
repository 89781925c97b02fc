//! A board as a service of the system: a thread that is never kept waiting, a watchdog that notices when it hangs, and a
//! line for whoever asks how it is.

use std::env;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use sense::Uptime;
use thread_priority::unix::{set_thread_priority_and_policy, thread_native_id};
use thread_priority::{RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};

use crate::Panel;
use crate::scan::ScanCount;
use crate::source::{GoingOn, Sensing, Source};

/// How often the status line is given, and late scans are logged, in microseconds.
const STATUS_US: u64 = 60_000_000;

/// Tells the service manager how a service is, by the protocol of `sd_notify(3)`. Without a manager it tells nobody.
#[derive(Debug)]
pub struct Notifier {
    socket: Option<(UnixDatagram, SocketAddr)>,
    watchdog: Option<Duration>,
}

impl Notifier {
    /// The manager that started this process, as `NOTIFY_SOCKET` and `WATCHDOG_USEC` name it.
    pub fn from_env() -> Notifier {
        let watchdog = env::var("WATCHDOG_USEC").ok().and_then(|us| us.parse().ok());
        match env::var_os("NOTIFY_SOCKET") {
            Some(name) => {
                Notifier::to(name.as_bytes(), watchdog.map(Duration::from_micros)).unwrap_or_else(|error| {
                    tracing::warn!(%error, "the service manager cannot be told anything");
                    Notifier::nobody()
                })
            }
            None => Notifier::nobody(),
        }
    }

    /// Tells nobody.
    pub const fn nobody() -> Notifier {
        Notifier { socket: None, watchdog: None }
    }

    /// Tells that socket, a path or with `@` an abstract name; a sign of life is due within `watchdog`.
    pub fn to(name: &[u8], watchdog: Option<Duration>) -> io::Result<Notifier> {
        let address = match name.strip_prefix(b"@") {
            Some(name) => SocketAddr::from_abstract_name(name)?,
            None => SocketAddr::from_pathname(std::ffi::OsStr::from_bytes(name))?,
        };
        Ok(Notifier { socket: Some((UnixDatagram::unbound()?, address)), watchdog })
    }

    /// Says it. A manager that does not listen does not stop a board.
    fn say(&self, what: &str) {
        if let Some((socket, address)) = &self.socket {
            let _ = socket.send_to_addr(what.as_bytes(), address);
        }
    }
}

/// A source that counts what it does.
pub trait Counted: Source {
    /// What the loop has to tell of itself.
    fn count(&self) -> ScanCount;
}

/// A board that runs as a service.
pub struct Service<S> {
    source: S,
    notifier: Notifier,
    realtime: Option<u8>,
    sign_of_life_at: Uptime,
    status_at: Uptime,
    told: ScanCount,
}

impl<S: Counted> Service<S> {
    /// A board that runs at that real-time priority (1 to 99) if it may, and tells the notifier how it is.
    pub fn new(source: S, notifier: Notifier, realtime: Option<u8>) -> Service<S> {
        let told = ScanCount::default();
        Service { source, notifier, realtime, sign_of_life_at: Uptime::ZERO, status_at: Uptime::ZERO, told }
    }

    fn tell(&mut self, now: Uptime) {
        if now >= self.sign_of_life_at
            && let Some(watchdog) = self.notifier.watchdog
        {
            // Twice in the time that is allowed, as the protocol recommends.
            self.sign_of_life_at = now.plus_us(watchdog.as_micros() as u64 / 2);
            self.notifier.say("WATCHDOG=1");
        }
        if now >= self.status_at {
            self.status_at = now.plus_us(STATUS_US);
            let count = self.source.count();
            let ScanCount { scans, late, latest_us, failed } = count;
            self.notifier.say(&format!(
                "STATUS={scans} scans, {late} late (by {latest_us} us at most), {failed} failed"
            ));
            if late > self.told.late || failed > self.told.failed {
                tracing::warn!(scans, late, latest_us, failed, "scans were late or failed");
            }
            self.told = count;
        }
    }
}

/// Takes the processor before everybody who has no such priority.
fn take_realtime(priority: u8) {
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let asked =
        ThreadPriority::from_posix(thread_priority::unix::ScheduleParams { sched_priority: priority.into() });
    match set_thread_priority_and_policy(thread_native_id(), asked, policy) {
        Ok(()) => tracing::info!(priority, "the scan runs at real-time priority"),
        Err(error) => tracing::warn!(priority, ?error, "no real-time priority; scans may be late"),
    }
}

impl<S: Counted> Source for Service<S> {
    fn start(&mut self, now: Uptime, going_on: Option<GoingOn>) {
        if let Some(priority) = self.realtime {
            take_realtime(priority);
        }
        self.source.start(now, going_on);
        self.notifier.say("READY=1");
        // The first line comes when there is something to tell.
        self.status_at = now.plus_us(STATUS_US / 60);
    }

    fn next(&mut self, deadline: Option<Uptime>) -> Sensing {
        let sensing = self.source.next(deadline);
        match &sensing {
            Sensing::Quiet(now) | Sensing::Order(now, _) => self.tell(*now),
            Sensing::Observed(observation) => self.tell(observation.at),
            Sensing::Game(_) => {}
            Sensing::Ended => self.notifier.say("STOPPING=1"),
        }
        sensing
    }

    fn show(&mut self, panel: &Panel) {
        self.source.show(panel);
    }

    fn has_panel(&self) -> bool {
        self.source.has_panel()
    }
}

impl<S> Drop for Service<S> {
    fn drop(&mut self) {
        self.notifier.say("STOPPING=1");
    }
}
