//! The command line that comes with the wheel.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command `noregret` with these arguments, without the name of the program, and returns its exit code.
#[pyfunction]
pub fn run_command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| noregret::run([OsString::from("noregret")].into_iter().chain(arguments)).0)
}
