//! What readers say about a file besides its games.

use crate::{ReadError, Warning};

/// What is odd and what is lost, each at most so often.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    odd: Vec<Warning>,
    further: usize,
    lost: Vec<ReadError>,
}

/// More warnings than this are counted.
const MOST: usize = 1000;

impl Warnings {
    /// Something was read although it is not as it should be.
    pub(crate) fn push(&mut self, warning: Warning) {
        if self.odd.len() < MOST {
            self.odd.push(warning);
        } else {
            self.further += 1;
        }
    }

    /// A game could not be read.
    pub(crate) fn lose(&mut self, error: ReadError) {
        if self.lost.len() < MOST {
            self.lost.push(error);
        }
    }

    /// The warnings, the last of them about those that were left out; and the games that could not be read.
    pub(crate) fn into_lists(mut self) -> (Vec<Warning>, Vec<ReadError>) {
        if self.further > 0 {
            let what = format!("{} further warnings are left out", self.further);
            self.odd.push(Warning { place: crate::Place::File, what });
        }
        (self.odd, self.lost)
    }
}

impl Extend<Warning> for Warnings {
    fn extend<I: IntoIterator<Item = Warning>>(&mut self, warnings: I) {
        warnings.into_iter().for_each(|warning| self.push(warning));
    }
}
