//! Seeded chance that is the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of dice. Forks have streams of their own, so that one part of the twin can throw more often without
/// changing what another part sees.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    seed: u64,
    rng: ChaCha8Rng,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice { seed, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The stream of that number under the same seed, whatever has been thrown so far.
    pub(crate) fn fork(&self, stream: u64) -> Dice {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(stream);
        Dice { seed: self.seed, rng }
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        debug_assert!(low <= high);
        let span = (high - low) as u64 + 1;
        // The bias of multiply-and-shift is below 2^-40 for the spans that occur here.
        low + ((u128::from(self.rng.next_u64()) * u128::from(span)) >> 64) as i64
    }

    /// A number of the span, both ends included.
    pub(crate) fn within(&mut self, span: Span) -> i64 {
        self.between(span.low, span.high)
    }

    /// True so many times out of a thousand.
    pub(crate) fn permille(&mut self, chance: u32) -> bool {
        self.between(0, 999) < i64::from(chance)
    }

    /// One of the choices, each as likely as its weight says.
    pub(crate) fn weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total: i64 = choices.iter().map(|(weight, _)| i64::from(*weight)).sum();
        let mut left = self.between(0, total.max(1) - 1);
        for (weight, choice) in choices {
            left -= i64::from(*weight);
            if left < 0 {
                return *choice;
            }
        }
        choices[choices.len() - 1].1
    }

    /// A number that is small more often than large: the least of two throws.
    pub(crate) fn rather_low(&mut self, span: Span) -> i64 {
        self.within(span).min(self.within(span))
    }
}

/// From `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// Shorthand for tables of spans.
pub(crate) const fn span(low: i64, high: i64) -> Span {
    Span { low, high }
}
