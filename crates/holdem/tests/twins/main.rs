//! The engine against plain twins of it and against answers that are known on paper.
//!
//! The twins deal every pair of hands and every card, one at a time, in 64-bit floats: no vectors, no symmetry, no
//! shared tables. They are slow and meant to be obviously right.

mod closed_forms;
mod equity;
mod exploit;
mod isomorphism;
mod kernels;
mod learner;
mod learning;
mod locks;
mod reading;
mod skipping;
mod spots;
mod symmetry;
mod twin;
