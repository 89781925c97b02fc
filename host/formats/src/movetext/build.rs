//! Putting tokens on the board.

use xiangqi::{Color, Move, Piece, Position, Role, Setup, Square, notation};

use super::san;
use super::scan::Token;
use super::word::{NULL_MOVE, is_damaged_move, narrowed, squares};
use crate::{NodeId, Outcome, Ply, Standing, Text, Times, Tree};

/// A tree made of tokens.
#[derive(Debug)]
pub(crate) struct Built {
    /// The start, its side to move corrected by the first move.
    pub(crate) start: Setup,
    pub(crate) tree: Tree,
    /// The result that stands behind the moves.
    pub(crate) outcome: Option<Outcome>,
    /// What was odd, by line.
    pub(crate) oddities: Vec<(usize, String)>,
    /// Plies that are not legal where they stand.
    faults: usize,
    /// How many ambiguous words there were.
    choices: usize,
}

/// How words are meant where they can be meant in several ways.
#[derive(Clone, Copy, Debug)]
struct Convention {
    /// The number of Red's home row: 0 in ICCS and UCCI, 1 in UCI.
    lowest: u8,
    /// Whether squares by index are written in hexadecimal.
    hexadecimal: bool,
}

/// Makes a tree. Where squares can be meant in two ways, the one that makes more plies legal is taken.
pub(crate) fn build(start: Setup, tokens: &[(Token, usize)]) -> Built {
    let usual = Convention { lowest: 0, hexadecimal: false };
    let built = Builder::run(start, tokens, usual);
    if built.faults == 0 {
        return built;
    }
    if built.choices > 0 {
        return built;
    }
    let moves = || {
        tokens.iter().filter_map(|(token, _)| if let Token::Move(word) = token { Some(word) } else { None })
    };
    let by_index = moves().all(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_hexdigit()));
    let other = if by_index && numbers_are_parents(tokens) {
        Convention { hexadecimal: true, ..usual }
    } else if moves().any(|word| is_open_to_both(word)) {
        Convention { lowest: 1, ..usual }
    } else {
        return built;
    };
    let again = Builder::run(start, tokens, other);
    if again.faults < built.faults { again } else { built }
}

/// Whether ranks can be meant from 0 or from 1. With a hyphen it is ICCS, which counts from 0.
fn is_open_to_both(word: &str) -> bool {
    (squares(word).is_some() && !word.contains('-')) || san::is_san(word)
}

/// More ambiguous words of a game than this are not tried out.
const MOST_CHOICES: usize = 16;

/// As many plies behind an ambiguous word say which of its moves is meant.
const FORESIGHT: usize = 200;

/// A place in the tree where a ply can follow.
#[derive(Clone, Copy)]
struct Spot {
    node: NodeId,
    standing: Standing,
    /// The place before the last ply; none where a line has just begun.
    before: Option<(NodeId, Standing)>,
}

struct Builder<'a> {
    built: Built,
    convention: Convention,
    /// The tokens that are still to come.
    ahead: &'a [(Token, usize)],
    spot: Spot,
    /// Where the lines that are interrupted by a variation go on.
    stack: Vec<Spot>,
    /// Comments before the first ply of a variation.
    pending: Vec<String>,
    /// Comments on the ply of the spot that are not in the tree yet, so that many take no longer than their length.
    said: Vec<String>,
    /// Every place so far, where numbers name the ply that a move follows.
    places: Option<Vec<(NodeId, Setup)>>,
    number: usize,
    /// How many plies could not be read.
    unread: usize,
    /// How many words were no moves.
    junk: usize,
    /// The word between the ply before and the next, if one of them was no move.
    doubtful: Option<String>,
}

/// Variations within variations, at most; each remembers the board at which the line that it leaves goes on.
const MOST_NESTED: usize = 10_000;

/// More places than this are not kept; a file with so many would be none of this kind.
const MOST_PLACES: usize = 100_000;

/// In the output of one converter the number before a move is that of the ply which it follows, from 0 for the start.
fn numbers_are_parents(tokens: &[(Token, usize)]) -> bool {
    let first = tokens.iter().find(|(token, _)| matches!(token, Token::Number(_) | Token::Move(_)));
    matches!(first, Some((Token::Number(0), _)))
}

impl<'a> Builder<'a> {
    fn run(start: Setup, tokens: &'a [(Token, usize)], convention: Convention) -> Built {
        let spot = Spot { node: NodeId::ROOT, standing: Standing::new(start), before: None };
        let mut builder = Builder {
            built: Built {
                start,
                tree: Tree::new(),
                outcome: None,
                oddities: Vec::new(),
                faults: 0,
                choices: 0,
            },
            convention,
            ahead: tokens,
            spot,
            stack: Vec::new(),
            pending: Vec::new(),
            said: Vec::new(),
            places: numbers_are_parents(tokens).then(|| vec![(NodeId::ROOT, start)]),
            number: 0,
            unread: 0,
            junk: 0,
            doubtful: None,
        };
        while let Some(((token, line), ahead)) = builder.ahead.split_first() {
            builder.ahead = ahead;
            builder.take(token, *line);
        }
        builder.flush();
        builder.settle();
        if builder.unread > 1 {
            let line = tokens.last().map_or(0, |(_, line)| *line);
            builder.odd(line, format!("{} plies in all are kept as text", builder.unread));
        }
        if builder.junk > 1 {
            let line = tokens.last().map_or(0, |(_, line)| *line);
            builder.odd(line, format!("{} words in all are no moves and were skipped", builder.junk));
        }
        if !builder.stack.is_empty() {
            let line = tokens.last().map_or(0, |(_, line)| *line);
            builder.odd(line, "a variation is not closed".into());
        }
        builder.built
    }

    /// What is odd, at most so often in one game.
    fn odd(&mut self, line: usize, what: String) {
        const MOST_ODDITIES: usize = 100;
        if self.built.oddities.len() < MOST_ODDITIES {
            self.built.oddities.push((line, what));
        }
    }

    fn take(&mut self, token: &Token, line: usize) {
        match token {
            Token::Number(number) => self.number = *number,
            Token::Move(word) => self.ply(word, line),
            Token::Comment(comment) => self.comment(comment),
            Token::Glyph(number) => self.built.tree.node_mut(self.spot.node).glyphs.push(*number),
            Token::Open => {
                self.doubtful = None;
                self.settle();
                if self.stack.len() == MOST_NESTED {
                    self.built.tree.refuse();
                    return;
                }
                self.stack.push(self.spot);
                if let Some((node, standing)) = self.spot.before {
                    self.spot = Spot { node, standing, before: None };
                }
            }
            Token::Close => {
                self.doubtful = None;
                self.flush();
                self.settle();
                match self.stack.pop() {
                    Some(spot) => self.spot = spot,
                    None => self.odd(line, "a bracket closes that was not opened".into()),
                }
            }
            Token::Result(outcome) => self.built.outcome = Some(*outcome),
            Token::Unclosed => self.odd(line, "a comment is not closed; the file may be cut off".into()),
            Token::Tag(name, value) => self.odd(line, format!("[{name} \"{value}\"] among the moves")),
            Token::Junk(junk) if junk.chars().all(is_punctuation) => {}
            Token::Junk(junk) => self.junk(junk, line),
        }
    }

    /// The first word that says nothing is named, the others are counted.
    fn junk(&mut self, junk: &str, line: usize) {
        self.junk += 1;
        if self.junk == 1 {
            self.odd(line, skipped(junk));
        }
        self.doubtful = Some(junk.to_owned());
    }

    /// A word that was skipped is the other side's move, damaged, if what follows can only be played after it: without
    /// it all that follows would be moves of the wrong side.
    fn keep_damaged(&mut self, next: &str, line: usize) {
        let Some(word) = self.doubtful.take() else { return };
        let setup = *self.spot.standing.setup();
        let fits = |turn| {
            let standing = Standing::new(Setup { turn, ..setup });
            let m = resolve(&standing, next, &self.convention);
            m.is_ok_and(|m| standing.fault(&Ply::Move(m)).is_none())
        };
        let (before, after) = (fits(setup.turn), fits(!setup.turn));
        let looks_so = is_damaged_move(&word.chars().map(narrowed).collect::<String>());
        let is_ply =
            if looks_so { after || !before } else { after && !before && !self.built.tree.is_empty() };
        if is_ply {
            self.junk -= 1;
            self.built.oddities.pop_if(|(_, what)| *what == skipped(&word));
            self.odd(line, format!("{} stands where {} moves; kept as text", shortened(&word), setup.turn));
            self.unread += 1;
            self.add(Ply::Unread(shortened(&word).into()));
        }
    }

    /// Comments before a variation's first ply belong to what stands there, when no ply came.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.said.extend(pending);
    }

    /// Puts what was said about the ply of the spot beside it.
    fn settle(&mut self) {
        if !self.said.is_empty() {
            let comment = Text::new(self.said.join("\n")).with_unix_lines();
            self.built.tree.node_mut(self.spot.node).add_comment(comment);
            self.said.clear();
        }
    }

    fn comment(&mut self, comment: &str) {
        let (comment, times) = clock_readings(comment);
        let node = self.built.tree.node_mut(self.spot.node);
        node.times.used_ms = times.used_ms.or(node.times.used_ms);
        node.times.left_ms = times.left_ms.or(node.times.left_ms);
        if comment.is_empty() {
            return;
        }
        if self.spot.before.is_none() && !self.stack.is_empty() {
            self.pending.push(comment);
        } else {
            self.said.push(comment);
        }
    }

    fn ply(&mut self, word: &str, line: usize) {
        self.settle();
        if let Some((node, setup)) = self.places.as_ref().and_then(|places| places.get(self.number)) {
            self.spot = Spot { node: *node, standing: Standing::new(*setup), before: None };
        }
        self.keep_damaged(word, line);
        if self.built.tree.is_empty() {
            self.spot.standing = self.with_the_right_turn(word);
        }
        let standing = self.spot.standing;
        let mut found = resolve(&standing, word, &self.convention);
        if let Err(candidates) = &found
            && candidates.len() > 1
        {
            self.built.choices += 1;
            if let Some(m) = self.meant(&standing, candidates) {
                self.odd(
                    line,
                    format!("{word} can be several moves; taken for {m}, after which most is legal"),
                );
                found = Ok(m);
            }
        }
        let ply = match found {
            Ok(m) => Ply::Move(m),
            Err(_) => {
                self.unread += 1;
                if self.unread == 1 {
                    let side = standing.setup().turn;
                    self.odd(line, format!("{word} is no move of {side} here; kept as text"));
                }
                Ply::Unread(word.into())
            }
        };
        self.add(ply);
    }

    /// Puts a ply on the board.
    fn add(&mut self, ply: Ply) {
        let Spot { node, standing, .. } = self.spot;
        self.built.faults += usize::from(standing.fault(&ply).is_some());
        let after = standing.after(&ply);
        let id = self.built.tree.add(node, ply);
        self.spot = Spot { node: id, standing: after, before: Some((node, standing)) };
        if let Some(places) = self.places.as_mut().filter(|places| places.len() < MOST_PLACES) {
            places.push((id, *after.setup()));
        }
        self.flush();
    }

    /// Of several moves the one after which most of what follows on the line is legal; none if that is not one alone.
    fn meant(&self, standing: &Standing, candidates: &[Move]) -> Option<Move> {
        if self.built.choices > MOST_CHOICES {
            return None;
        }
        let faults = |m: &Move| self.faults_ahead(standing.after(&Ply::Move(*m)));
        let mut counted: Vec<(usize, Move)> = candidates.iter().map(|m| (faults(m), *m)).collect();
        counted.sort_by_key(|(faults, _)| *faults);
        match counted[..] {
            [(fewest, m), (next, _), ..] if fewest < next => Some(m),
            _ => None,
        }
    }

    /// How many plies of the line that goes on here are not legal, as far as is looked ahead.
    fn faults_ahead(&self, mut standing: Standing) -> usize {
        let (mut faults, mut plies, mut depth) = (0, 0, 0usize);
        for (token, _) in self.ahead.iter().take(FORESIGHT * 8) {
            match token {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => break,
                Token::Close => depth -= 1,
                Token::Move(word) if depth == 0 => {
                    let ply = resolve(&standing, word, &self.convention)
                        .map_or_else(|_| Ply::Unread(word.as_str().into()), Ply::Move);
                    faults += usize::from(standing.fault(&ply).is_some());
                    standing = standing.after(&ply);
                    plies += 1;
                }
                _ => {}
            }
            if plies == FORESIGHT {
                break;
            }
        }
        faults
    }

    /// The start, with the side to move that can make the first move.
    fn with_the_right_turn(&mut self, word: &str) -> Standing {
        let start = self.built.start;
        let standing = Standing::new(start);
        let fits = |standing: &Standing| {
            let m = resolve(standing, word, &self.convention);
            m.is_ok_and(|m| standing.fault(&Ply::Move(m)).is_none())
        };
        let turned = Standing::new(Setup { turn: !start.turn, ..start });
        if fits(&standing) || !fits(&turned) {
            return standing;
        }
        self.built.start = *turned.setup();
        if let Some(places) = &mut self.places {
            places[0].1 = *turned.setup();
        }
        turned
    }
}

/// Marks between moves that say nothing.
fn is_punctuation(c: char) -> bool {
    ".…-=+#,;:'\"、，。；：".contains(c)
}

fn skipped(word: &str) -> String {
    format!("{} is no move; skipped", shortened(word))
}

fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let text = text.trim();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// The move that a word names, or the moves that it can name.
fn resolve(standing: &Standing, word: &str, convention: &Convention) -> Result<Move, Vec<Move>> {
    let Convention { lowest, hexadecimal, .. } = *convention;
    if let Some([from, to]) = squares(word) {
        let lowest = if word.contains('-') { 0 } else { lowest };
        let square = |(file, rank): (u8, u8)| san::square(file, rank.checked_sub(lowest)?);
        let both = square(from).zip(square(to));
        return both.map(|(from, to)| Move::new(from, to)).ok_or_else(Vec::new);
    }
    if word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) && !san::is_san(word) {
        return by_index(word, hexadecimal).ok_or_else(Vec::new);
    }
    if word == NULL_MOVE {
        return Err(Vec::new());
    }
    let position = standing.position().copied().or_else(|| with_kings(standing.setup()));
    let position = &position.ok_or_else(Vec::new)?;
    if san::is_san(word) {
        return san::read(position, word, lowest).ok_or_else(Vec::new);
    }
    match notation::read(position, word) {
        Ok(m) | Err(notation::ReadError::Illegal(m, _)) => Ok(m),
        Err(notation::ReadError::Ambiguous(moves)) => Err(moves),
        Err(_) => Err(Vec::new()),
    }
}

/// Records come with boards that lack a king. To read their moves, one is put where it is least in the way.
fn with_kings(setup: &Setup) -> Option<Position> {
    let mut setup = *setup;
    for color in Color::ALL {
        if setup.board.king_of(color).is_none() {
            let free =
                |square: &Square| square.in_palace_of(color) && setup.board.piece_at(*square).is_none();
            // From the home row on: the corner of the palace before its middle.
            let squares: Vec<Square> = Square::all().filter(free).collect();
            let corner = if color == Color::Red { squares.first() } else { squares.last() };
            setup.board.put(*corner?, Piece { color, role: Role::King });
        }
    }
    Position::standing(setup).ok()
}

/// Rank, file, rank, file; the whole written in hexadecimal by one program.
fn by_index(word: &str, hexadecimal: bool) -> Option<Move> {
    let number = u32::from_str_radix(word, if hexadecimal { 16 } else { 10 }).ok()?;
    let digit = |place: u32| u8::try_from(number / place % 10).ok();
    let from = san::square(digit(100)?, digit(1000)?)?;
    Some(Move::new(from, san::square(digit(1)?, digit(10)?)?))
}

/// Takes `[%clk 0:09:58]` and `[%emt 0:00:02]` out of a comment.
fn clock_readings(comment: &str) -> (String, Times) {
    let mut times = Times::default();
    let mut kept = String::new();
    let mut rest = comment;
    while let Some(at) = rest.find("[%") {
        let Some(end) = rest[at..].find(']').map(|end| at + end) else { break };
        let (name, value) = rest[at + 2..end].split_once(char::is_whitespace).unwrap_or(("", ""));
        kept.push_str(&rest[..at]);
        match (name, milliseconds(value.trim())) {
            ("clk", Some(ms)) => times.left_ms = Some(ms),
            ("emt", Some(ms)) => times.used_ms = Some(ms),
            _ => kept.push_str(&rest[at..=end]),
        }
        rest = &rest[end + 1..];
    }
    kept.push_str(rest);
    (kept.trim().to_owned(), times)
}

/// `1:02:03.5` or `62:03`.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds: u64 = 0;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    seconds.checked_mul(1000)?.checked_add(digits.parse().ok()?)
}
