//! What is wrong with a scenario is named with its line.

use twin::Scenario;

fn check(text: &str, expected: &str) {
    let error = match text.parse::<Scenario>() {
        Err(error) => error.to_string(),
        Ok(scenario) => scenario.play(1).map(|_| ()).expect_err(expected).to_string(),
    };
    assert!(error.contains(expected), "{error:?} should contain {expected:?}");
}

#[test]
fn faults_are_named_with_their_line() {
    check("1.0 red lifts z9", "line 1: \"z9\": expected a square");
    check("\n1,5 red lifts h2", "line 2: expected seconds such as 12.5, found \"1,5\"");
    check("1.0 red hugs h2", "line 1: expected a verb, found \"hugs\"");
    check("1.0 red captures h2h9 kindly", "line 1: expected victim-first");
    check("1.0 red lifts h2 h3", "line 1: nothing more expected");
    check("1.0 red lifts h3", "line 1: no piece stands on h3");
    check("start 9/9 w", "line 1: start: ");
    check("presses", "line 1: \"presses\" alone says nothing");
    check("1.0 green presses", "line 1: expected a time or a key");
    check("+1 reed e2 opens for ever", "line 1: expected seconds");
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let text = "1.0 red captures h2h9 pushing\n^0.05 reed e5 chatters for 0.3\n+1 both play i9h9 b2e2\n";
    let scenario: Scenario = text.parse().unwrap();
    assert_eq!(scenario.play(5).unwrap(), scenario.play(5).unwrap());
    assert_ne!(scenario.play(5).unwrap().observations, scenario.play(6).unwrap().observations);
}
