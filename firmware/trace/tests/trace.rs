//! A trace is read as it was written, and what is wrong is named with its line.

use std::io::Cursor;

use sense::{Frame, Uptime};
use trace::{Button, Header, Observation, Reader, Sensed, Writer};
use xiangqi::{Bitboard, Color, Setup};

const HEADER: &str = r#"{"format":"luozi-trace","version":1,"start":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","scan_hz":1000,"shoe_size":43}"#;

fn read(text: String) -> Result<Vec<Observation>, String> {
    let reader = Reader::new(Cursor::new(text.into_bytes())).map_err(|e| e.to_string())?;
    reader.collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())
}

#[test]
fn what_is_written_reads_back() {
    let said = [
        Sensed::Closed(Frame::new(Bitboard::from_bits(0x3fe00415540000aa80801ff))),
        Sensed::Press(Color::Red),
        Sensed::Button(Button::Adjust, Some(Color::Black)),
        Sensed::Button(Button::Arbiter, None),
        Sensed::Camera("frames/000123.jpg".to_owned()),
    ];
    let observations: Vec<Observation> =
        said.into_iter().zip(1..).map(|(sensed, s)| Observation { at: Uptime::from_ms(s), sensed }).collect();
    let mut writer = Writer::new(Vec::new(), &Header::new(Setup::initial(), 1000)).unwrap();
    for observation in &observations {
        writer.write(observation).unwrap();
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(text.contains(r#"{"us":1000,"closed":"3fe00415540000aa80801ff"}"#), "{text}");
    assert_eq!(read(text).unwrap(), observations);
}

#[test]
fn faults_are_named_with_their_line() {
    let check = |lines: &[&str], expected: &str| {
        let error = read(lines.join("\n") + "\n").expect_err(expected);
        assert!(error.contains(expected), "{error:?} should contain {expected:?}");
    };
    check(&[""], "empty");
    check(&["{}"], "line 1: not the header of a trace: missing field `format`");
    check(&[&HEADER.replace("luozi-trace", "csv")], "line 1: not the header of a trace: expected");
    check(&[&HEADER.replace("w - - 0 1", "x")], "side_to_move_not_w_or_b");
    check(
        &[HEADER, r#"{"us":5,"press":"red"}"#, r#"{"us":4,"press":"red"}"#],
        "line 3: goes back in time: 4 us after 5 us",
    );
    check(&[HEADER, r#"{"us":5,"press":"green"}"#], "line 2: not an observation");
    check(&[HEADER, r#"{"us":5,"closed":"7fe00415540000aa80801ff"}"#], "line 2: not an observation: closed");
    check(&[HEADER, r#"{"us":5}"#], "line 2: not an observation: expected exactly one of");
    check(&[HEADER, "", r#"{"us":-5,"press":"red"}"#], "line 3: not an observation");
    let latest = r#"{"us":9007199254740991,"press":"red"}"#;
    assert!(read([HEADER, latest].join("\n")).is_ok());
    for beyond in ["9007199254740992", "18446744073709551615", "18446744073709551616"] {
        let line = latest.replace("9007199254740991", beyond);
        check(&[HEADER, &line], "line 2: not an observation: ");
    }
}

#[test]
fn a_trace_that_is_cut_off_anywhere_in_a_line_is_refused() {
    let whole = format!(
        "{HEADER}\n{{\"us\":5,\"press\":\"red\"}}\n{{\"us\":6,\"closed\":\"3fe00415540000aa80801ff\"}}"
    );
    assert_eq!(read(whole.clone()).unwrap().len(), 2, "a last line may lack its line feed");
    let last = whole.rfind('\n').unwrap() + 1;
    for cut in last + 1..whole.len() {
        let error = read(whole[..cut].to_owned()).expect_err("the last line is cut off");
        assert!(error.starts_with("line 3: cut off"), "{error}");
    }
    for cut in 0..HEADER.len() {
        let error = read(whole[..cut].to_owned()).expect_err("the header is cut off");
        assert!(error.starts_with("line 1: "), "{error}");
    }
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let error = read(format!("{HEADER}\n{}", " ".repeat(1 << 20))).expect_err("too long");
    assert!(error.starts_with("line 2: longer than 65536 bytes"), "{error}");
}
