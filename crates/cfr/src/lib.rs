//! Counterfactual regret minimisation over any two-player public-tree game.

mod player;

pub use player::Player;
