//! The exhaustive solver: which positions between tricks are reachable, and what each is worth.
//!
//! `level` gives every position an address. `trick_traversal` visits all legal plays of one trick. The forward pass
//! (`reachable`) and the backward pass (`backward`) run on it, 64 hands of seat 0 at a time. `search` values the moves of
//! one position from a solved level, `alpha_beta` without one.

pub(crate) mod alpha_beta;
pub(crate) mod backward;
pub(crate) mod lanes;
pub(crate) mod level;
pub(crate) mod reachable;
pub(crate) mod rule_tables;
pub(crate) mod search;
pub(crate) mod trick_traversal;
