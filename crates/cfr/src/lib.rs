//! Counterfactual regret minimisation over any two-player public-tree game.
//!
//! A [`Game`] is a [`Tree`] of public actions, shared by all *deals* (what chance has revealed so far), and
//! values at its leaves for whole vectors of private hands. A [`Solver`] owns the regrets and the average
//! strategy, and improves them an iteration at a time:
//!
//! ```
//! use noregret_cfr::{Dcfr, Player, Solver, games::Kuhn};
//!
//! let game = Kuhn::new();
//! let mut solver = Solver::new(&game, Dcfr::default());
//! while solver.exploitability() > 1e-4 {
//!     solver.iterate();
//! }
//! let value = solver.expected_value(Player::First);
//! assert!((value + 1.0 / 18.0).abs() < 1e-3);
//! ```

mod average;
mod cells;
mod ends;
mod game;
pub mod games;
mod kernels;
mod locks;
mod player;
mod prune;
mod resolve;
mod schedule;
pub mod simd;
mod sleep;
mod snapshot;
mod solver;
mod state;
mod subgame;
mod traverse;
mod tree;
mod warm_start;

pub use average::{DealValues, Reached, Response};
pub use cells::Precision;
pub use game::{Beside, Deal, Ends, Game, Sums};
pub use locks::Locks;
pub use player::Player;
pub use resolve::{Bound, resolve};
pub use schedule::{
    CfrPlus, Dcfr, DcfrPlus, Discounts, HsDcfr, Lcfr, PcfrPlus, PdcfrPlus, Ramp, SapcfrPlus, Schedule, WarmUp,
};
pub use snapshot::{Kept, Numbers, NumbersError, Progress, Shape};
pub use solver::Solver;
pub use state::{StateBytes, Storage, state_bytes};
pub use subgame::Subgame;
pub use traverse::working_bytes;
pub use tree::{Kind, LEAVES, MAX_ACTIONS, MAX_ROUNDS, Node, NodeId, Tree, TreeError};
pub use warm_start::{Blend, Counterpart};
