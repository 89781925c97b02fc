//! The sensor trace: a file that holds what a board sensed, before any interpretation.
//!
//! NDJSON, UTF-8, one object a line in time order: a [`Header`], then [`Observation`]s with `us`, microseconds of
//! monotonic time since the start of the trace. A name that ends in `.gz` is gzip. The board records one for every
//! game, the twin writes them, `luozi replay` reads them, and disputes are settled from them.

mod canonical;
mod observation;
mod read;
mod write;

pub use observation::{Button, Header, LATEST, Observation, Sensed};
pub use read::{Reader, TraceError, TraceFault};
pub use write::Writer;
