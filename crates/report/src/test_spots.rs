//! Small spots for the tests of this crate.

use noregret_holdem::{Outline, Postflop, Solution, Spot, TreeOptions};

/// A river spot with a bet and a raise.
pub fn river() -> Postflop {
    game("QsJh2h8c3d")
}

/// The same from the turn on.
pub fn turn() -> Postflop {
    game("QsJh2h8c")
}

fn game(board: &str) -> Postflop {
    let ranges = ["AA,QQ,T9s,87s,AhKh:0.5,JTs".parse().unwrap(), "KK,JJ,AQs,KTs,22:0.25".parse().unwrap()];
    let spot = Spot::new(ranges, board.parse().unwrap(), TreeOptions::new(100.into(), 300.into())).unwrap();
    Outline::new(&spot).unwrap().build()
}

/// Hands over the river spot after some iterations.
pub fn solved(read: impl FnOnce(&Solution<'_>)) {
    after(&river(), 60, read);
}

/// Hands over a game after some iterations.
pub fn after(game: &Postflop, iterations: u32, read: impl FnOnce(&Solution<'_>)) {
    let mut solution = Solution::new(game);
    (0..iterations).for_each(|_| solution.iterate());
    read(&solution);
}
