//! What a side does over a whole cycle (articles 28.10–28.15).

use super::label::Label;

/// What a side did at every move of the cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Class {
    /// How many checks.
    pub checks: u32,
    /// How many threats of mate.
    pub kills: u32,
    /// How many chases.
    pub chases: u32,
    /// How many of the chases were joint ones, or of pieces with too few roots.
    pub joint: u32,
    /// How grave the federation holds the chase of one and the same piece (0 for none); other rules leave it 0.
    pub gravity: u32,
    /// How many moves of the other kinds.
    pub idle: u32,
    /// The kind of the idle moves, if they were all of one.
    pub idle_kind: Option<Label>,
}

impl Class {
    /// Adds a move.
    pub fn add(&mut self, label: Label, joint: bool) {
        match label {
            Label::Check => self.checks += 1,
            Label::Kill => self.kills += 1,
            Label::Chase => {
                self.chases += 1;
                self.joint += u32::from(joint);
            }
            idle => {
                self.idle_kind = (self.idle == 0 || self.idle_kind == Some(idle)).then_some(idle);
                self.idle += 1;
            }
        }
    }

    /// 禁止着法: an attack at every move (25.2).
    pub const fn is_forbidden(self) -> bool {
        //= 25.2
        //= 28.4
        //= 28.14
        //= 28.15
        self.idle == 0 && self.checks + self.kills + self.chases > 0
    }

    /// 长将: check at every move.
    pub const fn is_perpetual_check(self) -> bool {
        self.checks > 0 && self.kills + self.chases + self.idle == 0
    }

    /// The Chinese term.
    pub const fn term(self) -> &'static str {
        //= 28.10
        //= 28.11
        //= 28.12
        let kinds = (self.checks > 0, self.kills > 0, self.chases > 0);
        if self.idle > 0 {
            return self.idle_term(kinds);
        }
        match kinds {
            (true, false, false) => "长将",
            (false, true, false) => "长杀",
            (false, false, true) => "长捉",
            (true, true, false) => "一将一杀",
            (true, false, true) => "一将一捉",
            (false, true, true) => "一杀一捉",
            (true, true, true) => "将杀捉",
            (false, false, false) => "无",
        }
    }

    const fn idle_term(self, kinds: (bool, bool, bool)) -> &'static str {
        //= 28.9
        //= 28.13
        let several = self.checks + self.kills + self.chases > 1;
        match kinds {
            (false, false, false) => match self.idle_kind {
                Some(Label::Exchange) => "长兑",
                Some(Label::Offer) => "长献",
                Some(Label::Block) => "长拦",
                Some(Label::Follow) => "长跟",
                _ => "闲",
            },
            (true, false, false) if several => "数将一闲",
            (true, false, false) => "一将一闲",
            (false, true, false) if several => "数杀一闲",
            (false, true, false) => "一杀一闲",
            (false, false, true) if several => "数捉一闲",
            (false, false, true) => "一捉一闲",
            _ => "数打一闲",
        }
    }

    /// What it is in English.
    pub const fn english(self) -> &'static str {
        if self.is_perpetual_check() {
            "perpetual check"
        } else if self.is_forbidden() {
            match (self.checks > 0, self.kills > 0, self.chases > 0) {
                (false, true, false) => "a threat of mate at every move",
                (false, false, true) => "a chase at every move",
                _ => "an attack at every move",
            }
        } else if self.checks + self.kills + self.chases > 0 {
            "attacks with an idle move among them"
        } else {
            "idle moves"
        }
    }
}
