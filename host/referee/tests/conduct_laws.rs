//! Laws of conduct over any sequence of moves, presses, buttons and orders.

use proptest::prelude::*;
use referee::clock::{Clock, ClockState};
use referee::conduct::Conduct;
use referee::{By, Chain, Event, GameHeader, Happening, Line, Moved, Order, Reason, Record, Score, Snapshot};
use sense::Uptime;
use xiangqi::law::edition::{Edition, EditionName};
use xiangqi::{Color, Position};

#[derive(Clone, Debug)]
enum Act {
    Wait(u64),
    Move(prop::sample::Index),
    Press(Color),
    Draw(Color, bool),
    Resign(Color),
    Sign(Color),
    Incident(&'static str, Color),
    Order(String),
    Restore(Option<u64>),
}

fn color() -> impl Strategy<Value = Color> + Clone {
    prop_oneof![Just(Color::Red), Just(Color::Black)]
}

/// An order as JSON, so that the laws hold for the form in which orders travel.
fn order() -> impl Strategy<Value = String> {
    let side = color().prop_map(|side| format!(r#""side":"{side}""#));
    let simple = prop::sample::select(vec!["start", "pause", "resume", "reopen", "sign"])
        .prop_map(|command| format!(r#""command":"{command}""#));
    let sided = (
        prop::sample::select(vec![
            "resume",
            "absent",
            "arrived",
            "warn",
            "draw",
            "decline_draw",
            "resign",
            "sign",
        ]),
        side.clone(),
    )
        .prop_map(|(command, side)| format!(r#""command":"{command}",{side}"#));
    let ms = prop_oneof![8 => 0u64..4_000_000, 1 => Just(359_999_000), 1 => any::<u64>()];
    let clock = (side.clone(), ms, any::<bool>()).prop_map(|(side, ms, set)| {
        if set {
            format!(r#""command":"set_clock",{side},"left_ms":{ms}"#)
        } else {
            format!(r#""command":"charge",{side},"charge_ms":{ms}"#)
        }
    });
    let foul =
        (side.clone(), prop::sample::select(vec!["conduct", "disturbance", "illegal_move", "draw_offers"]))
            .prop_map(|(side, offence)| format!(r#""command":"add_foul",{side},"offence":"{offence}""#));
    let lines = (side.clone(), 0u32..20)
        .prop_map(|(side, n)| format!(r#""command":"missed_lines",{side},"lines":{n}"#));
    let claim = (side, prop::sample::select(vec!["natural_limit", "repetition", "flag"]))
        .prop_map(|(side, claim)| format!(r#""command":"claim",{side},"claim":"{claim}""#));
    let ruling = prop::sample::select(vec![
        "granted",
        "denied",
        "red_must_vary",
        "black_must_vary",
        "red_loses",
        "black_loses",
    ])
    .prop_flat_map(|ruling| {
        prop::sample::select(vec!["", r#","within":1"#, r#","within":3"#])
            .prop_map(move |within| format!(r#""command":"rule_claim","ruling":"{ruling}"{within}"#))
    });
    let numbered = (
        prop::sample::select(vec![
            ("withdraw_foul", "foul"),
            ("undo", "undo"),
            ("take_back", "ply"),
            ("accept_move", "ply"),
        ]),
        0u32..12,
    )
        .prop_map(|((command, key), n)| format!(r#""command":"{command}","{key}":{n}"#));
    let declare = (
        prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "0-0"]),
        prop::sample::select(vec!["flag", "agreement", "conduct", "arbiter"]),
    )
        .prop_map(|(score, ending)| format!(r#""command":"declare","score":"{score}","ending":"{ending}""#));
    let command = prop_oneof![simple, sided, clock, foul, lines, claim, ruling, numbered, declare];
    (command, any::<bool>()).prop_map(|(command, reason)| {
        let (name, reason) = (if reason { "Li" } else { "Wang" }, if reason { "because" } else { "" });
        format!(r#"{{"name":"{name}","reason":"{reason}",{command}}}"#)
    })
}

fn act() -> impl Strategy<Value = Act> {
    let incidents = vec![
        "press_without_move",
        "touch_unmovable",
        "touch_uncapturable",
        "illegal_move",
        "suicide",
        "out_of_turn",
    ];
    prop_oneof![
        6 => (0u64..60_000_000).prop_map(Act::Wait),
        10 => any::<prop::sample::Index>().prop_map(Act::Move),
        8 => color().prop_map(Act::Press),
        2 => (color(), any::<bool>()).prop_map(|(side, after)| Act::Draw(side, after)),
        1 => color().prop_map(Act::Resign),
        1 => color().prop_map(Act::Sign),
        2 => (prop::sample::select(incidents), color()).prop_map(|(kind, side)| Act::Incident(kind, side)),
        8 => order().prop_map(Act::Order),
        1 => proptest::option::of(0u64..60_000_000).prop_map(Act::Restore),
    ]
}

const CONTROLS: [&str; 6] =
    ["2m", "1m+5s", "1m/3,1m/2…", "30s,2x10s", "shared:1m,1x30s", "red=1m,black=2m/4,1m+1s"];

/// A game and what it said.
struct Table {
    conduct: Conduct,
    now: Uptime,
    orders: usize,
    said: Vec<Event>,
}

impl Table {
    fn new(edition: EditionName, control: &str) -> Table {
        let clock = Clock::new(control.parse().unwrap(), Color::Red);
        let edition = Edition {
            natural_limit_rounds: 3,
            cycles_to_claim: 1,
            late_limit_seconds: 900,
            ..Edition::new(edition)
        };
        let conduct = Conduct::new(edition, Some(clock), Position::initial());
        Table { conduct, now: Uptime::ZERO, orders: 0, said: Vec::new() }
    }

    /// What a follower makes of the lines.
    fn followed(&self) -> Snapshot {
        let header: GameHeader = serde_json::from_str(&format!(
            r#"{{"game":"g","us":0,"start":"{}","rules":"cxa-2010"}}"#,
            Position::initial()
        ))
        .unwrap();
        let mut snapshot = Snapshot::begin("b", 0, 0, &header);
        let mut chain = Chain::START;
        for event in &self.said {
            let sealed = chain.seal(0, &serde_json::to_string(&Record::Event(event.clone())).unwrap());
            snapshot.apply(&serde_json::from_str::<Line>(&sealed).unwrap());
        }
        snapshot
    }

    fn act(&mut self, act: &Act) {
        let (conduct, now) = (&mut self.conduct, self.now);
        let mut moves = None;
        match act {
            Act::Wait(us) => {
                self.now = now.plus_us(*us);
                conduct.advance(self.now);
            }
            Act::Move(index) => {
                let position = *conduct.position();
                let legal: Vec<_> = position.legal_moves().into_iter().collect();
                if !legal.is_empty() {
                    let mv = legal[index.index(legal.len())];
                    let (side, ply) = (position.turn(), conduct.plies() + 1);
                    let clock = conduct.moved(now, now, side, mv, position.play_unchecked(mv));
                    let (begin_us, settled_us) = (now.as_us(), now.as_us());
                    let moved = Moved { ply, side, mv, illegal: None, begin_us, settled_us, clock };
                    moves = Some(Event::new(now, Happening::Moved(moved)));
                }
            }
            Act::Press(side) => conduct.press(now, *side),
            Act::Draw(side, after_move) => drop(conduct.say_draw(now, *side, *after_move)),
            Act::Resign(side) => drop(conduct.resign(now, *side)),
            Act::Sign(side) => drop(conduct.sign(now, By::from(*side))),
            Act::Incident(kind, side) => {
                let json = format!(r#"{{"incident":"{kind}","ply":1,"side":"{side}"}}"#);
                conduct.incident(now, &serde_json::from_str(&json).unwrap());
            }
            Act::Order(json) => {
                self.orders += 1;
                let order: Order = serde_json::from_str(json).unwrap();
                if conduct.order(now, order, &mut |_, _, _| Ok(())) {
                    conduct.order_is_done();
                }
            }
            Act::Restore(gap_us) => conduct.restore(now, *gap_us),
        }
        self.said.extend(moves);
        while let Some(event) = self.conduct.poll_event() {
            self.said.push(event);
        }
    }
}

fn laws(table: &Table) -> Result<(), TestCaseError> {
    let conduct = &table.conduct;
    for side in Color::ALL {
        let face = conduct.clock().unwrap().face(side);
        let account = face.account();
        let drawn = account.used_us + account.charged_us - account.overdrawn_us - account.shared_us;
        prop_assert_eq!(
            account.granted_us + account.adjusted_us,
            i128::from(face.left_us()) + i128::from(drawn)
        );
    }
    if conduct.is_over() {
        prop_assert_eq!(conduct.clock().unwrap().running(), None);
        prop_assert!(conduct.dues().is_empty(), "what has ended ends by nothing else");
    }
    for (index, result) in conduct.results().history().iter().enumerate() {
        prop_assert_eq!(result.result as usize, index + 1);
        prop_assert_eq!(result.corrects, (index > 0).then_some(index as u32));
    }
    for (index, (foul, _)) in conduct.fouls().entries().iter().enumerate() {
        prop_assert_eq!(foul.foul as usize, index + 1);
    }
    Ok(())
}

/// What players and arbiters have of a game, as far as undoing an order at once must bring it back.
#[derive(Debug, PartialEq)]
struct Standing {
    position: Position,
    plies: u32,
    fouls: [u32; 2],
    left_us: Option<[(u64, Option<u16>); 2]>,
    shared_us: Option<u64>,
    turn: Option<Color>,
    flags: Vec<(Uptime, Color)>,
    claims: bool,
    duty: Option<(Color, Option<u32>)>,
    dues: Vec<(Reason, Score)>,
    score: Option<Score>,
    signatures: usize,
}

impl Standing {
    fn of(conduct: &Conduct) -> Standing {
        let clock = conduct.clock().unwrap();
        let mut dues: Vec<_> = conduct.dues().iter().map(|due| (due.ending, due.score)).collect();
        dues.sort_by_key(|(ending, score)| (*ending as u8, score.text()));
        Standing {
            position: *conduct.position(),
            plies: conduct.plies(),
            fouls: Color::ALL.map(|side| conduct.fouls().count(side)),
            // A clock that stands because the game is over is set by nobody.
            left_us: (!conduct.is_over())
                .then(|| Color::ALL.map(|side| (clock.face(side).left_us(), clock.face(side).periods()))),
            shared_us: (!conduct.is_over()).then(|| clock.pool_us()),
            turn: (!conduct.is_over()).then(|| clock.turn()),
            flags: if conduct.is_over() { Vec::new() } else { clock.flags() },
            duty: conduct.duty(),
            claims: conduct.claim().is_some(),
            dues,
            score: conduct.results().current().map(|result| result.score),
            signatures: conduct.results().signatures().len(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever is ordered, undoing it at once gives everybody back what he had.
    #[test]
    fn undoing_at_once_gives_back_what_was(
        edition in prop::sample::select(EditionName::ALL.to_vec()),
        control in prop::sample::select(CONTROLS.to_vec()),
        acts in proptest::collection::vec(act(), 0..30),
        ordered in order(),
    ) {
        let mut table = Table::new(edition, control);
        acts.iter().for_each(|act| table.act(act));
        table.act(&Act::Wait(0));
        let before = Standing::of(&table.conduct);
        let state = table.conduct.clock().unwrap().state();
        let (said, result) = (table.said.len(), table.conduct.results().current().map(|old| old.result));
        table.act(&Act::Order(ordered.clone()));
        let number = table.said[said..].iter().find_map(|event| match &event.what {
            Happening::Ordered { order, .. } => Some(*order),
            _ => None,
        });
        // An undone order's footprint is its own opposite; what a signed result had is not signed again for anybody.
        let resigned = before.signatures > 0 && table.conduct.results().current().map(|new| new.result) != result;
        if let Some(number) = number.filter(|_| !resigned && !ordered.contains("undo")) {
            let undo = format!(r#"{{"name":"Li","reason":"slip","command":"undo","undo":{number}}}"#);
            let ended = table.conduct.is_over();
            table.act(&Act::Order(undo));
            prop_assert_eq!(Standing::of(&table.conduct), before, "{}", ordered);
            // A clock that has stopped at the end of a game waits for the arbiter.
            let waits = if ended { ClockState::Paused } else { state };
            prop_assert!(state == ClockState::Stopped || table.conduct.clock().unwrap().state() == waits, "{}", ordered);
        }
    }

    #[test]
    fn whatever_happens_the_record_is_kept(
        edition in prop::sample::select(EditionName::ALL.to_vec()),
        control in prop::sample::select(CONTROLS.to_vec()),
        acts in proptest::collection::vec(act(), 1..60),
    ) {
        let mut table = Table::new(edition, control);
        let mut again = Table::new(edition, control);
        let (mut results, mut fouls) = (0, 0);
        for act in &acts {
            table.act(act);
            again.act(act);
            laws(&table)?;
            // Nothing that was entered or declared ever disappears.
            let conduct = &table.conduct;
            prop_assert!(conduct.results().history().len() >= results && conduct.fouls().entries().len() >= fouls);
            (results, fouls) = (conduct.results().history().len(), conduct.fouls().entries().len());
        }
        // Whoever follows the lines knows what waits, what was entered and what it came to.
        let (followed, conduct) = (table.followed(), &table.conduct);
        prop_assert_eq!(&followed.dues[..], conduct.dues());
        prop_assert_eq!(followed.claim.as_ref(), conduct.claim());
        prop_assert_eq!(followed.result.as_ref(), conduct.results().current());
        prop_assert_eq!(followed.plies.len(), conduct.plies() as usize);
        let mut signed = followed.signed.clone();
        signed.sort_by_key(|by| matches!(by, By::Arbiter(_)) as u8 * 2 + (*by == By::Black) as u8);
        prop_assert_eq!(signed, conduct.results().signatures());
        let standing = followed.fouls.iter().filter(|foul| foul.withdrawn.is_none()).count() as u32;
        prop_assert_eq!(standing, Color::ALL.iter().map(|side| conduct.fouls().count(*side)).sum::<u32>());
        // The same inputs give the same events.
        prop_assert_eq!(&table.said, &again.said);
        // Every order is answered once.
        let answered = |event: &&Event| match &event.what {
            Happening::Ordered { .. } => true,
            Happening::Refused { by, .. } => matches!(by, By::Arbiter(_)),
            _ => false,
        };
        prop_assert_eq!(table.said.iter().filter(answered).count(), table.orders);
        // Every event is a line of the journal that reads back.
        for event in &table.said {
            let record = Record::Event(event.clone());
            let line = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record, "{}", line);
        }
    }
}
