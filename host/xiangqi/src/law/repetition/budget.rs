//! A bound on work, counted in positions, so that every answer comes in time and is the same everywhere.

/// How many positions a search may still look at.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u32,
    cut: bool,
}

impl Budget {
    /// A budget of so many positions.
    pub const fn of(positions: u32) -> Budget {
        Budget { left: positions, cut: false }
    }

    /// Takes one position; false when none is left.
    pub fn spend(&mut self) -> bool {
        if self.left == 0 {
            self.cut = true;
            return false;
        }
        self.left -= 1;
        true
    }

    /// Whether the search had to stop.
    pub const fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Whether any line was given up.
    pub const fn was_cut(&self) -> bool {
        self.cut
    }
}
