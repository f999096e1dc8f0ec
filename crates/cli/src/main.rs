//! The `noregret` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(noregret::run(std::env::args_os()).0)
}
