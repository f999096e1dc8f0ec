//! `noregret forty-two solve`: tables by the million.

mod report;
mod workers;

use super::seeds::{Declarations, Plan, Seeds};
use super::verify::list;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use noregret_dominoes::{Entry, Format, Gpu, Job, Layout, Manifest};
use noregret_store::{Shard, remove_left_overs};
use report::Reporter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use workers::{Engine, Event, Run};

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
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Where to compute: cpu, gpu, or auto for a hardware GPU if there is one
    #[arg(long, default_value = "cpu")]
    backend: Backend,

    /// What to write: compact tables, or every row as Parquet
    #[arg(long, default_value = "table")]
    format: Kind,

    /// How the states of rows are packed: scored or to-go [default: scored]
    #[arg(long)]
    layout: Option<Layout>,

    /// This machine's part of the run, the i-th of n
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,

    /// Worker threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// Print a line of JSON for each table on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Backend {
    Cpu,
    Gpu,
    Auto,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Kind {
    Table,
    Rows,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let format = match (args.format, args.layout) {
        (Kind::Table, None) => Format::Table,
        (Kind::Table, Some(_)) => {
            return Err(Failure::request("--layout is for --format rows: a table holds both layouts"));
        }
        (Kind::Rows, layout) => Format::Rows(layout.unwrap_or(Layout::Scored)),
    };
    let plan = Plan { seeds: args.seeds.clone(), declarations: args.decls.clone(), shard: args.shard };
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    let engine = engine(args.backend)?;
    prepare(&args.out, &plan)?;
    let listed = list(&args.out)?.manifest;
    let path = args.out.join(Manifest::name(&args.shard));
    let mut manifest = Manifest::load(&path).map_err(Failure::job)?;
    let interrupt = Interrupt::listen()?;
    let run = Run {
        plan: &plan,
        directory: &args.out,
        format,
        threads,
        engine: &engine,
        interrupt: &interrupt,
        listed: &listed,
    };
    let mut reporter = Reporter::new(args.json, &run);
    reporter.start(&run);
    let mut save = |entries: &mut Vec<Entry>| {
        manifest.extend(entries.drain(..));
        manifest
            .save(&path)
            .map_err(|error| Failure::job(format!("cannot write {}: {error}", path.display())))
    };
    let mut entries = Vec::new();
    let mut saved = Instant::now();
    let mut failure = None;
    run.execute(|event| match event {
        Event::Done(done) => {
            let file = done.job.file_name(format);
            entries.push(Entry { file, bytes: done.made.bytes, digest: done.made.digest });
            let mut told = reporter.done(&done);
            if saved.elapsed() > SAVE_EVERY {
                told = told.and_then(|()| save(&mut entries));
                saved = Instant::now();
            }
            match told {
                Ok(()) => true,
                Err(error) => {
                    failure.get_or_insert(error);
                    false
                }
            }
        }
        Event::Torn(error) => {
            reporter.log(&format!("made again: {error}"));
            true
        }
        Event::Failed(error) => {
            failure.get_or_insert(Failure::job(error));
            false
        }
    });
    reporter.finish();
    let saved = save(&mut entries);
    if let Some(failure) = failure {
        return Err(failure);
    }
    saved?;
    Ok(if interrupt.requested() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// How often the manifest is saved while a run goes on, so that a kill loses little of it.
const SAVE_EVERY: Duration = Duration::from_secs(60);

fn engine(backend: Backend) -> Result<Engine, Failure> {
    match backend {
        Backend::Cpu => Ok(Engine::Cpu),
        Backend::Gpu => Gpu::open().map(Engine::Gpu).map_err(Failure::job),
        Backend::Auto => {
            let has_hardware = Gpu::devices().iter().any(|device| device.is_hardware);
            Ok(has_hardware.then(|| Gpu::open().ok()).flatten().map_or(Engine::Cpu, Engine::Gpu))
        }
    }
}

/// A file that is begun and dropped, to see whether the directory can be written.
const PROBE: &str = "probe";

/// Makes the directory, sees that it can be written, and clears what a killed run left behind.
fn prepare(directory: &Path, plan: &Plan) -> Result<(), Failure> {
    let cannot = |what: &str, error: std::io::Error| {
        Failure::job(format!("cannot {what} {}: {error}", directory.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| cannot("create", error))?;
    noregret_store::PartFile::create(&directory.join(PROBE)).map_err(|error| cannot("write to", error))?;
    let manifest = Manifest::name(&plan.shard);
    let is_ours = |name: &str| {
        name == PROBE
            || name == manifest
            || Job::from_file_name(name).is_some_and(|file| plan.covers(&file.job))
    };
    remove_left_overs(directory, is_ours).map_err(|error| cannot("clear", error))
}
