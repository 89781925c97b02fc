//! Time controls: what is read, what is written, what is refused.

use proptest::prelude::*;
use referee::time_control::{Preset, TimeControl};
use xiangqi::Color;

/// `text` is read and written as `canonical`, which reads back as the same control.
fn check(text: &str, canonical: &str) {
    let control: TimeControl = text.parse().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(control.to_string(), canonical, "{text}");
    assert_eq!(canonical.parse::<TimeControl>().unwrap(), control, "{text}");
}

/// `text` is refused, with a message that names the character and what should stand there.
fn refused(text: &str, column: usize, expected: &str) {
    let error = text.parse::<TimeControl>().expect_err(text);
    assert_eq!((error.column, error.expected), (column, expected), "{text}");
    assert!(error.to_string().contains(text), "{error}");
}

#[test]
fn every_scheme_of_article_6_is_read_and_written() {
    //= 6.1 test
    //= 6.2 test
    //= 6.3 test
    //= 6.4 test
    //= 6.5 test
    check("60m+30s", "60m+30s");
    check("1h+30s", "60m+30s");
    check("90m/40,15m/10…", "90m/40,15m/10…");
    check("90m/40,15m/10...", "90m/40,15m/10…");
    check("1h30m/40,900s/10…", "90m/40,15m/10…");
    check("5m/30…", "5m/30…");
    check("15m", "15m");
    check("90m/40,30m", "90m/40,30m");
    check("90m+30s/40,30m+30s", "90m+30s/40,30m+30s");
    check("20m,3x30s", "20m,3x30s");
    check("60m/30,3x1m", "60m/30,3x1m");
    check("1x30s", "1x30s");
    check("shared:30m,1x30s", "shared:30m,1x30s");
    check("red=5m,black=4m", "red=5m,black=4m");
    check("black=4m,red=5m+3s", "red=5m+3s,black=4m");
    check("red=5m,black=5m", "5m");
    check("red=90m/40,15m/10…,black=60m,1x30s", "red=90m/40,15m/10…,black=60m,1x30s");
    check("shared:10m,red=1x30s,black=1x20s", "shared:10m,red=1x30s,black=1x20s");
    check("1m30s", "1m30s");
    check("cxa-2010-6.1", "60m+30s");
}

#[test]
fn every_preset_is_a_control_under_its_name() {
    for preset in Preset::ALL {
        check(preset.text, preset.text);
        check(preset.name, preset.text);
        assert_eq!(preset.control().to_string(), preset.text);
        assert_eq!(
            Preset::ALL.iter().filter(|other| other.name == preset.name).count(),
            1,
            "{}",
            preset.name
        );
    }
}

#[test]
fn the_impossible_is_refused_with_the_place_and_the_reason() {
    let time = "a time such as 60m, 1h30m or 30s";
    refused("", 1, time);
    refused("soon", 1, time);
    refused("60", 3, "a unit after the number: h, m or s");
    refused("60y", 3, "a unit after the number: h, m or s");
    refused("60m+", 5, "seconds to add for a move, such as 30s");
    refused("60m+30", 7, "a unit after the number: h, m or s");
    refused("30s1m", 5, "a smaller unit than the one before");
    refused("0m", 1, "a time from 1 second to 24 hours");
    refused("25h", 1, "a time from 1 second to 24 hours");
    refused("99999999999999999999h", 1, "a time from 1 second to 24 hours");
    refused("90m/0,15m", 5, "1 to 999 moves");
    refused("90m/1000,15m", 5, "1 to 999 moves");
    refused("90m/,15m", 5, "a number of moves");
    refused("60m,15m", 1, "a number of moves (…/40) in every stage that another follows");
    refused("60m…", 1, "a number of moves (…/10) in the stage that repeats");
    refused("90m/40", 1, "a stage for the moves that follow: `…`, a time or byo-yomi");
    refused("90m/40,15m/10…,30m", 16, "nothing after `…` or byo-yomi");
    refused("3x30s,30m", 7, "nothing after `…` or byo-yomi");
    refused("20m,0x30s", 5, "1 to 99 byo-yomi periods");
    refused("20m,100x30s", 5, "1 to 99 byo-yomi periods");
    refused("20m,3x", 7, "the length of a period, such as 30s");
    refused("60m 30s", 4, "`,`, `…` or the end of the text");
    refused("red=5m", 7, "`black=` and Black's time");
    refused("red=5m,black=", 14, time);
    refused("shared:30m", 11, "`,` and the time of each side's own after the shared time");
    refused("1m/1,1m/1,1m/1,1m/1,1m/1,1m/1,1m/1,1m/1,1m/1,1m", 48, "at most 9 stages");
    refused("red=5m,black=4m,red=3m", 17, "`,`, `…` or the end of the text");
    refused("5m,red=3m", 4, "`,`, `…` or the end of the text");
    refused("９０m", 1, time);
    refused("90m/40，15m", 7, "`,`, `…` or the end of the text");
}

#[test]
fn odds_move_time_from_one_side_to_the_other() {
    //= 6.5 test
    let even: TimeControl = "15m".parse().unwrap();
    assert_eq!(even.clone().with_odds(Color::Red, 60).unwrap().to_string(), "red=14m,black=16m");
    assert!(even.with_odds(Color::Black, 900).is_err());
}

#[test]
fn blitz_is_at_most_fifteen_minutes() {
    //= 6.4 test
    let blitz = |text: &str| text.parse::<TimeControl>().unwrap().is_blitz();
    assert!(blitz("15m") && blitz("5m+3s") && blitz("shared:30m,1x30s"));
    assert!(!blitz("15m1s") && !blitz("10m/40,5m/30…") && !blitz("red=10m,black=20m"));
}

fn span() -> impl Strategy<Value = String> {
    prop_oneof![(1u32..600).prop_map(|m| format!("{m}m")), (1u32..60).prop_map(|s| format!("{s}s"))]
}

fn side() -> impl Strategy<Value = String> {
    let quota =
        (span(), proptest::option::of(span()), 1u16..100).prop_map(
            |(time, increment, moves)| match increment {
                Some(increment) => format!("{time}+{increment}/{moves}"),
                None => format!("{time}/{moves}"),
            },
        );
    let last = prop_oneof![
        span(),
        (span(), 1u16..100).prop_map(|(time, moves)| format!("{time}/{moves}…")),
        (1u16..100, span()).prop_map(|(periods, time)| format!("{periods}x{time}")),
        (span(), 1u16..10, span()).prop_map(|(main, periods, time)| format!("{main},{periods}x{time}")),
    ];
    (proptest::collection::vec(quota, 0..4), last).prop_map(|(mut stages, last)| {
        stages.push(last);
        stages.join(",")
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(red in side(), black in side(), shared in proptest::option::of(span())) {
        let shared = shared.map_or(String::new(), |span| format!("shared:{span},"));
        for text in [format!("{shared}{red}"), format!("{shared}red={red},black={black}")] {
            let control: TimeControl = text.parse().unwrap();
            let again: TimeControl = control.to_string().parse().unwrap();
            prop_assert_eq!(&control, &again);
            prop_assert_eq!(control.to_string(), again.to_string());
        }
    }

    #[test]
    fn no_text_panics(text in "([0-9]{0,3}[hmsx+/,….=]{0,2}|red=|black=|shared:|\\PC){0,12}") {
        if let Err(error) = text.parse::<TimeControl>() {
            prop_assert!(error.column <= text.chars().count() + 1);
        }
    }
}
