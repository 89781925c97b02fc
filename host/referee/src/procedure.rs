//! How a game is conducted, by edition and event: limits, costs, and the number of each article.
//!
//! `xiangqi` owns the laws of play; this is the chapter on clocks, fouls, offers and claims, as values that an event may
//! change one by one.

use alloc::string::{String, ToString};

use crate::foul::Offence;
use crate::result::Reason;

/// Which numbering an edition's articles have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Articles {
    /// `4.1.4`, fouls in 9.1.
    Cxa1999,
    /// `4.1(6)`, fouls in 8.1.
    Cxa2010,
}

/// When a player may offer a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferRule {
    /// In turn: nobody twice in a row (1999 23.1, 9.1.3).
    Alternate,
    /// The offer that puts a side this many ahead of the other is a foul (2010 8.1(3): two).
    Ahead(u32),
}

/// How a game is conducted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// How articles are numbered.
    pub articles: Articles,
    /// Fouls that lose the game.
    pub fouls_to_lose: u32,
    /// Illegal moves that lose the game; each before is a foul. 2010: 1 in national events, 2 in provincial and youth events.
    pub illegal_to_lose: u32,
    /// Presses without a move that lose the game, each a foul; `None` where such a press is only reported.
    pub presses_to_lose: Option<u32>,
    /// When a player may offer a draw.
    pub offers: OfferRule,
    /// The first round in which a draw may be offered.
    pub offers_from_round: u32,
    /// Rounds without a capture after which a side may claim a draw.
    pub natural_limit: u32,
    /// How many of the claimant's checks count towards them.
    pub checks_counted: u32,
    /// How often moves must go round a cycle before a ruling can be asked for (24).
    pub cycles: u32,
    /// What a false claim costs on the claimant's clock, in microseconds.
    pub false_claim_us: u64,
    /// False claims within one stretch without a capture that lose the game.
    pub false_claims_to_lose: Option<u32>,
    /// Missed lines of the players' own records that make a foul; `None` where players need not write.
    pub lines_per_foul: Option<u32>,
}

impl Procedure {
    /// The rules of 1999.
    pub fn cxa_1999() -> Procedure {
        Procedure {
            articles: Articles::Cxa1999,
            fouls_to_lose: 3,
            illegal_to_lose: 1,
            presses_to_lose: None,
            offers: OfferRule::Alternate,
            offers_from_round: 1,
            natural_limit: 60,
            checks_counted: 10,
            cycles: 3,
            false_claim_us: 300_000_000,
            false_claims_to_lose: None,
            lines_per_foul: Some(4),
        }
    }

    /// The revision of 2010, in a national event.
    pub fn cxa_2010() -> Procedure {
        Procedure {
            articles: Articles::Cxa2010,
            presses_to_lose: Some(2),
            offers: OfferRule::Ahead(2),
            false_claims_to_lose: Some(2),
            ..Procedure::cxa_1999()
        }
    }

    /// The revision of 2010 in provincial events and below, and in youth events: a first illegal move is a foul.
    pub fn cxa_2010_youth() -> Procedure {
        Procedure { illegal_to_lose: 2, ..Procedure::cxa_2010() }
    }

    /// The procedure of the edition with that name, as headers and command lines write it. Editions without a procedure
    /// of their own have that of 2010.
    pub fn named(edition: &str) -> Procedure {
        match edition {
            "cxa-1999" => Procedure::cxa_1999(),
            _ => Procedure::cxa_2010(),
        }
    }

    /// The article that makes `offence` a foul.
    pub fn foul_article(&self, offence: Offence) -> String {
        let (a1999, a2010) = match offence {
            Offence::Disturbance => ("9.1.1", "8.1(1)"),
            Offence::ClockTampering => ("9.1.2", "8.1(2)"),
            Offence::DrawOffers => ("9.1.3", "8.1(3)"),
            Offence::FalseClaim => ("9.1.4", "8.1(4)"),
            Offence::TouchUnmovable => ("9.1.5", "8.1(5)"),
            Offence::TouchUncapturable => ("9.1.6", "8.1(5)"),
            Offence::MissedLines => ("9.1.7", "8.1(6)"),
            Offence::PressWithoutMove => ("6", "8.1(7)"),
            Offence::IllegalMove => ("4.1.6", "8.1(8)"),
            Offence::Conduct => ("9.1.8", "8.1(9)"),
        };
        self.pick(a1999, a2010)
    }

    /// The article under which a game ends for `reason`.
    pub fn end_article(&self, reason: Reason) -> String {
        let (a1999, a2010) = match reason {
            Reason::Checkmate => ("4.1.1", "4.1(1)"),
            Reason::KingsFacing => ("4.1.2", "4.1(3)"),
            Reason::Stalemate => ("4.1.3", "4.1(2)"),
            Reason::Suicide => ("4.1.6", "4.1(3)"),
            Reason::Flag => ("4.1.4", "4.1(6)"),
            Reason::Late => ("4.1.5", "4.1(7)"),
            Reason::BothLate => ("21.3", "21.3"),
            Reason::IllegalMove => ("4.1.6", "4.1(8)"),
            Reason::PressesWithoutMove => ("9.1.8", "4.1(9)"),
            Reason::PerpetualCheck => ("24.1", "4.1(4)"),
            Reason::NotVaried => ("4.1.7", "4.1(5)"),
            Reason::Fouls => ("4.1.8", "4.1(10)"),
            Reason::FalseClaims => ("9.1.4", "4.1(11)"),
            Reason::Resignation => ("4.1.9", "4.1(12)"),
            Reason::Conduct => ("4.1.10", "4.1(13)"),
            Reason::NoWinPossible => ("4.2.1", "4.2(2)"),
            Reason::Agreement => ("4.2.2", "4.2(1)"),
            Reason::Repetition => ("4.2.3", "4.2(3)"),
            Reason::NaturalLimit => ("4.2.4", "4.2(4)"),
            Reason::Forfeit => ("21.4", "21.4"),
            Reason::Arbiter => ("17.4", "17.4"),
        };
        self.pick(a1999, a2010)
    }

    fn pick(&self, a1999: &str, a2010: &str) -> String {
        match self.articles {
            Articles::Cxa1999 => a1999.to_string(),
            Articles::Cxa2010 => a2010.to_string(),
        }
    }
}

impl Default for Procedure {
    fn default() -> Procedure {
        Procedure::cxa_2010()
    }
}
