//! What the panel shows: two displays, lamps, a buzzer. A pure function of what the referee knows, so that hardware, a
//! terminal and a test show the same.

use referee::Referee;
use referee::clock::{Clock, ClockState, Face};
use sense::Uptime;
use xiangqi::{ByColor, Color, Move};

/// How long the buzzer sounds for a flag, in microseconds.
const FLAG_SOUNDS_US: u64 = 2_000_000;
/// Below this a display counts tenths of a second, in microseconds.
const TENTHS_BELOW_US: u64 = 60_000_000;

/// What a lamp does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lamp {
    /// Dark.
    #[default]
    Off,
    /// Lit.
    On,
    /// Blinking: somebody is asked to do something.
    Blinking,
}

/// One side's half of the panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Half {
    /// What is left, at most eight characters: `1:29:59`, `29:59`, `0:09.9`; empty without a clock. Rounded up, so that a
    /// zero is a fallen flag and nothing else.
    pub time: String,
    /// The running stage, from 1.
    pub stage: u32,
    /// Moves to complete before the time of the stage is over.
    pub moves_to_go: Option<u16>,
    /// Byo-yomi periods left, the running one included.
    pub periods: Option<u16>,
    /// Moves completed.
    pub moves: usize,
    /// Fouls that count.
    pub fouls: u32,
    /// Beside the button: lit while this side's time runs, blinking where its flag is down or a draw is offered to it.
    pub lamp: Lamp,
}

/// What the whole panel shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// Red's half and Black's half.
    pub halves: ByColor<Half>,
    /// Time that both sides share, as on a display; empty where none is left.
    pub shared: String,
    /// The arbiter's lamp: blinking where the board waits for him, lit while he has stopped the clock.
    pub arbiter: Lamp,
    /// Whether the clock is paused.
    pub paused: bool,
    /// Who offers a draw that is not answered yet.
    pub offer: Option<Color>,
    /// Whether the buzzer sounds.
    pub buzzer: bool,
    /// Plies committed.
    pub plies: usize,
    /// The last committed move.
    pub last: Option<Move>,
    /// The move that stands on the board and is not committed.
    pub provisional: Option<Move>,
    /// The score and its reason in words, once there is a result.
    pub result: Option<(String, String)>,
    /// What waits for the arbiter, in words.
    pub waits: Vec<String>,
}

impl Panel {
    /// What the panel shows at `now`.
    pub fn of(referee: &Referee, now: Uptime) -> Panel {
        let conduct = referee.conduct();
        let clock = conduct.clock().map(|clock| clock.seen_at(now));
        let result = conduct.results().current();
        let mut waits: Vec<String> = conduct
            .dues()
            .iter()
            .map(|due| format!("{} {} ({})", words(&due.ending), due.score, due.article))
            .collect();
        waits.extend(conduct.claim().map(|claim| format!("{} claims {}", claim.side, words(&claim.claim))));
        waits.extend(referee.called().then(|| "a player calls".to_owned()));
        let paused = clock.as_ref().is_some_and(|clock| clock.state() == ClockState::Paused);
        Panel {
            halves: ByColor::new_with(|side| half(referee, clock.as_ref(), side)),
            shared: clock.as_ref().map(Clock::pool_us).filter(|us| *us > 0).map_or(String::new(), digits),
            arbiter: match (waits.is_empty(), paused) {
                (false, _) => Lamp::Blinking,
                (true, true) => Lamp::On,
                (true, false) => Lamp::Off,
            },
            paused,
            offer: conduct.offers().standing(),
            buzzer: result.is_none() && clock.as_ref().is_some_and(|clock| sounds(clock, now)),
            plies: referee.moves().len(),
            last: referee.moves().last().copied(),
            provisional: referee.provisional(),
            result: result.map(|result| (result.score.to_string(), words(&result.reason))),
            waits,
        }
    }
}

fn half(referee: &Referee, clock: Option<&Clock>, side: Color) -> Half {
    let conduct = referee.conduct();
    let fouls = conduct.fouls().count(side);
    let asked = conduct.offers().standing() == Some(side.other());
    let Some(clock) = clock else {
        let lamp = if asked { Lamp::Blinking } else { Lamp::Off };
        return Half { fouls, lamp, ..Half::default() };
    };
    let face: &Face = clock.face(side);
    let lamp = if asked || (face.flagged().is_some() && !conduct.is_over()) {
        Lamp::Blinking
    } else if clock.running() == Some(side) {
        Lamp::On
    } else {
        Lamp::Off
    };
    Half {
        time: digits(face.left_us()),
        stage: face.stage(),
        moves_to_go: face.moves_to_go(),
        periods: face.periods(),
        moves: face.plies(),
        fouls,
        lamp,
    }
}

/// A reason or a claim, named as records name it.
fn words(named: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(named).unwrap_or_default();
    name.as_str().unwrap_or_default().replace('_', " ")
}

/// A flag has just fallen.
fn sounds(clock: &Clock, now: Uptime) -> bool {
    clock.flags().iter().any(|(fell, _)| now.us_since(*fell) < FLAG_SOUNDS_US)
}

/// A time as a display shows it.
fn digits(us: u64) -> String {
    if us <= TENTHS_BELOW_US - 100_000 {
        let tenths = us.div_ceil(100_000);
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    let seconds = us.div_ceil(1_000_000);
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::{Config, Input, Order};
    use xiangqi::Position;

    fn referee(clock: &str) -> Referee {
        Referee::new(Config::of_header(None, Some(clock)).unwrap(), Position::initial())
    }

    fn order(json: &str) -> Input {
        Input::Order(Box::new(serde_json::from_str::<Order>(json).unwrap()))
    }

    const START: &str = r#"{"name":"Li","command":"start"}"#;

    #[test]
    fn a_display_rounds_up_so_that_zero_is_a_flag() {
        let shown = [
            (0, "0:00.0"),
            (1, "0:00.1"),
            (59_900_000, "0:59.9"),
            (59_900_001, "1:00"),
            (60_000_001, "1:01"),
            (3_599_000_001, "1:00:00"),
            (359_999_000_000, "99:59:59"),
        ];
        for (us, text) in shown {
            assert_eq!(digits(us), text);
            assert!(digits(us).len() <= 8);
        }
    }

    #[test]
    fn the_lamp_of_the_running_side_is_lit_and_blinks_when_its_flag_is_down() {
        let mut referee = referee("1m");
        let before = Panel::of(&referee, Uptime::ZERO);
        assert_eq!((before.halves.red.lamp, before.halves.red.time.as_str()), (Lamp::Off, "1:00"));
        referee.handle(Uptime::ZERO, order(START));
        let running = Panel::of(&referee, Uptime::from_ms(30_050));
        assert_eq!((running.halves.red.lamp, running.halves.red.time.as_str()), (Lamp::On, "0:30.0"));
        assert!(!running.buzzer);
        referee.advance(Uptime::from_ms(61_000));
        let flag = Panel::of(&referee, Uptime::from_ms(61_000));
        assert_eq!((flag.halves.red.lamp, flag.halves.red.time.as_str()), (Lamp::Blinking, "0:00.0"));
        assert_eq!((flag.buzzer, flag.arbiter, flag.waits.len()), (true, Lamp::Blinking, 1));
        assert!(!Panel::of(&referee, Uptime::from_ms(63_000)).buzzer);
    }

    #[test]
    fn who_is_offered_a_draw_sees_it() {
        let mut referee = referee("10m");
        referee.handle(Uptime::ZERO, order(START));
        referee.handle(Uptime::ZERO, order(r#"{"name":"Li","command":"draw","side":"red"}"#));
        let panel = Panel::of(&referee, Uptime::ZERO);
        assert_eq!((panel.halves.red.lamp, panel.halves.black.lamp), (Lamp::On, Lamp::Blinking));
        assert_eq!(panel.offer, Some(Color::Red));
        referee.handle(Uptime::from_ms(10), Input::Draw(Some(Color::Black)));
        let over = Panel::of(&referee, Uptime::from_ms(10));
        assert_eq!(over.result, Some(("1/2-1/2".to_owned(), "agreement".to_owned())));
        assert_eq!((over.halves.red.lamp, over.halves.black.lamp, over.offer), (Lamp::Off, Lamp::Off, None));
    }

    #[test]
    fn the_arbiters_lamp_blinks_from_a_players_call_to_the_next_order() {
        let mut referee = referee("10m");
        referee.handle(Uptime::ZERO, order(START));
        referee.handle(Uptime::ZERO, Input::CallArbiter(None));
        assert_eq!(Panel::of(&referee, Uptime::ZERO).arbiter, Lamp::Blinking);
        referee.handle(Uptime::ZERO, order(r#"{"name":"Li","command":"pause"}"#));
        assert_eq!(Panel::of(&referee, Uptime::ZERO).arbiter, Lamp::Blinking, "that one lacked its reason");
        referee.handle(Uptime::ZERO, order(r#"{"name":"Li","command":"pause","reason":"called"}"#));
        assert_eq!(Panel::of(&referee, Uptime::ZERO).arbiter, Lamp::On);
    }

    #[test]
    fn the_arbiters_lamp_tells_a_stopped_clock_from_a_board_that_waits() {
        let mut referee = referee("10m");
        referee.handle(Uptime::ZERO, order(START));
        referee.handle(Uptime::ZERO, order(r#"{"name":"Li","command":"pause","reason":"noise"}"#));
        assert_eq!(Panel::of(&referee, Uptime::ZERO).arbiter, Lamp::On);
        let claim =
            r#"{"name":"Li","command":"claim","side":"red","claim":"natural_limit","reason":"asked"}"#;
        referee.handle(Uptime::ZERO, order(claim));
        assert_eq!(Panel::of(&referee, Uptime::ZERO).arbiter, Lamp::Blinking);
    }
}
