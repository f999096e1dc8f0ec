//! `noregret forty-two solve`: tables by the million.

pub mod folders;
mod report;
mod workers;

use super::backend::Backend;
use super::seeds::{Declarations, Seeds, TablePlan};
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::place;
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use folders::{Folders, Manifests};
use noregret_dominoes::{Format, Layout, ManifestEntry};
use noregret_holdem::MachineMemory;
use noregret_store::{Bytes, Shard};
use report::RunReporter;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use workers::{RunEvent, TableRun};

/// Solve deals and write one file for each, skipping those that are there and whole.
///
/// A run that was stopped, killed or out of disk goes on where it was when it is started again, and ends with the same
/// files. When it ends, a manifest lists every file with its digest for `verify`.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret forty-two solve --seeds 0..1000 --decls all --out tables
  noregret forty-two solve --seeds 0..1000000 --decls all --shard 2/8 --out /data/tables
  noregret forty-two solve --seeds 3,17,40..=49 --decls blanks,no-trump --out rows --format rows --layout to-go

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, after a clean stop.")]
pub struct Args {
    /// Seeds: 7, 0..100 (without 100), 0..=99, or several with commas between
    #[arg(long, value_name = "SEEDS")]
    seeds: Seeds,

    /// Declarations by name or number with commas between, or all
    #[arg(long, value_name = "LIST")]
    decls: Declarations,

    /// The directory to write to; it is made if it is not there
    #[arg(long, value_name = "DIR", value_parser = place::argument())]
    out: PathBuf,

    /// Where to compute: cpu, gpu, or auto for a hardware GPU if there is one
    #[arg(long, default_value = "cpu")]
    backend: Backend,

    /// What to write: compact tables, or every row as Parquet
    #[arg(long, default_value = "table")]
    format: RunFormat,

    /// How the states of rows are packed: scored or to-go [default: scored]
    #[arg(long)]
    layout: Option<Layout>,

    /// Keep each seed's first hand, and deal the other three hands this many times by opponent seeds 0, 1, 2 …
    #[arg(long, value_name = "K", value_parser = RangedU64ValueParser::<u32>::new().range(1..=1_000_000))]
    opponents: Option<u32>,

    /// Write to the folders train, val and test: seed mod 1000 below 900, below 950, the rest
    #[arg(long)]
    split: bool,

    /// This machine's part of the run, the i-th of n
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,

    /// Worker threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// Write no manifest: whoever has started this run as a part of a larger one does, from the lines of --json
    #[arg(long, requires = "json")]
    no_manifest: bool,

    /// Print a line of JSON for each table on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum RunFormat {
    Table,
    Rows,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let format = match (args.format, args.layout) {
        (RunFormat::Table, None) => Format::Table,
        (RunFormat::Table, Some(_)) => {
            return Err(Failure::request("--layout is for --format rows: a table holds both layouts"));
        }
        (RunFormat::Rows, layout) => Format::Rows(layout.unwrap_or(Layout::Scored)),
    };
    let plan = TablePlan {
        seeds: args.seeds.clone(),
        declarations: args.decls.clone(),
        opponents: args.opponents,
        shard: args.shard,
    };
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    let engine = args.backend.engine()?;
    let interrupt = Interrupt::listen()?;
    let run = TableRun { plan: &plan, format, threads, engine: &engine, interrupt: &interrupt };
    check_memory(&run)?;
    let folders = Folders::open(&args.out, &plan, args.split)?;
    let mut manifests = match args.no_manifest {
        true => Manifests::none(),
        false => folders.manifests(&plan, format != Format::Table)?,
    };
    let mut reporter = RunReporter::new(args.json, &run, &args.out, args.split);
    reporter.start(&run);
    let mut entries = Vec::new();
    let mut saved = Instant::now();
    let mut failure = None;
    run.execute(&folders, |event| match event {
        RunEvent::Done(done) => {
            let file = done.job.file_name(format);
            entries.push(ManifestEntry { file, bytes: done.made.bytes, digest: done.made.digest });
            reporter.done(&done);
            if saved.elapsed() <= SAVE_EVERY {
                return true;
            }
            saved = Instant::now();
            match manifests.save(&mut entries) {
                Ok(()) => true,
                Err(error) => {
                    failure.get_or_insert(error);
                    false
                }
            }
        }
        RunEvent::Rows(job, share) => {
            reporter.rows(&job, share);
            true
        }
        RunEvent::Torn(error) => {
            reporter.log(&format!("made again: {error}"));
            true
        }
        RunEvent::Failed(error) => {
            failure.get_or_insert(Failure::job(error));
            false
        }
    });
    let told = reporter.finish();
    let saved = manifests.save(&mut entries);
    if let Some(failure) = failure {
        return Err(failure);
    }
    saved.and(told)?;
    Ok(if interrupt.requested() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Refuses what a limit of the system (`ulimit -v`, a cgroup) would end. Without one, tables take less than the most that they can.
fn check_memory(run: &TableRun<'_>) -> Result<(), Failure> {
    let (needed, machine) = (report::memory(run), MachineMemory::now());
    if !machine.is_limited() || needed <= machine.available {
        return Ok(());
    }
    Err(Failure::request(format!(
        "tables on {} threads take up to {} of memory, and {} {}: give fewer --threads, or allow more",
        run.threads,
        Bytes(needed),
        machine.whose,
        Bytes(machine.available)
    )))
}

/// How often the manifest is saved while a run goes on, so that a kill loses little of it.
const SAVE_EVERY: Duration = Duration::from_secs(60);
