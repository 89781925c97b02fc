//! The order in which pins and buses are touched, and what a scan makes of them.

use embedded_hal_mock::eh1::delay::NoopDelay;
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Touch};
use embedded_hal_mock::eh1::spi::{Mock as Spi, Transaction as Transfer};
use sense::{Frame, Matrix, Orientation, ReedMatrix, ScanError, SerialError, SerialMatrix};
use xiangqi::{Bitboard, Rank, Square};

fn frame(squares: &[&str]) -> Frame {
    Frame::new(squares.iter().map(|s| s.parse::<Square>().unwrap()).collect::<Bitboard>())
}

/// Row pins that expect to be driven and released once, and column pins that answer for one scan with `closed`.
fn pins(closed: Frame) -> ([Pin; 10], [Pin; 9]) {
    let rows = std::array::from_fn(|_| Pin::new(&[Touch::set(State::High), Touch::set(State::Low)]));
    let columns = std::array::from_fn(|column| {
        let answers: Vec<Touch> = (0..10)
            .map(|row| closed.closed.contains(Square::new(row * 9 + column).unwrap()))
            .map(|high| Touch::get(if high { State::High } else { State::Low }))
            .collect();
        Pin::new(&answers)
    });
    (rows, columns)
}

#[test]
fn every_row_is_driven_alone_and_released() {
    let stands = frame(&["a0", "e4", "i9", "b7"]);
    let turned = frame(&["i9", "e5", "a0", "h2"]);
    for (orientation, expected) in
        [(Orientation::RedAtRowZero, stands), (Orientation::BlackAtRowZero, turned)]
    {
        let (rows, columns) = pins(stands);
        let mut checks: Vec<Pin> = rows.iter().chain(&columns).cloned().collect();
        let mut matrix = Matrix::new(rows, columns, NoopDelay::new(), 10_000, orientation);
        assert_eq!(matrix.scan(), Ok(expected));
        checks.iter_mut().for_each(Pin::done);
    }
}

#[test]
fn a_failing_column_releases_the_row() {
    let error = embedded_hal_mock::eh1::MockError::Io(std::io::ErrorKind::NotConnected);
    let driven = [Touch::set(State::High), Touch::set(State::Low)];
    let broken = [Touch::get(State::High).with_error(error.clone())];
    let rows: [Pin; 10] = std::array::from_fn(|row| Pin::new(if row == 0 { &driven[..] } else { &[] }));
    let columns: [Pin; 9] =
        std::array::from_fn(|column| Pin::new(if column == 0 { &broken[..] } else { &[] }));
    let mut checks: Vec<Pin> = rows.iter().chain(&columns).cloned().collect();
    let mut matrix = Matrix::new(rows, columns, NoopDelay::new(), 0, Orientation::default());
    assert_eq!(matrix.scan(), Err(ScanError::Column(xiangqi::File::A, error)));
    checks.iter_mut().for_each(Pin::done);
}

/// The transfers of one scan: each sends the next row and receives the columns of the row before.
fn transfers(columns: [u16; 10]) -> Vec<Transfer<u8>> {
    let sent = (0..10).map(|row| 1u16 << row).chain([0]);
    let received = [0u16].into_iter().chain(columns);
    sent.zip(received)
        .flat_map(|(sent, received)| {
            let (sent, received) = (sent.to_be_bytes().to_vec(), received.to_be_bytes().to_vec());
            [
                Transfer::transaction_start(),
                Transfer::transfer_in_place(sent, received),
                Transfer::transaction_end(),
            ]
        })
        .collect()
}

#[test]
fn rows_go_out_while_columns_come_in() {
    let mut columns = [0; 10];
    columns[Rank::R0.index()] = 0b1_0000_0001;
    columns[Rank::R9.index()] = 0b0_0001_0000;
    let mut spi = Spi::new(&transfers(columns));
    let pulses: Vec<Touch> =
        (0..20).map(|i| Touch::set(if i % 2 == 0 { State::Low } else { State::High })).collect();
    let mut load = Pin::new(&pulses);
    let mut matrix =
        SerialMatrix::new(spi.clone(), load.clone(), NoopDelay::new(), 1_000, Orientation::default());
    assert_eq!(matrix.scan(), Ok(frame(&["a0", "i0", "e9"])));
    spi.done();
    load.done();
}

#[test]
fn a_chain_that_does_not_answer_is_no_reading() {
    let mut spi = Spi::new(&transfers([0xffff; 10])[..6]);
    let mut load = Pin::new(&[Touch::set(State::Low), Touch::set(State::High)]);
    let mut matrix =
        SerialMatrix::new(spi.clone(), load.clone(), NoopDelay::new(), 0, Orientation::default());
    assert_eq!(matrix.scan(), Err(SerialError::Chain(0xffff)));
    spi.done();
    load.done();
}
