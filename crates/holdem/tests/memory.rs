//! What a solve allocates against what was announced, in a process of its own.
#![cfg(target_os = "linux")]

use noregret_holdem::{GameLayout, Solver, Spot, TreeOptions};

/// How much memory this process holds, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let kilobytes: usize = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes * 1024
}

#[test]
fn a_solve_takes_what_its_outline_says() {
    let ranges = ["22+,A2s+,KTs+,QTs+,JTs,T9s,98s,ATo+,KQo", "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,ATo+,KJo+"]
        .map(|range| range.parse().unwrap());
    let options = TreeOptions::new(100.into(), 250.into());
    let spot = Spot::new(ranges, "QsJh2h".parse().unwrap(), options).unwrap();

    let before = resident();
    let layout = GameLayout::new(&spot).unwrap();
    let memory = layout.size(&Default::default()).memory;
    assert!(memory.total() > 100_000_000, "too small to measure: {memory:?}");
    // Laying out is small: the point of an layout is to be asked before anything large is allocated.
    assert!(resident() - before < memory.total() / 20, "an layout took {}", resident() - before);

    let game = layout.build();
    let tables = resident() - before;
    // A turn of both players touches every page.
    let mut solution = Solver::new(game.clone());
    solution.iterate();
    let taken = resident() - before;
    println!("announced {memory:?}, tables took {tables}, all took {taken}");
    let share = taken as f64 / memory.total() as f64;
    assert!((0.97..1.05).contains(&share), "took {taken} of {}", memory.total());
}
