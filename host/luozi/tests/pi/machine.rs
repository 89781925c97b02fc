//! The emulated Raspberry Pi and its serial line.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take before the test fails.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// What the machine hangs on: files of the kit that `make pi` prepares, sockets of this test.
pub struct Outside<'a> {
    /// Kernel, device tree and root.
    pub kit: &'a Path,
    /// Where sockets may be made.
    pub folder: &'a Path,
    /// The plugin that makes the processor wait for its board.
    pub plugin: &'a Path,
    /// Where the board listens.
    pub board: &'a Path,
}

/// The machine, with its serial line.
pub struct Machine {
    qemu: Child,
    line: UnixStream,
    said: Vec<u8>,
}

impl Drop for Machine {
    fn drop(&mut self) {
        // A halted Pi does not end qemu.
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

/// That socket, once there is one.
pub fn connect(path: &Path) -> UnixStream {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match UnixStream::connect(path) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < deadline, "{}: {error}", path.display()),
        }
        thread::sleep(Duration::from_millis(50));
    }
}

impl Machine {
    /// Switches it on; its tests are at the socket `qtest` of the folder.
    pub fn boot(outside: &Outside<'_>) -> Machine {
        let Outside { kit, folder, plugin, board } = outside;
        let socket = |name: &str| format!("unix:{},server=on,wait=off", folder.join(name).display());
        let qemu = Command::new("qemu-system-aarch64")
            .args(["-M", "raspi3b", "-display", "none", "-no-reboot", "-kernel"])
            .arg(kit.join("vmlinuz"))
            .arg("-dtb")
            .arg(kit.join("pi3.dtb"))
            .arg("-initrd")
            .arg(kit.join("initrd"))
            .args(["-append", "console=ttyS1,115200 maxcpus=1 iomem=relaxed panic=-1 quiet"])
            .args(["-serial", "null", "-serial", &socket("line")])
            .args(["-qtest", &socket("qtest"), "-qtest-log", "none", "-plugin"])
            .arg(format!("{},socket={}", plugin.display(), board.display()))
            .stdin(Stdio::null())
            .spawn()
            .expect("qemu-system-aarch64 is installed");
        let line = connect(&folder.join("line"));
        line.set_read_timeout(Some(Duration::from_millis(500))).expect("a socket");
        Machine { qemu, line, said: Vec::new() }
    }

    /// What the machine says up to that word.
    pub fn until(&mut self, word: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = [0; 4096];
        loop {
            let found = self.said.windows(word.len()).position(|window| window == word.as_bytes());
            if let Some(at) = found {
                let rest = self.said.split_off(at + word.len());
                let said = std::mem::replace(&mut self.said, rest);
                return String::from_utf8_lossy(&said).into_owned();
            }
            let heard = String::from_utf8_lossy(&self.said);
            assert!(Instant::now() < deadline, "waited in vain for {word:?}; heard: {heard}");
            if let Ok(count) = self.line.read(&mut bytes) {
                self.said.extend_from_slice(&bytes[..count]);
            }
        }
    }

    /// Types a line.
    pub fn tell(&mut self, command: &str) {
        self.line.write_all(format!("{command}\n").as_bytes()).expect("the machine listens");
    }
}
