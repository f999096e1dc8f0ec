//! The examples run.

#[path = "../examples/lock_and_exploit.rs"]
mod lock_and_exploit;
#[path = "../examples/named_spot.rs"]
mod named_spot;
#[path = "../examples/solve_and_walk.rs"]
mod solve_and_walk;
// Compiled only: it is another workspace, which no other test builds.
#[allow(dead_code)]
#[path = "../../../scripts/ten-lines/main.rs"]
mod ten_lines;

#[test]
fn the_example_that_solves_and_walks_runs() {
    solve_and_walk::main().unwrap();
}

#[test]
fn the_example_of_a_lock_and_its_exploit_runs() {
    lock_and_exploit::main().unwrap();
}

#[test]
fn the_example_of_a_named_spot_is_a_spec() {
    use noregret_holdem::preflop::{NamedSpot, RakePreset};
    let [name, board] = named_spot::DEFAULTS;
    let text = named_spot::text(name, board).unwrap();
    assert_eq!(text, name.parse::<NamedSpot>().unwrap().toml(board, RakePreset::None));
    assert!(named_spot::text("BTN vs BB", board).is_err() && named_spot::text(name, "KsKs2c").is_err());
}
