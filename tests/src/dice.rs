//! Seeded randomness: the same seed throws the same numbers on every machine.

/// A source of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// From a seed.
    pub fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// The next 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.roll() % end as u64) as usize }
    }

    /// True once in so many throws.
    pub fn once_in(&mut self, throws: usize) -> bool {
        self.below(throws) == 0
    }
}
