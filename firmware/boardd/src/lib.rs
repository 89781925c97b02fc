//! The daemon of one board: it scans, lets the referee judge, writes the journal, and publishes what is on disk.
//!
//! [`run`] is the whole of it. It is handed a [`Disk`] and a [`Source`], so that the twin and the hardware run the same
//! code, and the recovery tests run it on a disk that fails.

mod daemon;
mod disk;
mod journal;
mod link;
mod outbox;
mod queue;
mod reader;
mod source;
mod table;
mod walk;

pub use daemon::{Config, RunError, boot_id, run};
pub use disk::{Disk, FileDisk};
pub use journal::{BATCH_BYTES, Cut, Found, FoundGame, Journal, JournalError};
pub use link::{BrokerAddress, Link, probe};
pub use outbox::{Outbox, Publication, WINDOW};
pub use queue::{Queue, Taken};
pub use reader::Reader;
pub use source::{GoingOn, Sensing, Source};
pub use table::{Disagreement, Resumed, Table, moment_of, observation_of, record_of, resume};
pub use walk::{BadRecord, RecordFault, check_segment, segment_name, segment_seq, segments};
