//! Two hundred short worlds with faults. `cargo run --release -p tests --example vopr -- 100000` runs more.

use tests::vopr;
use twin::GameRecord;

#[test]
fn two_hundred_worlds_converge() {
    let records = GameRecord::shipped();
    let mut total = vopr::Stats::default();
    for seed in 0..200 {
        let stats = vopr::run(seed, &records).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        total.lines += stats.lines;
        total.kills += stats.kills;
        total.power_losses += stats.power_losses;
        total.disk_errors += stats.disk_errors;
        total.broker_faults += stats.broker_faults;
        total.hall_faults += stats.hall_faults;
        total.repeated += stats.repeated;
    }
    println!("{total:?}");
    // A simulation whose faults do not happen proves nothing.
    assert!(total.kills > 150 && total.power_losses > 100 && total.disk_errors > 300, "{total:?}");
    assert!(total.broker_faults > 300 && total.repeated > 1_000, "{total:?}");
    assert!(total.hall_faults > 1_000, "{total:?}");
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let records = GameRecord::shipped();
    assert_eq!(vopr::run(7, &records), vopr::run(7, &records));
}
