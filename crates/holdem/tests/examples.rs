//! The examples run.

#[path = "../examples/lock_and_exploit.rs"]
mod lock_and_exploit;
#[path = "../examples/solve_and_walk.rs"]
mod solve_and_walk;

#[test]
fn the_example_that_solves_and_walks_runs() {
    solve_and_walk::main().unwrap();
}

#[test]
fn the_example_of_a_lock_and_its_exploit_runs() {
    lock_and_exploit::main().unwrap();
}
