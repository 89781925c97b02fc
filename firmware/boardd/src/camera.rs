//! The camera of a board. A program that the operator names takes the stills, on a thread of its own: play never waits.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use referee::relay::Rejection;
use referee::{Digest, Record, Still, StillOutcome};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::Disk;

/// The longest picture that is kept, in bytes.
const LONGEST: u64 = 8 * 1024 * 1024;
/// How many pictures are kept; then somebody has to take some away.
const MOST: usize = 200;
/// What a picture leaves free on the disk, in bytes: the journal comes first.
const LEFT_FREE: u64 = 256 * 1024 * 1024;
/// How often the program is looked at while it runs.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program that was killed may take to be gone.
const GONE: Duration = Duration::from_secs(1);
/// How much of what the program said last stands in the record, in characters.
const SAID: usize = 200;

/// A program that takes a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CameraProgram {
    /// The program and its arguments; `{file}` stands for the file that it writes.
    pub command: Vec<String>,
    /// The directory in which it writes, on the disk of the journal.
    pub directory: PathBuf,
    /// How long it may take.
    pub patience: Duration,
}

impl CameraProgram {
    /// How long a camera may take that nobody has said otherwise of.
    pub const PATIENCE: Duration = Duration::from_secs(10);
}

/// The camera as the scan sees it: asking and looking never wait.
pub(crate) struct Camera {
    /// To the thread that takes pictures; `None` where there is no camera.
    ask: Option<SyncSender<u64>>,
    taken: Receiver<StillOutcome>,
    /// What is being taken.
    pending: Option<Still>,
    stop: Arc<AtomicBool>,
}

/// What takes the pictures, on a thread of its own.
pub(crate) struct Photographer<D> {
    program: CameraProgram,
    disk: D,
    asked: Receiver<u64>,
    give: SyncSender<StillOutcome>,
    stop: Arc<AtomicBool>,
}

/// A camera, and what takes its pictures if there is one.
pub(crate) fn camera<D: Disk>(program: Option<CameraProgram>, disk: D) -> (Camera, Option<Photographer<D>>) {
    let (ask, asked) = mpsc::sync_channel(1);
    let (give, taken) = mpsc::sync_channel(1);
    let stop = Arc::<AtomicBool>::default();
    let ask = program.is_some().then_some(ask);
    let camera = Camera { ask, taken, pending: None, stop: Arc::clone(&stop) };
    (camera, program.map(|program| Photographer { program, disk, asked, give, stop }))
}

impl Camera {
    /// Whether a still may be ordered now.
    ///
    /// # Errors
    ///
    /// Why not.
    pub(crate) fn is_free(&self) -> Result<(), Rejection> {
        match (&self.ask, &self.pending) {
            (None, _) => Err(Rejection::NoCamera),
            (_, Some(_)) => Err(Rejection::CameraBusy),
            _ => Ok(()),
        }
    }

    /// Begins to take a still; gives the record of what cannot be begun. `still` says why there is none, until there is one.
    pub(crate) fn begin(&mut self, still: Still) -> Option<Record> {
        if let Err(why) = self.is_free() {
            return Some(failed(still, why.to_string()));
        }
        match self.ask.as_ref().map(|ask| ask.try_send(still.ordered_us)) {
            Some(Ok(())) => {
                self.pending = Some(still);
                None
            }
            _ => Some(failed(still, GIVEN_UP.to_owned())),
        }
    }

    /// The record of a still that is done, at `us` microseconds of the board's uptime.
    pub(crate) fn poll(&mut self, us: u64) -> Option<Record> {
        self.pending.as_ref()?;
        let outcome = match self.taken.try_recv() {
            Ok(outcome) => outcome,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => StillOutcome::Failed { why: GIVEN_UP.to_owned() },
        };
        self.pending.take().map(|still| Record::Still(Box::new(Still { us, outcome, ..still })))
    }

    /// The board stops: a still that is being taken is given up.
    pub(crate) fn finish(mut self, us: u64) -> Option<Record> {
        self.stop.store(true, Ordering::Relaxed);
        self.ask = None;
        let still = self.pending.take()?;
        let outcome = self.taken.recv().unwrap_or(StillOutcome::Failed { why: GIVEN_UP.to_owned() });
        Some(Record::Still(Box::new(Still { us, outcome, ..still })))
    }
}

/// Why there is no picture when the board has stopped.
pub(crate) const GIVEN_UP: &str = "the board stopped before there was a picture";

fn failed(still: Still, why: String) -> Record {
    Record::Still(Box::new(Still { outcome: StillOutcome::Failed { why }, ..still }))
}

impl<D: Disk> Photographer<D> {
    /// Takes what is asked for, one after the other, until nobody asks any more.
    pub(crate) fn run(self) {
        while let Ok(us) = self.asked.recv() {
            let outcome = self.take(us).unwrap_or_else(|why| {
                tracing::warn!("no still: {why}");
                StillOutcome::Failed { why }
            });
            if self.give.send(outcome).is_err() {
                return;
            }
        }
    }

    /// The still that was ordered at `us`. No two orders that a camera takes have one moment, so the name is new.
    fn take(&self, us: u64) -> Result<StillOutcome, String> {
        self.has_room()?;
        let [picture, said] = ["still.part", "still.log"].map(|name| self.program.directory.join(name));
        let _ = fs::remove_file(&picture);
        let taken = self.expose(&picture, &said).and_then(|()| self.keep(us, &picture));
        let _ = (fs::remove_file(&picture), fs::remove_file(&said));
        taken
    }

    fn has_room(&self) -> Result<(), String> {
        let names = self.disk.list().map_err(|error| format!("the disk: {error}"))?;
        if names.iter().filter(|name| is_still(name)).count() >= MOST {
            return Err(format!("{MOST} stills are kept here already; take some away"));
        }
        let room =
            rustix::fs::statvfs(&self.program.directory).map_err(|error| format!("the disk: {error}"))?;
        if room.f_bavail.saturating_mul(room.f_frsize) < LEFT_FREE {
            return Err(format!("the disk is nearly full; a still leaves {} MiB free", LEFT_FREE >> 20));
        }
        Ok(())
    }

    /// Runs the program until it has ended well.
    fn expose(&self, picture: &Path, said: &Path) -> Result<(), String> {
        let file = picture.to_str().ok_or("the directory's name is not UTF-8")?;
        let [program, arguments @ ..] = &self.program.command[..] else {
            return Err("no program is named".to_owned());
        };
        let log = File::create(said).map_err(|error| format!("the disk: {error}"))?;
        let mut child = Command::new(program)
            .args(arguments.iter().map(|argument| argument.replace("{file}", file)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            // A group of its own, so that whatever it has started ends with it.
            .process_group(0)
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let deadline = Instant::now() + self.program.patience;
        let why = loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("{program}: {status}{}", last_words(said))),
                Err(error) => break format!("{program}: {error}"),
                Ok(None) => {}
            }
            if self.stop.load(Ordering::Relaxed) {
                break GIVEN_UP.to_owned();
            }
            if Instant::now() >= deadline {
                break format!("{program}: no picture in {} s", self.program.patience.as_secs_f32());
            }
            if [picture, said].iter().any(|file| fs::metadata(file).is_ok_and(|file| file.len() > LONGEST)) {
                break too_long(program);
            }
            thread::sleep(LOOK);
        };
        end(&mut child);
        Err(why)
    }

    /// Keeps a picture, durably, before anybody is told of it.
    fn keep(&self, us: u64, picture: &Path) -> Result<StillOutcome, String> {
        let program = self.program.command.first().map_or("", String::as_str);
        let bytes = read(picture).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("{program}: it wrote no picture"),
            _ => format!("the picture: {error}"),
        })?;
        if bytes.len() as u64 > LONGEST {
            return Err(too_long(program));
        }
        let ending =
            ending(&bytes).ok_or_else(|| format!("{program}: what it wrote is no JPEG and no PNG"))?;
        let file = format!("still-{us:015}.{ending}");
        self.disk.replace(&file, &bytes).map_err(|error| format!("the disk: {error}"))?;
        Ok(StillOutcome::Taken { file, bytes: bytes.len() as u64, sha256: Digest::of(&bytes) })
    }
}

fn too_long(program: &str) -> String {
    format!("{program}: it wrote more than {} MiB", LONGEST >> 20)
}

/// Whether a file beside a journal is a still.
fn is_still(name: &str) -> bool {
    name.starts_with("still-") && (name.ends_with(".jpg") || name.ends_with(".png"))
}

/// One byte more than is kept, at most.
fn read(picture: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(picture)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How a file is named that begins like this; `None` if it is no picture that `luozi see` reads.
fn ending(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Some("jpg"),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("png"),
        _ => None,
    }
}

/// The last line that the program has written, with a colon before it.
fn last_words(said: &Path) -> String {
    let said = read(said).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    last.map_or_else(String::new, |line| format!(": {}", line.chars().take(SAID).collect::<String>()))
}

/// Kills a program and all that it has started. One that hangs in the kernel is left behind.
fn end(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let deadline = Instant::now() + GONE;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        thread::sleep(LOOK);
    }
}
