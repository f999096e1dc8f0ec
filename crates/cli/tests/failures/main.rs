//! Every failure in turn: for each command that writes, and for the server, each operation on the disk fails once, in every way, and
//! power is lost after each. What was there before is there, or what was to be written is, whole; and the exit code says which.
//!
//! The command runs in a process of its own: this program again, told by the environment what to run and what to break.
#![cfg(all(unix, feature = "serve"))]

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../serve/tests/common/http.rs"]
#[allow(dead_code, unreachable_pub)]
mod http;

mod child;
mod commands;
mod memory;
mod power_loss;
mod server;
