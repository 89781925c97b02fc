//! A played game is sensed as it was played.

use sense::{Frame, Matrix, Orientation, ReedMatrix, SerialMatrix, Uptime};
use trace::Sensed;
use twin::{Game, GameRecord, PinBoard, Schedule, Style};
use xiangqi::{Bitboard, Move, Position};

/// The opening moves of a real game: both sides capture.
const MOVES: &str =
    "h2e2 h9g7 h0g2 i9h9 g3g4 c6c5 i0i1 b9c7 i1d1 b7a7 b0a2 c9e7 e2e6 d9e8 e6e5 g7e6 d1d6 h7h0";

fn game() -> Game {
    let moves: Vec<Move> = MOVES.split(' ').map(|text| text.parse().unwrap()).collect();
    Game::new(Position::initial(), moves).unwrap()
}

/// The frames that shipped scan code reads from the twin's pins.
fn scanned<M: ReedMatrix<Error: std::fmt::Debug>>(
    board: &PinBoard,
    mut matrix: M,
    until: Uptime,
) -> Vec<(Uptime, Frame)> {
    let mut frames: Vec<(Uptime, Frame)> = Vec::new();
    let mut begin = Uptime::ZERO;
    while begin <= until {
        board.wait_until(begin);
        let frame = matrix.scan().unwrap();
        if frames.last().is_none_or(|(_, last)| *last != frame) {
            frames.push((begin, frame));
        }
        begin = begin.plus_us(Schedule::default().period_us);
    }
    frames
}

#[test]
fn the_scan_code_reads_from_the_pins_what_the_trace_says() {
    let settle_ns = Schedule::default().settle_us as u32 * 1000;
    let upright = Orientation::RedAtRowZero;
    for (style, seed) in Style::ALL.into_iter().zip(0..) {
        let played = game().play(style, seed);
        let end = played.observations.last().unwrap().at.plus_us(10_000);
        let traced: Vec<(Uptime, Frame)> = played
            .observations
            .iter()
            .filter_map(|o| if let Sensed::Closed(frame) = o.sensed { Some((o.at, frame)) } else { None })
            .collect();
        let board = PinBoard::new(&played);
        let direct = Matrix::new(board.rows(), board.columns(), board.delay(), settle_ns, upright);
        assert_eq!(scanned(&board, direct, end), traced, "direct, {style}");
        let board = PinBoard::new(&played);
        let (chain, load) = board.chain();
        let serial = SerialMatrix::new(chain, load, board.delay(), settle_ns, upright);
        assert_eq!(scanned(&board, serial, end), traced, "serial, {style}");
    }
}

#[test]
fn the_board_reads_the_positions_that_were_played() {
    let quiet_reeds = [Style::Clean, Style::Slides, Style::Fumbles, Style::NoClock, Style::Disputed];
    let (mut set_up, mut cleared) = (0, 0);
    for (seed, style) in (0..40).flat_map(|seed| quiet_reeds.map(|style| (seed, style))) {
        let played = game().play(style, seed);
        let mut frames = played.observations.iter().filter_map(|o| match o.sensed {
            Sensed::Closed(frame) => Some(frame.closed),
            _ => None,
        });
        let mut position = Position::initial();
        let first = frames.next().unwrap();
        set_up += usize::from(first.is_empty());
        assert!(first.is_empty() || first == position.board().occupied(), "{style} {seed}");
        let mut last = first;
        let mut wanted = played.truth.moves.iter();
        for closed in frames {
            // A piece that stands beside its point may be pushed there only after the reply.
            for count in 1..=2.min(wanted.len()) {
                let ahead = &wanted.as_slice()[..count];
                let next = ahead.iter().fold(position, |position, mv| position.play_unchecked(*mv));
                if next.board().occupied() == closed {
                    position = next;
                    wanted.nth(count - 1);
                    break;
                }
            }
            last = closed;
        }
        assert!(wanted.as_slice().is_empty(), "{style} {seed}: {wanted:?}");
        cleared += usize::from(last != played.truth.position.board().occupied());
    }
    assert!((1..60).contains(&set_up) && (1..100).contains(&cleared), "{set_up} {cleared}");
}

/// A piece may stand beside its point (5.10) when the clock is pressed; all others stand on theirs.
#[test]
fn one_piece_at_most_stands_astray_when_the_clock_is_pressed() {
    let play = |position: &mut Position, mv: &Move| {
        *position = position.play_unchecked(*mv);
        Some(*position)
    };
    let positions: Vec<Position> = game().moves().iter().scan(Position::initial(), play).collect();
    let strays = |style: Style, seed: u64| {
        let (mut closed, mut after, mut strays) = (Bitboard::EMPTY, 0, 0);
        for observation in game().play(style, seed).observations {
            let side = match observation.sensed {
                Sensed::Closed(frame) => {
                    closed = frame.closed;
                    continue;
                }
                Sensed::Press(side) => side,
                _ => continue,
            };
            // A press may have been forgotten before.
            let pressed = (after..positions.len()).find_map(|ply| {
                let occupied = positions[ply].board().occupied();
                let bare = (occupied & !closed).count();
                let stands = positions[ply].turn() != side && (closed & !occupied).is_empty() && bare <= 1;
                stands.then_some((ply, bare))
            });
            let (ply, bare) = pressed.unwrap_or_else(|| panic!("{style} {seed}: {:?}", observation.at));
            after = ply + 1;
            strays += bare;
        }
        strays
    };
    assert_eq!((0..20).map(|seed| strays(Style::Clean, seed)).sum::<u32>(), 0);
    let fumbled: u32 = (0..200).map(|seed| strays(Style::Fumbles, seed)).sum();
    assert!((2..80).contains(&fumbled), "{fumbled}");
}

#[test]
fn the_shipped_games_are_whole() {
    let games = GameRecord::shipped();
    assert_eq!(games.len(), 60);
    assert!(games.iter().all(|record| record.game.moves().len() >= 24));
}
