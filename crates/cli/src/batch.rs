//! `noregret batch`: one spec on many flops, a file each.

mod dry_run;
mod files;
mod journal;
mod open_batch;
mod reporter;
mod solve_job;
mod status;

use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::place;
use crate::solve::{available_threads, memory_limit};
use clap::builder::RangedU64ValueParser;
#[doc(hidden)]
pub use journal::journal_jobs;
use journal::{Journal, JournalState};
use noregret_holdem::BatchJob;
use noregret_store::Bytes;
use noregret_store::Shard;
use open_batch::OpenBatch;
use reporter::BatchReporter;
use solve_job::{JobEnd, Workshop};
use std::path::PathBuf;

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
    batch.files.make_directory()?;
    let mut journal = Journal::open(&batch.files.journal())?;
    batch.files.prepare(&batch.jobs, &journal)?;
    let interrupt = Interrupt::listen()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::job(format!("cannot start {threads} threads: {error}")))?;
    let mine: Vec<&BatchJob> = batch.shard_jobs().collect();
    let mut reporter = BatchReporter::new(args.json, mine.len() as u64);
    let workshop = Workshop {
        plan: &batch.plan,
        files: &batch.files,
        limit: memory_limit(args.memory),
        threads,
        interrupt: &interrupt,
        buffers: Default::default(),
    };
    let (mut failed, mut missed) = (0, 0);
    for job in mine {
        if interrupt.requested() {
            break;
        }
        let ended = match workshop.find(job) {
            Ok(Some(found)) => {
                workshop.remove_old_checkpoint(job);
                JobEnd::Found(found)
            }
            Ok(None) => {
                journal.write(job, &JournalState::Solving)?;
                pool.install(|| workshop.solve(job, |now| reporter.progress(job, now)))
            }
            Err(failure) => JobEnd::Failed(failure.message().to_owned()),
        };
        if let JobEnd::Done(solved) | JobEnd::Found(solved) = &ended {
            missed += u64::from(!solved.target_reached);
        }
        match &ended {
            JobEnd::Done(solved) => journal.write(job, &JournalState::Done(solved.clone()))?,
            JobEnd::Failed(error) => {
                failed += 1;
                journal.write(job, &JournalState::Failed { error: error.clone() })?;
            }
            JobEnd::Found(_) | JobEnd::Stopped => {}
        }
        reporter.ended(job, &ended, &batch.files);
        if let JobEnd::Stopped = ended {
            break;
        }
    }
    let told = reporter.finish();
    match (interrupt.requested(), failed) {
        (true, _) => Ok(ExitCode::from(INTERRUPTED)),
        (false, 0) if args.strict && missed > 0 => Err(Failure::job(format!(
            "{missed} of {} jobs did not reach their target",
            batch.shard_jobs().count()
        ))),
        (false, 0) => told.map(|()| ExitCode::SUCCESS),
        (false, 1) => Err(Failure::job("1 job has failed; the others are done")),
        (false, _) => Err(Failure::job(format!("{failed} jobs have failed; the others are done"))),
    }
}
