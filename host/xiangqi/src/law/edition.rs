//! Editions of the rules as data: what differs between them, and what an event may change.
//!
//! Values are named after what they rule. A limit of 0 means that the edition sets none. With the feature `serde` an
//! [`Edition`] is read from a table that names an edition and overrides single values:
//!
//! ```toml
//! edition = "cxa-2010"
//! natural_limit_rounds = 40
//! draw_offers = { ahead = 2 }
//! ```
//!
//! An unknown key or edition is an error that names it.
//!
//! In the header of a game the same is one line, the edition's name and what is set otherwise:
//! `cxa-2010 natural_limit_rounds=40 draw_offers=ahead:2`. [`Edition`] is written and read so.

mod text;

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

/// The editions we know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EditionName {
    /// The rules of the Chinese Xiangqi Association of 1999.
    Cxa1999,
    /// Their revision of 2010.
    #[default]
    Cxa2010,
    /// The repetition chapter of 2020; the procedure is that of 2010.
    Cxa2020,
    /// The repetition chapter of the World Xiangqi Federation, 2018, for events that adopt it; the procedure is that of
    /// 2010.
    Wxf2018,
}

impl EditionName {
    /// Every edition.
    pub const ALL: [EditionName; 4] =
        [EditionName::Cxa1999, EditionName::Cxa2010, EditionName::Cxa2020, EditionName::Wxf2018];

    /// The name that command lines, headers and files use.
    pub const fn as_str(self) -> &'static str {
        match self {
            EditionName::Cxa1999 => "cxa-1999",
            EditionName::Cxa2010 => "cxa-2010",
            EditionName::Cxa2020 => "cxa-2020",
            EditionName::Wxf2018 => "wxf-2018",
        }
    }

    /// How the edition's articles on procedure are numbered.
    pub const fn numbering(self) -> Numbering {
        match self {
            EditionName::Cxa1999 => Numbering::Of1999,
            EditionName::Cxa2010 | EditionName::Cxa2020 | EditionName::Wxf2018 => Numbering::Of2010,
        }
    }
}

impl fmt::Display for EditionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text names no edition, or sets what no edition has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseEditionError {
    /// The first word is not the name of an edition.
    Name,
    /// A later word sets no value of an edition to something that it can be.
    Value(
        /// The word.
        String,
    ),
}

impl fmt::Display for ParseEditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseEditionError::Name => {
                f.write_str("expected an edition: cxa-1999, cxa-2010, cxa-2020 or wxf-2018")
            }
            ParseEditionError::Value(word) => {
                write!(f, "{word:?}: expected a value of an edition, like natural_limit_rounds=40")
            }
        }
    }
}

impl core::error::Error for ParseEditionError {}

impl FromStr for EditionName {
    type Err = ParseEditionError;
    fn from_str(text: &str) -> Result<EditionName, ParseEditionError> {
        EditionName::ALL.into_iter().find(|name| name.as_str() == text).ok_or(ParseEditionError::Name)
    }
}

/// How articles are numbered: 三次犯规 loses by 4.1.8 in 1999 and by 4.1(10) in 2010.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// As in 1999: fouls in 9.1.
    Of1999,
    /// As in 2010: fouls in 8.1.
    Of2010,
}

impl Numbering {
    /// The article that this numbering gives to a matter, of its two numbers.
    pub const fn article(self, of_1999: &'static str, of_2010: &'static str) -> &'static str {
        match self {
            Numbering::Of1999 => of_1999,
            Numbering::Of2010 => of_2010,
        }
    }
}

/// What a player owes before he straightens pieces (5.6). It is always done in his own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Adjusting {
    /// The opponent's consent (1999).
    Consent,
    /// A word beforehand (2010).
    Announce,
}

/// When offering a draw again is a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DrawOffers {
    /// Offers alternate: none twice in a row (1999: 23.1, 9.1.3).
    Alternate,
    /// The offer that puts a side so many ahead of the other (2010: 8.1(3), two).
    Ahead(u32),
}

/// Which 棋例 judges repeated positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum RepetitionRules {
    /// Articles 24 to 29 of 1999, which 2010 keeps.
    #[cfg_attr(feature = "serde", serde(rename = "cxa-1999"))]
    Cxa1999,
    /// The chapter of 2020.
    #[cfg_attr(feature = "serde", serde(rename = "cxa-2020"))]
    Cxa2020,
    /// The chapter of the World Xiangqi Federation, 2018.
    #[cfg_attr(feature = "serde", serde(rename = "wxf-2018"))]
    Wxf2018,
}

/// Who says where a piece stands that was put between two points (5.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum BetweenPoints {
    /// The arbiter; the edition says nothing (1999).
    Arbiter,
    /// The opponent of whoever put it there and pressed (2010).
    Opponent,
}

macro_rules! edition {
    ($($(#[$doc:meta])* $field:ident: $kind:ty,)*) => {
        /// The rules in force at a board: an edition, perhaps with values that the event has set otherwise.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(from = "Overrides"))]
        pub struct Edition {
            /// The edition that the values come from where the event says nothing.
            #[cfg_attr(feature = "serde", serde(rename = "edition"))]
            pub name: EditionName,
            $($(#[$doc])* pub $field: $kind,)*
        }

        /// Single values that an event sets otherwise; see [`Edition`] for what each means.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields, default))]
        pub struct Overrides {
            /// The edition to start from.
            #[cfg_attr(feature = "serde", serde(rename = "edition"))]
            pub name: EditionName,
            $($(#[$doc])* pub $field: Option<$kind>,)*
        }

        impl From<Overrides> for Edition {
            fn from(overrides: Overrides) -> Edition {
                let edition = Edition::new(overrides.name);
                Edition {
                    name: edition.name,
                    $($field: overrides.$field.unwrap_or(edition.$field),)*
                }
            }
        }

        impl fmt::Display for Edition {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let published = Edition::new(self.name);
                f.write_str(self.name.as_str())?;
                $(if self.$field != published.$field {
                    write!(f, concat!(" ", stringify!($field), "={}"), text::write(&self.$field))?;
                })*
                Ok(())
            }
        }

        impl FromStr for Edition {
            type Err = ParseEditionError;
            fn from_str(text: &str) -> Result<Edition, ParseEditionError> {
                let mut words = text.split_ascii_whitespace();
                let mut edition = Edition::new(words.next().unwrap_or_default().parse()?);
                for word in words {
                    let wrong = || ParseEditionError::Value(word.to_string());
                    let (key, value) = word.split_once('=').ok_or_else(wrong)?;
                    match key {
                        $(stringify!($field) => edition.$field = text::read(value).ok_or_else(wrong)?,)*
                        _ => return Err(wrong()),
                    }
                }
                Ok(edition)
            }
        }
    };
}

edition! {
    /// Moves against the rules of movement that lose the game; each before is a foul. 1999 4.1.6: one. 2010 4.1(8),
    /// 8.1(8): one in national events, two in provincial events and below and in the national youth event.
    illegal_moves_to_lose: u32,
    /// Fouls (犯规) that lose the game. 1999 4.1.8, 2010 4.1(10): three.
    fouls_to_lose: u32,
    /// Presses of the clock without a move that lose the game, each of them a foul. 2010 4.1(9), 8.1(7): two.
    presses_without_move_to_lose: u32,
    /// What a player owes before he straightens pieces (5.6).
    adjusting: Adjusting,
    /// Rounds within which displaced pieces are put back where they stood. 1999 5.8: until the game is over. 2010
    /// 5.8(2): five.
    //= 5.8(2) exception: the board says at once what is displaced; how long ago it went is for the arbiter to find
    displaced_rounds: u32,
    /// Minutes within which a game begun with the wrong colours is begun anew. 1999 5.8: until the game is over. 2010
    /// 5.8(1): twenty.
    //= 5.8(1) exception: who sits on which side is not sensed; the arbiter begins the game anew
    wrong_colors_minutes: u32,
    /// Who says where a piece stands that was put between two points (5.10).
    between_points: BetweenPoints,
    /// Lines in a row missing from a player's record that make a foul (7.1): four.
    missed_lines_to_foul: u32,
    /// Lines missing from a player's record that make two fouls at once. 2010 7.1: eight.
    missed_lines_to_two_fouls: u32,
    /// A player with less than this on the clock may leave his record until the next time control. 1999 7.2: 180.
    record_pause_seconds: u32,
    /// When offering a draw again is a foul.
    draw_offers: DrawOffers,
    /// The first round in which a draw may be offered; an event may forbid early offers.
    draw_offers_from_round: u32,
    /// Rounds without a capture after which a draw may be claimed (自然限着, 4.2.4): 60; an event may set fewer.
    natural_limit_rounds: u32,
    /// How many of the claimant's checks count towards them (1999 23.3): ten.
    natural_limit_checks: u32,
    /// What a false claim adds to the claimant's clock, besides the foul (1999 23.3): five minutes.
    false_claim_seconds: u32,
    /// False claims within one stretch without a capture that lose the game. 2010 4.1(11): two.
    false_claims_to_lose: u32,
    /// Times that a cycle runs before a ruling can be claimed (4.2.3, 24): three.
    cycles_to_claim: u32,
    /// Times that a side which must vary may still run through the cycle before it loses (24.3): the first loses.
    cycles_to_lose: u32,
    /// Which 棋例 judges repeated positions.
    repetition: RepetitionRules,
    /// Seconds after the start of the round from which a player who is not there loses (21.1, 4.1.5): the event sets it.
    late_limit_seconds: u32,
}

impl Edition {
    /// The edition as published.
    pub const fn new(name: EditionName) -> Edition {
        let edition = match name.numbering() {
            Numbering::Of1999 => Edition::CXA_1999,
            Numbering::Of2010 => Edition::CXA_2010,
        };
        let repetition = match name {
            EditionName::Cxa1999 | EditionName::Cxa2010 => RepetitionRules::Cxa1999,
            EditionName::Cxa2020 => RepetitionRules::Cxa2020,
            EditionName::Wxf2018 => RepetitionRules::Wxf2018,
        };
        Edition { name, repetition, ..edition }
    }

    const CXA_1999: Edition = Edition {
        name: EditionName::Cxa1999,
        illegal_moves_to_lose: 1,
        fouls_to_lose: 3,
        presses_without_move_to_lose: 0,
        adjusting: Adjusting::Consent,
        displaced_rounds: 0,
        wrong_colors_minutes: 0,
        between_points: BetweenPoints::Arbiter,
        missed_lines_to_foul: 4,
        missed_lines_to_two_fouls: 0,
        record_pause_seconds: 180,
        draw_offers: DrawOffers::Alternate,
        draw_offers_from_round: 1,
        natural_limit_rounds: 60,
        natural_limit_checks: 10,
        false_claim_seconds: 300,
        false_claims_to_lose: 0,
        cycles_to_claim: 3,
        cycles_to_lose: 1,
        repetition: RepetitionRules::Cxa1999,
        late_limit_seconds: 0,
    };

    // The 2010 text that we have ends before the chapters on claims and repetition; what they say is taken from 1999.
    const CXA_2010: Edition = Edition {
        name: EditionName::Cxa2010,
        presses_without_move_to_lose: 2,
        adjusting: Adjusting::Announce,
        displaced_rounds: 5,
        wrong_colors_minutes: 20,
        between_points: BetweenPoints::Opponent,
        missed_lines_to_two_fouls: 8,
        record_pause_seconds: 0,
        draw_offers: DrawOffers::Ahead(2),
        false_claims_to_lose: 2,
        ..Edition::CXA_1999
    };
}

impl Default for Edition {
    fn default() -> Edition {
        Edition::new(EditionName::default())
    }
}
