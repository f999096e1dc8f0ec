//! The `noregret` command.

mod bytes;
mod failure;
mod interrupt;
mod solve;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Solve games where regret is the currency.
#[derive(Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Solve(args) => solve::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
