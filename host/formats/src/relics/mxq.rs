//! MXQ of 弈天 (movesky.net): texts, each after a byte with its length.

use encoding_rs::{Encoding, UTF_8};

use super::ply;
use crate::cursor::Cursor;
use crate::{Game, Outcome, Place, Ply, Tag, Text, Tree, Warning, Warnings};

/// Whether the file is such texts, one of them `Moves`.
pub(crate) fn is(data: &[u8]) -> bool {
    let (texts, _) = texts(data, 64);
    texts.len() > 3 && texts.contains(&&b"Moves"[..])
}

/// At most so many texts, and where reading stopped.
fn texts(data: &[u8], most: usize) -> (Vec<&[u8]>, usize) {
    let mut cursor = Cursor::at(data, 0);
    let mut texts = Vec::new();
    let mut end = 0;
    while texts.len() < most {
        let Some(text) = cursor.byte().and_then(|length| cursor.take(usize::from(length))) else { break };
        texts.push(text);
        end = cursor.offset();
    }
    (texts, end)
}

/// What the header's texts are, in their order; those after the ratings are not known.
const FIELDS: [Option<Tag>; 5] =
    [Some(Tag::Site), Some(Tag::Date), None, Some(Tag::RedElo), Some(Tag::BlackElo)];

/// Reads the game. The header is UTF-8 in some files, GB18030 in others.
pub(crate) fn read(data: &[u8], encoding: &'static Encoding, warnings: &mut Warnings) -> Game {
    let (texts, end) = texts(data, usize::MAX);
    if end != data.len() {
        let what = "the last text is cut off".into();
        warnings.push(Warning { place: Place::Offset(end), what });
    }
    if !texts.contains(&&b"Ends"[..]) {
        let what = "no Ends after the moves: the file is cut off; the moves before are kept".into();
        warnings.push(Warning { place: Place::Offset(end), what });
    }
    let is_utf8 = std::str::from_utf8(&texts.concat()).is_ok();
    let decode = |bytes: &[u8]| Text::decode(bytes, if is_utf8 { UTF_8 } else { encoding });
    let split = |word: &[u8]| texts.iter().position(|text| *text == word);
    let moves = split(b"Moves").unwrap_or(texts.len());
    let ends = split(b"Ends").unwrap_or(texts.len()).max(moves);
    let mut game = Game::new();
    for (i, bytes) in texts[..moves].iter().enumerate() {
        let text = decode(bytes);
        match FIELDS.get(i) {
            Some(Some(tag)) => game.headers.set(tag.clone(), text),
            _ if i == 2 => players(text.as_str(), &mut game),
            _ if i + 1 == moves => game.headers.set(Tag::Termination, text),
            _ => game.headers.set(Tag::Other(format!("MXQ{i}").into()), text),
        }
    }
    game.tree = Tree::line(texts[ends.min(moves + 1)..ends].iter().map(|text| a_ply(text)));
    let comments = texts.get(ends + 1..).unwrap_or(&[]).iter();
    for comment in comments.filter(|text| **text != b"CommentsEnd" && !text.is_empty()) {
        game.tree.node_mut(crate::NodeId::ROOT).add_comment(decode(comment));
    }
    game.trust_first_piece();
    game
}

/// `red(level)-胜-black(level)`.
fn players(text: &str, game: &mut Game) {
    let results = [
        ("-胜-", Outcome::RedWins),
        ("-负-", Outcome::BlackWins),
        ("-和-", Outcome::Draw),
        ("-", Outcome::Unknown),
    ];
    for (between, outcome) in results {
        if let Some((red, black)) = text.split_once(between) {
            game.headers.set(Tag::Red, red);
            game.headers.set(Tag::Black, black);
            game.outcome = outcome;
            return;
        }
    }
    game.headers.set(Tag::Title, text);
}

/// `7C-4C`: the file from Red's left, 0 to 8, and the rank, A to J.
fn a_ply(text: &[u8]) -> Ply {
    match text {
        &[from_file, from_rank, b'-', to_file, to_rank] => {
            let file = |digit: u8| digit.wrapping_sub(b'0');
            let rank = |letter: u8| letter.to_ascii_uppercase().wrapping_sub(b'A');
            match ply(file(from_file), rank(from_rank), file(to_file), rank(to_rank)) {
                Ply::Unread(_) => Ply::Unread(String::from_utf8_lossy(text).into()),
                ply => ply,
            }
        }
        _ => Ply::Unread(String::from_utf8_lossy(text).into()),
    }
}
