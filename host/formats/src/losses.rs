//! Collecting what a writer could not write.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::tree::Node;
use crate::{Game, Loss, NodeId, Ply, Tag, Text, Tree};

/// The losses of one game, each kind once.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    list: Vec<Loss>,
    variations: usize,
    times: usize,
    glyphs: usize,
    comment_characters: usize,
    spaces: usize,
}

impl Losses {
    /// Everything, in the order in which it was met; counts come last.
    pub(crate) fn into_list(mut self) -> Vec<Loss> {
        let counts = [
            (self.variations, Loss::Variations as fn(usize) -> Loss),
            (self.times, Loss::Times),
            (self.glyphs, Loss::Glyphs),
        ];
        self.list.extend(counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, loss)| loss(count)));
        if self.spaces > 0 {
            self.list.push(Loss::Space(self.spaces));
        }
        if self.comment_characters > 0 {
            self.list.push(Loss::Characters { tag: None, count: self.comment_characters });
        }
        self.list
    }

    pub(crate) fn add(&mut self, loss: Loss) {
        self.list.push(loss);
    }

    pub(crate) fn counters(&mut self) {
        self.add(Loss::Counters);
    }

    pub(crate) fn field(&mut self, tag: &Tag) {
        self.add(Loss::Field(tag.clone()));
    }

    /// Counts the times and glyphs beside a ply, for formats that have neither.
    pub(crate) fn beside(&mut self, node: &Node) {
        self.times += usize::from(!node.times.is_empty());
        self.glyphs += usize::from(!node.glyphs.is_empty());
    }

    /// Text in an encoding; what the encoding lacks is a loss.
    pub(crate) fn encode(&mut self, text: &Text, tag: Option<&Tag>, encoding: &'static Encoding) -> Vec<u8> {
        let (bytes, lacks) = text.encode(encoding);
        self.characters(tag, lacks);
        bytes
    }

    /// A comment in an encoding, with the line ends of Windows and without zeros, which end texts there.
    pub(crate) fn encode_for_windows(&mut self, comment: &Text, encoding: &'static Encoding) -> Vec<u8> {
        if comment.raw().is_some() {
            return self.encode(comment, None, encoding);
        }
        self.characters(None, comment.as_str().matches(['\r', '\0']).count());
        let text = comment.as_str().replace(['\r', '\0'], " ").replace('\n', "\r\n");
        self.encode(&Text::new(text), None, encoding)
    }

    /// A comment without the space around it.
    pub(crate) fn trimmed<'a>(&mut self, comment: &'a str) -> &'a str {
        let trimmed = comment.trim();
        self.spaces += usize::from(trimmed.len() != comment.len());
        trimmed
    }

    /// Counts characters of a field, or of a comment, that could not be written as they are.
    pub(crate) fn characters(&mut self, tag: Option<&Tag>, count: usize) {
        match tag {
            _ if count == 0 => {}
            None => self.comment_characters += count,
            Some(tag) => self.add(Loss::Characters { tag: Some(tag.clone()), count }),
        }
    }

    /// The main line alone, for formats without variations.
    pub(crate) fn main_line<'a>(&mut self, game: &'a Game) -> Cow<'a, Game> {
        let variations = game.tree.nodes().iter().filter(|node| node.next_sibling().is_some()).count();
        if variations == 0 {
            return Cow::Borrowed(game);
        }
        self.variations += variations;
        Cow::Owned(Game { tree: game.tree.without_variations(), ..game.clone() })
    }

    /// The game without plies that name no squares, for formats that hold squares only. Each line stops before one.
    pub(crate) fn playable<'a>(&mut self, game: &'a Game) -> Cow<'a, Game> {
        self.keeping(game, |_| false)
    }

    /// The same, but keeps plies without squares whose text the format can hold.
    pub(crate) fn keeping<'a>(&mut self, game: &'a Game, holds: impl Fn(&str) -> bool) -> Cow<'a, Game> {
        let tree = &game.tree;
        let fits = |ply: &Ply| match ply {
            Ply::Move(_) => true,
            Ply::Unread(text) => holds(text),
        };
        if tree.nodes().iter().all(|node| node.ply().is_none_or(fits)) {
            return Cow::Borrowed(game);
        }
        let mut kept = Tree::new();
        kept.node_mut(NodeId::ROOT).comment.clone_from(&tree.root().comment);
        // Where each node went: the kept copy and its depth, or the loss that it belongs to.
        let mut place: Vec<Result<(NodeId, usize), usize>> = vec![Ok((NodeId::ROOT, 0)); tree.nodes().len()];
        let mut stops: Vec<Loss> = Vec::new();
        for id in tree.preorder() {
            let node = tree.node(id);
            let above = place[node.parent().unwrap_or(NodeId::ROOT).index()];
            place[id.index()] = match (above, node.ply()) {
                (Ok((parent, depth)), Some(ply)) if fits(ply) => {
                    let copy = kept.add(parent, ply.clone());
                    kept.node_mut(copy).comment.clone_from(&node.comment);
                    kept.node_mut(copy).glyphs.clone_from(&node.glyphs);
                    kept.node_mut(copy).times = node.times;
                    Ok((copy, depth + 1))
                }
                (Ok((_, depth)), ply) => {
                    let text = match ply {
                        Some(Ply::Unread(text)) => text.to_string(),
                        _ => String::new(),
                    };
                    stops.push(Loss::StopsBefore { ply: depth + 1, text, dropped: 1 });
                    Err(stops.len() - 1)
                }
                (Err(stop), _) => {
                    if let Some(Loss::StopsBefore { dropped, .. }) = stops.get_mut(stop) {
                        *dropped += 1;
                    }
                    Err(stop)
                }
            };
        }
        self.list.extend(stops);
        Cow::Owned(Game { tree: kept, ..game.clone() })
    }
}

/// Text of a header field that has room for `room` bytes, cut between characters.
pub(crate) fn fit(
    text: &Text,
    tag: &Tag,
    encoding: &'static Encoding,
    room: usize,
    losses: &mut Losses,
) -> Vec<u8> {
    let zeros = text.as_str().matches('\0').count();
    let blank = usize::from(text.as_str().trim().is_empty());
    losses.characters(Some(tag), zeros + blank);
    let text = match zeros {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(Text::new(text.as_str().replace('\0', " "))),
    };
    let bytes = losses.encode(&text, Some(tag), encoding);
    if bytes.len() <= room {
        return bytes;
    }
    let mut kept = Vec::new();
    for c in text.as_str().chars() {
        let (one, _) = Text::new(c.to_string()).encode(encoding);
        if kept.len() + one.len() > room {
            break;
        }
        kept.extend(one);
    }
    losses.add(Loss::Cut { tag: Some(tag.clone()), bytes: kept.len() });
    kept
}
