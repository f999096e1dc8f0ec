//! The `noregret` command, as a function: the binary and the Python package both run it.

mod about;
mod batch;
mod bench;
mod compare;
#[cfg(feature = "shell")]
mod completions;
#[cfg(feature = "forty-two")]
mod devices;
mod digits;
mod exit_code;
mod export;
mod failure;
#[cfg(feature = "forty-two")]
mod forty_two;
#[cfg(feature = "hands")]
mod hands;
mod inspect;
mod interrupt;
#[cfg(feature = "shell")]
mod man;
mod output;
mod palette;
mod place;
mod precision;
mod report;
mod self_check;
#[cfg(feature = "serve")]
mod serve;
mod solution_file;
mod solve;
mod standard_spots;
mod unit;
#[cfg(feature = "upi")]
mod upi;
mod verify;

#[cfg(feature = "shell")]
use clap::CommandFactory;
use clap::{Parser, Subcommand};
use failure::Failure;
use noregret_holdem::MachineMemory;
use std::ffi::OsString;

#[doc(hidden)]
pub use batch::journal_jobs;
pub use exit_code::ExitCode;

/// Solve games where regret is the currency.
#[derive(Parser)]
#[command(
    version,
    long_version = about::long_version(),
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Examples:
  noregret solve examples/quick.toml --out quick.nrs
  noregret inspect quick.nrs --line check
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
    Inspect(inspect::Args),
    Export(export::Args),
    Batch(batch::Args),
    Report(report::Args),
    #[cfg(feature = "hands")]
    Hands(hands::Args),
    Verify(verify::Args),
    #[cfg(feature = "forty-two")]
    FortyTwo(forty_two::Args),
    Bench(bench::Args),
    #[cfg(feature = "forty-two")]
    Devices(devices::Args),
    SelfCheck(self_check::Args),
    #[cfg(feature = "shell")]
    Completions(completions::Args),
    #[cfg(feature = "shell")]
    Man(man::Args),
    #[cfg(feature = "upi")]
    Upi(upi::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
}

/// Runs the command with these arguments, the first of which is the name of the program, to its end.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    // First of all: where little is left, reading the arguments already ends the program.
    if let Err(too_little) = MachineMemory::check_address_space(0) {
        return Failure::request(too_little).report();
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to standard output and is no error; where neither can be written, the exit code has to do.
            let _ = error.print();
            return ExitCode(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    interrupt::survive_large_files();
    let result = match cli.command {
        Command::Solve(args) => solve::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Batch(args) => batch::run(&args),
        Command::Report(args) => report::run(&args),
        #[cfg(feature = "hands")]
        Command::Hands(args) => hands::run(&args),
        Command::Verify(args) => verify::run(&args),
        #[cfg(feature = "forty-two")]
        Command::FortyTwo(args) => forty_two::run(&args),
        #[cfg(feature = "forty-two")]
        Command::Devices(args) => devices::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::SelfCheck(args) => self_check::run(&args),
        #[cfg(feature = "shell")]
        Command::Completions(args) => completions::run(&args, Cli::command()),
        #[cfg(feature = "shell")]
        Command::Man(args) => man::run(&args, Cli::command()),
        #[cfg(feature = "upi")]
        Command::Upi(args) => upi::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
