//! Who must vary: the table behind articles 24 and 26, apart from all labelling.

use super::class::Class;
use crate::law::edition::RepetitionRules;
use crate::{ByColor, Color};

/// What the rules say of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No position has recurred.
    None,
    /// Neither side need vary; unchanged, the game is drawn (不变作和).
    Draw,
    /// That side must vary and loses if it does not (不变作负).
    MustVary(Color),
    /// That side has lost.
    Loses(Color),
}

impl Verdict {
    /// The word that records use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::None => "none",
            Verdict::Draw => "draw",
            Verdict::MustVary(Color::Red) => "must_vary_red",
            Verdict::MustVary(Color::Black) => "must_vary_black",
            Verdict::Loses(Color::Red) => "red_loses",
            Verdict::Loses(Color::Black) => "black_loses",
        }
    }

    /// The side that the verdict is against.
    pub const fn against(self) -> Option<Color> {
        match self {
            Verdict::MustVary(side) | Verdict::Loses(side) => Some(side),
            Verdict::None | Verdict::Draw => None,
        }
    }
}

/// The verdict on what the sides did, with the article it rests on.
pub fn verdict(classes: ByColor<Class>, rules: RepetitionRules) -> (Verdict, &'static str) {
    match rules {
        RepetitionRules::Wxf2018 => federation(classes),
        RepetitionRules::Cxa1999 | RepetitionRules::Cxa2020 => association(classes, rules),
    }
}

/// Articles 26.1 to 26.4, and 26.9 of 2020.
fn association(classes: ByColor<Class>, rules: RepetitionRules) -> (Verdict, &'static str) {
    let checks = ByColor::new_with(|side| classes[side].is_perpetual_check());
    let forbidden = ByColor::new_with(|side| classes[side].is_forbidden());
    let joint = ByColor::new_with(|side| classes[side].joint > 0);
    match (checks.red, checks.black) {
        //= 26.1
        (true, false) => return (Verdict::Loses(Color::Red), "26.1"),
        (false, true) => return (Verdict::Loses(Color::Black), "26.1"),
        _ => {}
    }
    match (forbidden.red, forbidden.black) {
        //= 26.2
        (false, false) => (Verdict::Draw, "26.2"),
        //= 26.4
        (true, false) => (Verdict::MustVary(Color::Red), "26.4"),
        (false, true) => (Verdict::MustVary(Color::Black), "26.4"),
        //= 26.3
        // A chase by several pieces together, or of a piece with too few roots, weighs less than a chase by one.
        (true, true) => match (rules, joint.red, joint.black) {
            (RepetitionRules::Cxa2020, true, false) => (Verdict::MustVary(Color::Black), "26.9"),
            (RepetitionRules::Cxa2020, false, true) => (Verdict::MustVary(Color::Red), "26.9"),
            _ => (Verdict::Draw, "26.3"),
        },
    }
}

/// Perpetual check outweighs perpetual chase, which outweighs everything else; equals draw.
fn federation(classes: ByColor<Class>) -> (Verdict, &'static str) {
    let weight = |side: Color| {
        let class = classes[side];
        let chases = class.is_forbidden() && class.chases > 0 && class.checks + class.kills == 0;
        match (class.is_perpetual_check(), chases) {
            (true, _) => u32::MAX,
            (_, true) => class.gravity,
            _ => 0,
        }
    };
    let (red, black) = (weight(Color::Red), weight(Color::Black));
    let article = match red.max(black) {
        u32::MAX => "3.1",
        0 => "3.9",
        _ => "3.3",
    };
    match red.cmp(&black) {
        core::cmp::Ordering::Greater => (Verdict::Loses(Color::Red), article),
        core::cmp::Ordering::Less => (Verdict::Loses(Color::Black), article),
        core::cmp::Ordering::Equal => (Verdict::Draw, article),
    }
}
