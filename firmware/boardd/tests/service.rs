//! What the service manager hears of a board, on a real socket.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use boardd::{Counted, GoingOn, Notifier, ScanCount, Sensing, Service, Source};
use sense::Uptime;

/// A board on which nothing happens; a call is a tenth of a second.
struct Still(u64);

impl Source for Still {
    fn start(&mut self, now: Uptime, _: Option<GoingOn>) {
        self.0 = now.as_us();
    }

    fn next(&mut self, _: Option<Uptime>) -> Sensing {
        self.0 += 100_000;
        Sensing::Quiet(Uptime::from_us(self.0))
    }
}

impl Counted for Still {
    fn count(&self) -> ScanCount {
        ScanCount { scans: 100, late: 3, latest_us: 700, failed: 1 }
    }
}

#[test]
fn a_manager_hears_that_the_board_is_ready_alive_and_stopping() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let heard = || {
        let mut buffer = [0; 256];
        let len = manager.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..len].to_vec()).unwrap()
    };
    let name = path.as_os_str().as_encoded_bytes();
    let notifier = Notifier::to(name, Some(Duration::from_secs(1))).unwrap();
    let mut service = Service::new(Still(0), notifier, None);
    service.start(Uptime::from_ms(5_000), None);
    // Two seconds: a sign of life at once and every half second, and one line of status.
    (0..20).for_each(|_| drop(service.next(None)));
    drop(service);
    let life = "WATCHDOG=1";
    let status = "STATUS=100 scans, 3 late (by 700 us at most), 1 failed";
    let expected = ["READY=1", life, life, status, life, life, "STOPPING=1"];
    assert_eq!(expected.map(|_| heard()), expected);
}

#[test]
fn a_board_that_nobody_supervises_runs_all_the_same() {
    let mut service = Service::new(Still(0), Notifier::nobody(), None);
    service.start(Uptime::ZERO, None);
    assert_eq!(service.next(None), Sensing::Quiet(Uptime::from_ms(100)));
}
