//! Telling words that look like moves from others, before any board is asked.

/// A full-width form as the ASCII character that it stands for; others as they are.
pub(super) fn narrowed(c: char) -> char {
    match c {
        // Full-width braces, brackets, quotes and semicolons are only ever part of what people say.
        '｛' | '｝' | '［' | '］' | '；' | '＂' => c,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => c,
    }
}

/// A piece's name in Chinese.
pub(super) fn is_piece(c: char) -> bool {
    "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒".contains(c)
}

/// 一 to 九.
pub(super) fn is_numeral(c: char) -> bool {
    "一二三四五六七八九".contains(c)
}

/// 前, 中, 后.
pub(super) fn is_place(c: char) -> bool {
    "前中后後".contains(c)
}

/// 进, 退, 平.
pub(super) fn is_direction(c: char) -> bool {
    "进進退平上下".contains(c)
}

/// The length of the Chinese move that begins here, in characters: up to three for the piece, then the direction, then
/// one digit.
pub(super) fn chinese_move(text: &[char]) -> Option<usize> {
    let is_digit = |c: char| is_numeral(c) || ('1'..='9').contains(&c);
    let head = text.iter().take(4).position(|c| is_direction(*c)).filter(|head| (1..=3).contains(head))?;
    let names_a_piece = text[..head].iter().any(|c| is_piece(*c) || is_place(*c));
    let well_formed = text[..head].iter().all(|c| is_piece(*c) || is_place(*c) || is_digit(*c));
    let number = *text.get(head + 1)?;
    (names_a_piece && well_formed && is_digit(number)).then_some(head + 2)
}

/// Whether a word has the shape of a Chinese move of four characters but for one of them.
pub(super) fn is_damaged_move(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let is_digit = |c: char| is_numeral(c) || ('1'..='9').contains(&c);
    let [piece, from, go, to] = chars[..] else { return false };
    let whole = [is_piece(piece) || is_place(piece), is_digit(from) || is_piece(from), is_digit(to)];
    is_direction(go) && whole.iter().filter(|whole| **whole).count() == 2
}

/// What editors write where a side passes. It names no squares, so that it is kept as text and gives the turn away.
pub(super) const NULL_MOVE: &str = "--";

/// The length of the move that a word of moves without a gap begins with: `h2e2h9g7`, `H2-E2H9-G7`, `C2=5H8+7`, with
/// numbers between them or not. None where any part of the word is something else.
pub(super) fn glued_move(word: &[char]) -> Option<usize> {
    if word.len() < 8 || !word.iter().all(char::is_ascii) {
        return None;
    }
    let word: String = word.iter().collect();
    let first = a_glued_move(&word)?;
    let mut rest = &word[first..];
    loop {
        rest = rest.trim_start_matches([',', '.', ';']);
        if rest.is_empty() {
            return Some(first);
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest = match rest[digits..].strip_prefix('.') {
            Some(behind) if digits > 0 => behind,
            _ => &rest[a_glued_move(rest)?..],
        };
    }
}

fn a_glued_move(word: &str) -> Option<usize> {
    let coordinates = || {
        let (_, rest) = a_square(word.as_bytes())?;
        let rest = rest.strip_prefix(b"-").unwrap_or(rest);
        let (_, rest) = a_square(rest)?;
        Some(word.len() - rest.len())
    };
    let wxf = || {
        let four: Vec<char> = word.chars().take(4).collect();
        is_wxf(&four).then_some(4)
    };
    coordinates().or_else(wxf)
}

/// Whether a word has the shape of a move in some notation. `word` is narrowed.
pub(crate) fn is_move_like(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    word == NULL_MOVE
        || chinese_move(&chars) == Some(chars.len())
        || is_wxf(&chars)
        || is_coordinates(word)
        || super::san::is_san(word)
}

/// `C2=5`, `R+.4`, `+C-2`, `15+1`.
fn is_wxf(word: &[char]) -> bool {
    let letter = |c: char| "KAEBHNRCPkaebhnrcp".contains(c);
    let digit = |c: char| ('1'..='9').contains(&c);
    let sign = |c: char| c == '+' || c == '-';
    match *word {
        [a, b, go, to] => {
            let head = (letter(a) && (digit(b) || sign(b)))
                || (sign(a) && letter(b))
                || (digit(a) && digit(b))
                || (sign(a) && sign(b))
                || (digit(a) && sign(b));
            head && "+-=.".contains(go) && digit(to)
        }
        [a, b, c, go, to] => {
            let head = [a, b, c];
            head.iter().filter(|c| letter(**c)).count() == 1
                && head.iter().all(|c| letter(*c) || digit(*c) || sign(*c))
                && "+-=.".contains(go)
                && digit(to)
        }
        _ => false,
    }
}

/// `h2e2`, `H2-E2`, `a10a9`.
fn is_coordinates(word: &str) -> bool {
    squares(word).is_some()
}

/// Files from 0 and ranks as written, of `h2e2` and its like.
pub(super) fn squares(word: &str) -> Option<[(u8, u8); 2]> {
    let bytes = word.as_bytes();
    let (from, rest) = a_square(bytes)?;
    let rest = rest.strip_prefix(b"-").or_else(|| rest.strip_prefix(b"x")).unwrap_or(rest);
    // `A10e9` is an advisor in SAN.
    if bytes.first()?.is_ascii_uppercase() != rest.first()?.is_ascii_uppercase() {
        return None;
    }
    let (to, rest) = a_square(rest)?;
    rest.is_empty().then_some([from, to])
}

/// A file letter and a rank of one digit, or 10.
pub(super) fn a_square(bytes: &[u8]) -> Option<((u8, u8), &[u8])> {
    let (file, rest) = bytes.split_first()?;
    let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|file| *file < 9)?;
    if let Some(rest) = rest.strip_prefix(b"10") {
        return Some(((file, 10), rest));
    }
    let (rank, rest) = rest.split_first()?;
    Some(((file, rank.checked_sub(b'0').filter(|rank| *rank < 10)?), rest))
}
