//! Reading moves as people write them: any of our notations, and the variants that are about.
//!
//! A text is cut into tokens, the tokens are understood as one or several descriptions (which piece, which way, how
//! far), and the descriptions are held against the moves of the position. What a text leaves out matches anything; what
//! then names several moves is reported with all of them. Nothing is guessed.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::tandem::Tandem;
use super::{Direction, Script, Step, chinese, coordinates, wxf};
use crate::{Illegality, Move, Piece, Position, Role};

/// Why a text does not name a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The text is in none of the notations.
    Unreadable,
    /// The text names several moves: these. They are legal, or all of them 自杀.
    Ambiguous(Vec<Move>),
    /// The text names this one move, and it is illegal.
    Illegal(Move, Illegality),
    /// The text is well formed, but no piece of the side to move can go so.
    NoSuchMove,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Unreadable => {
                f.write_str("expected a move such as 炮二平五, 炮25, C2=5, H2-E2 or h2e2")
            }
            ReadError::Ambiguous(moves) => {
                f.write_str("ambiguous:")?;
                moves.iter().try_for_each(|m| write!(f, " {m}"))
            }
            ReadError::Illegal(m, why) => write!(f, "{m} is illegal: {why}"),
            ReadError::NoSuchMove => f.write_str("no piece of the side to move can go so"),
        }
    }
}

impl core::error::Error for ReadError {}

/// How coordinates without a dash count the ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// From 0, as ICCS and UCCI do: `h2e2`. A rank 10 shows that it is UCI after all.
    #[default]
    Iccs,
    /// From 1, as UCI does: `h3e3`. A dash or a rank 0 shows that it is ICCS after all.
    Uci,
}

/// Reads the legal move that a text names, in any notation; of coordinates see [`Dialect::Iccs`].
///
/// Spaces and full-width forms, simplified and traditional characters, Chinese and Arabic digits, capital and small
/// letters are alike. 前 and 后 may be left out, or be there without need, as long as one legal move is meant. A number
/// before the move and the marks `!`, `?`, `#` and `+` behind it are passed over. Where two conventions give a text two
/// meanings (`33=2` of three pawns on file 3 and two on another) it means what [`wxf`] or [`chinese()`] would write so.
///
/// [`wxf`]: super::wxf()
/// [`chinese()`]: super::chinese()
pub fn read(position: &Position, text: &str) -> Result<Move, ReadError> {
    read_as(position, text, Dialect::Iccs)
}

/// As [`read`], with coordinates of that dialect: `g6h6` is another move in UCI, and nothing in the text tells.
pub fn read_as(position: &Position, text: &str, dialect: Dialect) -> Result<Move, ReadError> {
    let text: Vec<char> = text.chars().map(narrowed).filter(|c| !c.is_whitespace()).collect();
    match read_bare(position, &text, dialect) {
        Err(ReadError::Unreadable) => match unadorned(&text) {
            bare if bare.len() < text.len() => read_bare(position, bare, dialect),
            _ => Err(ReadError::Unreadable),
        },
        read => read,
    }
}

/// A text without the number of the round before it and the marks behind it.
fn unadorned(text: &[char]) -> &[char] {
    let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let dots = text[digits..].iter().take_while(|c| matches!(c, '.' | '。' | '、' | '…')).count();
    let text = if digits > 0 && dots > 0 { &text[digits + dots..] } else { text };
    let marks = text.iter().rev().take_while(|c| matches!(c, '!' | '?' | '#' | '+')).count();
    &text[..text.len() - marks]
}

fn read_bare(position: &Position, text: &[char], dialect: Dialect) -> Result<Move, ReadError> {
    if let Some(m) = squares(text, dialect) {
        return match position.illegality(m) {
            None => Ok(m),
            Some(why) => Err(ReadError::Illegal(m, why)),
        };
    }
    let tokens = tokens(text).ok_or(ReadError::Unreadable)?;
    let descriptions = descriptions(&tokens);
    if descriptions.is_empty() {
        return Err(ReadError::Unreadable);
    }
    let fits = |m: &Move| descriptions.iter().any(|description| description.fits(position, *m));
    let legal: Vec<Move> = position.legal_moves().into_iter().filter(fits).collect();
    match legal[..] {
        [] => {}
        [m] => return Ok(m),
        _ => return the_one_written_so(position, &tokens, legal),
    }
    let suicides: Vec<Move> = position.movements().into_iter().filter(fits).collect();
    match suicides[..] {
        [] => Err(ReadError::NoSuchMove),
        [m] => Err(position.illegality(m).map_or(ReadError::NoSuchMove, |why| ReadError::Illegal(m, why))),
        _ => Err(ReadError::Ambiguous(suicides)),
    }
}

/// As [`read`], and if the text names no legal move but one that the piece can make although it is 自杀, that. For game
/// records, in which an illegal move is a fact like any other.
pub fn read_movement(position: &Position, text: &str) -> Result<Move, ReadError> {
    match read(position, text) {
        Err(ReadError::Illegal(m, why)) if why.is_suicide() => Ok(m),
        other => other,
    }
}

fn the_one_written_so(
    position: &Position,
    tokens: &[Token],
    candidates: Vec<Move>,
) -> Result<Move, ReadError> {
    let is_text = |text: &str| self::tokens(&text.chars().collect::<Vec<_>>()).is_some_and(|t| t == tokens);
    let mut exact = candidates.iter().copied().filter(|m| {
        is_text(&chinese::chinese(position, *m, Script::Simplified)) || is_text(&wxf::wxf(position, *m))
    });
    match (exact.next(), exact.next()) {
        (Some(m), None) => Ok(m),
        _ => Err(ReadError::Ambiguous(candidates)),
    }
}

/// A full-width form as the ASCII character that it stands for; others as they are.
fn narrowed(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => c,
    }
}

/// `h2e2`, `H2-E2`, `h10g8`.
fn squares(text: &[char], dialect: Dialect) -> Option<Move> {
    let text = String::from_iter(text);
    let (iccs, uci) = (|| coordinates::parse_iccs(&text), || coordinates::parse_uci(&text));
    match dialect {
        // What is no ICCS but is UCI has a rank 10, and the other way round a dash or a rank 0.
        Dialect::Iccs => iccs().or_else(uci),
        Dialect::Uci => uci().or_else(iccs),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A piece; `latin` tells `P3` from 兵三, which differ when three pawns share file 3.
    Role {
        role: Role,
        latin: bool,
    },
    Digit(u8),
    Front,
    Middle,
    Rear,
    /// 进, 退, 平, `=`.
    Go(Direction),
    /// `+`, which is a direction or a place.
    Plus,
    /// `-`, likewise.
    Minus,
}

fn tokens(text: &[char]) -> Option<Vec<Token>> {
    text.iter().map(|c| token(*c)).collect()
}

fn token(c: char) -> Option<Token> {
    let chinese = |role| Token::Role { role, latin: false };
    Some(match c {
        '1'..='9' => Token::Digit(c as u8 - b'0'),
        '一' | '壹' => Token::Digit(1),
        '二' | '贰' | '貳' => Token::Digit(2),
        '三' | '叁' | '參' => Token::Digit(3),
        '四' | '肆' => Token::Digit(4),
        '五' | '伍' => Token::Digit(5),
        '六' | '陆' | '陸' => Token::Digit(6),
        '七' | '柒' => Token::Digit(7),
        '八' | '捌' => Token::Digit(8),
        '九' | '玖' => Token::Digit(9),
        '帅' | '帥' | '将' | '將' => chinese(Role::King),
        '仕' | '士' => chinese(Role::Advisor),
        '相' | '象' => chinese(Role::Elephant),
        '马' | '馬' | '傌' => chinese(Role::Horse),
        '车' | '車' | '俥' => chinese(Role::Rook),
        '炮' | '砲' | '包' => chinese(Role::Cannon),
        '兵' | '卒' => chinese(Role::Pawn),
        '前' => Token::Front,
        '中' => Token::Middle,
        '后' | '後' => Token::Rear,
        '进' | '進' | '上' => Token::Go(Direction::Forward),
        '退' | '下' => Token::Go(Direction::Back),
        '平' | '=' | '.' | '·' | '。' => Token::Go(Direction::Across),
        '+' => Token::Plus,
        '-' => Token::Minus,
        // General.
        'G' | 'g' => Token::Role { role: Role::King, latin: true },
        _ => Token::Role { role: Role::from_letter(c)?, latin: true },
    })
}

/// Which of the pieces that share a file is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Front,
    Middle,
    Rear,
    /// 一兵 to 五兵: within the file, or across both files if two are doubled.
    Nth(u8),
    /// `P+`: the front one of two or three, the second of four or five.
    Plus,
    /// `P-`: the last of two or three, the last but one of four or five.
    Minus,
    /// `P3`: the middle one if three or five share file 3.
    Unsigned,
}

/// What a text says about a move; what it leaves out is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Description {
    role: Role,
    file: Option<u8>,
    place: Option<Place>,
    direction: Option<Direction>,
    number: Option<u8>,
}

/// Which piece a text speaks of.
type Head = (Role, Option<u8>, Option<Place>);

/// Everything that the tokens can mean.
fn descriptions(tokens: &[Token]) -> Vec<Description> {
    let (rest, number) = match tokens {
        [rest @ .., Token::Digit(number)] => (rest, Some(*number)),
        _ => (tokens, None),
    };
    let mut found = Vec::new();
    let mut add = |head: &[Token], direction| {
        found.extend(heads(head).into_iter().map(|(role, file, place)| Description {
            role,
            file,
            place,
            direction,
            number,
        }));
    };
    match rest {
        [head @ .., Token::Go(direction)] => add(head, Some(*direction)),
        [head @ .., sign @ (Token::Plus | Token::Minus)] => {
            add(head, Some(if *sign == Token::Plus { Direction::Forward } else { Direction::Back }));
            // `C+5` without a file can be a short 前炮5, too.
            if head.len() == 1 {
                add(rest, None);
            }
        }
        // A piece alone says too little to be a move: 炮五 is not 炮平五 cut short but a text torn off.
        [Token::Role { .. }] => {}
        _ => add(rest, None),
    }
    found
}

/// Which piece the head of a move can mean.
fn heads(tokens: &[Token]) -> Vec<Head> {
    use Token::{Digit, Minus, Plus, Role as Piece};
    let place = |token: &Token| match token {
        Token::Front => Some(Place::Front),
        Token::Middle => Some(Place::Middle),
        Token::Rear => Some(Place::Rear),
        Plus => Some(Place::Plus),
        Minus => Some(Place::Minus),
        _ => None,
    };
    let one = |head| Vec::from([head]);
    match *tokens {
        [Piece { role, .. }] => one((role, None, None)),
        [Piece { role: Role::Pawn, latin: true }, Digit(file)] => {
            one((Role::Pawn, Some(file), Some(Place::Unsigned)))
        }
        [Piece { role, .. }, Digit(file)] => one((role, Some(file), None)),
        [Digit(nth), Piece { role: Role::Pawn, .. }] => one((Role::Pawn, None, Some(Place::Nth(nth)))),
        [Plus, Plus] => one((Role::Pawn, None, Some(Place::Front))),
        [Minus, Minus] => one((Role::Pawn, None, Some(Place::Rear))),
        // `13`: the first pawn of file 3; `33` is also the middle pawn of file 3.
        [Digit(nth), Digit(file)] => {
            let mut heads = one((Role::Pawn, Some(file), Some(Place::Nth(nth))));
            if nth == file {
                heads.push((Role::Pawn, Some(file), Some(Place::Middle)));
            }
            heads
        }
        [ref a, Piece { role, .. }] | [Piece { role, .. }, ref a] => {
            place(a).map(|place| (role, None, Some(place))).into_iter().collect()
        }
        [ref a, Digit(file)] | [Digit(file), ref a] => {
            place(a).map(|place| (Role::Pawn, Some(file), Some(place))).into_iter().collect()
        }
        [ref a, Piece { role, .. }, Digit(file)]
        | [ref a, Digit(file), Piece { role, .. }]
        | [Piece { role, .. }, ref a, Digit(file)]
        | [Piece { role, .. }, Digit(file), ref a] => {
            place(a).map(|place| (role, Some(file), Some(place))).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

impl Description {
    fn fits(&self, position: &Position, m: Move) -> bool {
        let Some(piece) = position.piece_at(m.from) else { return false };
        let step = Step::of(piece, m);
        piece.role == self.role
            && self.file.is_none_or(|file| m.from.file().number_for(piece.color) == file)
            && self.direction.is_none_or(|direction| direction == step.direction)
            && self.number.is_none_or(|number| number == step.number)
            && self.place.is_none_or(|place| self.stands(place, position, piece, m))
    }

    fn stands(&self, place: Place, position: &Position, piece: Piece, m: Move) -> bool {
        let tandem = Tandem::of(position.board(), piece, m.from);
        if tandem.files == 0 {
            // Said without need, for there is nothing to tell it from.
            return !matches!(place, Place::Middle | Place::Nth(2..));
        }
        if tandem.size < 2 {
            return place == Place::Unsigned;
        }
        let (index, last) = (tandem.index, tandem.size - 1);
        let inner = usize::from(tandem.size > 3);
        match place {
            Place::Front => index == 0,
            Place::Rear => index == last,
            Place::Middle => last % 2 == 0 && index == last / 2,
            Place::Plus => index == inner,
            Place::Minus => index == last - inner,
            Place::Unsigned => last % 2 == 1 || index == last / 2,
            Place::Nth(nth) if tandem.files > 1 && self.file.is_none() => tandem.overall + 1 == nth as usize,
            Place::Nth(nth) => index + 1 == nth as usize,
        }
    }
}
