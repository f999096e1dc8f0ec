//! Solutions on disk: what is read from a file is what was in memory, to the bit.

#[path = "../twins/spots.rs"]
#[allow(dead_code)]
mod spots;

mod common;
mod full;
mod small;
