//! The shipped wiring is sound, and every way to spoil it is refused with its reason.

use calibration::{BoardProfile, PinMap};

const SHIPPED: &str = include_str!("../../hardware/pinmap.toml");

fn check(from: &str, to: &str, reason: &str) {
    assert!(SHIPPED.contains(from), "{from} stands in the shipped wiring");
    let flaws = PinMap::from_toml(&SHIPPED.replacen(from, to, 1)).expect_err(reason);
    let said: Vec<String> = flaws.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|flaw| flaw.contains(reason)), "{said:?} should contain {reason:?}");
}

#[test]
fn the_shipped_wiring_is_sound() {
    let map = PinMap::from_toml(SHIPPED).unwrap_or_else(|flaws| panic!("{flaws:?}"));
    assert_eq!((map.direct.rows.len(), map.direct.columns.len()), (10, 9));
    assert_eq!(map, PinMap::shipped());
}

#[test]
fn a_spoilt_wiring_is_refused_with_its_reason() {
    check("[2, 3, 4,", "[2, 3, 3,", "GPIO 3 is used twice: direct.rows[1] and direct.rows[2]");
    check("[2, 3, 4,", "[3, 4,", "direct.rows lists 9 pins; ninety points need 10");
    check("[26, 21,", "[26, 21, 2,", "direct.columns lists 10 pins; ninety points need 9");
    check("[26, 21,", "[26, 10,", "direct.columns[1]: GPIO 10 is needed by SPI0");
    check("[26, 21,", "[2, 21,", "direct.columns[0]: GPIO 2 has a 1.8 kΩ pull-up");
    check("load = 25", "load = 9", "serial.load: GPIO 9 is needed by SPI0");
    check("load = 25", "load = 8", "serial.load: GPIO 8 is needed by SPI0");
    check("load = 25", "load = 17", "GPIO 17 is used twice: serial.load and serial.panel.press_red");
    check("load = 25", "load = 40", "serial.load: GPIO 40 is not on the header");
    check("arbiter = 26", "arbiter = 1", "serial.panel.arbiter: GPIO 1 belongs to the HAT EEPROM");
    check("display_spi = \"SPI0.1\"", "display_spi = \"SPI0.0\"", "GPIO 8 is used twice");
    check("spi = \"SPI0.0\"\nclock", "spi = \"SPI3.0\"\nclock", "serial.spi: \"SPI3.0\" is no SPI device");
    check("settle_ns = 3_000", "settle_ns = 200_000", "direct.settle_ns: expected 1000 to 90000");
    check("load = 25", "load = \"x\"", "line ");
    check("load = 25", "", "missing field `load`");
    check("load = 25", "load = 25\nlaod = 4", "unknown field `laod`");
}

#[test]
fn a_profile_says_what_is_wrong_with_it() {
    let profile = BoardProfile::from_toml("board = \"table-17\"\nturned = true\nmasked = [\"e4\"]").unwrap();
    assert_eq!((profile.masked().count(), profile.settle_us), (1, 5_000));
    let refused = |text: &str, reason: &str| {
        let error = BoardProfile::from_toml(text).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error:?} should contain {reason:?}");
    };
    refused("", "missing field `board`");
    refused("board = \"a/b\"", "it names topics and files");
    refused("board = \"a\"\nmasked = [\"e10\"]", "expected a square");
    refused("board = \"a\"\nsettle_us = 5", "settle_us: expected 1000");
    refused("board = \"a\"\nchatter_us = 5000", "chatter_us: expected more than settle_us");
}

#[test]
fn a_flaw_says_on_which_line_it_stands() {
    let check = |from: &str, to: &str, line: &str| {
        let text = SHIPPED.replacen(from, to, 1);
        let flaws = PinMap::from_toml(&text).expect_err(to);
        let number = flaws[0].line(&text).expect("a line");
        let found = text.lines().nth(number - 1).expect("a line of the file");
        assert!(found.starts_with(line), "{to}: line {number}, {found}");
    };
    check("[2, 3, 4,", "[2, 3, 3,", "rows = ");
    check("[2, 3, 4,", "[3, 4,", "rows = ");
    check("press_red = 14", "press_red = 26", "press_red = 26");
    check("settle_ns = 3_000", "settle_ns = 200_000", "settle_ns = 200_000");
    check("load = 25", "load = 9", "load = 9");
    check("load = 25", "load = 17", "press_red = 17");
    check("lamp_black = 20", "lamp_black = 16", "lamp_black = 16");
    check("display_spi = \"SPI0.1\"", "display_spi = \"SPI1.0\"", "display_spi = \"SPI1.0\"");
    check("clock_hz = 4_000_000", "clock_hz = 0", "clock_hz = 0");
    // Other mistakes that people make: a pin of the header by its physical number, a text, a missing panel.
    check("buzzer = 18", "buzzer = 32", "buzzer = 32");
    let unreadable = |text: &str| PinMap::from_toml(text).expect_err(text)[0].to_string();
    assert!(unreadable(&SHIPPED.replacen("load = 25", "load = -1", 1)).contains("line "));
    assert!(unreadable(&SHIPPED.replacen("[serial.panel]", "[serial.pannel]", 1)).contains("pannel"));
    assert!(unreadable("").contains("missing field `direct`"));
}
