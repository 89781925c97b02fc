//! What sensors do that no hand made them do.

use sense::Uptime;
use xiangqi::Square;

/// A reed, or its wire, misbehaves for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which reed.
    pub square: Square,
    /// From when.
    pub begin: Uptime,
    /// Until when; `None` for good.
    pub end: Option<Uptime>,
    /// What it does.
    pub kind: FaultKind,
}

/// How a reed misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It reads open: a broken wire, a drop-out.
    Open,
    /// It reads closed: a short circuit, welded contacts.
    Closed,
    /// It reads the opposite: a glitch.
    Inverted,
}

impl FaultKind {
    fn apply(self, level: bool) -> bool {
        match self {
            FaultKind::Open => false,
            FaultKind::Closed => true,
            FaultKind::Inverted => !level,
        }
    }
}

/// The changes of a contact as they read with the faults of that reed over them.
pub(crate) fn disturbed(
    start: bool,
    changes: &[(Uptime, bool)],
    faults: &[Fault],
) -> (bool, Vec<(Uptime, bool)>) {
    let mut moments: Vec<Uptime> = changes.iter().map(|(at, _)| *at).collect();
    moments.extend(faults.iter().flat_map(|fault| [Some(fault.begin), fault.end]).flatten());
    moments.sort_unstable();
    moments.dedup();
    let read = |at: Uptime, level: bool| {
        let active = faults.iter().filter(|fault| fault.begin <= at && fault.end.is_none_or(|end| at < end));
        active.fold(level, |level, fault| fault.kind.apply(level))
    };
    let mut contact = changes.iter().peekable();
    let mut level = start;
    let first = read(Uptime::ZERO, start);
    let mut last = first;
    let mut out = Vec::new();
    for at in moments {
        while let Some((_, closed)) = contact.next_if(|(when, _)| *when <= at) {
            level = *closed;
        }
        let now = read(at, level);
        if now != last {
            out.push((at, now));
            last = now;
        }
    }
    (first, out)
}
