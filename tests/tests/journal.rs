//! The journal under faults: whatever happens, what it said to be on disk is there, and what is there verifies.

use boardd::{Disk, Found, Journal, Reader, RecordFault, segments};
use referee::relay::Alarm;
use referee::{Chain, GameHeader, Record};
use tests::{Dice, SimDisk};
use xiangqi::{Color, Position};

fn press(us: u64) -> Record {
    Record::Press { us, side: Color::Red }
}

fn game(id: &str) -> Record {
    Record::Game(Box::new(GameHeader {
        red: "甲".into(),
        black: "乙".into(),
        ..GameHeader::new(id, Position::initial(), "cxa-2010")
    }))
}

/// Batches as a board writes them: three games with presses between.
fn batches() -> Vec<Vec<Record>> {
    let mut batches = Vec::new();
    for (number, id) in ["g1", "g2", "g3"].into_iter().enumerate() {
        batches.push(vec![press(number as u64), game(id), press(7)]);
        batches.extend((0..4).map(|us| (0..=us).map(press).collect::<Vec<_>>()));
    }
    batches
}

fn open(disk: &SimDisk) -> (Journal<SimDisk>, Found) {
    Journal::open(disk.clone(), "b1").unwrap_or_else(|e| panic!("{e}"))
}

/// All records of a journal, read back line by line.
fn read(disk: &SimDisk, end: Chain) -> Vec<Record> {
    let mut reader = Reader::new(disk.clone(), 0);
    let mut records = Vec::new();
    while let Some(line) = reader.next_line(end.next_seq()).expect("a readable disk") {
        let line: referee::Line = serde_json::from_str(&line).expect("a record");
        assert_eq!(line.seq, records.len() as u64);
        records.push(line.record);
    }
    records
}

#[test]
fn a_journal_reads_back_and_goes_on() {
    let disk = SimDisk::new();
    let mut written = Vec::new();
    for batch in batches() {
        let (mut journal, found) = open(&disk);
        assert_eq!(found.lines, written.len() as u64);
        assert_eq!(found.cut, None);
        journal.commit(5, &batch).expect("a healthy disk");
        written.extend(batch);
        assert_eq!(read(&disk, journal.end()), written);
    }
    assert_eq!(segments(&disk).unwrap().len(), 4, "each game begins a segment");
    let (_, found) = open(&disk);
    let last = found.game.expect("a game");
    assert_eq!((last.header.game.as_str(), last.lines.len()), ("g3", 11));
    for seq in 0..written.len() as u64 {
        let mut reader = Reader::new(disk.clone(), seq);
        let line = reader.next_line(u64::MAX).unwrap().unwrap();
        assert!(line.starts_with(&format!("{{\"seq\":{seq},")), "{line}");
    }
}

/// Power fails at each write of a journal, with each of some seeds deciding what reached the platter.
#[test]
fn power_loss_at_each_write_leaves_a_verified_prefix() {
    let all: Vec<Record> = batches().concat();
    let whole = SimDisk::new();
    batches().iter().for_each(|batch| open(&whole).0.commit(1, batch).unwrap());
    let writes = whole.writes();
    assert!(writes > 20);
    let mut cuts = 0;
    for fuse in 0..writes {
        for seed in 0..20 {
            let disk = SimDisk::new();
            disk.fail_power_after(fuse);
            let mut committed = 0;
            let (mut journal, _) = open(&disk);
            for batch in batches() {
                if journal.commit(1, &batch).is_err() {
                    break;
                }
                committed += batch.len();
            }
            let mut dice = Dice::new(seed);
            disk.power_on(&mut |end| dice.below(end));
            let (mut journal, found) = open(&disk);
            cuts += usize::from(found.cut.is_some());
            let survived = found.lines as usize;
            assert!(survived >= committed, "power lost at write {fuse}, seed {seed}");
            assert_eq!(
                read(&disk, journal.end()),
                all[..survived],
                "power lost at write {fuse}, seed {seed}"
            );
            journal.commit(2, &[press(99)]).expect("it goes on");
            let (_, again) = open(&disk);
            assert_eq!((again.lines as usize, again.cut), (survived + 1, None));
        }
    }
    assert!(cuts > 100, "ends were torn: {cuts}");
}

/// The disk runs full, becomes read-only, or loses what it was to sync; then it heals. Nothing is lost, nothing is bad.
#[test]
fn a_disk_that_heals_gets_every_record_once() {
    for name in ["full", "read-only", "failing syncs"] {
        let disk = SimDisk::new();
        let (mut journal, _) = open(&disk);
        let mut refused = 0;
        for (index, batch) in batches().iter().enumerate() {
            if index % 3 == 1 {
                match name {
                    "full" => disk.limit(Some(700)),
                    "read-only" => disk.set_read_only(true),
                    _ => disk.fail_syncs(2),
                }
            }
            while journal.commit(1, batch).is_err() {
                refused += 1;
                let before = open_after_crash(&disk);
                assert!(before <= journal.end().next_seq() + batch.len() as u64, "{name}");
                if refused % 2 == 0 {
                    disk.limit(None);
                    disk.set_read_only(false);
                }
            }
        }
        assert!(refused > 3, "{name}");
        assert_eq!(read(&disk, journal.end()), batches().concat(), "{name}");
        assert_eq!(open(&disk).1.lines, journal.end().next_seq(), "{name}");
    }
}

/// How many lines a daemon that starts on a copy of the disk would find.
fn open_after_crash(disk: &SimDisk) -> u64 {
    let copy = SimDisk::new();
    for name in disk.list().unwrap() {
        copy.append(&name, &disk.contents(&name)).unwrap();
    }
    open(&copy).1.lines
}

/// What a disk holds, byte for byte.
fn image(disk: &SimDisk) -> Vec<(String, Vec<u8>)> {
    disk.list().unwrap().into_iter().map(|name| (name.clone(), disk.contents(&name))).collect()
}

/// A disk with those files.
fn disk_with(files: &[(String, Vec<u8>)]) -> SimDisk {
    let disk = SimDisk::new();
    files.iter().for_each(|(name, bytes)| disk.append(name, bytes).unwrap());
    disk
}

/// A board goes on with a journal in which something is bad, and opened again finds what it has written.
fn goes_on(disk: &SimDisk, what: &str) -> Found {
    let (mut journal, found) = open(disk);
    assert_eq!(journal.end().next_seq(), found.lines, "{what}");
    journal.commit(2, &[press(99)]).unwrap_or_else(|error| panic!("{what}: {error}"));
    let (_, again) = open(disk);
    assert_eq!((again.lines, &again.cut), (found.lines + 1, &None), "{what}");
    assert_eq!(again.damaged, found.damaged, "{what}");
    found
}

/// Any byte of any line that is changed, but for the last line feed: file and line are named, and the board goes on. What is bad
/// in the last game is set aside with all that follows; earlier games are left as they are.
#[test]
fn damage_is_named_kept_and_no_reason_to_stop() {
    let disk = SimDisk::new();
    batches().iter().for_each(|batch| open(&disk).0.commit(1, batch).unwrap());
    let whole = image(&disk);
    let lines = open(&disk).1.lines;
    let names = segments(&disk).unwrap();
    let (last, earlier) = names.split_last().unwrap();
    for name in earlier {
        for at in 0..disk.contents(name).len() {
            let what = format!("{name}, byte {at}");
            let damaged = disk_with(&whole);
            damaged.corrupt(name, at, 1);
            let before = damaged.contents(name);
            let found = goes_on(&damaged, &what);
            let bad = found.damaged.expect("it is found");
            let line = 1 + disk.contents(name)[..at].iter().filter(|byte| **byte == b'\n').count() as u64;
            assert_eq!((&bad.file, bad.line), (name, line), "{what}: {bad}");
            assert_eq!((found.lines, found.cut), (lines, None), "{what}");
            assert_eq!(found.game.expect("a game").header.game, "g3", "{what}");
            assert_eq!(damaged.contents(name), before, "{what}");
        }
    }
    let bytes = disk.contents(last);
    for at in 0..bytes.len() - 1 {
        let what = format!("{last}, byte {at}");
        let damaged = disk_with(&whole);
        damaged.corrupt(last, at, 1);
        let changed = damaged.contents(last);
        let found = goes_on(&damaged, &what);
        let cut = found.cut.expect("it is found");
        let begins = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count() as u64;
        assert_eq!((&cut.bad.file, cut.bad.line, cut.is_torn), (last, line, false), "{what}");
        assert_eq!(damaged.contents(&cut.kept_in), changed[begins..], "{what}");
        assert_eq!((cut.bytes, cut.bad.seq), ((bytes.len() - begins) as u64, found.lines), "{what}");
        let is_there = found.game.expect("a game").header.game;
        assert_eq!(is_there, if begins == 0 { "g2" } else { "g3" }, "{what}");
    }
}

/// A power failure after which a later part of the last batch is there and an earlier one is not.
#[test]
fn a_lost_block_before_one_that_was_kept_is_set_aside() {
    let disk = SimDisk::new();
    let (mut journal, _) = open(&disk);
    journal.commit(1, &[press(1), game("g1")]).unwrap();
    let name = segments(&disk).unwrap().pop().unwrap();
    let (lines, safe) = (journal.end().next_seq(), disk.contents(&name).len());
    journal.commit(1, &(0..20).map(press).collect::<Vec<_>>()).unwrap();
    let mut image = image(&disk);
    let bytes = &mut image.iter_mut().find(|file| file.0 == name).unwrap().1;
    bytes[safe..safe + 512].fill(0);
    let found = goes_on(&disk_with(&image), "zeros before lines");
    assert_eq!(found.lines, lines);
    assert!(!found.cut.expect("it is found").is_torn, "lines of it may have been published");
}

#[test]
fn an_earlier_game_that_is_gone_is_missed() {
    let disk = SimDisk::new();
    batches().iter().for_each(|batch| open(&disk).0.commit(1, batch).unwrap());
    let names = segments(&disk).unwrap();
    for gone in 0..names.len() - 1 {
        let damaged = disk_with(&image(&disk));
        damaged.remove(&names[gone]).unwrap();
        let found = goes_on(&damaged, &names[gone]);
        let bad = found.damaged.expect("it is missed");
        assert_eq!((&bad.file, bad.line), (&names[gone + 1], 1));
        assert_eq!(found.game.expect("a game").header.game, "g3");
    }
}

/// The folder is renamed while a board plays. Nothing counts as written until it is back; then everything follows in its place.
/// One that does not come back is made anew with the running game.
#[test]
fn a_folder_that_is_away_is_noticed() {
    for comes_back in [true, false] {
        let disk = SimDisk::new();
        let (mut journal, _) = open(&disk);
        journal.commit(1, &[press(1), game("g1"), press(2)]).unwrap();
        let end = journal.end();
        disk.set_away(true);
        assert!(journal.is_in_place().is_err());
        assert!(journal.commit(1, &[press(3)]).is_err());
        assert_eq!(journal.end(), end, "nothing counts as written");
        if comes_back {
            disk.set_away(false);
        } else {
            assert!(!journal.put_back().unwrap(), "what was before the game is not there");
        }
        assert!(journal.is_in_place().is_ok());
        journal.commit(1, &[press(3)]).unwrap();
        let (_, found) = open(&disk);
        assert_eq!((found.lines, found.cut, found.damaged.is_some()), (4, None, !comes_back));
        assert_eq!(found.game.expect("the game").lines.len(), 2);
    }
}

/// The last line loses its end, at any byte: that line and no other is cut, its bytes are kept, and it is said.
#[test]
fn a_torn_last_line_is_cut_alone() {
    let disk = SimDisk::new();
    batches().iter().for_each(|batch| open(&disk).0.commit(1, batch).unwrap());
    let lines = open(&disk).1.lines;
    let name = segments(&disk).unwrap().pop().unwrap();
    let bytes = disk.contents(&name);
    let begins = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for end in begins + 1..bytes.len() {
        let torn = SimDisk::new();
        image(&disk).iter().for_each(|(name, bytes)| torn.append(name, bytes).unwrap());
        torn.truncate(&name, end as u64).unwrap();
        let (journal, found) = open(&torn);
        let cut = found.cut.expect("the last line is torn");
        assert_eq!((found.lines, journal.end().next_seq()), (lines - 1, lines - 1));
        assert_eq!((cut.bad.fault, cut.bytes as usize), (RecordFault::Torn, end - begins));
        assert_eq!(torn.contents(&cut.kept_in), bytes[begins..end]);
        assert_eq!(torn.contents(&name), bytes[..begins]);
        assert!(cut.is_torn);
    }
    for (acknowledged, is_torn) in [(lines - 1, true), (lines, false)] {
        let torn = disk_with(&image(&disk));
        torn.truncate(&name, begins as u64 + 9).unwrap();
        torn.replace("relay-acknowledged", acknowledged.to_string().as_bytes()).unwrap();
        let cut = open(&torn).1.cut.expect("the last line is torn");
        assert_eq!(cut.is_torn, is_torn, "a broker had {acknowledged} of {lines} lines");
    }
}

/// Whole lines are gone from the end: nothing in the journal shows it, but a broker had them. It is told until it is written down,
/// and once.
#[test]
fn lines_that_a_broker_had_and_that_are_gone_are_missed() {
    let disk = SimDisk::new();
    batches().iter().for_each(|batch| open(&disk).0.commit(1, batch).unwrap());
    let lines = open(&disk).1.lines;
    let name = segments(&disk).unwrap().pop().unwrap();
    let bytes = disk.contents(&name);
    let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').map(|at| at + 1).collect();
    for (kept, acknowledged) in (0..ends.len()).flat_map(|kept| (0..=lines).map(move |to| (kept, to))) {
        let what = format!("{kept} of {} lines of {name}, {acknowledged} acknowledged", ends.len());
        let short = disk_with(&image(&disk));
        match kept {
            0 => short.remove(&name).unwrap(),
            kept => short.truncate(&name, ends[kept - 1] as u64).unwrap(),
        }
        short.replace("relay-acknowledged", acknowledged.to_string().as_bytes()).unwrap();
        let left = lines - (ends.len() - kept) as u64;
        // A board that is killed before it has written what it found finds it again.
        let first = open(&short).1.cut;
        let (mut journal, found) = open(&short);
        assert_eq!(found.cut, first, "{what}");
        assert_eq!((found.lines, first.is_some()), (left, acknowledged > left), "{what}");
        let Some(cut) = found.cut else { continue };
        assert_eq!((cut.bad.seq, &cut.bad.fault, cut.is_torn), (left, &RecordFault::Gone, false), "{what}");
        assert_eq!(short.contents(&cut.kept_in), b"", "{what}");
        assert_eq!(
            cut.alarm(),
            Some(Alarm::JournalLinesGone { seq: left }),
            "{what}: no file holds anything"
        );
        journal.commit(2, &[cut.record(1)]).unwrap();
        let again = open(&short).1;
        assert_eq!((again.lines, &again.cut), (left + 1, &None), "{what}");
        assert_eq!(again.set_aside, cut.alarm(), "{what}: as long as the game is on the board");
    }
}

/// Damage is cut off, and the board is killed before it has written that down: the next run tells it.
#[test]
fn what_was_cut_off_is_told_by_the_next_run_if_not_by_this_one() {
    let disk = SimDisk::new();
    batches().iter().for_each(|batch| open(&disk).0.commit(1, batch).unwrap());
    let name = segments(&disk).unwrap().pop().unwrap();
    disk.corrupt(&name, disk.contents(&name).len() / 2, 1);
    let cut = open(&disk).1.cut.expect("it is found");
    let (mut journal, found) = open(&disk);
    let again = found.cut.expect("it is found again");
    assert_eq!(again.record(1), cut.record(1));
    journal.commit(2, &[again.record(1)]).unwrap();
    assert_eq!(open(&disk).1.cut, None);
    // That record is damaged in its turn: another file has its name, and is the one that is told again.
    disk.corrupt(&name, disk.contents(&name).len() - 9, 1);
    let cut = open(&disk).1.cut.expect("it is found");
    assert_ne!(cut.kept_in, again.kept_in);
    disk.append(&format!("{}.new", cut.kept_in), b"not finished").unwrap();
    assert_eq!(open(&disk).1.cut.map(|again| again.record(1)), Some(cut.record(1)));
}

/// A disk without room for what is to be set aside: the board goes on with what is good, nothing is changed until there is room,
/// and then everything is in its place.
#[test]
fn damage_on_a_full_disk_waits_for_room() {
    let whole = SimDisk::new();
    batches().iter().for_each(|batch| open(&whole).0.commit(1, batch).unwrap());
    let name = segments(&whole).unwrap().pop().unwrap();
    let len = whole.contents(&name).len();
    let torn = |disk: &SimDisk| disk.truncate(&name, len as u64 - 5).unwrap();
    let first_of_game = |disk: &SimDisk| disk.corrupt(&name, 3, 1);
    let gone = |disk: &SimDisk| disk.replace("relay-acknowledged", b"1000").unwrap();
    let middle = |disk: &SimDisk| {
        gone(disk);
        disk.corrupt(&name, len / 2, 1);
    };
    let damages: [&dyn Fn(&SimDisk); 4] = [&torn, &first_of_game, &gone, &middle];
    for (number, damage) in damages.into_iter().enumerate() {
        let [full, roomy] = [(); 2].map(|()| {
            let disk = disk_with(&image(&whole));
            damage(&disk);
            disk
        });
        full.limit(Some(0));
        let before = image(&full);
        let (mut journal, found) = open(&full);
        let cut = found.cut.expect("it is found");
        assert!(found.not_cut.is_some(), "damage {number}");
        assert!(journal.commit(2, &[cut.record(1)]).is_err(), "damage {number}");
        let kept: Vec<_> = image(&full).into_iter().filter(|(name, _)| *name != cut.kept_in).collect();
        assert_eq!(kept, before, "damage {number}");
        assert_eq!(open(&full).1.cut, Some(cut.clone()), "a board that is started again finds the same");
        full.limit(None);
        for (disk, mut journal) in [(&full, journal), (&roomy, open(&roomy).0)] {
            journal.commit(2, &[cut.record(1), press(99)]).unwrap();
            assert_eq!((open(disk).1.lines, open(disk).1.cut), (found.lines + 2, None), "damage {number}");
        }
        assert_eq!(image(&full), image(&roomy), "damage {number}");
    }
}
