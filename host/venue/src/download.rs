//! A game as a file that other programs read.

use std::slice;

use formats::{Format, Game, Loss, NodeId, Outcome, Ply, Style, Tag, Times, Tree, WriteError, WriteOptions};
use referee::{Reason, Score};
use xiangqi::notation::Script;
use xiangqi::{Color, Setup};

use crate::game::GameView;

/// A file to download.
#[derive(Debug)]
pub(crate) struct Download {
    pub name: String,
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// The formats that spectators may download, by the ending of the file.
const FORMATS: [(&str, Format, &str); 4] = [
    ("pgn", Format::Pgn, "application/x-chess-pgn; charset=utf-8"),
    ("xqf", Format::Xqf, "application/octet-stream"),
    ("cbr", Format::Cbr, "application/octet-stream"),
    ("dhtmlxq", Format::DhtmlXq, "text/plain; charset=utf-8"),
];

/// Writes a game in the format with that ending; `None` when there is no such format.
pub(crate) fn download(view: &GameView, ending: &str) -> Option<Result<Download, WriteError>> {
    let (ending, format, media_type) = FORMATS.into_iter().find(|(known, ..)| *known == ending)?;
    let options = WriteOptions { style: Style::Chinese, script: Script::Simplified };
    let name = format!("{}.{ending}", view.summary.id);
    Some(write(record(view), format, &options).map(|bytes| Download { name, media_type, bytes }))
}

/// The file; what the format cannot hold of the game is said in the comment at its beginning, which every format has.
fn write(mut game: Game, format: Format, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
    let written = formats::write(slice::from_ref(&game), format, options)?;
    if written.losses.is_empty() {
        return Ok(written.bytes);
    }
    let losses: Vec<String> = written.losses.iter().map(|(_, loss)| in_words(loss)).collect();
    let comment = format!("本格式未能保存：{}", losses.join("；"));
    game.tree.node_mut(NodeId::ROOT).add_comment(comment.as_str().into());
    Ok(formats::write(&[game], format, options)?.bytes)
}

/// A loss in Chinese, as the record itself is.
fn in_words(loss: &Loss) -> String {
    match loss {
        Loss::Times(count) => format!("{count} 着的用时"),
        Loss::Field(tag) => format!("字段 {}", tag.name()),
        Loss::Cut { tag: Some(tag), bytes } => format!("字段 {} 只存前 {bytes} 字节", tag.name()),
        Loss::Characters { tag: Some(tag), count } => format!("字段 {} 中 {count} 个字符", tag.name()),
        Loss::Counters => "开始局面的着数".into(),
        Loss::Turn => "先行方".into(),
        Loss::Outcome(_) => "对局结果".into(),
        other => other.to_string(),
    }
}

fn record(view: &GameView) -> Game {
    let summary = &view.summary;
    let start: Setup = summary.start_fen.parse().unwrap_or_else(|_| Setup::initial());
    let mut game = Game::from_start(start);
    let fields = [
        (Tag::Event, &summary.event),
        (Tag::Round, &summary.round),
        (Tag::Table, &summary.table),
        (Tag::Red, &summary.red),
        (Tag::Black, &summary.black),
    ];
    for (tag, text) in fields.into_iter().filter(|(_, text)| !text.is_empty()) {
        game.headers.set(tag, text.as_str());
    }
    if let Some(result) = &summary.result {
        let how = format!("{} {}", termination(result.reason), result.article);
        game.headers.set(Tag::Termination, how.trim());
    }
    game.outcome = match summary.result.as_ref().map(|result| result.score) {
        Some(Score::RedWins) => Outcome::RedWins,
        Some(Score::BlackWins) => Outcome::BlackWins,
        Some(Score::Draw) => Outcome::Draw,
        // No format knows a game that both have lost.
        Some(Score::BothLose) | None => Outcome::Unknown,
    };
    game.tree = Tree::new();
    if summary.result.as_ref().is_some_and(|result| result.score == Score::BothLose) {
        game.tree.node_mut(NodeId::ROOT).add_comment("双方均判负".into());
    }
    let (mut node, mut side) = (NodeId::ROOT, start.turn);
    for ply in &view.plies {
        node = game.tree.add(node, Ply::Move(ply.mv));
        let left_ms = if side == Color::Red { ply.red_ms } else { ply.black_ms };
        game.tree.node_mut(node).times = Times { used_ms: ply.used_ms, left_ms };
        side = !side;
    }
    game
}

/// How a game ended, in the words of the rules.
const fn termination(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "将死",
        Reason::Stalemate => "困毙",
        Reason::KingsFacing => "将帅对面",
        Reason::Suicide => "自杀",
        Reason::Flag => "超时",
        Reason::Late => "迟到",
        Reason::BothLate => "双方弃权",
        Reason::IllegalMove => "违例走子",
        Reason::PressesWithoutMove => "未走棋按钟",
        Reason::PerpetualCheck => "长将",
        Reason::NotVaried => "应变不变",
        Reason::Fouls => "犯规",
        Reason::FalseClaims => "误提自然限着",
        Reason::Resignation => "认输",
        Reason::Conduct => "违反纪律",
        Reason::NoWinPossible => "双方均不能胜",
        Reason::Agreement => "提和",
        Reason::Repetition => "不变作和",
        Reason::NaturalLimit => "自然限着",
        Reason::Forfeit => "弃权",
        Reason::Arbiter => "裁判判定",
    }
}
