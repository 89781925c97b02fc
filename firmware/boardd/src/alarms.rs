//! What is wrong with the board now, as its threads find it and its status says it.

use std::mem::discriminant;

use referee::relay::Alarm;
use tokio::sync::watch;

/// The alarms of a board, in the order in which they were raised; of each kind one. Clones are the same alarms.
#[derive(Clone, Debug)]
pub struct Alarms {
    all: watch::Sender<Vec<Alarm>>,
}

impl Default for Alarms {
    fn default() -> Alarms {
        Alarms { all: watch::Sender::new(Vec::new()) }
    }
}

impl Alarms {
    /// Raises an alarm, in place of an older one of its kind. Gives whether it is a new one.
    pub fn raise(&self, alarm: Alarm) -> bool {
        self.all.send_if_modified(|all| {
            if all.contains(&alarm) {
                return false;
            }
            all.retain(|old| discriminant(old) != discriminant(&alarm));
            all.push(alarm);
            true
        })
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
