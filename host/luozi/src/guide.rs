//! Leads somebody over the ninety points of a board: on the terminal, or simulated hands.

use calibration::{Calibration, SelfTest, Step, Task};
use sense::{Frame, Matrix, Orientation, ReedMatrix, Uptime};
use twin::{Bench, WiringFault};
use xiangqi::Bitboard;

use crate::outcome::Failure;
use crate::wired_board::Wired;

/// From scan to scan.
const PERIOD_US: u64 = 1_000;
/// Simulated hands wait so long for an answer before they say that there is none.
const PATIENCE_US: u64 = 1_000_000;

/// What asks for pieces on points.
pub trait Guided {
    fn step(&self) -> Step;
    fn sample(&mut self, now: Uptime, frame: Frame);
    fn confirm(&mut self);
}

impl Guided for SelfTest {
    fn step(&self) -> Step {
        match self.task() {
            Task::Clear => Step::Clear,
            Task::Put(square) => Step::Put(square),
            Task::Done => Step::Done,
        }
    }

    fn sample(&mut self, now: Uptime, frame: Frame) {
        self.sample(now, frame);
    }

    fn confirm(&mut self) {
        self.confirm();
    }
}

impl Guided for Calibration {
    fn step(&self) -> Step {
        self.step()
    }

    fn sample(&mut self, now: Uptime, frame: Frame) {
        self.sample(now, frame);
    }

    fn confirm(&mut self) {
        self.confirm();
    }
}

/// A simulated board on the bench.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Take a simulated board with simulated hands
    #[arg(long)]
    pub simulated: bool,
    /// What is wrong with the simulated board, as open:e4 or rows-bridged:3,4; may be repeated
    #[arg(long, value_name = "FAULT", requires = "simulated")]
    fault: Vec<WiringFault>,
    /// How long the simulated reeds bounce at most, in microseconds
    #[arg(long, value_name = "US", default_value_t = 3_000, requires = "simulated",
          value_parser = clap::value_parser!(u32).range(200..=100_000))]
    bounce: u32,
    /// Throws the bounces of the simulated reeds
    #[arg(long, default_value_t = 1, requires = "simulated")]
    seed: u64,
}

/// Goes over all points, or until somebody ends it.
pub fn lead(guided: &mut impl Guided, wired: &Wired, bench: &BenchArgs) -> Result<(), Failure> {
    if bench.simulated {
        lead_simulated(guided, bench);
        return Ok(());
    }
    lead_somebody(guided, wired)
}

/// Simulated hands do what they are asked, on a board whose pins are the twin's.
fn lead_simulated(guided: &mut impl Guided, args: &BenchArgs) {
    let bench = Bench::with_bounce(args.fault.clone(), args.bounce.into(), args.seed);
    let mut matrix =
        Matrix::new(bench.rows(), bench.columns(), bench.delay(), 20_000, Orientation::RedAtRowZero);
    let mut asked = None;
    let mut asked_at = Uptime::ZERO;
    while guided.step() != Step::Done {
        if asked != Some(guided.step()) {
            asked = Some(guided.step());
            asked_at = bench.now();
            match guided.step() {
                Step::Clear => bench.cover(Bitboard::EMPTY),
                Step::Put(square) => bench.cover(bench.covered().with(square)),
                Step::Lift(square) => bench.cover(bench.covered() & !Bitboard::of(square)),
                Step::Done => {}
            }
        }
        bench.wait_until(bench.now().plus_us(PERIOD_US));
        let now = bench.now();
        let Ok(frame) = matrix.scan();
        guided.sample(now, frame);
        if asked == Some(guided.step()) && now.us_since(asked_at) > PATIENCE_US {
            guided.confirm();
        }
    }
}

#[cfg(not(feature = "rpi"))]
fn lead_somebody(_: &mut impl Guided, _: &Wired) -> Result<(), Failure> {
    Err(Failure::new("this luozi was built without the pins of a Raspberry Pi; expected --simulated"))
}

/// Somebody does what he is asked on the terminal.
#[cfg(feature = "rpi")]
fn lead_somebody(guided: &mut impl Guided, wired: &Wired) -> Result<(), Failure> {
    use boardd::Clock;
    let mut reeds = boardd::rpi::reeds(&wired.profile, &wired.map).map_err(Failure::new)?;
    let mut clock = boardd::rpi::Monotonic::default();
    let (say, said) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if say.send(line).is_err() {
                return;
            }
        }
    });
    let mut asked = None;
    let mut failures = 0;
    while guided.step() != Step::Done {
        if asked != Some(guided.step()) {
            asked = Some(guided.step());
            match guided.step() {
                Step::Clear => eprintln!("Take every piece off."),
                Step::Put(square) => eprintln!("Put a piece on {square}."),
                Step::Lift(square) => eprintln!("Take the piece off {square}."),
                Step::Done => {}
            }
        }
        let at = clock.now_us() + PERIOD_US;
        clock.wait_until_us(at);
        match reeds.scan() {
            Ok(frame) => {
                failures = 0;
                guided.sample(Uptime::from_us(clock.now_us()), frame);
            }
            Err(error) => {
                failures += 1;
                // A second of nothing is no glitch.
                if failures > 1_000 {
                    return Err(Failure::new(format_args!("the reeds cannot be read: {error}")));
                }
            }
        }
        match said.try_recv().as_deref() {
            Ok("q") => return Ok(()),
            Ok(_) => guided.confirm(),
            Err(_) => {}
        }
    }
    Ok(())
}
