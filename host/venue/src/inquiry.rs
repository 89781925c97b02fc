//! What an arbiter asks about a game: which readings were considered and why one won, how often a position has stood,
//! and how long nothing has been captured. Answered by the referee and the laws that the board itself runs.

use referee::{Config, Event, Happening, Input, Line, Observer, Record};
use sense::{Frame, Uptime};
use serde::Serialize;
use xiangqi::law::edition::Edition;
use xiangqi::law::natural_limit::{QuietStretch, RoundCount};
use xiangqi::law::repetition::{self, Explanation, Judgement, Language};
use xiangqi::notation::{self, Script};
use xiangqi::{Color, Move, Position};

/// Readings that are told; what is less likely than all of these is of no interest.
const MOST: usize = 12;

/// One way to read what hands did since the last settled move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadingView {
    /// The moves, the next one first; none if nothing was played.
    pub moves: Vec<Move>,
    /// The first of them in Chinese notation, simplified.
    pub hans: String,
    /// The same in traditional characters.
    pub hant: String,
    /// How unlikely it is beside the best, in tenths of a natural logarithm.
    pub cost: u32,
}

/// What the referee weighed at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Weighing {
    /// The ply that was open, from 1.
    pub ply: usize,
    /// The readings, the likeliest first.
    pub readings: Vec<ReadingView>,
    /// The move that was then settled, if the moment is that of an event that settled one.
    pub chosen: Option<Move>,
    /// What settled it.
    pub by: Option<Seal>,
}

/// What settles a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Seal {
    /// The player pressed the clock.
    Press,
    /// The board changed: the opponent replied, or a piece told two readings apart.
    Reply,
    /// Nothing moved for long enough.
    Silence,
    /// The arbiter chose, or ended the game.
    Order,
}

/// How far the draw by the natural limit is, for a claim of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LimitView {
    side: Color,
    rounds: u32,
    needed: u32,
    checks: u32,
    checks_left_out: u32,
}

/// One ply of a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CyclePly {
    /// Its number in the game, from 1.
    pub ply: usize,
    #[serde(rename = "move")]
    mv: Move,
    hans: String,
    hant: String,
    /// 将 杀 捉 兑 献 拦 跟 闲.
    label: &'static str,
    certain: bool,
}

/// What the repetition rules make of the game as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepetitionView {
    verdict: &'static str,
    red: &'static str,
    black: &'static str,
    articles: Vec<&'static str>,
    certain: bool,
    plies: Vec<CyclePly>,
    /// The judgement in words, in simplified Chinese.
    zh: String,
    /// The same in traditional Chinese.
    zh_hant: String,
    /// The same in English.
    en: String,
}

/// What the laws say of a game as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LawsView {
    natural_limit: [LimitView; 2],
    /// How often the position that stands has stood, now included.
    repeated: usize,
    /// Where it has been repeated.
    repetition: Option<RepetitionView>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswerable {
    /// The venue does not hold the game's evidence from the beginning.
    Incomplete,
    /// The line is not one of the game.
    NoSuchLine,
}

/// What the referee weighed just before line `at` of a game, or now. `lines` are the last lines of the board.
pub fn weigh(lines: &[Line], at: Option<u64>) -> Result<Weighing, Unanswerable> {
    let end = match at {
        Some(seq) => lines.iter().position(|line| line.seq == seq).ok_or(Unanswerable::NoSuchLine)?,
        None => lines.len(),
    };
    let lines = lines.get(..=end).unwrap_or(lines);
    let begin = lines.iter().rposition(|line| matches!(line.record, Record::Game(_)));
    let begin = begin.ok_or(Unanswerable::Incomplete)?;
    // A board that comes back says again which game it plays: the first time counts.
    let Record::Game(header) = &lines[begin].record else { return Err(Unanswerable::Incomplete) };
    let same = |line: &Line| matches!(&line.record, Record::Game(other) if other.game == header.game);
    let begin = lines.iter().position(same).unwrap_or(begin);
    let lines = &lines[begin..];
    if lines.windows(2).any(|two| two[0].seq + 1 != two[1].seq) {
        return Err(Unanswerable::Incomplete);
    }
    let config = Config::of_header(Some(&header.rules), header.clock.as_deref()).unwrap_or_default();
    let mut observer = Observer::new(config, header.debounce(), header.start);
    let settled = at.and_then(|_| lines.last()).and_then(settles);
    let (trigger, now) = match settled {
        Some((event, _)) => (trigger_of(lines, event.us), Uptime::from_us(event.us.saturating_sub(1))),
        None => (None, lines.last().and_then(moment).unwrap_or_default()),
    };
    for line in lines {
        if Some(line.seq) == trigger.map(|line| line.seq) {
            break;
        }
        take(&mut observer, &line.record);
        while observer.poll_event().is_some() {}
    }
    observer.advance(now);
    let referee = observer.referee();
    let readings = referee.readings(now);
    Ok(Weighing {
        ply: referee.moves().len() + 1,
        readings: views(referee.position(), readings),
        chosen: settled.map(|(_, mv)| mv),
        by: settled.map(|(event, _)| seal(lines, event.us)),
    })
}

/// The event that settled a move, and the move.
fn settles(line: &Line) -> Option<(&Event, Move)> {
    let Record::Event(event) = &line.record else { return None };
    match &event.what {
        Happening::Moved(moved) => Some((event, moved.mv)),
        Happening::Resolved { moves, .. } => Some((event, *moves.first()?)),
        _ => None,
    }
}

/// The evidence that made an event of that moment, if it was not time alone: the last before it that is of the same moment.
fn trigger_of(lines: &[Line], us: u64) -> Option<&Line> {
    let last = lines.iter().rev().find(|line| !matches!(line.record, Record::Event(_)))?;
    moment(last).filter(|at| at.as_us() >= us).map(|_| last)
}

/// A press is weighed a moment later, when edges that began before it have come.
const PRESS_WAITS_US: u64 = 50_000;

/// What settled a move at that moment: the evidence of that moment, a press just before it, or time.
fn seal(lines: &[Line], us: u64) -> Seal {
    let evidence = lines.iter().rev().filter(|line| !matches!(line.record, Record::Event(_)));
    let at = |line: &Line| moment(line).map_or(0, Uptime::as_us);
    for line in evidence.take_while(|line| at(line) + PRESS_WAITS_US >= us) {
        match line.record {
            Record::Press { .. } => return Seal::Press,
            Record::Order { .. } | Record::Button { .. } if at(line) >= us => return Seal::Order,
            Record::Closed { .. } if at(line) >= us => return Seal::Reply,
            _ => {}
        }
    }
    Seal::Silence
}

fn moment(line: &Line) -> Option<Uptime> {
    let us = match &line.record {
        Record::Opened { us, .. }
        | Record::Closed { us, .. }
        | Record::Press { us, .. }
        | Record::Button { us, .. }
        | Record::Order { us, .. } => *us,
        Record::Event(event) => event.us,
        Record::Game(header) => header.us,
        Record::Still(_)
        | Record::LeftOut { .. }
        | Record::SetAside { .. }
        | Record::Signed { .. }
        | Record::Unknown => return None,
    };
    Some(Uptime::from_us(us))
}

fn take(observer: &mut Observer, record: &Record) {
    match record {
        Record::Closed { us, closed } => {
            if let Ok(frame) = closed.parse::<Frame>() {
                observer.frame(Uptime::from_us(*us), frame);
            }
        }
        Record::Press { us, side } => observer.input(Uptime::from_us(*us), Input::Press(*side)),
        Record::Button { us, button, side } => {
            let input = match &**button {
                "adjust" => Input::Adjust(*side),
                "draw" => Input::Draw(*side),
                "resign" => Input::Resign(*side),
                "arbiter" => Input::CallArbiter(*side),
                _ => return,
            };
            observer.input(Uptime::from_us(*us), input);
        }
        Record::Order { us, order, .. } => {
            observer.input(Uptime::from_us(*us), Input::Order(order.clone()));
        }
        Record::Opened { us, gap_us, .. } => observer.restore(Uptime::from_us(*us), *gap_us),
        Record::Game(_)
        | Record::Still(_)
        | Record::LeftOut { .. }
        | Record::SetAside { .. }
        | Record::Signed { .. }
        | Record::Event(_)
        | Record::Unknown => {}
    }
}

/// The likeliest reading of each next move.
fn views(position: &Position, readings: Vec<(Vec<Move>, u32)>) -> Vec<ReadingView> {
    let least = readings.iter().map(|(_, cost)| *cost).min().unwrap_or(0);
    let mut views: Vec<ReadingView> = Vec::new();
    for (moves, cost) in readings {
        if views.len() == MOST || views.iter().any(|view| view.moves.first() == moves.first()) {
            continue;
        }
        let written = |script| moves.first().map_or_else(String::new, |mv| name(position, *mv, script));
        let (hans, hant) = (written(Script::Simplified), written(Script::Traditional));
        views.push(ReadingView { moves, hans, hant, cost: cost - least });
    }
    views
}

/// A move of either side, in Chinese notation.
fn name(position: &Position, mv: Move, script: Script) -> String {
    let side = position.piece_at(mv.from).map_or(position.turn(), |piece| piece.color);
    notation::chinese(&position.with_turn(side), mv, script)
}

/// What the laws say of a game.
pub fn laws(start: &Position, moves: &[Move], rules: &str) -> LawsView {
    let edition = rules.parse::<Edition>().unwrap_or_default();
    let stretch = QuietStretch::of_game(start, moves);
    let limit = |side| LimitView::of(side, stretch.count(side, &edition));
    let positions: Vec<Position> = moves
        .iter()
        .scan(*start, |position, mv| {
            *position = position.play_unchecked(*mv);
            Some(*position)
        })
        .collect();
    let stands = positions.last().unwrap_or(start);
    let same = |other: &&Position| other.board() == stands.board() && other.turn() == stands.turn();
    let repeated = core::iter::once(start).chain(&positions).filter(same).count();
    let judged = (repeated > 1).then(|| repetition::judge(start, moves, edition.repetition).ok()).flatten();
    let repetition = judged.filter(|judgement| judgement.span.is_some());
    LawsView {
        natural_limit: [limit(Color::Red), limit(Color::Black)],
        repeated,
        repetition: repetition.map(|judgement| RepetitionView::of(start, &positions, &judgement)),
    }
}

impl LimitView {
    fn of(side: Color, count: RoundCount) -> LimitView {
        let RoundCount { rounds, needed, checks, checks_left_out, .. } = count;
        LimitView { side, rounds, needed, checks, checks_left_out }
    }
}

impl RepetitionView {
    fn of(start: &Position, positions: &[Position], judgement: &Judgement) -> RepetitionView {
        let span = judgement.span.clone().unwrap_or(0..0);
        let before = |at: usize| at.checked_sub(1).and_then(|at| positions.get(at)).unwrap_or(start);
        let plies = span.filter_map(|at| {
            let ply = judgement.plies.get(at)?;
            Some(CyclePly {
                ply: at + 1,
                mv: ply.played,
                hans: name(before(at), ply.played, Script::Simplified),
                hant: name(before(at), ply.played, Script::Traditional),
                label: ply.label.term(),
                certain: ply.certain,
            })
        });
        let said = |language| Explanation { judgement, start, language }.to_string();
        RepetitionView {
            verdict: judgement.verdict.as_str(),
            red: judgement.classes[Color::Red].term(),
            black: judgement.classes[Color::Black].term(),
            articles: judgement.articles.clone(),
            certain: judgement.certain,
            plies: plies.collect(),
            zh: said(Language::Chinese),
            zh_hant: said(Language::Traditional),
            en: said(Language::English),
        }
    }
}
