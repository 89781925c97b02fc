//! A fuzz target for each format: seeds and real files, damaged again and again; whatever comes out is judged and
//! written in every format.
//!
//! `cargo test -p formats --test hostile fuzz::xqf` runs one; `FUZZ_ROUNDS=100000` makes it long.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::makers::{packed_library, seeds};
use crate::mutation::{Random, mutate};
use crate::survive;

/// What belongs to a target.
pub struct Kind {
    pub name: &'static str,
    /// The names of its seeds.
    seeds: &'static [&'static str],
    /// The folders of its real files.
    folders: &'static [&'static str],
}

const fn kind(name: &'static str, seeds: &'static [&'static str], folders: &'static [&'static str]) -> Kind {
    Kind { name, seeds, folders }
}

const KINDS: [Kind; 16] = [
    kind("pgn", &["pgn", "parents"], &["pgn-cn-big5", "pgn-cn-gbk", "pgn-cn-utf8", "pgn-iccs-wxf-xboard"]),
    kind("xqf", &["xqf"], &["xqf"]),
    kind("cbr", &["cbr", "cbr-1"], &["cbr", "cbr-carved"]),
    kind("cbl", &["cbl"], &["cbl"]),
    kind("cbl_early", &["cbl-early"], &["cbl-v2-zlib"]),
    kind("cbf", &["cbf"], &["cbf"]),
    kind("dhtmlxq", &["dhtmlxq"], &["dhtmlxq"]),
    kind("wxf", &["wxf"], &["wxf"]),
    kind("json", &["json", "linked"], &["json"]),
    kind("text", &["text", "listing"], &["txt"]),
    kind("engine", &["engine"], &["uci", "ucci-log"]),
    kind("problems", &["problems"], &["epd-eglib"]),
    kind("diagram", &["xay"], &["xay"]),
    kind("mxq", &["mxq"], &["mxq"]),
    kind("che", &["che"], &["che"]),
    kind("chn_ccm", &["chn", "ccm"], &["chn", "ccm"]),
];

pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter()
}

/// Large files take their time and say little that small ones don't.
const LARGEST: usize = 64 * 1024;

/// The real files of a target, where they lie beside the repository.
pub fn files_of(kind: &Kind) -> Vec<(String, Vec<u8>)> {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/records");
    let mut files = Vec::new();
    for folder in kind.folders {
        let Ok(entries) = std::fs::read_dir(records.join(folder)) else {
            println!("skipped: no {folder} beside the repository");
            continue;
        };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let data = std::fs::read(&path).expect("a file of the folder");
            if data.len() <= LARGEST {
                files.push((path.display().to_string(), data));
            }
        }
    }
    files.sort();
    files
}

/// How long one file may take, on a busy machine without optimisation. What this catches is time that grows out of
/// proportion.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// What the process may have used at its largest, all targets together.
const MOST_MEMORY_KB: u64 = 1_500_000;

fn run(name: &str) {
    let kind = kinds().find(|kind| kind.name == name).expect("a target");
    let mut corpus: Vec<Vec<u8>> =
        seeds().into_iter().filter(|(seed, _)| kind.seeds.contains(seed)).map(|(_, seed)| seed).collect();
    assert!(!corpus.is_empty(), "{name} has no seed");
    corpus.extend(files_of(kind).into_iter().map(|(_, data)| data));
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(400);
    let mut random = Random(name.bytes().map(u64::from).sum());
    for round in 0..rounds {
        let file = &corpus[round % corpus.len()];
        let other = &corpus[random.next(corpus.len())];
        let damaged = match unpacked(file) {
            Some(plain) if round % 4 > 0 => packed_library(&mutate(&plain, &plain, &mut random)),
            _ => mutate(file, other, &mut random),
        };
        let started = Instant::now();
        survive(&damaged);
        assert!(started.elapsed() < PATIENCE, "{name}, round {round}: {:?}", started.elapsed());
    }
    let used = most_memory_kb().unwrap_or(0);
    assert!(used < MOST_MEMORY_KB, "{name}: {used} kB of memory");
}

/// What a compressed library holds, so that damage reaches behind the compression.
fn unpacked(file: &[u8]) -> Option<Vec<u8>> {
    let stream = file.strip_prefix(b"CCBridge\x15\0\0\0").and_then(|rest| rest.get(8..))?;
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::ZlibDecoder::new(stream), &mut plain).ok()?;
    Some(plain)
}

fn most_memory_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

macro_rules! targets {
    ($($name:ident),+) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })+

        #[test]
        fn every_kind_has_its_target() {
            let targets = [$(stringify!($name)),+];
            assert!(kinds().map(|kind| kind.name).eq(targets));
        }
    };
}

targets!(
    pgn, xqf, cbr, cbl, cbl_early, cbf, dhtmlxq, wxf, json, text, engine, problems, diagram, mxq, che,
    chn_ccm
);
