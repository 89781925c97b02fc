//! A game as its score sheet has it (articles 7.5 and 10.1): every move in full and in short, times, fouls, signatures.

use referee::{By, Snapshot};
use serde::Serialize;
use xiangqi::law::edition::{Edition, Numbering};
use xiangqi::notation::{self, Script};
use xiangqi::{ByColor, Color, Move, Position};

use crate::game::Outcome;

/// One ply on the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SheetPly {
    /// Such as `h2e2`.
    #[serde(rename = "move")]
    pub mv: Move,
    /// In full, in simplified characters.
    pub hans: String,
    /// In full, in traditional characters.
    pub hant: String,
    /// In short as the edition in force writes it, in simplified characters.
    pub short_hans: String,
    /// The same in traditional characters.
    pub short_hant: String,
    /// As the World Xiangqi Federation writes it.
    pub wxf: String,
    /// The thinking time, in milliseconds.
    pub used_ms: Option<u64>,
}

/// A foul on the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SheetFoul {
    /// Whose.
    pub side: Color,
    /// What for, in a word.
    pub offence: referee::foul::Offence,
    /// The article.
    pub article: String,
    /// The ply that was being played, from 1.
    pub ply: u32,
}

/// Who has signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// `red`, `black` or `arbiter`.
    pub by: &'static str,
    /// The name.
    pub name: String,
}

/// The score sheet of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// The game's id.
    pub id: String,
    /// The event's name.
    pub event: String,
    /// The round, as the event writes it.
    pub round: String,
    /// The table, as the event writes it.
    pub table: String,
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// The edition of the rules.
    pub rules: String,
    /// The time control as text, if there was a clock.
    pub control: Option<String>,
    /// When the game began, in milliseconds of UTC; 0 if that is not known.
    pub began_utc_ms: u64,
    /// Who made the first move.
    pub first: Color,
    /// The position from which the game started.
    pub start_fen: String,
    /// The moves.
    pub plies: Vec<SheetPly>,
    /// What Red used in all, in milliseconds.
    pub red_used_ms: Option<u64>,
    /// What Black used in all.
    pub black_used_ms: Option<u64>,
    /// The fouls that count.
    pub fouls: Vec<SheetFoul>,
    /// How the game ended.
    pub result: Option<Outcome>,
    /// Who has signed the result.
    pub signed: Vec<Signature>,
}

impl Sheet {
    /// Plays a snapshot through.
    pub fn of(snapshot: &Snapshot) -> Sheet {
        let edition = snapshot.rules.parse::<Edition>().unwrap_or_default().name;
        let (mut setup, mut used) = (snapshot.start, ByColor::<Option<u64>>::default());
        let mut plies = Vec::with_capacity(snapshot.plies.len());
        for played in &snapshot.plies {
            let before = Position::standing(setup).ok();
            if let Some(ms) = played.used_ms {
                let sum = &mut used[setup.turn];
                *sum = Some(sum.unwrap_or(0).saturating_add(ms));
            }
            plies.push(SheetPly::of(before.as_ref(), played.mv, played.used_ms, edition.numbering()));
            setup.board.relocate(played.mv.from, played.mv.to);
            setup.turn = !setup.turn;
        }
        let counting = snapshot.fouls.iter().filter(|entry| entry.withdrawn.is_none());
        Sheet {
            id: snapshot.game.clone(),
            event: snapshot.event.clone(),
            round: snapshot.round.clone(),
            table: snapshot.table.clone(),
            red: snapshot.red.clone(),
            black: snapshot.black.clone(),
            rules: edition.as_str().to_owned(),
            control: snapshot.control.clone(),
            began_utc_ms: snapshot.began_utc_ms,
            first: snapshot.start.turn,
            start_fen: snapshot.start.to_string(),
            plies,
            red_used_ms: used[Color::Red],
            black_used_ms: used[Color::Black],
            fouls: counting.map(|entry| SheetFoul::of(&entry.foul)).collect(),
            result: snapshot.result.as_ref().map(Outcome::of),
            signed: snapshot.signed.iter().filter_map(|by| Signature::of(by, snapshot)).collect(),
        }
    }
}

impl SheetPly {
    fn of(before: Option<&Position>, mv: Move, used_ms: Option<u64>, numbering: Numbering) -> SheetPly {
        let short = match numbering {
            Numbering::Of1999 => notation::short_1999,
            Numbering::Of2010 => notation::short_2010,
        };
        // A move out of a position that is none still has its coordinates.
        let written = |write: &dyn Fn(&Position) -> String| before.map_or_else(|| notation::iccs(mv), write);
        SheetPly {
            mv,
            hans: written(&|position| notation::chinese(position, mv, Script::Simplified)),
            hant: written(&|position| notation::chinese(position, mv, Script::Traditional)),
            short_hans: written(&|position| short(position, mv, Script::Simplified)),
            short_hant: written(&|position| short(position, mv, Script::Traditional)),
            wxf: written(&|position| notation::wxf(position, mv)),
            used_ms,
        }
    }
}

impl SheetFoul {
    fn of(foul: &referee::foul::Foul) -> SheetFoul {
        SheetFoul { side: foul.side, offence: foul.offence, article: foul.article.clone(), ply: foul.ply }
    }
}

impl Signature {
    fn of(by: &By, snapshot: &Snapshot) -> Option<Signature> {
        let (by, name) = match by {
            By::Board => return None,
            By::Red => ("red", snapshot.red.clone()),
            By::Black => ("black", snapshot.black.clone()),
            By::Arbiter(name) => ("arbiter", name.clone()),
        };
        Some(Signature { by, name })
    }
}
