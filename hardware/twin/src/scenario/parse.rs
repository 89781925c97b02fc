//! Reading a scenario.

use std::fmt;
use std::str::FromStr;

use sense::Uptime;
use trace::Button;
use xiangqi::{Board, Color, Piece, Setup, Square};

use super::{Deed, Expectation, Scenario, Step, When};
use crate::fault::FaultKind;
use crate::script::Panel;
use crate::style::Capture;

/// What is wrong with a scenario, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub why: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for ScenarioError {}

impl FromStr for Scenario {
    type Err = ScenarioError;

    fn from_str(text: &str) -> Result<Scenario, ScenarioError> {
        let start = Setup::initial();
        let mut stands = None;
        let mut scenario = Scenario {
            start,
            stands: start.board,
            clock: None,
            rules: None,
            expectations: Vec::new(),
            steps: Vec::new(),
        };
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('#').next().unwrap_or("").trim();
            let Some((first, rest)) = text.split_once(char::is_whitespace) else {
                if text.is_empty() {
                    continue;
                }
                return Err(ScenarioError { line, why: format!("{text:?} alone says nothing") });
            };
            let rest = rest.trim();
            let fault = |why: String| ScenarioError { line, why };
            match first {
                "start" => scenario.start = rest.parse().map_err(|e| fault(format!("start: {e}")))?,
                "stands" if rest == "nothing" => stands = Some(Board::EMPTY),
                "stands" => {
                    let setup: Setup = rest.parse().map_err(|e| fault(format!("stands: {e}")))?;
                    stands = Some(setup.board);
                }
                "clock" => scenario.clock = Some(rest.to_owned()),
                "rules" => scenario.rules = Some(rest.to_owned()),
                "expect" => {
                    let words = rest.split_whitespace().map(str::to_owned).collect();
                    scenario.expectations.push(Expectation { line, words });
                }
                time => scenario.steps.push(step(line, time, rest).map_err(fault)?),
            }
        }
        scenario.stands = stands.unwrap_or(scenario.start.board);
        Ok(scenario)
    }
}

fn step(line: usize, time: &str, rest: &str) -> Result<Step, String> {
    let when = if let Some(after) = time.strip_prefix('+') {
        When::AfterEnd(seconds(after)?)
    } else if let Some(after) = time.strip_prefix('^') {
        When::AfterBegin(seconds(after)?)
    } else {
        When::At(Uptime::from_us(seconds(time)?))
    };
    let mut words = Words(rest.split_whitespace().collect());
    let took_us = words.trailing_duration("in")?;
    let actor = words.next("red, black, reed or board")?;
    let deed = match actor {
        "reed" => reed(&mut words)?,
        "board" => match words.next("is")? {
            "is" => match words.next("set-up or cleared")? {
                "set-up" => Deed::SetUp,
                "cleared" => Deed::Clear,
                word => return Err(format!("expected set-up or cleared, found {word:?}")),
            },
            word => return Err(format!("expected is, found {word:?}")),
        },
        "both" => {
            words.expect("play")?;
            Deed::Play(words.rest()?)
        }
        side => deed(
            side.parse().map_err(|_| {
                format!("expected a time or a key, then red, black, reed, board or both; found {side:?}")
            })?,
            &mut words,
        )?,
    };
    words.end()?;
    Ok(Step { line, when, deed, took_us })
}

fn deed(side: Color, words: &mut Words<'_>) -> Result<Deed, String> {
    Ok(match words.next("a verb")? {
        "lifts" => Deed::Lift(words.parse()?),
        "sets" => {
            let piece = words.parse()?;
            match words.next("on or between")? {
                "on" => Deed::Set { piece, on: words.parse()? },
                "between" => Deed::SetBetween { piece, points: (words.parse()?, words.parse()?) },
                word => return Err(format!("expected on or between, found {word:?}")),
            }
        }
        "moves" => Deed::Move(words.parse()?),
        "slides" => {
            let mv = words.parse()?;
            let mut stops = Vec::new();
            while words.eat("by") {
                let over = words.parse()?;
                let stop = if words.eat("for") { seconds(words.next("seconds")?)? } else { 0 };
                stops.push((over, stop));
            }
            Deed::Slide { mv, stops }
        }
        "captures" => {
            let mv = words.parse()?;
            let manner = match words.next("the manner")? {
                "victim-first" => Capture::VictimFirst,
                "attacker-first" => Capture::AttackerFirst,
                "in-one-hand" => Capture::OneHand,
                "pushing" => Capture::PushedOff,
                word => {
                    let expected = "victim-first, attacker-first, in-one-hand or pushing";
                    return Err(format!("expected {expected}, found {word:?}"));
                }
            };
            Deed::Capture { by: side, mv, manner }
        }
        "removes" => Deed::Remove { by: side, piece: words.parse()? },
        "touches" => {
            let piece = words.parse()?;
            words.expect("for")?;
            Deed::Touch { piece, us: seconds(words.next("seconds")?)? }
        }
        "nudges" => Deed::Nudge(words.parse()?),
        "knocks" => Deed::Knock(words.rest()?),
        "places" => {
            let letter = words.next("the letter of a piece")?;
            let piece = letter.chars().next().filter(|_| letter.len() == 1).and_then(Piece::from_letter);
            let piece = piece.ok_or(format!("expected the letter of a piece, found {letter:?}"))?;
            words.expect("on")?;
            Deed::Place { piece, on: words.parse()? }
        }
        "presses" => Deed::Panel(Panel::Press(side)),
        "adjusts" => Deed::Panel(Panel::Button(Button::Adjust, side)),
        "offers-draw" => Deed::Panel(Panel::Button(Button::Draw, side)),
        "resigns" => Deed::Panel(Panel::Button(Button::Resign, side)),
        "calls" => Deed::Panel(Panel::Button(Button::Arbiter, side)),
        verb => return Err(format!("expected a verb, found {verb:?}")),
    })
}

fn reed(words: &mut Words<'_>) -> Result<Deed, String> {
    let square: Square = words.parse()?;
    let verb = words.next("opens, closes, flips, chatters, sticks-open or sticks-closed")?;
    let lasting = |words: &mut Words<'_>| {
        words.expect("for")?;
        seconds(words.next("seconds")?)
    };
    Ok(match verb {
        "opens" => Deed::Reed { square, kind: FaultKind::Open, us: Some(lasting(words)?) },
        "closes" => Deed::Reed { square, kind: FaultKind::Closed, us: Some(lasting(words)?) },
        "flips" => Deed::Reed { square, kind: FaultKind::Inverted, us: Some(lasting(words)?) },
        "chatters" => Deed::Chatter { square, us: lasting(words)? },
        "sticks-open" => Deed::Reed { square, kind: FaultKind::Open, us: None },
        "sticks-closed" => Deed::Reed { square, kind: FaultKind::Closed, us: None },
        _ => {
            return Err(format!(
                "expected opens, closes, flips, chatters, sticks-open or sticks-closed, found {verb:?}"
            ));
        }
    })
}

/// Seconds with up to six decimals, in microseconds.
fn seconds(text: &str) -> Result<u64, String> {
    let bad = || format!("expected seconds such as 12.5, found {text:?}");
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 6 || !part.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(bad());
    }
    let whole: u32 = whole.parse().map_err(|_| bad())?;
    let part: u64 = format!("{part:0<6}").parse().map_err(|_| bad())?;
    Ok(u64::from(whole) * 1_000_000 + part)
}

/// The words of a line that are still to be read.
struct Words<'a>(std::collections::VecDeque<&'a str>);

impl<'a> Words<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a str, String> {
        self.0.pop_front().ok_or(format!("the line ends where {expected} should stand"))
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        let found = self.next(word)?;
        if found == word { Ok(()) } else { Err(format!("expected {word}, found {found:?}")) }
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.0.front() == Some(&word);
        if found {
            self.0.pop_front();
        }
        found
    }

    fn parse<T: FromStr<Err: fmt::Display>>(&mut self) -> Result<T, String> {
        let word = self.next("a point or a move")?;
        word.parse().map_err(|e| format!("{word:?}: {e}"))
    }

    fn rest<T: FromStr<Err: fmt::Display>>(&mut self) -> Result<Vec<T>, String> {
        let mut all = vec![self.parse()?];
        while !self.0.is_empty() {
            all.push(self.parse()?);
        }
        Ok(all)
    }

    /// Takes `mark SECONDS` from the end of the line.
    fn trailing_duration(&mut self, mark: &str) -> Result<Option<u64>, String> {
        if self.0.len() < 2 || self.0[self.0.len() - 2] != mark {
            return Ok(None);
        }
        let text = self.0.pop_back().unwrap_or_default();
        self.0.pop_back();
        seconds(text).map(Some)
    }

    fn end(&self) -> Result<(), String> {
        if self.0.is_empty() { Ok(()) } else { Err(format!("nothing more expected, found {:?}", self.0)) }
    }
}
