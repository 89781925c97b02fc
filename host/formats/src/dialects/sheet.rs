//! Moves as people paste them, and CCBridge's text with its fields.

use super::tag;
use crate::Outcome;
use crate::movetext::{Scanner, Token};

/// The words before a colon and what they mean.
const FIELDS: [(&str, &str); 38] = [
    ("标题", "Title"),
    ("棋谱主人", "Owner"),
    ("分类", "Category"),
    ("来源", "Source"),
    ("赛事类型", "EventClass"),
    ("赛事", "Event"),
    ("赛事名称", "Event"),
    ("比赛", "Event"),
    ("轮次", "Round"),
    ("组别", "Group"),
    ("台次", "Table"),
    ("日期", "Date"),
    ("比赛日期", "Date"),
    ("地点", "Site"),
    ("比赛地点", "Site"),
    ("时间规则", "TimeControl"),
    ("红方", "Red"),
    ("红方姓名", "Red"),
    ("红等级分", "RedElo"),
    ("红方用时", "RedTime"),
    ("红队", "RedTeam"),
    ("红方团体", "RedTeam"),
    ("黑方", "Black"),
    ("黑方姓名", "Black"),
    ("黑等级分", "BlackElo"),
    ("黑方用时", "BlackTime"),
    ("黑队", "BlackTeam"),
    ("黑方团体", "BlackTeam"),
    ("解说", "Annotator"),
    ("录入", "Author"),
    ("作者", "Author"),
    ("创建日期", "Created"),
    ("修改日期", "Modified"),
    ("棋谱类型", "Kind"),
    ("对局种类", "GameKind"),
    ("结果", "Result"),
    ("结束方式", "Termination"),
    ("备注", "Remark"),
];

/// Whether a line is a position: ten ranks of nine.
pub(crate) fn is_fen(line: &str) -> bool {
    let board = line.split_ascii_whitespace().next().unwrap_or("");
    let files = |row: &str| {
        let count = |c: char| c.to_digit(10).or_else(|| c.is_ascii_alphabetic().then_some(1));
        row.chars().map(count).sum::<Option<u32>>() == Some(9)
    };
    board.split('/').count() == 10 && board.split('/').all(files)
}

/// Fields and positions become tags, what is said before the first move a comment; the rest stays.
pub(crate) fn rewritten(text: &str) -> String {
    let mut in_moves = false;
    let rewrite = |original: &str| {
        let rewritten = match result_of(original).filter(|_| in_moves) {
            // A tag here would begin another game.
            Some(result) => result.to_owned(),
            None => line(original),
        };
        let said = rewritten.trim().trim_start_matches('\u{feff}');
        if in_moves || said.is_empty() || said.starts_with(['[', '{']) {
            return rewritten;
        }
        in_moves = Scanner::new(said).any(|(token, _)| matches!(token, Token::Move(_)));
        if in_moves || said.contains(['{', '}']) { rewritten } else { format!("{{{said}}}") }
    };
    text.lines().map(rewrite).collect::<Vec<_>>().join("\n")
}

/// The result that a line gives under its name.
fn result_of(line: &str) -> Option<&str> {
    let (word, value) = line.trim().split_once(['：', ':'])?;
    (word.trim() == "结果").then_some(value.trim()).filter(|value| Outcome::read(value).is_some())
}

fn line(line: &str) -> String {
    let bare = line.trim_start_matches('\u{feff}').trim();
    let (word, value) =
        bare.split_once(['：', ':']).map_or(("", bare), |(word, value)| (word.trim(), value.trim()));
    if is_fen(bare) {
        return tag("FEN", bare);
    }
    if word.eq_ignore_ascii_case("FEN") && is_fen(value) {
        return tag("FEN", value);
    }
    if word.eq_ignore_ascii_case("ECCO") {
        let (code, name) = value.split_at_checked(3).unwrap_or((value, ""));
        return format!("{}{}", tag("ECCO", code), tag("Opening", name));
    }
    let value = if value == "(Email:)" { "" } else { value };
    match FIELDS.iter().find(|(known, _)| *known == word) {
        Some((_, name)) => tag(name, value),
        None => line.to_owned(),
    }
}
