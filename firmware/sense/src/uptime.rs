//! Time as the board counts it.

use core::fmt;

/// Microseconds of monotonic time since an origin that the holder knows: the start of the board, or of a trace.
///
/// It is a plain number because it is written to journals and traces and handed to code that must not read a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uptime(u64);

impl Uptime {
    /// The origin.
    pub const ZERO: Uptime = Uptime(0);

    /// That many microseconds after the origin.
    pub const fn from_us(us: u64) -> Uptime {
        Uptime(us)
    }

    /// That many milliseconds after the origin.
    pub const fn from_ms(ms: u64) -> Uptime {
        Uptime(ms.saturating_mul(1000))
    }

    /// Microseconds since the origin.
    pub const fn as_us(self) -> u64 {
        self.0
    }

    /// Whole milliseconds since the origin.
    pub const fn as_ms(self) -> u64 {
        self.0 / 1000
    }

    /// So many microseconds later; the end of time if there is no such moment.
    pub const fn plus_us(self, us: u64) -> Uptime {
        Uptime(self.0.saturating_add(us))
    }

    /// Microseconds from `earlier` to this moment; 0 if `earlier` is later.
    pub const fn us_since(self, earlier: Uptime) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Uptime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06} s", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}
