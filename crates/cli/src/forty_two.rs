//! `noregret forty-two`: Texas 42, solved exactly.

mod bench;
mod bid;
mod census;
mod draw;
mod rows;
mod seeds;
mod solve;
mod source;
mod value;
mod verify;

use crate::failure::Failure;
use std::process::ExitCode;

/// Texas 42: the exact value of every move in every reachable position of a deal.
///
/// Seat 0 leads the first trick; seats 0 and 2 are Team 0. Values are differences in points from Team 0's side.
/// Declarations, by name or number: blanks (0), ones, twos, threes, fours, fives, sixes (6), doubles-trump (7),
/// doubles-suit (8), no-trump (9).
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret forty-two value --seed 0 --decl blanks
  noregret forty-two solve --seeds 0..1000 --decls all --out tables
  noregret forty-two bid --hand \"6-6 6-5 6-4 5-5 4-4 1-0 2-0\"")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Solve(solve::Args),
    Value(value::Args),
    Census(census::Args),
    Rows(rows::Args),
    Verify(verify::Args),
    Bid(bid::Args),
    Bench(bench::Args),
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Solve(args) => solve::run(args),
        Command::Value(args) => value::run(args),
        Command::Census(args) => census::run(args),
        Command::Rows(args) => rows::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Bid(args) => bid::run(args),
        Command::Bench(args) => bench::run(args),
    }
}
