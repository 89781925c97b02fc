//! Files that a hall is set up with, damaged: each is read as what it says or refused in one line, which tells no secret.

use std::fmt::{Debug, Display};

use boardd::{Arbiters, Journal};
use broker::Passwords;
use referee::relay::{PublicKey, SecretKey};
use referee::{GameHeader, Record};
use tests::{Dice, SimDisk};
use transport::{BrokerUrl, Certificate};
use venue::DelayRule;
use xiangqi::{Color, Position};

/// Some bytes of a text are changed, taken out, put in, said twice, or cut off.
fn damaged(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(bytes.len());
        let to = (at + dice.below(20)).min(bytes.len());
        match dice.below(5) {
            0 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            1 => drop(bytes.drain(at..to)),
            2 => bytes.insert(at, b"\n:\"[]=\0$#\xff"[dice.below(10)]),
            3 => {
                let again = bytes[at..to].to_vec();
                bytes.splice(at..at, again);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Reads damaged texts, of which many must be refused.
fn check<T: Debug, E: Display>(text: &str, secrets: &[&str], read: impl Fn(&str) -> Result<T, E>) {
    read(text).map_err(|error| error.to_string()).expect("it is sound before");
    let (mut refused, rounds) = (0, 3_000);
    for seed in 0..rounds {
        let bytes = damaged(text, &mut Dice::new(seed));
        let told = match read(&String::from_utf8_lossy(&bytes)) {
            Ok(read) => format!("{read:?}"),
            Err(error) => {
                refused += 1;
                let told = error.to_string();
                assert!(!told.contains('\n'), "seed {seed}: {told}");
                told
            }
        };
        for secret in secrets {
            assert!(!told.contains(secret), "seed {seed} tells a secret: {told}");
        }
    }
    assert!(refused > rounds / 20, "{refused} of {rounds} refused: {text}");
}

#[test]
fn lists_of_arbiters() {
    let public = SecretKey::from_bytes(&[3; 32]).public();
    let text =
        format!("[[arbiter]]\nkey = \"li\"\nname = \"李\"\npublic = \"{public}\"\nfor_others = true\n");
    check(&text, &[], Arbiters::parse);
    check(&public.to_string(), &[], str::parse::<PublicKey>);
}

#[test]
fn passwords() {
    let line = Passwords::line("board-1", "hidden").expect("a line");
    check(&format!("# 大厅\n{line}\nvenue:open sesame\n"), &["sesame"], str::parse::<Passwords>);
}

#[test]
fn addresses_and_delays() {
    check("mqtts://board-1:sesame@hall.example:8883", &[], str::parse::<BrokerUrl>);
    check("全国团体赛=15m+4plies", &[], str::parse::<DelayRule>);
}

#[test]
fn certificates_and_keys() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    let made = rcgen::generate_simple_self_signed(vec!["hall.example".to_owned()]).expect("a certificate");
    let (chain, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let secret = key.lines().nth(1).expect("a line");
    let read = |chain: &[u8], key: &[u8]| {
        std::fs::write(path("chain.pem"), chain).expect("writable");
        std::fs::write(path("key.pem"), key).expect("writable");
        Certificate::asking(&path("chain.pem"), &path("key.pem"), Some(&path("chain.pem")))
    };
    read(chain.as_bytes(), key.as_bytes()).expect("they are sound before");
    let mut refused = 0;
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let (chain, key) = match dice.below(2) {
            0 => (damaged(&chain, &mut dice), key.clone().into_bytes()),
            _ => (chain.clone().into_bytes(), damaged(&key, &mut dice)),
        };
        if let Err(why) = read(&chain, &key) {
            refused += 1;
            assert!(!why.contains('\n') && !why.contains(&secret[..16]), "seed {seed}: {why}");
        }
    }
    assert!(refused > 150, "{refused} of 300");
}

/// A journal with anything wrong in it, anywhere: it is not gone on with, or what is gone on with is a beginning of it.
#[test]
fn journals() {
    let disk = SimDisk::new();
    let (mut journal, _) = Journal::open(disk.clone(), "b1").expect("an empty disk");
    let game = GameHeader::new("g1", Position::initial(), "cxa-2010");
    journal.commit(1, &[Record::Game(Box::new(game))]).expect("a healthy disk");
    for us in 0..12 {
        journal.commit(us, &[Record::Press { us, side: Color::Red }]).expect("a healthy disk");
    }
    let name = "journal-000000000000.ndjson";
    let whole = String::from_utf8(disk.contents(name)).expect("UTF-8");
    let mut went_on = 0;
    for seed in 0..2_000 {
        let damaged = damaged(&whole, &mut Dice::new(seed));
        let disk = SimDisk::new();
        boardd::Disk::append(&disk, name, &damaged).expect("room");
        if Journal::open(disk.clone(), "b1").is_ok() {
            went_on += 1;
            let left = disk.contents(name);
            assert!(whole.as_bytes().starts_with(&left), "seed {seed}: another journal");
        }
    }
    assert!(went_on > 50, "{went_on} of 2,000 were only cut");
}
