//! The examples run to their end, with their assertions.

#[path = "../examples/own_game.rs"]
mod own_game;
#[path = "../examples/own_schedule.rs"]
mod own_schedule;

#[test]
fn own_game_finds_the_known_values() {
    own_game::main();
}

#[test]
fn own_schedule_reaches_the_target() {
    own_schedule::main();
}
