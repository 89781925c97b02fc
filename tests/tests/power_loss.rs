//! A recorded game on a disk whose power fails at each of its writes: what is left is always a verified prefix with all
//! that was committed, and the game goes on from there to the same end.

use boardd::{Journal, Reader, Table, resume};
use referee::relay::SecretKey;
use referee::{GameHeader, Record};
use tests::{Dice, SimDisk};
use trace::{Observation, Sensed};
use twin::{Game, GameRecord, Style};
use xiangqi::{Move, Position};

const BOARD: &str = "b1";

/// What a board records of a game, in the batches in which its daemon hands them to the disk: whatever an observation gave.
fn batches(header: &GameHeader, observations: &[Observation]) -> Vec<Vec<Record>> {
    let mut table = Table::new(header);
    let mut batches = vec![vec![opened(0)], vec![Record::Game(Box::new(header.clone()))]];
    for observation in observations {
        table.take(observation);
        batches.push(std::iter::from_fn(|| table.poll_record()).collect());
    }
    let end = observations.last().expect("a game").at;
    table.advance(end.plus_us(60_000_000));
    batches.push(std::iter::from_fn(|| table.poll_record()).collect());
    batches.retain(|batch: &Vec<Record>| !batch.is_empty());
    batches
}

fn opened(us: u64) -> Record {
    Record::Opened {
        format: "luozi-journal".into(),
        version: 1,
        board: BOARD.into(),
        firmware: "simulated".into(),
        us,
        boot: String::new(),
        gap_us: None,
        unsigned_at_most: None,
    }
}

fn open(disk: &SimDisk) -> (Journal<SimDisk>, boardd::Found) {
    let (mut journal, found) = Journal::open(disk.clone(), BOARD).unwrap_or_else(|error| panic!("{error}"));
    journal.sign_with(SecretKey::from_bytes(&[7; 32]));
    (journal, found)
}

/// The lines of a journal, as they stand on the disk.
fn lines(disk: &SimDisk, end: u64) -> Vec<String> {
    let mut reader = Reader::new(disk.clone(), 0);
    std::iter::from_fn(|| reader.next_line(end).expect("a readable disk")).collect()
}

/// Writes batches until the power fails, and gives how many lines it said to be on disk.
fn write(disk: &SimDisk, batches: &[Vec<Record>]) -> u64 {
    let (mut journal, _) = open(disk);
    for batch in batches {
        if journal.commit(1, batch).is_err() {
            break;
        }
    }
    journal.end().next_seq()
}

/// The moves that the table of a journal has when it goes on with the rest of the game.
fn goes_on(disk: &SimDisk, observations: &[Observation]) -> Vec<Move> {
    let (_, found) = open(disk);
    let Some(game) = &found.game else { return Vec::new() };
    let resumed = resume(game).unwrap_or_else(|disagreement| panic!("{disagreement}"));
    let mut table = resumed.table;
    observations[resumed.observations..].iter().for_each(|observation| table.take(observation));
    table.advance(observations.last().expect("a game").at.plus_us(60_000_000));
    table.referee().moves().to_vec()
}

fn check(record: &GameRecord, style: Style) {
    let moves: Vec<Move> = record.game.moves().iter().take(24).copied().collect();
    let game = Game::new(*record.game.start(), moves.clone()).expect("the first moves of a legal game");
    let observations = game.play(style, 5).observations;
    let header = GameHeader {
        clock: style.clock().map(str::to_owned),
        ..GameHeader::new(record.id.clone(), *game.start(), "cxa-2010")
    };
    let batches = batches(&header, &observations);
    let whole = SimDisk::new();
    let all = write(&whole, &batches);
    let whole_lines = lines(&whole, all);
    assert!(whole_lines.iter().any(|line| line.contains(r#""kind":"signed""#)), "it is signed");
    let (writes, mut torn, mut survived_more) = (whole.writes(), 0, 0);
    assert!(writes > 100, "{writes} writes");
    for fuse in 0..writes {
        for seed in 0..3 {
            let what = format!("{style}, power lost at write {fuse} of {writes}, seed {seed}");
            let disk = SimDisk::new();
            disk.fail_power_after(fuse);
            let committed = write(&disk, &batches);
            let mut dice = Dice::new(fuse * 3 + seed);
            disk.power_on(&mut |end| dice.below(end));
            let (_, found) = open(&disk);
            torn += u32::from(found.cut.is_some());
            survived_more += u32::from(found.lines > committed);
            assert!(found.lines >= committed, "{what}: {} of {committed} lines", found.lines);
            let left = lines(&disk, found.lines);
            assert!(whole_lines.starts_with(&left), "{what}: another line");
            assert_eq!(left.len() as u64, found.lines, "{what}");
            // Each takes as long as reading the game, so not each is tried.
            if found.game.is_some() && seed == 0 && fuse % 11 == 0 {
                assert_eq!(goes_on(&disk, &observations), moves, "{what}");
            }
        }
    }
    assert!(torn > 50 && survived_more > 10, "{style}: {torn} torn ends, {survived_more} unsaid lines");
}

#[test]
fn a_verified_prefix_at_each_write() {
    let records = GameRecord::shipped();
    check(&records[2], Style::Clean);
    check(&records[5], Style::Slides);
}

/// The game as a board senses it that is off from the second press until after the third: of what was done meanwhile it finds
/// only what stands then.
fn without_the_third_ply(observations: &[Observation]) -> (Vec<Observation>, Vec<Observation>) {
    let presses: Vec<usize> =
        (0..observations.len()).filter(|i| matches!(observations[*i].sensed, Sensed::Press(_))).collect();
    let (off, on) = (presses[1] + 1, presses[2] + 1);
    let reading = observations[..on].iter().rev().find(|o| matches!(o.sensed, Sensed::Closed(_)));
    let stands =
        Observation { at: observations[on - 1].at, sensed: reading.expect("a reading").sensed.clone() };
    let after = std::iter::once(stands).chain(observations[on..].iter().cloned()).collect();
    (observations[..off].to_vec(), after)
}

/// The moves that a board tells that lost its power for the third ply, and went on.
fn told_without_the_third_ply(moves: &[&str]) -> (Vec<Move>, Vec<Move>) {
    let moves: Vec<Move> = moves.iter().map(|mv| mv.parse().expect("a move")).collect();
    let game = Game::new(Position::initial(), moves.clone()).expect("a legal game");
    let header = GameHeader {
        clock: Style::Clean.clock().map(str::to_owned),
        ..GameHeader::new("g1", *game.start(), "cxa-2010")
    };
    let (before, after) = without_the_third_ply(&game.play(Style::Clean, 5).observations);
    let disk = SimDisk::new();
    let mut batches = batches(&header, &before);
    // Nobody was there to see the silence.
    batches.pop();
    write(&disk, &batches);
    let (_, found) = open(&disk);
    let resumed =
        resume(found.game.as_ref().expect("a game")).unwrap_or_else(|disagreement| panic!("{disagreement}"));
    let mut table = resumed.table;
    let back = after[0].at;
    table.restore(back, Some(back.us_since(resumed.last)));
    after.iter().for_each(|observation| table.take(observation));
    table.advance(after.last().expect("a game").at.plus_us(60_000_000));
    (table.referee().moves().to_vec(), moves)
}

#[test]
fn a_move_that_was_made_while_the_board_was_off_is_told() {
    let (told, played) = told_without_the_third_ply(&["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"]);
    assert_eq!(told, played);
}

#[test]
fn of_a_capture_that_was_made_while_the_board_was_off_nothing_wrong_is_told() {
    let (told, played) = told_without_the_third_ply(&["h2e2", "h9g7", "b2b9", "a9b9", "h0g2", "i9h9"]);
    assert!(played.starts_with(&told), "{told:?}");
    assert!(told.len() > 2, "{told:?}");
}
