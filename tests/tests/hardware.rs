//! The design of the board: generated files are what the scripts write, the parts keep their margins, KiCad finds nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

fn hardware() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../hardware")
}

/// A Python that can read TOML; `None` with a printed line where there is none.
fn python() -> Option<&'static str> {
    let reads_toml = |python: &&str| {
        let tried = Command::new(python).args(["-c", "import tomllib"]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    let found = ["/usr/bin/python3", "python3"].into_iter().find(reads_toml);
    if found.is_none() {
        println!("skipped: no Python 3.11 (apt-get install python3)");
    }
    found
}

fn passes(script: &str) {
    let Some(python) = python() else { return };
    // Compiled scripts beside their sources would be litter.
    let output = Command::new(python)
        .args(["-B", script, "--check"])
        .current_dir(hardware().join("design"))
        .output()
        .expect("a Python that was just tried");
    assert!(
        output.status.success(),
        "{script}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn schematics_board_and_drawings_are_what_the_scripts_write() {
    passes("generate.py");
}

#[test]
fn reed_and_magnet_keep_their_margins() {
    passes("geometry.py");
}

/// Runs a check of KiCad 9, which exits with 5 where it finds violations.
fn kicad(arguments: &[&str], file: &str) {
    let version = Command::new("kicad-cli").arg("version").output();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if !version.starts_with('9') {
        println!("skipped: no KiCad 9 (apt-get install -t bookworm-backports kicad)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.txt");
    let output = Command::new("kicad-cli")
        .args(arguments)
        .args(["--exit-code-violations", "--severity-all", "-o"])
        .arg(&report)
        .arg(hardware().join("kicad").join(file))
        .output()
        .unwrap();
    let found = std::fs::read_to_string(&report).unwrap_or_default();
    assert!(output.status.success(), "{file}: {found}");
}

#[test]
fn kicad_finds_no_violation() {
    kicad(&["sch", "erc"], "strip/strip.kicad_sch");
    kicad(&["sch", "erc"], "base/base.kicad_sch");
    kicad(&["pcb", "drc", "--schematic-parity"], "strip/strip.kicad_pcb");
    kicad(&["pcb", "drc", "--schematic-parity"], "base/base.kicad_pcb");
}

/// The Pi's header as the base's schematic has it against the header as the code knows it.
#[test]
fn the_schematic_has_every_wire_on_the_pin_that_the_code_uses() {
    let schematic = std::fs::read_to_string(hardware().join("kicad/base/base.kicad_sch")).unwrap();
    let map = calibration::PinMap::shipped();
    let panel = &map.serial.panel;
    // A label stands where its pin does: the header is the first part, pins 2.54 mm apart, odd ones on the left.
    let at = |physical: u8| {
        let (x, row) = if physical % 2 == 1 { (25.4, physical / 2) } else { (50.8, physical / 2 - 1) };
        format!("(at {x} {} ", trimmed(38.1 + 2.54 * f64::from(row)))
    };
    for (pin, net) in [
        (map.serial.load, "LOAD"),
        (panel.press_red, "PRESS_RED"),
        (panel.press_black, "PRESS_BLACK"),
        (panel.adjust_red, "ADJUST_RED"),
        (panel.arbiter, "ARBITER"),
        (panel.buzzer, "BUZZER"),
        (panel.lamp_red, "LAMP_RED"),
        (panel.lamp_attention, "LAMP_ATTENTION"),
        (panel.status_led, "STATUS_LED"),
    ] {
        let label = format!("(global_label \"{net}\" (shape passive) {}", at(pin.physical().unwrap()));
        assert!(schematic.contains(&label), "{net} should be at {pin}: {label}");
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[test]
fn the_parts_list_has_a_line_for_every_kind_of_part() {
    let parts = std::fs::read_to_string(hardware().join("parts.csv")).unwrap();
    let mut lines = parts.lines();
    let columns = lines.next().unwrap().split(',').count();
    let mut euros = 0.0;
    for line in lines {
        let fields = fields(line);
        assert_eq!(fields.len(), columns, "{line}");
        let (quantity, price): (f64, f64) = (fields[1].parse().unwrap(), fields[5].parse().unwrap());
        euros += quantity * price;
    }
    for part in ["KSK-1A66-2025", "1N4148", "SN74HC595N", "SN74HC165N"] {
        assert!(parts.contains(part), "{part}");
    }
    let readme = std::fs::read_to_string(hardware().join("README.md")).unwrap();
    let told = format!("About {:.0} EUR", (euros / 10.0).round() * 10.0);
    assert!(readme.contains(&told), "the README should say {told} ({euros})");
}

/// The fields of a line of comma-separated values, some of them in quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    fields
}
