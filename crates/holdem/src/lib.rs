//! Heads-up postflop hold'em: the spot that a user asks about, its betting tree, and the game that a solver plays.

pub use noregret_cards as cards;
pub use noregret_cfr::Player;

/// The player who acts first on every street.
pub const OOP: Player = Player::First;
/// The player who acts last on every street.
pub const IP: Player = Player::Second;

mod chips;
mod deal_tables;
mod equity;
mod game;
mod hands;
mod kernels;
mod line;
mod run;
mod runouts;
mod size;
mod solution;
mod spec;
mod spot;
mod text;
mod tree;

pub use chips::Chips;
pub use game::{MemoryPlan, Outline, Postflop, Size};
pub use line::{Line, LineError, ParseLineError, Step};
pub use run::{Checked, Ending, Goal, Outcome, run};
pub use runouts::Isomorphism;
pub use size::{BetSize, Multiple, ParseSizeError, Percent, Preset, SizeEntry, SizeKind, SizeList};
pub use solution::{HandView, NodeView, Solution};
pub use spec::{Algorithm, ChoiceError, OutputOptions, Precision, SolverOptions, Spec, SpecError};
pub use spot::{Spot, SpotError};
pub use tree::{
    Action, BettingTree, Node, NodeId, NodeKind, OptionsError, Payoff, Rake, StreetSizes, TreeCounts,
    TreeError, TreeField, TreeOptions,
};
