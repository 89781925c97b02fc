//! What is wrong with the board now, as its threads find it and its status says it.

use std::mem::discriminant;

use referee::relay::Alarm;
use tokio::sync::watch;

/// The alarms of a board, in the order in which they were raised; of each kind one. Clones are the same alarms.
#[derive(Clone, Debug)]
pub struct Alarms {
    all: watch::Sender<Vec<Alarm>>,
}

/// Whether an alarm is over when the disk takes what is written.
pub(crate) fn is_of_disk(alarm: &Alarm) -> bool {
    matches!(
        alarm,
        Alarm::DiskFull | Alarm::DiskReadOnly | Alarm::DiskFailed { .. } | Alarm::JournalMoved { .. }
    )
}

impl Default for Alarms {
    fn default() -> Alarms {
        Alarms { all: watch::Sender::new(Vec::new()) }
    }
}

impl Alarms {
    /// Raises an alarm, in place of an older one of its kind. Gives whether there was none.
    pub fn raise(&self, alarm: Alarm) -> bool {
        let mut is_new = false;
        self.all.send_if_modified(|all| {
            if all.contains(&alarm) {
                return false;
            }
            let before = all.len();
            all.retain(|old| discriminant(old) != discriminant(&alarm));
            is_new = all.len() == before;
            all.push(alarm);
            true
        });
        is_new
    }

    /// Whether the disk takes nothing.
    pub(crate) fn tell_of_disk(&self) -> bool {
        self.all.borrow().iter().any(is_of_disk)
    }

    /// What those say is over. Gives whether there was one.
    pub fn lift(&self, is_over: impl Fn(&Alarm) -> bool) -> bool {
        self.all.send_if_modified(|all| {
            let before = all.len();
            all.retain(|alarm| !is_over(alarm));
            all.len() < before
        })
    }

    /// Those that stand, and those that will.
    pub fn watch(&self) -> watch::Receiver<Vec<Alarm>> {
        self.all.subscribe()
    }
}
