//! Small spots for the tests of this crate.

use noregret_holdem::{
    GameLayout, Postflop, SaveOptions, SolutionFile, Solver, Spec, Spot, TreeOptions, save,
};
use std::sync::Arc;

/// A river spot with a bet and a raise.
pub fn river() -> Arc<Postflop> {
    game("QsJh2h8c3d")
}

/// The same from the turn on.
pub fn turn() -> Arc<Postflop> {
    game("QsJh2h8c")
}

fn game(board: &str) -> Arc<Postflop> {
    GameLayout::new(&spot(board)).unwrap().build()
}

fn spot(board: &str) -> Spot {
    let ranges = ["AA,QQ,T9s,87s,AhKh:0.5,JTs".parse().unwrap(), "KK,JJ,AQs,KTs,22:0.25".parse().unwrap()];
    Spot::new(ranges, board.parse().unwrap(), TreeOptions::new(100.into(), 300.into())).unwrap()
}

/// Hands over the turn spot after some iterations, from a file.
pub fn saved_turn(iterations: u32, read: impl FnOnce(&SolutionFile)) {
    let spec = Spec { spot: spot("QsJh2h8c"), solver: Default::default(), output: Default::default() };
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("turn.nrs");
    after(&turn(), iterations, |solution| save(&path, &spec, solution, &[], SaveOptions::default()).unwrap());
    read(&SolutionFile::open(&path).unwrap());
}

/// Hands over the river spot after some iterations.
pub fn solved(read: impl FnOnce(&Solver)) {
    after(&river(), 60, read);
}

/// Hands over a game after some iterations.
pub fn after(game: &Arc<Postflop>, iterations: u32, read: impl FnOnce(&Solver)) {
    let mut solution = Solver::new(game.clone());
    (0..iterations).for_each(|_| solution.iterate());
    read(&solution);
}
