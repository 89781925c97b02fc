//! Playing a record through: which plies are illegal, and what stands on the board.

use xiangqi::{Color, Illegality, Move, Position, Role, Setup};

use crate::{Game, NodeId, Ply};

/// The board along a line of a record. It goes on after illegal plies, because records do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    setup: Setup,
    /// None when the setup is no position that the laws can judge: a king is missing, or there are too many pieces.
    position: Option<Position>,
}

/// What is wrong with a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The laws forbid it.
    Illegal(Illegality),
    /// It names no two squares.
    Unread,
    /// The board is one that the laws say nothing about.
    Unjudged,
}

impl Fault {
    /// The word that records use.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Illegal(why) => why.name(),
            Fault::Unread => "unread",
            Fault::Unjudged => "unjudged",
        }
    }
}

impl Standing {
    /// The start of a line.
    pub fn new(setup: Setup) -> Standing {
        Standing { setup, position: Position::standing(setup).ok() }
    }

    /// What stands where, and whose turn it is.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The same as a position, where the laws can judge it.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// What is wrong with a ply here.
    pub fn fault(&self, ply: &Ply) -> Option<Fault> {
        let Ply::Move(m) = ply else { return Some(Fault::Unread) };
        match &self.position {
            Some(position) => position.illegality(*m).map(Fault::Illegal),
            None => Some(Fault::Unjudged),
        }
    }

    /// The board after a ply, legal or not. A ply that names no squares gives the turn away. When the piece that moves
    /// belongs to the side that is not to move, the turn goes by the piece: records skip moves.
    pub fn after(&self, ply: &Ply) -> Standing {
        match ply {
            Ply::Move(m) => self.after_move(*m),
            Ply::Unread(_) => Standing::new(passed(self.setup)),
        }
    }

    /// What stands where, with the turn of the side that makes the ply. It is not the side to move where the record
    /// skips a ply; the round is then that in which this side moves next.
    pub fn facing(&self, ply: &Ply) -> Setup {
        let mover = ply.as_move().and_then(|m| self.setup.board.color_at(m.from));
        match mover {
            Some(mover) if mover != self.setup.turn => passed(self.setup),
            _ => self.setup,
        }
    }

    fn after_move(&self, m: Move) -> Standing {
        if let Some(position) = &self.position
            && position.is_legal(m)
            // Taking a king is a legal capture, but there is nothing to judge after it.
            && position.captured_by(m).is_none_or(|piece| piece.role != Role::King)
        {
            let position = position.play_unchecked(m);
            return Standing { setup: *position.setup(), position: Some(position) };
        }
        let mut setup = self.facing(&Ply::Move(m));
        let captured = setup.board.relocate(m.from, m.to);
        setup.quiet_plies = if captured.is_some() { 0 } else { setup.quiet_plies.saturating_add(1) };
        Standing::new(passed(setup))
    }
}

/// The other side's turn.
fn passed(setup: Setup) -> Setup {
    let next = u32::from(setup.turn == Color::Black);
    Setup { turn: !setup.turn, round: setup.round.saturating_add(next), ..setup }
}

/// What a walk over all plies found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Plies that are not legal where they stand, in preorder. Only the first on each line is judged by the laws; what
    /// follows it is judged from the board that it left.
    pub faults: Vec<(NodeId, Fault)>,
    /// Plies that only legal plies lead to, themselves legal.
    pub legal_nodes: usize,
    /// Plies that are the first fault of their line.
    pub first_faults: usize,
    /// Legal plies of the main line before its first fault.
    pub legal_plies: usize,
}

/// Visits every ply in preorder with the board before it.
pub fn walk(game: &Game, mut visit: impl FnMut(NodeId, &Ply, &Standing)) {
    let tree = &game.tree;
    // One board for each place from which the walk still has to go on.
    let mut line: Vec<(NodeId, Standing)> = vec![(NodeId::ROOT, Standing::new(game.start))];
    for id in tree.preorder() {
        let parent = tree.node(id).parent().unwrap_or(NodeId::ROOT);
        while line.last().is_some_and(|(last, _)| *last != parent) {
            line.pop();
        }
        let (Some((_, before)), Some(ply)) = (line.last(), tree.node(id).ply()) else { continue };
        visit(id, ply, before);
        let after = tree.node(id).first_child().map(|_| before.after(ply));
        // The board before the last alternative is needed no more; a long line keeps one, not one for each ply.
        if tree.node(id).next_sibling().is_none() {
            line.pop();
        }
        line.extend(after.map(|after| (id, after)));
    }
}

/// Judges every ply of a game.
pub fn audit(game: &Game) -> Audit {
    let mut audit = Audit::default();
    // Whether the plies up to each node are all legal.
    let mut clean = vec![false; game.tree.len() + 1];
    clean[0] = true;
    walk(game, |id, ply, before| {
        let fault = before.fault(ply);
        audit.faults.extend(fault.map(|fault| (id, fault)));
        let parent = game.tree.node(id).parent().unwrap_or(NodeId::ROOT);
        clean[id.index()] = clean[parent.index()] && fault.is_none();
        audit.legal_nodes += usize::from(clean[id.index()]);
        audit.first_faults += usize::from(clean[parent.index()] && fault.is_some());
    });
    audit.legal_plies = game.tree.main_line().take_while(|id| clean[id.index()]).count();
    audit
}
