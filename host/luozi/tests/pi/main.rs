//! The daemon on an emulated Raspberry Pi 3: stock kernel, the shipped ARM64 binary, the real rppal code on the registers of
//! the chip. The board hangs on the machine's outside: a plugin of qemu makes the processor wait at each pin that it drives
//! until the board has set the columns. `make pi` prepares the machine in the folder that `LUOZI_PI` names; without it
//! there is nothing to do.

mod board;
mod machine;

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use board::Board;
use boardd::{FileDisk, Journal, resume, segment_name};
use calibration::PinMap;
use machine::{Machine, Outside, PATIENCE, connect};
use sense::Uptime;
use twin::{GameRecord, Played, Style};

/// What the daemon may take of the machine's memory.
const MOST_RESIDENT_KB: u32 = 30_000;

/// The shortest game of those that are shipped, from beginning to end, by quick hands.
fn whole_game() -> Played {
    let records = GameRecord::shipped();
    let shortest = records.iter().min_by_key(|record| record.game.moves().len()).expect("there are games");
    let begins = |played: &Played| played.observations[1].at >= Uptime::from_ms(4_000);
    (0..2_000)
        .map(|seed| shortest.game.play(Style::Clean, seed))
        .filter(begins)
        .min_by_key(|played| played.over)
        .expect("one of these games begins quietly")
}

fn plugin(folder: &Path) -> PathBuf {
    let library = folder.join("rendezvous.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pi/rendezvous.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-fvisibility=hidden", "-o"]);
    let built = compiler.arg(&library).arg(source).status().is_ok_and(|status| status.success());
    assert!(built, "cc, which cargo links with, builds the plugin");
    library
}

#[test]
fn a_whole_game_is_recorded_on_an_emulated_pi() {
    let Some(kit) = std::env::var_os("LUOZI_PI") else {
        println!("skipped: `make pi` prepares the emulated Raspberry Pi and runs this test");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary directory");
    let folder = folder.path();
    let played = whole_game();
    let board = Arc::new(Board::new(PinMap::shipped(), played.timeline.start()));
    let listener = UnixListener::bind(folder.join("board")).expect("a socket");
    let outside =
        Outside { kit: Path::new(&kit), folder, plugin: &plugin(folder), board: &folder.join("board") };
    let mut machine = Machine::boot(&outside);
    let (waiting, _) = listener.accept().expect("the plugin connects");
    let qtest = connect(&folder.join("qtest"));
    let wired = Arc::clone(&board);
    let answering = thread::spawn(move || wired.answer(waiting, qtest));
    machine.until("READY");
    machine.tell("board");
    let deadline = Instant::now() + PATIENCE;
    while board.scans() < 20 {
        assert!(Instant::now() < deadline, "the board is not scanned");
        thread::sleep(Duration::from_millis(10));
    }
    let (began, before) = (Instant::now(), board.scans());
    board.perform(&played);
    println!("{} plies, {} scans in {:?}", played.truth.moves.len(), board.scans() - before, began.elapsed());
    // The last press reaches the journal.
    thread::sleep(Duration::from_secs(2));
    machine.tell("stop");
    let ended = machine.until("ENDED");
    println!("{ended}");
    assert!(ended.contains("status 0"), "it ends in order");
    let resident_kb = ended.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    let resident_kb: u32 =
        resident_kb.and_then(|kb| kb.trim().parse().ok()).expect("the memory that it took");
    assert!(resident_kb < MOST_RESIDENT_KB, "{resident_kb} kB");
    machine.tell("journal");
    machine.until("JOURNAL\n");
    let said = machine.until("\nENDED");
    let journal = said.trim_end_matches("ENDED");
    println!("{} lines of journal", journal.lines().count());
    std::fs::write(folder.join(segment_name(0)), journal).expect("writable");
    let (_, found) =
        Journal::open(FileDisk::open(folder).expect("a folder"), "table-3").expect("a sound journal");
    let game = found.game.expect("a game began");
    let table = resume(&game).expect("the evidence gives the events").table;
    assert_eq!(table.referee().moves(), played.truth.moves);
    drop(machine);
    answering.join().expect("the board answered to the end").ok();
}
