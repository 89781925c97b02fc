//! Traces that cannot be read are refused in one line that says where.

use trace::Reader;

const HEADER: &str = r#"{"format":"luozi-trace","version":1,"start":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w","scan_hz":1000}"#;

fn check(text: &str, expected: &str) {
    let refused = Reader::new(std::io::Cursor::new(text.as_bytes().to_vec()))
        .and_then(|reader| replay::replay("t", reader))
        .expect_err("this trace is bad");
    let line = refused.to_string();
    assert!(line.starts_with(expected) && !line.contains('\n'), "{line}");
}

#[test]
fn a_bad_trace_is_refused_with_its_line() {
    check("", "line 1: empty");
    check("{}\n", "line 1: not the header");
    check(&HEADER.replace("RNBAKABNR", "RNBA1ABNR"), "line 1: not the header of a trace: start");
    check(&format!("{HEADER}\n{{\"us\":5}}\n"), "line 2: not an observation");
    check(
        &format!("{HEADER}\n{{\"us\":5,\"press\":\"red\"}}\n{{\"us\":4,\"press\":\"red\"}}\n"),
        "line 3: goes back",
    );
    check(&format!("{HEADER}\n{{\"us\":5,\"press\":\"red\"}}\n{{\"us\":9,\"pr"), "line 3: cut off");
}
