//! The daemon of one board: it scans, lets the referee judge, writes the journal, and publishes what is on disk.

mod disk;
mod journal;
mod outbox;
mod reader;
mod walk;

pub use disk::{Disk, FileDisk};
pub use journal::{BATCH_BYTES, Cut, Found, FoundGame, Journal, JournalError};
pub use outbox::{Outbox, Publication, WINDOW};
pub use reader::Reader;
pub use walk::{BadRecord, RecordFault, check_segment, segment_name, segment_seq, segments};
