//! A file that was cut off is never read as if it were whole.

use formats::{Game, ReadOptions, Warning};

use crate::fuzz::{files_of, kinds};
use crate::makers::seeds;

/// Text that promises no end: nothing tells where it stops.
const OPEN_ENDED: [&str; 6] = ["text", "listing", "engine", "parents", "problems", "uci"];

/// The first silent cut of a file, of at most so many cuts.
fn silent_cut(name: &str, whole: &[u8], cuts: usize) -> Option<String> {
    let read = |data: &[u8]| formats::read(data, &ReadOptions::default());
    // A file that ends without its end as it is cannot tell a cut.
    let open_ended = |warning: &Warning| warning.what.contains("cut off");
    let expected = read(whole).ok().filter(|reading| !reading.warnings.iter().any(open_ended))?;
    let plies = |games: &[Game]| games.iter().map(|game| game.tree.len()).sum::<usize>();
    let cuts = whole.len().min(cuts);
    (0..cuts).map(|i| i * whole.len() / cuts).find_map(|at| {
        let found = read(&whole[..at]).ok()?;
        let told = found.warnings.iter().any(|warning| !expected.warnings.contains(warning));
        // What hangs behind the end of a record can go.
        let (there, all) = (plies(&found.games), plies(&expected.games));
        let silent = !told && there != all;
        silent.then(|| format!("{name} cut at {at} of {}: {there} of {all} plies, no warning", whole.len()))
    })
}

#[test]
fn a_cut_is_told() {
    let seeds = seeds().into_iter().filter(|(name, _)| !OPEN_ENDED.contains(name));
    let silent: Vec<String> = seeds.filter_map(|(name, seed)| silent_cut(name, &seed, usize::MAX)).collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// PGN without a result, bare digits and moves without a frame can end anywhere.
fn promises_an_end(data: &[u8]) -> bool {
    let has = |what: &[u8]| data.windows(what.len()).any(|found| found == what);
    let results = [&b"[Result \"1"[..], b"[Result \"0", b"[Result \"*"];
    let is_text = data.iter().take(100).all(|byte| *byte != 0);
    !is_text
        || (results.iter().any(|result| has(result)))
        || has(b"[/DhtmlXQ]")
        || has(b"}END")
        || has(b"Ends")
        || has(b"<Move")
}

#[test]
fn a_cut_of_a_real_file_is_told() {
    let mut silent = Vec::new();
    for kind in kinds().filter(|kind| !OPEN_ENDED.contains(&kind.name)) {
        let files = files_of(kind).into_iter();
        for (path, data) in files.filter(|(_, data)| data.len() < 20_000 && promises_an_end(data)) {
            silent.extend(silent_cut(&path, &data, 40));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
