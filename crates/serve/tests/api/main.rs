//! Every endpoint over the wire, with good and with bad input.

#[path = "../common/mod.rs"]
mod common;

mod batches;
mod domino_drills;
mod drills;
mod examples;
mod forty_two;
mod guard;
mod hands;
mod hs_dcfr;
mod library;
mod reports;
mod solutions;
mod solves;
mod specs;
mod spots;
