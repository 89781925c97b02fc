//! The real things that the venue talks to: a broker, a publishing board, and somebody who reads over HTTP.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::net::{SocketAddr, TcpListener as StdListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rumqttc::{AsyncClient, Event, MqttOptions, Packet, QoS};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use transport::Brokers;
use venue::Config;

use crate::desk::Publication;

/// How long anything may take before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Debian's mosquitto on a port of its own.
pub struct Mosquitto {
    port: u16,
    child: Child,
    config: PathBuf,
}

impl Mosquitto {
    /// `None`, with a printed line, where it is not installed.
    pub fn start(name: &str) -> Option<Mosquitto> {
        let port = StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = std::env::temp_dir().join(format!("luozi-venue-{name}-{}.conf", std::process::id()));
        std::fs::write(
            &config,
            format!("listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n"),
        )
        .unwrap();
        match Mosquitto::spawn(&config) {
            Some(child) => Some(Mosquitto { port, child, config }),
            None => {
                println!("skipped: mosquitto is not installed (apt-get install mosquitto)");
                None
            }
        }
    }

    fn spawn(config: &PathBuf) -> Option<Child> {
        // Debian puts it where only root looks.
        ["mosquitto", "/usr/sbin/mosquitto"].iter().find_map(|program| {
            let mut command = Command::new(program);
            command.arg("-c").arg(config).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
        })
    }

    pub fn url(&self) -> String {
        format!("mqtt://127.0.0.1:{}", self.port)
    }

    /// As a power cut: whatever it retained is lost.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn restart(&mut self) {
        self.child = Mosquitto::spawn(&self.config).unwrap();
    }

    /// A connected publisher. Its client id is its own, so it may be one of many.
    pub async fn publisher(&self, id: &str) -> Publisher {
        self.publisher_that(id, |_, _| Vec::new()).await
    }

    /// One that answers what boards are asked: `answer` is given topic and payload.
    pub async fn publisher_that(
        &self,
        id: &str,
        answer: impl Fn(&str, &[u8]) -> Vec<Publication> + Send + 'static,
    ) -> Publisher {
        let mut options = MqttOptions::new(id, "127.0.0.1", self.port);
        options.set_max_packet_size(1 << 20, 1 << 20);
        let (client, mut events) = AsyncClient::new(options, 64);
        let (connected, ready) = oneshot::channel();
        let answering = client.clone();
        let task = tokio::spawn(async move {
            let mut connected = Some(connected);
            loop {
                match events.poll().await {
                    Ok(Event::Incoming(Packet::ConnAck(_))) => {
                        answering.try_subscribe("luozi/v1/board/+/refill", QoS::AtLeastOnce).unwrap();
                    }
                    Ok(Event::Incoming(Packet::SubAck(_))) => {
                        connected.take().map(|connected| connected.send(()));
                    }
                    Ok(Event::Incoming(Packet::Publish(publish))) => {
                        let answers = answer(&publish.topic, &publish.payload);
                        let client = answering.clone();
                        tokio::spawn(async move { send(&client, answers).await });
                    }
                    Ok(_) => {}
                    // The broker is starting or gone: the client tries again.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        });
        tokio::time::timeout(PATIENCE, ready).await.expect("the broker answers").unwrap();
        Publisher { client, task }
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.config);
    }
}

/// A board's link.
pub struct Publisher {
    client: AsyncClient,
    task: JoinHandle<()>,
}

impl Publisher {
    pub async fn send(&self, publications: impl IntoIterator<Item = Publication>) {
        send(&self.client, publications).await;
    }
}

async fn send(client: &AsyncClient, publications: impl IntoIterator<Item = Publication>) {
    for Publication { topic, retained, payload } in publications {
        client.publish(topic, QoS::AtLeastOnce, retained, payload).await.unwrap();
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The broker at that address.
pub fn brokers(url: &str) -> Brokers {
    Brokers::new(vec![url.parse().unwrap()], None).unwrap()
}

/// A running venue.
pub struct Hall {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Hall {
    pub async fn open(broker: &str) -> Hall {
        Hall::run(Config::new(brokers(broker))).await
    }

    pub async fn with_console(broker: &str, accounts: &Path, setup_code: Option<&str>) -> Hall {
        let accounts = Some(accounts.to_owned());
        let setup_code = setup_code.map(str::to_owned);
        Hall::run(Config { accounts, setup_code, ..Config::new(brokers(broker)) }).await
    }

    pub async fn run(config: Config) -> Hall {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(venue::run(listener, config, async move {
            let _ = stopped.await;
        }));
        Hall { address, stop, task }
    }

    /// A venue on threads of its own, which all end when the runtime is shut down: as if its process were killed.
    pub fn run_alone(config: Config) -> (Hall, Runtime) {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = StdListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let task = runtime.spawn(async move {
            let listener = TcpListener::from_std(listener)?;
            venue::run(listener, config, async move { drop(stopped.await) }).await
        });
        (Hall { address, stop, task }, runtime)
    }

    pub async fn close(self) {
        self.stop.send(()).unwrap();
        tokio::time::timeout(PATIENCE, self.task).await.expect("it stops").unwrap().unwrap();
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n")).await
    }

    /// Sends a request as it is and reads the answer to its end.
    pub async fn request(&self, text: &str) -> Answer {
        let (head, body) = self.exchange(text).await;
        Answer { head: head.to_ascii_lowercase(), body: String::from_utf8(body).expect("UTF-8") }
    }

    /// The head and the bytes of a file.
    pub async fn download(&self, path: &str) -> (String, Vec<u8>) {
        self.exchange(&format!("GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n")).await
    }

    /// Sends a request as it is; the head and the bytes of the answer.
    pub async fn exchange(&self, text: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("an answer").unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head and a body");
        let body = bytes.split_off(end + 4);
        (String::from_utf8(bytes).expect("UTF-8"), body)
    }

    /// Sends bytes and closes; what comes back, if anything does.
    pub async fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // Who is not liked is hung up upon while still speaking.
        let _ = stream.write_all(bytes).await;
        let _ = stream.shutdown().await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an end");
        answer
    }

    /// The head of an answer and, of a stream, its first event; of anything else all of it.
    pub async fn first_of_stream(&self, request: &str) -> Answer {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let mut stream = BufReader::new(stream);
        stream.get_mut().write_all(request.as_bytes()).await.unwrap();
        let (mut head, mut body) = (String::new(), String::new());
        let read = async {
            while !head.ends_with("\r\n\r\n") && stream.read_line(&mut head).await.unwrap() > 0 {}
            if head.to_ascii_lowercase().contains("text/event-stream") {
                while !body.contains("data: ") && stream.read_line(&mut body).await.unwrap() > 0 {}
            } else {
                stream.read_to_string(&mut body).await.unwrap();
            }
        };
        tokio::time::timeout(PATIENCE, read).await.expect("an answer");
        Answer { head: head.to_ascii_lowercase(), body }
    }

    pub async fn events(&self, query: &str) -> Stream {
        self.events_at(&format!("/api/v1/events{query}"), "").await
    }

    /// A stream at that address, asked for with these headers.
    pub async fn events_at(&self, path: &str, headers: &str) -> Stream {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let mut stream = BufReader::new(stream);
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: hall\r\nAccept: text/event-stream\r\n{headers}\r\n");
        stream.get_mut().write_all(request.as_bytes()).await.unwrap();
        Stream { stream }
    }
}

/// An answer, its head in lower case.
#[derive(Debug)]
pub struct Answer {
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn status(&self) -> u16 {
        self.head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Somebody who reads server-sent events.
pub struct Stream {
    stream: BufReader<TcpStream>,
}

impl Stream {
    /// The next event and its data; `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<(String, serde_json::Value)> {
        let mut kind = String::new();
        loop {
            let mut line = String::new();
            let read =
                tokio::time::timeout(PATIENCE, self.stream.read_line(&mut line)).await.expect("an event");
            if read.unwrap_or(0) == 0 {
                return None;
            }
            if let Some(name) = line.strip_prefix("event: ") {
                kind = name.trim().to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((kind, serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// Reads on until an event satisfies `wanted`.
    pub async fn until(
        &mut self,
        mut wanted: impl FnMut(&str, &serde_json::Value) -> bool,
    ) -> serde_json::Value {
        loop {
            let (kind, data) = self.next().await.expect("the stream goes on");
            if wanted(&kind, &data) {
                return data;
            }
        }
    }
}
