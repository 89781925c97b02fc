//! The daemon: a scan thread that never waits, a journal thread that writes, a link thread that publishes.
//!
//! ```text
//! source ─► Table ─► Queue (bounded) ─► Journal (group commit) ─► end of what is on disk ─► Outbox ─► broker
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use referee::checkpoint::Due;
use referee::relay::{Alarm, Answer, Rejection, SecretKey};
use referee::{Command, Record};
use sense::{Frame, Uptime};
use tokio::sync::watch;
use transport::Brokers;

use crate::camera::{Camera, camera};
use crate::link::{self, Link};
use crate::orders::{CheckedOrder, Refusals, rejected};
use crate::queue::Queue;
use crate::source::{GoingOn, Sensing, Source};
use crate::still;
use crate::table::{self, Disagreement, Resumed, Table};
use crate::writer::Writer;
use crate::{Alarms, Arbiters, CameraProgram, Cut, Disk, Found, FoundGame, Journal, Outbox, Panel};

/// The longest outage that is believed to be one: more is a wall clock that was wrong.
const LONGEST_OUTAGE: Duration = Duration::from_secs(24 * 3600);

/// Orders that wait for the scan, which looks at least every twentieth of a second; one more is refused.
const ORDERS: usize = 64;

/// What a daemon must be told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The board's id.
    pub board: String,
    /// Whether a journal of another board may be gone on with, under this id.
    pub renamed: bool,
    /// The broker, or the nodes of a cluster; without one the board records and does not publish.
    pub brokers: Option<Brokers>,
    /// Whose orders it carries out.
    pub arbiters: Arbiters,
    /// Which start of the machine this is; empty where the machine does not tell.
    pub boot: String,
    /// The key that signs the journal; without one it is not signed.
    pub key: Option<SecretKey>,
    /// What takes stills of the board; without one, orders to take them are refused.
    pub camera: Option<CameraProgram>,
}

/// Which start of the machine this is: the kernel draws a new id at each. Empty where there is no such kernel.
pub fn boot_id() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

/// Why a daemon cannot run.
#[derive(Debug)]
pub enum RunError {
    /// The journal cannot be used.
    Journal(std::io::Error),
    /// The journal is another board's.
    OtherBoard {
        /// Whose it is.
        journal: String,
        /// Who was to go on with it.
        asked: String,
    },
    /// The journal's evidence reads differently with this version of the referee.
    Disagreement(Box<Disagreement>),
    /// A thread could not be started.
    Thread(std::io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Journal(error) => write!(f, "journal: {error}"),
            RunError::OtherBoard { journal, asked } => write!(
                f,
                "journal: it is of board {journal:?}, not of {asked:?}; give --id {journal}, another directory, or --rename if \
                 the board is called {asked:?} from now on"
            ),
            RunError::Disagreement(error) => {
                write!(f, "the running game was recorded by another version: {error}")
            }
            RunError::Thread(error) => write!(f, "no thread: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Runs a board until `stop` becomes true or the source ends: then everything is written, published as far as the
/// broker takes it, and the board says that it is offline.
pub fn run<D: Disk, S: Source>(
    disk: D,
    source: S,
    config: &Config,
    stop: watch::Receiver<bool>,
) -> Result<(), RunError> {
    let (mut journal, found) = Journal::open(disk.clone(), &config.board).map_err(RunError::Journal)?;
    if let Some(journal) = found.board.clone().filter(|board| *board != config.board && !config.renamed) {
        return Err(RunError::OtherBoard { journal, asked: config.board.clone() });
    }
    let alarms = Alarms::default();
    report(&config.board, &found, &alarms);
    config.key.iter().for_each(|key| journal.sign_with(key.clone()));
    let resumed = match &found.game {
        Some(game) => Some(table::resume(game).map_err(RunError::Disagreement)?),
        None => None,
    };
    let (written, end) = watch::channel(journal.end().next_seq());
    let (closing, closed) = watch::channel(false);
    let uptime_us = Arc::new(AtomicU64::new(0));
    let queue = Queue::default();
    let (order, orders) = mpsc::sync_channel(ORDERS);
    let (give_back, returned) = tokio::sync::mpsc::channel(ORDERS);
    let (camera, photographer) = camera(config.camera.clone(), disk.clone());
    thread::scope(|threads| {
        let outbox = outbox(config, &disk, &found);
        let link = config.brokers.clone().map(|brokers| Link {
            board: config.board.clone(),
            brokers,
            outbox,
            alarms: alarms.clone(),
            disk: disk.clone(),
            end,
            stop: closed,
            uptime_us: Arc::clone(&uptime_us),
            arbiters: config.arbiters.clone(),
            orders: order,
            returned,
        });
        if let Some(link) = link {
            thread::Builder::new()
                .name(format!("link {}", config.board))
                .spawn_scoped(threads, || publish(link))
                .map_err(RunError::Thread)?;
        }
        if let Some(photographer) = photographer {
            // Before the scan, whose priority it would otherwise inherit.
            thread::Builder::new()
                .name(format!("camera {}", config.board))
                .spawn_scoped(threads, || photographer.run())
                .map_err(RunError::Thread)?;
        }
        let refusals = Refusals::default();
        let scan =
            Scan { config, queue: &queue, uptime_us: &uptime_us, stop, orders, give_back, camera, refusals };
        thread::Builder::new()
            .name(format!("scan {}", config.board))
            .spawn_scoped(threads, || scan.run(source, &found, resumed))
            .map_err(RunError::Thread)?;
        let key = config.key.clone();
        let writer = Writer::new(journal, disk, &queue, written, alarms, key);
        writer.run();
        // The link has sent what it could when it has seen this.
        let _ = closing.send(true);
        Ok(())
    })
}

/// Says what was found; what is wrong with it is an alarm, too, for as long as its game is on the board.
fn report(board: &str, found: &Found, alarms: &Alarms) {
    tracing::info!(board, lines = found.lines, "journal verified");
    if let Some(cut) = &found.cut {
        let (bytes, kept_in, bad) = (cut.bytes, &cut.kept_in, &cut.bad);
        let what = match cut.alarm() {
            None => "a torn end",
            Some(Alarm::JournalLinesGone { .. }) => "records that a broker has had are gone",
            Some(_) => "records were damaged",
        };
        match &found.not_cut {
            Some(why) => tracing::error!(
                board,
                bytes,
                kept_in,
                "{what}, and the disk takes nothing: {why}; make room: until then nothing is written, and the board plays on: {bad}"
            ),
            None if cut.is_torn => tracing::warn!(board, bytes, kept_in, "{what} was cut off: {bad}"),
            None if bytes == 0 => tracing::error!(board, "{what}: {bad}"),
            None => tracing::error!(board, bytes, kept_in, "{what} and are set aside: {bad}"),
        }
    }
    if let Some(alarm) = found.cut.as_ref().and_then(Cut::alarm).or(found.set_aside.clone()) {
        alarms.raise(alarm);
    }
    if let Some(bad) = &found.damaged {
        tracing::error!(
            board,
            "records of earlier games are damaged or gone, and are left as they are: {bad}"
        );
        alarms.raise(Alarm::JournalDamaged { file: bad.file.clone(), line: bad.line });
    }
}

/// What is to be published, from the place on that a broker is not known to have.
fn outbox<D: Disk>(config: &Config, disk: &D, found: &Found) -> Outbox<D> {
    let noted = link::noted(disk).clamp(found.whole_from, found.lines.max(found.whole_from));
    let began = found.game.as_ref().map(|game| game.seq);
    let mut outbox = Outbox::new(&config.board, disk.clone(), noted, began);
    outbox.set_key(config.key.as_ref().map(|key| key.public().to_string()));
    outbox
}

fn publish<D: Disk>(link: Link<D>) {
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(link.run()),
        Err(error) => tracing::error!(%error, "nothing is published"),
    }
}

/// The scan thread: evidence to records. It waits for nothing but the source.
struct Scan<'a> {
    config: &'a Config,
    queue: &'a Queue,
    uptime_us: &'a AtomicU64,
    stop: watch::Receiver<bool>,
    /// Orders that came over the wire.
    orders: mpsc::Receiver<CheckedOrder>,
    /// Where answers to orders go that concern no game of ours.
    give_back: tokio::sync::mpsc::Sender<Answer>,
    camera: Camera,
    refusals: Refusals,
}

impl Scan<'_> {
    fn run<S: Source>(mut self, mut source: S, found: &Found, resumed: Option<Resumed>) {
        let (start, away_us) = start_of_run(found);
        // A machine that has run all the time has counted it all; one that was off can only believe its wall clock.
        let gap_us = away_us.filter(|_| !found.boot.is_empty() && found.boot == self.config.boot);
        let going_on = found.game.as_ref().zip(resumed.as_ref()).map(going_on);
        // In the place of what is set aside, so that followers who had it know.
        let damaged = found.cut.as_ref().filter(|cut| !cut.is_torn);
        damaged.into_iter().for_each(|cut| self.queue.push(cut.record(found.last.as_us())));
        self.queue.push(Record::Opened {
            format: "luozi-journal".to_owned(),
            version: 1,
            board: self.config.board.clone(),
            firmware: env!("CARGO_PKG_VERSION").to_owned(),
            us: start.as_us(),
            boot: self.config.boot.clone(),
            gap_us,
            unsigned_at_most: self.config.key.is_some().then_some(Due::LINES),
        });
        self.uptime_us.store(start.as_us(), Ordering::Relaxed);
        let mut table = resumed.map(|resumed| resumed.table);
        if let Some(table) = &mut table {
            table.restore(start, gap_us);
        }
        if let Some(game) = &found.game {
            still::given_up(game, start).for_each(|still| self.queue.push(still));
        }
        source.start(start, going_on);
        loop {
            self.drain(&mut table);
            if let Some(table) = table.as_ref().filter(|_| source.has_panel()) {
                let now = Uptime::from_us(self.uptime_us.load(Ordering::Relaxed));
                source.show(&Panel::of(table.referee(), now));
            }
            if *self.stop.borrow() {
                break;
            }
            match source.next(table.as_ref().and_then(Table::deadline)) {
                Sensing::Game(header) => {
                    table = Some(Table::new(&header));
                    self.queue.push(Record::Game(header));
                }
                Sensing::Observed(observation) => {
                    self.uptime_us.store(observation.at.as_us(), Ordering::Relaxed);
                    // Between games pieces are set up; nobody judges that.
                    if let Some(table) = &mut table {
                        table.take(&observation);
                    }
                }
                Sensing::Order(at, order) => {
                    if let Some(table) = &mut table {
                        table.order(at, &order);
                    }
                }
                Sensing::Quiet(now) => {
                    self.uptime_us.store(now.as_us(), Ordering::Relaxed);
                    if let Some(table) = &mut table {
                        table.advance(now);
                    }
                }
                Sensing::Ended => break,
            }
            self.take_orders(&mut table);
        }
        self.drain(&mut table);
        let us = self.uptime_us.load(Ordering::Relaxed);
        self.camera.finish(us).into_iter().for_each(|still| self.queue.push(still));
        self.queue.close();
    }

    /// Takes the orders that have come. Their moment is the one up to which the board has looked.
    fn take_orders(&mut self, table: &mut Option<Table>) {
        let now = Uptime::from_us(self.uptime_us.load(Ordering::Relaxed));
        while let Ok(CheckedOrder { signed, body }) = self.orders.try_recv() {
            let taken = match table {
                Some(table) if body.order.command == Command::Still && table.is_new(&body) => {
                    self.camera.is_free().and_then(|()| table.signed_order(now, &signed, &body))
                }
                Some(table) => table.signed_order(now, &signed, &body),
                None => Err(Rejection::NoGame),
            };
            if let Err(why) = taken {
                // When too many answers wait, this one is not given; its sender asks again.
                let answer = rejected(&self.config.board, &body.id, body.order.command.name(), why);
                let _ = self.give_back.try_send(answer);
            }
            // A still that was ordered is begun before the next is asked for.
            self.drain(table);
        }
    }

    fn drain(&mut self, table: &mut Option<Table>) {
        let done = self.camera.poll(self.uptime_us.load(Ordering::Relaxed));
        done.into_iter().for_each(|still| self.queue.push(still));
        let Some(table) = table else { return };
        while let Some(record) = table.poll_record() {
            self.refusals.look(&self.config.board, &record);
            let ordered = still::ordered(table, &record);
            self.queue.push(record);
            let not_begun = ordered.and_then(|still| self.camera.begin(still));
            not_begun.into_iter().for_each(|still| self.queue.push(still));
        }
    }
}

/// What the source of evidence is told of a game that goes on.
fn going_on((game, resumed): (&FoundGame, &Resumed)) -> GoingOn {
    let referee = resumed.table.referee();
    let stands =
        referee.provisional().map_or(*referee.position(), |mv| referee.position().play_unchecked(mv));
    let closed = game.lines.iter().rev().find_map(|line| match &line.record {
        Record::Closed { closed, .. } => closed.parse::<Frame>().ok(),
        _ => None,
    });
    GoingOn {
        game: game.header.game.clone(),
        observations: resumed.observations,
        over: game.snapshot.result.is_some(),
        stands: *stands.board(),
        turn: stands.turn(),
        closed: closed.map(|frame| frame.closed),
    }
}

/// When a run begins on the board's own count of time, which goes on through restarts: after all that the journal speaks
/// of, by as much as the wall clock says that the board was away, if that can be believed.
fn start_of_run(found: &Found) -> (Uptime, Option<u64>) {
    let away_ms = utc_ms().checked_sub(found.last_utc_ms);
    let believed = |away_ms: &u64| found.lines > 0 && u128::from(*away_ms) <= LONGEST_OUTAGE.as_millis();
    let away_us = away_ms.filter(believed).map(|away_ms| away_ms * 1000);
    (found.last.plus_us(away_us.unwrap_or(0)), away_us)
}

/// The wall clock, in milliseconds since 1970 (UTC).
pub(crate) fn utc_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
