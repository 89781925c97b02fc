//! The judgement in words, for players and arbiters.

use core::fmt;

use super::{Judgement, Label, Means, Ply, Verdict};
use crate::{Color, Position};

/// In which language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// 中文.
    Chinese,
    /// English.
    English,
}

/// A judgement to be displayed: each move with its reason, then what the sides did and who must vary.
pub struct Explanation<'a> {
    /// The judgement.
    pub judgement: &'a Judgement,
    /// The position before the first move.
    pub start: &'a Position,
    /// The language.
    pub language: Language,
}

impl Explanation<'_> {
    fn side(&self, color: Color) -> &'static str {
        match (self.language, color) {
            (Language::Chinese, Color::Red) => "红方",
            (Language::Chinese, Color::Black) => "黑方",
            (Language::English, Color::Red) => "Red",
            (Language::English, Color::Black) => "Black",
        }
    }

    fn reason(&self, f: &mut fmt::Formatter<'_>, ply: &Ply) -> fmt::Result {
        let chinese = self.language == Language::Chinese;
        match ply.label {
            Label::Kill => {
                f.write_str(if chinese { "，下一着起连将杀：" } else { ", threatens mate by" })?;
                for m in &ply.mate {
                    write!(f, " {m}")?;
                }
            }
            Label::Chase => {
                for (i, threat) in ply.threats.iter().take(3).enumerate() {
                    f.write_str(match (chinese, i) {
                        (true, 0) => "，伏",
                        (true, _) => "、",
                        (false, 0) => ", threatens",
                        (false, _) => ",",
                    })?;
                    write!(f, " {}", threat.first)?;
                    let words = match (threat.means, chinese) {
                        (Means::Capture, _) => "",
                        (Means::Exchange, true) => "（交换得子）",
                        (Means::Exchange, false) => " and wins by the exchange",
                        (Means::Checks, true) => "（连将得子）",
                        (Means::Checks, false) => " with check and wins",
                    };
                    f.write_str(words)?;
                    for (i, target) in threat.targets.into_iter().enumerate() {
                        write!(f, "{}{target}", if i == 0 { " ×" } else { "/" })?;
                    }
                }
                if ply.joint {
                    f.write_str(if chinese { "（联合捉子）" } else { " (jointly)" })?;
                }
            }
            _ => {}
        }
        if !ply.certain {
            f.write_str(if chinese {
                "（搜索未尽，由裁判判定）"
            } else {
                " (search cut short: the arbiter decides)"
            })?;
        }
        Ok(())
    }

    fn conclusion(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chinese = self.language == Language::Chinese;
        match self.judgement.verdict {
            Verdict::None => {
                f.write_str(if chinese { "没有循环反复。" } else { "No position has recurred." })
            }
            Verdict::Draw if chinese => f.write_str("双方不变作和"),
            Verdict::Draw => f.write_str("If neither varies it is a draw"),
            Verdict::MustVary(side) if chinese => write!(f, "{}应变着，不变作负", self.side(side)),
            Verdict::MustVary(side) => write!(f, "{} must vary, and loses if it does not", self.side(side)),
            Verdict::Loses(side) if chinese => write!(f, "{}作负", self.side(side)),
            Verdict::Loses(side) => write!(f, "{} loses", self.side(side)),
        }
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let judgement = self.judgement;
        let turn = |i: usize| if i.is_multiple_of(2) { self.start.turn() } else { !self.start.turn() };
        let span = judgement.span.clone().unwrap_or(0..judgement.plies.len());
        for (i, ply) in judgement.plies.iter().enumerate().filter(|(i, _)| span.contains(i)) {
            write!(f, "{:>3}. {} {} {}", i + 1, self.side(turn(i)), ply.played, ply.label.term())?;
            self.reason(f, ply)?;
            writeln!(f)?;
        }
        if judgement.verdict != Verdict::None {
            for side in Color::ALL {
                let class = judgement.classes[side];
                match self.language {
                    Language::Chinese => write!(f, "{}{}，", self.side(side), class.term())?,
                    Language::English => {
                        write!(f, "{}: {} ({}). ", self.side(side), class.english(), class.term())?;
                    }
                }
            }
        }
        self.conclusion(f)?;
        for article in &judgement.articles {
            write!(f, " [{article}]")?;
        }
        writeln!(f)
    }
}
