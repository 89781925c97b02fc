//! From what a move was read.

/// From what a move was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    /// The piece left its point and stood on another.
    Stood,
    /// The captured piece was seen to go and another to stand in its place.
    Replaced,
    /// The same, and its reed opened for a moment only.
    Pushed,
    /// The captured piece's reed never opened.
    Unseen,
    /// The piece is believed to stand where no reed notices it.
    Silent,
    /// A reed that is known or believed to be stuck had a part in it.
    Stuck,
    /// The piece that was moved last stands where it came from, or has gone from there.
    TakenBack,
}

impl Basis {
    /// Whether nothing was seen to arrive.
    pub(crate) const fn is_guess(self) -> bool {
        matches!(self, Basis::Unseen | Basis::Silent | Basis::Stuck)
    }

    /// Whether the piece was seen to arrive.
    pub(crate) const fn is_seen(self) -> bool {
        matches!(self, Basis::Stood | Basis::Replaced | Basis::Pushed)
    }

    /// Whether the piece was seen to arrive, and what it captured to go.
    pub(crate) const fn is_plain(self) -> bool {
        matches!(self, Basis::Stood | Basis::Replaced | Basis::TakenBack)
    }
}
