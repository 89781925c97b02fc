//! Worlds with faults, as many as one likes: `cargo run --release -p tests --example vopr -- [worlds] [first seed]`.
//! Prints the seed of a world that fails and ends with 1.

use std::process::ExitCode;

use tests::vopr;
use twin::GameRecord;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Ok(worlds), Ok(first)) = (arguments.next().unwrap_or(Ok(10_000)), arguments.next().unwrap_or(Ok(0)))
    else {
        eprintln!("expected a number of worlds and a first seed");
        return ExitCode::from(2);
    };
    let records = GameRecord::shipped();
    for seed in first..first + worlds {
        if let Err(why) = vopr::run(seed, &records) {
            println!("seed {seed}: {why}");
            return ExitCode::from(1);
        }
        if seed % 1_000 == 999 {
            println!("{} worlds converged", seed + 1 - first);
        }
    }
    println!("{worlds} worlds converged");
    ExitCode::SUCCESS
}
