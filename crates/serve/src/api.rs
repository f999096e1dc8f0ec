//! What goes over the wire: one module for each part of the API, types only.

// What is derived for a type with a parameter names it in full.
#[allow(unused_qualifications)]
pub mod common;
pub mod domino_drills;
pub mod drills;
pub mod examples;
pub mod forty_two;
pub mod hands;
pub mod locks;
pub mod node;
pub mod ranges;
pub mod reports;
pub mod solutions;
pub mod solves;
pub mod specs;
pub mod spots;
