//! Solving: iterations up to a target, and reading what has been found.

mod coarse_phase;
pub(crate) mod reading;
pub(crate) mod run;
pub(crate) mod solver;
