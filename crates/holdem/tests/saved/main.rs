//! Solutions on disk: what is read from a file is what was in memory, to the bit; what was left out is solved again.

#[path = "../twins/spots.rs"]
#[allow(dead_code)]
mod spots;

mod common;
mod damage;
mod full;
mod locks;
mod resume;
mod small;
mod verify;
