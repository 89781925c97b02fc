//! Time controls: how much time each side has, and for how many moves (article 6).
//!
//! The text form is what command lines, configuration, records and pages write:
//!
//! | text | scheme | article |
//! |---|---|---|
//! | `60m+30s` | 60 minutes, 30 seconds more for every move (加秒制) | 2010 6.1 |
//! | `90m/40,15m/10…` | 40 moves in 90 minutes, then 10 in every 15 (限时限着制) | 1999 6.1 |
//! | `15m` | all moves in 15 minutes (包干制) | 1999 6.5, 2010 6.3 |
//! | `90m/40,30m` | 40 moves in 90 minutes, then the rest in 30 | – |
//! | `20m,3x30s` | 20 minutes, then three periods of 30 seconds a move (读秒) | – |
//! | `1x30s` | 30 seconds for each move (步时) | – |
//! | `shared:30m,1x30s` | 30 minutes that both sides draw from, then 30 seconds a move | event plans |
//! | `red=5m,black=4m` | unequal times, time odds (贴时制) | 2010 6.5 |
//!
//! Time that is left when the moves of a stage are done is carried into the next stage, as on a clock with hands. An
//! unfinished byo-yomi period is not. `…` may be typed as `...`; the name of a [`Preset`] may stand for its text.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use xiangqi::{ByColor, Color};

use crate::time_text::{Cursor, MAX_MOVES, MAX_PERIODS, MAX_STAGES, write_span};

pub use crate::time_text::LONGEST_SPAN_S;

/// One second of [`sense::Uptime`].
pub const SECOND_US: u64 = 1_000_000;

/// A main-time stage of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// Seconds that the stage adds when it begins.
    pub time_s: u32,
    /// Seconds that every completed move of the stage adds.
    pub increment_s: u32,
    /// Moves to complete in it; `None` for all the rest of the game.
    pub moves: Option<u16>,
}

/// Periods that begin when the main time is used up; a move completed inside one gives it back whole (读秒).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByoYomi {
    /// How many periods there are; the time is over with the last one.
    pub periods: u16,
    /// Seconds in a period.
    pub time_s: u32,
}

/// The time of one side: stages in order, then byo-yomi.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    pub(crate) stages: Vec<Stage>,
    pub(crate) repeats: bool,
    pub(crate) byo_yomi: Option<ByoYomi>,
}

impl Schedule {
    /// The main-time stages, first to last.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Whether the last stage begins again each time its moves are done.
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// What follows the main time.
    pub fn byo_yomi(&self) -> Option<ByoYomi> {
        self.byo_yomi
    }

    /// The stage of that number, counted from 0; a last stage that repeats has every further number too.
    pub fn stage(&self, number: u32) -> Option<&Stage> {
        let listed = self.stages.get(number as usize);
        if self.repeats { listed.or(self.stages.last()) } else { listed }
    }

    /// Says why no game could be played with this schedule, if so.
    fn impossible(&self) -> Option<&'static str> {
        let Some((last, before)) = self.stages.split_last() else {
            return self.byo_yomi.is_none().then_some("some time of each side's own");
        };
        if self.stages.iter().any(|stage| stage.time_s == 0) {
            return Some("a stage longer than 0 s");
        }
        if before.iter().any(|stage| stage.moves.is_none()) {
            return Some("a number of moves (…/40) in every stage that another follows");
        }
        match (last.moves, self.repeats, self.byo_yomi) {
            (None, true, _) => Some("a number of moves (…/10) in the stage that repeats"),
            (Some(_), false, None) => Some("a stage for the moves that follow: `…`, a time or byo-yomi"),
            _ => None,
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for stage in &self.stages {
            f.write_str(comma)?;
            comma = ",";
            write_span(f, stage.time_s)?;
            if stage.increment_s > 0 {
                f.write_str("+")?;
                write_span(f, stage.increment_s)?;
            }
            if let Some(moves) = stage.moves {
                write!(f, "/{moves}")?;
            }
        }
        if self.repeats {
            f.write_str("…")?;
        }
        if let Some(byo_yomi) = self.byo_yomi {
            write!(f, "{comma}{}x", byo_yomi.periods)?;
            write_span(f, byo_yomi.time_s)?;
        }
        Ok(())
    }
}

/// The time of both sides. A value of this type can be played: what is impossible is refused when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    sides: ByColor<Schedule>,
    shared_s: u32,
}

impl TimeControl {
    /// The schedule of `side`.
    pub fn side(&self, side: Color) -> &Schedule {
        &self.sides[side]
    }

    /// Seconds that both sides draw from before their own time begins; 0 where nothing is shared.
    pub fn shared_s(&self) -> u32 {
        self.shared_s
    }

    /// 贴时: the same control with `seconds` of the first stage taken from one side and given to the other.
    ///
    /// # Errors
    /// When `from` has no first stage longer than that.
    pub fn with_odds(mut self, from: Color, seconds: u32) -> Result<TimeControl, TimeControlError> {
        let text = self.to_string();
        let short = || TimeControlError::new(&text, 0, "a first stage longer than the odds");
        let giver = self.sides[from].stages.first_mut().ok_or_else(short)?;
        giver.time_s = giver.time_s.checked_sub(seconds).filter(|left| *left > 0).ok_or_else(short)?;
        let taker = self.sides[from.other()].stages.first_mut().ok_or_else(short)?;
        taker.time_s =
            taker.time_s.checked_add(seconds).filter(|time| *time <= LONGEST_SPAN_S).ok_or_else(short)?;
        Ok(self)
    }

    /// Whether this is a blitz game (快棋): at most 15 minutes for each side (2010 6.4).
    pub fn is_blitz(&self) -> bool {
        //= 6.4
        let main = |side: &Schedule| side.stages.iter().map(|stage| stage.time_s).sum::<u32>();
        !self.sides.red.repeats
            && Color::ALL.iter().all(|&c| main(&self.sides[c]) + self.shared_s / 2 <= 15 * 60)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shared_s > 0 {
            f.write_str("shared:")?;
            write_span(f, self.shared_s)?;
            f.write_str(",")?;
        }
        if self.sides.red == self.sides.black {
            self.sides.red.fmt(f)
        } else {
            write!(f, "red={},black={}", self.sides.red, self.sides.black)
        }
    }
}

/// A text is no time control, or one that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControlError {
    /// The whole text.
    pub text: String,
    /// Where it goes wrong: a character, counted from 1.
    pub column: usize,
    /// What should have stood there.
    pub expected: &'static str,
}

impl TimeControlError {
    pub(crate) fn new(text: &str, byte: usize, expected: &'static str) -> TimeControlError {
        let column = text.char_indices().take_while(|(at, _)| *at < byte).count() + 1;
        TimeControlError { text: text.to_string(), column, expected }
    }
}

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "time control {:?}, character {}: expected {}", self.text, self.column, self.expected)
    }
}

impl core::error::Error for TimeControlError {}

/// Reads one span of time, `15m` or `1h30m`, from 1 second to 24 hours. Gives seconds.
///
/// # Errors
///
/// Where the text is none, and what was expected there.
pub fn parse_span(text: &str) -> Result<u32, String> {
    let mut cursor = Cursor::new(text);
    cursor
        .span("a number and h, m or s, as 15m")
        .and_then(
            |seconds| if cursor.at() == text.len() { Ok(seconds) } else { Err(cursor.error("the end")) },
        )
        .map_err(|TimeControlError { column, expected, .. }| {
            format!("character {column}: expected {expected}")
        })
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        if let Some(preset) = Preset::named(text) {
            return preset.text.parse();
        }
        let mut cursor = Cursor::new(text);
        let shared_s = if cursor.eat("shared:") {
            let shared_s = cursor.span("a shared time such as 30m")?;
            cursor.expect(",", "`,` and the time of each side's own after the shared time")?;
            shared_s
        } else {
            0
        };
        let sides = if cursor.eat("red=") {
            let red = schedule(&mut cursor)?;
            cursor.expect("black=", "`black=` and Black's time")?;
            ByColor { red, black: schedule(&mut cursor)? }
        } else if cursor.eat("black=") {
            let black = schedule(&mut cursor)?;
            cursor.expect("red=", "`red=` and Red's time")?;
            ByColor { red: schedule(&mut cursor)?, black }
        } else {
            let both = schedule(&mut cursor)?;
            ByColor { red: both.clone(), black: both }
        };
        cursor.expect_end()?;
        Ok(TimeControl { sides, shared_s })
    }
}

/// Reads one side's schedule, up to the end or to the next `red=` or `black=`, whose comma is eaten.
fn schedule(cursor: &mut Cursor<'_>) -> Result<Schedule, TimeControlError> {
    let begin = cursor.at();
    let mut schedule = Schedule { stages: Vec::new(), repeats: false, byo_yomi: None };
    loop {
        if let Some(periods) = cursor.number_before('x') {
            let periods = cursor.within(periods, 1, u32::from(MAX_PERIODS), "1 to 99 byo-yomi periods")?;
            let time_s = cursor.span("the length of a period, such as 30s")?;
            schedule.byo_yomi = Some(ByoYomi { periods: periods as u16, time_s });
        } else {
            schedule.stages.push(stage(cursor)?);
            schedule.repeats = cursor.eat("…") || cursor.eat("...");
        }
        if schedule.stages.len() > MAX_STAGES {
            return Err(cursor.error("at most 9 stages"));
        }
        let ended = schedule.repeats || schedule.byo_yomi.is_some();
        if !cursor.eat(",") {
            cursor.expect_end()?;
            break;
        }
        if cursor.looking_at("red=") || cursor.looking_at("black=") {
            break;
        }
        if ended {
            return Err(cursor.error("nothing after `…` or byo-yomi"));
        }
    }
    match schedule.impossible() {
        Some(expected) => Err(cursor.error_at(begin, expected)),
        None => Ok(schedule),
    }
}

fn stage(cursor: &mut Cursor<'_>) -> Result<Stage, TimeControlError> {
    let time_s = cursor.span("a time such as 60m, 1h30m or 30s")?;
    let increment_s =
        if cursor.eat("+") { cursor.span("seconds to add for a move, such as 30s")? } else { 0 };
    let moves = if cursor.eat("/") {
        let moves = cursor.number("a number of moves")?;
        Some(cursor.within(moves, 1, u32::from(MAX_MOVES), "1 to 999 moves")? as u16)
    } else {
        None
    };
    Ok(Stage { time_s, increment_s, moves })
}

/// A time control that the rules or an event plan name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What to type for it.
    pub name: &'static str,
    /// The control.
    pub text: &'static str,
    /// Where it stands.
    pub source: &'static str,
}

impl Preset {
    /// Every preset. Names with a number are the article's, names with a word are of event plans.
    pub const ALL: [Preset; 15] = {
        const fn of(name: &'static str, text: &'static str, source: &'static str) -> Preset {
            Preset { name, text, source }
        }
        //= 6.1
        //= 6.2
        //= 6.3
        //= 6.4
        //= 6.5
        [
            of("cxa-1999-6.1", "90m/40,15m/10…", "1999 6.1"),
            of("cxa-1999-6.2", "60m/30,10m/10…", "1999 6.2; 2010 6.2 gives the same as its example"),
            of("cxa-1999-6.3", "10m/40,5m/30…", "1999 6.3 (快棋)"),
            of("cxa-1999-6.3-50", "10m/40,5m/50…", "1999 6.3 as another copy prints it"),
            of("cxa-1999-6.4", "5m/30…", "1999 6.4 (快棋)"),
            of("cxa-1999-6.5", "60m", "1999 6.5, 2010 6.3 (包干制); the length is the event's"),
            of("cxa-2010-6.1", "60m+30s", "2010 6.1 (加秒制); world championship, 60+30"),
            of("cxa-2010-6.4", "15m", "2010 6.4 (快棋): the longest that is blitz"),
            of("cxa-2010-6.5", "red=15m,black=16m", "2010 6.5 (贴时制); the odds are the event's"),
            of(
                "school-preliminary",
                "shared:30m,1x30s",
                "school plan, preliminary: 双方共用30分钟, then 步时 30 s",
            ),
            of("school-semifinal", "40m,1x30s", "school plan, second stage: 各用时40分钟, then 步时 30 s"),
            of("school-final", "30m,1x30s", "school plan, final: 各用时30分钟, then 步时 30 s"),
            of(
                "step-30s",
                "1x30s",
                "school plan: 步时, 每步最多为30秒; another plan leaves the seconds open",
            ),
            of("step-60s", "1x1m", "class plan: 每个人的思考时间不超过1分钟"),
            of("half-hour-round", "10m,3x30s", "five rounds of 限时半小时, 读秒快棋; the split is ours"),
        ]
    };

    /// The preset of that name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        Preset::ALL.iter().find(|preset| preset.name == name)
    }

    /// The control itself.
    pub fn control(&self) -> TimeControl {
        self.text.parse().expect("every preset is parsed by a test")
    }
}
