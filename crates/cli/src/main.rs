//! The `noregret` command.

mod bytes;
mod compare;
mod devices;
mod digits;
mod failure;
mod forty_two;
mod interrupt;
mod limit;
mod output;
mod precision;
mod solve;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Solve games where regret is the currency.
#[derive(Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Examples:
  noregret solve examples/quick.toml
  noregret compare examples/turn.toml --algorithms dcfr,cfr+
  noregret forty-two value --seed 0 --decl blanks
  noregret solve --help"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Compare(compare::Args),
    FortyTwo(forty_two::Args),
    Devices(devices::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Solve(args) => solve::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::FortyTwo(args) => forty_two::run(&args),
        Command::Devices(args) => devices::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
