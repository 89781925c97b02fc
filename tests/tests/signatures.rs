//! A journal signed by its board: what is changed and sealed anew shows, and names itself.

use boardd::{FileDisk, Journal, RecordFault, check_segment, segment_name};
use referee::checkpoint::SignatureFault;
use referee::relay::SecretKey;
use referee::{Chain, Line, LineFault, Record};
use xiangqi::Color;

fn press(us: u64) -> Record {
    Record::Press { us, side: Color::Red }
}

/// A journal of two hundred presses, one each half second, signed and closed; its lines.
fn signed() -> Vec<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let disk = FileDisk::open(directory.path()).expect("a disk");
    let (mut journal, _) = Journal::open(disk, "b1").expect("a new journal");
    journal.sign_with(SecretKey::from_bytes(&[7; 32]));
    for number in 0..200 {
        journal.commit(1_000, &[press(number * 500_000)]).expect("written");
    }
    journal.close(1_000).expect("signed");
    let file = directory.path().join(segment_name(0));
    std::fs::read_to_string(file).expect("lines").lines().map(str::to_owned).collect()
}

/// Seals the lines anew, as somebody would who has changed one.
fn sealed_anew(lines: &[String], change: impl Fn(u64, &str) -> String) -> String {
    let mut chain = Chain::START;
    let mut text = String::new();
    for line in lines {
        let read: Line = serde_json::from_str(line).expect("a line");
        let record = serde_json::to_string(&read.record).expect("JSON");
        text.push_str(&chain.seal(read.utc_ms, &change(read.seq, &record)));
        text.push('\n');
    }
    text
}

#[track_caller]
fn check(text: &str, expected: Option<(u64, RecordFault)>) {
    let found = check_segment(&segment_name(0), text.as_bytes(), Some(Chain::START), &mut |_, _| {});
    let found = found.err().map(|bad| (bad.seq, bad.fault));
    assert_eq!(found, expected);
}

#[test]
fn a_change_shows_at_the_next_signature() {
    let lines = signed();
    let is_signed = |line: &&String| line.contains(r#""kind":"signed""#);
    let signatures: Vec<usize> = (0..lines.len()).filter(|at| is_signed(&&lines[*at])).collect();
    // Every 64 lines, or every minute, and at the end.
    assert_eq!(signatures, [64, 129, 194, 203]);
    let whole = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    check(&whole, None);
    check(&sealed_anew(&lines, |_, record| record.to_owned()), None);

    let changed = whole.replacen(r#""us":500000,"side":"red""#, r#""us":500000,"side":"black""#, 1);
    check(&changed, Some((1, RecordFault::Line(LineFault::Hash))));
    let resealed = |at| {
        let change = move |seq, record: &str| match seq {
            seq if seq == at => record.replace("red", "black"),
            _ => record.to_owned(),
        };
        sealed_anew(&lines, change)
    };
    let expected = |seq| Some((seq, RecordFault::Signature(SignatureFault::Signature)));
    check(&resealed(1), expected(64));
    check(&resealed(100), expected(129));
    check(&resealed(202), expected(203));
}

#[test]
fn lines_without_a_key_are_not_signed() {
    let directory = tempfile::tempdir().expect("a directory");
    let disk = FileDisk::open(directory.path()).expect("a disk");
    let (mut journal, _) = Journal::open(disk, "b1").expect("a new journal");
    for number in 0..100 {
        journal.commit(1, &[press(number)]).expect("written");
    }
    journal.close(1).expect("nothing to sign");
    assert_eq!(journal.end().next_seq(), 100);
}
