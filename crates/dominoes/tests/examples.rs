//! The examples run.

#[path = "../examples/look_up.rs"]
mod look_up;

#[test]
fn the_look_up_example_runs() {
    look_up::main().unwrap();
}
