//! A journal signed by its board: what is changed and sealed anew shows, and names itself.

use boardd::{FileDisk, Journal, RecordFault, check_segment, segment_name};
use referee::checkpoint::{SignatureFault, Signatures};
use referee::relay::SecretKey;
use referee::{Chain, Line, LineFault, Record};
use xiangqi::Color;

fn press(us: u64) -> Record {
    Record::Press { us, side: Color::Red }
}

/// The first line at which signatures are said to be wrong, when one of the lines told the key or `key` does.
fn first_fault(text: &str, mut signatures: Signatures) -> Option<(u64, SignatureFault)> {
    let mut first = None;
    for line in text.lines() {
        let line: Line = serde_json::from_str(line).expect("a line");
        if let Err(fault) = signatures.note(&line.record) {
            first.get_or_insert((line.seq, fault));
        }
    }
    first
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
fn signatures_that_were_taken_out_are_missed() {
    let key = SecretKey::from_bytes(&[7; 32]).public();
    let lines = signed();
    let without = |from: usize, to: usize| {
        let taken = |at: usize| (from..to).contains(&at) && lines[at].contains(r#""kind":"signed""#);
        let kept: Vec<String> =
            (0..lines.len()).filter(|at| !taken(*at)).map(|at| lines[at].clone()).collect();
        // Whether the chain holds is not asked here.
        kept.iter().map(|line| format!("{line}\n")).collect::<String>()
    };
    let missed = |text: &str| first_fault(text, Signatures::default()).map(|(_, fault)| fault);
    assert_eq!(missed(&without(0, 0)), None);
    for (from, to) in [(65, lines.len()), (100, 150), (150, lines.len())] {
        assert_eq!(missed(&without(from, to)), Some(SignatureFault::Missing), "{from}..{to}");
    }
    // Where nothing is signed, only the key tells that it should be.
    let bare = without(0, lines.len());
    assert_eq!(missed(&bare), None);
    assert_eq!(first_fault(&bare, Signatures::by(Some(&key))), Some((65, SignatureFault::Missing)));
}

#[test]
fn however_it_is_written_and_stopped_a_journal_lacks_no_signature() {
    let directory = tempfile::tempdir().expect("a directory");
    let secret = SecretKey::from_bytes(&[7; 32]);
    // It is never closed: power fails after every batch, small ones and such as wait while a disk has failed.
    for (batch, us) in [40, 40, 1, 63, 64, 500, 7, 300].into_iter().zip(1..) {
        let disk = FileDisk::open(directory.path()).expect("a disk");
        let (mut journal, _) = Journal::open(disk, "b1").expect("a journal");
        journal.sign_with(secret.clone());
        journal.commit(1, &vec![press(us); batch]).expect("written");
    }
    let text = std::fs::read_to_string(directory.path().join(segment_name(0))).expect("lines");
    check(&text, None);
    assert_eq!(first_fault(&text, Signatures::by(Some(&secret.public()))), None);
}

/// A run that says in its header how many lines it leaves without a signature, or is of an earlier version.
fn opened(unsigned_at_most: Option<u32>) -> Record {
    Record::Opened {
        format: "luozi-journal".into(),
        version: 1,
        board: "b1".into(),
        firmware: "simulated".into(),
        us: 0,
        boot: String::new(),
        gap_us: None,
        unsigned_at_most,
    }
}

/// Versions that signed after whole batches left more than 64 lines: that is no change. What a later one has promised holds for all
/// that follows it, whatever a header says that somebody has put in.
#[test]
fn each_version_is_held_to_what_it_leaves() {
    const NOW: Option<u32> = Some(64);
    let key = SecretKey::from_bytes(&[7; 32]);
    let check = |runs: &[(Option<u32>, usize)], expected: Option<(usize, SignatureFault)>| {
        let mut signatures = Signatures::by(Some(&key.public()));
        let mut faults = Vec::new();
        let records = runs.iter().flat_map(|(at_most, lines)| {
            std::iter::once(opened(*at_most)).chain((1..*lines).map(|us| press(us as u64)))
        });
        for (seq, record) in records.enumerate() {
            faults.extend(signatures.note(&record).err().map(|fault| (seq, fault)));
        }
        assert_eq!(faults.first(), expected.as_ref(), "{runs:?}");
    };
    let missing = |seq| Some((seq, SignatureFault::Missing));
    check(&[(NOW, 64)], None);
    check(&[(NOW, 65)], missing(64));
    check(&[(None, 264)], None);
    check(&[(None, 300)], missing(265));
    // The board was updated, and signs first of all what it found.
    check(&[(None, 200), (NOW, 64)], None);
    check(&[(None, 200), (NOW, 65)], missing(264));
    // A header of an earlier version loosens nothing, nor does one that says more.
    check(&[(NOW, 10), (None, 55)], missing(64));
    check(&[(NOW, 10), (Some(500), 55)], missing(64));
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
