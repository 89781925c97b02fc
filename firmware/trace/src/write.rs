//! Writing a trace.

use std::io::{self, Write};

use sense::Frame;

use crate::observation::Line;
use crate::{Header, Observation, Sensed};

/// Writes a header and then observations. Readings that equal the last one are left out.
pub struct Writer<W: Write> {
    out: W,
    last: Option<Frame>,
}

impl<W: Write> Writer<W> {
    /// Starts a trace.
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        serde_json::to_writer(&mut out, header)?;
        out.write_all(b"\n")?;
        Ok(Writer { out, last: None })
    }

    /// Adds an observation. The caller keeps the time order.
    pub fn write(&mut self, observation: &Observation) -> io::Result<()> {
        if let Sensed::Closed(frame) = observation.sensed {
            if self.last == Some(frame) {
                return Ok(());
            }
            self.last = Some(frame);
        }
        serde_json::to_writer(&mut self.out, &Line::from(observation))?;
        self.out.write_all(b"\n")
    }

    /// Flushes and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}
