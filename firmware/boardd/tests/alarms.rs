//! What is said once of what is wrong with a board.

use boardd::Alarms;
use referee::relay::Alarm;

#[test]
fn a_disk_that_fails_in_other_words_is_no_other_alarm() {
    let failed = |detail: &str| Alarm::DiskFailed { detail: detail.to_owned() };
    let alarms = Alarms::default();
    let mut watch = alarms.watch();
    assert!(alarms.raise(failed("the write")));
    watch.mark_unchanged();
    assert!(!alarms.raise(failed("the write")));
    assert!(!watch.has_changed().expect("alarms"), "followers are told what is new to them");
    assert!(!alarms.raise(failed("the cut")));
    assert!(watch.has_changed().expect("alarms"));
    assert_eq!(*watch.borrow_and_update(), [failed("the cut")]);
    assert!(alarms.raise(Alarm::DiskFull));
    assert!(alarms.lift(|alarm| *alarm == failed("the cut")));
    assert!(alarms.raise(failed("the write")), "it was over");
}
