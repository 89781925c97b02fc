//! The clock of whole games, as hands and reeds make it run.

use referee::clock::{ClockKind, PlyTime};
use referee::time_control::{Preset, TimeControl};
use referee::{Chain, Event, Happening, Line, Record};
use sense::{Frame, Uptime};
use tests::Reading;
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

/// Everything that a board of that trace writes: evidence, and what the referee makes of it.
fn journal(observations: &[Observation], events: &[Event]) -> Vec<String> {
    let evidence = observations.iter().filter_map(|observation| {
        let us = observation.at.as_us();
        match &observation.sensed {
            Sensed::Closed(frame) => Some(Record::Closed { us, closed: frame.to_string() }),
            Sensed::Press(side) => Some(Record::Press { us, side: *side }),
            _ => None,
        }
    });
    let records = evidence.chain(events.iter().cloned().map(Record::Event));
    let mut chain = Chain::START;
    records.map(|record| chain.seal(0, &serde_json::to_string(&record).unwrap())).collect()
}

/// The evidence and the events that a journal holds, read from its lines.
fn read(lines: &[String]) -> (Vec<Observation>, Vec<Event>) {
    let (mut observations, mut events) = (Vec::new(), Vec::new());
    for line in lines {
        let line: Line = serde_json::from_str(line).unwrap();
        match line.record {
            Record::Closed { us, closed } => {
                let sensed = Sensed::Closed(closed.parse::<Frame>().unwrap());
                observations.push(Observation { at: Uptime::from_us(us), sensed });
            }
            Record::Press { us, side } => {
                observations.push(Observation { at: Uptime::from_us(us), sensed: Sensed::Press(side) });
            }
            Record::Event(event) => events.push(event),
            other => panic!("nobody wrote {other:?}"),
        }
    }
    (observations, events)
}

#[test]
fn a_game_under_every_preset_replays_to_the_same_clock_at_every_ply() {
    let games = GameRecord::shipped();
    for (index, preset) in Preset::ALL.iter().enumerate() {
        let mut played = games[index].game.play(Style::Clean, index as u64);
        played.header.clock = Some(preset.text.to_owned());
        let reading = Reading::of(&played.header, &played.observations);
        let times = ply_times(&reading.events);
        assert_eq!(times.len(), reading.moves.len(), "{}: every ply has its clock", preset.name);
        assert!(played.truth.moves.starts_with(&reading.moves) && times.len() > 20, "{}", preset.name);

        let (observations, recorded) = read(&journal(&played.observations, &reading.events));
        assert_eq!(recorded, reading.events, "{}", preset.name);
        let again = Reading::of(&played.header, &observations);
        assert_eq!(ply_times(&again.events), times, "{}", preset.name);
        assert_eq!(again.events, recorded, "{}", preset.name);

        adds_up(preset, &times);
    }
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

/// Reeds and presses of hands that move and press every 300 ms.
fn hurried(moves: &[Move]) -> Vec<Observation> {
    let start = Position::initial();
    let (mut position, mut now_ms) = (start, 1_000);
    let mut closed = start.board().occupied();
    let mut observations = vec![Observation { at: Uptime::ZERO, sensed: Sensed::Closed(Frame { closed }) }];
    for mv in moves {
        let mut at =
            |ms: u64, sensed| observations.push(Observation { at: Uptime::from_ms(now_ms + ms), sensed });
        if position.captured_by(*mv).is_some() {
            closed.remove(mv.to);
            at(40, Sensed::Closed(Frame { closed }));
        }
        closed.remove(mv.from);
        at(80, Sensed::Closed(Frame { closed }));
        closed.insert(mv.to);
        at(200, Sensed::Closed(Frame { closed }));
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
    let (mut games, mut committed, mut pressed) = (0, 0, 0);
    for record in
        shipped.iter().cycle().filter(|record| *record.game.start() == Position::initial()).take(200)
    {
        let moves = record.game.moves();
        let moves = &moves[..moves.len().min(60)];
        let reading = Reading::of(&header, &hurried(moves));
        let switches = reading.events.iter().filter(|event| {
            let switched = |what: &ClockKind| matches!(what, ClockKind::Switched | ClockKind::Started);
            matches!(&event.what, Happening::Clock { what, .. } if switched(what))
        });
        assert_eq!(switches.count(), moves.len(), "{}: presses", record.id);
        assert!(moves.starts_with(&reading.moves), "{}", record.id);
        let times = ply_times(&reading.events);
        assert_eq!(times.len(), reading.moves.len(), "{}", record.id);
        committed += times.len();
        pressed += moves.len();
        // The first press starts the clock; every other ply took what lies between two presses.
        let spent: Vec<u64> = times.iter().map(|time| time.spent_us).collect();
        let expected: Vec<u64> = (0..times.len()).map(|ply| if ply == 0 { 0 } else { 300_000 }).collect();
        assert_eq!(spent, expected, "{}", record.id);
        games += 1;
    }
    assert_eq!(games, 200);
    // Hands that leave no time between a reply and the next move are read later, not otherwise.
    assert!(committed * 100 >= pressed * 95, "{committed} of {pressed} plies committed");
}
