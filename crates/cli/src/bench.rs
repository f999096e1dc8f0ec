//! `noregret bench`: how fast the standard spots are solved here.

use crate::about;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output::WorkLines;
use crate::palette::BOLD;
use crate::solve::{self, memory_limit};
use crate::standard_spots::{STANDARD_SPOTS, StandardSpot};
use clap::builder::RangedU64ValueParser;
use noregret_holdem::{
    Measurement, Precision, PriorRun, Solver, StopCondition, instruction_set, precisions_by_street, resume,
};
use noregret_store::Bytes;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// Measure this machine: how long the standard spots take to fixed exploitabilities.
///
/// The table has iterations and seconds to 0.5, 0.3 and 0.1% of the pot, measurements of the exploitability included, and says on
/// which machine, with which version and in which precision. The guide says how to run the same spots in other solvers.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret bench
  noregret bench turn three-bet-pot --precisions 32/32,16/16 --runs 3
  noregret bench --json > bench.json

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, after the table of what was done.")]
pub struct Args {
    /// What to solve: river, turn, monotone, three-bet-pot, single-raised-pot [default: the first four]
    #[arg(value_name = "SPOT", value_parser = StandardSpot::find)]
    spots: Vec<StandardSpot>,

    /// Precisions, with commas between them: strategy bits / regret bits, or those of flop, turn and river
    #[arg(long, value_name = "BITS", value_delimiter = ',', num_args = 1, value_parser = bits, default_value = "16:16:8/16:16:8,32/32")]
    precisions: Vec<BenchBits>,

    /// The exploitability to stop at, in percent of the starting pot
    #[arg(long, value_name = "PCT", value_parser = solve::percent, allow_negative_numbers = true, default_value = "0.1")]
    target: f64,

    /// How often each is solved; the quickest counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), default_value_t = 1)]
    runs: u32,

    /// Worker threads [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// Exploitabilities that are waited for, in percent of the pot, and how long at most.
const MARKS: [f64; 3] = [0.5, 0.3, 0.1];
const MOST_ITERATIONS: u32 = 1000;

/// How many of the standard spots are solved if none is named.
const DEFAULT_SPOTS: usize = 4;

/// The precisions of strategies and regrets on each street, and how they were written.
#[derive(Clone)]
struct BenchBits {
    text: String,
    precisions: [[Precision; 3]; 2],
}

fn bits(text: &str) -> Result<BenchBits, String> {
    let precisions = precisions_by_street(text).map_err(|error| error.to_string())?;
    Ok(BenchBits { text: text.to_owned(), precisions })
}

/// What the figures are of.
#[derive(Serialize)]
struct BenchMachine {
    version: &'static str,
    commit: Option<&'static str>,
    processor: String,
    cores: usize,
    instruction_set: &'static str,
    threads: usize,
}

impl BenchMachine {
    fn this(threads: usize) -> Self {
        let what = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
        let system = System::new_with_specifics(what).ok();
        let name = system.and_then(|system| Some(system.cpus().first()?.brand().trim().to_owned()));
        Self {
            version: about::VERSION,
            commit: about::commit(),
            processor: name.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown processor".to_owned()),
            cores: solve::available_threads(),
            instruction_set: instruction_set(),
            threads,
        }
    }

    fn heading(&self) -> String {
        let Self { version, processor, cores, instruction_set, threads, .. } = self;
        let commit = self.commit.map_or_else(String::new, |commit| format!(" ({commit})"));
        let plural =
            |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        format!(
            "noregret {version}{commit}, {processor}, {}, {instruction_set}, {}",
            plural(*cores, "core"),
            plural(*threads, "thread")
        )
    }
}

/// One spot in one precision.
#[derive(Serialize)]
struct BenchSolve {
    spot: &'static str,
    /// Bits of strategies and regrets.
    precision: String,
    memory_bytes: usize,
    /// Before the first iteration.
    build_seconds: f64,
    /// Of the last strategies; the same on every machine.
    strategy_digest: String,
    marks: Vec<BenchMark>,
}

#[derive(Serialize)]
struct BenchMark {
    exploitability_pct: f64,
    iterations: u32,
    seconds: f64,
}

impl BenchSolve {
    /// The time to the last mark that was reached.
    fn seconds(&self) -> f64 {
        self.marks.last().map_or(f64::INFINITY, |mark| mark.seconds)
    }

    fn line(&self, marks: &[f64]) -> String {
        let cells = marks.iter().map(|pct| {
            let reached = self.marks.iter().find(|mark| mark.exploitability_pct == *pct);
            let text = reached.map(|mark| format!("{} it {:.2} s", mark.iterations, mark.seconds));
            format!("{:>16}", text.unwrap_or_else(|| "-".to_owned()))
        });
        let memory = Bytes(self.memory_bytes as u64).to_string();
        format!("{:<18} {:<16} {memory:>10}{}", self.spot, self.precision, cells.collect::<String>())
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let all = &STANDARD_SPOTS[..DEFAULT_SPOTS];
    let spots = if args.spots.is_empty() { all } else { &args.spots };
    let threads = args.threads.unwrap_or_else(solve::available_threads);
    let mut marks: Vec<f64> = MARKS.into_iter().filter(|mark| *mark > args.target).collect();
    marks.push(args.target);
    let interrupt = Interrupt::listen()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::job(format!("cannot start {threads} threads: {error}")))?;
    let machine = BenchMachine::this(threads);
    let mut lines = WorkLines::default();
    if !args.json {
        let columns: String = marks.iter().map(|pct| format!("{:>16}", format!("to {pct}%"))).collect();
        lines.print(machine.heading());
        lines.print(format_args!(
            "\n{BOLD}{:<18} {:<16} {:>10}{columns}{BOLD:#}",
            "spot", "precision", "memory"
        ));
    }
    let mut solves = Vec::new();
    for spot in spots {
        for bits in &args.precisions {
            let mut best: Option<BenchSolve> = None;
            for _ in 0..args.runs {
                let solve = pool.install(|| measure(*spot, bits, &marks, threads, &interrupt))?;
                if interrupt.requested() {
                    break;
                }
                best = Some(match best {
                    Some(best) if best.seconds() <= solve.seconds() => best,
                    _ => solve,
                });
            }
            if let Some(best) = best {
                if !args.json {
                    lines.print(best.line(&marks));
                }
                solves.push(best);
            }
        }
    }
    if args.json {
        lines.print(solve::json(&BenchReport { machine, solves }));
    }
    lines.finish()?;
    Ok(if interrupt.requested() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

#[derive(Serialize)]
struct BenchReport {
    machine: BenchMachine,
    solves: Vec<BenchSolve>,
}

/// Solves a spot to one mark after the other; the time includes the measurements on the way.
fn measure(
    spot: StandardSpot,
    bits: &BenchBits,
    marks: &[f64],
    threads: usize,
    interrupt: &Interrupt,
) -> Result<BenchSolve, Failure> {
    let mut spec = spot.spec().map_err(Failure::job)?;
    spec.solver = spec.solver.stored_by_street(bits.precisions);
    let limit = memory_limit(None);
    let start = Instant::now();
    let layout = limit.lay_out(&spec).map_err(Failure::request)?;
    limit.check(&layout, &spec.solver, threads).map_err(Failure::request)?;
    let memory_bytes = layout.size(&spec.solver).memory.total();
    let mut solver = Solver::with_options(layout.build(), &spec.solver);
    let build_seconds = start.elapsed().as_secs_f64();
    let mut reached = Vec::new();
    let mut prior = PriorRun::default();
    for &target_pct in marks {
        let goal = StopCondition { target_pct, max_iterations: MOST_ITERATIONS };
        let outcome = resume(&mut solver, &goal, prior, |_| match interrupt.requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let Measurement { iteration: iterations, elapsed, exploitability_pct } = outcome.last();
        if exploitability_pct > target_pct {
            break;
        }
        reached.push(BenchMark {
            exploitability_pct: target_pct,
            iterations,
            seconds: elapsed.as_secs_f64(),
        });
        prior = PriorRun { history: outcome.history, elapsed };
    }
    Ok(BenchSolve {
        spot: spot.name,
        precision: bits.text.clone(),
        memory_bytes,
        build_seconds,
        strategy_digest: solver.digest(),
        marks: reached,
    })
}
