//! Solving: iterations up to a target, and reading what has been found.

pub(crate) mod board_cache;
mod coarse_phase;
pub(crate) mod exploit;
pub(crate) mod merit;
pub(crate) mod precision_profile;
pub(crate) mod reading;
pub(crate) mod results;
pub(crate) mod run;
pub(crate) mod solver;
