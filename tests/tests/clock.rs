//! The clock of whole games, as hands and reeds make it run.

use boardd::{FoundGame, Table};
use referee::clock::{ClockKind, ClockRefusal, PlyTime};
use referee::time_control::{Preset, Schedule, TimeControl};
use referee::{Chain, Command, Event, GameHeader, Happening, IncidentKind, Order, Record};
use sense::{Frame, Uptime};
use tests::{Dice, Reading};
use trace::{Header, Observation, Sensed};
use twin::{GameRecord, Style};
use xiangqi::{ByColor, Color, Move, Position};

/// The clock after every ply, in order.
fn ply_times(events: &[Event]) -> Vec<PlyTime> {
    let times = events.iter().flat_map(|event| match &event.what {
        Happening::Moved(moved) => moved.clock.into_iter().collect(),
        Happening::Resolved { clocks, .. } => clocks.clone(),
        _ => Vec::new(),
    });
    times.collect()
}

/// The journal of a board that sensed this: every line, as it was written.
fn journal(header: &GameHeader, observations: &[Observation]) -> Vec<String> {
    let mut table = Table::new(header);
    let mut records = vec![Record::Game(Box::new(header.clone()))];
    for observation in observations {
        table.take(observation);
        records.extend(std::iter::from_fn(|| table.poll_record()));
    }
    let end = observations.last().expect("a game").at;
    table.advance(end.plus_us(60_000_000));
    records.extend(std::iter::from_fn(|| table.poll_record()));
    let mut chain = Chain::START;
    records.iter().map(|record| chain.seal(0, &serde_json::to_string(record).unwrap())).collect()
}

/// The game that a journal holds, read from its lines.
fn found(lines: &[String]) -> FoundGame {
    let mut game = None;
    for line in lines {
        FoundGame::follow(&mut game, "b1", serde_json::from_str(line).unwrap());
    }
    game.expect("a game")
}

/// The moves and the clock after each of them, as the lines say.
fn recorded(game: &FoundGame) -> (Vec<Move>, Vec<PlyTime>) {
    let events = game.lines.iter().filter_map(|line| match &line.record {
        Record::Event(event) => Some(event.clone()),
        _ => None,
    });
    let events: Vec<Event> = events.collect();
    (game.snapshot.plies.iter().map(|ply| ply.mv).collect(), ply_times(&events))
}

#[test]
fn a_game_under_every_preset_replays_to_the_same_clock_at_every_ply() {
    let games = GameRecord::shipped();
    for (index, preset) in Preset::ALL.iter().enumerate() {
        let name = preset.name;
        let game = &games[index % games.len()].game;
        let played = game.play(Style::Clean, index as u64);
        let header = GameHeader { start: *game.start(), clock: Some(preset.text.to_owned()), ..header() };
        let lines = journal(&header, &played.observations);
        let whole = found(&lines);
        let (moves, times) = recorded(&whole);
        assert_eq!(moves, played.truth.moves, "{name}");
        assert_eq!(times.len(), moves.len(), "{name}: every ply has its clock");
        adds_up(preset, &times);

        // The evidence, read again from the lines, gives the same events, byte for byte, and so the same clocks.
        let resumed = boardd::resume(&whole).unwrap_or_else(|why| panic!("{name}: {why}"));
        let clock = resumed.table.referee().conduct().clock().expect("a clock");
        let counted = Color::ALL.map(|side| clock.face(side).plies());
        assert_eq!(counted, [moves.len().div_ceil(2), moves.len() / 2], "{name}");
        // A board that stops after any ply and comes back has the clock of that ply.
        for ply in [1, moves.len() / 3, moves.len() / 2, moves.len() - 1] {
            let is_ply = |line: &String| line.contains(&format!(r#""event":"moved","ply":{ply},"#));
            let Some(at) = lines.iter().position(is_ply) else {
                panic!("{name}: ply {ply} was not told as played")
            };
            let cut = found(&lines[..=at]);
            let resumed = boardd::resume(&cut).unwrap_or_else(|why| panic!("{name}, ply {ply}: {why}"));
            let (time, mover) = (times[ply - 1], if ply % 2 == 1 { Color::Red } else { Color::Black });
            let clock = resumed.table.referee().conduct().clock().expect("a clock");
            let left_us = if mover == Color::Red { time.red_left_us } else { time.black_left_us };
            let face = clock.face(mover);
            assert_eq!(
                (face.left_us(), face.account().used_us),
                (left_us, time.used_us),
                "{name}, ply {ply}"
            );
        }
    }
}

fn header() -> GameHeader {
    let text = format!(r#"{{"game":"g","us":0,"start":"{}","rules":"cxa-2010"}}"#, Position::initial());
    serde_json::from_str(&text).unwrap()
}

/// What every ply used sums up to what its side used, and what is left is what was given, less that.
fn adds_up(preset: &Preset, times: &[PlyTime]) {
    let control: TimeControl = preset.control();
    let mut both_us = 0;
    let mut used_us = ByColor { red: 0, black: 0 };
    let mut compared = 0;
    for (ply, time) in times.iter().enumerate() {
        let (moves, side) = (ply / 2 + 1, if ply % 2 == 0 { Color::Red } else { Color::Black });
        used_us[side] += time.spent_us;
        both_us += time.spent_us;
        let which = format!("{} {side} {moves}", preset.name);
        assert_eq!(time.used_us, used_us[side], "{which}");
        let schedule = control.side(side);
        let left_us = if side == Color::Red { time.red_left_us } else { time.black_left_us };
        let (shared_us, given_us) = (u64::from(control.shared_s()) * 1_000_000, given_us(schedule, moves));
        let expected_us = match schedule.byo_yomi() {
            None => given_us - used_us[side],
            // A period begins when the main time is over, and is whole after every move.
            Some(byo_yomi) if schedule.stages().is_empty() && shared_us == 0 => {
                assert!(
                    time.spent_us < u64::from(byo_yomi.time_s) * 1_000_000,
                    "{which}: nobody thinks so long"
                );
                u64::from(byo_yomi.time_s) * 1_000_000
            }
            Some(_) if shared_us > both_us => {
                assert_eq!(time.shared_us, shared_us - both_us, "{which}: shared");
                left_us
            }
            Some(_) if given_us > used_us[side] => given_us - used_us[side],
            Some(_) => continue,
        };
        assert_eq!(left_us, expected_us, "{which}");
        compared += 1;
    }
    assert!(compared * 2 > times.len(), "{}: {compared} of {} plies compared", preset.name, times.len());
}

/// The main time that a schedule has given by the time that so many moves are done.
fn given_us(schedule: &Schedule, moves: usize) -> u64 {
    let mut stages = schedule.stages().iter();
    let Some(mut stage) = stages.next() else { return 0 };
    let (mut given_s, mut to_go) = (stage.time_s, stage.moves);
    for _ in 0..moves {
        given_s += stage.increment_s;
        to_go = to_go.map(|moves| moves - 1);
        if to_go == Some(0) {
            stage = stages.next().unwrap_or(stage);
            given_s += stage.time_s;
            to_go = stage.moves;
        }
    }
    u64::from(given_s) * 1_000_000
}

/// Reeds and presses of hands that move, each time a little otherwise, and press every 300 ms.
fn hurried(moves: &[Move], dice: &mut Dice) -> Vec<Observation> {
    let start = Position::initial();
    let (mut position, mut now_ms) = (start, 1_000);
    let mut closed = start.board().occupied();
    let mut observations = vec![Observation { at: Uptime::ZERO, sensed: Sensed::Closed(Frame { closed }) }];
    for mv in moves {
        let mut at =
            |ms: u64, sensed| observations.push(Observation { at: Uptime::from_ms(now_ms + ms), sensed });
        if position.captured_by(*mv).is_some() {
            closed.remove(mv.to);
            at(20 + dice.below(30) as u64, Sensed::Closed(Frame { closed }));
        }
        closed.remove(mv.from);
        at(60 + dice.below(60) as u64, Sensed::Closed(Frame { closed }));
        closed.insert(mv.to);
        at(160 + dice.below(90) as u64, Sensed::Closed(Frame { closed }));
        at(300, Sensed::Press(position.turn()));
        position = position.play_unchecked(*mv);
        now_ms += 300;
    }
    observations
}

#[test]
fn blitz_with_a_press_every_300_ms_loses_no_press_and_no_time() {
    let shipped = GameRecord::shipped();
    let mut header = Header::new(*Position::initial().setup(), 1000);
    header.clock = Some("3m+2s".to_owned());
    let from_the_start = shipped.iter().cycle().filter(|record| *record.game.start() == Position::initial());
    let mut games = 0;
    for (seed, record) in (1..).zip(from_the_start.take(200)) {
        let moves = record.game.moves();
        let reading = Reading::of(&header, &hurried(moves, &mut Dice::new(seed)));
        let switches = reading.events.iter().filter(|event| {
            let switched = |what: &ClockKind| matches!(what, ClockKind::Switched | ClockKind::Started);
            matches!(&event.what, Happening::Clock { what, .. } if switched(what))
        });
        assert_eq!(switches.count(), moves.len(), "{}: presses", record.id);
        assert_eq!(reading.moves, moves, "{}", record.id);
        let times = ply_times(&reading.events);
        assert_eq!(times.len(), moves.len(), "{}", record.id);
        // The first press starts the clock; every other ply took what lies between two presses.
        let spent: Vec<u64> = times.iter().map(|time| time.spent_us).collect();
        let expected: Vec<u64> = (0..times.len()).map(|ply| if ply == 0 { 0 } else { 300_000 }).collect();
        assert_eq!(spent, expected, "{}", record.id);
        // After so many moves of a side: three minutes, two seconds for each, less what each took.
        for (ply, time) in times.iter().enumerate() {
            let (moves, first) = (ply as u64 / 2 + 1, u64::from(ply % 2 == 0));
            let left_us = if first == 1 { time.red_left_us } else { time.black_left_us };
            assert_eq!(left_us, 180_000_000 + moves * 1_700_000 + first * 300_000, "{} ply {ply}", record.id);
        }
        games += 1;
    }
    assert_eq!(games, 200);
}

/// A press without a move is a foul (8.1(7)), but not on a clock that the arbiter has stopped: that press is refused.
#[test]
fn a_press_on_a_stopped_clock_is_refused_and_no_foul() {
    for (paused, fouls) in [(false, 1), (true, 0)] {
        let header = GameHeader { clock: Some("10m".to_owned()), ..header() };
        let mut table = Table::new(&header);
        let at = |ms| Uptime::from_ms(ms);
        let order = |command| Order { name: "Li".to_owned(), reason: "noise".to_owned(), command };
        let closed = header.start.board().occupied();
        table.take(&Observation { at: at(0), sensed: Sensed::Closed(Frame { closed }) });
        table.order(at(1_000), &order(Command::Start));
        if paused {
            table.order(at(2_000), &order(Command::Pause));
        }
        table.take(&Observation { at: at(3_000), sensed: Sensed::Press(Color::Red) });
        table.advance(at(9_000));
        let records: Vec<Record> = std::iter::from_fn(|| table.poll_record()).collect();
        let refused = records.iter().any(|record| {
            let Record::Event(event) = record else { return false };
            let why = ClockRefusal::Paused;
            matches!(&event.what, Happening::Clock { what: ClockKind::PressIgnored { why: w }, .. } if *w == why)
        });
        assert_eq!(refused, paused, "{records:?}");
        assert_eq!(table.referee().conduct().fouls().count(Color::Red), fouls);
        let told = records.iter().filter(|record| {
            matches!(record, Record::Event(event) if matches!(&event.what, Happening::Incident(incident)
                if incident.kind == IncidentKind::PressWithoutMove))
        });
        assert_eq!(told.count() as u32, fouls);
    }
}
