//! What goes over the wire: one module for each part of the API, types only.

pub mod common;
pub mod forty_two;
pub mod node;
pub mod ranges;
pub mod reports;
pub mod solutions;
pub mod solves;
pub mod specs;
