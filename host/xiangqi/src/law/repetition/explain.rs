//! The judgement in words, for players and arbiters.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};

use super::script::traditional;
use super::{Judgement, Label, Means, Ply, Threat, Verdict};
use crate::notation::{self, Script};
use crate::{Bitboard, Color, Move, Piece, Position, Role, Square};

/// In which language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// 简体中文.
    Chinese,
    /// 繁體中文.
    Traditional,
    /// English.
    English,
}

/// A judgement to be displayed: which moves are the cycle, each with its reason, then what the sides did and who must vary.
pub struct Explanation<'a> {
    /// The judgement.
    pub judgement: &'a Judgement,
    /// The position before the first move.
    pub start: &'a Position,
    /// The language.
    pub language: Language,
}

impl Explanation<'_> {
    /// One of two wordings; the traditional script is made of the simplified one at the end.
    const fn say<'t>(&self, chinese: &'t str, english: &'t str) -> &'t str {
        match self.language {
            Language::Chinese | Language::Traditional => chinese,
            Language::English => english,
        }
    }

    const fn side(&self, color: Color) -> &'static str {
        match color {
            Color::Red => self.say("红方", "Red"),
            Color::Black => self.say("黑方", "Black"),
        }
    }

    /// A move as people write it, and its two points.
    fn named(&self, position: &Position, m: Move) -> String {
        match self.language {
            Language::English => format!("{} ({m})", notation::wxf(position, m)),
            _ => format!("{} ({m})", notation::chinese(position, m, Script::Simplified)),
        }
    }

    fn piece(&self, piece: Piece, square: Square) -> String {
        match self.language {
            Language::English => format!("the {} on {square}", piece.role.name()),
            _ => format!("{square} {}", notation::character(piece, Script::Simplified)),
        }
    }

    /// The pieces on a set of squares.
    fn pieces(&self, position: &Position, set: Bitboard) -> String {
        let names = set.filter_map(|square| Some(self.piece(position.piece_at(square)?, square)));
        joined(names, self.say("、", " and "))
    }

    fn threat(&self, threatening: &Position, threat: &Threat) -> String {
        let how = match threat.means {
            Means::Capture => self.say("吃", "takes"),
            Means::Exchange => self.say("交换得", "wins by the exchange"),
            Means::Checks => self.say("连将得", "wins by checks"),
        };
        let targets = self.pieces(threatening, threat.targets);
        format!("{} {how} {targets}", self.named(threatening, threat.first))
    }

    /// Why the move is called what it is called.
    fn reason(&self, before: &Position, ply: &Ply) -> String {
        let after = before.play_unchecked(ply.played);
        let threatening = after.with_turn(before.turn());
        let next = self.say("下一着 ", "next ");
        let mut reason = match ply.label {
            Label::Check => String::from(self.say("照将", "gives check")),
            Label::Kill => format!("{next}{}", self.line(&threatening, &ply.mate)),
            Label::Chase if ply.threats.is_empty() => {
                let targets = self.pieces(&threatening, ply.targets);
                format!(
                    "{}{targets}",
                    self.say("双方长打，兵卒捉子按捉：", "a pawn, but both sides attack throughout: ")
                )
            }
            Label::Chase => {
                let threats = ply.threats.iter().map(|threat| self.threat(&threatening, threat));
                format!("{next}{}", joined(threats, self.say("；", "; or ")))
            }
            Label::Exchange => String::from(self.say("邀兑同等子力", "offers an exchange of equals")),
            Label::Offer => {
                String::from(self.say("送吃，对方吃去不受损失", "offers a piece that costs nothing to take"))
            }
            Label::Block => {
                String::from(self.say("拦住对方杀着的子", "stands in the way of the piece that was to mate"))
            }
            Label::Follow => String::from(self.say("盯住有根子", "keeps an eye on a protected piece")),
            Label::Idle => self.why_idle(before, &threatening, ply),
        };
        if ply.label == Label::Chase && ply.joint {
            reason += self.say("（联合捉子或捉少根子）", " (jointly, or too few roots)");
        }
        if !ply.certain {
            reason += self.say("（搜索未尽）", " (the search was cut short)");
        }
        reason
    }

    fn why_idle(&self, before: &Position, threatening: &Position, ply: &Ply) -> String {
        let moved = before.piece_at(ply.played.from).map(|piece| piece.role);
        if before.in_check() && moved == Some(Role::King) {
            String::from(self.say("应将", "the king answers a check"))
        } else if !ply.threats.is_empty() {
            let targets = self.pieces(threatening, ply.targets);
            let why = self.say(
                "守要点，附带捉士象，或所捉之子每着不同",
                "holds a point by the way, or does not keep chasing one piece",
            );
            format!("{why}: {targets}")
        } else if !ply.by_pawn.is_empty() {
            let targets = self.pieces(threatening, ply.by_pawn);
            format!("{}{targets}", self.say("只有兵卒捉子：", "only a pawn attacks: "))
        } else if !ply.standing.is_empty() {
            let targets = self.pieces(threatening, ply.standing);
            format!(
                "{}{targets}",
                self.say("上一着已存在的捉，不是新捉：", "what it could win, it could win before: ")
            )
        } else {
            String::from(self.say(
                "不将，不杀，没有新的捉",
                "no check, no mate by checks to follow, nothing newly to be won",
            ))
        }
    }

    fn line(&self, threatening: &Position, moves: &[Move]) -> String {
        let mut position = *threatening;
        let named = moves.iter().map(|m| {
            let name = self.named(&position, *m);
            position = position.play_unchecked(*m);
            name
        });
        let line = joined(named, " ");
        format!("{line} {}", self.say("将死", "mates"))
    }

    fn conclusion(&self) -> String {
        let judgement = self.judgement;
        let sentence = match judgement.verdict {
            Verdict::None => String::from(self.say("没有循环反复。", "No position has recurred.")),
            Verdict::Draw => String::from(self.say("双方不变作和。", "If neither varies it is a draw.")),
            Verdict::MustVary(side) => format!(
                "{}{}",
                self.side(side),
                self.say("应变着，不变作负。", " must vary, and loses if it does not.")
            ),
            Verdict::Loses(side) => format!("{}{}", self.side(side), self.say("作负。", " loses.")),
        };
        let articles =
            joined(judgement.articles.iter().map(|article| self.article(article)), self.say("；", "; "));
        let because = match (articles.is_empty(), self.language) {
            (true, _) => String::new(),
            (false, Language::English) => format!(" Because {articles}."),
            (false, _) => format!("依据：{articles}。"),
        };
        if judgement.certain || judgement.verdict == Verdict::None {
            return sentence + &because;
        }
        let doubt = self.say(
            "不能断定：有的着法搜索未尽，由裁判依上列根据裁定。仅按上列称呼则：",
            "Not certain: a search behind the labels was cut short, so the arbiter decides, with the evidence above. \
             By these labels alone: ",
        );
        format!("{doubt}{sentence}{because}")
    }

    fn article(&self, number: &str) -> String {
        let words = match number {
            "24.1" => self.say("长将立即判负", "perpetual check loses at once"),
            "26.1" => self.say("单方面长将，任何情况下均不允许", "perpetual check by one side alone is never allowed"),
            "26.2" => self.say("双方均为允许着法", "both sides' moves are allowed"),
            "26.3" => self.say("双方均为禁止着法", "both sides' moves are forbidden"),
            "26.4" => self.say("一方禁止着法，另一方允许着法，由前者变着", "one side's moves are forbidden, the other's allowed"),
            "26.9" => self.say(
                "双方均为禁止着法，而只有一方是联合捉子或捉少根子，由另一方变着",
                "both sides' moves are forbidden, but only one side's chase is joint or of an under-rooted piece",
            ),
            "3.1" => self.say("长将重于其他", "perpetual check outweighs the rest"),
            "3.3" => self.say("长捉一子重于允许着法", "a chase of one piece outweighs what is allowed"),
            _ => self.say("双方相等", "both sides are equal"),
        };
        format!("{words} [{number}]")
    }

    /// Which moves are told: the last run through the cycle, or all of them where none recurs.
    fn heading(&self, told: &core::ops::Range<usize>) -> String {
        let (first, last, rounds) = (told.start + 1, told.end, self.judgement.rounds);
        match (self.judgement.span.is_some(), rounds) {
            (false, _) => String::new(),
            (true, 1) => match self.language {
                Language::English => format!("Judged: moves {first} to {last}.\n"),
                _ => format!("所判着法：第 {first} 至 {last} 着。\n"),
            },
            (true, _) => match self.language {
                Language::English => format!(
                    "Judged: moves {first} to {last}, the last of {rounds} times that they were played.\n"
                ),
                _ => format!("所判着法：第 {first} 至 {last} 着，为 {rounds} 次循环的最后一次。\n"),
            },
        }
    }

    fn text(&self) -> String {
        let judgement = self.judgement;
        let told = judgement.cycle().unwrap_or(0..judgement.plies.len());
        let mut text = self.heading(&told);
        let mut position = *self.start;
        for (i, ply) in judgement.plies.iter().enumerate() {
            if told.contains(&i) {
                let (side, label) = (self.side(position.turn()), ply.label.term());
                let (name, reason) = (self.named(&position, ply.played), self.reason(&position, ply));
                text += &format!("{:>3}. {side} {name} {label}{}{reason}\n", i + 1, self.say("：", ": "));
            }
            position = position.play_unchecked(ply.played);
        }
        if judgement.verdict != Verdict::None {
            for side in Color::ALL {
                let class = judgement.classes[side];
                text += &match self.language {
                    Language::English => {
                        format!("{}: {} ({}). ", self.side(side), class.english(), class.term())
                    }
                    _ => format!("{}{}，", self.side(side), class.term()),
                };
            }
            if self.language != Language::English {
                text.pop();
                text.push('。');
            }
        }
        text + &self.conclusion()
    }
}

/// The texts with a separator between them.
fn joined(texts: impl Iterator<Item = String>, separator: &str) -> String {
    let mut joined = String::new();
    for (i, text) in texts.enumerate() {
        if i > 0 {
            joined += separator;
        }
        joined += &text;
    }
    joined
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        if self.language == Language::Traditional {
            text.chars().try_for_each(|c| f.write_char(traditional(c)))?;
        } else {
            f.write_str(&text)?;
        }
        f.write_char('\n')
    }
}
