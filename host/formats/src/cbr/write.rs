//! Writing one record, in the layout of kind 2.

use encoding_rs::UTF_16LE;
use xiangqi::{Color, Square};

use super::{BRANCHES, COMMENT, ENDS, MAGIC, NOW, ROLES, TERMINATION, TEXTS};
use crate::losses::{Losses, fit};
use crate::{Game, NodeId, Outcome, Ply, Tag};

/// Writes a game.
pub(crate) fn write(game: &Game, losses: &mut Losses) -> Vec<u8> {
    let mut file = vec![0u8; NOW.moves];
    file[..MAGIC.len()].copy_from_slice(MAGIC);
    file[19] = 2;
    for (tag, text) in game.headers.iter() {
        let known =
            TEXTS.iter().find(|(_, _, known)| known == tag).map(|(offset, width, _)| (*offset, *width));
        match known.or((*tag == Tag::Termination).then_some(TERMINATION)) {
            Some((offset, width)) => {
                let bytes = fit(text, tag, UTF_16LE, width - 2, losses);
                file[offset..offset + bytes.len()].copy_from_slice(&bytes);
            }
            None => losses.field(tag),
        }
    }
    file[NOW.result] = match game.outcome {
        Outcome::Unknown => 0,
        Outcome::RedWins => 1,
        Outcome::BlackWins => 2,
        Outcome::Draw => 3,
        Outcome::Several => 4,
    };
    file[NOW.first_side] = match game.start.turn {
        Color::Red => 1,
        Color::Black => 2,
    };
    let round = u16::try_from(game.start.round).unwrap_or(1);
    file[2116..2118].copy_from_slice(&round.to_le_bytes());
    if game.start.quiet_plies != 0 || u32::from(round) != game.start.round {
        losses.counters();
    }
    for (square, piece) in game.start.board.pieces() {
        let role = ROLES.iter().position(|letter| char::from(*letter) == piece.role.letter()).unwrap_or(0);
        let color = if piece.color == Color::Red { 0x10 } else { 0x20 };
        file[NOW.board + from_top(square)] = color | role as u8;
    }
    file[2210..2214].fill(0xff);
    write_moves(game, &mut file, losses);
    file
}

fn from_top(square: Square) -> usize {
    square.rotated().mirrored().index()
}

fn write_moves(game: &Game, file: &mut Vec<u8>, losses: &mut Losses) {
    let game = losses.playable(game);
    let tree = &game.tree;
    for id in std::iter::once(NodeId::ROOT).chain(tree.preorder()) {
        let node = tree.node(id);
        let comment = node.comment.as_ref().map(|comment| losses.encode_for_windows(comment, UTF_16LE));
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let flags = flag(node.first_child().is_none(), ENDS)
            | flag(node.next_sibling().is_some(), BRANCHES)
            | flag(comment.is_some(), COMMENT);
        let (from, to) = match node.ply().and_then(Ply::as_move) {
            Some(m) => (from_top(m.from), from_top(m.to)),
            None => (0, 0),
        };
        file.extend([flags, 0, from as u8, to as u8]);
        if let Some(comment) = comment {
            file.extend((comment.len() as u32).to_le_bytes());
            file.extend(comment);
        }
        losses.beside(node);
    }
}
