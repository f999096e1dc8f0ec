//! `noregret batch`: one spec on many flops, a file each.

mod dry_run;
mod files;
mod journal;
mod open_batch;
mod reporter;
mod solve_job;
mod status;
mod work;

use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::place;
use crate::solve::{available_threads, memory_limit};
use clap::builder::RangedU64ValueParser;
#[cfg(feature = "hands")]
pub use files::BatchFiles;
#[doc(hidden)]
pub use journal::journal_jobs;
use noregret_holdem::BatchJob;
use noregret_store::Bytes;
use noregret_store::Shard;
use open_batch::OpenBatch;
use std::path::PathBuf;
pub use work::{BatchWork, Tally};

/// Solve one spec on many flops, one solution file each.
///
/// The plan names a spec and the flops: a list, all 1,755, or a subset chosen to stand for all of them; also ranges and stacks
/// in place of the spec's. A run that was stopped or killed goes on where it was when it is started again: what is there and
/// whole is skipped, and a solve that was cut short goes on from its checkpoint. A job that fails does not keep the others from
/// being done.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret batch examples/batch.toml
  noregret batch plan.toml --status
  noregret batch plan.toml --shard 2/8 --json
  noregret batch plan.toml --out s3://spots/solved
  noregret report solved/*.nrs --out report.html

Exit codes: 0 all done; 1 a job failed; 2 the request was wrong; 130 interrupted, after a clean stop.")]
pub struct Args {
    /// The plan, a TOML file
    #[arg(value_parser = place::argument())]
    plan: PathBuf,

    /// Write solutions and checkpoints here [default: to the `directory` of the plan]
    #[arg(long, value_name = "DIR", value_parser = place::argument())]
    out: Option<PathBuf>,

    /// Only these jobs, by name with commas between: parts of a run that somebody else shares out
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "shard")]
    jobs: Option<Vec<String>>,

    /// Say which jobs are done, failed, at work or waiting, and solve nothing
    #[arg(long)]
    status: bool,

    /// Say which jobs there are and what memory each takes, and solve nothing
    #[arg(long, conflicts_with = "status")]
    dry_run: bool,

    /// This machine's part of the run, the i-th of n
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,

    /// Worker threads; the answers are the same for any number [default: one per core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// A job that needs more memory fails, e.g. `4GiB` [default: what is available]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Bytes>,

    /// Exit with 1 if a job did not reach its target
    #[arg(long)]
    strict: bool,

    /// Print a line of JSON for each job on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let batch = OpenBatch::read(&args.plan, args.out.as_deref(), args.shard, args.jobs.as_deref())?;
    let threads = args.threads.unwrap_or_else(available_threads);
    if args.dry_run {
        return dry_run::print(&batch, memory_limit(args.memory), threads, args.json)
            .map(|()| ExitCode::SUCCESS);
    }
    if args.status {
        return status::print(&batch, args.json).map(|()| ExitCode::SUCCESS);
    }
    let work = BatchWork {
        files: &batch.files,
        keep: batch.plan.keep,
        checkpoint_every: batch.plan.checkpoint_every,
        limit: memory_limit(args.memory),
        threads,
        json: args.json,
    };
    let mine: Vec<&BatchJob> = batch.shard_jobs().collect();
    let Tally { failed, missed, is_interrupted, told } = work.run(&batch.jobs, &mine)?;
    match (is_interrupted, failed) {
        (true, _) => Ok(ExitCode::from(INTERRUPTED)),
        (false, 0) if args.strict && missed > 0 => {
            Err(Failure::job(format!("{missed} of {} jobs did not reach their target", mine.len())))
        }
        (false, 0) => told.map(|()| ExitCode::SUCCESS),
        (false, 1) => Err(Failure::job("1 job has failed; the others are done")),
        (false, _) => Err(Failure::job(format!("{failed} jobs have failed; the others are done"))),
    }
}
