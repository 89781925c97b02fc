//! Beyond one machine's broker: three NATS nodes with JetStream that speak MQTT. Each is killed in turn while a board plays;
//! nothing is lost or doubled, and whoever follows comes back. A node that was killed is caught up before the next one is: two of
//! three are what a cluster needs.

mod running;

use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use referee::Snapshot;
use running::{Follower, Running, free_port, free_ports, get, journal, moves, until};

/// One node of the cluster.
struct Node {
    config: PathBuf,
    mqtt: u16,
    monitor: u16,
    process: Option<Running>,
}

impl Node {
    fn start(&mut self) -> bool {
        let program = ["nats-server", "/usr/local/bin/nats-server", "/usr/sbin/nats-server"];
        self.process = program.iter().find_map(|program| {
            let mut command = Command::new(program);
            let quiet = command.arg("-c").arg(&self.config).stdout(Stdio::null()).stderr(Stdio::null());
            quiet.spawn().ok().map(Running)
        });
        self.process.is_some()
    }

    fn kill(&mut self) {
        self.process.take().expect("it runs").kill();
    }

    /// Whether it has a leader and is caught up with every stream and consumer that it keeps a copy of.
    fn is_healthy(&self) -> bool {
        let ask = || -> io::Result<String> {
            let mut socket = TcpStream::connect(("127.0.0.1", self.monitor))?;
            socket.set_read_timeout(Some(Duration::from_secs(5)))?;
            socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: n\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            socket.read_to_string(&mut answer)?;
            Ok(answer)
        };
        ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
    }
}

/// The version of the nats-server that is installed, if it is one that does: 2.9 stalls for half a minute.
fn has_nats() -> bool {
    let version = ["nats-server", "/usr/local/bin/nats-server", "/usr/sbin/nats-server"]
        .iter()
        .find_map(|program| Command::new(program).arg("--version").output().ok())
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let minor = version.as_deref().and_then(|text| text.split("v2.").nth(1)?.split('.').next()?.parse().ok());
    let is_there = minor.is_some_and(|minor: u32| minor >= 10);
    if !is_there {
        println!("skipped: nats-server 2.10 or later is not installed ({version:?}); see .ci/nats");
    }
    is_there
}

fn cluster(directory: &Path) -> Vec<Node> {
    // None is asked for when nodes run already, which connect to each other from ports of the same range.
    let ports: [u16; 12] = free_ports();
    let all = ports
        .iter()
        .take(3)
        .map(|port| format!("\"nats-route://127.0.0.1:{port}\""))
        .collect::<Vec<_>>()
        .join(", ");
    let node = |number: usize| {
        let [route, client, mqtt, monitor] = [0, 3, 6, 9].map(|of| ports[of + number]);
        let store = directory.join(format!("store-{number}"));
        let config = directory.join(format!("node-{number}.conf"));
        let text = format!(
            "server_name: node-{number}\nlisten: \"127.0.0.1:{client}\"\nhttp: \"127.0.0.1:{monitor}\"\n\
             jetstream {{ store_dir: \"{}\" }}\n\
             mqtt {{ listen: \"127.0.0.1:{mqtt}\", stream_replicas: 3, consumer_replicas: 3 }}\n\
             cluster {{ name: hall, listen: \"127.0.0.1:{route}\", routes: [{all}] }}\n",
            store.display()
        );
        fs::write(&config, text).expect("a writable directory");
        let mut node = Node { config, mqtt, monitor, process: None };
        assert!(node.start());
        node
    };
    (0..3).map(node).collect()
}

#[test]
fn each_node_is_killed_and_nothing_is_lost() {
    if !has_nats() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let mut nodes = cluster(directory.path());
    let all_are_well = |nodes: &[Node]| {
        until("a healthy cluster", || nodes.iter().all(Node::is_healthy).then_some(()));
    };
    all_are_well(&nodes);
    let ports: Vec<u16> = nodes.iter().map(|node| node.mqtt).collect();
    let follower = Follower::of_cluster("b1", &ports);
    let data = directory.path().join("b1");
    let data_text = data.to_str().expect("UTF-8");
    let urls: Vec<String> = ports.iter().map(|port| format!("mqtt://127.0.0.1:{port}")).collect();
    let brokers: Vec<&str> = urls.iter().flat_map(|url| ["--broker", url]).collect();
    // More games than the test takes time for.
    let plays = ["board", "--simulated", "--id", "b1", "--speed", "20", "--games", "50", "--seed", "5"];
    let board = Running::luozi(&[&plays[..], &["--data", data_text], &brokers].concat());
    let pages = free_port();
    let listen = format!("127.0.0.1:{pages}");
    let _venue = Running::luozi(&[&["venue", "--listen", &listen, "--feed"][..], &brokers].concat());
    let grows = |what: &str| {
        let before = follower.prefix().len();
        until(what, || (follower.prefix().len() >= before + 20).then_some(()));
    };
    grows("the first lines");
    for node in 0..nodes.len() {
        nodes[node].kill();
        grows("lines while a node is away");
        assert!(nodes[node].start());
        all_are_well(&nodes);
        grows("lines when it is back");
    }
    // The rest of the game need not be waited for.
    board.interrupt();
    assert_eq!(board.ends(), 0);
    let written = journal(&data);
    until("every line", || (follower.prefix().len() == written.len()).then_some(()));
    assert_eq!(follower.prefix(), written);
    let snapshots = follower.look(|seen| seen.snapshots.clone());
    let snapshots = snapshots.values().map(|text| serde_json::from_str::<Snapshot>(text).expect("JSON"));
    let last = snapshots.max_by_key(|snapshot| snapshot.began).expect("a snapshot");
    assert_eq!(last.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>(), moves(&written));
    until("the pages to show it", || {
        let path = format!("/api/v1/games/{}", last.game);
        let shown = get(SocketAddr::from(([127, 0, 0, 1], pages)), &path)?;
        shown.contains(&format!("\"ply_count\":{}", last.plies.len())).then_some(())
    });
}
