//! The game that a solver plays: a spot's betting tree on all of its runouts, with the value of every terminal node.

pub(crate) mod all_in;
pub(crate) mod deal_tables;
mod equity;
pub(crate) mod hands;
pub(crate) mod kernels;
pub(crate) mod layout;
pub(crate) mod orbits;
pub(crate) mod place;
pub(crate) mod postflop;
pub(crate) mod runouts;
pub(crate) mod warm_start;
