//! `noregret forty-two`: Texas 42, solved exactly.

mod backend;
mod bench;
mod bid;
mod census;
mod draw;
mod expect;
mod planned_run;
mod query;
mod rows;
mod sample;
mod seeds;
mod solve;
mod source;
mod value;
mod verify;

use crate::exit_code::ExitCode;
use crate::failure::Failure;
pub use backend::GPU_INSTALL;

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
    command: FortyTwoCommand,
}

#[derive(clap::Subcommand)]
enum FortyTwoCommand {
    Solve(solve::Args),
    Value(value::Args),
    Census(census::Args),
    Query(query::Args),
    Rows(rows::Args),
    Sample(sample::Args),
    Verify(verify::Args),
    Bid(bid::Args),
    Expect(expect::Args),
    Bench(bench::Args),
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        FortyTwoCommand::Solve(args) => solve::run(args),
        FortyTwoCommand::Value(args) => value::run(args),
        FortyTwoCommand::Census(args) => census::run(args),
        FortyTwoCommand::Query(args) => query::run(args),
        FortyTwoCommand::Rows(args) => rows::run(args),
        FortyTwoCommand::Sample(args) => sample::run(args),
        FortyTwoCommand::Verify(args) => verify::run(args),
        FortyTwoCommand::Bid(args) => bid::run(args),
        FortyTwoCommand::Expect(args) => expect::run(args),
        FortyTwoCommand::Bench(args) => bench::run(args),
    }
}
