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

#[test]
fn an_edition_written_out_reads_back() {
    for name in EditionName::ALL {
        let edition = Edition { fouls_to_lose: 2, ..Edition::new(name) };
        let text = serde_json::to_string(&edition).expect("JSON");
        assert_eq!(serde_json::from_str::<Edition>(&text).expect("an edition"), edition);
    }
}
