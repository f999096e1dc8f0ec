//! Counterfactual regret minimisation over any two-player public-tree game.
//!
//! A [`Game`] is a [`Tree`] of public actions, shared by all *deals* (what chance has revealed so far), and payoffs at its
//! terminal nodes for whole vectors of private hands. A [`Trainer`] owns the cumulative regrets and the average strategies of both
//! players, and improves them an iteration at a time:
//!
//! ```
//! use noregret_cfr::{Dcfr, Player, Trainer, games::Kuhn};
//! use std::sync::Arc;
//!
//! let mut trainer = Trainer::new(Arc::new(Kuhn::new()), Dcfr::default());
//! while trainer.exploitability() > 1e-4 {
//!     trainer.iterate();
//! }
//! let value = trainer.average().expected_value(Player::First);
//! assert!((value + 1.0 / 18.0).abs() < 1e-3);
//! ```
//!
//! The words are those of the literature. An *information set* is a decision node with one hand of the player who decides there: the
//! state of all information sets of a node is a vector over hands. *Reach probabilities*, *counterfactual values* and *cumulative
//! regrets* are such vectors, too.
//!
//! # Where to find what
//!
//! For readers who know the papers; each file cites those that it follows.
//!
//! | in the papers | here |
//! |---|---|
//! | an iteration of CFR, alternating updates | [`Trainer::iterate`] in `trainer.rs` |
//! | the recursion over the public tree, in vector form | `traverse.rs` |
//! | reach probabilities, the forward pass | `traverse.rs` (`propagate_…_reach`); `kernels/regret_matching.rs`, `kernels/average.rs` |
//! | counterfactual values, the backward pass | `kernels/regret_update.rs` in an iteration, `kernels/backpropagate.rs` otherwise |
//! | regret matching | `kernels/regret_matching.rs` |
//! | counterfactual regrets and their update | `kernels/regret_update.rs` |
//! | average strategy, weighted by reach and iteration | `kernels/average.rs`, [`Strategy`] |
//! | best response, exploitability | [`Profile::best_response_value`], [`Profile::exploitability`]; `kernels/backpropagate.rs` |
//! | CFR+, LCFR, DCFR, PCFR+, DCFR+, PDCFR+, SAPCFR+, HS-DCFR | `schedule.rs`: each is a [`Schedule`] |
//! | sequence form | `tree/sequence_form.rs` |
//! | terminal nodes, sixteen at a time | [`Game::evaluate`], [`TerminalBatch`]; `tree/terminals.rs` |
//! | regret-based pruning | `prune.rs`, [`Trainer::pruning`] |
//! | partial pruning: the opponent's reach is zero | `skipping.rs` |
//! | subgames, re-solving with a gadget | [`Subgame`], [`resolve()`] |
//! | trunk and subgames on many machines | [`Trunk`], [`Branches`]; `cut.rs` |
//! | warm starting | `warm_start.rs`, [`Trainer::warm_start`] |
//! | quantised regrets, stochastic rounding | `quantize.rs`, [`Precision`] |
//! | locked strategies | [`Locks`] |
//! | SIMD | [`simd`] |
//!
//! To add a game, implement [`Game`] (`examples/own_game.rs`); to add a CFR variant, implement [`Schedule`]
//! (`examples/own_schedule.rs`).

mod branch_values;
mod cut;
mod deal;
mod encoding;
mod game;
pub mod games;
mod iteration;
mod kernels;
mod locks;
mod past_discounts;
mod player;
mod profile;
mod prune;
mod quantize;
mod reach;
mod regret_table;
mod resolve;
mod schedule;
pub mod simd;
mod skipping;
mod state;
mod strategy;
mod strategy_source;
mod subgame;
mod trainer;
mod traverse;
mod tree;
mod tree_builder;
mod warm_start;

pub use cut::{Branches, CutError, MessageError, Trunk};
pub use deal::Deal;
pub use encoding::{ArrayKind, DecodeError, EncodedArray, EncodedShape};
pub use game::{BATCH_LANES, Game, PairedFolds, SumPrecision, TerminalBatch};
pub use locks::Locks;
pub use player::Player;
pub use profile::{DealValues, Profile, ReachedDeal, Response};
pub use quantize::Precision;
pub use regret_table::RegretTable;
pub use resolve::{ResolveBound, resolve};
pub use schedule::{
    CfrPlus, Dcfr, DcfrPlus, Discounts, HsDcfr, Lcfr, LcfrPlus, PcfrPlus, PdcfrPlus, Ramp, SapcfrPlus,
    Schedule, WarmUp,
};
pub use state::{StateBuffers, StateBytes, StoragePrecision, StoredDeals, state_bytes, stored_state_bytes};
pub use strategy::{DealDigest, Strategy, digest_of_deals};
pub use subgame::Subgame;
pub use trainer::{Trainer, TrainerProgress};
pub use traverse::working_bytes;
pub use tree::{MAX_ACTIONS, MAX_ROUNDS, Node, NodeId, NodeKind, Terminal, Tree, TreeError};
pub use tree_builder::TreeBuilder;
pub use warm_start::{Blend, Counterpart};
