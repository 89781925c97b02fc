//! Writing XQF, version 10: without scrambling, which every reader takes.

use encoding_rs::GB18030;
use xiangqi::Square;

use super::{KINDS, TEXTS, TREE};
use crate::losses::{Losses, fit};
use crate::pieces::arrange;
use crate::{Game, NodeId, Outcome, Ply, Tag, WriteError};

/// Writes a game.
pub(crate) fn write(game: &Game, losses: &mut Losses) -> Result<Vec<u8>, WriteError> {
    let mut file = vec![0u8; TREE];
    file[..3].copy_from_slice(b"XQ\x0a");
    write_board(game, &mut file)?;
    if (game.start.quiet_plies, game.start.round) != (0, 1) {
        losses.counters();
    }
    file[50] = game.start.turn.index() as u8;
    file[51] = match game.outcome {
        Outcome::Unknown => 0,
        Outcome::RedWins => 1,
        Outcome::BlackWins => 2,
        Outcome::Draw => 3,
        Outcome::Several => 4,
    };
    for (tag, text) in game.headers.iter() {
        if let Some((offset, width, _)) = TEXTS.iter().find(|(_, _, known)| known == tag) {
            let bytes = fit(text, tag, GB18030, width - 1, losses);
            file[*offset] = bytes.len() as u8;
            file[offset + 1..offset + 1 + bytes.len()].copy_from_slice(&bytes);
        } else if let Some(kind @ 1..) = kind(tag, text.as_str()) {
            file[64] = kind;
        } else {
            losses.field(tag);
        }
    }
    write_tree(game, &mut file, losses);
    Ok(file)
}

fn kind(tag: &Tag, text: &str) -> Option<u8> {
    let known = KINDS.iter().position(|kind| *kind == text).filter(|_| *tag == Tag::Kind)?;
    u8::try_from(known).ok()
}

fn write_board(game: &Game, file: &mut [u8]) -> Result<(), WriteError> {
    let squares = arrange(&game.start.board)?;
    for (place, square) in file[16..48].iter_mut().zip(squares) {
        *place = square.map_or(0xff, number);
    }
    Ok(())
}

fn write_tree(game: &Game, file: &mut Vec<u8>, losses: &mut Losses) {
    let game = losses.playable(game);
    let tree = &game.tree;
    let all = std::iter::once(NodeId::ROOT).chain(tree.preorder());
    for id in all {
        let node = tree.node(id);
        let (from, to) = match node.ply().and_then(Ply::as_move) {
            Some(m) => (number(m.from), number(m.to)),
            None => (0, 0),
        };
        let child = if node.first_child().is_some() { 0xf0 } else { 0 };
        let sibling = if node.next_sibling().is_some() { 0x0f } else { 0 };
        file.extend([from + 0x18, to + 0x20, child | sibling, 0]);
        let comment = node
            .comment
            .as_ref()
            .map(|comment| losses.encode_for_windows(comment, GB18030))
            .unwrap_or_default();
        file.extend((comment.len() as u32).to_le_bytes());
        file.extend(comment);
        losses.beside(node);
    }
}

/// A square is file * 10 + rank.
fn number(square: Square) -> u8 {
    (square.file().index() * 10 + square.rank().index()) as u8
}
