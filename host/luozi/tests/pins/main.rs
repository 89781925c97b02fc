//! `luozi board` on the pins of a Raspberry Pi: the shipped binary with the real rppal code, a preload library in place of
//! the Pi, and the twin at the other end of the wires.

#[path = "../running/mod.rs"]
mod running;
mod wires;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use boardd::{FileDisk, Journal, resume};
use calibration::{HeaderPin, PinMap, Variant};
use running::{Running, until};
use twin::{Game, GameRecord, Played, Style};
use wires::Wires;
use xiangqi::{Color, Move};

/// The first moves of a real game, with three quiet seconds before them so that the game begins.
fn opening(plies: usize) -> Played {
    let records = GameRecord::shipped();
    let game = &records[0].game;
    let game = Game::new(*game.start(), game.moves()[..plies].to_vec()).expect("its moves are legal");
    let quiet_and_short = |played: &Played| {
        let moves_at = played.observations[1].at.as_us();
        let ends_at = played.observations.last().map_or(0, |last| last.at.as_us());
        (3_500_000..5_000_000).contains(&moves_at) && ends_at < 30_000_000
    };
    (0..10_000)
        .map(|seed| game.play(Style::Clean, seed))
        .find(quiet_and_short)
        .expect("one of these games is quick")
}

fn board(folder: &Path, wires: &Wires, preload: &Path, variant: &str) -> Running {
    let profile = folder.join("board.toml");
    std::fs::write(&profile, format!("board = \"table-3\"\nvariant = \"{variant}\"\n")).expect("writable");
    let child = Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(["board", "--no-broker", "--clock", "10m", "--profile"])
        .arg(profile)
        .arg("--data")
        .arg(folder.join("journal"))
        .env("LD_PRELOAD", preload)
        .env("LUOZI_WIRES", &wires.path)
        .env("RUST_LOG", "info")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    Running(child)
}

/// The moves that stand in the journal.
fn moves(folder: &Path) -> Vec<Move> {
    let disk = FileDisk::open(&folder.join("journal")).expect("a journal");
    let (_, found) = Journal::open(disk, "table-3").expect("a sound journal");
    let game = found.game.expect("a game began");
    resume(&game).expect("the evidence gives the events").table.referee().moves().to_vec()
}

fn check(variant: Variant, name: &str, outputs: &[HeaderPin]) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let Some(preload) = wires::preload(folder.path()) else { return };
    let wires = Wires::new(folder.path(), PinMap::shipped(), variant);
    let played = opening(4);
    wires.close(played.timeline.start());
    let mut board = board(folder.path(), &wires, &preload, name);
    until("the first scans", || (wires.scans() > 20).then_some(()));
    if variant == Variant::Serial {
        // The bus is gone for a moment: the board says so and goes on.
        wires.chain_fails(true);
        std::thread::sleep(Duration::from_millis(300));
        wires.chain_fails(false);
    }
    let mut outputs = outputs.to_vec();
    outputs.sort_unstable();
    assert_eq!(wires.outputs(), outputs, "the pins that the wiring says are outputs, and no other");
    let mut lamps = [false; 2];
    let mut displays = [[0; 8]; 2];
    let before = wires.scans();
    wires.perform(&played, || {
        let panel = &PinMap::shipped().serial.panel;
        lamps[0] |= wires.is_high(panel.lamp_red);
        lamps[1] |= wires.is_high(panel.lamp_black);
    });
    println!("{} scans", wires.scans() - before);
    until("the last move", || {
        displays = [wires.digits(Color::Red), wires.digits(Color::Black)];
        (displays[0] != displays[1]).then_some(())
    });
    board.interrupt();
    assert_eq!(until("the end", || board.has_ended()), 0);
    assert_eq!(moves(folder.path()), played.truth.moves);
    // 10:00 or less: four digits at the right, a point after the minutes.
    for digits in displays {
        assert!(digits[5] & 0x80 != 0 && digits[7] != 0 && digits[3] == 0, "{digits:x?}");
    }
    assert!(variant == Variant::Direct || lamps == [true; 2], "each side's lamp was lit in its turn");
}

#[test]
fn a_game_is_recorded_through_nineteen_pins() {
    check(Variant::Direct, "direct", &PinMap::shipped().direct.rows);
}

#[test]
fn a_game_is_recorded_through_shift_registers() {
    let serial = PinMap::shipped().serial;
    let panel = &serial.panel;
    let lamps = [panel.lamp_red, panel.lamp_black, panel.lamp_attention, panel.buzzer, panel.status_led];
    check(Variant::Serial, "serial", &[&lamps[..], &[serial.load]].concat());
}

#[test]
fn a_machine_without_pins_says_so() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let output = Command::new(env!("CARGO_BIN_EXE_luozi"))
        .args(["board", "--no-broker", "--data"])
        .arg(folder.path())
        .output()
        .expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || said.contains("SPI0.") {
        println!("skipped: this is a Raspberry Pi");
        return;
    }
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no Raspberry Pi") && said.contains("--simulated"), "{said}");
}
