//! The daemon of one board: it scans, lets the referee judge, writes the journal, and publishes what is on disk.
//!
//! [`run`] is the whole of it. It is handed a [`Disk`] and a [`Source`], so that the twin and the hardware run the same
//! code, and the recovery tests run it on a disk that fails.

mod alarms;
mod arbiters;
mod board_key;
mod button;
mod camera;
mod cut;
mod daemon;
mod disk;
mod display;
mod front;
mod journal;
mod link;
mod orders;
mod outbox;
mod panel;
mod queue;
mod reader;
#[cfg(feature = "rpi")]
pub mod rpi;
mod scan;
mod service;
mod source;
mod still;
mod table;
mod walk;
mod writer;

pub use alarms::Alarms;
pub use arbiters::{Arbiters, ArbitersError};
pub use board_key::board_key;
pub use button::{Buttons, Label};
pub use camera::CameraProgram;
pub use cut::Cut;
pub use daemon::{Config, RunError, boot_id, run};
pub use disk::{Disk, FileDisk};
pub use display::{Cells, Displays, POINT, right_aligned};
pub use front::{Front, FrontPanel, Lights, NoFront, Output};
pub use journal::{BATCH_BYTES, Found, FoundGame, Journal};
pub use link::Link;
pub use outbox::{Outbox, Publication, WINDOW};
pub use panel::{Half, Lamp, Panel};
pub use queue::{Queue, Taken};
pub use reader::Reader;
pub use scan::{Clock, ScanCount, ScannedBoard, usual_header};
pub use service::{Counted, Notifier, Service};
pub use source::{GoingOn, Sensing, Source};
pub use table::{Disagreement, Resumed, Table, moment_of, observation_of, record_of, resume};
pub use walk::{BadRecord, RecordFault, check_segment, segment_name, segment_seq, segments};
