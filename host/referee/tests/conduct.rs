//! Every scenario of `tests/scenarios/conduct`: what follows from moves, presses, buttons and orders, to the millisecond.
//! The format is described in the README there.

use std::fs;
use std::path::{Path, PathBuf};

use referee::clock::Clock;
use referee::conduct::Conduct;
use referee::{By, Event, Order};
use sense::Uptime;
use serde_json::{Map, Value};
use xiangqi::law::edition::Edition;
use xiangqi::{Color, Ending, Move, Position};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios/conduct")
}

#[test]
fn every_scenario_holds() {
    let mut files: Vec<_> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    assert!(files.len() > 10, "scenarios in {}", folder().display());
    let mut failures = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy();
        for (number, variant) in variants(&fs::read_to_string(file).unwrap()).iter().enumerate() {
            if let Err(why) = Scenario::default().run(variant) {
                failures.push(format!("{name} [{number}] {why}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// A row of a table of articles: the number of 1999, that of 2010, and the cells behind.
fn articles(table: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.splitn(3, " | ");
        Some((cells.next()?, cells.next()?, cells.next()?))
    })
}

/// Under which edition each scenario of a file is played, and for which articles it is marked: `applies` and `spares`.
fn marks(name: &str) -> Vec<(&'static str, [Vec<String>; 2])> {
    let text = fs::read_to_string(folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let of = |lines: &[(usize, &str)], key: &str| -> Vec<String> {
        let marked = lines.iter().filter_map(|(_, line)| line.strip_prefix(key)?.strip_prefix(' '));
        marked.flat_map(str::split_whitespace).map(str::to_owned).collect()
    };
    let scenarios = variants(&text);
    let edition = |lines: &[(usize, &str)]| {
        if of(lines, "rules").iter().any(|rules| rules == "cxa-1999") { "cxa-1999" } else { "cxa-2010" }
    };
    scenarios.iter().map(|lines| (edition(lines), [of(lines, "applies"), of(lines, "spares")])).collect()
}

/// Every article that has scenarios has one in which something follows from it and one in which nothing does, under each
/// edition that has it; and the table says which.
#[test]
fn every_article_is_shown_both_ways() {
    let table = fs::read_to_string(folder().join("README.md")).unwrap();
    let mut shown = 0;
    for (of_1999, of_2010, rest) in articles(&table) {
        let cells: Vec<&str> = rest.trim_end_matches(" |").split(" | ").collect();
        let [_, files, cells @ ..] = cells.as_slice() else { panic!("{rest}") };
        let files: Vec<(&str, &str)> = files
            .split(", ")
            .filter_map(|link| link.strip_prefix('[')?.strip_suffix(">)")?.split_once("](<"))
            .collect();
        let numbers = [(of_1999, "cxa-1999"), (of_2010, "cxa-2010")];
        let numbers =
            numbers.into_iter().filter(|(article, _)| !article.starts_with('–')).collect::<Vec<_>>();
        if files.is_empty() || numbers.is_empty() {
            continue;
        }
        for (which, word) in ["applies", "spares"].into_iter().enumerate() {
            let is_of = |(article, edition): &(&str, &str), found: &(&'static str, [Vec<String>; 2])| {
                (numbers.len() == 1 || found.0 == *edition) && found.1[which].iter().any(|it| it == article)
            };
            for number in &numbers {
                let any = files.iter().any(|(_, file)| marks(file).iter().any(|found| is_of(number, found)));
                assert!(any, "no scenario of {rest} {word} {} under {}", number.0, number.1);
            }
            let listed = files.iter().filter_map(|(name, file)| {
                let marked = (1..).zip(marks(file));
                let marked = marked.filter(|(_, found)| numbers.iter().any(|number| is_of(number, found)));
                let marked: Vec<String> = marked.map(|(scenario, _)| scenario.to_string()).collect();
                let name = if files.len() > 1 { format!("{name} ") } else { String::new() };
                (!marked.is_empty()).then(|| name + &marked.join(", "))
            });
            let listed: Vec<String> = listed.collect();
            assert_eq!(cells[which], listed.join("; "), "{of_1999} / {of_2010}: where it {word}");
        }
        shown += 1;
    }
    assert!(shown > 50, "{shown} articles");
}

/// The README lists every scenario, and every article on results, time, records, fouls and claims that we apply, with scenarios
/// that name it and play it under each edition that has it.
#[test]
fn the_table_of_articles_is_complete() {
    let table = fs::read_to_string(folder().join("README.md")).unwrap();
    let listed = |cell: &str| -> Vec<String> {
        cell.split("(<").skip(1).map(|rest| rest.split('>').next().unwrap().to_owned()).collect()
    };
    for file in fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name == "README.md" || listed(&table).contains(&name), "{name} is missing from the table");
    }
    for (of_1999, of_2010, rest) in articles(&table) {
        let mut text = String::new();
        for name in listed(rest) {
            text += &fs::read_to_string(folder().join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        for (article, edition) in [(of_1999, "rules cxa-1999"), (of_2010, "rules cxa-2010")] {
            if article.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty() {
                assert!(names(&text, article), "no scenario of {article} names it: {rest}");
                let one_edition_has_it = of_1999.starts_with('–') || of_2010.starts_with('–');
                assert!(one_edition_has_it || text.contains(edition), "{article}: nothing under {edition}");
            }
        }
    }
    let rules = fs::read_to_string(folder().join("../../../host/xiangqi/RULES.md")).unwrap();
    let is_ours = |article: &str| {
        let chapter = article.split(['.', '(']).next().unwrap_or_default();
        matches!(chapter, "4" | "6" | "7" | "8" | "9" | "10" | "21" | "22" | "23" | "24")
    };
    let mut ours = 0;
    for (of_1999, of_2010, _) in articles(&rules).filter(|(a, b, _)| is_ours(a) || is_ours(b)) {
        let found = articles(&table).any(|(a, b, _)| (a, b) == (of_1999, of_2010));
        assert!(found, "{of_1999} / {of_2010} is missing from the table");
        ours += 1;
    }
    assert!(ours > 50, "{ours} articles");
}

/// Whether a text speaks of that article, and not only of one whose number begins alike.
fn names(text: &str, article: &str) -> bool {
    text.match_indices(article).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + article.len()..].chars().next();
        !before.is_some_and(|c| c.is_ascii_digit() || c == '.') && !after.is_some_and(|c| c.is_ascii_digit())
    })
}

/// A file holds one scenario or several, parted by `---`; what stands before the first `---` begins each of them.
fn variants(text: &str) -> Vec<Vec<(usize, &str)>> {
    let mut parts: Vec<Vec<(usize, &str)>> = vec![Vec::new()];
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim() == "---" {
            parts.push(Vec::new());
        } else if !line.trim().is_empty() {
            parts.last_mut().unwrap().push((index + 1, line));
        }
    }
    let common = parts.remove(0);
    if parts.is_empty() {
        return vec![common];
    }
    parts.into_iter().map(|part| common.iter().copied().chain(part).collect()).collect()
}

#[derive(Default)]
struct Scenario {
    edition: Edition,
    clock: Option<String>,
    start: Option<Position>,
    conduct: Option<Conduct>,
    now: Uptime,
    after_move: Option<Color>,
    events: Vec<Event>,
}

impl Scenario {
    fn run(mut self, lines: &[(usize, &str)]) -> Result<(), String> {
        let is_setting = |line: &str| line.starts_with(|c: char| c.is_ascii_alphabetic());
        // The edition comes first, because the other settings change single values of it.
        let (mut settings, lines): (Vec<_>, Vec<_>) =
            lines.iter().copied().partition(|(_, line)| is_setting(line));
        settings.sort_by_key(|(_, line)| !line.starts_with("rules"));
        for (number, line) in settings {
            self.set_up(line).map_err(|why| format!("line {number}: {why}"))?;
        }
        for (at, (number, line)) in lines.iter().enumerate() {
            let said = |why: String| format!("line {number}: {why}");
            if line.starts_with(char::is_whitespace) {
                self.expect(line.trim()).map_err(said)?;
            } else {
                self.nothing_more().map_err(said)?;
                self.step(line).map_err(said)?;
            }
            if at + 1 == lines.len() {
                self.nothing_more().map_err(said)?;
            }
        }
        Ok(())
    }

    fn set_up(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.trim().split_once(' ').ok_or("expected a key and a value")?;
        match key {
            "rules" => self.edition = Edition::new(parsed(value)?),
            // Marks for the table, see `marks`.
            "applies" | "spares" => {}
            "clock" => self.clock = Some(value.to_owned()),
            "start" => self.start = Some(parsed(value)?),
            "set" => {
                let (name, value) = value.split_once(' ').ok_or("expected a name and a value")?;
                let value: u32 = parsed(value)?;
                match name {
                    "illegal_moves_to_lose" => self.edition.illegal_moves_to_lose = value,
                    "natural_limit_rounds" => self.edition.natural_limit_rounds = value,
                    "natural_limit_checks" => self.edition.natural_limit_checks = value,
                    "fouls_to_lose" => self.edition.fouls_to_lose = value,
                    "cycles_to_lose" => self.edition.cycles_to_lose = value,
                    "late_limit_seconds" => self.edition.late_limit_seconds = value,
                    "draw_offers_from_round" => self.edition.draw_offers_from_round = value,
                    _ => return Err(format!("{name:?} cannot be set here")),
                }
            }
            _ => return Err(format!("{key:?} is no key")),
        }
        Ok(())
    }

    fn conduct(&mut self) -> &mut Conduct {
        let start = self.start.unwrap_or_else(Position::initial);
        let clock = self.clock.as_deref().map(|text| Clock::new(text.parse().unwrap(), start.turn()));
        self.conduct.get_or_insert_with(|| Conduct::new(self.edition.clone(), clock, start))
    }

    fn step(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        self.now = seconds(words.next().unwrap_or_default())?;
        let now = self.now;
        let words: Vec<&str> = words.collect();
        // While the board is away nobody lets time pass.
        if words.first() != Some(&"restart") {
            self.conduct().advance(now);
        }
        match words.as_slice() {
            ["wait"] => {}
            ["move", moves @ ..] => moves.iter().try_for_each(|text| self.play(text, false))?,
            ["play", moves @ ..] => moves.iter().try_for_each(|text| self.play(text, true))?,
            ["press", side] => {
                let side = parsed(side)?;
                self.conduct().press(now, side);
                self.after_move = self.after_move.filter(|moved| *moved != side);
            }
            // What the hands make of a press half a second later.
            ["press-was", "empty", side] => self.incident("press_without_move", side, "")?,
            ["draw", side] => {
                let side = parsed(side)?;
                let after_move = self.after_move == Some(side);
                let _ = self.conduct().say_draw(now, side, after_move);
            }
            ["resign", side] => {
                let side = parsed(side)?;
                let _ = self.conduct().resign(now, side);
            }
            ["irregular", kind, side] => self.incident(kind, side, "")?,
            ["irregular", kind, side, article] => self.incident(kind, side, article)?,
            ["sign", side] => {
                let side: Color = parsed(side)?;
                let _ = self.conduct().sign(now, By::from(side));
            }
            ["restart", "unmeasured"] => self.conduct().restore(now, None),
            ["restart", "after", gap] => {
                let gap_us = seconds(gap)?.as_us();
                self.conduct().restore(now, Some(gap_us));
            }
            ["order", command, arguments @ ..] => {
                let order = order(command, arguments)?;
                if self.conduct().order(now, order, &mut |_, _, _| Ok(())) {
                    self.conduct().order_is_done();
                }
            }
            _ => return Err(format!("nobody knows how to {words:?}")),
        }
        while let Some(event) = self.conduct().poll_event() {
            self.events.push(event);
        }
        Ok(())
    }

    fn play(&mut self, text: &str, press: bool) -> Result<(), String> {
        let now = self.now;
        let mv: Move = parsed(text)?;
        let before = *self.conduct().position();
        let side = before
            .piece_at(mv.from)
            .map(|piece| piece.color)
            .ok_or_else(|| format!("nothing stands on {}", mv.from))?;
        let after = before.with_turn(side).play_unchecked(mv);
        if press {
            self.conduct().press(now, side);
        } else {
            self.after_move = Some(side);
        }
        self.conduct().moved(now, now, side, mv, after);
        match after.ending() {
            Some(Ending::Checkmate) => self.incident("checkmate", side.other().name(), ""),
            Some(Ending::Stalemate) => self.incident("stalemate", side.other().name(), ""),
            None => Ok(()),
        }
    }

    fn incident(&mut self, kind: &str, side: &str, article: &str) -> Result<(), String> {
        let json = format!(r#"{{"incident":"{kind}","ply":1,"side":"{side}","article":"{article}"}}"#);
        let incident = serde_json::from_str(&json).map_err(|e| e.to_string())?;
        let now = self.now;
        self.conduct().incident(now, &incident);
        Ok(())
    }

    /// An indented line: the next event, or what the clock shows.
    fn expect(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["shows", red, black] = words.as_slice() {
            let now = self.now;
            let clock = self.conduct().clock().ok_or("there is no clock")?.seen_at(now);
            let shown = [Color::Red, Color::Black].map(|side| Uptime::from_us(clock.face(side).left_us()));
            let expected = [seconds(red)?, seconds(black)?];
            return if shown == expected {
                Ok(())
            } else {
                Err(format!("expected {line}, the clock shows {shown:?}"))
            };
        }
        if let ["running", side] = words.as_slice() {
            let running = self.conduct().clock().and_then(Clock::running).map_or("nobody", Color::name);
            return if running == *side { Ok(()) } else { Err(format!("expected {line}, {running} runs")) };
        }
        let event =
            next_told(&mut self.events).ok_or_else(|| format!("expected {line}, nothing happened"))?;
        let json = serde_json::to_value(&event).unwrap();
        let mut at = self.now;
        let mut holds = json["event"] == words[0];
        for word in &words[1..] {
            if let Some(time) = word.strip_prefix("at=") {
                at = seconds(time)?;
            } else if let Some((key, value)) = word.split_once('=') {
                holds &= text_of(&json[key]) == value;
            } else {
                holds &= json.as_object().unwrap().values().any(|value| text_of(value) == *word);
            }
        }
        if holds && event.us == at.as_us() { Ok(()) } else { Err(format!("expected {line}\n    got {json}")) }
    }

    fn nothing_more(&mut self) -> Result<(), String> {
        match next_told(&mut self.events) {
            Some(event) => Err(format!("before it, also {}", serde_json::to_value(&event).unwrap())),
            None => Ok(()),
        }
    }
}

/// The next event but the switch that every press makes; `running` and `shows` tell that.
fn next_told(events: &mut Vec<Event>) -> Option<Event> {
    events.retain(|event| serde_json::to_value(event).unwrap()["clock"] != "switched");
    if events.is_empty() { None } else { Some(events.remove(0)) }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace(' ', "_"),
        other => other.to_string().replace('"', ""),
    }
}

fn order(command: &str, arguments: &[&str]) -> Result<Order, String> {
    let mut map = Map::new();
    map.insert("command".into(), command.into());
    map.insert("name".into(), "Li".into());
    for argument in arguments {
        let (key, value) =
            argument.split_once('=').ok_or_else(|| format!("expected key=value, found {argument}"))?;
        let value = value.parse::<u64>().map_or_else(|_| Value::from(value.replace('_', " ")), Value::from);
        let value = if matches!(key, "offence" | "ruling" | "claim" | "ending") {
            Value::from(argument.split_once('=').unwrap().1)
        } else {
            value
        };
        map.insert(key.into(), value);
    }
    serde_json::from_value(Value::Object(map)).map_err(|e| e.to_string())
}

/// `75.5` or `1:15.500`.
fn seconds(text: &str) -> Result<Uptime, String> {
    let bad = || format!("{text:?} is no time");
    let (minutes, rest) = text.split_once(':').unwrap_or(("0", text));
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    let us: u64 = format!("{fraction:0<6}").parse().map_err(|_| bad())?;
    let (minutes, whole): (u64, u64) =
        (minutes.parse().map_err(|_| bad())?, whole.parse().map_err(|_| bad())?);
    Ok(Uptime::from_us((minutes * 60 + whole) * 1_000_000 + us))
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(word: &str) -> Result<T, String> {
    word.parse().map_err(|e| format!("{word:?}: {e}"))
}
