//! The clock of whole games, as hands and reeds make it run.

use boardd::{FoundGame, Table};
use referee::clock::{ClockKind, PlyTime};
use referee::time_control::{Preset, TimeControl};
use referee::{Chain, Event, GameHeader, Happening, Record};
use sense::{Frame, Uptime};
use tests::{Dice, Reading};
use trace::{Header, Observation, Sensed};
use twin::{GameRecord, Style};
use xiangqi::{Color, Move, Position};

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

/// What every ply used sums up to what its side used, and where the control is simple, what is left follows from it.
fn adds_up(preset: &Preset, times: &[PlyTime]) {
    let control: TimeControl = preset.control();
    for (parity, side) in [(0, Color::Red), (1, Color::Black)] {
        let mut used_us = 0;
        for (moves, time) in (1..).zip(times.iter().skip(parity).step_by(2)) {
            used_us += time.spent_us;
            assert_eq!(time.used_us, used_us, "{} {side} {moves}", preset.name);
            let left_us = if side == Color::Red { time.red_left_us } else { time.black_left_us };
            let schedule = control.side(side);
            let [stage] = schedule.stages() else { continue };
            if stage.moves.is_none() && schedule.byo_yomi().is_none() {
                let given_s = u64::from(stage.time_s) + moves * u64::from(stage.increment_s);
                assert_eq!(left_us, given_s * 1_000_000 - used_us, "{} {side} {moves}", preset.name);
            }
        }
    }
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
        games += 1;
    }
    assert_eq!(games, 200);
}
