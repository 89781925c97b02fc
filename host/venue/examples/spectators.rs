//! So many spectators at one venue: how long after a board has published a move does each of them have it, and what does
//! a spectator cost in memory?
//!
//! ```text
//! ulimit -n 30000
//! luozi venue --listen 127.0.0.1:8080 --broker-listen 127.0.0.1:1883 &
//! cargo run --release -p venue --example spectators -- mqtt://127.0.0.1:1883 127.0.0.1:8080 10000 $!
//! ```
//!
//! The arguments: the venue's broker, the venue's address, the number of spectators, and the venue's process, whose memory
//! is read. A board plays twenty moves, one a second; every spectator follows its game by server-sent events.

#[path = "../tests/desk/mod.rs"]
mod desk;

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use desk::{Desk, game};
use rumqttc::{AsyncClient, QoS};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};
use transport::Brokers;

const MOVES: usize = 20;
/// Connections that are being made at a time.
const CONNECTING: usize = 64;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [broker, address, spectators, process] = &args[..] else {
        return Err("expected: BROKER ADDRESS SPECTATORS PROCESS".into());
    };
    let (brokers, spectators) = (Brokers::new(vec![broker.parse()?], None)?, spectators.parse::<usize>()?);
    let options = brokers.options("load-board");
    let (client, mut events) = AsyncClient::new(options, 64);
    tokio::spawn(async move { while events.poll().await.is_ok() {} });
    let mut desk = Desk::new("load");
    let mut said = vec![desk.status(true)];
    said.extend(desk.begin("load-game", "1", "红", "黑"));
    for one in said {
        client.publish(one.topic, QoS::AtLeastOnce, one.retained, one.payload).await?;
    }

    let before_kb = memory_kb(process)?;
    let seats = Arc::new(Semaphore::new(CONNECTING));
    let (ready, mut are_ready) = mpsc::channel(1024);
    let (arrived, mut arrivals) = mpsc::channel(65_536);
    for _ in 0..spectators {
        let (address, ready, arrived) = (address.clone(), ready.clone(), arrived.clone());
        let seat = Arc::clone(&seats).acquire_owned().await?;
        tokio::spawn(async move {
            if let Err(error) = spectate(&address, seat, &ready, &arrived).await {
                eprintln!("a spectator left: {error}");
            }
        });
    }
    drop(arrived);
    for _ in 0..spectators {
        are_ready.recv().await.ok_or("nobody came")?;
    }
    let after_kb = memory_kb(process)?;

    let mut latencies: Vec<u64> = Vec::new();
    for (ply, &mv) in game(0).iter().take(MOVES).enumerate() {
        let at = Instant::now();
        for one in desk.play(mv) {
            client.publish(one.topic, QoS::AtLeastOnce, one.retained, one.payload).await?;
        }
        let mut have = 0;
        while have < spectators {
            let (seen, when): (usize, Instant) = arrivals.recv().await.ok_or("everybody left")?;
            if seen == ply + 1 {
                have += 1;
                latencies.push(u64::try_from((when - at).as_millis()).unwrap_or(u64::MAX));
            }
        }
        tokio::time::sleep_until((at + Duration::from_secs(1)).into()).await;
    }
    latencies.sort_unstable();
    let at = |percent: usize| latencies[(latencies.len() * percent / 100).min(latencies.len() - 1)];
    let per_viewer_kb = (after_kb.saturating_sub(before_kb)) as f64 / spectators as f64;
    println!(
        "| spectators | moves | p50 ms | p99 ms | last ms | memory of the venue MiB | per spectator KiB |"
    );
    println!("|---|---|---|---|---|---|---|");
    let (p50, p99, last, mib) = (at(50), at(99), at(100), after_kb / 1024);
    println!("| {spectators} | {MOVES} | {p50} | {p99} | {last} | {mib} | {per_viewer_kb:.1} |");
    Ok(())
}

/// Follows the game, and tells when the first change with each number of plies is there.
async fn spectate(
    address: &str,
    seat: tokio::sync::OwnedSemaphorePermit,
    ready: &mpsc::Sender<()>,
    arrived: &mpsc::Sender<(usize, Instant)>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut stream = TcpStream::connect(address).await?;
    stream
        .write_all(
            b"GET /api/v1/events?game=load-game HTTP/1.1\r\nHost: hall\r\nAccept: text/event-stream\r\n\r\n",
        )
        .await?;
    let mut seat = Some(seat);
    let mut known = 0;
    let mut text = Vec::new();
    loop {
        let mut piece = [0; 2048];
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Err("the venue has closed the stream".into());
        }
        let now = Instant::now();
        text.extend_from_slice(&piece[..read]);
        // Events end in an empty line; what is behind the last end waits.
        let Some(end) = text.windows(2).rposition(|two| two == b"\n\n") else { continue };
        if seat.take().is_some() && ready.send(()).await.is_err() {
            return Ok(());
        }
        let plies = String::from_utf8_lossy(&text[..end]);
        let seen = plies.rsplit("\"ply_count\":").next().and_then(|rest| {
            rest.split(|c: char| !c.is_ascii_digit())
                .next()?
                .parse()
                .ok()
                .filter(|_| plies.contains("ply_count"))
        });
        if let Some(seen) = seen.filter(|seen| *seen > known) {
            for ply in known + 1..=seen {
                if arrived.send((ply, now)).await.is_err() {
                    return Ok(());
                }
            }
            known = seen;
        }
        text.drain(..end);
    }
}

/// The resident memory of a process, in KiB.
fn memory_kb(process: &str) -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
