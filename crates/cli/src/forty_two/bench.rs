//! `noregret forty-two bench`: how fast, how small.

use super::backend::{Backend, Engine};
use super::source::read_table;
use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output;
use clap::ValueEnum;
use noregret_dominoes::{Declaration, Format, Gpu, Layout, TableJob, Threads};
use noregret_store::Bytes;
use rayon::prelude::*;
use std::path::Path;
use std::time::Instant;

/// Measure this machine: tables and rows a second, bytes, memory.
///
/// Six known deals one after the other on all threads, then random tables, as many at a time as there are threads.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret forty-two bench --tables 100
  noregret forty-two bench --format rows --layout to-go --tables 0
  noregret forty-two bench --backend gpu --tables 10")]
pub struct Args {
    /// How many random tables
    #[arg(long, value_name = "N", default_value_t = 100)]
    tables: u64,

    /// Where to compute: cpu, gpu, or auto for a hardware GPU if there is one
    #[arg(long, default_value = "cpu")]
    backend: Backend,

    /// What to measure: compact tables, or every row as Parquet
    #[arg(long, default_value = "table")]
    format: BenchFormat,

    /// How the states of rows are packed: scored or to-go [default: to-go]
    #[arg(long)]
    layout: Option<Layout>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum BenchFormat {
    Table,
    Rows,
}

const KNOWN: [(u64, u8); 6] = [(930, 0), (0, 0), (12, 9), (77, 7), (101, 5), (345, 8)];

/// What one table took.
struct Cost {
    solve: f64,
    write: f64,
    bytes: usize,
    positions: usize,
}

fn measure(engine: &Engine, job: TableJob, threads: Threads, directory: &Path) -> Result<Cost, Failure> {
    let started = Instant::now();
    let (table, _) = engine.solve(&job.deal(), job.declaration, threads).map_err(Failure::job)?;
    let solve = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let bytes = table.to_bytes(job.file_seed());
    job.write_table(directory, &bytes).map_err(Failure::job)?;
    Ok(Cost {
        solve,
        write: started.elapsed().as_secs_f64(),
        bytes: bytes.len(),
        positions: table.positions(),
    })
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let engine = args.backend.engine()?;
    let directory = std::env::temp_dir().join(format!("noregret-bench-{}", std::process::id()));
    std::fs::create_dir_all(&directory)
        .map_err(|error| Failure::job(format!("cannot create {}: {error}", directory.display())))?;
    let result = match (args.format, args.layout) {
        (BenchFormat::Table, None) => bench(args, &engine, &directory),
        (BenchFormat::Table, Some(_)) => {
            Err(Failure::request("--layout is for --format rows: a table holds both layouts"))
        }
        (BenchFormat::Rows, layout) => bench_rows(args, &engine, layout.unwrap_or(Layout::ToGo), &directory),
    };
    let _ = std::fs::remove_dir_all(&directory);
    result.map(|()| ExitCode::SUCCESS)
}

/// Says on what a GPU's figures are: a software driver is the CPU in another guise.
fn print_device(engine: &Engine) -> Result<(), Failure> {
    match engine.gpu().map(Gpu::info) {
        Some(device) if !device.is_hardware => output::print(format!(
            "on {} ({}, a software driver: it computes on the CPU)\n",
            device.name, device.api
        )),
        Some(device) => output::print(format!("on {} ({}, {})\n", device.name, device.api, device.kind)),
        None => Ok(()),
    }
}

fn bench(args: &Args, engine: &Engine, directory: &Path) -> Result<(), Failure> {
    print_device(engine)?;
    output::print("deal                      positions    solve     write      open      bytes")?;
    for (seed, number) in KNOWN {
        let declaration = Declaration::new(number).unwrap_or(Declaration::NO_TRUMP);
        let job = TableJob::new(seed, declaration);
        let cost = measure(engine, job, Threads::Pool, directory)?;
        let started = Instant::now();
        read_table(&directory.join(job.file_name(Format::Table).to_string()))?;
        let open = started.elapsed().as_secs_f64();
        output::print(format!(
            "seed {seed:<4} {:<13} {:>12}  {:.3} s   {:.3} s   {:.3} s  {:>9}",
            declaration.name(),
            grouped(cost.positions as u64),
            cost.solve,
            cost.write,
            open,
            grouped(cost.bytes as u64)
        ))?;
    }
    let jobs: Vec<TableJob> = random_jobs(args.tables).collect();
    let (started, cpu) = (Instant::now(), cpu_seconds());
    let costs: Vec<Cost> = jobs
        .par_iter()
        .map(|&job| measure(engine, job, Threads::One, directory))
        .collect::<Result<_, _>>()?;
    if !costs.is_empty() {
        print_random(&costs, Usage::since(started, cpu))?;
    }
    print_peak_memory()
}

/// What the random tables took together.
fn print_random(costs: &[Cost], usage: Usage) -> Result<(), Failure> {
    let n = costs.len() as f64;
    let mean = |of: fn(&Cost) -> f64| costs.iter().map(of).sum::<f64>() / n;
    let positions = mean(|cost| cost.positions as f64);
    output::print(format!(
        "\n{} random tables on {} threads in {:.1} s: {:.1} tables and {:.1} M positions a second",
        costs.len(),
        rayon::current_num_threads(),
        usage.wall,
        n / usage.wall,
        n * positions / usage.wall / 1e6
    ))?;
    output::print(format!(
        "a table: {:.4} s of a thread to solve, {:.4} s to pack, write and sync; {} positions; {} bytes",
        mean(|cost| cost.solve),
        mean(|cost| cost.write),
        grouped(positions as u64),
        grouped(mean(|cost| cost.bytes as f64) as u64),
    ))?;
    match usage.cpu {
        Some(cpu) => output::print(format!("{:.4} s of CPU time a table", cpu / n)),
        None => Ok(()),
    }
}

/// Random tables, of each declaration in turn.
fn random_jobs(count: u64) -> impl Iterator<Item = TableJob> {
    (0..count).filter_map(|i| Some(TableJob::new(100_000 + i, Declaration::new((i % 10) as u8)?)))
}

/// What some work took.
struct Usage {
    wall: f64,
    cpu: Option<f64>,
}

impl Usage {
    /// Since a moment, and the CPU time at that moment.
    fn since(started: Instant, cpu: Option<f64>) -> Self {
        let cpu = cpu.zip(cpu_seconds()).map(|(before, after)| after - before);
        Self { wall: started.elapsed().as_secs_f64(), cpu }
    }
}

fn print_peak_memory() -> Result<(), Failure> {
    match peak_memory() {
        Some(peak) => output::print(format!("peak memory {}", Bytes(peak))),
        None => output::print("peak memory unknown on this system"),
    }
}

/// The known deals, then random ones, one after the other: solved, and their rows made, encoded, compressed and synced by
/// all threads.
fn bench_rows(args: &Args, engine: &Engine, layout: Layout, directory: &Path) -> Result<(), Failure> {
    print_device(engine)?;
    output::print("deal                            rows    solve     write   M rows/s      bytes")?;
    let known =
        KNOWN.iter().filter_map(|&(seed, number)| Some(TableJob::new(seed, Declaration::new(number)?)));
    let (mut rows, mut bytes, mut tables) = (0, 0, 0_u32);
    let (started, cpu) = (Instant::now(), cpu_seconds());
    for job in known.chain(random_jobs(args.tables)) {
        let begun = Instant::now();
        let (table, _) = engine.solve(&job.deal(), job.declaration, Threads::Pool).map_err(Failure::job)?;
        let solve = begun.elapsed().as_secs_f64();
        let written =
            job.write_rows(directory, &table, layout, engine.gpu(), |_| true).map_err(Failure::job)?;
        let all = begun.elapsed().as_secs_f64();
        let found = written.rows.unwrap_or(0);
        let _ = std::fs::remove_file(directory.join(job.file_name(Format::Rows(layout)).to_string()));
        output::print(format!(
            "seed {:<6} {:<13} {:>12}  {solve:.3} s   {:.3} s   {:>8.1}  {:>9}",
            job.seed,
            job.declaration.name(),
            grouped(found),
            all - solve,
            found as f64 / all / 1e6,
            grouped(written.bytes)
        ))?;
        (rows, bytes, tables) = (rows + found, bytes + written.bytes, tables + 1);
    }
    let Usage { wall, cpu } = Usage::since(started, cpu);
    output::print(format!(
        "\n{tables} tables on {} threads in {wall:.1} s: {:.2} tables and {:.1} M rows a second",
        rayon::current_num_threads(),
        f64::from(tables) / wall,
        rows as f64 / wall / 1e6,
    ))?;
    output::print(format!(
        "{} rows in {} bytes, {:.2} bytes a row",
        grouped(rows),
        grouped(bytes),
        bytes as f64 / rows as f64
    ))?;
    if let Some(cpu) = cpu {
        output::print(format!("{:.0} ns of CPU time a row", 1e9 * cpu / rows as f64))?;
    }
    print_peak_memory()
}

/// The CPU time of this process, where the system tells: it does not grow with what else the machine is doing.
fn cpu_seconds() -> Option<f64> {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_A_SECOND)
}

/// The most memory this process has had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}
