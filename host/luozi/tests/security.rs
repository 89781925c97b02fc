//! Boards and hall server over TLS: at a real mosquitto with client certificates, and at the embedded broker with
//! passwords. What is secret is in no log, however much is logged.

mod running;

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use running::{Running, free_port, get, until};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};

/// Certificates that one authority vouches for, in a directory.
struct Authority {
    directory: PathBuf,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new(directory: &Path) -> Authority {
        fs::create_dir_all(directory).expect("a directory");
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.distinguished_name.push(DnType::CommonName, "hall's authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("signed");
        fs::write(directory.join("ca.pem"), certificate.pem()).expect("writable");
        Authority { directory: directory.to_owned(), issuer: Issuer::new(params, key) }
    }

    /// A certificate for that name, which is a host's or a user's.
    fn vouch_for(&self, name: &str) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("signed");
        fs::write(self.directory.join(format!("{name}.pem")), certificate.pem()).expect("writable");
        fs::write(self.directory.join(format!("{name}.key")), key.serialize_pem()).expect("writable");
    }

    fn path(&self, name: &str) -> String {
        self.directory.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// The options with which a client shows the certificate of that name.
    fn options(&self, name: &str) -> [String; 6] {
        let (ca, certificate, key) =
            (self.path("ca.pem"), self.path(&format!("{name}.pem")), self.path(&format!("{name}.key")));
        ["--broker-ca", &ca, "--broker-cert", &certificate, "--broker-key", &key].map(str::to_owned)
    }
}

fn with<'a>(arguments: &[&'a str], more: &'a [String]) -> Vec<&'a str> {
    arguments.iter().copied().chain(more.iter().map(String::as_str)).collect()
}

/// Mosquitto with our rules, where a certificate says who somebody is. `None`, with a printed line, where it is missing.
fn mosquitto(directory: &Path, authority: &Authority, port: u16) -> Option<Running> {
    authority.vouch_for("localhost");
    let acl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mosquitto/acl");
    let rules = directory.join("acl");
    fs::copy(acl, &rules).expect("our rules");
    let text = format!(
        "listener {port}\nuser root\nacl_file {}\nallow_anonymous false\ncafile {}\ncertfile {}\nkeyfile {}\n\
         require_certificate true\nuse_identity_as_username true\n",
        rules.display(),
        authority.path("ca.pem"),
        authority.path("localhost.pem"),
        authority.path("localhost.key"),
    );
    let config = directory.join("mosquitto.conf");
    fs::write(&config, text).expect("writable");
    let started = ["mosquitto", "/usr/sbin/mosquitto"].iter().find_map(|program| {
        let mut command = Command::new(program);
        command.arg("-c").arg(&config).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok().map(Running)
    });
    match started {
        Some(_) => until("mosquitto", || TcpStream::connect(("127.0.0.1", port)).ok().map(drop)),
        None => println!("skipped: mosquitto is not installed (apt-get install mosquitto)"),
    }
    started
}

/// What the pages answer over TLS, if somebody does.
fn exchange(authority: &Authority, port: u16, request: &str) -> Option<String> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority.path("ca.pem")).expect("PEM")).expect("a certificate");
    let config = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    let connection = rustls::ClientConnection::new(config.into(), name).expect("a client");
    let mut stream = rustls::StreamOwned::new(connection, TcpStream::connect(("127.0.0.1", port)).ok()?);
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    // Servers need not say goodbye.
    let _ = stream.read_to_end(&mut answer);
    Some(String::from_utf8_lossy(&answer).into_owned())
}

const PLAYS: [&str; 6] = ["board", "--simulated", "--speed", "20", "--seed", "5"];

#[test]
fn certificates_say_who_somebody_is_at_a_real_mosquitto() {
    let directory = tempfile::tempdir().expect("a directory");
    let ours = Authority::new(&directory.path().join("ours"));
    let others = Authority::new(&directory.path().join("others"));
    for (authority, name) in [(&ours, "b1"), (&ours, "venue"), (&others, "b1")] {
        authority.vouch_for(name);
    }
    let port = free_port();
    let Some(_mosquitto) = mosquitto(directory.path(), &ours, port) else { return };
    let url = format!("mqtts://localhost:{port}");
    let data = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();

    // Nobody gets in without a certificate or with a stranger's, and nobody is sent to a stranger's broker.
    let strangers_ca = ["--broker-ca".to_owned(), others.path("ca.pem")];
    let no_certificate = ["--broker-ca".to_owned(), ours.path("ca.pem")];
    let mut strangers_key = others.options("b1");
    strangers_key[1] = ours.path("ca.pem");
    for options in [&strangers_ca[..], &no_certificate, &strangers_key] {
        let data = data("refused");
        let arguments = [&PLAYS[..], &["--id", "b1", "--broker", &url, "--data", &data]].concat();
        assert_eq!(Running::luozi(&with(&arguments, options)).ends(), 2, "{options:?}");
    }

    let pages = free_port();
    let listen = format!("127.0.0.1:{pages}");
    let venue = ours.options("venue");
    let _venue = Running::luozi(&with(&["venue", "--listen", &listen, "--broker", &url], &venue));
    let b1 = ours.options("b1");
    let (own, foreign) = (data("b1"), data("b2"));
    // With the certificate of b1 nobody can be b2.
    let foreign = [&PLAYS[..], &["--id", "b2", "--broker", &url, "--data", &foreign]].concat();
    let _foreign = Running::luozi(&with(&foreign, &b1));
    let board = [&PLAYS[..], &["--id", "b1", "--broker", &url, "--data", &own]].concat();
    let _board = Running::luozi(&with(&board, &b1));
    let games = until("moves on the pages", || {
        let games = get(SocketAddr::from(([127, 0, 0, 1], pages)), "/api/v1/games")?;
        games.contains(r#""last":{"move":"#).then_some(games)
    });
    assert!(games.contains(r#""board":"b1""#) && !games.contains(r#""board":"b2""#), "{games}");
}

/// Everything that is secret in a hall: passwords, keys, and what a browser is signed in by.
fn secrets_in(files: &[PathBuf]) -> Vec<String> {
    let lines = files.iter().flat_map(|file| {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    // A line of a PEM file, `NAME:PASSWORD`, `secret = "…"`, or a bare key.
    let parts = lines.map(|line| line.rsplit([':', '"']).find(|part| !part.is_empty()).map(str::to_owned));
    parts.flatten().filter(|part| part.len() >= 16 && !part.starts_with("-----")).collect()
}

/// Writes what a command says into a file.
fn keep(file: &str, arguments: &[&str]) {
    let said = Command::new(env!("CARGO_BIN_EXE_luozi")).args(arguments).output().expect("the binary runs");
    fs::write(file, said.stdout).expect("writable");
}

#[test]
fn secrets_are_in_no_log() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
    let authority = Authority::new(directory.path());
    for name in ["localhost", "b1"] {
        authority.vouch_for(name);
    }
    keep(&path("b1.password"), &["broker-password", &path("users"), "b1", "--new"]);
    let new_key = ["arbiter", "new-key", "hall", "hall", &path("hall.key"), "--for-others"];
    keep(&path("arbiters.toml"), &new_key);

    let (pages, clear, secure) = (free_port(), free_port(), free_port());
    let [listen, clear, secure_text] = [pages, clear, secure].map(|port| format!("127.0.0.1:{port}"));
    let venue = Running::logging(
        &[
            &["venue", "--listen", &listen, "--accounts", &path("accounts.json")][..],
            &["--order-key", &path("hall.key"), "--broker-users", &path("users")],
            &["--broker-listen", &clear, "--broker-tls-listen", &secure_text],
            &["--tls-cert", &path("localhost.pem"), "--tls-key", &path("localhost.key")],
            &["--broker-client-ca", &path("ca.pem")],
        ]
        .concat(),
        &path("venue.log"),
    );
    let url = format!("mqtts://b1@localhost:{secure}");
    let address = SocketAddr::from(([127, 0, 0, 1], secure));
    until("the broker", || TcpStream::connect(address).ok());
    let data = path("b1");
    let board = [&PLAYS[..], &["--id", "b1", "--broker", &url, "--data", &data]].concat();
    let (password, arbiters) = (path("b1.password"), path("arbiters.toml"));
    let board = [&board[..], &["--broker-password-file", &password, "--arbiters", &arbiters]].concat();
    let board = Running::logging(&with(&board, &authority.options("b1")), &path("board.log"));

    let request = "GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned();
    let games = until("moves on the pages", || {
        let games = exchange(&authority, pages, &request)?;
        games.contains(r#""last":{"move":"#).then_some(games)
    });
    assert!(games.contains(r#""board":"b1""#), "{games}");
    let log = || fs::read_to_string(path("venue.log")).expect("UTF-8");
    let code = log().split("enter the code ").nth(1).expect("it is told")[..10].to_owned();
    let body = format!(r#"{{"code":"{code}","name":"li","password":"the password of an arbiter"}}"#);
    let head = "POST /api/v1/arbiter/setup HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
    let answer = exchange(&authority, pages, &format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()));
    let answer = answer.expect("an answer");
    let session = answer.split("set-cookie: ").nth(1).and_then(|rest| rest.split([';', '=']).nth(1));
    let session = session.unwrap_or_else(|| panic!("no cookie: {answer}")).to_owned();

    for process in [&board, &venue] {
        process.interrupt();
    }
    assert_eq!((board.ends(), venue.ends()), (0, 0));
    let keys = ["localhost.key", "b1.key", "hall.key", "users", "b1.password", "b1/board.key"];
    let mut secrets = secrets_in(&keys.map(|name| PathBuf::from(path(name))));
    secrets.extend(["the password of an arbiter".to_owned(), session]);
    assert!(secrets.len() >= 8, "{secrets:?}");
    for (name, says) in [("board.log", "connected"), ("venue.log", "TRACE")] {
        let log = fs::read_to_string(path(name)).expect("UTF-8");
        assert!(log.contains(says), "{name}: everything is logged");
        for secret in &secrets {
            assert!(!log.contains(secret.as_str()), "{name} tells {secret:?}");
        }
    }
}
