//! Editions as an event's file states them.

use xiangqi::law::edition::{DrawOffers, Edition, EditionName};

fn read(text: &str) -> Result<Edition, String> {
    toml::from_str(text).map_err(|e| e.to_string())
}

#[test]
fn an_event_overrides_single_values() {
    assert_eq!(read(""), Ok(Edition::default()));
    for name in EditionName::ALL {
        assert_eq!(read(&format!("edition = \"{name}\"")), Ok(Edition::new(name)));
    }
    let event =
        read("edition = \"cxa-1999\"\nnatural_limit_rounds = 40\ndraw_offers = { ahead = 2 }").unwrap();
    let expected = Edition {
        natural_limit_rounds: 40,
        draw_offers: DrawOffers::Ahead(2),
        ..Edition::new(EditionName::Cxa1999)
    };
    assert_eq!(event, expected);
}

#[test]
fn what_is_no_rule_is_refused_by_name() {
    let check = |text: &str, says: &str| {
        let error = read(text).expect_err(text);
        assert!(error.contains(says), "{text}: {error}");
    };
    check("natural_limit = 40", "natural_limit");
    check("edition = \"cxa-2011\"", "expected an edition: cxa-1999");
    check("fouls_to_lose = -1", "-1");
    check("adjusting = \"never\"", "never");
    check("draw_offers = \"sometimes\"", "sometimes");
}

/// A game's header carries what an event's file says.
#[test]
fn a_header_carries_an_edition() {
    let check = |toml: &str, line: &str| {
        let event = read(toml).expect(toml);
        assert_eq!(event.to_string(), line);
        assert_eq!(line.parse(), Ok(event), "{line}");
    };
    for name in EditionName::ALL {
        check(&format!("edition = \"{name}\""), name.as_str());
    }
    check("natural_limit_rounds = 60", "cxa-2010");
    check("late_limit_seconds = 900", "cxa-2010 late_limit_seconds=900");
    check("natural_limit_rounds = 40\nfouls_to_lose = 0", "cxa-2010 fouls_to_lose=0 natural_limit_rounds=40");
    check(
        "edition = \"cxa-1999\"\ndraw_offers = { ahead = 3 }\nadjusting = \"announce\"\nbetween_points = \"opponent\"",
        "cxa-1999 adjusting=announce between_points=opponent draw_offers=ahead:3",
    );
    check(
        "adjusting = \"consent\"\nbetween_points = \"arbiter\"\ndraw_offers = \"alternate\"",
        "cxa-2010 adjusting=consent between_points=arbiter draw_offers=alternate",
    );
    for rules in ["cxa-1999", "cxa-2020", "wxf-2018"] {
        let name = if rules == "wxf-2018" { "cxa-2020" } else { "wxf-2018" };
        check(
            &format!("edition = \"{name}\"\nrepetition = \"{rules}\""),
            &format!("{name} repetition={rules}"),
        );
    }
}

#[test]
fn a_header_that_sets_no_rule_is_refused_by_its_word() {
    let check = |line: &str, says: &str| {
        let error = line.parse::<Edition>().expect_err(line).to_string();
        assert!(error.contains(says), "{line}: {error}");
    };
    check("", "expected an edition");
    check("fide", "cxa-1999");
    check("cxa-2010 natural_limit_rounds", "natural_limit_rounds");
    check("cxa-2010 natural_limit=40", "natural_limit=40");
    check("cxa-2010 fouls_to_lose=-1", "fouls_to_lose=-1");
    check("cxa-2010 draw_offers=ahead", "draw_offers=ahead");
    check("cxa-2010 fouls_to_lose=2 repetition=fide", "repetition=fide");
}

#[test]
fn an_edition_written_out_reads_back() {
    for name in EditionName::ALL {
        let edition = Edition { fouls_to_lose: 2, ..Edition::new(name) };
        let text = serde_json::to_string(&edition).expect("JSON");
        assert_eq!(serde_json::from_str::<Edition>(&text).expect("an edition"), edition);
    }
}
