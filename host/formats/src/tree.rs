//! The moves of a record: a main line with variations, comments and times.
//!
//! Nodes live in one array and point at each other by number, so that a tree of any depth can be built, walked, compared
//! and dropped without recursion.

use std::num::NonZeroU32;

use xiangqi::Move;

use crate::Text;

/// One half-move as the record gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ply {
    /// A piece goes from a square to a square; legal or not.
    Move(Move),
    /// The record says something here that names no two squares of the board. It is kept as it was written.
    Unread(Box<str>),
}

impl Ply {
    /// The squares, if the record names them.
    pub fn as_move(&self) -> Option<Move> {
        match self {
            Ply::Move(m) => Some(*m),
            Ply::Unread(_) => None,
        }
    }
}

/// The time that a record gives beside a ply, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Times {
    /// What the mover used for this ply (`%emt`).
    pub used_ms: Option<u64>,
    /// What the mover's clock showed after it (`%clk`).
    pub left_ms: Option<u64>,
}

impl Times {
    /// Whether the record gives no time here.
    pub fn is_empty(&self) -> bool {
        *self == Times::default()
    }
}

/// The number of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The node before the first ply.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    /// Its place in the order in which nodes were added; the root is 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    fn new(index: usize) -> NodeId {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        NodeId(number.expect("a record holds fewer than four thousand million plies"))
    }
}

/// A ply with what the record says about it. The root has no ply; its comment is the one before the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    ply: Option<Ply>,
    /// The comment on the position after the ply.
    pub comment: Option<Text>,
    /// Numeric annotation glyphs of PGN (1 `!`, 2 `?`, …), in the order of the record.
    pub glyphs: Vec<u8>,
    /// The time used and left.
    pub times: Times,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

impl Node {
    /// The ply; none at the root.
    pub fn ply(&self) -> Option<&Ply> {
        self.ply.as_ref()
    }

    /// The node before; none at the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The continuation that the record prefers.
    pub fn first_child(&self) -> Option<NodeId> {
        self.first_child
    }

    /// The next alternative to this ply.
    pub fn next_sibling(&self) -> Option<NodeId> {
        self.next_sibling
    }

    /// Adds a comment below what is already there.
    pub fn add_comment(&mut self, comment: Text) {
        self.comment = Some(match self.comment.take() {
            Some(above) => above.followed_by(&comment),
            None => comment,
        });
    }

    fn same_content(&self, other: &Node) -> bool {
        self.ply == other.ply
            && self.comment == other.comment
            && self.glyphs == other.glyphs
            && self.times == other.times
    }
}

/// All plies of a record. First children make the main line (主变); further children are variations (变着).
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Whether a ply found no room.
    is_over_full: bool,
}

impl Tree {
    /// As many plies have room. The largest record known has 215,980.
    pub const MOST_PLIES: usize = 1_000_000;

    /// No ply yet.
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::default()], is_over_full: false }
    }

    /// A main line alone.
    pub fn line(plies: impl IntoIterator<Item = Ply>) -> Tree {
        let mut tree = Tree::new();
        let mut last = NodeId::ROOT;
        for ply in plies {
            last = tree.add(last, ply);
        }
        tree
    }

    /// Adds a ply after `parent`, behind the alternatives that are already there. Beyond [`Tree::MOST_PLIES`] it is not
    /// added, the newest is given back instead, and [`Tree::is_over_full`] tells.
    pub fn add(&mut self, parent: NodeId, ply: Ply) -> NodeId {
        if self.len() >= Tree::MOST_PLIES {
            self.is_over_full = true;
            return self.newest();
        }
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node { ply: Some(ply), parent: Some(parent), ..Node::default() });
        match self.nodes[parent.index()].last_child.replace(id) {
            Some(elder) => self.nodes[elder.index()].next_sibling = Some(id),
            None => self.nodes[parent.index()].first_child = Some(id),
        }
        id
    }

    /// One node. Numbers come from this tree; those of another may panic.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// One node, to change what is said about it.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The node before the first ply.
    pub fn root(&self) -> &Node {
        self.node(NodeId::ROOT)
    }

    /// The plies, the root not counted.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether more plies were added than there is room for, so that the tree is not what the record holds.
    pub fn is_over_full(&self) -> bool {
        self.is_over_full
    }

    /// Says that the record holds more than the tree, for other reasons than the number of its plies.
    pub(crate) fn refuse(&mut self) {
        self.is_over_full = true;
    }

    /// Gives back the memory that was kept for further plies.
    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
    }

    /// Whether there is no ply.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node added as number `index`; see [`NodeId::index`].
    pub fn nth(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then(|| NodeId::new(index))
    }

    /// The node that was added last, the root if there is none.
    pub fn newest(&self) -> NodeId {
        NodeId::new(self.nodes.len() - 1)
    }

    /// The continuations of a node, preferred first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.siblings_from(self.node(id).first_child)
    }

    /// The other continuations beside a node that come after it.
    pub fn later_siblings(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.siblings_from(self.node(id).next_sibling)
    }

    fn siblings_from(&self, first: Option<NodeId>) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(first, |id| self.node(*id).next_sibling)
    }

    /// From a node's first child on, always the preferred continuation.
    pub fn line_after(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).first_child, |id| self.node(*id).first_child)
    }

    /// The main line.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line_after(NodeId::ROOT)
    }

    /// Every ply: each before its continuations, and all of those before its next alternative.
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder { tree: self, next: self.root().first_child }
    }

    /// Places with more than one continuation, the start included.
    pub fn branch_points(&self) -> usize {
        self.nodes.iter().filter(|node| node.first_child != node.last_child).count()
    }

    /// Nodes with a comment, the start included.
    pub fn comments(&self) -> usize {
        self.nodes.iter().filter(|node| node.comment.is_some()).count()
    }

    /// All nodes in the order in which they were added, the root first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The tree with its preferred continuations only.
    pub fn without_variations(&self) -> Tree {
        let mut tree = Tree::new();
        let copy = |from: &Node, to: &mut Node| {
            to.comment.clone_from(&from.comment);
            to.glyphs.clone_from(&from.glyphs);
            to.times = from.times;
        };
        copy(self.root(), tree.node_mut(NodeId::ROOT));
        let mut last = NodeId::ROOT;
        for id in self.main_line() {
            if let Some(ply) = self.node(id).ply() {
                last = tree.add(last, ply.clone());
                copy(self.node(id), tree.node_mut(last));
            }
        }
        tree
    }
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

/// Equal when the same plies, comments, glyphs and times stand in the same shape, however the trees were built.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        if self.len() != other.len() || !self.root().same_content(other.root()) {
            return false;
        }
        self.preorder().zip(other.preorder()).all(|(a, b)| {
            let (a, b) = (self.node(a), other.node(b));
            a.same_content(b)
                && a.first_child.is_some() == b.first_child.is_some()
                && a.next_sibling.is_some() == b.next_sibling.is_some()
        })
    }
}

impl Eq for Tree {}

/// See [`Tree::preorder`].
#[derive(Clone, Debug)]
pub struct Preorder<'a> {
    tree: &'a Tree,
    next: Option<NodeId>,
}

impl Iterator for Preorder<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        let mut at = id;
        self.next = self.tree.node(id).first_child;
        while self.next.is_none() && at != NodeId::ROOT {
            self.next = self.tree.node(at).next_sibling;
            at = self.tree.node(at).parent.unwrap_or(NodeId::ROOT);
        }
        Some(id)
    }
}
