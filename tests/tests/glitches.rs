//! What a board makes of readings with a slip in them: games begin and go on all the same.

use std::convert::Infallible;

use boardd::{Buttons, ScannedBoard, Sensing, Source, usual_header};
use embedded_hal_mock::eh1::digital::Mock;
use sense::{Frame, ReedMatrix, Uptime};
use tests::Impatient;
use xiangqi::{Bitboard, Position, Rank, Square};

/// Reeds whose reading depends on how often they were read.
struct Reeds<F>(u64, F);

impl<F: Fn(u64) -> Bitboard> ReedMatrix for Reeds<F> {
    type Error = Infallible;

    fn scan(&mut self) -> Result<Frame, Infallible> {
        self.0 += 1;
        Ok(Frame::new((self.1)(self.0 - 1)))
    }
}

fn start() -> Bitboard {
    Position::initial().board().occupied()
}

/// When games begin, in milliseconds, in `seconds` of such readings, one every `period_us`.
fn games(seconds: u64, period_us: u64, reading: impl Fn(u64) -> Bitboard + Send + 'static) -> Vec<u64> {
    let buttons = Buttons::<Mock>::new([]);
    let header = usual_header("a", None);
    let mut board =
        ScannedBoard::new(Reeds(0, reading), buttons, Impatient::default(), Bitboard::EMPTY, header)
            .every(period_us);
    board.start(Uptime::ZERO, None);
    let mut begun = Vec::new();
    loop {
        let now = match board.next(None) {
            Sensing::Game(header) => {
                begun.push(header.us / 1_000);
                continue;
            }
            Sensing::Observed(observation) => observation.at,
            Sensing::Quiet(now) | Sensing::Order(now, _) => now,
            Sensing::Ended => return begun,
        };
        if now >= Uptime::from_ms(seconds * 1_000) {
            return begun;
        }
    }
}

#[test]
fn a_game_begins_when_the_start_has_stood_for_three_seconds_after_it_settled() {
    assert_eq!(games(10, 1_000, |_| start()), [3_005]);
    assert_eq!(games(10, 10_000, |_| start()), [3_010], "a hundred times a second");
}

/// A row that is read too early shows the columns of the row before.
#[test]
fn a_row_misread_now_and_then_neither_keeps_a_game_from_beginning_nor_begins_another() {
    let misread = |at: u64| {
        let row = |rank: Rank| Square::all().filter(move |square| square.rank() == rank);
        let rank = Rank::ALL[(at / 100 % 9 + 1) as usize];
        let before = Rank::ALL[(at / 100 % 9) as usize];
        let kept: Bitboard = start().filter(|square| square.rank() != rank).collect();
        let late: Bitboard = row(rank)
            .zip(row(before))
            .filter(|(_, shown)| start().contains(*shown))
            .map(|(square, _)| square)
            .collect();
        if at.is_multiple_of(100) { kept | late } else { start() }
    };
    assert_eq!(games(20, 1_000, misread), [3_005]);
}

#[test]
fn a_contact_that_chatters_does_not_keep_a_game_from_beginning() {
    let king: Square = "e0".parse().expect("a point");
    let chatters = move |at: u64| match at {
        0..100 => start(),
        _ if at % 5 < 2 => start() & !Bitboard::of(king),
        _ => start(),
    };
    // Two milliseconds later, because the game's first reading is a whole one.
    assert_eq!(games(10, 1_000, chatters), [3_007]);
}

#[test]
fn the_next_game_begins_when_pieces_were_moved_and_stand_again() {
    let moved: Bitboard = start().skip(4).collect();
    let again = move |at: u64| if (5_000..8_000).contains(&at) { moved } else { start() };
    assert_eq!(games(20, 1_000, again), [3_005, 11_005]);
    // As long as too few points have changed it is the same game.
    let adjusted: Bitboard = start().skip(1).collect();
    let again = move |at: u64| if (5_000..8_000).contains(&at) { adjusted } else { start() };
    assert_eq!(games(20, 1_000, again), [3_005]);
}
