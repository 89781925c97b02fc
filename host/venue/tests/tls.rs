//! The pages over TLS.

mod desk;
mod peers;

use std::path::Path;
use std::sync::Arc;

use peers::Hall;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use transport::Certificate;
use venue::Config;

const NO_BROKER: &str = "mqtt://127.0.0.1:9";

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Speaks TLS and believes the hall's own certificate.
async fn exchange(hall: &Hall, request: &str) -> String {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(data("hall.pem")).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(hall.address).await.unwrap();
    let name = ServerName::try_from("hall").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(peers::PATIENCE, stream.read_to_end(&mut answer)).await.expect("an answer");
    String::from_utf8(answer).unwrap().to_ascii_lowercase()
}

#[tokio::test]
async fn cookies_travel_over_tls_only() {
    let accounts = std::env::temp_dir().join(format!("luozi-tls-{}.json", std::process::id()));
    let _ = std::fs::remove_file(&accounts);
    let tls = Certificate::read(&data("hall.pem"), &data("hall.key.pem")).unwrap();
    let hall = Hall::run(Config {
        accounts: Some(accounts.clone()),
        setup_code: Some("0123456789".to_owned()),
        tls: Some(tls),
        ..Config::new(peers::brokers(NO_BROKER))
    })
    .await;
    // Somebody who says nothing keeps nobody waiting.
    let silent = TcpStream::connect(hall.address).await.unwrap();
    let body = json!({"code": "0123456789", "name": "x", "password": "a long password"}).to_string();
    let length = body.len();
    let answer = exchange(
        &hall,
        &format!(
            "POST /api/v1/arbiter/setup HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
    .await;
    assert!(answer.starts_with("http/1.1 200"), "{answer}");
    assert!(answer.contains("httponly; samesite=strict; secure; path=/"), "{answer}");
    drop(silent);
    let plain = TcpStream::connect(hall.address).await.unwrap();
    let mut plain = plain;
    plain.write_all(b"GET / HTTP/1.1\r\nHost: hall\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(peers::PATIENCE, plain.read_to_end(&mut answer)).await.expect("an end");
    assert!(!answer.starts_with(b"HTTP"), "nothing is said in clear");
    hall.close().await;
    let _ = std::fs::remove_file(&accounts);
}

#[test]
fn what_is_no_certificate_is_said_in_one_line() {
    for (chain, key, expected) in [
        ("none.pem", "hall.key.pem", "none.pem"),
        ("hall.key.pem", "hall.key.pem", "no certificate"),
        ("hall.pem", "hall.pem", "hall.pem"),
    ] {
        let error = Certificate::read(&data(chain), &data(key)).unwrap_err();
        assert!(error.contains(expected) && !error.contains('\n'), "{error}");
    }
}
