//! Pictures whose truth is known, drawn by `pictures/render.mjs`: faces learnt from two of the initial position read the others.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use vision::{Camera, Faces, Photo};
use xiangqi::{Board, Setup};

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}

fn truth() -> Value {
    serde_json::from_slice(&std::fs::read(pictures().join("truth.json")).unwrap()).unwrap()
}

fn photo(name: &str) -> Photo {
    Photo::decode(&std::fs::read(pictures().join(name).with_extension("jpg")).unwrap()).unwrap()
}

fn camera() -> Camera {
    let corners = serde_json::from_value(truth()["start-1"]["corners"].clone()).unwrap();
    Camera { corners, start: Vec::new() }
}

fn board(placement: &str) -> Board {
    format!("{placement} w").parse::<Setup>().unwrap().board
}

fn faces() -> &'static Faces {
    static FACES: OnceLock<Faces> = OnceLock::new();
    FACES.get_or_init(|| Faces::learn(&camera(), &[photo("start-1"), photo("start-2")]).unwrap())
}

/// Who is sure must be right; what is wrong is a doubt, and rare. Which points are bare, and whose piece stands on the others,
/// is always right.
fn check(name: &str) {
    let reading = faces().read(&camera(), &photo(name)).unwrap();
    let expected = board(truth()[name]["placement"].as_str().unwrap());
    let mut wrong = 0;
    for point in &reading.points {
        let (seen, should) = (point.best().0, expected.piece_at(point.square));
        let told = format!("{name} {}: {should:?} was read as {:?}", point.square, &point.classes[..1]);
        assert_eq!(seen.map(|piece| piece.color), should.map(|piece| piece.color), "{told}");
        assert!(seen == should || point.is_doubt(), "{told}");
        wrong += usize::from(seen != should);
    }
    let doubts: Vec<_> = reading.doubts().map(|point| point.square).collect();
    println!("{name}: {wrong} wrong, doubts {doubts:?}");
    assert!(wrong <= 1 && doubts.len() <= 4, "{name}: {wrong} wrong, doubts {doubts:?}");
    assert!(reading.differences(&expected).len() <= 1);
}

#[test]
fn a_middle_game_is_read() {
    check("middle");
}

#[test]
fn an_ending_is_read() {
    check("ending");
}

#[test]
fn half_the_light_is_read() {
    check("dim");
}

/// Horse and cannon set up the wrong way round: reeds cannot see it, a picture does.
#[test]
fn pieces_that_were_exchanged_are_named() {
    let reading = faces().read(&camera(), &photo("dim")).unwrap();
    let mut expected = board(truth()["dim"]["placement"].as_str().unwrap());
    let [b0, b2] = ["b0", "b2"].map(|name| name.parse().unwrap());
    let (horse, cannon) = (expected.take(b0).unwrap(), expected.take(b2).unwrap());
    expected.put(b0, cannon);
    expected.put(b2, horse);
    let seen: Vec<_> =
        reading.differences(&expected).iter().map(|found| (found.square, found.seen)).collect();
    for (square, piece) in [(b0, horse), (b2, cannon)] {
        assert!(seen.contains(&(square, Some(piece))), "{seen:?}");
    }
}

#[test]
fn what_is_no_board_is_refused() {
    let swapped = Camera { corners: [3, 2, 1, 0].map(|at| camera().corners[at]), start: Vec::new() };
    let error = faces().read(&swapped, &photo("middle")).unwrap_err().to_string();
    assert!(error.contains("in this order"), "{error}");
    let mut outside = camera();
    outside.corners[2] = [2000.0, 10.0];
    let error = faces().read(&outside, &photo("middle")).unwrap_err().to_string();
    assert!(error.contains("i9") && error.contains("900 x 900"), "{error}");
    let error = Faces::learn(&camera(), &[photo("ending")]).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("initial position"), "{error}");
    assert!(Photo::decode(b"GIF89a").is_err());
    let cut = std::fs::read(pictures().join("middle.jpg")).unwrap();
    assert!(Photo::decode(&cut[..200]).is_err());
}
