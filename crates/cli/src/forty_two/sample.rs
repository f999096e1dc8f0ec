//! `noregret forty-two sample`: random positions of many tables, to train on.

use super::seeds::{Declarations, Seeds, TablePlan};
use super::solve::folders::prepare_folder;
use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output::WorkLines;
use crate::place;
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use noregret_dominoes::{
    Layout, Levels, Row, SampleFile, SampleFileError, SampleFormat, SampleOptions, Split, Table, TableJob,
    Threads, sample_metadata,
};
use noregret_report::TableFormat;
use noregret_store::{Bytes, Shard, WholeFile, length};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Instant;

/// Draw random reachable positions of many tables, with the value of every move, into Parquet files.
///
/// Every position at which a move can be made is as likely as any other of its table; with --balance level each number
/// of tricks left gets as many. Tables are solved and forgotten: no rows are made. A file holds the samples of a
/// thousand seeds; a run that was stopped goes on with the files that are missing, and ends with the same bytes.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret forty-two sample --seeds 0..1000 --decls all --per-table 1000 --out samples
  noregret forty-two sample --seeds 0..100 --decls sixes --per-table 500 --levels 3..=7 --balance level \\
    --opponents 8 --split --decode --out samples

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, after a clean stop.")]
pub struct Args {
    /// Seeds: 7, 0..100 (without 100), 0..=99, or several with commas between
    #[arg(long, value_name = "SEEDS")]
    seeds: Seeds,

    /// Declarations by name or number with commas between, or all
    #[arg(long, value_name = "LIST")]
    decls: Declarations,

    /// Positions to draw from each table
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..=10_000_000))]
    per_table: u64,

    /// Draw from these levels only: the number of tricks left, 1 to 7, like 5, 2..5 or 1,3..=6 [default: all]
    #[arg(long, value_name = "LEVELS")]
    levels: Option<Levels>,

    /// Draw as many from each level
    #[arg(long, value_name = "BY")]
    balance: Option<Balance>,

    /// Keep each seed's first hand, and deal the other three hands this many times by opponent seeds 0, 1, 2 …
    #[arg(long, value_name = "K", value_parser = RangedU64ValueParser::<u32>::new().range(1..=1_000_000))]
    opponents: Option<u32>,

    /// Write to the folders train, val and test: seed mod 1000 below 900, below 950, the rest
    #[arg(long)]
    split: bool,

    /// Add columns with hands, led suit, trump, legal moves, best move and regrets
    #[arg(long)]
    decode: bool,

    /// How states are packed: to-go, or scored, which is slower
    #[arg(long, default_value = "to-go")]
    layout: Layout,

    /// What the draws depend on
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// The directory to write to; it is made if it is not there
    #[arg(long, value_name = "DIR", value_parser = place::argument())]
    out: PathBuf,

    /// This machine's part of the run, the i-th of n: it makes every n-th file
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,

    /// Worker threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// Print a line of JSON for each file on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Balance {
    Level,
}

/// The most seeds of a run, whose files are listed in memory.
const MAX_SEEDS: u64 = 100_000_000;

/// Rows that are drawn before they are encoded, unless a table for each thread has more.
const ROWS_AT_ONCE: u64 = 1 << 18;

/// A file to make: the seeds of one shard that belong to one folder.
struct FilePlan {
    path: PathBuf,
    seeds: Seeds,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let plan = TablePlan {
        seeds: args.seeds.clone(),
        declarations: args.decls.clone(),
        opponents: args.opponents,
        shard: Shard::WHOLE,
    };
    let run = SampleRun {
        args,
        options: SampleOptions {
            count: args.per_table,
            levels: args.levels.unwrap_or(Levels::ALL),
            is_balanced: args.balance.is_some(),
            layout: args.layout,
            seed: args.seed,
        },
        format: SampleFormat {
            layout: args.layout,
            has_opponents: args.opponents.is_some(),
            is_decoded: args.decode,
        },
        plan,
    };
    if run.plan.seeds.count() > MAX_SEEDS {
        return Err(Failure::request(format!(
            "--seeds has over {} seeds: draw them in parts",
            grouped(MAX_SEEDS)
        )));
    }
    let interrupt = Interrupt::listen()?;
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::job(format!("cannot start threads: {error}")))?;
    let files = run.files()?;
    let tables_of = |file: &FilePlan| run.plan.count_of(&file.seeds);
    let bar = ProgressBar::new(files.iter().map(tables_of).fold(0, u64::saturating_add));
    let style = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} tables  {eta_precise} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut lines = WorkLines::default();
    let mut interrupted = false;
    for file in &files {
        let tables = tables_of(file);
        let started = Instant::now();
        let (rows, bytes, skipped) = match run.find(file)? {
            Some((rows, bytes)) => {
                bar.inc(tables);
                (rows, bytes, true)
            }
            None => match pool.install(|| run.make(file, || bar.inc(1), &interrupt))? {
                Some((rows, bytes)) => (rows, bytes, false),
                None => {
                    interrupted = true;
                    break;
                }
            },
        };
        let seconds = started.elapsed().as_secs_f64();
        bar.suspend(|| {
            if args.json {
                return lines.print(json!({
                    "path": file.path, "tables": tables, "rows": rows, "bytes": bytes, "seconds": seconds,
                    "skipped": skipped,
                }));
            }
            let done = if skipped { "was there".to_owned() } else { format!("in {seconds:.1} s") };
            let (rows, tables) = (grouped(rows), grouped(tables));
            lines.print(format!(
                "{}  {rows} positions of {tables} tables, {} {done}",
                file.path.display(),
                Bytes(bytes)
            ));
        });
    }
    bar.finish_and_clear();
    lines.finish()?;
    Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

struct SampleRun<'a> {
    args: &'a Args,
    plan: TablePlan,
    options: SampleOptions,
    format: SampleFormat,
}

impl SampleRun<'_> {
    /// The files of this machine, and their folders ready to be written.
    fn files(&self) -> Result<Vec<FilePlan>, Failure> {
        let splits: Vec<Option<Split>> =
            if self.args.split { Split::ALL.map(Some).to_vec() } else { vec![None] };
        let mut files = Vec::new();
        for split in splits.into_iter().filter(|split| split.is_none_or(|split| self.plan.has_split(split))) {
            let folder = split.map_or(self.args.out.clone(), |split| self.args.out.join(split.name()));
            let mut here: Vec<FilePlan> = Vec::new();
            for shard in self.plan.seeds.shards() {
                let bounds = split.map_or(shard.seeds(), |split| shard.seeds_of(split));
                let seeds = self.plan.seeds.within(&bounds);
                if seeds.count() > 0 {
                    here.push(FilePlan { path: folder.join(shard.to_string()), seeds });
                }
            }
            let mut number = 0;
            here.retain(|_| {
                number += 1;
                self.args.shard.has(number - 1)
            });
            let names: BTreeSet<&OsStr> = here.iter().filter_map(|file| file.path.file_name()).collect();
            prepare_folder(&folder, |name| names.contains(OsStr::new(name)))?;
            files.extend(here);
        }
        Ok(files)
    }

    /// What a file is made from: it is in its metadata, so that a file of another request is not taken for it.
    fn request(&self, file: &FilePlan) -> String {
        let decls: Vec<String> = self.args.decls.0.iter().map(|decl| decl.number().to_string()).collect();
        let SampleOptions { count, levels, is_balanced, layout, seed } = self.options;
        format!(
            "seeds={} decls={} per_table={count} levels={levels} balanced={is_balanced} opponents={} layout={} decode={} seed={seed}",
            file.seeds,
            decls.join(","),
            self.args.opponents.map_or("none".to_owned(), |count| count.to_string()),
            layout.name(),
            self.args.decode
        )
    }

    /// The rows and bytes of the file if it is there; an error if it is of another request, or something else.
    fn find(&self, file: &FilePlan) -> Result<Option<(u64, u64)>, Failure> {
        let shown = file.path.display();
        if let Err(error) = TableFormat::Parquet.output_kind().check_content(&file.path) {
            return Err(Failure::job(format!("{shown}: {error}: move it away, or choose another directory")));
        }
        match sample_metadata(&file.path, "request") {
            Ok(None) => Ok(None),
            Ok(Some((rows, bytes, request))) if request == self.request(file) => Ok(Some((rows, bytes))),
            Ok(Some((.., request))) => Err(Failure::job(format!(
                "{shown}: it holds samples of another request ({request}): choose another directory"
            ))),
            // Nothing is lost with an empty file.
            Err(_) if length(&file.path).is_ok_and(|bytes| bytes == 0) => Ok(None),
            Err(error) => Err(Failure::job(format!("{shown}: {error}"))),
        }
    }

    /// Solves a table and draws from it; the table is forgotten. Nothing is drawn after an interrupt.
    fn draw(&self, job: &TableJob, done: &impl Fn(), interrupt: &Interrupt) -> Vec<Row> {
        if interrupt.requested() {
            return Vec::new();
        }
        let table = Table::solve(&job.deal(), job.declaration, Threads::One);
        let seed = job.sample_seed(self.options.seed);
        let rows = table.sample(&SampleOptions { seed, ..self.options });
        done();
        rows
    }

    /// How many tables are drawn from before their rows are encoded: tables differ in size, so that many of them keep the
    /// threads even, but the rows of all are in memory.
    fn tables_at_once(&self) -> usize {
        let threads = rayon::current_num_threads();
        let tables = ROWS_AT_ONCE / self.options.count.max(1);
        (tables as usize).clamp(threads, 32 * threads)
    }

    /// Makes a file, whole or not at all. None if it was interrupted.
    fn make(
        &self,
        file: &FilePlan,
        done: impl Fn() + Sync,
        interrupt: &Interrupt,
    ) -> Result<Option<(u64, u64)>, Failure> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::job(format!("cannot write {}: {error}", file.path.display()))
        };
        let failed = |error: SampleFileError| cannot(&error);
        let mut part = WholeFile::create(&file.path).map_err(|error| cannot(&error))?;
        let metadata = [("request", self.request(file)), ("version", env!("CARGO_PKG_VERSION").to_owned())];
        let mut samples = SampleFile::new(&mut part, self.format, &metadata).map_err(failed)?;
        let mut jobs = self.plan.jobs_of(&file.seeds);
        let mut next_jobs = || jobs.by_ref().take(self.tables_at_once()).collect::<Vec<_>>();
        let draw = |jobs: Vec<TableJob>| -> Vec<(TableJob, Vec<Row>)> {
            jobs.into_par_iter().map(|job| (job, self.draw(&job, &done, interrupt))).collect()
        };
        let mut drawn = draw(next_jobs());
        while !drawn.is_empty() {
            if interrupt.requested() {
                return Ok(None);
            }
            // The next are drawn while these are encoded.
            let next = next_jobs();
            let (added, next) = rayon::join(
                || drawn.iter().try_for_each(|(job, rows)| samples.add(job, rows)),
                || draw(next),
            );
            added.map_err(failed)?;
            drawn = next;
        }
        let rows = samples.finish().map_err(failed)?;
        part.finish().map_err(|error| cannot(&error))?;
        let bytes = length(&file.path).map_err(|error| cannot(&error))?;
        Ok(Some((rows, bytes)))
    }
}
